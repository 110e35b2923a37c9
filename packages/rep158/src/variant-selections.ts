import { Layer, makeValue, type Stage, T } from '@manyworlds/usd';

/** Variants selected instead of the authored ones, by variant set. @public */
export type Selection = ReadonlyMap<string, string>;

/**
 * Walks the variant selections of an asset: the authored one, then those that differ from it in one variant set, then in two, and
 * so on. A set of one name is switched on all prims that have it, as users of an asset do. Sets that only some selection
 * brings in are found when that is composed.
 * @public
 */
export class VariantSelections {
	readonly #queue: Selection[] = [new Map()];
	readonly #known = new Set<string>(['']);
	#next = 0;

	/** Selections that were found and not given yet. */
	get pending(): number {
		return this.#queue.length - this.#next;
	}

	/** The next selection; undefined when all were given. */
	next(): Selection | undefined {
		return this.#queue[this.#next++];
	}

	/** Adds the selections that differ from `selection` in one more set. */
	addNeighbours(stage: Stage, selection: Selection): void {
		for (const [set, variants] of variantSets(stage)) {
			if (selection.has(set)) continue;
			for (const variant of variants) {
				const further = new Map([...selection, [set, variant] as const].sort(([a], [b]) => (a < b ? -1 : 1)));
				const key = JSON.stringify([...further]);
				if (this.#known.has(key)) continue;
				this.#known.add(key);
				this.#queue.push(further);
			}
		}
	}
}

/** A session layer that makes a selection on the prims of a stage; undefined for none. @public */
export function selectionLayer(stage: Stage, selection: Selection): Layer | undefined {
	if (selection.size === 0) return undefined;
	const layer = Layer.create('selection.usda');
	for (const prim of stage.traverse({ predicate: (at) => at.isActive })) {
		const chosen = new Map<string, string>();
		for (const set of prim.variantSets()) {
			const variant = selection.get(set);
			if (variant !== undefined && prim.variants(set).includes(variant)) chosen.set(set, variant);
		}
		if (chosen.size === 0) continue;
		layer.createPrim(prim.path);
		layer.setField(prim.path, 'variantSelection', makeValue(T.variantSelectionMap, chosen));
	}
	return layer;
}

/** Variants that are not selected, by set, over all prims; in the order of the stage. */
function variantSets(stage: Stage): Map<string, Set<string>> {
	const sets = new Map<string, Set<string>>();
	for (const prim of stage.traverse({ predicate: (at) => at.isActive })) {
		for (const set of prim.variantSets()) {
			const selected = prim.variantSelection(set);
			let others = sets.get(set);
			if (others === undefined) {
				others = new Set();
				sets.set(set, others);
			}
			for (const variant of prim.variants(set)) if (variant !== selected) others.add(variant);
		}
	}
	return sets;
}
