import { lookAhead, poses, rates, speeds } from './layout';
import { num, put3, putNum } from './memory';
import {
	ARM,
	AXES,
	BALL_MIDDLE,
	BALL_RADIUS,
	BODY,
	BOX,
	COM,
	GAP,
	KIND,
	LOCAL,
	LOWER,
	MARGIN,
	MEASURED,
	PLACED,
	PLANE,
	POSE,
	UPPER,
	VELOCITY,
} from './solids';

/** Where shapes are, and how fast, as `ShapeFrames` and `NarrowPhase` of the host have it. */

let call: i32 = 0;

/** Begins a world: no shape is placed yet. */
export function beginFrames(): void {
	call++;
}

/** Address of the pose of the body of a solid. */
export function poseOf(solid: usize): usize {
	return poses + load<i32>(solid, BODY) * 56;
}

/** Places a solid, once in a world. */
export function place(solid: usize): void {
	const placed = load<i32>(solid, PLACED);
	if (placed != call && placed != FOR_GOOD) placeAnew(solid);
}

/** Call of solids that are placed for good: those that do not move, until the host writes them again. */
const FOR_GOOD: i32 = -1;

function placeAnew(solid: usize): void {
	const body = load<i32>(solid, BODY);
	store<i32>(solid, body < 0 ? FOR_GOOD : call, PLACED);
	const x = load<f64>(solid, LOCAL);
	const y = load<f64>(solid, LOCAL + 8);
	const z = load<f64>(solid, LOCAL + 16);
	let qx = load<f64>(solid, LOCAL + 24);
	let qy = load<f64>(solid, LOCAL + 32);
	let qz = load<f64>(solid, LOCAL + 40);
	let qw = load<f64>(solid, LOCAL + 48);
	if (body < 0) put3(solid, x, y, z);
	else {
		placeOrigin(solid, x, y, z, solid);
		const pose = poseOf(solid);
		const ax = load<f64>(pose, 24);
		const ay = load<f64>(pose, 32);
		const az = load<f64>(pose, 40);
		const aw = load<f64>(pose, 48);
		const bx = qx;
		const by = qy;
		const bz = qz;
		const bw = qw;
		qx = aw * bx + ax * bw + ay * bz - az * by;
		qy = aw * by - ax * bz + ay * bw + az * bx;
		qz = aw * bz + ax * by - ay * bx + az * bw;
		qw = aw * bw - ax * bx - ay * by - az * bz;
	}
	const squared = qx * qx + qy * qy + qz * qz + qw * qw;
	if (squared != 1 && squared > 0) {
		const scale = 1 / Math.sqrt(squared);
		qx = qx * scale;
		qy = qy * scale;
		qz = qz * scale;
		qw = qw * scale;
	}
	put3(solid + AXES, 1 - 2 * (qy * qy + qz * qz), 2 * (qx * qy + qw * qz), 2 * (qx * qz - qw * qy));
	put3(solid + AXES + 24, 2 * (qx * qy - qw * qz), 1 - 2 * (qx * qx + qz * qz), 2 * (qy * qz + qw * qx));
	put3(solid + AXES + 48, 2 * (qx * qz + qw * qy), 2 * (qy * qz - qw * qx), 1 - 2 * (qx * qx + qy * qy));
	bound(solid);
}

/** Writes where a point of the body of a solid is in the world. */
export function placeOrigin(solid: usize, x: f64, y: f64, z: f64, out: usize): void {
	const pose = poseOf(solid);
	const qx = load<f64>(pose, 24);
	const qy = load<f64>(pose, 32);
	const qz = load<f64>(pose, 40);
	const qw = load<f64>(pose, 48);
	const tx = 2 * (qy * z - qz * y);
	const ty = 2 * (qz * x - qx * z);
	const tz = 2 * (qx * y - qy * x);
	put3(
		out,
		load<f64>(pose) + x + qw * tx + (qy * tz - qz * ty),
		load<f64>(pose, 8) + y + qw * ty + (qz * tx - qx * tz),
		load<f64>(pose, 16) + z + qw * tz + (qx * ty - qy * tx),
	);
}

const MIDDLE: usize = memory.data(24, 16);

/** Whether the ball around a solid, as far as it may go, stays clear of a plane that does not move. */
export function isBallAbove(plane: usize, solid: usize): bool {
	const x = load<f64>(solid, BALL_MIDDLE);
	const y = load<f64>(solid, BALL_MIDDLE + 8);
	const z = load<f64>(solid, BALL_MIDDLE + 16);
	if (load<i32>(solid, BODY) < 0) put3(MIDDLE, x, y, z);
	else placeOrigin(solid, x, y, z, MIDDLE);
	const height =
		(load<f64>(MIDDLE) - load<f64>(plane)) * load<f64>(plane, AXES + 48) +
		(load<f64>(MIDDLE, 8) - load<f64>(plane, 8)) * load<f64>(plane, AXES + 56) +
		(load<f64>(MIDDLE, 16) - load<f64>(plane, 16)) * load<f64>(plane, AXES + 64);
	const reach = load<f64>(solid, BALL_RADIUS) + load<f64>(plane, MARGIN) + load<f64>(plane, GAP);
	return height > SLACK * (reach + wayOf(solid));
}

/** Share that distances may be wrong by, by rounding. */
const SLACK: f64 = 1 + 1e-9;

/** How far points of a solid may go in the time that is looked ahead [m]. */
function wayOf(solid: usize): f64 {
	const horizon = num(lookAhead, 0);
	const body = load<i32>(solid, BODY);
	if (!(horizon > 0) || body < 0) return 0;
	const sweep = num(speeds, 2 * body + 1) * load<f64>(solid, ARM);
	return f64.min(num(lookAhead, 1), horizon * (num(speeds, 2 * body) + sweep));
}

