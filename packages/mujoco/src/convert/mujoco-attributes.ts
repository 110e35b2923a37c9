import type { Model } from '@manyworlds/model';
import { type MujocoWrittenKind, readMujocoWritten } from '@manyworlds/model/internal';

/** Reads the custom attributes of the `mujoco` namespace of a model; what was not declared is undefined. */
export class MujocoAttributes {
	readonly #model: Model;

	constructor(model: Model) {
		this.#model = model;
	}

	/** Numbers of an attribute, flat and row by row. */
	numbers(name: string): ArrayLike<number> | undefined {
		const key = `mujoco:${name}`;
		if (!this.#model.attributes.has(key)) return undefined;
		const values = this.#model.attributes.get(key);
		return Array.isArray(values) ? undefined : (values as ArrayLike<number>);
	}

	/** Texts of an attribute. */
	texts(name: string): readonly string[] | undefined {
		const key = `mujoco:${name}`;
		if (!this.#model.attributes.has(key)) return undefined;
		const values = this.#model.attributes.get(key);
		return Array.isArray(values) ? (values as readonly string[]) : undefined;
	}

	/** One row of an attribute, undefined when it was not declared. */
	row(name: string, index: number, width: number): Float64Array | undefined {
		const values = this.numbers(name);
		if (values === undefined || (index + 1) * width > values.length) return undefined;
		const row = new Float64Array(width);
		for (let i = 0; i < width; i++) row[i] = Number(values[index * width + i]);
		return row;
	}

	/** One number of an attribute, undefined when it was not declared. */
	number(name: string, index: number): number | undefined {
		const value = this.numbers(name)?.[index];
		return value === undefined ? undefined : Number(value);
	}

	/** Attributes that are kept as MJCF has them, because only MuJoCo simulates them. */
	written(kind: MujocoWrittenKind, row: number): Record<string, string> {
		return Object.fromEntries(readMujocoWritten(this.texts(`${kind}_mjcf`)?.[row]));
	}

	/** Rows of a frequency of the namespace, 0 when it was not declared. */
	count(frequency: string): number {
		const key = `mujoco:${frequency}`;
		return this.#model.frequencies.includes(key) ? this.#model.frequencyCount(key) : 0;
	}
}
