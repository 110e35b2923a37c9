import type { AssetStore } from '../ar/asset-store.ts';
import type { Layer } from '../sdf/layer.ts';
import type { ChangeList } from '../sdf/layer-changes.ts';
import { Path } from '../sdf/path.ts';
import type { AssetRequest } from './asset-request.ts';
import { classifyChanges } from './classify-changes.ts';
import { Dependencies } from './dependencies.ts';
import { type ExpressionVariables, NO_VARIABLES } from './expression-variables.ts';
import { LayerStack } from './layer-stack.ts';
import { composePrimIndex, type IndexInputs, type PrimIndex } from './prim-index.ts';

/** Options of a {@link CompositionCache}. */
export interface CompositionOptions {
	readonly rootLayer: Layer;
	readonly sessionLayer?: Layer | undefined;
	readonly store: Pick<AssetStore, 'identify' | 'layer'>;
	/** Preferred variants by name of the variant set, best first, for sets without a selection. */
	readonly variantFallbacks?: ReadonlyMap<string, readonly string[]>;
	/** Whether the payloads of the prim at a path are loaded. All are unless this says otherwise. */
	readonly includesPayload?: (path: Path) => boolean;
	/** Whether a layer is left out wherever it is named. Must not be true of the root layer. */
	readonly isMuted?: (identifier: string) => boolean;
}

/** Counters that show how much was rebuilt. */
export interface CompositionCounts {
	/** Prim indexes built since the cache was made. */
	indexes: number;
	/** Layer stacks built since the cache was made. */
	layerStacks: number;
}

/** What has to be built again after a change. */
export interface CompositionChanges {
	/** Roots of the subtrees whose indexes were dropped; the pseudo-root stands for everything. */
	readonly resynced: ReadonlySet<Path>;
	/** Prims whose children have other names or another order. */
	readonly renamed: ReadonlySet<Path>;
}

/** Keeps the layer stacks and prim indexes of one stage and drops those that changes of layers or load rules outdate. */
export class CompositionCache implements IndexInputs {
	readonly store: Pick<AssetStore, 'identify' | 'layer'>;
	readonly variantFallbacks: ReadonlyMap<string, readonly string[]>;
	readonly counts: CompositionCounts = { indexes: 0, layerStacks: 0 };
	readonly #includesPayload: (path: Path) => boolean;
	readonly #isMuted: (identifier: string) => boolean;
	readonly #rootLayer: Layer;
	readonly #sessionLayer: Layer | undefined;
	#rootLayerStack: LayerStack | undefined;
	readonly #stacks = new Map<Layer, Map<ExpressionVariables, LayerStack>>();
	readonly #indexes = new Map<Path, PrimIndex>();
	readonly #dependencies = new Dependencies();

	constructor(options: CompositionOptions) {
		this.store = options.store;
		this.variantFallbacks = options.variantFallbacks ?? new Map();
		this.#includesPayload = options.includesPayload ?? (() => true);
		this.#isMuted = options.isMuted ?? (() => false);
		this.#rootLayer = options.rootLayer;
		this.#sessionLayer = options.sessionLayer;
	}

