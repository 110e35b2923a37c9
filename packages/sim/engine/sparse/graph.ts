import { int } from '../lanes';
import { integers, putInt, reserve } from './arena';
import * as problem from './problem';

/**
 * What touches what. A node is a run of degrees of freedom that carry each other without a branch: a free body, a leg, an arm.
 * Nodes are joined where A or a constraint couples them. Those that hang together are an island. Islands stand one after the
 * other, each eliminated by least degree (Tinney and Walker 1967), so that the factor has few blocks beyond those of the
 * matrix. The order depends on the problem alone.
 */

export let nodeCount: i32 = 0;
/** First degree of freedom of each node, then the total. */
export let nodeStart: usize = 0;
/** Node of each degree of freedom. */
export let nodeOf: usize = 0;
/** First position of each island, then the total. */
export let islandCount: i32 = 0;
export let islandStart: usize = 0;
/** Island of each node. */
export let islandOf: usize = 0;
/** Position of each node in the elimination, and the node at each position. */
export let positionOf: usize = 0;
export let nodeAt: usize = 0;
/** Positions that position k leaves entries in: `pattern[patternStart[k]]` to before `pattern[patternStart[k + 1]]`, ascending. */
export let patternStart: usize = 0;
export let pattern: usize = 0;

/** Words of 64 bits of a set of nodes, the sets of neighbours, and their sizes in degrees of freedom. */
let words: i32 = 0;
let neighbours: usize = 0;
let degree: usize = 0;

/** Degrees of freedom of a node. */
export function sizeOf(node: i32): i32 {
	return int(nodeStart, node + 1) - int(nodeStart, node);
}

export function buildGraph(): void {
	findNodes();
	words = (nodeCount + 63) >> 6;
	neighbours = reserve((nodeCount * words) << 3);
	memory.fill(neighbours, 0, (nodeCount * words) << 3);
	connectMass();
	for (let c = 0; c < problem.contactCount; c++)
		connectColumns(problem.contactColumn, int(problem.contactStart, c), int(problem.contactStart, c + 1));
	for (let r = 0; r < problem.rowCount; r++)
		connectColumns(problem.rowColumn, int(problem.rowStart, r), int(problem.rowStart, r + 1));
	findIslands();
	eliminate();
}

/** A degree of freedom carries on the run of the one before it when its row of A begins with the same column. */
function findNodes(): void {
	const count = problem.dofCount;
	nodeStart = integers(count + 1);
	nodeOf = integers(count);
	nodeCount = 0;
	for (let i = 0; i < count; i++) {
		const first = int(problem.massFirst, i);
		if (i == 0 || first == i || first != int(problem.massFirst, i - 1)) putInt(nodeStart, nodeCount++, i);
		putInt(nodeOf, i, nodeCount - 1);
	}
	putInt(nodeStart, nodeCount, count);
}

/** Joins every node with those that it carries. */
function connectMass(): void {
	for (let node = 0; node < nodeCount; node++) {
		const first = int(problem.massFirst, int(nodeStart, node));
		for (let other = int(nodeOf, first); other < node; other++) connect(node, other);
	}
}

/** Joins all nodes of the columns of a constraint, which ascend. */
function connectColumns(column: usize, start: i32, end: i32): void {
	for (let a = start; a < end; a++) {
		const node = int(nodeOf, int(column, a));
		if (a > start && node == int(nodeOf, int(column, a - 1))) continue;
		for (let b = start; b < a; b++) {
			const other = int(nodeOf, int(column, b));
			if (other != node) connect(node, other);
		}
	}
}

function connect(a: i32, b: i32): void {
	join(a, b);
	join(b, a);
}

/** Address of a word of the set of a node. */
function wordOf(node: i32, word: i32): usize {
	return neighbours + ((node * words + word) << 3);
}

function join(a: i32, b: i32): void {
	const at = wordOf(a, b >> 6);
	store<u64>(at, load<u64>(at) | ((<u64>1) << (<u64>(b & 63))));
}

function part(a: i32, b: i32): void {
	const at = wordOf(a, b >> 6);
	store<u64>(at, load<u64>(at) & ~((<u64>1) << (<u64>(b & 63))));
}

