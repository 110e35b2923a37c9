import type { Model } from '@manyworlds/model';
import { groupsCollide } from '@manyworlds/model/internal';
import { colourGraph } from './colour-graph.ts';

/** `contype` and `conaffinity` of shapes, as signed 32-bit numbers, by position in the list of shapes. */
export interface CollisionMasks {
	readonly contype: Int32Array;
	readonly conaffinity: Int32Array;
	/** Pairs that must not collide and yet do. */
	readonly wrongPairs: number;
}

/** Beyond these sizes no exact cover is looked for: it needs a matrix of all pairs. */
const MOST_SHAPES = 256;
const MOST_FILTERED_PAIRS = 1024;
const MASK_BITS = 32;

/**
 * Compiles collision groups and filter pairs to MuJoCo's bit masks. A bit is a biclique: shapes with it in `contype`
 * collide with shapes that have it in `conaffinity`. The pair graph is covered exactly where 32 bits allow; otherwise
 * it is coloured, and shapes of different colours collide whether they should or not.
 */
export function compileCollisionMasks(model: Model, shapes: ArrayLike<number>): CollisionMasks {
	const filters = new FilterPairs(model);
	return coverExactly(model, filters, shapes) ?? colourShapes(model, filters, shapes);
}

/**
 * Pairs of shapes that were told not to collide. Those of one body are left out unless they were named: MuJoCo never
 * collides them, and leaving the choice open makes smaller covers.
 */
export class FilterPairs {
	readonly #codes: ReadonlySet<number>;
	readonly #count: number;

	constructor(model: Model) {
		const pairs = model.shapeCollisionFilterPairs;
		const codes = new Set<number>();
		this.#count = model.shapeCount;
		for (let i = 0; i < pairs.length; i += 2) codes.add(this.#code(pairs[i]!, pairs[i + 1]!));
		this.#codes = codes;
	}

	has(a: number, b: number): boolean {
		return this.#codes.has(this.#code(a, b));
	}

	#code(a: number, b: number): number {
		return Math.min(a, b) * this.#count + Math.max(a, b);
	}
}

interface Biclique {
	readonly left: Uint8Array;
	readonly right: Uint8Array;
	/** Upper-triangle codes of the pairs it covers. */
	readonly pairs: Int32Array;
}

function coverExactly(model: Model, filters: FilterPairs, shapes: ArrayLike<number>): CollisionMasks | undefined {
	const n = shapes.length;
	if (n > MOST_SHAPES) return undefined;
	const groups = Int32Array.from({ length: n }, (_, i) => model.shapeCollisionGroup[shapes[i]!]!);
	const allowed = new Uint8Array(n * n);
	let filtered = 0;
	for (let a = 0; a < n; a++) {
		for (let b = a + 1; b < n; b++) {
			const isFiltered = filters.has(shapes[a]!, shapes[b]!);
			if (isFiltered && ++filtered > MOST_FILTERED_PAIRS) return undefined;
			if (isFiltered || !groupsCollide(groups[a]!, groups[b]!)) continue;
			allowed[a * n + b] = 1;
			allowed[b * n + a] = 1;
		}
	}
	const uncovered = allowed.slice();
	let left = 0;
	for (let a = 0; a < n; a++) for (let b = 0; b <= a; b++) uncovered[a * n + b] = 0;
	for (const pair of uncovered) left += pair;
	const contype = new Int32Array(n);
	const conaffinity = new Int32Array(n);
	const candidates = left > 0 ? listBicliques(groups, allowed) : [];
	for (let bit = 0; left > 0; bit++) {
		if (bit === MASK_BITS) return undefined;
		let best: Biclique | undefined;
		let bestScore = 0;
		for (const candidate of candidates) {
			let score = 0;
			for (const pair of candidate.pairs) score += uncovered[pair]!;
			if (score > bestScore) {
				best = candidate;
				bestScore = score;
			}
		}
		if (best === undefined) return undefined;
		for (const pair of best.pairs) uncovered[pair] = 0;
		left -= bestScore;
		for (let i = 0; i < n; i++) {
			if (best.left[i] === 1) contype[i]! |= 1 << bit;
			if (best.right[i] === 1) conaffinity[i]! |= 1 << bit;
		}
	}
	return { contype, conaffinity, wrongPairs: 0 };
}