	get rootLayerStack(): LayerStack {
		if (this.#rootLayerStack === undefined) {
			this.counts.layerStacks++;
			this.#rootLayerStack = new LayerStack({
				rootLayer: this.#rootLayer,
				sessionLayer: this.#activeSession,
				store: this.store,
				isMuted: this.#isMuted,
			});
		}
		return this.#rootLayerStack;
	}

	get #activeSession(): Layer | undefined {
		const session = this.#sessionLayer;
		return session !== undefined && this.#isMuted(session.identifier) ? undefined : session;
	}

	isMuted(identifier: string): boolean {
		return this.#isMuted(identifier);
	}

	includesPayload(path: Path): boolean {
		return this.#includesPayload(path);
	}

	layerStack(layer: Layer, variables: ExpressionVariables = NO_VARIABLES): LayerStack {
		// the root layer stack itself, when a layer leads back to it
		const isRoot = layer === this.#rootLayer && this.#activeSession === undefined;
		if (isRoot && variables === this.rootLayerStack.variables) return this.rootLayerStack;
		let byVariables = this.#stacks.get(layer);
		if (byVariables === undefined) {
			byVariables = new Map();
			this.#stacks.set(layer, byVariables);
		}
		let stack = byVariables.get(variables);
		if (stack === undefined) {
			this.counts.layerStacks++;
			stack = new LayerStack({ rootLayer: layer, store: this.store, variables, isMuted: this.#isMuted });
			byVariables.set(variables, stack);
		}
		return stack;
	}

	/** Every layer stack in use, the root layer stack first. */
	*layerStacks(): Generator<LayerStack> {
		yield this.rootLayerStack;
		for (const byVariables of this.#stacks.values()) yield* byVariables.values();
	}

	/** The index of a prim; built, with those of its ancestors, when it is not there. */
	primIndex(path: Path): PrimIndex {
		const known = this.#indexes.get(path);
		if (known !== undefined) return known;
		const levels: Path[] = [];
		let index: PrimIndex | undefined;
		for (let at: Path | null = path; at !== null && index === undefined; at = at.parent) {
			index = this.#indexes.get(at);
			if (index === undefined) levels.push(at);
		}
		for (let i = levels.length - 1; i >= 0; i--) {
			this.counts.indexes++;
			const parent: PrimIndex | undefined = index;
			index = composePrimIndex(this, levels[i]!, parent);
			this.#indexes.set(levels[i]!, index);
			if (parent !== undefined) {
				if (parent.builtChildren === undefined) parent.builtChildren = [index];
				else parent.builtChildren.push(index);
			}
			if (index.hasOwnArcs) this.#dependencies.add(index);
		}
		return index!;
	}

	/** The index of a prim if it was built. */
	findPrimIndex(path: Path): PrimIndex | undefined {
		return this.#indexes.get(path);
	}

	/** Layers that anything built so far needed and did not find, each once. */
	missing(): AssetRequest[] {
		const byIdentifier = new Map<string, AssetRequest>();
		const add = (requests: readonly AssetRequest[]): void => {
			for (const request of requests) byIdentifier.set(request.identifier, request);
		};
		add(this.rootLayerStack.missing);
		for (const index of this.#indexes.values()) add(index.missing);
		return [...byIdentifier.values()];
	}

	/** Drops everything that lacked a layer, to be built again now that layers have come. */
	retryMissing(): void {
		if (this.#rootLayerStack !== undefined && this.#rootLayerStack.missing.length > 0) {
			this.clear();
			return;
		}
		for (const byVariables of this.#stacks.values()) {
			for (const [variables, stack] of byVariables) if (stack.missing.length > 0) byVariables.delete(variables);
		}
		for (const [path, index] of this.#indexes) if (index.missing.length > 0) this.dropSubtree(path);
	}

	/** Drops what the changes of a layer outdate. Changes of properties outdate nothing. */
	applyChanges(layer: Layer, changes: ChangeList): CompositionChanges {
		const resynced = new Set<Path>();
		const renamed = new Set<Path>();
		const sites = classifyChanges(changes);
		for (const stack of [...this.layerStacks()]) {
			if (!stack.layers.includes(layer)) continue;
			const isRoot = stack === this.#rootLayerStack;
			if (sites.changesLayerStack) {
				if (isRoot) {
					this.clear();
					return { resynced: new Set([Path.root]), renamed };
				}
				for (const path of this.#dependencies.allDependents(stack)) resynced.add(path);
				this.#forgetStack(stack);
				continue;
			}
			for (const path of sites.composition) {
				stack.forgetSite(path);
				if (isRoot) resynced.add(path.stripVariants());
				for (const prim of this.#dependencies.dependents(stack, path)) resynced.add(prim);
			}
			for (const path of sites.children) {
				stack.forgetSite(path);
				if (isRoot) renamed.add(path.stripVariants());
				for (const prim of this.#dependencies.dependents(stack, path)) renamed.add(prim);
			}
		}
		for (const path of resynced) this.dropSubtree(path);
		for (const path of [...resynced].map((prim) => prim.parent ?? prim)) this.#indexes.get(path)?.forgetChildNames();
		for (const path of renamed) this.#indexes.get(path)?.forgetChildNames();
		return { resynced, renamed };
	}

	/** Drops the indexes of a prim and its descendants. */
	dropSubtree(path: Path): void {
		const start = this.#indexes.get(path);
		const open = start === undefined ? [] : [start];
		for (let index = open.pop(); index !== undefined; index = open.pop()) {
			if (this.#indexes.get(index.path) !== index) continue;
			this.#indexes.delete(index.path);
			for (const child of index.builtChildren ?? []) open.push(child);
		}
	}

	/** Drops everything. */
	clear(): void {
		this.#rootLayerStack = undefined;
		this.#stacks.clear();
		this.#indexes.clear();
		this.#dependencies.clear();
	}

	#forgetStack(stack: LayerStack): void {
		this.#dependencies.forgetStack(stack);
		for (const byVariables of this.#stacks.values()) {
			for (const [variables, known] of byVariables) if (known === stack) byVariables.delete(variables);
		}
	}
}
