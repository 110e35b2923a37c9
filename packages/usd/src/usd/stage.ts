import { quote, Report, UsageRangeError } from '@manyworlds/core';
import { type AssetStore, isAssetFailure } from '../ar/asset-store.ts';
import { createDiagnostic } from '../diagnostics.ts';
import type { AssetRequest } from '../pcp/asset-request.ts';
import { CompositionCache, type CompositionCounts } from '../pcp/composition-cache.ts';
import { defaultPrimOf, type LayerStack } from '../pcp/layer-stack.ts';
import type { PcpError } from '../pcp/pcp-error.ts';
import { SchemaRegistry } from '../schemas/schema-registry.ts';
import type { Layer } from '../sdf/layer.ts';
import { Path, PathKind } from '../sdf/path.ts';
import { SpecType } from '../sdf/spec-type.ts';
import { dataOf, type Value } from '../sdf/value.ts';
import { T } from '../sdf/value-type.ts';
import { Attribute } from './attribute.ts';
import { ChangeProcessor, type StageListener } from './change-processor.ts';
import { StageEditor } from './edit/stage-editor.ts';
import { EditTarget } from './edit-target.ts';
import type { Interpolation } from './interpolation.ts';
import { type LoadRule, LoadRules } from './load-rules.ts';
import { PopulationMask } from './population-mask.ts';
import { Prim } from './prim.ts';
import { type PrimData, PrimFlags } from './prim-data.ts';
import type { Property } from './property.ts';
import { Relationship } from './relationship.ts';
import { StageTree } from './stage-tree.ts';
import { toPath } from './to-path.ts';
import { type TraverseOptions, traverse } from './traverse.ts';

/** How a stage is opened. */
export interface StageOptions {
	/** Where layers and other files are found. Without one, layers that are named are missing. */
	readonly store?: Pick<AssetStore, 'identify' | 'exists' | 'layer'>;
	/** A layer stronger than the root layer, for opinions that are not to be saved. */
	readonly sessionLayer?: Layer | undefined;
	/** Which payloads are loaded: all of them unless said otherwise. */
	readonly load?: 'all' | 'none' | LoadRules;
	/** Layers that are left out, as for {@link Stage.muteLayer}. */
	readonly mutedLayers?: Iterable<string>;
	/** The part of the namespace that is wanted. */
	readonly mask?: PopulationMask;
	/** Preferred variants by name of the variant set, best first, for sets without a selection. */
	readonly variantFallbacks?: ReadonlyMap<string, readonly string[]>;
	readonly schemas?: SchemaRegistry;
	readonly interpolation?: Interpolation;
	/** Told about what the stage itself finds wrong, such as value clips that cannot be used. */
	readonly report?: Report;
}

/**
 * A scene composed from layers.
 *
 * ```ts
 * const stage = Stage.open(rootLayer, { store });
 * for (const prim of stage.traverse()) console.log(prim.path.toString(), prim.typeName);
 * stage.attribute('/Robot.radius')?.get();
 * ```
 */
export class Stage {
	readonly rootLayer: Layer;
	readonly sessionLayer: Layer | undefined;
	readonly store: Pick<AssetStore, 'identify' | 'exists' | 'layer'>;
	readonly schemas: SchemaRegistry;
	readonly report: Report;
	interpolation: Interpolation;
	readonly #cache: CompositionCache;
	readonly #tree: StageTree;
	readonly #mask: PopulationMask;
	#loadRules: LoadRules;
	readonly #muted = new Set<string>();
	#editTarget: EditTarget;
	readonly #clipLayers = new Set<Layer>();
	readonly #clipRequests = new Map<string, AssetRequest>();
	readonly #changes: ChangeProcessor;
	#editor: StageEditor | undefined;

