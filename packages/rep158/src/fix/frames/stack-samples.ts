import { type Prim, T } from '@manyworlds/usd';
import { dataOf, xformOps } from '@manyworlds/usd/internal';
import type { StackParts } from './xform-stack.ts';

/** A stack at a time, with what its transform does besides turning and moving. */
export interface StackSample {
	readonly time: number;
	readonly parts: StackParts;
	readonly stretch: Float64Array;
}

/** The stack of a prim at a time; undefined when there is none. */
export type MakeStack = (time: number) => Omit<StackSample, 'time'> | undefined;

/** Times at which some operation of a prim has a sample or a knot, ascending; or why samples cannot stand for them. */
export function stackTimes(prim: Prim): number[] | string {
	const times = new Set<number>();
	for (const { attribute } of xformOps(prim).ops) {
		const { source } = attribute.resolveInfo();
		if (source === 'valueClips') return `${attribute.name} has its values in clips`;
		const spline = dataOf(attribute.spline(), T.spline);
		if (spline === undefined) {
			for (const time of attribute.timeSamples()) times.add(time);
			continue;
		}
		const isEndless = [spline.pre, spline.post].some(({ mode }) => mode !== 'held' && mode !== 'none');
		if (isEndless || spline.loop !== undefined) return `the spline of ${attribute.name} goes on beyond its knots`;
		const jumps = spline.knots.some(({ interpolation, preValue }, i) => {
			const isLast = i === spline.knots.length - 1;
			return preValue !== undefined || (!isLast && (interpolation === 'held' || interpolation === 'none'));
		});
		if (jumps) return `the spline of ${attribute.name} jumps`;
		for (const { time } of spline.knots) times.add(time);
	}
	return [...times].sort((a, b) => a - b);
}

/** Largest turn between a stack and what interpolation makes of its neighbours, in radians. */
const MOST_TURN = (0.1 * Math.PI) / 180;
/** Largest distance, as a share of how far the stack moves between two given times. */
const MOST_DISTANCE = 1e-3;
/** How often the time between two given ones is halved at most. */
const MOST_HALVINGS = 7;
/** Where between two samples interpolation is looked at; no whole turns fall on all of them. */
const SHARES: readonly number[] = [0.21, 0.5, 0.68];

/**
 * Samples of a stack at given times, with more in between where interpolating quaternions and positions would go other ways than the
 * operations do. Undefined when there is no stack at some time.
 */
export function sampleStack(times: readonly number[], make: MakeStack): StackSample[] | undefined {
	const found: StackSample[] = [];
	for (const time of times) {
		const made = make(time);
		if (made === undefined) return undefined;
		found.push({ time, ...made });
	}
	const refined: StackSample[] = [];
	for (const [i, sample] of found.entries()) {
		refined.push(sample);
		const next = found[i + 1];
		if (next === undefined) break;
		const reach = reachOf(sample, next, make);
		if (reach === undefined || !refine(sample, next, make, reach * MOST_DISTANCE, refined, MOST_HALVINGS)) {
			return undefined;
		}
	}
	// neighbouring quaternions lie on one side, so that nothing turns the long way round
	for (let i = 1; i < refined.length; i++) {
		const { parts } = refined[i]!;
		if (dot4(parts.orient, refined[i - 1]!.parts.orient) >= 0) continue;
		refined[i] = { ...refined[i]!, parts: { ...parts, orient: parts.orient.map((x) => -x + 0) } };
	}
	return refined;
}

/** How far a stack gets between two samples. */
function reachOf(a: StackSample, b: StackSample, make: MakeStack): number | undefined {
	let reach = distance(a.parts.translate, b.parts.translate);
	for (const share of SHARES) {
		const made = make(a.time + share * (b.time - a.time));
		if (made === undefined) return undefined;
		reach = Math.max(reach, distance(a.parts.translate, made.parts.translate));
	}
	return reach;
}

function refine(
	a: StackSample,
	b: StackSample,
	make: MakeStack,
	most: number,
	out: StackSample[],
	depth: number,
): boolean {
	if (depth === 0) return true;
	let isGood = true;
	for (const share of SHARES) {
		const made = make(a.time + share * (b.time - a.time));
		if (made === undefined) return false;
		const orient = slerp(a.parts.orient, b.parts.orient, share);
		const turn = 2 * Math.acos(Math.min(1, Math.abs(dot4(orient, made.parts.orient))));
		const moved = a.parts.translate.map((x, k) => x + share * (b.parts.translate[k]! - x));
		isGood &&= turn <= MOST_TURN && distance(moved, made.parts.translate) <= most + 1e-12;
	}
	if (isGood) return true;
	const time = (a.time + b.time) / 2;
	const middle = make(time);
	if (middle === undefined) return false;
	const sample = { time, ...middle };
	if (!refine(a, sample, make, most, out, depth - 1)) return false;
	out.push(sample);
	return refine(sample, b, make, most, out, depth - 1);
}

function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
	return Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!);
}

function dot4(a: ArrayLike<number>, b: ArrayLike<number>): number {
	return a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]! + a[3]! * b[3]!;
}

/** A rotation between two, the short way, at even speed. */
function slerp(a: Float64Array, b: Float64Array, share: number): Float64Array {
	const cosine = dot4(a, b);
	const sign = cosine < 0 ? -1 : 1;
	const angle = Math.acos(Math.min(1, Math.abs(cosine)));
	const sine = Math.sin(angle);
	if (sine < 1e-9) return a;
	const [p, q] = [Math.sin((1 - share) * angle) / sine, (Math.sin(share * angle) / sine) * sign];
	return a.map((x, i) => p * x + q * b[i]!);
}
