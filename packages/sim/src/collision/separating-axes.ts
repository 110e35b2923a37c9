import type { ConvexShape } from './convex-shape.ts';

/** Share of the limit beyond which a search, with its rounding, would find the shapes apart too. */
const CLEAR = 1 + 1e-9;
/** Pairs that are remembered at most. */
const MOST_SLOTS = 2 ** 19;

/**
 * Remembers the directions along which pairs of shapes were found apart, in the frame of the first shape. Shapes move little in a
 * step: mostly the same direction still tells them apart, for two supports in place of a search. A direction that does proves what
 * the search would find, so results do not depend on what is remembered.
 */
export class SeparatingAxes {
	readonly #mask: number;
	readonly #first: Int32Array;
	readonly #second: Int32Array;
	readonly #axis: Float32Array;
	readonly #a = new Float64Array(3);
	readonly #b = new Float64Array(3);
	/** Distance of cores for `areApart`; a field, as numbers that go through calls are boxed. */
	distance = 0;

	/** Makes room for about so many pairs. Pairs that fall on one place drive each other out. */
	constructor(pairs: number) {
		let slots = 64;
		while (slots < 2 * pairs && slots < MOST_SLOTS) slots *= 2;
		this.#mask = slots - 1;
		this.#first = new Int32Array(slots).fill(-1);
		this.#second = new Int32Array(slots).fill(-1);
		this.#axis = new Float32Array(3 * slots);
	}

	/** Whether the direction that is remembered of two shapes keeps their cores more than the distance apart. */
	areApart(first: number, second: number, A: ConvexShape, B: ConvexShape): boolean {
		const slot = this.#slotOf(first, second);
		if (this.#first[slot] !== first || this.#second[slot] !== second) return false;
		const axis = this.#axis;
		const r = A.rotation;
		const lx = axis[3 * slot]!;
		const ly = axis[3 * slot + 1]!;
		const lz = axis[3 * slot + 2]!;
		const x = r[0]! * lx + r[3]! * ly + r[6]! * lz;
		const y = r[1]! * lx + r[4]! * ly + r[7]! * lz;
		const z = r[2]! * lx + r[5]! * ly + r[8]! * lz;
		// searches begin at the corner of the last support: they must not see these
		const cornerA = A.lastVertex;
		const cornerB = B.lastVertex;
		const a = this.#a;
		const b = this.#b;
		A.relativeTo(A);
		B.relativeTo(A);
		A.aim(-x, -y, -z);
		A.support(a, 0);
		B.aim(x, y, z);
		B.support(b, 0);
		A.lastVertex = cornerA;
		B.lastVertex = cornerB;
		const along = x * (a[0]! - b[0]!) + y * (a[1]! - b[1]!) + z * (a[2]! - b[2]!);
		return along > CLEAR * this.distance * Math.sqrt(x * x + y * y + z * z);
	}

	/** Remembers a direction in the world, from the second to the first shape. */
	keep(first: number, second: number, A: ConvexShape, direction: Float64Array): void {
		const slot = this.#slotOf(first, second);
		const r = A.rotation;
		const axis = this.#axis;
		const x = direction[0]!;
		const y = direction[1]!;
		const z = direction[2]!;
		this.#first[slot] = first;
		this.#second[slot] = second;
		axis[3 * slot] = r[0]! * x + r[1]! * y + r[2]! * z;
		axis[3 * slot + 1] = r[3]! * x + r[4]! * y + r[5]! * z;
		axis[3 * slot + 2] = r[6]! * x + r[7]! * y + r[8]! * z;
	}

	#slotOf(first: number, second: number): number {
		let hash = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b);
		hash ^= hash >>> 15;
		return hash & this.#mask;
	}
}