/** Puts a box around a solid, as far as it may go. */
function bound(solid: usize): void {
	const box = solid + BOX;
	if (load<i32>(solid, KIND) == PLANE) {
		// planes with an end are boxes of the host
		for (let k = 0; k < 6; k++) putNum(box, k, -Infinity);
		return;
	}
	const grow = load<f64>(solid, MARGIN) + load<f64>(solid, GAP) + wayOf(solid);
	const mx = 0.5 * (load<f64>(solid, LOWER) + load<f64>(solid, UPPER));
	const my = 0.5 * (load<f64>(solid, LOWER + 8) + load<f64>(solid, UPPER + 8));
	const mz = 0.5 * (load<f64>(solid, LOWER + 16) + load<f64>(solid, UPPER + 16));
	const hx = 0.5 * (load<f64>(solid, UPPER) - load<f64>(solid, LOWER));
	const hy = 0.5 * (load<f64>(solid, UPPER + 8) - load<f64>(solid, LOWER + 8));
	const hz = 0.5 * (load<f64>(solid, UPPER + 16) - load<f64>(solid, LOWER + 16));
	const r = solid + AXES;
	for (let k = 0; k < 3; k++) {
		const x = num(r, k);
		const y = num(r, 3 + k);
		const z = num(r, 6 + k);
		const center = num(solid, k) + mx * x + my * y + mz * z;
		const half = grow + hx * Math.abs(x) + hy * Math.abs(y) + hz * Math.abs(z);
		putNum(box, 2 * k, center - half);
		putNum(box, 2 * k + 1, -(center + half));
	}
}

/** Whether the boxes of two solids overlap. */
export function overlap(a: usize, b: usize): bool {
	return v128.all_true<i64>(v128.and(isWithin(a, b, 0), v128.and(isWithin(a, b, 16), isWithin(a, b, 32))));
}

/** Along an axis: whether the first box begins before the second ends, and the second before the first ends. */
function isWithin(a: usize, b: usize, axis: usize): v128 {
	const own = v128.load(a + axis, BOX);
	const its = v128.load(b + axis, BOX);
	return f64x2.le(own, f64x2.neg(v128.shuffle<i64>(its, its, 1, 0)));
}

/** Sets the velocity of the origin of a solid, once in a world. */
export function measureVelocity(solid: usize): void {
	if (load<i32>(solid, MEASURED) != call) measureAnew(solid);
}

function measureAnew(solid: usize): void {
	store<i32>(solid, call, MEASURED);
	put3(solid + VELOCITY, 0, 0, 0);
	addVelocity(solid, solid + POSE, 1, solid + VELOCITY);
}

/** Adds the velocity of a point of a solid, times `sign`. */
export function addVelocity(solid: usize, point: usize, sign: f64, to: usize): void {
	const body = load<i32>(solid, BODY);
	if (body < 0) return;
	const pose = poseOf(solid);
	// from the centre of mass, which the velocities of bodies are of
	const x = load<f64>(solid, COM);
	const y = load<f64>(solid, COM + 8);
	const z = load<f64>(solid, COM + 16);
	const qx = load<f64>(pose, 24);
	const qy = load<f64>(pose, 32);
	const qz = load<f64>(pose, 40);
	const qw = load<f64>(pose, 48);
	const tx = 2 * (qy * z - qz * y);
	const ty = 2 * (qz * x - qx * z);
	const tz = 2 * (qx * y - qy * x);
	const rx = load<f64>(point) - load<f64>(pose) - (x + qw * tx + (qy * tz - qz * ty));
	const ry = load<f64>(point, 8) - load<f64>(pose, 8) - (y + qw * ty + (qz * tx - qx * tz));
	const rz = load<f64>(point, 16) - load<f64>(pose, 16) - (z + qw * tz + (qx * ty - qy * tx));
	const rate = rates + body * 48;
	const wx = load<f64>(rate, 24);
	const wy = load<f64>(rate, 32);
	const wz = load<f64>(rate, 40);
	put3(
		to,
		load<f64>(to) + sign * (load<f64>(rate) + wy * rz - wz * ry),
		load<f64>(to, 8) + sign * (load<f64>(rate, 8) + wz * rx - wx * rz),
		load<f64>(to, 16) + sign * (load<f64>(rate, 16) + wx * ry - wy * rx),
	);
}

/** Writes a world point in the frame of the body of a solid; as it is for the world. */
export function toBody(solid: usize, point: usize, out: usize): void {
	const x = load<f64>(point);
	const y = load<f64>(point, 8);
	const z = load<f64>(point, 16);
	if (load<i32>(solid, BODY) < 0) {
		put3(out, x, y, z);
		return;
	}
	const pose = poseOf(solid);
	directionToBody(solid, x - load<f64>(pose), y - load<f64>(pose, 8), z - load<f64>(pose, 16), out);
}

/** Writes a direction of the world in the frame of the body of a solid; as it is for the world. */
export function directionToBody(solid: usize, x: f64, y: f64, z: f64, out: usize): void {
	if (load<i32>(solid, BODY) < 0) {
		put3(out, x, y, z);
		return;
	}
	const pose = poseOf(solid);
	const qx = -load<f64>(pose, 24);
	const qy = -load<f64>(pose, 32);
	const qz = -load<f64>(pose, 40);
	const qw = load<f64>(pose, 48);
	const cx = qy * z - qz * y;
	const cy = qz * x - qx * z;
	const cz = qx * y - qy * x;
	put3(
		out,
		x + 2 * (qw * cx + qy * cz - qz * cy),
		y + 2 * (qw * cy + qz * cx - qx * cz),
		z + 2 * (qw * cz + qx * cy - qy * cx),
	);
}
