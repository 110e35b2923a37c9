import type { KernelMemory } from '../wasm/kernel-memory.ts';
import type { EnginePlan } from './engine-plan.ts';

/** Columns of the contacts of two bodies. */
export interface Columns {
	readonly count: number;
	/** Table for the kernels: count, whether they lie on two branches, then place and side of each. */
	readonly address: number;
}

/** Sides of a column: the first, the second body depends on it. */
const FIRST = 1;
const SECOND = 2;

/** Degrees of freedom that move two bodies, in ascending order; found once for each pair that touches. */
export class ContactColumns {
	readonly #plan: EnginePlan;
	readonly #memory: KernelMemory;
	/** By both bodies: `(first + 1) · (joints + 1) + second + 1`. */
	readonly #known: (Columns | undefined)[];

	constructor(plan: EnginePlan, memory: KernelMemory) {
		this.#plan = plan;
		this.#memory = memory;
		this.#known = Array.from({ length: (plan.jointCount + 1) ** 2 });
	}

	/** Columns of the bodies of two joints, -1 for what does not move. */
	of(slot0: number, slot1: number): Columns {
		const key = (slot0 + 1) * (this.#plan.jointCount + 1) + slot1 + 1;
		this.#known[key] ??= this.#find(slot0, slot1);
		return this.#known[key];
	}

	#find(slot0: number, slot1: number): Columns {
		const path0 = new Set(this.#path(slot0));
		const path1 = new Set(this.#path(slot1));
		const places = [...new Set([...path0, ...path1])].sort((a, b) => a - b);
		const isCross = places.some((place) => !path0.has(place)) && places.some((place) => !path1.has(place));
		const sides = places.map((place) => (path0.has(place) ? FIRST : 0) | (path1.has(place) ? SECOND : 0));
		const table = [places.length, isCross ? 1 : 0, ...places.flatMap((place, k) => [place, sides[k]!])];
		return { count: places.length, address: this.#memory.table(table) };
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
