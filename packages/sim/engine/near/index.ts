/**
 * Which shapes of a world may touch: spheres around bodies with what they carry, then around each shape of bodies that come near. Balls on
 * planes that stand still are measured at once. The host writes the tables once, poses and velocities of the bodies of a world before each call. Worlds share the tables.
 */

/** Numbers of a part: centre in the frame of its body, radius, and the arm that its turning moves points by at most. */
const PART: i32 = 5;
const RADIUS: i32 = 3;
const ARM: i32 = 4;
/** Numbers of a part in the world: centre, radius, speed. */
const SPEED: i32 = 4;
/** Numbers of the sphere around a shape: centre in the frame of its body, radius. */
const SHAPE: i32 = 4;
/** Numbers of a ball on a plane: a point and the normal of the plane, the ball's middle in its body, its radius, and when it is near. */
const BALL: i32 = 11;
const BALL_NORMAL: i32 = 3;
const BALL_MIDDLE: i32 = 6;
const BALL_RADIUS: i32 = 9;
const BALL_NEAR: i32 = 10;
/** Numbers of its contact: a point on the plane in the world, and one on the ball in its body. */
const CONTACT: i32 = 6;
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

// tables by pair of shapes
/** Two shapes; a plane comes first. */
export let shapePairs: usize = 0;
/** Ball on a plane that stands still, -1 for other pairs. */
export let ballOf: usize = 0;

// tables by shape
export let shapeBody: usize = 0;
export let shapes: usize = 0;
/** Where their middles are, and the calls of `find` that they are of. */
export let middles: usize = 0;
export let middleCalls: usize = 0;

// tables by ball on a plane
export let ballBody: usize = 0;
export let balls: usize = 0;

/** Poses and velocities of the bodies of the world. */
export let poses: usize = 0;
export let rates: usize = 0;
/** Time [s] that is looked ahead, and how far that may reach [m]. */
export let lookAhead: usize = 0;
/** Pairs of shapes that may touch, ascending. */
export let found: usize = 0;
/** By pair that was found: 1 for balls that touch, whose contact is known. */
export let isTouching: usize = 0;
export let contacts: usize = 0;

let call: i32 = 0;

/** First address that the host may use. */
export function heapStart(): usize {
	return __heap_base;
}

/** Lists the pairs of shapes that may touch at the poses that the host has written. Gives their number. */
export function find(): i32 {
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
			const ball = int(ballOf, pair);
			const touches = ball >= 0 && touch(ball, contacts + ((CONTACT * count) << 3));
			if (ball < 0 && areClear(own, pair, horizon, most)) continue;
			store<i32>(found + (count << 2), pair);
			store<i32>(isTouching + (count << 2), touches ? 1 : 0);
			count++;
		}
	}
	return count;
}

/** Whether a ball touches its plane at rest; writes the contact, as `NarrowPhase` does. */
function touch(ball: i32, to: usize): bool {
	const from = balls + ((BALL * ball) << 3);
	const body = int(ballBody, ball);
	const pose = poses + ((7 * body) << 3);
	const radius = num(from, BALL_RADIUS);
	let x = num(from, BALL_MIDDLE);
	let y = num(from, BALL_MIDDLE + 1);
	let z = num(from, BALL_MIDDLE + 2);
	let qx = 0.0;
	let qy = 0.0;
	let qz = 0.0;
	let qw = 1.0;
	if (body >= 0) {
		qx = num(pose, 3);
		qy = num(pose, 4);
		qz = num(pose, 5);
		qw = num(pose, 6);
		const tx = 2 * (qy * z - qz * y);
		const ty = 2 * (qz * x - qx * z);
		const tz = 2 * (qx * y - qy * x);
		x = num(pose, 0) + x + qw * tx + (qy * tz - qz * ty);
		y = num(pose, 1) + y + qw * ty + (qz * tx - qx * tz);
		z = num(pose, 2) + z + qw * tz + (qx * ty - qy * tx);
	}
	const nx = num(from, BALL_NORMAL);
	const ny = num(from, BALL_NORMAL + 1);
	const nz = num(from, BALL_NORMAL + 2);
	const distance = (x - num(from, 0)) * nx + (y - num(from, 1)) * ny + (z - num(from, 2)) * nz - radius;
	if (distance > num(from, BALL_NEAR)) return false;
	x -= radius * nx;
	y -= radius * ny;
	z -= radius * nz;
	putNum(to, 0, x - distance * nx);
	putNum(to, 1, y - distance * ny);
	putNum(to, 2, z - distance * nz);
	if (body >= 0) {
		x -= num(pose, 0);
		y -= num(pose, 1);
		z -= num(pose, 2);
		const cx = qz * y - qy * z;
		const cy = qx * z - qz * x;
		const cz = qy * x - qx * y;
		const bx = x + 2 * (qw * cx - qy * cz + qz * cy);
		const by = y + 2 * (qw * cy - qz * cx + qx * cz);
		z += 2 * (qw * cz - qx * cy + qy * cx);
		x = bx;
		y = by;
	}
	putNum(to, 3, x);
	putNum(to, 4, y);
	putNum(to, 5, z);
	return true;
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

function int(table: usize, index: i32): i32 {
	return load<i32>(table + (index << 2));
}

function num(array: usize, index: i32): f64 {
	return load<f64>(array + (index << 3));
}

function putNum(array: usize, index: i32, value: f64): void {
	store<f64>(array + (index << 3), value);
}
