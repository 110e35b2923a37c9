import { ShapeFlags } from '../enums.ts';
import { ModelError } from '../model-error.ts';

/**
 * Whether two collision groups meet: group 0 meets nothing, a positive group itself and negative ones, a negative group
 * everything but itself. @public
 */
export function groupsCollide(a: number, b: number): boolean {
	if (a === 0 || b === 0) return false;
	if (a > 0) return a === b || b < 0;
	return a !== b;
}

/** Whether shapes of two worlds and groups may meet: worlds do not, global shapes (-1) meet all. @public */
export function worldsAndGroupsCollide(worldA: number, worldB: number, groupA: number, groupB: number): boolean {
	if (worldA >= 0 && worldB >= 0 && worldA !== worldB) return false;
	return groupsCollide(groupA, groupB);
}

/** Pairs with the smaller index first, ascending, each once. Throws for shapes that do not exist. */
export function settleFilterPairs(pairs: Int32Array, shapeCount: number): Int32Array {
	const count = pairs.length / 2;
	const starts = new Int32Array(shapeCount + 1);
	for (let i = 0; i < count; i++) {
		const a = pairs[2 * i]!;
		const b = pairs[2 * i + 1]!;
		if (a < 0 || b >= shapeCount) {
			throw new ModelError(
				'MODEL016',
				`collision filter pair (${a}, ${b}) names a shape that does not exist, expected 0 to ${shapeCount - 1}`,
				{
					kind: 'shape',
					index: a < 0 ? a : b,
				},
			);
		}
		starts[a + 1] = starts[a + 1]! + 1;
	}
	for (let a = 0; a < shapeCount; a++) starts[a + 1] = starts[a + 1]! + starts[a]!;
	const next = starts.slice();
	const seconds = new Int32Array(count);
	for (let i = 0; i < count; i++) {
		const a = pairs[2 * i]!;
		seconds[next[a]!] = pairs[2 * i + 1]!;
		next[a] = next[a]! + 1;
	}
	const out = new Int32Array(2 * count);
	let kept = 0;
	for (let a = 0; a < shapeCount; a++) {
		const start = starts[a]!;
		const end = starts[a + 1]!;
		if (end - start > 1) seconds.subarray(start, end).sort();
		for (let i = start; i < end; i++) {
			if (i > start && seconds[i] === seconds[i - 1]) continue;
			out[2 * kept] = a;
			out[2 * kept + 1] = seconds[i]!;
			kept++;
		}
	}
	return out.slice(0, 2 * kept);
}

/** What decides which shapes may collide. */
export interface ContactPairInput {
	readonly flags: Int32Array;
	readonly groups: Int32Array;
	readonly worlds: Int32Array;
	/** Shapes of one body, the static ones included, never collide. */
	readonly bodies: Int32Array;
	/** First shape of each world, then of the tail globals, then the total. */
	readonly worldStarts: Int32Array;
	/** Sorted as `settleFilterPairs` gives them. */
	readonly filterPairs: Int32Array;
}

/**
 * Every pair of shapes that may collide, the smaller index first, ascending. Shapes of different worlds are never looked
 * at together, so the cost is linear in the number of worlds.
 */
export function findContactPairs(input: ContactPairInput): Int32Array {
	const { flags, groups, worlds, bodies, worldStarts, filterPairs } = input;
	const count = flags.length;
	const tail = worldStarts[worldStarts.length - 2]!;
	let pairs = new Int32Array(Math.max(64, 16 * count));
	let size = 0;
	let filter = 0;
	for (let a = 0; a < count; a++) {
		while (filter < filterPairs.length && filterPairs[filter]! < a) filter += 2;
		const groupA = groups[a]!;
		if (groupA === 0 || (flags[a]! & ShapeFlags.COLLIDE_SHAPES) === 0) continue;
		const world = worlds[a]!;
		const bodyA = bodies[a]!;
		const end = world < 0 ? count : worldStarts[world + 1]!;
		const most = size + 2 * (end - a + count - tail);
		if (most > pairs.length) pairs = grown(pairs, most);
		let at = filter;
		for (let b = a + 1; b < count; b++) {
			// behind its own world only tail globals are left
			if (b === end) b = Math.max(b, tail);
			if (b >= count) break;
			const groupB = groups[b]!;
			if (groupB === 0 || bodies[b] === bodyA || (flags[b]! & ShapeFlags.COLLIDE_SHAPES) === 0) continue;
			if (groupA > 0 ? groupA !== groupB && groupB > 0 : groupA === groupB) continue;
			while (filterPairs[at] === a && filterPairs[at + 1]! < b) at += 2;
			if (filterPairs[at] === a && filterPairs[at + 1] === b) continue;
			pairs[size++] = a;
			pairs[size++] = b;
		}
	}
	return pairs.subarray(0, size);
}

function grown(pairs: Int32Array<ArrayBuffer>, needed: number): Int32Array<ArrayBuffer> {
	const larger = new Int32Array(Math.max(needed, 2 * pairs.length));
	larger.set(pairs);
	return larger;
}
