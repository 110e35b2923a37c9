import type { Model } from '@manyworlds/model';
import { bodiesOf } from './run-tables.ts';

/** Views of arrays by body, one for the bodies of runs that follow each other, made once; states take turns, so those of two arrays are at hand. */
export class BodyViews {
	readonly #model: Model;
	readonly #width: number;
	readonly #most: number;
	readonly #all = new WeakMap<Float64Array, (Float64Array | undefined)[]>();
	#last: Float64Array | undefined;
	#before: Float64Array | undefined;
	#lastViews: (Float64Array | undefined)[] = [];
	#viewsBefore: (Float64Array | undefined)[] = [];

	/** Arrays have `width` numbers for each body; at most `most` runs are asked for at once. */
	constructor(model: Model, width: number, most: number) {
		this.#model = model;
		this.#width = width;
		this.#most = most;
	}

	of(array: Float64Array, run: number, count: number): Float64Array {
		if (array !== this.#last) this.#turnTo(array);
		return (this.#lastViews[this.#most * run + count - 1] ??= this.#view(array, run, count));
	}

	#turnTo(array: Float64Array): void {
		let views = array === this.#before ? this.#viewsBefore : this.#all.get(array);
		if (views === undefined) this.#all.set(array, (views = []));
		this.#before = this.#last;
		this.#viewsBefore = this.#lastViews;
		this.#last = array;
		this.#lastViews = views;
	}

	#view(array: Float64Array, run: number, count: number): Float64Array {
		const { start } = bodiesOf(this.#model, run);
		const { end } = bodiesOf(this.#model, run + count - 1);
		return array.subarray(this.#width * start, this.#width * end);
	}
}
