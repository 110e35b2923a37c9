import { lookAhead, poses, rates, speeds } from './layout';
import { int, num, put3, putNum } from './memory';

/** Which parts of a world may touch: spheres around bodies with what they carry, and around each shape that does not move. */

/** Numbers of a part: centre in the frame of its body, radius, and the arm that its turning moves points by at most. */
const PART: i32 = 5;
const RADIUS: i32 = 3;
const ARM: i32 = 4;
/** Share that distances may be wrong by, by rounding. */
const SLACK: f64 = 1 + 1e-9;

export let partCount: i32 = 0;
/** Body of each part, -1 for what does not move. */
export let partBody: usize = 0;
export let parts: usize = 0;
/** Normals of planes. */
export let normals: usize = 0;
/** Parts in the world: all x, all y, all z, then radii and speeds; each with room for this many. */
export let placed: usize = 0;
export let partRoom: i32 = 0;

/** Pairs of a plane of the world and another part. */
export let planePairs: usize = 0;
export let planePairCount: i32 = 0;
/** Rows of other pairs: a part, and the parts from an even one to before another one that it is tested against. */
export let partRows: usize = 0;
export let partRowCount: i32 = 0;
/** By pair, those with planes first: all bits where the parts stay clear of each other, else none. */
export let isClear: usize = 0;

const CENTRE: usize = memory.data(24, 16);

/** Finds which parts stay clear of each other at the poses that the host has written. */
export function testParts(): void {
	const horizon = num(lookAhead, 0);
	for (let part = 0; part < partCount; part++) movePart(part, horizon);
	const most = num(lookAhead, 1);
	for (let i = 0; i < planePairCount; i++) testPlane(i, horizon, most);
	let out = isClear + (planePairCount << 3);
	for (let i = 0; i < partRowCount; i++) out = testRow(i, horizon, most, out);
}

/** Whether the parts of a pair may touch. */
export function areNear(pair: i32): bool {
	return load<i32>(isClear + (pair << 3)) == 0;
}

/** Takes a part to where its body is, with the most that its points may be faster than those of the world. */
function movePart(part: i32, horizon: f64): void {
	const from = parts + ((PART * part) << 3);
	const body = int(partBody, part);
	let speed = 0.0;
	if (body < 0) put3(CENTRE, num(from, 0), num(from, 1), num(from, 2));
	else {
		moveCentre(from, poses + body * 56);
		if (horizon > 0) {
			const rate = rates + body * 48;
			const vx = num(rate, 0);
			const vy = num(rate, 1);
			const vz = num(rate, 2);
			const wx = num(rate, 3);
			const wy = num(rate, 4);
			const wz = num(rate, 5);
			const moving = Math.sqrt(vx * vx + vy * vy + vz * vz);
			const turning = Math.sqrt(wx * wx + wy * wy + wz * wz);
			putNum(speeds, 2 * body, moving);
			putNum(speeds, 2 * body + 1, turning);
			speed = moving + turning * num(from, ARM);
		}
	}
	for (let k = 0; k < 3; k++) putNum(placed, k * partRoom + part, num(CENTRE, k));
	putNum(placed, 3 * partRoom + part, num(from, RADIUS));
	putNum(placed, 4 * partRoom + part, speed);
}

/** Takes a point to where its body is. */
function moveCentre(from: usize, pose: usize): void {
	const x = num(from, 0);
	const y = num(from, 1);
	const z = num(from, 2);
	const qx = num(pose, 3);
	const qy = num(pose, 4);
	const qz = num(pose, 5);
	const qw = num(pose, 6);
	const cx = qy * z - qz * y;
	const cy = qz * x - qx * z;
	const cz = qx * y - qy * x;
	put3(
		CENTRE,
		num(pose, 0) + x + 2 * (qw * cx + qy * cz - qz * cy),
		num(pose, 1) + y + 2 * (qw * cy + qz * cx - qx * cz),
		num(pose, 2) + z + 2 * (qw * cz + qx * cy - qy * cx),
	);
}

function testPlane(i: i32, horizon: f64, most: f64): void {
	const plane = int(planePairs, 2 * i);
	const a = placed + (plane << 3);
	const b = placed + (int(planePairs, 2 * i + 1) << 3);
	const way = f64.min(most, horizon * (num(a, 4 * partRoom) + num(b, 4 * partRoom)));
	const reach = SLACK * (num(a, 3 * partRoom) + num(b, 3 * partRoom) + way);
	const normal = normals + ((3 * plane) << 3);
	const height =
		(num(b, 0) - num(a, 0)) * num(normal, 0) +
		(num(b, partRoom) - num(a, partRoom)) * num(normal, 1) +
		(num(b, 2 * partRoom) - num(a, 2 * partRoom)) * num(normal, 2);
	store<i64>(isClear + (i << 3), height > reach ? -1 : 0);
}

/** Tests a part against others, two at a time. Gives where the next row is written. */
function testRow(row: i32, horizon: f64, most: f64, to: usize): usize {
	const own = placed + (int(partRows, 3 * row) << 3);
	const bytes = partRoom << 3;
	const x = v128.load64_splat(own);
	const y = v128.load64_splat(own + bytes);
	const z = v128.load64_splat(own + 2 * bytes);
	const radius = v128.load64_splat(own + 3 * bytes);
	const speed = v128.load64_splat(own + 4 * bytes);
	const far = f64x2.splat(most);
	const time = f64x2.splat(horizon);
	const slack = f64x2.splat(SLACK);
	const end = placed + (int(partRows, 3 * row + 2) << 3);
	let out = to;
	for (let b = placed + (int(partRows, 3 * row + 1) << 3); b < end; b += 16) {
		const dx = f64x2.sub(v128.load(b), x);
		const dy = f64x2.sub(v128.load(b + bytes), y);
		const dz = f64x2.sub(v128.load(b + 2 * bytes), z);
		const way = f64x2.min(far, f64x2.mul(time, f64x2.add(speed, v128.load(b + 4 * bytes))));
		const reach = f64x2.mul(slack, f64x2.add(f64x2.add(radius, v128.load(b + 3 * bytes)), way));
		const squared = f64x2.add(f64x2.add(f64x2.mul(dx, dx), f64x2.mul(dy, dy)), f64x2.mul(dz, dz));
		v128.store(out, f64x2.gt(squared, f64x2.mul(reach, reach)));
		out += 16;
	}
	return out;
}
