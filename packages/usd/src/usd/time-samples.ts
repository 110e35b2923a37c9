import type { LayerOffset, TimeSamples, Value } from '../sdf/value.ts';
import { T, type ValueType } from '../sdf/value-type.ts';
import { type Interpolation, interpolate } from './interpolation.ts';
import { mapTime } from './value-time.ts';

/** Indices of the samples around a time; equal at, before the first and after the last sample. */
export interface Bracket {
	readonly lower: number;
	readonly upper: number;
}

/** The samples around `time`; undefined when there are none. */
export function bracketTimes(times: ArrayLike<number>, time: number): Bracket | undefined {
	const last = times.length - 1;
	if (last < 0) return undefined;
	if (time <= times[0]!) return { lower: 0, upper: 0 };
	if (time >= times[last]!) return { lower: last, upper: last };
	let low = 0;
	let high = last;
	while (high - low > 1) {
		const middle = (low + high) >> 1;
		if (times[middle]! <= time) low = middle;
		else high = middle;
	}
	return times[low] === time ? { lower: low, upper: low } : { lower: low, upper: high };
}

/**
 * The value of samples at a time of the stage; undefined where it is blocked. Weights come from sample times mapped to the
 * stage, so that they do not depend on rounding inside the layer.
 */
export function sampleAt(
	samples: TimeSamples,
	stageTime: number,
	localTime: number,
	offset: LayerOffset,
	interpolation: Interpolation,
): Value | undefined {
	const bracket = bracketTimes(samples.times, localTime);
	if (bracket === undefined) return undefined;
	const lower = samples.valueAt(bracket.lower);
	if (isBlock(lower)) return undefined;
	if (bracket.lower === bracket.upper || interpolation === 'held') return lower;
	const upper = samples.valueAt(bracket.upper);
	if (isBlock(upper)) return lower;
	const start = mapTime(offset, samples.times[bracket.lower]!);
	const end = mapTime(offset, samples.times[bracket.upper]!);
	return interpolate(lower, upper, (stageTime - start) / (end - start));
}

/** Whether a value says that there is none. */
export function isBlock(value: Value): boolean {
	return (value.type as ValueType) === (T.valueBlock as ValueType);
}

/** The type of samples that are not blocked; that of a block when all are. */
export function sampleType(samples: TimeSamples): ValueType {
	for (let i = 0; i < samples.times.length; i++) {
		const value = samples.valueAt(i);
		if (!isBlock(value)) return value.type;
	}
	return T.valueBlock as ValueType;
}
