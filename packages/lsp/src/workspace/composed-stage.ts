import { Report } from '@manyworlds/core';
import { type AssetStore, Layer, type Node, type Path, type Prim, Stage, selectVariant } from '@manyworlds/usd';
import { isAnyPrim, translateToRoot, traverse } from '@manyworlds/usd/internal';

/** A prim that a spec contributes to, and by which arcs. */
export interface SpecUse {
	readonly prim: Prim;
	/** Path on the stage; of prims of a prototype that in one of its instances. */
	readonly path: Path;
	readonly node: Node;
}

/** A stage as the open texts make it, with the way back from specs to prims. */
export class ComposedStage {
	/** Identifier of the root layer. */
	readonly root: string;
	readonly stage: Stage;
	/** Files that it depends on, there or not. */
	readonly asked: ReadonlySet<string>;
	readonly #store: AssetStore;
	#uses: Map<Layer, Map<Path, SpecUse[]>> | undefined;
	readonly #selected = new Map<string, ComposedStage>();

	constructor(root: string, stage: Stage, store: AssetStore, asked: ReadonlySet<string>) {
		this.root = root;
		this.stage = stage;
		this.asked = asked;
		this.#store = store;
	}

	static open(root: Layer, store: AssetStore, asked: ReadonlySet<string>, sessionLayer?: Layer): ComposedStage {
		const stage = Stage.open(root, { store, report: new Report({ cap: 0 }), sessionLayer });
		return new ComposedStage(root.identifier, stage, store, asked);
	}

	/** The prims that a spec contributes to. */
	uses(layer: Layer, path: Path): readonly SpecUse[] {
		this.#uses ??= this.#index();
		return this.#uses.get(layer)?.get(path) ?? [];
	}

	/** Layers with specs on the stage. */
	layers(): IterableIterator<Layer> {
		this.#uses ??= this.#index();
		return this.#uses.keys();
	}

	/**
	 * The stage on which a spec shows: this one, or the same with the variants selected that the spec stands in. Undefined when no
	 * selection shows it.
	 */
	showing(layer: Layer, path: Path): ComposedStage | undefined {
		if (this.uses(layer, path).length > 0) return this;
		const choices = variantsAround(path).flatMap((variant) =>
			this.uses(layer, variant.parent!).map((use) => ({ use, variant })),
		);
		const found = choices.at(-1);
		if (found === undefined) return undefined;
		const key = choices.map(({ use, variant }) => `${use.path} ${variant.name}`).join('\n');
		let selected = this.#selected.get(key);
		if (selected === undefined) {
			const session = Layer.create('selection.usda');
			for (const { use, variant } of choices) {
				session.createPrim(use.path);
				selectVariant(session, use.path, variant.variantSet, variant.variantSelection);
			}
			selected = ComposedStage.open(this.stage.rootLayer, this.#store, this.asked, session);
			this.#selected.set(key, selected);
		}
		// variants inside of variants take another step
		return selected.uses(layer, path).length > 0 || choices.length < variantsAround(path).length
			? selected.showing(layer, path)
			: undefined;
	}

	/** A path that is written in a spec, as the stage names it: in each place where the spec is used. */
	toStage(uses: readonly SpecUse[], authored: Path): Path[] {
		const found = new Set<Path>();
		for (const { node } of uses) {
			const path = translateToRoot(node.mapToRoot, authored);
			if (path !== undefined && !path.isEmpty) found.add(path);
		}
		return [...found];
	}

	close(): void {
		this.stage.close();
		for (const one of this.#selected.values()) one.close();
	}

	#index(): Map<Layer, Map<Path, SpecUse[]>> {
		const index = new Map<Layer, Map<Path, SpecUse[]>>();
		const add = (prim: Prim): void => {
			const { path } = prim.data.index;
			for (const { layer, path: spec, node } of prim.specs()) {
				let paths = index.get(layer);
				if (paths === undefined) {
					paths = new Map();
					index.set(layer, paths);
				}
				const uses = paths.get(spec);
				if (uses === undefined) paths.set(spec, [{ prim, path, node }]);
				else uses.push({ prim, path, node });
			}
		};
		for (const prim of this.stage.traverse({ predicate: isAnyPrim })) add(prim);
		for (const prototype of this.stage.prototypes()) {
			for (const prim of traverse(prototype, { predicate: isAnyPrim })) add(prim);
		}
		return index;
	}
}

/** The variants that a path leads through, outermost first. */
function variantsAround(path: Path): Path[] {
	const found: Path[] = [];
	for (let at: Path | null = path; at !== null; at = at.parent) if (at.isVariant) found.unshift(at);
	return found;
}
