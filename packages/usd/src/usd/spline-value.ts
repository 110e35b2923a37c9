import { halfToNumber, numberToHalf } from '@manyworlds/core/internal';
import type { Extrapolation, Spline, SplineKnot, SplineTangent } from '../sdf/spline.ts';
import { isIdentityOffset, type LayerOffset, makeValue, type Value } from '../sdf/value.ts';
import { T } from '../sdf/value-type.ts';
import { mapTime } from './value-time.ts';

/** The value of a spline at a time, undefined where it has none (AOUSD 12.6). */
export function evaluateSpline(spline: Spline, time: number): number | undefined {
	const knots = bakeInnerLoops(spline);
	if (knots.length === 0) return undefined;
	return evaluateKnots(spline, knots, time);
}

/** A number of a spline as a value of its type. */
export function splineNumber(spline: Spline, number: number): Value {
	switch (spline.valueType) {
		case 'half':
			return makeValue(T.half, halfToNumber(numberToHalf(number))) as Value;
		case 'float':
			return makeValue(T.float, Math.fround(number)) as Value;
		case 'timecode':
			return makeValue(T.timecode, number) as Value;
		case 'duration':
			return makeValue(T.duration, number) as Value;
		default:
			return makeValue(T.double, number) as Value;
	}
}

function evaluateKnots(spline: Spline, knots: readonly SplineKnot[], time: number): number | undefined {
	const first = knots[0]!;
	const last = knots[knots.length - 1]!;
	if (time < first.time) return extrapolate(spline, knots, time, true);
	// loops start over right at the last knot
	if (time > last.time || (time === last.time && spline.post.mode.startsWith('loop') && knots.length > 1)) {
		return extrapolate(spline, knots, time, false);
	}
	let at = 0;
	while (at + 1 < knots.length && knots[at + 1]!.time <= time) at++;
	const knot = knots[at]!;
	if (knot.time === time) return hasValueAt(spline, knots, at) ? knot.value : undefined;
	return evaluateSegment(spline, knot, knots[at + 1]!, time);
}

/** Whether the curve has a value right at a knot: what follows a knot begins at it. */
function hasValueAt(spline: Spline, knots: readonly SplineKnot[], at: number): boolean {
	const isLast = at + 1 === knots.length;
	if (knots === spline.knots) return isLast ? spline.post.mode !== 'none' : knots[at]!.interpolation !== 'none';
	// repetitions of a loop are those of knots as they were authored, of which the last one is followed by nothing
	const { loop, knots: authored } = spline;
	const { time } = knots[at]!;
	const span = loop!.protoEnd - loop!.protoStart;
	const isLooped =
		time >= loop!.protoStart - loop!.preLoopCount * span && time <= loop!.protoEnd + loop!.postLoopCount * span;
	if (!isLooped) return isLast ? spline.post.mode !== 'none' : knots[at]!.interpolation !== 'none';
	const last = authored[authored.length - 1]!;
	const turns = (time - last.time) / span;
	if (last.time < loop!.protoEnd && Number.isInteger(turns)) return true;
	return knots[at]!.interpolation !== 'none';
}

/** The value that the curve reaches at a time when it comes from before. */
function evaluateFromBefore(spline: Spline, knots: readonly SplineKnot[], time: number): number | undefined {
	const at = knots.findIndex((knot) => knot.time === time);
	if (at <= 0) return evaluateKnots(spline, knots, time);
	const { interpolation, value } = knots[at - 1]!;
	if (interpolation === 'none') return undefined;
	return interpolation === 'held' ? value : preValueOf(knots[at]!);
}

function preValueOf({ preValue, value }: SplineKnot): number {
	return preValue ?? value;
}

function evaluateSegment(spline: Spline, a: SplineKnot, b: SplineKnot, time: number): number | undefined {
	const end = preValueOf(b);
	switch (a.interpolation) {
		case 'none':
			return undefined;
		case 'held':
			return a.value;
		case 'linear':
			return a.value + ((end - a.value) / (b.time - a.time)) * (time - a.time);
		default:
			return spline.curve === 'hermite' ? hermite(a, b, end, time) : bezier(a, b, end, time);
	}
}

function hermite(a: SplineKnot, b: SplineKnot, end: number, time: number): number {
	const width = b.time - a.time;
	const u = (time - a.time) / width;
	const u2 = u * u;
	const u3 = u2 * u;
	return (
		(2 * u3 - 3 * u2 + 1) * a.value +
		(u3 - 2 * u2 + u) * width * a.post.slope +
		(-2 * u3 + 3 * u2) * end +
		(u3 - u2) * width * b.pre.slope
	);
}

