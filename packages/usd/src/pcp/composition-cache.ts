import type { Layer } from '../sdf/layer.ts';
import { Path } from '../sdf/path.ts';
import { type ExpressionVariables, NO_VARIABLES } from './expression-variables.ts';
import type { AssetRequest, LayerSource } from './layer-source.ts';
import { LayerStack } from './layer-stack.ts';
import { composePrimIndex, type IndexInputs, type PrimIndex } from './prim-index.ts';

/** Options of a {@link CompositionCache}. */
export interface CompositionOptions {
	readonly rootLayer: Layer;
	readonly sessionLayer?: Layer | undefined;
	readonly source: LayerSource;
	/** Preferred variants by name of the variant set, best first, for sets without a selection. */
	readonly variantFallbacks?: ReadonlyMap<string, readonly string[]>;
	/** Whether the payloads of the prim at a path are loaded. All are unless this says otherwise. */
	readonly includesPayload?: (path: Path) => boolean;
}

/** Counters that show how much was rebuilt. */
export interface CompositionCounts {
	/** Prim indexes built since the cache was made. */
	indexes: number;
	/** Layer stacks built since the cache was made. */
	layerStacks: number;
}

/** Keeps the layer stacks and prim indexes of one stage and drops those that changes of layers or load rules outdate. */
export class CompositionCache implements IndexInputs {
	readonly source: LayerSource;
	readonly variantFallbacks: ReadonlyMap<string, readonly string[]>;
	readonly counts: CompositionCounts = { indexes: 0, layerStacks: 0 };
	readonly #includesPayload: (path: Path) => boolean;
	readonly #rootLayer: Layer;
	readonly #sessionLayer: Layer | undefined;
	#rootLayerStack: LayerStack | undefined;
	readonly #stacks = new Map<Layer, Map<ExpressionVariables, LayerStack>>();
	readonly #indexes = new Map<Path, PrimIndex>();

	constructor(options: CompositionOptions) {
		this.source = options.source;
		this.variantFallbacks = options.variantFallbacks ?? new Map();
		this.#includesPayload = options.includesPayload ?? (() => true);
		this.#rootLayer = options.rootLayer;
		this.#sessionLayer = options.sessionLayer;
	}

	get rootLayerStack(): LayerStack {
		if (this.#rootLayerStack === undefined) {
			this.counts.layerStacks++;
			this.#rootLayerStack = new LayerStack({
				rootLayer: this.#rootLayer,
				sessionLayer: this.#sessionLayer,
				source: this.source,
			});
		}
		return this.#rootLayerStack;
	}

	includesPayload(path: Path): boolean {
		return this.#includesPayload(path);
	}

	layerStack(layer: Layer, variables: ExpressionVariables = NO_VARIABLES): LayerStack {
		// the root layer stack itself, when a layer leads back to it
		const isRoot = layer === this.#rootLayer && this.#sessionLayer === undefined;
		if (isRoot && variables === this.rootLayerStack.variables) return this.rootLayerStack;
		let byVariables = this.#stacks.get(layer);
		if (byVariables === undefined) {
			byVariables = new Map();
			this.#stacks.set(layer, byVariables);
		}
		let stack = byVariables.get(variables);
		if (stack === undefined) {
			this.counts.layerStacks++;
			stack = new LayerStack({ rootLayer: layer, source: this.source, variables });
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
			index = composePrimIndex(this, levels[i]!, index);
			this.#indexes.set(levels[i]!, index);
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

	/** Drops the indexes of a prim and its descendants. */
	dropSubtree(path: Path): void {
		for (const known of this.#indexes.keys()) if (known.hasPrefix(path)) this.#indexes.delete(known);
	}

	/** Drops everything. */
	clear(): void {
		this.#rootLayerStack = undefined;
		this.#stacks.clear();
		this.#indexes.clear();
	}
}
