import { exponential, naturalLog, normalQuantile, normalShare } from '@manyworlds/core/internal';
import type { Distribution, ParameterValue } from './parameter.ts';

/** The value of a distribution at a share of it, from 0 to 1. */
export function valueAt(distribution: Distribution, u: number): ParameterValue {
	switch (distribution.kind) {
		case 'uniform':
			return between(distribution, distribution.low + u * (distribution.high - distribution.low));
		case 'log': {
			const ratio = naturalLog(distribution.high / distribution.low);
			return between(distribution, distribution.low * exponential(u * ratio));
		}
		case 'normal':
			return normalValue(distribution, u);
		case 'integer': {
			const { low, high } = distribution;
			return Math.min(high, low + Math.floor(u * (high - low + 1)));
		}
		case 'choice':
			return distribution.values[chosenIndex(distribution.values.length, distribution.weights, u)]!;
	}
}

/** Values of a grid axis; 0 for distributions that have no end of them. */
export function axisLength(distribution: Distribution): number {
	switch (distribution.kind) {
		case 'choice':
			return distribution.values.length;
		case 'integer':
			return distribution.high - distribution.low + 1;
		case 'uniform':
		case 'log':
			return distribution.steps ?? 0;
		case 'normal':
			return 0;
	}
}

/** A value of a grid axis; both ends of a range are on it. */
export function axisValue(distribution: Distribution, step: number): ParameterValue {
	if (distribution.kind === 'choice') return distribution.values[step]!;
	if (distribution.kind === 'integer') return distribution.low + step;
	const count = axisLength(distribution);
	if (count > 1 && step === count - 1 && (distribution.kind === 'uniform' || distribution.kind === 'log'))
		return distribution.high;
	return valueAt(distribution, count > 1 ? step / (count - 1) : 0.5);
}

function between({ low, high }: { readonly low: number; readonly high: number }, value: number): number {
	return Math.min(high, Math.max(low, value));
}

/** Least share that is looked up, so that the first point of a sequence is a number. */
const LEAST_SHARE = 2 ** -33;

function normalValue({ mean, sd, clip }: Extract<Distribution, { kind: 'normal' }>, u: number): number {
	const share = Math.min(1 - LEAST_SHARE, Math.max(LEAST_SHARE, u));
	if (clip === undefined) return mean + sd * normalQuantile(share);
	const low = normalShare((clip[0] - mean) / sd);
	const high = normalShare((clip[1] - mean) / sd);
	const value = mean + sd * normalQuantile(low + share * (high - low));
	return Math.min(clip[1], Math.max(clip[0], value));
}

function chosenIndex(count: number, weights: readonly number[] | undefined, u: number): number {
	if (weights === undefined) return Math.min(count - 1, Math.floor(u * count));
	let total = 0;
	for (const weight of weights) total += weight;
	let below = 0;
	let last = 0;
	for (let i = 0; i < count; i++) {
		below += weights[i]!;
		if (weights[i]! > 0) last = i;
		if (u * total < below) return i;
	}
	return last;
}
