import { type DecodedImage, decodeImage, type ImageCodecs } from '@manyworlds/image';
import { type AssetStore, Layer, Path, type Prim, type SpecMove, type Stage } from '@manyworlds/usd';
import { type ChangeList, isPackageRelativePath } from '@manyworlds/usd/internal';
import { type OpenStageOptions, openAssetStage } from '../../asset/open-stage.ts';
import { type VariantChoice, VariantSelections } from '../../asset/variant-selections.ts';
import type { RepCode } from '../../diagnostics.ts';
import type { FixFamily } from '../../rule.ts';
import type { FixParameters } from './fixer.ts';
import type { Shift } from './physics-snapshot.ts';
import type { PlanItem, PlanNote } from './plan.ts';
import { planItems } from './plan-items.ts';
import { SessionStore } from './session-store.ts';

/** What is fixed, and how. */
export interface FixSessionOptions {
	readonly root: Layer;
	/** Where the files of the asset come from. Layers that it gives are edited in place: nobody else may use them. */
	readonly store: AssetStore;
	readonly parameters: FixParameters;
	/** Decoders of images beyond those that are always there. */
	readonly codecs?: ImageCodecs;
	/** Rules that are put right; all of them without this. */
	readonly select?: ReadonlySet<RepCode>;
	/** Most variant selections that are looked at. */
	readonly maxSelections?: number;
}

const MAX_SELECTIONS = 64;

/** Most stages of selections that stay open for the next fixer: each of them follows every edit, and takes memory. */
const MAX_OPEN_STAGES = 8;

/**
 * An asset while it is being fixed: its layers, which fixers edit, the stage that they compose to at the moment, and the plan
 * that grows with every edit.
 */
export class FixSession {
	readonly rootLayer: Layer;
	/** The files of the asset as they were read, and the layers that were made for it. */
	readonly store: Pick<AssetStore, 'identify' | 'exists' | 'layer'>;
	readonly parameters: FixParameters;
	readonly #codecs: ImageCodecs;
	readonly items: PlanItem[] = [];
	readonly notes: PlanNote[] = [];
	/** Formats in which layers are to be written, where it is another than they were read from. */
	readonly formats: Map<string, 'usda' | 'usdc'> = new Map();
	/** Layers that another file has taken the place of. */
	readonly replaced: Set<string> = new Set();
	/** Files other than layers that are to be written, by identifier. */
	readonly files: Map<string, Uint8Array> = new Map();
	/** How the fixer that runs turns the world, Z up: 3 × 3, row vectors. */
	turn: Float64Array | undefined;
	/** What the fixer that runs moves as a whole. */
	shift: Shift | undefined;
	readonly #moved = new Map<Path, Path>();
	readonly #created = new Map<string, Layer>();
	readonly #base: AssetStore;
	readonly #select: ReadonlySet<RepCode> | undefined;
	readonly #maxSelections: number;
	#family: FixFamily = 'F0';
	/** Stages by the selection that they show; they follow edits. */
	readonly #stages = new Map<readonly VariantChoice[], Stage>();
	/** Selections that show every variant, until an edit may change them. */
	#selections: readonly (readonly VariantChoice[])[] | undefined;
	/** Notes as text, each once. */
	readonly #said = new Set<string>();
	#selected: readonly VariantChoice[] = AS_AUTHORED;
	readonly #specMoves: (SpecMove & { readonly layer: Layer })[] = [];
	/** Edits of the fixer that runs, to take them back if it fails. */
	#journal: { layer: Layer; changes: ChangeList }[] = [];