	private constructor(rootLayer: Layer, options: StageOptions) {
		this.rootLayer = rootLayer;
		this.sessionLayer = options.sessionLayer;
		this.store = options.store ?? NO_FILES;
		this.schemas = options.schemas ?? SchemaRegistry.standard;
		this.report = options.report ?? new Report();
		this.interpolation = options.interpolation ?? 'linear';
		this.#mask = options.mask ?? PopulationMask.all;
		this.#loadRules = toLoadRules(options.load ?? 'all');
		this.#editTarget = EditTarget.forLayer(rootLayer);
		for (const name of options.mutedLayers ?? []) this.#muted.add(this.#mutableLayer(name));
		this.#cache = new CompositionCache({
			rootLayer,
			sessionLayer: options.sessionLayer,
			store: this.store,
			includesPayload: (path) => this.#loadRules.isLoaded(path),
			isMuted: (identifier) => this.#muted.has(identifier),
			...(options.variantFallbacks && { variantFallbacks: options.variantFallbacks }),
		});
		this.#tree = new StageTree({
			cache: this.#cache,
			mask: this.#mask,
			loadRules: () => this.#loadRules,
			openClip: (assetPath, anchor) => this.#openClip(assetPath, anchor),
			onBadClips: (prim, name, layer, reason) => {
				const message = `clip set '${name}' cannot be used: ${reason}`;
				this.report.add(createDiagnostic('STG001', message, { prim: prim.toString(), file: layer.identifier }));
			},
		});
		this.#changes = new ChangeProcessor(this.#cache, this.#tree, this.#clipLayers);
	}

	/** Composes a stage from its root layer and what the store gives at once; see `missing` for the rest. */
	static open(rootLayer: Layer, options: StageOptions = {}): Stage {
		return new Stage(rootLayer, options);
	}

	/** Composes a stage and loads the layers it misses until it has all that can be had. The result is that of `open`. */
	static async openAsync(
		rootLayer: Layer,
		options: StageOptions & { readonly store: Pick<AssetStore, 'identify' | 'exists' | 'layer' | 'load'> },
	): Promise<Stage> {
		const stage = new Stage(rootLayer, options);
		const asked = new Set<string>();
		for (;;) {
			const requests = stage.missing().filter(({ identifier }) => !asked.has(identifier));
			if (requests.length === 0) return stage;
			for (const { identifier } of requests) asked.add(identifier);
			await Promise.all(requests.map(({ identifier }) => options.store.load(identifier)));
			stage.#retry();
		}
	}

	/** Layers that composition needed and the store did not know. */
	missing(): AssetRequest[] {
		return [...this.#cache.missing(), ...this.#clipRequests.values()];
	}

	/** How much was composed so far; an edit of a property adds nothing. */
	get counts(): Readonly<CompositionCounts> {
		return this.#cache.counts;
	}

	get pseudoRoot(): Prim {
		return new Prim(this, Path.root, this.#tree.root);
	}

	/** The prim at a path, proxies below instances included; undefined when there is none. */
	prim(path: Path | string): Prim | undefined {
		const at = toPath(path);
		const data = this.findData(at);
		return data === undefined ? undefined : new Prim(this, at, data);
	}

	/** The property at a path; undefined when it is neither built in nor authored. */
	property(path: Path | string): Property | undefined {
		const at = toPath(path);
		return at.kind === PathKind.property ? this.prim(at.parent!)?.property(at.name) : undefined;
	}

	/** The attribute at a path; undefined when there is none. */
	attribute(path: Path | string): Attribute | undefined {
		const property = this.property(path);
		return property instanceof Attribute ? property : undefined;
	}

	/** The relationship at a path; undefined when there is none. */
	relationship(path: Path | string): Relationship | undefined {
		const at = toPath(path);
		const prim = at.kind === PathKind.property ? this.prim(at.parent!) : undefined;
		return prim?.propertyType(at.name) === SpecType.relationship ? new Relationship(prim, at.name) : undefined;
	}

	/** The prim that the root layer names as default. */
	get defaultPrim(): Prim | undefined {
		const name = dataOf(this.pseudoRoot.metadata('defaultPrim'), T.token);
		if (name === undefined) return undefined;
		const path = defaultPrimOf(this.rootLayer) ?? Path.parse(name)?.makeAbsolute(Path.root);
		return path === undefined || !path.isPrim ? undefined : this.prim(path);
	}

	/** The prims below the pseudo-root, depth first; the usual ones unless the options ask for others. */
	traverse(options: TraverseOptions = {}): Generator<Prim> {
		return traverse(this.pseudoRoot, options);
	}

	/** The prototypes of instances, in the order of their names. */
	prototypes(): Prim[] {
		return this.#tree.prototypes().map(({ path, root }) => new Prim(this, path, root));
	}

	/** The layers of the root layer stack, strongest first. */
	layerStack(): readonly Layer[] {
		return this.#cache.rootLayerStack.layers;
	}

	/** Everything that the stage reads opinions from, each layer once. */
	usedLayers(): Layer[] {
		const layers = new Set<Layer>();
		for (const stack of this.layerStacks()) for (const layer of stack.layers) layers.add(layer);
		for (const layer of this.#clipLayers) layers.add(layer);
		this.#eachData((data) => {
			for (const set of data.clips ?? []) {
				if (set.manifest.openedLayer !== undefined) layers.add(set.manifest.openedLayer);
			}
		});
		return [...layers];
	}

	/** Every layer stack that composition needed. */
	layerStacks(): Set<LayerStack> {
		return new Set(this.#cache.layerStacks());
	}

	/** What went wrong in composition. */
	errors(): PcpError[] {
		const errors: PcpError[] = [];
		for (const stack of this.layerStacks()) errors.push(...stack.errors);
		this.#eachData((data) => void (data.has(PrimFlags.prototype) || errors.push(...data.index.errors)));
		return errors;
	}

	/** A metadata field of the stage: of the session layer, else of the root layer. */
	metadata(name: string): Value | undefined {
		return this.pseudoRoot.metadata(name);
	}

	get timeCodesPerSecond(): number {
		return this.#number('timeCodesPerSecond') ?? this.#number('framesPerSecond') ?? 24;
	}

	get framesPerSecond(): number {
		return this.#number('framesPerSecond') ?? 24;
	}

	get startTimeCode(): number {
		return this.#number('startTimeCode') ?? this.#number('startFrame') ?? 0;
	}

	get endTimeCode(): number {
		return this.#number('endTimeCode') ?? this.#number('endFrame') ?? 0;
	}

	get loadRules(): LoadRules {
		return this.#loadRules;
	}

	/** Loads the payloads at and below a path. */
	load(path: Path | string = Path.root): void {
		this.#setRule(toPath(path), 'all');
	}

	/** Unloads the payloads at and below a path. */
	unload(path: Path | string = Path.root): void {
		this.#setRule(toPath(path), 'none');
	}

	/**
	 * Leaves a layer out wherever it is named, with its sublayers: as a sublayer, as what references and payloads lead to, as the
	 * session layer. `name` is an identifier or a path as seen from the root layer. The root layer cannot be muted.
	 */
	muteLayer(name: string): void {
		const identifier = this.#mutableLayer(name);
		if (this.#muted.has(identifier)) return;
		this.#muted.add(identifier);
		this.#recomposeAll();
	}

	/** Takes back {@link Stage.muteLayer}. */
	unmuteLayer(name: string): void {
		if (this.#muted.delete(this.#identifierOf(name))) this.#recomposeAll();
	}

	isLayerMuted(name: string): boolean {
		return this.#muted.has(this.#identifierOf(name));
	}

	/** Identifiers of the layers that are left out, in the order in which they were muted. */
	mutedLayers(): string[] {
		return [...this.#muted];
	}

	/** Where edits made through the stage go: the root layer unless set otherwise. */
	get editTarget(): EditTarget {
		return this.#editTarget;
	}

	set editTarget(target: EditTarget) {
		this.#editTarget = target;
	}

	/** Writes opinions into the layer of the edit target. */
	get editor(): StageEditor {
		this.#editor ??= new StageEditor(this);
		return this.#editor;
	}

	/** Calls `listener` after the stage has followed an edit, a load or a muting, until the returned function is called. */
	onChange(listener: StageListener): () => void {
		return this.#changes.onChange(listener);
	}

	/** Stops to follow the changes of its layers. */
	close(): void {
		this.#changes.stop();
	}

	/** The composed prim at a path of the stage; below an instance the one of its prototype. */
	findData(path: Path): PrimData | undefined {
		const known = this.#tree.find(path);
		if (known !== undefined) return known;
		if (path.kind !== PathKind.prim || !path.isAbsolute) return undefined;
		// up to the nearest prim that exists, then down again through prototypes
		const names: string[] = [];
		let at: Path = path;
		let data: PrimData | undefined;
		while (data === undefined) {
			if (at.parent === null) return undefined;
			names.push(at.name);
			at = at.parent;
			data = this.#tree.find(at);
		}
		for (let i = names.length - 1; i >= 0 && data !== undefined; i--) {
			const { prototype }: PrimData = data;
			if (prototype === undefined) return undefined;
			let inside: Path = prototype.path;
			let next: PrimData | undefined;
			for (; i >= 0; i--) {
				inside = inside.appendChild(names[i]!);
				next = this.#tree.find(inside);
				if (next === undefined) return undefined;
				if (next.prototype !== undefined) break;
			}
			data = next;
		}
		return data;
	}

	#number(name: string): number | undefined {
		return dataOf(this.metadata(name), T.double);
	}

	#setRule(path: Path, rule: LoadRule): void {
		this.#loadRules = this.#loadRules.with(path, rule);
		this.#cache.dropSubtree(path);
		this.#tree.recompose([path]);
		this.#changes.follow();
		this.#changes.tellResynced([path]);
	}

	#identifierOf(name: string): string {
		const { rootLayer, sessionLayer } = this;
		if (name === rootLayer.identifier || name === sessionLayer?.identifier) return name;
		return this.store.identify(name, rootLayer.identifier).identifier;
	}

	#mutableLayer(name: string): string {
		const identifier = this.#identifierOf(name);
		if (identifier !== this.rootLayer.identifier) return identifier;
		throw new UsageRangeError(`the layer ${quote(name)} is the root layer of the stage, which cannot be muted`);
	}

	#recomposeAll(): void {
		this.#cache.clear();
		this.#tree.rebuild();
		this.#changes.follow();
		this.#changes.tellResynced([Path.root]);
	}

	#retry(): void {
		this.#clipRequests.clear();
		this.#cache.retryMissing();
		this.#tree.rebuild();
		this.#changes.follow();
		this.#changes.tellResynced([Path.root]);
	}

	#openClip(assetPath: string, anchor: Layer): Layer | undefined {
		const { identifier, refusal } = this.store.identify(assetPath, anchor.identifier);
		if (refusal !== undefined) return undefined;
		const found = this.store.layer(identifier);
		if (found === undefined) {
			this.#clipRequests.set(identifier, { identifier, assetPath, anchor: anchor.identifier });
			return undefined;
		}
		if (isAssetFailure(found)) return undefined;
		this.#clipLayers.add(found);
		return found;
	}

	#eachData(visit: (data: PrimData) => void): void {
		const stack = [this.#tree.root, ...this.#tree.prototypes().map(({ root }) => root)];
		for (let data = stack.pop(); data !== undefined; data = stack.pop()) {
			visit(data);
			for (const child of data.children) stack.push(child);
		}
	}
}

function toLoadRules(load: 'all' | 'none' | LoadRules): LoadRules {
	if (load === 'all') return LoadRules.all;
	return load === 'none' ? LoadRules.of([[Path.root, 'none']]) : load;
}

const NO_FILES: NonNullable<StageOptions['store']> = {
	identify: (assetPath) => ({ identifier: assetPath }),
	exists: () => undefined,
	layer: () => ({ failure: 'the stage was opened without a store of layers' }),
};
