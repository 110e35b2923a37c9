import type { Model } from '@manyworlds/model';
import { type Expression, type ExpressionValue, isTrue, parseExpression } from '../expression/expression.ts';
import type { MetricKind, PlanMetric } from '../plan/plan.ts';
import { findQuantity, needsEnergy, type ReadQuantity, type WorldSample } from './quantity.ts';

/** One metric of one world, while it runs. Sums are taken in the order of the samples. */
export class MetricCollector {
	readonly #kind: MetricKind;
	readonly #expression: Expression;
	readonly #readers: readonly ReadQuantity[];
	readonly #values: ExpressionValue[];
	#count = 0;
	#value = 0;
	#last = 0;
	#lastTime = 0;

	/** Finds the quantities of a metric in a world; a text says what is wrong, and where in the expression. */
	static create(
		metric: PlanMetric,
		model: Model,
		world: number,
	): MetricCollector | { readonly fault: string; readonly at: number } {
		const expression = parseExpression(metric.expression);
		if ('fault' in expression) return expression;
		const readers: ReadQuantity[] = [];
		for (const { text, at } of expression.names) {
			const found = findQuantity(model, world, text);
			if (typeof found === 'string') return { fault: found, at };
			readers.push(found);
		}
		return new MetricCollector(metric.kind, expression, readers);
	}

	private constructor(kind: MetricKind, expression: Expression, readers: readonly ReadQuantity[]) {
		this.#kind = kind;
		this.#expression = expression;
		this.#readers = readers;
		this.#values = new Array<ExpressionValue>(readers.length).fill(0);
		if (kind === 'all') this.#value = 1;
		if (kind === 'min') this.#value = Number.POSITIVE_INFINITY;
		if (kind === 'max' || kind === 'max_abs') this.#value = Number.NEGATIVE_INFINITY;
		if (kind === 'first_time') this.#value = Number.NaN;
	}

	/** Whether the samples between the first and the last do not count. */
	static isOfEnds(kind: MetricKind): boolean {
		return kind === 'last' || kind === 'first';
	}

	/** Whether a metric reads the energy of bodies. */
	static usesEnergy(expression: string): boolean {
		const parsed = parseExpression(expression);
		return !('fault' in parsed) && parsed.names.some(({ text }) => needsEnergy(text));
	}

	add(sample: WorldSample): void {
		for (let i = 0; i < this.#readers.length; i++) this.#values[i] = this.#readers[i]!(sample);
		const found = this.#expression.evaluate(this.#values);
		const value = typeof found === 'number' ? found : Number.NaN;
		switch (this.#kind) {
			case 'first':
				if (this.#count === 0) this.#value = value;
				break;
			case 'last':
				this.#value = value;
				break;
			case 'min':
				this.#value = Math.min(this.#value, value);
				break;
			case 'max':
				this.#value = Math.max(this.#value, value);
				break;
			case 'max_abs':
				this.#value = Math.max(this.#value, Math.abs(value));
				break;
			case 'mean':
				this.#value += value;
				break;
			case 'rms':
				this.#value += value * value;
				break;
			case 'integral':
				// trapezia
				if (this.#count > 0) this.#value += 0.5 * (value + this.#last) * (sample.time - this.#lastTime);
				break;
			case 'any':
				if (isTrue(found)) this.#value = 1;
				break;
			case 'all':
				if (!isTrue(found)) this.#value = 0;
				break;
			case 'first_time':
				if (Number.isNaN(this.#value) && isTrue(found)) this.#value = sample.time;
				break;
		}
		this.#last = value;
		this.#lastTime = sample.time;
		this.#count++;
	}

	get value(): number {
		if (this.#kind === 'mean') return this.#value / this.#count;
		if (this.#kind === 'rms') return Math.sqrt(this.#value / this.#count);
		return this.#value;
	}
}

/** What a metric of several worlds comes to: whether any or all of them did, else their mean, in the order of the worlds. */
export function joinWorlds(kind: MetricKind, values: readonly number[]): number {
	if (values.length === 1) return values[0]!;
	if (kind === 'any') return values.some((value) => value !== 0) ? 1 : 0;
	if (kind === 'all') return values.every((value) => value !== 0) ? 1 : 0;
	return values.reduce((sum, value) => sum + value, 0) / values.length;
}
