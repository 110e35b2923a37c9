import { BALL, kinds, lookAhead, poses, rates, shapePairs } from './layout';
import { int, num, putNum } from './memory';

/**
 * Which shapes of a world may touch: spheres around bodies with what they carry, then around each shape of bodies that come near. Balls on
 * planes are measured where they are.
 */

/** Numbers of a part: centre in the frame of its body, radius, and the arm that its turning moves points by at most. */
const PART: i32 = 5;
const RADIUS: i32 = 3;
const ARM: i32 = 4;
/** Numbers of a part in the world: centre, radius, speed. */
const SPEED: i32 = 4;
/** Numbers of the sphere around a shape: centre in the frame of its body, radius. */
const SHAPE: i32 = 4;
/** Share that distances may be wrong by, by rounding. */
const SLACK: f64 = 1 + 1e-9;

export let partCount: i32 = 0;
export let pairCount: i32 = 0;
/** Pairs of parts before this one have a plane of the world first. */
export let planeEnd: i32 = 0;
export let stretchCount: i32 = 0;

// tables by part
/** Body, -1 for what does not move. */
export let partBody: usize = 0;
export let parts: usize = 0;
/** Normals of planes. */
export let normals: usize = 0;
/** Parts in the world. */
export let placed: usize = 0;

// tables by pair of parts
export let pairs: usize = 0;
/** 1 for those that may touch. */
export let isNear: usize = 0;

// tables by stretch of pairs of shapes that belong to the same parts: the pair of parts, the first pair of shapes, and where they end
export let stretchParts: usize = 0;
export let stretchStart: usize = 0;
export let stretchEnd: usize = 0;

// tables by shape
export let shapeBody: usize = 0;
export let shapes: usize = 0;
/** Where their middles are, and the calls of `find` that they are of. */
export let middles: usize = 0;
export let middleCalls: usize = 0;

/** Pairs of shapes that may touch, ascending. */
export let near: usize = 0;

let call: i32 = 0;

/** Lists the pairs of shapes that may touch at the poses that the host has written. Gives their number. */
export function listNear(): i32 {
	const horizon = num(lookAhead, 0);
	const most = num(lookAhead, 1);
	for (let part = 0; part < partCount; part++) movePart(part, horizon);
	for (let i = 0; i < pairCount; i++) testParts(i, horizon, most);
	call++;
	let count = 0;
	for (let i = 0; i < stretchCount; i++) {
		const own = int(stretchParts, i);
		if (int(isNear, own) == 0) continue;
		const end = int(stretchEnd, i);
		for (let pair = int(stretchStart, i); pair < end; pair++) {
			if (int(kinds, pair) != BALL && areClear(own, pair, horizon, most)) continue;
			store<i32>(near + (count << 2), pair);
			count++;
		}
	}
	return count;
}

/** Takes a part to where its body is, with the most that its points may be faster than those of the world. */
function movePart(part: i32, horizon: f64): void {
	const from = parts + ((PART * part) << 3);
	const to = placed + ((PART * part) << 3);
	const body = int(partBody, part);
	moveMiddle(from, to, body);
	putNum(to, RADIUS, num(from, RADIUS));
	let speed = 0.0;
	if (body >= 0 && horizon > 0) {
		const rate = rates + ((6 * body) << 3);
		const vx = num(rate, 0);
		const vy = num(rate, 1);
		const vz = num(rate, 2);
		const wx = num(rate, 3);
		const wy = num(rate, 4);
		const wz = num(rate, 5);
		speed = Math.sqrt(vx * vx + vy * vy + vz * vz) + Math.sqrt(wx * wx + wy * wy + wz * wz) * num(from, ARM);
	}
	putNum(to, SPEED, speed);
}

/** Takes a point to where its body is. */
function moveMiddle(from: usize, to: usize, body: i32): void {
	const x = num(from, 0);
	const y = num(from, 1);
	const z = num(from, 2);
	if (body < 0) {
		putNum(to, 0, x);
		putNum(to, 1, y);
		putNum(to, 2, z);
		return;
	}
	const pose = poses + ((7 * body) << 3);
	const qx = num(pose, 3);
	const qy = num(pose, 4);
	const qz = num(pose, 5);
	const qw = num(pose, 6);
	const cx = qy * z - qz * y;
	const cy = qz * x - qx * z;
	const cz = qx * y - qy * x;
	putNum(to, 0, num(pose, 0) + x + 2 * (qw * cx + qy * cz - qz * cy));
	putNum(to, 1, num(pose, 1) + y + 2 * (qw * cy + qz * cx - qx * cz));
	putNum(to, 2, num(pose, 2) + z + 2 * (qw * cz + qx * cy - qy * cx));
}

function testParts(i: i32, horizon: f64, most: f64): void {
	const first = int(pairs, 2 * i);
	const a = placed + ((PART * first) << 3);
	const b = placed + ((PART * int(pairs, 2 * i + 1)) << 3);
	const way = Math.min(most, horizon * (num(a, SPEED) + num(b, SPEED)));
	const reach = SLACK * (num(a, RADIUS) + num(b, RADIUS) + way);
	store<i32>(isNear + (i << 2), isBeyond(a, b, reach, i < planeEnd ? first : -1) ? 0 : 1);
}

/** Whether two points are farther apart than they reach, from each other or from the plane of a part. */
function isBeyond(a: usize, b: usize, reach: f64, plane: i32): bool {
	const dx = num(b, 0) - num(a, 0);
	const dy = num(b, 1) - num(a, 1);
	const dz = num(b, 2) - num(a, 2);
	if (plane < 0) return dx * dx + dy * dy + dz * dz > reach * reach;
	const normal = normals + ((3 * plane) << 3);
	return dx * num(normal, 0) + dy * num(normal, 1) + dz * num(normal, 2) > reach;
}

/** Whether the spheres of two shapes, whose parts are a pair, stay clear of each other. */
function areClear(own: i32, pair: i32, horizon: f64, most: f64): bool {
	const a = int(shapePairs, 2 * pair);
	const b = int(shapePairs, 2 * pair + 1);
	moveShape(a);
	moveShape(b);
	const first = int(pairs, 2 * own);
	const second = int(pairs, 2 * own + 1);
	const way = Math.min(most, horizon * (num(placed, PART * first + SPEED) + num(placed, PART * second + SPEED)));
	const reach = SLACK * (num(shapes, SHAPE * a + RADIUS) + num(shapes, SHAPE * b + RADIUS) + way);
	return isBeyond(middles + ((3 * a) << 3), middles + ((3 * b) << 3), reach, own < planeEnd ? first : -1);
}

/** Takes the middle of a shape to where its body is, once a call. */
function moveShape(shape: i32): void {
	if (int(middleCalls, shape) == call) return;
	store<i32>(middleCalls + (shape << 2), call);
	moveMiddle(shapes + ((SHAPE * shape) << 3), middles + ((3 * shape) << 3), int(shapeBody, shape));
}