function bezier(a: SplineKnot, b: SplineKnot, end: number, time: number): number {
	const span = b.time - a.time;
	let out = a.post.width;
	let into = b.pre.width;
	// long tangents would let the curve run backwards in time
	if (out > span || into > span)
		[out, into] = shortened(out / span, into / span).map((w) => w * span) as [number, number];
	const t0 = a.time;
	const t1 = t0 + out;
	const t3 = b.time;
	const t2 = t3 - into;
	const v0 = a.value;
	const v1 = v0 + out * a.post.slope;
	const v3 = end;
	const v2 = v3 - into * b.pre.slope;
	const u = parameterAt(t0, t1, t2, t3, time);
	return cubic(v0, v1, v2, v3, u);
}

/** By how much tangents are made shorter than they could be, as part of the segment, and how much of that is asked for. */
const PADDING = 1e-5;
const LEAST_PADDING = 1e-6;

/**
 * Widths (as parts of the segment) in the same ratio for which time just does not run backwards: pairs of widths on the ellipse
 * a^2 + b^2 + ab - 2a - 2b + 1 = 0 let it stand still at one point.
 */
function shortened(out: number, into: number): [number, number] {
	if (isForward(out, into)) return [out, into];
	if (out < LEAST_PADDING) return [out, 1 - PADDING];
	if (into < LEAST_PADDING) return [1 - PADDING, into];
	const ratio = out / into;
	const other = (Math.sqrt(ratio) + ratio + 1) / (ratio * ratio + ratio + 1);
	return [ratio * other - PADDING, other - PADDING];
}

/** Whether the time of a segment never runs backwards. */
function isForward(out: number, into: number): boolean {
	if (out <= 1 && into <= 1) return true;
	const a = out + LEAST_PADDING;
	const b = into + LEAST_PADDING;
	return a * a + b * b - 2 * (a + b) + a * b + 1 <= 0;
}

function cubic(p0: number, p1: number, p2: number, p3: number, u: number): number {
	const c3 = -p0 + 3 * p1 - 3 * p2 + p3;
	const c2 = 3 * p0 - 6 * p1 + 3 * p2;
	const c1 = -3 * p0 + 3 * p1;
	return u * (u * (u * c3 + c2) + c1) + p0;
}

/** The parameter at which a cubic that never runs backwards reaches `time`. */
function parameterAt(t0: number, t1: number, t2: number, t3: number, time: number): number {
	let low = 0;
	let high = 1;
	let u = (time - t0) / (t3 - t0);
	for (let i = 0; i < 80; i++) {
		const error = cubic(t0, t1, t2, t3, u) - time;
		if (error === 0) return u;
		if (error > 0) high = u;
		else low = u;
		const slope = 3 * ((1 - u) * (1 - u) * (t1 - t0) + 2 * u * (1 - u) * (t2 - t1) + u * u * (t3 - t2));
		const next = slope === 0 ? Number.NaN : u - error / slope;
		const step = next > low && next < high ? next : (low + high) / 2;
		if (step === u) return u;
		u = step;
	}
	return u;
}

function extrapolate(
	spline: Spline,
	knots: readonly SplineKnot[],
	time: number,
	isBefore: boolean,
): number | undefined {
	const side: Extrapolation = isBefore ? spline.pre : spline.post;
	const knot = isBefore ? knots[0]! : knots[knots.length - 1]!;
	const value = isBefore ? preValueOf(knot) : knot.value;
	switch (side.mode) {
		case 'none':
			return undefined;
		case 'held':
			return value;
		case 'sloped':
			return value + (side.slope ?? 0) * (time - knot.time);
		case 'linear':
			return value + endSlope(spline, knots, isBefore) * (time - knot.time);
		default:
			return looped(spline, knots, time, isBefore, side);
	}
}

/** The slope with which a curve leaves its first or last knot. */
function endSlope(spline: Spline, knots: readonly SplineKnot[], isBefore: boolean): number {
	if (knots.length === 1) return 0;
	const a = isBefore ? knots[0]! : knots[knots.length - 2]!;
	const b = isBefore ? knots[1]! : knots[knots.length - 1]!;
	if ((isBefore ? a : b).preValue !== undefined) return 0;
	switch (a.interpolation) {
		case 'linear':
			return (preValueOf(b) - a.value) / (b.time - a.time);
		case 'curve':
			return isBefore ? a.post.slope : b.pre.slope;
		default:
			void spline;
			return 0;
	}
}

