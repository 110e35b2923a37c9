import { type ShownRobot, showRobot } from '@manyworlds/convert/internal';
import { type Diagnostic, Report } from '@manyworlds/core';
import { ArticulatedDynamics } from '@manyworlds/model';
import { unifiedDiff } from '@manyworlds/rep158/internal';
import { explainPath, isAssetFailure, Stage, traverse, whenLoaded } from '@manyworlds/usd';
import { type Opinion, SourcePlaces } from '@manyworlds/usd/internal';
import {
	type Asset,
	AssetError,
	type ConvertFormat,
	check,
	convert,
	fix,
	modelOf,
	type OpenedModel,
	openAsset,
} from 'manyworlds';
import type {
	ChangedFile,
	ChosenVariant,
	FixPreview,
	FolderFiles,
	OpenedAsset,
	OpinionRow,
	PrimRow,
	PropertyRow,
	VariantSet,
} from './asset-types.ts';
import { CHOSEN_FILE, chosenVariants } from './chosen-variants.ts';
import { describeModel } from './describe-model.ts';

/** Most prims that the tree lists, and most characters of a value that the property panel shows. */
const MOST_PRIMS = 20_000;
const MOST_TEXT = 400;

/** An asset that is open in the page: everything that is done with its files, off the main thread. */
export class AssetSession {
	#files = new Map<string, Uint8Array>();
	#entry = '';
	#asset: Asset | undefined;
	#stage: Stage | undefined;
	#model: OpenedModel | undefined;
	/** Why there is no model. */
	#refusal: string | undefined;
	#dynamics: ArticulatedDynamics | undefined;

	/** Opens a file of a folder. Rejects with a message when it is nothing that can be shown. */
	async open(files: FolderFiles, entry: string, choices: readonly ChosenVariant[] = []): Promise<OpenedAsset> {
		await this.close();
		this.#files = new Map(files);
		this.#entry = entry;
		return this.reopen(choices);
	}