/** Candidates in order of preference: whole groups, signs, codes of negative groups, pairs of groups, single shapes. */
function listBicliques(groups: Int32Array, allowed: Uint8Array): Biclique[] {
	const n = groups.length;
	const found: Biclique[] = [];
	const keys = new Set<string>();
	const members = (isMember: (group: number) => boolean): Uint8Array =>
		Uint8Array.from(groups, (group) => (isMember(group) ? 1 : 0));
	const add = (first: Uint8Array, second: Uint8Array): void => {
		const firstKey = packKey(first);
		const secondKey = packKey(second);
		if (!first.includes(1) || !second.includes(1)) return;
		// the side with the smaller key is the left one, so that a biclique and its mirror image are the same
		const swap = secondKey < firstKey;
		const key = swap ? `${secondKey} ${firstKey}` : `${firstKey} ${secondKey}`;
		if (keys.has(key)) return;
		const left = swap ? second : first;
		const right = swap ? first : second;
		const pairs = bicliquePairs(left, right, allowed, n);
		if (pairs === undefined || pairs.length === 0) return;
		keys.add(key);
		found.push({ left, right, pairs });
	};
	const distinct = [...new Set(groups)].filter((group) => group !== 0).sort((a, b) => a - b);
	const negative = distinct.filter((group) => group < 0);
	for (const group of distinct) {
		if (group > 0)
			add(
				members((own) => own === group),
				members((own) => own === group),
			);
	}
	add(
		members((own) => own > 0),
		members((own) => own < 0),
	);
	for (let bit = 0; 1 << bit < negative.length; bit++) {
		const hasBit = (own: number): boolean => ((negative.indexOf(own) >> bit) & 1) === 1;
		add(
			members((own) => own < 0 && !hasBit(own)),
			members((own) => own < 0 && hasBit(own)),
		);
	}
	for (const [i, first] of distinct.entries()) {
		for (const second of distinct.slice(i + 1)) {
			if (groupsCollide(first, second))
				add(
					members((own) => own === first),
					members((own) => own === second),
				);
		}
	}
	for (let shape = 0; shape < n; shape++) {
		const single = new Uint8Array(n);
		single[shape] = 1;
		add(single, allowed.slice(shape * n, shape * n + n));
	}
	return found;
}

/** Bits packed eight to a character, the first one highest: comparing keys compares packed bytes. */
function packKey(flags: Uint8Array): string {
	let key = '';
	for (let start = 0; start < flags.length; start += 8) {
		let byte = 0;
		for (let i = 0; i < 8; i++) byte = (byte << 1) | (flags[start + i] ?? 0);
		key += String.fromCharCode(byte);
	}
	return key;
}

/** The pairs of a biclique, undefined when one of them must not collide. */
function bicliquePairs(left: Uint8Array, right: Uint8Array, allowed: Uint8Array, n: number): Int32Array | undefined {
	const pairs = new Set<number>();
	for (let a = 0; a < n; a++) {
		if (left[a] === 0) continue;
		for (let b = 0; b < n; b++) {
			if (right[b] === 0 || a === b) continue;
			if (allowed[a * n + b] === 0) return undefined;
			pairs.add(Math.min(a, b) * n + Math.max(a, b));
		}
	}
	return Int32Array.from(pairs);
}

/** Colours the graph of pairs that collide; colours beyond the 32nd collide with everything. */
function colourShapes(model: Model, filters: FilterPairs, shapes: ArrayLike<number>): CollisionMasks {
	const n = shapes.length;
	const groups = model.shapeCollisionGroup;
	const mayCollide = (a: number, b: number): boolean => groupsCollide(groups[a]!, groups[b]!) && !filters.has(a, b);
	const contype = new Int32Array(n);
	const conaffinity = new Int32Array(n);
	const colours = colourGraph(n, (a, b) => mayCollide(shapes[a]!, shapes[b]!));
	for (const [i, colour] of colours.entries()) {
		contype[i] = colour < MASK_BITS ? 1 << colour : 1;
		conaffinity[i] = colour < MASK_BITS ? ~(1 << colour) : 1;
	}
	let wrongPairs = 0;
	for (let a = 0; a < n; a++) {
		if (model.shapeCollisionGroup[shapes[a]!] === 0) continue;
		for (let b = a + 1; b < n; b++) {
			if (model.shapeCollisionGroup[shapes[b]!] === 0) continue;
			const collides = ((contype[a]! & conaffinity[b]!) | (contype[b]! & conaffinity[a]!)) !== 0;
			if (collides !== mayCollide(shapes[a]!, shapes[b]!)) wrongPairs++;
		}
	}
	return { contype, conaffinity, wrongPairs };
}

/** Whether the masks of an imported file, with whole-body excludes, already filter every pair of the model. */
export function masksCoverFilters(
	model: Model,
	shapes: ArrayLike<number>,
	contype: ArrayLike<number>,
	conaffinity: ArrayLike<number>,
	areBodiesExcluded: (bodyA: number, bodyB: number) => boolean,
): boolean {
	const selected = new Set(Array.from(shapes));
	const pairs = model.shapeCollisionFilterPairs;
	for (let i = 0; i < pairs.length; i += 2) {
		const a = pairs[i]!;
		const b = pairs[i + 1]!;
		if (!selected.has(a) || !selected.has(b)) continue;
		const isAllowed =
			((Number(contype[a]) & Number(conaffinity[b])) | (Number(contype[b]) & Number(conaffinity[a]))) !== 0;
		const bodyA = model.shapeBody[a]!;
		const bodyB = model.shapeBody[b]!;
		if (isAllowed && bodyA !== bodyB && !areBodiesExcluded(bodyA, bodyB)) return false;
	}
	return true;
}
