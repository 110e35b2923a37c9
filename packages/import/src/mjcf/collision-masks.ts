import { groupsCollide } from '@manyworlds/model/internal';

/** Groups that stand for masks, and the pairs that groups cannot keep apart. */
export interface CompiledMasks {
	/** One group for each shape: 0 meets nothing, a positive one itself and negative ones, a negative one all others. */
	readonly groups: Int32Array;
	/** Pairs of shapes, the smaller one first, that the groups let collide and the masks do not. */
	readonly excluded: readonly (readonly [number, number])[];
}

/** States that the search may visit, and classes up to which it is worth while. */
const SEARCH = { nodes: 50_000, classes: 8 };

/**
 * Turns masks into collision groups: two shapes meet when the type of one shares a bit with the affinity of the other.
 * Shapes with equal masks form a class; the search finds the groups of classes, at most one of them positive, that need the
 * fewest extra pairs. What the groups get wrong is listed, so the result is exact. `filtered` pairs never meet anyway.
 */
export function compileMasks(
	types: ArrayLike<number>,
	affinities: ArrayLike<number>,
	filtered: Iterable<readonly [number, number]>,
): CompiledMasks {
	const count = types.length;
	const isPlain = Array.from(
		{ length: count },
		(_, i) => types[i] === affinities[i] && (types[i] === 0 || types[i] === 1),
	);
	if (isPlain.every(Boolean)) return { groups: Int32Array.from(types), excluded: [] };
	const problem = classProblem(types, affinities, filtered);
	const classGroups = new GroupSearch(problem).run();
	const groups = Int32Array.from(problem.classOf, (index) => classGroups[index]!);
	return { groups, excluded: wrongPairs(problem, classGroups) };
}

interface ClassProblem {
	/** Class of each shape. */
	readonly classOf: Int32Array;
	/** Shapes of each class. */
	readonly members: readonly (readonly number[])[];
	/** Pairs that may meet, for two classes. */
	readonly counts: readonly number[][];
	readonly allowed: readonly boolean[][];
	/** Classes with a bit in one of their masks. */
	readonly isActive: readonly boolean[];
	readonly filtered: ReadonlySet<number>;
	readonly shapeCount: number;
}

function classProblem(
	types: ArrayLike<number>,
	affinities: ArrayLike<number>,
	filtered: Iterable<readonly [number, number]>,
): ClassProblem {
	const shapeCount = types.length;
	const masks = Array.from({ length: shapeCount }, (_, i) => [types[i]! >>> 0, affinities[i]! >>> 0] as const);
	const classes = [...new Map(masks.map((mask) => [mask.join(), mask])).values()].sort(
		(a, b) => a[0] - b[0] || a[1] - b[1],
	);
	const index = new Map(classes.map((mask, i) => [mask.join(), i]));
	const classOf = Int32Array.from(masks, (mask) => index.get(mask.join())!);
	const members = classes.map((): number[] => []);
	classOf.forEach((item, shape) => {
		members[item]!.push(shape);
	});
	const sizes = members.map((list) => list.length);
	const counts = classes.map((_, a) =>
		classes.map((_, b) => (a === b ? (sizes[a]! * (sizes[a]! - 1)) / 2 : sizes[a]! * sizes[b]!)),
	);
	const codes = new Set<number>();
	for (const [first, second] of filtered) {
		const [a, b] = first < second ? [first, second] : [second, first];
		if (a === b || codes.has(a * shapeCount + b)) continue;
		codes.add(a * shapeCount + b);
		const [i, j] = [classOf[a]!, classOf[b]!];
		counts[i]![j]!--;
		if (i !== j) counts[j]![i]!--;
	}
	const meets = (a: readonly [number, number], b: readonly [number, number]): boolean =>
		(a[0] & b[1]) !== 0 || (b[0] & a[1]) !== 0;
	const allowed = classes.map((a) => classes.map((b) => meets(a, b)));
	const isActive = classes.map(([type, affinity]) => (type | affinity) !== 0);
	return { classOf, members, counts, allowed, isActive, filtered: codes, shapeCount };
}

/** Finds the groups of classes with the fewest wrong pairs, then the fewest groups. */
class GroupSearch {
	readonly #problem: ClassProblem;
	readonly #isActive: readonly boolean[];
	#best: number[];
	#bestCost: number;
	#bestGroups: number;
	#nodes = 0;
	#order: readonly number[] = [];
	readonly #assignment: number[];

	constructor(problem: ClassProblem) {
		this.#problem = problem;
		this.#isActive = problem.isActive;
		this.#assignment = new Array<number>(problem.isActive.length).fill(0);
		// everything in one positive group is always right, with many extra pairs
		this.#best = this.#isActive.map((active) => (active ? 1 : 0));
		this.#bestCost = this.#cost(this.#best);
		this.#bestGroups = groupCount(this.#best);
	}

	run(): readonly number[] {
		this.#offer(this.#greedy());
		const active = this.#isActive.flatMap((is, i) => (is ? [i] : []));
		if (active.length > SEARCH.classes) return this.#best;
		const { counts, allowed } = this.#problem;
		const degree = counts.map((row, a) => 2 * row.reduce((sum, pairs, b) => sum + (allowed[a]![b] ? pairs : 0), 0));
		this.#order = active.sort((a, b) => degree[b]! - degree[a]! || a - b);
		this.#visit(0, 0, 0, 0);
		return this.#best;
	}

