import type { Model } from '@manyworlds/model';

/** Reads rows of the `mujoco` namespace of a model; what was not declared is as if it had its default. */
export class MujocoRows {
	readonly #model: Model;

	constructor(model: Model) {
		this.#model = model;
	}

	/** Rows of a frequency, 0 when it was not declared. */
	count(frequency: string): number {
		const key = `mujoco:${frequency}`;
		return this.#model.frequencies.includes(key) ? this.#model.frequencyCount(key) : 0;
	}

	/** One number of a row. */
	number(name: string, row: number, fallback: number = 0, width: number = 1, at: number = 0): number {
		const values = this.values(name);
		const value = values?.[row * width + at];
		return value === undefined ? fallback : Number(value);
	}

	text(name: string, row: number): string {
		const key = `mujoco:${name}`;
		if (!this.#model.attributes.has(key)) return '';
		const values = this.#model.attributes.get(key);
		return Array.isArray(values) ? ((values as string[])[row] ?? '') : '';
	}

	/** All numbers of an attribute. */
	values(name: string): ArrayLike<number> | undefined {
		const key = `mujoco:${name}`;
		if (!this.#model.attributes.has(key)) return undefined;
		const values = this.#model.attributes.get(key);
		return Array.isArray(values) ? undefined : (values as ArrayLike<number>);
	}

	/** The range that a row has for its control, force or activation; without bounds when it has none. */
	range(kind: 'ctrl' | 'force' | 'act', row: number): readonly [number, number] {
		const limited = this.number(`actuator_${kind}limited`, row, AUTO);
		const isGiven = this.number(`actuator_has_${kind}range`, row) !== 0;
		if (limited === 0 || (limited === AUTO && !isGiven)) return UNBOUNDED;
		return [0, 1].map((i) => this.number(`actuator_${kind}range`, row, 0, 2, i)) as [number, number];
	}
}

const AUTO = 2;
const UNBOUNDED: readonly [number, number] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