function measure(node: i32): void {
	let size = 0;
	for (let w = 0; w < words; w++) {
		for (let bits = load<u64>(wordOf(node, w)); bits != 0; bits &= bits - 1) size += sizeOf((w << 6) + <i32>ctz(bits));
	}
	putInt(degree, node, size);
}

/** Puts the nodes of each island one after the other into `nodeAt`, breadth first from the one with the least number. */
function findIslands(): void {
	islandOf = integers(nodeCount);
	islandStart = integers(nodeCount + 1);
	nodeAt = integers(nodeCount);
	memory.fill(islandOf, 0xff, nodeCount << 2);
	islandCount = 0;
	let end = 0;
	for (let seed = 0; seed < nodeCount; seed++) {
		if (int(islandOf, seed) >= 0) continue;
		putInt(islandStart, islandCount, end);
		putInt(islandOf, seed, islandCount);
		let head = end;
		putInt(nodeAt, end++, seed);
		for (; head < end; head++) {
			const node = int(nodeAt, head);
			for (let w = 0; w < words; w++) {
				for (let bits = load<u64>(wordOf(node, w)); bits != 0; bits &= bits - 1) {
					const other = (w << 6) + <i32>ctz(bits);
					if (int(islandOf, other) >= 0) continue;
					putInt(islandOf, other, islandCount);
					putInt(nodeAt, end++, other);
				}
			}
		}
		islandCount++;
	}
	putInt(islandStart, islandCount, end);
}

function eliminate(): void {
	positionOf = integers(nodeCount);
	patternStart = integers(nodeCount + 1);
	degree = integers(nodeCount);
	for (let node = 0; node < nodeCount; node++) measure(node);
	// the last room that is asked for until it is filled, so that it may grow
	pattern = reserve(0);
	let room = 0;
	let entry = 0;
	for (let island = 0; island < islandCount; island++) {
		const last = int(islandStart, island + 1);
		for (let position = int(islandStart, island); position < last; position++) {
			const node = takeLeast(position, last);
			putInt(positionOf, node, position);
			putInt(patternStart, position, entry);
			const first = entry;
			for (; room < entry + nodeCount; room += 1024) reserve(4096);
			for (let w = 0; w < words; w++) {
				for (let bits = load<u64>(wordOf(node, w)); bits != 0; bits &= bits - 1)
					putInt(pattern, entry++, (w << 6) + <i32>ctz(bits));
			}
			for (let e = first; e < entry; e++) merge(int(pattern, e), node);
			for (let e = first; e < entry; e++) measure(int(pattern, e));
		}
	}
	putInt(patternStart, nodeCount, entry);
	for (let position = 0; position < nodeCount; position++) sortPattern(position);
}

/** Moves the node of least degree, and of least number among equals, of those from `position` to before `end` to the front. */
function takeLeast(position: i32, end: i32): i32 {
	let at = position;
	for (let i = position + 1; i < end; i++) {
		const node = int(nodeAt, i);
		const best = int(nodeAt, at);
		const own = int(degree, node);
		const least = int(degree, best);
		if (own < least || (own == least && node < best)) at = i;
	}
	const node = int(nodeAt, at);
	putInt(nodeAt, at, int(nodeAt, position));
	putInt(nodeAt, position, node);
	return node;
}

/** Makes the neighbours of a node that goes those of one that stays. */
function merge(node: i32, gone: i32): void {
	for (let w = 0; w < words; w++) {
		const at = wordOf(node, w);
		store<u64>(at, load<u64>(at) | load<u64>(wordOf(gone, w)));
	}
	part(node, node);
	part(node, gone);
}

/** Turns the nodes of a pattern into their positions, ascending. */
function sortPattern(position: i32): void {
	const start = int(patternStart, position);
	const end = int(patternStart, position + 1);
	for (let e = start; e < end; e++) {
		const own = int(positionOf, int(pattern, e));
		let i = e;
		for (; i > start && int(pattern, i - 1) > own; i--) putInt(pattern, i, int(pattern, i - 1));
		putInt(pattern, i, own);
	}
}
