import type { IndexRange } from '@manyworlds/model';
import type { CompiledModel } from './compiled-model.ts';
import type { DataViews, Views } from './data-views.ts';

/** Arrays of a world's state in the order in which they are stored. */
const STORED = [
	'qpos',
	'qvel',
	'act',
	'warmstart',
	'ctrl',
	'qfrcApplied',
	'xfrcApplied',
	'mocapPos',
	'mocapQuat',
] as const;

/**
 * States of a run of worlds outside of the engine: one working `mjData` serves them in turn. What a step depends on is a few
 * kilobytes for each world; a `mjData` of its own would take half a megabyte. With one world nothing is copied.
 */
export class WorldStates {
	readonly #compiled: CompiledModel;
	readonly #views: DataViews;
	/** First world. */
	readonly #first: number;
	readonly #sizes: readonly number[];
	readonly #stride: number;
	readonly #numbers: Float64Array;
	readonly #active: Uint8Array;
	/** World whose state is in the engine. */
	#loaded = -1;

	constructor(compiled: CompiledModel, views: DataViews, { start, end }: IndexRange) {
		this.#compiled = compiled;
		this.#views = views;
		this.#first = start;
		const current = views.current;
		this.#sizes = STORED.map((name) => current[name].length);
		this.#stride = 1 + this.#sizes.reduce((sum, size) => sum + size, 0);
		this.#numbers = new Float64Array((end - start) * this.#stride);
		this.#active = new Uint8Array((end - start) * current.active.length);
		for (let world = start; world < end; world++) this.#store(world);
	}

	/** Bytes held for each world. */
	get bytesPerWorld(): number {
		return 8 * this.#stride + this.#views.current.active.length;
	}

	/** Takes over the states of another engine of the same model. */
	copyFrom(other: WorldStates): void {
		if (other.#loaded >= 0) other.#store(other.#loaded);
		this.#numbers.set(other.#numbers);
		this.#active.set(other.#active);
		this.#loaded = -1;
	}

	/** Puts a world's state into the engine and gives the views of it. */
	load(world: number): Views {
		if (this.#loaded === world) return this.#views.current;
		if (this.#loaded >= 0) this.#store(this.#loaded);
		const views = this.#views.current;
		const numbers = this.#numbers;
		const row = world - this.#first;
		let at = row * this.#stride;
		this.#compiled.data.time = numbers[at++]!;
		for (let i = 0; i < STORED.length; i++) {
			const size = this.#sizes[i]!;
			if (size > 0) views[STORED[i]!].set(numbers.subarray(at, at + size));
			at += size;
		}
		const count = views.active.length;
		if (count > 0) views.active.set(this.#active.subarray(row * count, row * count + count));
		this.#loaded = world;
		return views;
	}

	#store(world: number): void {
		const views = this.#views.current;
		const numbers = this.#numbers;
		const row = world - this.#first;
		let at = row * this.#stride;
		numbers[at++] = this.#compiled.data.time;
		for (let i = 0; i < STORED.length; i++) {
			numbers.set(views[STORED[i]!], at);
			at += this.#sizes[i]!;
		}
		this.#active.set(views.active, row * views.active.length);
	}
}