	constructor(options: FixSessionOptions) {
		this.rootLayer = options.root;
		this.#base = options.store;
		this.store = new SessionStore(options.store, this.#created, this.files);
		this.parameters = options.parameters;
		this.#codecs = options.codecs ?? {};
		this.#select = options.select;
		this.#maxSelections = options.maxSelections ?? MAX_SELECTIONS;
	}

	/** Pixels of an image, or why they cannot be had. */
	decodeImage(bytes: Uint8Array): DecodedImage {
		return decodeImage(bytes, { codecs: this.#codecs });
	}

	/** The stage as the layers compose to it now, with the selections of {@link forEachSelection}. It follows edits. */
	get stage(): Stage {
		return this.#stageOf(this.#selected);
	}

	#stageOf(choices: readonly VariantChoice[]): Stage {
		let stage = this.#stages.get(choices);
		if (stage === undefined) {
			if (this.#stages.size >= MAX_OPEN_STAGES) this.#keepStages([this.#selected]);
			stage = this.open({ choices });
			this.#stages.set(choices, stage);
		}
		return stage;
	}

	/** Opens the asset with some variants selected, perhaps with layers over it. */
	open(options: OpenStageOptions = {}): Stage {
		return openAssetStage(this.rootLayer, this.store, options);
	}

	/** Layers that the asset is made of, whatever variants are selected, the root layer first; those that may be edited. */
	layers(): Layer[] {
		const layers = new Set<Layer>();
		for (const choices of this.selections()) {
			for (const layer of this.#stageOf(choices).usedLayers()) if (this.isEditable(layer)) layers.add(layer);
		}
		return [...layers];
	}

	/** Whether opinions may be written to a layer. */
	isEditable(layer: Layer): boolean {
		if (this.#created.has(layer.identifier)) return true;
		return !isPackageRelativePath(layer.identifier) && this.#base.layer(layer.identifier) === layer;
	}

	/** Selections of variants that show every variant at least once, the authored ones (no choices) first. */
	selections(): readonly (readonly VariantChoice[])[] {
		this.#selections ??= this.#findSelections();
		return this.#selections;
	}

	#findSelections(): readonly (readonly VariantChoice[])[] {
		const walk = new VariantSelections({ cover: 'variants' });
		const found: (readonly VariantChoice[])[] = [];
		while (walk.pending > 0 && found.length < this.#maxSelections) {
			// the stage as authored is needed anyway
			const isAuthored = found.length === 0;
			const shown = walk.next((choices) => (isAuthored ? this.#stageOf(AS_AUTHORED) : this.open({ choices })))!;
			found.push(isAuthored ? AS_AUTHORED : shown.choices);
			walk.addNeighbours(shown);
			if (!isAuthored) shown.stage.close();
		}
		this.#keepStages([...found, this.#selected]);
		return found;
	}

	/** Runs `visit` once for each of {@link selections}, with `stage` composed accordingly. */
	forEachSelection(visit: (stage: Stage) => void): void {
		for (const choices of this.selections()) {
			this.#selected = choices;
			visit(this.stage);
		}
		this.#selected = AS_AUTHORED;
	}

	/** Whether a rule is to be put right. */
	wants(rule: RepCode): boolean {
		return this.#select?.has(rule) ?? true;
	}

	/** Edits a layer for a rule. Every change enters the plan. Does nothing, and says so, when the rule is not wanted. */
	edit(rule: RepCode, layer: Layer, change: (layer: Layer) => void): boolean {
		if (!this.wants(rule)) return false;
		if (!this.isEditable(layer)) {
			this.refuse(rule, `${layer.identifier} cannot be changed from here`, { layer });
			return false;
		}
		let changes: ChangeList = [];
		const stop = layer.onChange((list) => {
			changes = [...changes, ...list];
		});
		try {
			layer.edit(() => change(layer));
		} finally {
			stop();
		}
		if (changes.length === 0) return true;
		this.#journal.push({ layer, changes });
		if (changes.some(bringsVariants)) this.#selections = undefined;
		this.items.push(...planItems(rule, this.#family, layer, changes));
		return true;
	}

	/** Makes a new layer beside another one; an existing one of that name is given back. */
	createLayer(path: string, anchor: Layer = this.rootLayer): Layer {
		const identifier = this.placeOf(path, anchor);
		const existing = this.store.layer(identifier);
		if (existing instanceof Layer) return existing;
		const layer = Layer.create(identifier);
		this.#created.set(identifier, layer);
		this.#selections = undefined;
		this.#forgetStages();
		return layer;
	}

	/** Takes in a layer that was made whole; one line of the plan stands for all of it. */
	adoptLayer(rule: RepCode, layer: Layer): void {
		this.#created.set(layer.identifier, layer);
		const item = {
			rule,
			family: this.#family,
			layer: layer.identifier,
			path: '/',
			op: 'file' as const,
			reversible: true,
		};
		this.items.push(item);
		this.#forgetStages();
	}

	/** Layers that the fixer that runs has edited. */
	editedLayers(): Layer[] {
		return [...new Set(this.#journal.map(({ layer }) => layer))];
	}

	/** Layers that were made. */
	createdLayers(): Layer[] {
		return [...this.#created.values()];
	}

	/** The bytes of a file that is no layer, as it will be; undefined when there is none. */
	readFile(identifier: string): Uint8Array | undefined {
		return this.files.get(identifier) ?? this.original(identifier);
	}

	/** The bytes of a file or layer as it was read; undefined when there was none. */
	original(identifier: string): Uint8Array | undefined {
		const bytes = this.#base.bytes(identifier);
		return bytes instanceof Uint8Array ? bytes : undefined;
	}

	/** Where a path leads that is seen from a layer, whether there is something or not. */
	placeOf(path: string, anchor: Layer): string {
		const isPlain = !/^\.{0,2}\/|^[A-Za-z][A-Za-z0-9+.-]*:/.test(path);
		return this.#base.identify(isPlain ? `./${path}` : path, anchor.identifier).identifier;
	}

	/** A file to write besides the layers; `path` is anchored at a layer. */
	writeFile(rule: RepCode, path: string, anchor: Layer, bytes: Uint8Array): void {
		const identifier = this.placeOf(path, anchor);
		this.files.set(identifier, bytes);
		this.items.push({ rule, family: this.#family, layer: identifier, path: '/', op: 'file', reversible: true });
	}

	/** Moves a spec of a layer for a rule; its text goes along with it when the layer is written. */
	moveSpec(rule: RepCode, layer: Layer, from: Path, to: Path): boolean {
		const isDone = this.edit(rule, layer, () => layer.moveSpec(from, to));
		if (isDone) this.#specMoves.push({ layer, from, to });
		return isDone;
	}

	/** Notes that a prim of the stage has another path now. */
	noteMove(rule: RepCode, from: Path, to: Path): void {
		this.#moved.set(from, to);
		this.items.push({
			rule,
			family: this.#family,
			layer: this.rootLayer.identifier,
			path: from.toString(),
			op: 'move',
			after: to.toString(),
			reversible: true,
		});
	}

	/** Where the fixer that runs has moved prims, by stage path before. */
	get moved(): ReadonlyMap<Path, Path> {
		return this.#moved;
	}

	/** Prim specs of a layer that were moved, in the order of moves. */
	specMoves(layer: Layer): SpecMove[] {
		return this.#specMoves.filter((move) => move.layer === layer);
	}

	/** Says what cannot be put right, and why. */
	refuse(rule: RepCode, message: string, place: { prim?: Prim | Path; layer?: Layer } = {}): void {
		this.#note('refused', rule, message, place);
	}

	/** Says what has to be told before something can be put right. */
	ask(rule: RepCode, parameter: string, message: string, place: { prim?: Prim | Path; layer?: Layer } = {}): void {
		this.#note('asked', rule, message, place, parameter);
	}

	/** Says what somebody should know about an edit. */
	note(rule: RepCode, message: string, place: { prim?: Prim | Path; layer?: Layer } = {}): void {
		this.#note('noted', rule, message, place);
	}

	/** Begins the edits of a fixer. */
	begin(family: FixFamily): SessionMark {
		this.#family = family;
		this.#journal = [];
		this.turn = undefined;
		this.shift = undefined;
		this.#moved.clear();
		return {
			items: this.items.length,
			notes: this.notes.length,
			created: new Set(this.#created.keys()),
			replaced: new Set(this.replaced),
			files: new Map(this.files),
			moved: new Map(this.#moved),
			specMoves: this.#specMoves.length,
		};
	}

	/** Takes back everything since `begin`. */
	rollBack(start: SessionMark): void {
		for (const { layer, changes } of this.#journal.reverse()) layer.revert(changes);
		for (const identifier of [...this.#created.keys()]) {
			if (!start.created.has(identifier)) this.#created.delete(identifier);
		}
		for (const identifier of this.replaced) if (!start.replaced.has(identifier)) this.replaced.delete(identifier);
		restore(this.files, start.files);
		restore(this.#moved, start.moved);
		this.#specMoves.length = start.specMoves;
		this.#journal = [];
		this.items.length = start.items;
		this.notes.length = start.notes;
		this.#said.clear();
		for (const note of this.notes) this.#said.add(JSON.stringify(note));
		this.#selections = undefined;
		this.#selected = AS_AUTHORED;
		this.#forgetStages();
	}

	#note(
		kind: PlanNote['kind'],
		rule: RepCode,
		message: string,
		place: { prim?: Prim | Path; layer?: Layer },
		parameter?: string,
	): void {
		if (!this.wants(rule)) return;
		const path = place.prim === undefined ? undefined : place.prim instanceof Path ? place.prim : place.prim.path;
		const note: PlanNote = {
			rule,
			family: this.#family,
			kind,
			...(path !== undefined && { path: path.toString() }),
			...(place.layer !== undefined && { layer: place.layer.identifier }),
			message,
			...(parameter !== undefined && { parameter }),
		};
		const text = JSON.stringify(note);
		if (this.#said.has(text)) return;
		this.#said.add(text);
		this.notes.push(note);
	}

	#forgetStages(): void {
		this.#keepStages([]);
	}

	/** Closes the stages of all selections but some. */
	#keepStages(kept: readonly (readonly VariantChoice[])[]): void {
		for (const [choices, stage] of this.#stages) {
			if (kept.includes(choices)) continue;
			stage.close();
			this.#stages.delete(choices);
		}
	}
}

/** The selection that chooses nothing. */
const AS_AUTHORED: readonly VariantChoice[] = [];

/** Where the edits of a fixer begin. */
export interface SessionMark {
	readonly items: number;
	readonly notes: number;
	readonly created: ReadonlySet<string>;
	readonly replaced: ReadonlySet<string>;
	readonly files: ReadonlyMap<string, Uint8Array>;
	readonly moved: ReadonlyMap<Path, Path>;
	readonly specMoves: number;
}

function restore<K, V>(map: Map<K, V>, content: ReadonlyMap<K, V>): void {
	map.clear();
	for (const [key, value] of content) map.set(key, value);
}

/** Whether a change may bring, take or select variants. */
function bringsVariants(change: ChangeList[number]): boolean {
	if (change.kind === 'set-field') return ARC_FIELDS.has(change.field);
	return change.path.isVariant;
}

const ARC_FIELDS: ReadonlySet<string> = new Set([
	'variantSetNames',
	'variantSelection',
	'references',
	'payload',
	'inheritPaths',
	'specializes',
	'subLayers',
	'active',
	'instanceable',
]);
