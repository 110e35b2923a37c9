import { PhiloxStream } from '@manyworlds/core/internal';
import { type Expression, type ExpressionValue, isTrue, parseExpression } from '../expression/expression.ts';
import type { SweepPlan } from '../plan/plan.ts';
import type { ParameterValue } from '../sample/parameter.ts';
import { createSampler, type Sampler } from '../sample/sampler.ts';

/** One run of a plan. */
export interface Run {
	/** Position in the plan; runs that constraints exclude leave gaps. */
	readonly index: number;
	/** Values in the order of the parameters of the plan. */
	readonly values: readonly ParameterValue[];
	/** Repeat of its point, counted from 0. */
	readonly repeat: number;
	/** Seed of its noise: a whole number below 2^53. */
	readonly seed: number;
}

/** Draws of points beyond which constraints that nothing satisfies are called contradicting. */
const MOST_TRIES = 1_000_000;

/** The runs of a plan. None of them is kept: each is drawn when it is asked for, by its index alone. */
export class Expansion {
	/** Runs before constraints. */
	readonly count: number;
	readonly #plan: SweepPlan;
	readonly #sampler: Sampler;
	readonly #noise: PhiloxStream;
	readonly #constraints: readonly { readonly expression: Expression; readonly slots: readonly number[] }[];

	constructor(plan: SweepPlan) {
		this.#plan = plan;
		this.#sampler = createSampler(plan.sampler, plan.parameters, plan.seed);
		this.#noise = new PhiloxStream(plan.seed, 'noise of a run');
		this.count = this.#sampler.count * plan.repeats;
		const names = plan.parameters.map(({ name }) => name);
		this.#constraints = plan.constraints.map((text) => {
			const expression = parseExpression(text) as Expression;
			return { expression, slots: expression.names.map((name) => names.indexOf(name.text)) };
		});
	}

	/** A run; undefined where there is none, or constraints exclude it. */
	run(index: number): Run | undefined {
		if (!(Number.isInteger(index) && index >= 0 && index < this.count)) return undefined;
		const { repeats, parameters } = this.#plan;
		const point = Math.floor(index / repeats);
		const repeat = index % repeats;
		const drawn = new Map<string, ParameterValue>();
		this.#sampler.draw(point, drawn);
		const values = parameters.map(({ name }) => drawn.get(name)!);
		if (!this.#satisfies(values)) return undefined;
		const [a, b] = this.#noise.words(point, repeat) as unknown as [number, number];
		return { index, values, repeat, seed: (a >>> 11) * 2 ** 32 + b };
	}

	/** All runs in order, from an index on. */
	*runs(from = 0, to: number = this.count): Generator<Run> {
		for (let index = from; index < to; index++) {
			const run = this.run(index);
			if (run !== undefined) yield run;
		}
	}

	/** Whether constraints leave something, as far as a million draws tell. */
	get isPossible(): boolean {
		if (this.#constraints.length === 0) return this.count > 0;
		const step = this.#plan.repeats;
		const tries = Math.min(this.count / step, MOST_TRIES);
		for (let point = 0; point < tries; point++) if (this.run(point * step) !== undefined) return true;
		return false;
	}

	#satisfies(values: readonly ParameterValue[]): boolean {
		return this.#constraints.every(({ expression, slots }) =>
			isTrue(expression.evaluate(slots.map((slot) => comparable(values[slot]!)))),
		);
	}
}

function comparable(value: ParameterValue): ExpressionValue {
	return typeof value === 'boolean' ? Number(value) : value;
}
