import type { Extrapolation, Spline, SplineKnot, SplineTangent, Value } from '@manyworlds/usd';
import { isObject, type Json, type JsonObject } from './json.ts';

/*
 * Splines of the AOUSD baselines differ from what layers store in these points:
 * - knots are in the order of the text; layers order them by time;
 * - the two numbers of a tangent are called slope and width, in this order; in text the width comes first;
 * - extrapolation is null when the text gives none, which means held;
 * - a knot without a second value has the preValue 0, and a value block is `none`.
 */

/** Says how a spline differs from a baseline, or undefined when it does not. `matches` compares dictionary entries. */
export function aousdSplineMismatch(
	spline: Spline,
	golden: Json,
	matches: (value: Value, golden: Json) => boolean,
): string | undefined {
	if (!isObject(golden)) return 'not an object';
	const { curveType, preExtrapolation, postExtrapolation, loopParameters, knots, knotCustomData, ...rest } = golden;
	const unknown = Object.keys(rest)[0];
	if (unknown !== undefined) return `unknown key '${unknown}'`;
	if (curveType !== spline.curve) return `curve ${spline.curve}`;
	if (!sameExtrapolation(spline.pre, preExtrapolation)) return 'pre extrapolation';
	if (!sameExtrapolation(spline.post, postExtrapolation)) return 'post extrapolation';
	if (!sameLoop(spline, loopParameters)) return 'loop';
	if (!Array.isArray(knots) || knots.length !== spline.knots.length) return `${spline.knots.length} knots`;
	const sorted = [...knots].sort((a, b) => timeOf(a) - timeOf(b));
	const round = spline.valueType === 'float' ? Math.fround : (number: number) => number;
	const wrong = spline.knots.findIndex((knot, i) => !sameKnot(knot, sorted[i]!, round));
	if (wrong >= 0) return `knot at ${spline.knots[wrong]!.time}`;
	return sameCustomData(spline.knots, knotCustomData, matches) ? undefined : 'customData of a knot';
}

function sameExtrapolation(ours: Extrapolation, golden: Json | undefined): boolean {
	if (golden === null) return ours.mode === 'held';
	if (!isObject(golden) || Object.keys(golden).some((key) => key !== 'mode' && key !== 'slope')) return false;
	if (golden['mode'] !== ours.mode) return false;
	return ours.mode === 'sloped' ? golden['slope'] === ours.slope : (golden['slope'] ?? null) === null;
}

function sameLoop(spline: Spline, golden: Json | undefined): boolean {
	const loop = spline.loop;
	if (loop === undefined) return golden === null;
	const expected: JsonObject = {
		protoStart: loop.protoStart,
		protoEnd: loop.protoEnd,
		numPreLoops: loop.preLoopCount,
		numPostLoops: loop.postLoopCount,
		valueOffset: loop.valueOffset,
	};
	return isObject(golden) && sameNumbers(golden, expected);
}

function sameKnot(knot: SplineKnot, golden: Json, round: (number: number) => number): boolean {
	if (!isObject(golden)) return false;
	const { nextInterpolationMode, ...numbers } = golden;
	if (nextInterpolationMode !== knot.interpolation) return false;
	const rounded = Object.fromEntries(
		Object.entries(numbers).map(([key, number]) => [key, key === 'time' ? number : round(number as number)]),
	);
	return sameNumbers(rounded, {
		time: knot.time,
		value: knot.value,
		preValue: knot.preValue ?? 0,
		...tangent('pre', knot.pre, round),
		...tangent('post', knot.post, round),
	});
}

function tangent(side: string, ours: SplineTangent, round: (number: number) => number): JsonObject {
	return { [`${side}TangentSlope`]: round(ours.width), [`${side}TangentWidth`]: ours.slope };
}

function sameNumbers(golden: JsonObject, ours: JsonObject): boolean {
	const keys = Object.keys(golden);
	return keys.length === Object.keys(ours).length && keys.every((key) => golden[key] === ours[key]);
}

function sameCustomData(
	knots: readonly SplineKnot[],
	golden: Json | undefined,
	matches: (value: Value, golden: Json) => boolean,
): boolean {
	if (!isObject(golden)) return false;
	const byTime = new Map(Object.entries(golden).map(([time, json]) => [Number(time), json]));
	for (const knot of knots) {
		const json = byTime.get(knot.time);
		byTime.delete(knot.time);
		const entries = isObject(json) ? Object.keys(json).length : 0;
		if (entries !== knot.customData.size) return false;
		for (const [key, value] of knot.customData) {
			if (!isObject(json) || !Object.hasOwn(json, key) || !matches(value, json[key]!)) return false;
		}
	}
	return byTime.size === 0;
}

function timeOf(knot: Json): number {
	return isObject(knot) ? Number(knot['time']) : Number.NaN;
}
