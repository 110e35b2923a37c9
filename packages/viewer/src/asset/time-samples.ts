import type { Attribute } from '@manyworlds/usd';
import type { SampledValues } from './asset-types.ts';

/** Samples that are plotted at most, and points of a spline. */
const MOST_SAMPLES = 1000;
const SPLINE_POINTS = 100;
/** Numbers of a value that are lines of a plot at most: those of a quaternion. */
const MOST_LINES = 4;

/** Values of an attribute over time; undefined where it does not change, or has no numbers that could be plotted. */
export function timeSamples(attribute: Attribute): SampledValues | undefined {
	const times = timesOf(attribute);
	if (times.length < 2) return undefined;
	const rows = times.map((time) => numbersOf(attribute.get(time)?.data));
	const width = rows[0]?.length ?? 0;
	if (width === 0 || rows.some((row) => row === undefined || row.length !== width)) return undefined;
	return { times, lines: Array.from({ length: width }, (_, k) => rows.map((row) => row![k]!)) };
}

function timesOf(attribute: Attribute): number[] {
	const samples = attribute.timeSamples();
	if (samples.length > 1) {
		const stride = Math.ceil(samples.length / MOST_SAMPLES);
		return samples.filter((_, i) => i % stride === 0);
	}
	const knots = attribute.spline()?.data.knots ?? [];
	const [first, last] = [knots[0]?.time, knots.at(-1)?.time];
	if (first === undefined || last === undefined || !(last > first)) return [];
	return Array.from({ length: SPLINE_POINTS + 1 }, (_, i) => first + ((last - first) * i) / SPLINE_POINTS);
}

/** A number or a few of them. */
function numbersOf(data: unknown): number[] | undefined {
	if (typeof data === 'number') return [data];
	if (typeof data === 'boolean') return [Number(data)];
	if (!Array.isArray(data) && !ArrayBuffer.isView(data)) return undefined;
	const numbers = Array.from(data as unknown as ArrayLike<unknown>);
	if (numbers.length === 0 || numbers.length > MOST_LINES) return undefined;
	return numbers.every((value) => typeof value === 'number') ? (numbers as number[]) : undefined;
}
