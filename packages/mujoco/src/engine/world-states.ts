import type { IndexRange } from '@manyworlds/model/internal';
import type { CompiledModel } from './compiled-model.ts';
import type { DataViews, Views } from './data-views.ts';

/**
 * States of a run of worlds outside of the engine: one working `mjData` serves them in turn. What a step depends on is a few
 * kilobytes for each world; a `mjData` of its own would take half a megabyte. With one world nothing is copied.
 *
 * The arrays of a state follow each other in the engine's memory, so a world is one copy in and one out.
 */
export class WorldStates {
	readonly #compiled: CompiledModel;
	readonly #views: DataViews;
	/** First world, and how many. */
	readonly #first: number;
	readonly #count: number;
	/** Numbers of a state, and how many of them a step changes. */
	readonly #size: number;
	readonly #changingSize: number;
	readonly #numbers: Float64Array;
	readonly #times: Float64Array;
	/** What the last step of each world started from: time step and time [s], then the numbers that it changed. */
	readonly #before: Float64Array;
	/** World whose state is in the engine. */
	#loaded = -1;

	constructor(compiled: CompiledModel, views: DataViews, { start, end }: IndexRange) {
		this.#compiled = compiled;
		this.#views = views;
		this.#first = start;
		this.#count = end - start;
		const { block, changing } = views.current;
		this.#size = block.length;
		this.#changingSize = changing.length;
		this.#numbers = new Float64Array(this.#count * this.#size);
		this.#times = new Float64Array(this.#count);
		this.#before = new Float64Array(this.#count > 1 ? this.#count * (2 + this.#changingSize) : 0);
		for (let world = start; world < end; world++) this.#store(world);
	}

	/** Bytes held for each world. */
	get bytesPerWorld(): number {
		return (this.#numbers.byteLength + this.#times.byteLength + this.#before.byteLength) / this.#count;
	}

	/** Takes over the states of another engine of the same model. */
	copyFrom(other: WorldStates): void {
		if (other.#loaded >= 0) other.#store(other.#loaded);
		this.#numbers.set(other.#numbers);
		this.#times.set(other.#times);
		this.#before.set(other.#before);
		this.#loaded = -1;
	}

	/** Puts a world's state into the engine and gives the views of it. */
	load(world: number): Views {
		const views = this.#views.current;
		if (this.#loaded === world) return views;
		if (this.#loaded >= 0) this.#store(this.#loaded);
		const row = world - this.#first;
		const at = row * this.#size;
		views.block.set(this.#numbers.subarray(at, at + this.#size));
		this.#compiled.data.time = this.#times[row]!;
		this.#loaded = world;
		return views;
	}

	/** Remembers what the loaded world starts from, so that its step of `dt` [s] can be repeated. */
	noteStart(world: number, dt: number): void {
		if (this.#count === 1) return;
		const at = (world - this.#first) * (2 + this.#changingSize);
		this.#before[at] = dt;
		this.#before[at + 1] = this.#compiled.data.time;
		this.#before.set(this.#views.current.changing, at + 2);
	}

	/**
	 * Puts what the last step of a world started from into the engine and gives its time step [s]; undefined when it took
	 * none. The state of the world is not touched, so the engine counts as holding none afterwards.
	 */
	loadStart(world: number): number | undefined {
		const at = (world - this.#first) * (2 + this.#changingSize);
		const dt = this.#before[at] ?? 0;
		if (dt === 0) return undefined;
		const { changing } = this.load(world);
		this.#store(world);
		this.#loaded = -1;
		changing.set(this.#before.subarray(at + 2, at + 2 + this.#changingSize));
		this.#compiled.data.time = this.#before[at + 1]!;
		return dt;
	}

	#store(world: number): void {
		const row = world - this.#first;
		this.#numbers.set(this.#views.current.block, row * this.#size);
		this.#times[row] = this.#compiled.data.time;
	}
}
