import { CYLINDER, kindOf, SIZE } from './solids';

/** Distance of a segment from a box or a cylinder in the frame of that shape, as `SegmentDistance` of the host finds it. */

const MOST_STEPS: i32 = 100;

/** Middle of the segment and the way from there to its end; the caller sets them. */
let cx: f64 = 0;
let cy: f64 = 0;
let cz: f64 = 0;
let ux: f64 = 0;
let uy: f64 = 0;
let uz: f64 = 0;
/** Where the nearest point is: -1 to 1. */
export let t: f64 = 0;
/** The way to it from the nearest point of the shape. */
export let ex: f64 = 0;
export let ey: f64 = 0;
export let ez: f64 = 0;

let x: f64 = 0;
let y: f64 = 0;
let hx: f64 = 0;
let hy: f64 = 0;
let hz: f64 = 0;
let isRound: bool = false;
let slope: f64 = 0;
let low: f64 = 0;
let high: f64 = 0;
let lowSlope: f64 = 0;
let highSlope: f64 = 0;
let flatLow: f64 = 0;
let flatHigh: f64 = 0;

export function setSegment(ax: f64, ay: f64, az: f64, bx: f64, by: f64, bz: f64): void {
	cx = ax;
	cy = ay;
	cz = az;
	ux = bx;
	uy = by;
	uz = bz;
}

/** Finds the nearest points for the segment and a box or cylinder. Gives their distance, 0 when they meet. */
export function segmentDistance(solid: usize): f64 {
	isRound = kindOf(solid) == CYLINDER;
	hx = load<f64>(solid, SIZE);
	hy = load<f64>(solid, SIZE + 8);
	hz = isRound ? hy : load<f64>(solid, SIZE + 16);
	find();
	return Math.sqrt(ex * ex + ey * ey + ez * ez);
}

function find(): void {
	t = -1;
	measure();
	if (slope > 0) return;
	low = -1;
	lowSlope = slope;
	flatLow = slope == 0 ? -1 : 1;
	flatHigh = -1;
	t = 1;
	measure();
	if (slope < 0) return;
	high = 1;
	highSlope = slope;
	if (slope == 0) flatHigh = 1;
	bracket();
	if (flatLow <= flatHigh) t = 0.5 * (flatLow + flatHigh);
	else t = low - (lowSlope * (high - low)) / (highSlope - lowSlope);
	measure();
	// beside the rim the slope is bent
	if (isRound && ez != 0 && (ex != 0 || ey != 0) && slope != 0) refine();
}

/** Cuts the interval where the segment passes from one region to another. */
function bracket(): void {
	cutBetween(cz, uz, hz);
	if (!isRound) {
		cutBetween(cx, ux, hx);
		cutBetween(cy, uy, hy);
		return;
	}
	const a = ux * ux + uy * uy;
	if (!(a > 0)) return;
	const middle = -(cx * ux + cy * uy) / a;
	cutAt(middle);
	const across = cx * uy - cy * ux;
	const rest = hx * hx * a - across * across;
	if (!(rest > 0)) return;
	const half = Math.sqrt(rest) / a;
	cutAt(middle - half);
	cutAt(middle + half);
}

function cutBetween(c: f64, u: f64, h: f64): void {
	if (u == 0) return;
	cutAt((h - c) / u);
	cutAt((-h - c) / u);
}

function cutAt(place: f64): void {
	if (!(place > low && place < high)) return;
	t = place;
	measure();
	if (slope < 0) {
		low = place;
		lowSlope = slope;
	} else if (slope > 0) {
		high = place;
		highSlope = slope;
	} else {
		flatLow = f64.min(flatLow, place);
		flatHigh = f64.max(flatHigh, place);
	}
}

/** Newton's method for the root of the slope, kept between the ends. */
function refine(): void {
	for (let i = 0; i < MOST_STEPS; i++) {
		if (slope == 0) return;
		if (slope < 0) low = t;
		else high = t;
		const rho = Math.sqrt(x * x + y * y);
		const rise = (x * ux + y * uy) / rho;
		const bend = (ux * ux + uy * uy - rise * rise) / rho;
		let next = t - slope / (rise * rise + (rho - hx) * bend + uz * uz);
		if (!(next > low && next < high)) next = 0.5 * (low + high);
		const isDone = Math.abs(next - t) <= 1e-15;
		t = next;
		measure();
		if (isDone) return;
	}
}

/** Sets the point at `t`, its way from the shape, and the slope. */
function measure(): void {
	x = cx + t * ux;
	y = cy + t * uy;
	const z = cz + t * uz;
	ez = beyond(z, hz);
	if (isRound) {
		ex = 0;
		ey = 0;
		const squared = x * x + y * y;
		if (squared > hx * hx) {
			const share = 1 - hx / Math.sqrt(squared);
			ex = share * x;
			ey = share * y;
		}
	} else {
		ex = beyond(x, hx);
		ey = beyond(y, hy);
	}
	slope = ex * ux + ey * uy + ez * uz;
}

function beyond(x: f64, h: f64): f64 {
	return x > h ? x - h : x < -h ? x + h : 0;
}
