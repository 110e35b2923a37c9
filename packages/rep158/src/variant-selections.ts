import { Layer, makeValue, type Path, type Stage, T } from '@manyworlds/usd';

/** Variants selected instead of the authored ones, by variant set. @public */
export type Selection = ReadonlyMap<string, string>;

/** A variant set of a prim: its variants, and the one in effect. */
interface VariantSet {
	readonly path: Path;
	readonly set: string;
	readonly variants: readonly string[];
	readonly selected: string;
}

/** A selection, and the variant sets that are known before it is composed. */
interface PendingSelection {
	readonly selection: Selection;
	readonly sets: readonly VariantSet[];
}

/**
 * Walks the variant selections of an asset: the authored one, then those that differ from it in one variant set, then in two, and
 * so on. A set of one name is switched on all prims that have it, as users of an asset do. Sets that only some selection
 * brings in are found when that is composed.
 * @public
 */
export class VariantSelections {
	readonly #queue: PendingSelection[] = [{ selection: new Map(), sets: [] }];
	readonly #known = new Set<string>(['']);
	#next = 0;

	/** Selections that were found and not given yet. */
	get pending(): number {
		return this.#queue.length - this.#next;
	}

	/**
	 * Composes the next selection; undefined when all were given. `open` opens the stage with a session layer, none for the asset as
	 * authored. What the selection brings in is selected in as well.
	 */
	next(open: (sessionLayer: Layer | undefined) => Stage): { stage: Stage; selection: Selection } | undefined {
		const pending = this.#queue[this.#next++];
		if (pending === undefined) return undefined;
		const { selection } = pending;
		if (selection.size === 0) return { stage: open(undefined), selection };
		let sessionLayer = selectionLayer(pending.sets, selection);
		for (let round = 0; ; round++) {
			const stage = open(sessionLayer);
			const next = selectionLayer(variantSets(stage), selection);
			if (next.data.specCount <= sessionLayer.data.specCount || round === MOST_ROUNDS) return { stage, selection };
			stage.close();
			sessionLayer = next;
		}
	}

	/** Adds the selections that differ from `selection` in one more set. */
	addNeighbours(stage: Stage, selection: Selection): void {
		const sets = variantSets(stage);
		for (const [set, variants] of otherVariants(sets)) {
			if (selection.has(set)) continue;
			for (const variant of variants) {
				const further = new Map([...selection, [set, variant] as const].sort(([a], [b]) => (a < b ? -1 : 1)));
				const key = JSON.stringify([...further]);
				if (this.#known.has(key)) continue;
				this.#known.add(key);
				this.#queue.push({ selection: further, sets });
			}
		}
	}
}

/** Levels of variant sets inside variants that a selection is followed into. */
const MOST_ROUNDS = 4;

/** A session layer that makes a selection on prims. */
function selectionLayer(sets: readonly VariantSet[], selection: Selection): Layer {
	const chosen = new Map<Path, Map<string, string>>();
	for (const { path, set, variants } of sets) {
		const variant = selection.get(set);
		if (variant === undefined || !variants.includes(variant)) continue;
		const found = chosen.get(path);
		if (found === undefined) chosen.set(path, new Map([[set, variant]]));
		else found.set(set, variant);
	}
	const layer = Layer.create('selection.usda');
	for (const [path, variants] of chosen) {
		layer.createPrim(path);
		layer.setField(path, 'variantSelection', makeValue(T.variantSelectionMap, variants));
	}
	return layer;
}

/** The variant sets of all prims that are no proxies, in the order of the stage. */
function variantSets(stage: Stage): VariantSet[] {
	const found: VariantSet[] = [];
	for (const prim of stage.traverse({ predicate: (at) => at.isActive })) {
		for (const set of prim.variantSets()) {
			found.push({ path: prim.path, set, variants: prim.variants(set), selected: prim.variantSelection(set) });
		}
	}
	return found;
}

/** Variants that are not selected on some prim, by set. */
function otherVariants(sets: readonly VariantSet[]): Map<string, Set<string>> {
	const others = new Map<string, Set<string>>();
	for (const { set, variants, selected } of sets) {
		let found = others.get(set);
		if (found === undefined) {
			found = new Set();
			others.set(set, found);
		}
		for (const variant of variants) if (variant !== selected) found.add(variant);
	}
	return others;
}
