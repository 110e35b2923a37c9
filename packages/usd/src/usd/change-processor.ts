import type { CompositionCache } from '../pcp/composition-cache.ts';
import type { Layer } from '../sdf/layer.ts';
import type { ChangeList } from '../sdf/layer-changes.ts';
import { Path, PathKind } from '../sdf/path.ts';
import type { StageTree } from './stage-tree.ts';

/** What changed on a stage after an edit of one of its layers, or after payloads were loaded or layers muted. */
export interface StageChanges {
	/** The layer that was edited; undefined when no layer changed. */
	readonly layer: Layer | undefined;
	readonly changes: ChangeList;
	/** Prims that were composed again, with everything below them; the pseudo-root stands for the whole stage. */
	readonly resynced: readonly Path[];
}

/** Called after the stage has followed an edit. */
export type StageListener = (changes: StageChanges) => void;

/** Prim fields that decide about the flags of the prim and of what is below it. */
const FLAG_FIELDS: ReadonlySet<string> = new Set(['active', 'specifier', 'kind', 'clips', 'clipSets']);
/** Prim fields that decide about its definition. */
const TYPE_FIELDS: ReadonlySet<string> = new Set(['typeName', 'apiSchemas']);

/** Keeps a stage in step with its layers: edits of properties and of most metadata leave all prims as they are. */
export class ChangeProcessor {
	readonly #cache: CompositionCache;
	readonly #tree: StageTree;
	readonly #clipLayers: ReadonlySet<Layer>;
	readonly #followed = new Map<Layer, () => void>();
	readonly #listeners = new Set<StageListener>();

	constructor(cache: CompositionCache, tree: StageTree, clipLayers: ReadonlySet<Layer>) {
		this.#cache = cache;
		this.#tree = tree;
		this.#clipLayers = clipLayers;
		this.follow();
	}

	/** Listens to every layer that the stage uses now. */
	follow(): void {
		const layers = new Set<Layer>(this.#clipLayers);
		for (const stack of this.#cache.layerStacks()) for (const layer of stack.layers) layers.add(layer);
		for (const [layer, stop] of this.#followed) {
			if (layers.has(layer)) continue;
			stop();
			this.#followed.delete(layer);
		}
		for (const layer of layers) {
			if (this.#followed.has(layer)) continue;
			this.#followed.set(
				layer,
				layer.onChange((changes) => this.#apply(layer, changes)),
			);
		}
	}

	stop(): void {
		for (const stop of this.#followed.values()) stop();
		this.#followed.clear();
	}

	onChange(listener: StageListener): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	/** Tells listeners that prims were composed again without an edit. */
	tellResynced(resynced: readonly Path[]): void {
		for (const listener of this.#listeners) listener({ layer: undefined, changes: [], resynced });
	}

	#apply(layer: Layer, changes: ChangeList): void {
		let resynced: readonly Path[] = [];
		if (this.#clipLayers.has(layer)) {
			this.#cache.applyChanges(layer, changes);
			this.#tree.rebuild();
			resynced = [Path.root];
		} else if (changes.some(({ path }) => path.kind !== PathKind.property)) {
			resynced = this.#applyToPrims(layer, changes);
		}
		for (const listener of this.#listeners) listener({ layer, changes, resynced });
	}

	#applyToPrims(layer: Layer, changes: ChangeList): readonly Path[] {
		const composition = this.#cache.applyChanges(layer, changes);
		const resynced = new Set(composition.resynced);
		const flagged = new Set<Path>();
		const typed = new Set<Path>();
		for (const change of changes) {
			if (change.kind !== 'set-field') continue;
			if (FLAG_FIELDS.has(change.field)) flagged.add(change.path);
			else if (TYPE_FIELDS.has(change.field)) typed.add(change.path);
		}
		for (const data of this.#tree.withSpecs(layer, flagged)) resynced.add(data.index.path);
		const paths = [...resynced];
		this.#tree.recompose(paths, [...composition.renamed]);
		for (const data of this.#tree.withSpecs(layer, typed)) data.forget();
		if (paths.length > 0 || composition.renamed.size > 0) this.follow();
		return paths;
	}
}