function looped(
	spline: Spline,
	knots: readonly SplineKnot[],
	time: number,
	isBefore: boolean,
	side: Extrapolation,
): number | undefined {
	const lastKnot = knots[knots.length - 1]!;
	let start = knots[0]!.time;
	let end = lastKnot.time;
	if (side.loopBoundary !== undefined) {
		if (isBefore) end = side.loopBoundary;
		else start = side.loopBoundary;
	}
	const span = end - start;
	if (!(span > 0)) return isBefore ? preValueOf(knots[0]!) : lastKnot.value;
	const turns = Math.floor((time - start) / span);
	let local = time - turns * span;
	// on its way back a curve comes to its knots from the other side
	const isReversed = side.mode === 'loop oscillate' && Math.abs(turns) % 2 === 1;
	if (isReversed) local = start + end - local;
	const value = isReversed ? evaluateFromBefore(spline, knots, local) : evaluateKnots(spline, knots, local);
	if (value === undefined || side.mode !== 'loop repeat') return value;
	// knots with two values count with the one on the side of the extrapolation
	const outer = (knot: SplineKnot): number => (isBefore ? preValueOf(knot) : knot.value);
	const first = start === knots[0]!.time ? outer(knots[0]!) : (evaluateKnots(spline, knots, start) ?? 0);
	const last = end === lastKnot.time ? outer(lastKnot) : (evaluateKnots(spline, knots, end) ?? 0);
	return value + turns * (last - first);
}

/** A spline in the time of the stage: times and widths are mapped, slopes follow, values that are times too. */
export function retimeSpline(spline: Spline, offset: LayerOffset): Spline {
	if (isIdentityOffset(offset)) return spline;
	const { scale } = offset;
	const time = (t: number): number => mapTime(offset, t);
	const value = (v: number): number => (spline.valueType === 'timecode' ? time(v) : spline.timeValued ? v * scale : v);
	const slope = (s: number): number => (spline.timeValued ? s : s / scale);
	const tangent = (side: SplineTangent): SplineTangent => ({
		...side,
		width: side.width * scale,
		// slopes of tangents have the precision of the values
		slope: splineNumber(spline, slope(side.slope)).data as number,
	});
	const end = (side: Extrapolation): Extrapolation => ({
		...side,
		...(side.slope === undefined ? {} : { slope: slope(side.slope) }),
		...(side.loopBoundary === undefined ? {} : { loopBoundary: time(side.loopBoundary) }),
	});
	const { loop } = spline;
	return {
		...spline,
		pre: end(spline.pre),
		post: end(spline.post),
		...(loop === undefined
			? {}
			: {
					loop: {
						...loop,
						protoStart: time(loop.protoStart),
						protoEnd: time(loop.protoEnd),
						valueOffset: spline.timeValued ? loop.valueOffset * scale : loop.valueOffset,
					},
				}),
		knots: spline.knots.map((knot) => ({
			...knot,
			time: time(knot.time),
			value: value(knot.value),
			...(knot.preValue === undefined ? {} : { preValue: value(knot.preValue) }),
			pre: tangent(knot.pre),
			post: tangent(knot.post),
		})),
	};
}

/** The knots with the repetitions of the inner loop written out. */
function bakeInnerLoops(spline: Spline): readonly SplineKnot[] {
	const { loop, knots } = spline;
	if (loop === undefined) return knots;
	const { protoStart, protoEnd, preLoopCount, postLoopCount, valueOffset } = loop;
	const span = protoEnd - protoStart;
	const proto = knots.filter((knot) => knot.time >= protoStart && knot.time < protoEnd);
	if (!(span > 0) || proto[0]?.time !== protoStart) return knots;
	const from = protoStart - preLoopCount * span;
	const to = protoEnd + postLoopCount * span;
	const shifted = (knot: SplineKnot, turn: number): SplineKnot => ({
		...knot,
		time: knot.time + turn * span,
		value: knot.value + turn * valueOffset,
		...(knot.preValue === undefined ? {} : { preValue: knot.preValue + turn * valueOffset }),
	});
	const baked = knots.filter((knot) => knot.time < from);
	const before = baked.length;
	for (let turn = -preLoopCount; turn <= postLoopCount; turn++) {
		for (const knot of proto) baked.push(shifted(knot, turn));
	}
	// a knot where the repetitions begin keeps the side that faces away from them
	const met = preLoopCount > 0 ? knots.find((knot) => knot.time === from) : undefined;
	if (met !== undefined) baked[before] = { ...baked[before]!, preValue: met.preValue ?? met.value, pre: met.pre };
	const echo = shifted(proto[0]!, postLoopCount + 1);
	const last = knots[knots.length - 1]!;
	baked.push(last.time === to ? last : echo);
	baked.push(...knots.filter((knot) => knot.time > to));
	return baked;
}
