import type { KernelMemory } from '../wasm/kernel-memory.ts';
import type { EnginePlan } from './engine-plan.ts';

/** Sides of a column: the first, the second body depends on it. */
const FIRST = 1;
const SECOND = 2;

/**
 * Degrees of freedom that move two bodies, in ascending order, as tables for the kernels: their number, whether they lie on two branches, then place
 * and side of each. A table is made once for each pair that touches.
 */
export class ContactColumns {
	readonly #plan: EnginePlan;
	readonly #memory: KernelMemory;
	/** Joints and what does not move, as one digit. */
	readonly #base: number;
	/** Where the kernels look tables up. */
	readonly #tables: number;

	constructor(plan: EnginePlan, memory: KernelMemory) {
		this.#plan = plan;
		this.#memory = memory;
		this.#base = plan.jointCount + 1;
		const address = memory.table(this.#base ** 2);
		memory.set('columnsOf', address);
		this.#tables = address / 4;
	}

	/** Makes the table of two bodies, whose key is `(joint 0 + 1) · (joints + 1) + joint 1 + 1`, -1 for what does not move. */
	make(key: number): void {
		const path0 = new Set(this.#path(Math.floor(key / this.#base) - 1));
		const path1 = new Set(this.#path((key % this.#base) - 1));
		const places = [...new Set([...path0, ...path1])].sort((a, b) => a - b);
		const isCross = places.some((place) => !path0.has(place)) && places.some((place) => !path1.has(place));
		const sides = places.map((place) => (path0.has(place) ? FIRST : 0) | (path1.has(place) ? SECOND : 0));
		const table = [places.length, isCross ? 1 : 0, ...places.flatMap((place, k) => [place, sides[k]!])];
		const address = this.#memory.table(table);
		this.#memory.integers[this.#tables + key] = address;
	}

	/** Columns of two bodies at most. */
	get most(): number {
		let longest = 0;
		for (let joint = 0; joint < this.#plan.jointCount; joint++) longest = Math.max(longest, this.#path(joint).length);
		return Math.min(2 * longest, this.#plan.dofCount);
	}

	/** Places on the way from a body to the root. */
	#path(slot: number): number[] {
		const { above, parent, linear, angular, place } = this.#plan;
		let joint = slot;
		while (joint >= 0 && linear[joint]! + angular[joint]! === 0) joint = parent[joint]!;
		if (joint < 0) return [];
		const path: number[] = [];
		for (let p = place[joint]! - (linear[joint]! + angular[joint]! - 1); p >= 0; p = above[p]!) path.push(p);
		return path;
	}
}
