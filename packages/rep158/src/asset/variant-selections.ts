import { type Layer, type Path, type Stage, selectVariant } from '@manyworlds/usd';

/** Variants selected instead of the authored ones, by variant set. @public */
export type Selection = ReadonlyMap<string, string>;

/** A variant that is selected on a prim. @public */
export interface VariantChoice {
	readonly prim: Path;
	readonly set: string;
	readonly variant: string;
}

/** A selection, composed. @public */
export interface ShownSelection {
	readonly stage: Stage;
	readonly selection: Selection;
	/** The selection prim by prim; none for the asset as authored. */
	readonly choices: readonly VariantChoice[];
	/** Those that are not made by name on all prims. */
	readonly pinned: readonly VariantChoice[];
}

/** Options of {@link VariantSelections}. @public */
export interface VariantSelectionsOptions {
	/**
	 * `combinations`: every combination of variants, those that differ least from the authored one first. `variants`: each variant
	 * at least once, those inside other variants together with them.
	 */
	readonly cover?: 'combinations' | 'variants';
}

/** Values of {@link VariantSelectionsOptions} that are used when absent. @public */
export const VARIANT_SELECTIONS_DEFAULTS: Required<VariantSelectionsOptions> = { cover: 'combinations' };

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
	/** Variants of single prims, where a set of the same name stands inside of a variant that is selected. */
	readonly pinned: readonly VariantChoice[];
	readonly sets: readonly VariantSet[];
}

/**
 * Walks the variant selections of an asset: the authored one, then those that differ from it in one variant set, then in two, and
 * so on. A set of one name is switched on all prims that have it, as users of an asset do. Sets that only some selection
 * brings in are found when that is composed.
 * @public
 */
export class VariantSelections {
	readonly #queue: PendingSelection[] = [{ selection: new Map(), pinned: [], sets: [] }];
	readonly #known = new Set<string>();
	/** Variants of prims that some selection shows. */
	readonly #shown = new Set<string>();
	readonly #cover: Required<VariantSelectionsOptions>['cover'];
	#next = 0;

	constructor(options: VariantSelectionsOptions = {}) {
		this.#cover = { ...VARIANT_SELECTIONS_DEFAULTS, ...options }.cover;
	}

	/** Selections that were found and not given yet. */
	get pending(): number {
		return this.#queue.length - this.#next;
	}

	/**
	 * Composes the next selection; undefined when all were given. `open` opens the stage with some variants selected, none for the
	 * asset as authored. What the selection brings in is selected in as well.
	 */
	next(open: (choices: readonly VariantChoice[]) => Stage): ShownSelection | undefined {
		const pending = this.#queue[this.#next++];
		if (pending === undefined) return undefined;
		const { selection, pinned } = pending;
		let choices = choicesOf(pending);
		for (let round = 0; ; round++) {
			const stage = open(choices);
			const next = selection.size === 0 ? choices : choicesOf({ ...pending, sets: variantSets(stage) });
			if (next.length <= choices.length || round === MOST_ROUNDS) return { stage, selection, choices, pinned };
			stage.close();
			choices = next;
		}
	}

	/** Adds the selections that differ from a shown one in one more set. */
	addNeighbours({ stage, selection, pinned }: ShownSelection): void {
		const sets = variantSets(stage);
		for (const { path, set, variants, selected } of sets) {
			for (const variant of variants) {
				if (this.#cover === 'variants' && !this.#isUnseen(`${path}\n${set}\n${variant}`)) continue;
				if (variant === selected) continue;
				if (!selection.has(set)) this.#add({ selection: new Map([...selection, [set, variant]]), pinned, sets });
				else if (this.#cover === 'variants')
					this.#add({ selection, pinned: [...pinned, { prim: path, set, variant }], sets });
			}
		}
	}

	#isUnseen(key: string): boolean {
		if (this.#shown.has(key)) return false;
		this.#shown.add(key);
		return true;
	}

	#add({ selection: further, pinned, sets }: PendingSelection): void {
		const selection = new Map([...further].sort(([a], [b]) => (a < b ? -1 : 1)));
		const key = JSON.stringify([...selection, ...pinned.map(({ prim, set, variant }) => [`${prim}`, set, variant])]);
		if (this.#known.has(key)) return;
		this.#known.add(key);
		this.#queue.push({ selection, pinned, sets });
	}
}

/** Levels of variant sets inside variants that a selection is followed into. */
const MOST_ROUNDS = 4;

/** Selects variants at the prims of a layer. @public */
export function selectVariants(layer: Layer, choices: readonly VariantChoice[]): void {
	for (const { prim, set, variant } of choices) {
		layer.createPrim(prim);
		selectVariant(layer, prim, set, variant);
	}
}

function choicesOf({ sets, selection, pinned }: PendingSelection): VariantChoice[] {
	const choices: VariantChoice[] = [];
	for (const { path, set, variants } of sets) {
		const own = pinned.find((at) => at.prim === path && at.set === set);
		const variant = own?.variant ?? selection.get(set);
		if (variant !== undefined && variants.includes(variant)) choices.push({ prim: path, set, variant });
	}
	return choices;
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
