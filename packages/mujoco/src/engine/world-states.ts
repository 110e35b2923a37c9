import type { IndexRange } from '@manyworlds/model/internal';
import { BULK } from './copy-runs.ts';
import type { DataViews, Views } from './data-views.ts';

/**
 * States of a run of worlds outside of the engine: one working `mjData` serves them in turn. What a step depends on is a few
 * kilobytes for each world; a `mjData` of its own would take half a megabyte. With one world nothing is copied.
 *
 * The arrays of a state follow each other in the engine's memory, so a world is one copy in and one out.
 */
export class WorldStates {
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
	/** 1 for worlds whose kept state has forces on bodies, or may have. */
	readonly #forced: Uint8Array;
	/** World whose state is in the engine. */
	#loaded = -1;
	/** Whether all of its state is there, not only what steps change. */
	#isWhole = true;
	/** Whether there may be forces on bodies in the engine; whoever writes them says so. */
	isForced = true;

	constructor(views: DataViews, { start, end }: IndexRange) {
		this.#views = views;
		this.#first = start;
		this.#count = end - start;
		const { block, changing } = views.current;
		this.#size = block.length;
		this.#changingSize = changing.length;
		this.#numbers = new Float64Array(this.#count * this.#size);
		this.#times = new Float64Array(this.#count);
		this.#forced = new Uint8Array(this.#count);
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
		this.#forced.fill(1);
		this.#before.set(other.#before);
		this.#loaded = -1;
	}

	/** Puts a world's state into the engine and gives the views of it. */
	load(world: number): Views {
		const views = this.#views.current;
		if (this.#loaded !== world) {
			if (this.#loaded >= 0) this.#store(this.#loaded);
			this.#fetch(views, views.block, world);
		}
		// whoever asks may write anything
		this.#isWhole = true;
		this.isForced = true;
		return views;
	}

	/**
	 * Puts what a step does not overwrite into the engine: controls and forces are written before each, coordinates when
	 * `isPushed`.
	 */
	loadForStep(world: number, isPushed: boolean): Views {
		const views = this.#views.current;
		if (this.#loaded === world) return views;
		if (this.#loaded >= 0) this.#store(this.#loaded);
		if (views.placed.length > 0) this.#fetch(views, views.placed, world);
		this.#fetch(views, isPushed ? views.remembered : views.changing, world);
		this.#isWhole = false;
		return views;
	}

	/** Puts a part of a world's state, and its time, into the engine. */
	#fetch({ block, time }: Views, part: Float64Array, world: number): void {
		const row = world - this.#first;
		const at = row * this.#size + (part.byteOffset - block.byteOffset) / 8;
		const numbers = this.#numbers;
		if (part.length < BULK) for (let i = 0; i < part.length; i++) part[i] = numbers[at + i]!;
		else part.set(numbers.subarray(at, at + part.length));
		time[0] = this.#times[row]!;
		this.#loaded = world;
	}

	/** Remembers what the loaded world starts from, so that its step of `dt` [s] can be repeated. */
	noteStart(world: number, dt: number): void {
		if (this.#count === 1) return;
		const at = (world - this.#first) * (2 + this.#changingSize);
		this.#before[at] = dt;
		const { time, changing } = this.#views.current;
		this.#before[at + 1] = time[0]!;
		this.#before.set(changing, at + 2);
	}

	/**
	 * Puts what the last step of a world started from into the engine and gives its time step [s]; undefined when it took
	 * none. The state of the world is not touched, so the engine counts as holding none afterwards.
	 */
	loadStart(world: number): number | undefined {
		const at = (world - this.#first) * (2 + this.#changingSize);
		const dt = this.#before[at] ?? 0;
		if (dt === 0) return undefined;
		const { changing, time } = this.load(world);
		this.#store(world);
		this.#loaded = -1;
		changing.set(this.#before.subarray(at + 2, at + 2 + this.#changingSize));
		time[0] = this.#before[at + 1]!;
		return dt;
	}

	#store(world: number): void {
		const row = world - this.#first;
		const { block, unforced, time } = this.#views.current;
		const isWhole = this.#isWhole || this.isForced || this.#forced[row] === 1;
		const part = isWhole ? block : unforced;
		this.#numbers.set(part, row * this.#size + (part.byteOffset - block.byteOffset) / 8);
		this.#forced[row] = this.isForced ? 1 : 0;
		this.#times[row] = time[0]!;
	}
}
