/** Round numbers that a range is divided by. @public */
export interface AxisTicks {
	/** The range, as far as it was asked for or widened to whole steps. */
	readonly low: number;
	readonly high: number;
	readonly values: readonly number[];
}

/** Steps are one of these times a power of ten. */
const ROUND = [1, 2, 2.5, 5, 10];

/** Some `count` round numbers over a range, which is widened to whole steps of them. */
export function axisTicks(low: number, high: number, count: number): AxisTicks {
	const raw = (high - low) / count;
	const power = 10 ** Math.floor(Math.log10(raw));
	const step = power * ROUND.find((factor) => factor * power >= raw * (1 - 1e-9))!;
	const first = Math.floor(low / step + 1e-9);
	const last = Math.ceil(high / step - 1e-9);
	// multiples of the step, rounded so that 3 * 0.1 is 0.3
	const values = Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
	return { low: values[0]!, high: values.at(-1)!, values };
}