	/** Opens the same file again, after edits or with other variants. */
	async reopen(choices: readonly ChosenVariant[] = []): Promise<OpenedAsset> {
		const plain = await this.#openEntry(this.#entry);
		const entry = choices.length > 0 && plain.format === 'usd' ? this.#choose(plain, choices) : this.#entry;
		const asset = entry === this.#entry ? plain : await this.#openEntry(entry);
		this.#asset = asset;
		const report = new Report();
		const shown = await whenLoaded(asset.store, () => (asset.format === 'scene' ? undefined : tryShow(asset, report)));
		this.#stage = asset.format === 'usd' ? openStage(asset) : undefined;
		const robot = await this.#robot(asset, report);
		report.addAll(asset.store.report);
		const links = robot?.links.map(({ label }) => label) ?? [];
		const findings = report.toArray().filter(({ code }) => !code.startsWith('CNV'));
		return {
			name: asset.name,
			entry: this.#entry,
			format: asset.format,
			...(shown !== undefined && { glb: shown.glb as Uint8Array<ArrayBuffer>, linkOfNode: linksOfNodes(shown, links) }),
			...(robot !== undefined && { robot }),
			...(this.#refusal !== undefined && { refusal: this.#refusal }),
			prims: this.#stage === undefined ? [] : primRows(this.#stage),
			variants: this.#stage === undefined ? [] : variantSets(this.#stage),
			findings,
			missing: findings.filter(({ message }) =>
				/no such file|does not exist|cannot be used|cannot be read/.test(message),
			),
		};
	}

	/** Files as they are now. */
	files(): FolderFiles {
		return this.#files;
	}

	/** Everything that a thread needs to open what this session shows. */
	subject(): { readonly files: FolderFiles; readonly entry: string } {
		return { files: this.#files, entry: this.#asset?.identifier ?? this.#entry };
	}

	/** Findings of the checker: REP 0158 in every variant selection, or those of importers. */
	async check(): Promise<readonly Diagnostic[]> {
		const { report } = await check(await this.#openEntry(this.#entry));
		return report.toArray();
	}

	/** What a fix would change. Nothing is changed. */
	async fix(options: { readonly unsafe?: boolean } = {}): Promise<FixPreview> {
		const { files, report } = await fix(await this.#openEntry(this.#entry), options);
		const changed: ChangedFile[] = files.map(({ identifier, bytes, before, isText }) => ({
			path: identifier,
			after: bytes,
			isText,
			...(before !== undefined && { before }),
		}));
		const decode = (bytes: Uint8Array | undefined): string =>
			bytes === undefined ? '' : new TextDecoder().decode(bytes);
		const diff = changed
			.filter(({ isText }) => isText)
			.map(({ path, before, after }) => unifiedDiff(decode(before), decode(after), { before: path, after: path }))
			.join('');
		return { files: changed, diff, findings: report.toArray() };
	}

	/** Writes files of the folder; undefined takes one away. */
	write(changes: ReadonlyMap<string, Uint8Array | undefined>): void {
		for (const [path, bytes] of changes) {
			if (bytes === undefined) this.#files.delete(path);
			else this.#files.set(path, bytes);
		}
	}

	/** The text of a file; undefined when it is binary or not there. */
	text(path: string): string | undefined {
		const bytes = this.#files.get(path);
		if (bytes === undefined || bytes.subarray(0, 4096).includes(0)) return undefined;
		return new TextDecoder().decode(bytes);
	}

	/** Properties of a prim with where they come from. */
	properties(path: string): readonly PropertyRow[] {
		const prim = this.#stage?.prim(path);
		if (prim === undefined || this.#asset === undefined) return [];
		const places = new SourcePlaces(this.#asset.store, { excerpts: false });
		const options = { file: this.#asset.name, places, report: new Report() };
		return prim.properties().flatMap((property) => {
			const explanation = explainPath(this.#stage!, `${path}.${property.name}`, options);
			if ('problem' in explanation) return [];
			const { opinions, typeName = '', value, source = '', fallback } = explanation;
			return [
				{
					name: property.name,
					typeName,
					value: value === undefined ? '' : textOf(value),
					source: source || (fallback === undefined ? '' : `fallback of ${fallback.schema}`),
					opinions: opinions.map(opinionRow),
				},
			];
		});
	}

	/** Where links stand for joint coordinates: position and rotation of each. Followers take the place that their leaders give them. */
	pose(coordinates: Float64Array): { readonly poses: Float32Array; readonly coordinates: Float64Array } {
		if (this.#model === undefined) return { poses: new Float32Array(), coordinates };
		const { model, start: state } = this.#model;
		state.jointQ.set(coordinates);
		for (let i = 0; i < model.constraintMimicJoint0.length; i++) {
			if (model.constraintMimicEnabled[i] === 0) continue;
			const [follower, leader] = [model.constraintMimicJoint0[i]!, model.constraintMimicJoint1[i]!];
			const led = model.constraintMimicCoef1[i]! * state.jointQ[model.jointQStart[leader]!]!;
			state.jointQ[model.jointQStart[follower]!] = model.constraintMimicCoef0[i]! + led;
		}
		state.jointQd.fill(0);
		this.#dynamics ??= new ArticulatedDynamics(model);
		this.#dynamics.forwardKinematics(state);
		return { poses: Float32Array.from(state.bodyQ), coordinates: state.jointQ.slice() };
	}

	/** The asset in another format: the main file first. */
	async convert(
		format: ConvertFormat,
	): Promise<{ readonly files: ReadonlyMap<string, Uint8Array>; readonly findings: readonly Diagnostic[] }> {
		const asset = this.#asset ?? (await this.#openEntry(this.#entry));
		const { bytes, files, report } = await convert(asset, format);
		return { files: new Map([['', bytes], ...files]), findings: report.toArray() };
	}

	async close(): Promise<void> {
		this.#model = undefined;
		this.#dynamics = undefined;
		this.#asset = undefined;
		this.#stage = undefined;
		this.#files = new Map();
	}

	#openEntry(entry: string): Promise<Asset> {
		return openAsset({ files: this.#files, entry });
	}

	/** Puts a layer with the chosen variants beside the root layer; gives its path. */
	#choose({ store, identifier }: Asset, choices: readonly ChosenVariant[]): string {
		const layer = store.layer(identifier);
		if (layer === undefined || isAssetFailure(layer)) return this.#entry;
		const folder = this.#entry.slice(0, this.#entry.lastIndexOf('/') + 1);
		this.#files.set(`${folder}${CHOSEN_FILE}`, chosenVariants(layer, this.#entry, choices));
		return `${folder}${CHOSEN_FILE}`;
	}

	/** What moves of an asset; undefined for what can only be looked at. */
	async #robot(asset: Asset, report: Report): Promise<OpenedAsset['robot']> {
		this.#dynamics = undefined;
		this.#model = undefined;
		this.#refusal = undefined;
		try {
			const opened = await modelOf(asset, { worlds: 1 });
			report.addAll(opened.report);
			if (opened.model.bodyCount === 0 && asset.format !== 'scene') return undefined;
			this.#model = opened;
			return describeModel(opened);
		} catch (error) {
			if (!(error instanceof AssetError)) throw error;
			report.addAll(error.report);
			this.#refusal = error.message;
			return undefined;
		}
	}
}

function tryShow({ store, identifier }: Asset, report: Report): ShownRobot | undefined {
	return showRobot(identifier, store, report);
}

function openStage({ store, identifier }: Asset): Stage | undefined {
	const layer = store.layer(identifier);
	return layer === undefined || isAssetFailure(layer) ? undefined : Stage.open(layer, { store });
}

/** Which link each node of a GLB stands for: prims by their path, others by their name. */
function linksOfNodes({ model, bodyNodes }: ShownRobot, labels: readonly string[]): Int32Array {
	const byLabel = new Map(labels.map((label, index) => [label, index]));
	const byName = new Map<string, number>();
	for (const [index, label] of labels.entries()) {
		const name = label.slice(label.lastIndexOf('/') + 1);
		byName.set(name, byName.has(name) ? -1 : index);
	}
	const out = new Int32Array(Math.max(-1, ...bodyNodes.values()) + 1).fill(-1);
	for (const [body, node] of bodyNodes) {
		const { name, from } = model.bodies[body]!;
		out[node] = byLabel.get(from.prim ?? '') ?? byName.get(name) ?? -1;
	}
	return out;
}

function primRows(stage: Stage): PrimRow[] {
	const rows: PrimRow[] = [];
	for (const prim of traverse(stage.pseudoRoot, { instanceProxies: true })) {
		if (rows.length >= MOST_PRIMS) break;
		const path = prim.path.toString();
		rows.push({
			path,
			name: prim.name,
			typeName: prim.typeName,
			depth: path.split('/').length - 2,
			schemas: prim.appliedSchemas,
			hasChildren: prim.children().length > 0,
		});
	}
	return rows;
}

function variantSets(stage: Stage): VariantSet[] {
	const sets: VariantSet[] = [];
	for (const prim of traverse(stage.pseudoRoot)) {
		for (const set of prim.variantSets()) {
			sets.push({
				prim: prim.path.toString(),
				set,
				variants: prim.variants(set),
				selected: prim.variantSelection(set),
			});
		}
	}
	return sets;
}

function opinionRow({ role, file, line, path, arc, value }: Opinion): OpinionRow {
	return { role, file, path, arc, value: textOf(value), ...(line !== undefined && { line }) };
}

function textOf(value: unknown): string {
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	return text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text;
}