	#requires(a: number, b: number): boolean {
		return this.#problem.allowed[a]![b]! && this.#problem.counts[a]![b]! > 0;
	}

	/** Pairs that meet in an assignment and should not. What must meet does so in every assignment that is made here. */
	#cost(groups: readonly number[]): number {
		const { counts, allowed } = this.#problem;
		let cost = 0;
		for (let a = 0; a < groups.length; a++) {
			for (let b = a; b < groups.length; b++) {
				if (!allowed[a]![b]! && groupsCollide(groups[a]!, groups[b]!)) cost += counts[a]![b]!;
			}
		}
		return cost;
	}

	#offer(groups: readonly number[]): void {
		const cost = this.#cost(groups);
		const used = groupCount(groups);
		if (cost > this.#bestCost || (cost === this.#bestCost && used >= this.#bestGroups)) return;
		this.#best = [...groups];
		this.#bestCost = cost;
		this.#bestGroups = used;
	}

	/** Classes that meet themselves share the positive group; the others are coloured by saturation (Brélaz 1979). */
	#greedy(): number[] {
		const size = this.#isActive.length;
		const groups: number[] = this.#isActive.map((active, i) => (active && this.#requires(i, i) ? 1 : 0));
		const open = this.#isActive.flatMap((active, i) => (active && groups[i] === 0 ? [i] : []));
		const weight = (a: number): number =>
			open.reduce((sum, b) => sum + (b !== a && this.#requires(a, b) ? this.#problem.counts[a]![b]! : 0), 0);
		const weights = new Map(open.map((a) => [a, weight(a)]));
		const colors = new Array<number>(size).fill(-1);
		const taken = (a: number): Set<number> =>
			new Set(open.filter((b) => b !== a && colors[b]! >= 0 && this.#requires(a, b)).map((b) => colors[b]!));
		for (let left = [...open]; left.length > 0; left = left.filter((a) => colors[a]! < 0)) {
			let chosen = left[0]!;
			for (const a of left) {
				const difference = taken(a).size - taken(chosen).size || weights.get(a)! - weights.get(chosen)!;
				if (difference > 0) chosen = a;
			}
			const forbidden = taken(chosen);
			let color = 0;
			while (forbidden.has(color)) color++;
			colors[chosen] = color;
		}
		for (const a of open) groups[a] = -1 - colors[a]!;
		return groups;
	}

	#visit(depth: number, positives: number, negatives: number, cost: number): void {
		if (++this.#nodes > SEARCH.nodes || cost > this.#bestCost) return;
		if (depth === this.#order.length) {
			this.#offer(this.#assignment);
			return;
		}
		const item = this.#order[depth]!;
		const candidates: { readonly group: number; readonly extra: number; readonly isNew: boolean }[] = [];
		for (const group of this.#labels(item, negatives)) {
			const extra = this.#extraCost(depth, item, group);
			if (extra === undefined || cost + extra > this.#bestCost) continue;
			const isNew = group > 0 ? group > positives : -group > negatives;
			candidates.push({ group, extra, isNew });
		}
		candidates.sort((a, b) => a.extra - b.extra || Number(a.isNew) - Number(b.isNew) || a.group - b.group);
		for (const { group, extra } of candidates) {
			this.#assignment[item] = group;
			this.#visit(depth + 1, Math.max(positives, group), Math.max(negatives, -group), cost + extra);
			this.#assignment[item] = 0;
			if (this.#nodes > SEARCH.nodes) return;
		}
	}

	/** One positive group, the negative ones in use and the next. */
	#labels(item: number, negatives: number): number[] {
		if (this.#requires(item, item)) return [1];
		return [1, ...Array.from({ length: negatives + 1 }, (_, i) => -1 - i)];
	}

	#extraCost(depth: number, item: number, group: number): number | undefined {
		const { counts, allowed } = this.#problem;
		let extra = 0;
		for (let i = 0; i <= depth; i++) {
			const other = i === depth ? item : this.#order[i]!;
			const pairs = counts[item]![other]!;
			if (pairs === 0) continue;
			const meets = groupsCollide(group, i === depth ? group : this.#assignment[other]!);
			if (allowed[item]![other]!) {
				if (!meets) return undefined;
			} else if (meets) extra += pairs;
		}
		return extra;
	}
}

function groupCount(groups: readonly number[]): number {
	return new Set(groups.filter((group) => group !== 0)).size;
}

/** Pairs that the groups let collide although the masks do not. */
function wrongPairs(problem: ClassProblem, groups: readonly number[]): (readonly [number, number])[] {
	const { members, allowed, counts, filtered, shapeCount } = problem;
	const pairs: (readonly [number, number])[] = [];
	for (let a = 0; a < groups.length; a++) {
		for (let b = a; b < groups.length; b++) {
			if (counts[a]![b] === 0 || allowed[a]![b]! || !groupsCollide(groups[a]!, groups[b]!)) continue;
			for (const first of members[a]!) {
				for (const second of members[b]!) {
					if (a === b && second <= first) continue;
					const pair = first < second ? ([first, second] as const) : ([second, first] as const);
					if (!filtered.has(pair[0] * shapeCount + pair[1])) pairs.push(pair);
				}
			}
		}
	}
	return pairs;
}
