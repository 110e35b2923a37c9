import { add, all, at, det, dot, int, mad, mul, nmad, none, put, sub } from './lanes';
import * as layout from './layout';
import { cosine, sine, turn } from './trigonometry';

export const HINGE: i32 = 0;
export const SLIDE: i32 = 1;
export const RIGID: i32 = 2;
export const FLOATING: i32 = 3;

/** Constants of a joint, and where the axes of joints of several stand among them. */
export const JOINT_CONSTANTS: i32 = 38;
const AXES: i32 = 20;

/** Places all bodies and twists, as `TreePlacement` does. */
export function place(): void {
	for (let joint = 0; joint < layout.jointCount; joint++) {
		const kind = int(layout.kindOf, joint);
		const parent = int(layout.parentOf, joint);
		if (kind == HINGE && parent >= 0) placeHinge(joint, parent);
		else if (kind < FLOATING) placeSingle(joint, kind);
		else placeSeveral(joint);
	}
}

/** Axes of the world, as those of a body. */
const identity: usize = memory.data(144, 16);

/** Writes what is the same in every step. */
export function startKinematics(): void {
	for (let k = 0; k < 9; k++) put(identity, k, k % 4 == 0 ? all(1) : none());
}

/** A hinge that another body carries: most joints. What is read late need not be kept, so things come in the order of their use. */
function placeHinge(joint: i32, parent: i32): void {
	const k = layout.jointConstants + ((JOINT_CONSTANTS * joint) << 4);
	turn(mul(all(0.5), at(layout.coordinates, int(layout.coordinateOf, joint))));
	const matrix = layout.matrix + ((9 * parent) << 4);
	const position = layout.position + ((3 * parent) << 4);
	const twist = layout.twist + ((6 * int(layout.placeOf, joint)) << 4);
	const origin = layout.origin + ((3 * int(layout.treeOf, joint)) << 4);
	// pivot and axis in the world
	const x = at(k, 8);
	const y = at(k, 9);
	const z = at(k, 10);
	const ax = at(k, 17);
	const ay = at(k, 18);
	const az = at(k, 19);
	const r00 = at(matrix, 0);
	const r01 = at(matrix, 1);
	const r02 = at(matrix, 2);
	const hx = add(at(position, 0), dot(r00, r01, r02, x, y, z));
	const ux = dot(r00, r01, r02, ax, ay, az);
	put(twist, 0, ux);
	const r10 = at(matrix, 3);
	const r11 = at(matrix, 4);
	const r12 = at(matrix, 5);
	const hy = add(at(position, 1), dot(r10, r11, r12, x, y, z));
	const uy = dot(r10, r11, r12, ax, ay, az);
	put(twist, 1, uy);
	const r20 = at(matrix, 6);
	const r21 = at(matrix, 7);
	const r22 = at(matrix, 8);
	const hz = add(at(position, 2), dot(r20, r21, r22, x, y, z));
	const uz = dot(r20, r21, r22, ax, ay, az);
	put(twist, 2, uz);
	// about the origin of the tree
	const ox = sub(at(origin, 0), hx);
	const oy = sub(at(origin, 1), hy);
	const oz = sub(at(origin, 2), hz);
	put(twist, 3, det(uy, oz, uz, oy));
	put(twist, 4, det(uz, ox, ux, oz));
	put(twist, 5, det(ux, oy, uy, ox));
	const s = sine;
	const c = cosine;
	const tx = mad(s, at(k, 4), mul(c, at(k, 0)));
	const ty = mad(s, at(k, 5), mul(c, at(k, 1)));
	const tz = mad(s, at(k, 6), mul(c, at(k, 2)));
	const tw = mad(s, at(k, 7), mul(c, at(k, 3)));
	const rotation = layout.rotation + ((4 * parent) << 4);
	const ex = at(rotation, 0);
	const ey = at(rotation, 1);
	const ez = at(rotation, 2);
	const ew = at(rotation, 3);
	const qx = nmad(ez, ty, mad(ey, tz, mad(ex, tw, mul(ew, tx))));
	const qy = mad(ez, tx, mad(ey, tw, nmad(ex, tz, mul(ew, ty))));
	const qz = mad(ez, tw, nmad(ey, tx, mad(ex, ty, mul(ew, tz))));
	const qw = nmad(ez, tz, nmad(ey, ty, nmad(ex, tx, mul(ew, tw))));
	turnBody(joint, k, qx, qy, qz, qw, hx, hy, hz);
}

/** A joint of one axis or none. */
function placeSingle(joint: i32, kind: i32): void {
	const k = layout.jointConstants + ((JOINT_CONSTANTS * joint) << 4);
	const parent = int(layout.parentOf, joint);
	const isRoot = parent < 0;
	const matrix = isRoot ? identity : layout.matrix + ((9 * parent) << 4);
	const r00 = at(matrix, 0);
	const r01 = at(matrix, 1);
	const r02 = at(matrix, 2);
	const r10 = at(matrix, 3);
	const r11 = at(matrix, 4);
	const r12 = at(matrix, 5);
	const r20 = at(matrix, 6);
	const r21 = at(matrix, 7);
	const r22 = at(matrix, 8);
	let x = at(k, 8);
	let y = at(k, 9);
	let z = at(k, 10);
	let hx = dot(r00, r01, r02, x, y, z);
	let hy = dot(r10, r11, r12, x, y, z);
	let hz = dot(r20, r21, r22, x, y, z);
	let ex = none();
	let ey = none();
	let ez = none();
	let ew = all(1);
	if (!isRoot) {
		const position = layout.position + ((3 * parent) << 4);
		hx = add(at(position, 0), hx);
		hy = add(at(position, 1), hy);
		hz = add(at(position, 2), hz);
		const rotation = layout.rotation + ((4 * parent) << 4);
		ex = at(rotation, 0);
		ey = at(rotation, 1);
		ez = at(rotation, 2);
		ew = at(rotation, 3);
	}
	let tx = at(k, 0);
	let ty = at(k, 1);
	let tz = at(k, 2);
	let tw = at(k, 3);
	let ux = none();
	let uy = none();
	let uz = none();
	if (kind != RIGID) {
		x = at(k, 17);
		y = at(k, 18);
		z = at(k, 19);
		ux = dot(r00, r01, r02, x, y, z);
		uy = dot(r10, r11, r12, x, y, z);
		uz = dot(r20, r21, r22, x, y, z);
		const q = at(layout.coordinates, int(layout.coordinateOf, joint));
		if (kind == HINGE) {
			turn(mul(all(0.5), q));
			const s = sine;
			const c = cosine;
			tx = mad(s, at(k, 4), mul(c, tx));
			ty = mad(s, at(k, 5), mul(c, ty));
			tz = mad(s, at(k, 6), mul(c, tz));
			tw = mad(s, at(k, 7), mul(c, tw));
		} else {
			hx = mad(ux, q, hx);
			hy = mad(uy, q, hy);
			hz = mad(uz, q, hz);
		}
	}
	const qx = nmad(ez, ty, mad(ey, tz, mad(ex, tw, mul(ew, tx))));
	const qy = mad(ez, tx, mad(ey, tw, nmad(ex, tz, mul(ew, ty))));
	const qz = mad(ez, tw, nmad(ey, tx, mad(ex, ty, mul(ew, tz))));
	const qw = nmad(ez, tz, nmad(ey, ty, nmad(ex, tx, mul(ew, tw))));
	finish(joint, k, qx, qy, qz, qw, hx, hy, hz);
	if (kind == RIGID) return;
	const t = 6 * int(layout.placeOf, joint);
	if (kind == HINGE) {
		putAngular(t, int(layout.treeOf, joint), ux, uy, uz, hx, hy, hz);
	} else {
		putLinear(t, ux, uy, uz);
	}
}

/** A floating joint, a ball, or a joint of several axes. */
function placeSeveral(joint: i32): void {
	const k = layout.jointConstants + ((JOINT_CONSTANTS * joint) << 4);
	const parent = int(layout.parentOf, joint);
	let ax = at(k, 0);
	let ay = at(k, 1);
	let az = at(k, 2);
	let aw = at(k, 3);
	let x = at(k, 8);
	let y = at(k, 9);
	let z = at(k, 10);
	let hx = x;
	let hy = y;
	let hz = z;
	if (parent >= 0) {
		const ex = at(layout.rotation, 4 * parent);
		const ey = at(layout.rotation, 4 * parent + 1);
		const ez = at(layout.rotation, 4 * parent + 2);
		const ew = at(layout.rotation, 4 * parent + 3);
		const bx = nmad(ez, ay, mad(ey, az, mad(ex, aw, mul(ew, ax))));
		const by = mad(ez, ax, mad(ey, aw, nmad(ex, az, mul(ew, ay))));
		const bz = mad(ez, aw, nmad(ey, ax, mad(ex, ay, mul(ew, az))));
		aw = nmad(ez, az, nmad(ey, ay, nmad(ex, ax, mul(ew, aw))));
		ax = bx;
		ay = by;
		az = bz;
		const p = 9 * parent;
		hx = add(
			at(layout.position, 3 * parent),
			dot(at(layout.matrix, p), at(layout.matrix, p + 1), at(layout.matrix, p + 2), x, y, z),
		);
		hy = add(
			at(layout.position, 3 * parent + 1),
			dot(at(layout.matrix, p + 3), at(layout.matrix, p + 4), at(layout.matrix, p + 5), x, y, z),
		);
		hz = add(
			at(layout.position, 3 * parent + 2),
			dot(at(layout.matrix, p + 6), at(layout.matrix, p + 7), at(layout.matrix, p + 8), x, y, z),
		);
	}
	put(layout.frame, 4 * joint, ax);
	put(layout.frame, 4 * joint + 1, ay);
	put(layout.frame, 4 * joint + 2, az);
	put(layout.frame, 4 * joint + 3, aw);
	const linear = int(layout.linearOf, joint);
	const count = linear + int(layout.angularOf, joint);
	const first = int(layout.placeOf, joint);
	const q = int(layout.coordinateOf, joint);
	const style = int(layout.styleOf, joint);
	for (let d = 0; d < count; d++) {
		x = at(k, AXES + 3 * d);
		y = at(k, AXES + 3 * d + 1);
		z = at(k, AXES + 3 * d + 2);
		// axis in the world by the anchor's rotation
		const cx = det(ay, z, az, y);
		const cy = det(az, x, ax, z);
		const cz = det(ax, y, ay, x);
		const ux = mad(all(2), add(mul(aw, cx), det(ay, cz, az, cy)), x);
		const uy = mad(all(2), add(mul(aw, cy), det(az, cx, ax, cz)), y);
		const uz = mad(all(2), add(mul(aw, cz), det(ax, cy, ay, cx)), z);
		const t = 6 * (first - d);
		if (d < linear) {
			const value = at(layout.coordinates, q + d);
			hx = mad(ux, value, hx);
			hy = mad(uy, value, hy);
			hz = mad(uz, value, hz);
			putLinear(t, ux, uy, uz);
			continue;
		}
		put(layout.twist, t, ux);
		put(layout.twist, t + 1, uy);
		put(layout.twist, t + 2, uz);
		if (style != 2) continue;
		// each axis is carried by the rotations before it
		turn(mul(all(0.5), at(layout.coordinates, q + d)));
		const s = sine;
		const c = cosine;
		const tx = mul(s, x);
		const ty = mul(s, y);
		const tz = mul(s, z);
		const nx = nmad(az, ty, mad(ay, tz, mad(ax, c, mul(aw, tx))));
		const ny = mad(az, tx, mad(ay, c, nmad(ax, tz, mul(aw, ty))));
		const nz = mad(az, c, nmad(ay, tx, mad(ax, ty, mul(aw, tz))));
		aw = nmad(az, tz, nmad(ay, ty, nmad(ax, tx, mul(aw, c))));
		ax = nx;
		ay = ny;
		az = nz;
	}
	if (style == 1) {
		// floating joints and balls have a quaternion
		const tx = at(layout.coordinates, q + linear);
		const ty = at(layout.coordinates, q + linear + 1);
		const tz = at(layout.coordinates, q + linear + 2);
		const tw = at(layout.coordinates, q + linear + 3);
		const nx = nmad(az, ty, mad(ay, tz, mad(ax, tw, mul(aw, tx))));
		const ny = mad(az, tx, mad(ay, tw, nmad(ax, tz, mul(aw, ty))));
		const nz = mad(az, tw, nmad(ay, tx, mad(ax, ty, mul(aw, tz))));
		aw = nmad(az, tz, nmad(ay, ty, nmad(ax, tx, mul(aw, tw))));
		ax = nx;
		ay = ny;
		az = nz;
	}
	const tx = at(k, 4);
	const ty = at(k, 5);
	const tz = at(k, 6);
	const tw = at(k, 7);
	const qx = nmad(az, ty, mad(ay, tz, mad(ax, tw, mul(aw, tx))));
	const qy = mad(az, tx, mad(ay, tw, nmad(ax, tz, mul(aw, ty))));
	const qz = mad(az, tw, nmad(ay, tx, mad(ax, ty, mul(aw, tz))));
	const qw = nmad(az, tz, nmad(ay, ty, nmad(ax, tx, mul(aw, tw))));
	finish(joint, k, qx, qy, qz, qw, hx, hy, hz);
	const tree = int(layout.treeOf, joint);
	for (let d = linear; d < count; d++) {
		const t = 6 * (first - d);
		putAngular(t, tree, at(layout.twist, t), at(layout.twist, t + 1), at(layout.twist, t + 2), hx, hy, hz);
	}
}

function putLinear(t: i32, ux: v128, uy: v128, uz: v128): void {
	const twist = layout.twist + (t << 4);
	put(twist, 0, none());
	put(twist, 1, none());
	put(twist, 2, none());
	put(twist, 3, ux);
	put(twist, 4, uy);
	put(twist, 5, uz);
}

/** Twist of an axis through a point, about the origin of its tree. */
function putAngular(t: i32, tree: i32, ux: v128, uy: v128, uz: v128, hx: v128, hy: v128, hz: v128): void {
	const origin = layout.origin + ((3 * tree) << 4);
	const twist = layout.twist + (t << 4);
	const rx = sub(at(origin, 0), hx);
	const ry = sub(at(origin, 1), hy);
	const rz = sub(at(origin, 2), hz);
	put(twist, 0, ux);
	put(twist, 1, uy);
	put(twist, 2, uz);
	put(twist, 3, det(uy, rz, uz, ry));
	put(twist, 4, det(uz, rx, ux, rz));
	put(twist, 5, det(ux, ry, uy, rx));
}

/** Where a body is from the point of its joint; the centre of the first is the tree's origin. */
function finish(joint: i32, k: usize, ex: v128, ey: v128, ez: v128, ew: v128, hx: v128, hy: v128, hz: v128): void {
	const b = (3 * joint) << 4;
	const pivot = layout.pivot + b;
	put(pivot, 0, hx);
	put(pivot, 1, hy);
	put(pivot, 2, hz);
	turnBody(joint, k, ex, ey, ez, ew, hx, hy, hz);
	const tree = int(layout.treeOf, joint);
	if (int(layout.treeJoint, tree) != joint) return;
	const origin = layout.origin + ((3 * tree) << 4);
	const centre = layout.centre + b;
	put(origin, 0, at(centre, 0));
	put(origin, 1, at(centre, 1));
	put(origin, 2, at(centre, 2));
}

/** Rotation, centre of mass and position of a body, row by row. */
function turnBody(joint: i32, k: usize, ex: v128, ey: v128, ez: v128, ew: v128, hx: v128, hy: v128, hz: v128): void {
	const rotation = layout.rotation + ((4 * joint) << 4);
	put(rotation, 0, ex);
	put(rotation, 1, ey);
	put(rotation, 2, ez);
	put(rotation, 3, ew);
	const xx = add(ex, ex);
	const yy = add(ey, ey);
	const zz = add(ez, ez);
	const b = (3 * joint) << 4;
	const centre = layout.centre + b;
	const position = layout.position + b;
	const matrix = layout.matrix + ((9 * joint) << 4);
	const r00 = sub(all(1), mad(yy, ey, mul(zz, ez)));
	const r01 = det(xx, ey, zz, ew);
	const r02 = mad(xx, ez, mul(yy, ew));
	put(matrix, 0, r00);
	put(matrix, 1, r01);
	put(matrix, 2, r02);
	put(centre, 0, add(hx, dot(r00, r01, r02, at(k, 14), at(k, 15), at(k, 16))));
	put(position, 0, sub(hx, dot(r00, r01, r02, at(k, 11), at(k, 12), at(k, 13))));
	const r10 = mad(xx, ey, mul(zz, ew));
	const r11 = sub(all(1), mad(xx, ex, mul(zz, ez)));
	const r12 = det(yy, ez, xx, ew);
	put(matrix, 3, r10);
	put(matrix, 4, r11);
	put(matrix, 5, r12);
	put(centre, 1, add(hy, dot(r10, r11, r12, at(k, 14), at(k, 15), at(k, 16))));
	put(position, 1, sub(hy, dot(r10, r11, r12, at(k, 11), at(k, 12), at(k, 13))));
	const r20 = det(xx, ez, yy, ew);
	const r21 = mad(yy, ez, mul(xx, ew));
	const r22 = sub(all(1), mad(xx, ex, mul(yy, ey)));
	put(matrix, 6, r20);
	put(matrix, 7, r21);
	put(matrix, 8, r22);
	put(centre, 2, add(hz, dot(r20, r21, r22, at(k, 14), at(k, 15), at(k, 16))));
	put(position, 2, sub(hz, dot(r20, r21, r22, at(k, 11), at(k, 12), at(k, 13))));
}

/**
 * Velocities of the centres of mass of all bodies, then angular ones, for velocities by degree of freedom. Their twists stand where
 * accelerations were, which nobody needs any more.
 */
export function moveBodies(v: usize): void {
	const twists = layout.acceleration;
	for (let joint = 0; joint < layout.jointCount; joint++) {
		const parent = int(layout.parentOf, joint);
		const first = int(layout.placeOf, joint);
		const count = int(layout.linearOf, joint) + int(layout.angularOf, joint);
		const from = twists + ((6 * parent) << 4);
		const to = twists + ((6 * joint) << 4);
		if (parent >= 0 && count == 1) {
			const rate = at(v, first);
			const t = layout.twist + ((6 * first) << 4);
			put(to, 0, mad(at(t, 0), rate, at(from, 0)));
			put(to, 1, mad(at(t, 1), rate, at(from, 1)));
			put(to, 2, mad(at(t, 2), rate, at(from, 2)));
			put(to, 3, mad(at(t, 3), rate, at(from, 3)));
			put(to, 4, mad(at(t, 4), rate, at(from, 4)));
			put(to, 5, mad(at(t, 5), rate, at(from, 5)));
		} else {
			for (let k = 0; k < 6; k++) {
				let sum = parent < 0 ? none() : at(from, k);
				for (let d = 0; d < count; d++) sum = mad(at(layout.twist, 6 * (first - d) + k), at(v, first - d), sum);
				put(to, k, sum);
			}
		}
		const centre = layout.centre + ((3 * joint) << 4);
		const origin = layout.origin + ((3 * int(layout.treeOf, joint)) << 4);
		const out = layout.twistRate + ((6 * joint) << 4);
		const wx = at(to, 0);
		const wy = at(to, 1);
		const wz = at(to, 2);
		put(out, 3, wx);
		put(out, 4, wy);
		put(out, 5, wz);
		const rx = sub(at(centre, 0), at(origin, 0));
		const ry = sub(at(centre, 1), at(origin, 1));
		const rz = sub(at(centre, 2), at(origin, 2));
		put(out, 0, add(at(to, 3), det(wy, rz, wz, ry)));
		put(out, 1, add(at(to, 4), det(wz, rx, wx, rz)));
		put(out, 2, add(at(to, 5), det(wx, ry, wy, rx)));
	}
}

/** Floating joints are among those from the first of them to before this one; most worlds have one, at the beginning. */
export let floatingStart: i32 = 0;
export let floatingEnd: i32 = 0;
let knownKinds: usize = 0;

/** Finds the floating joints, of which the host tells once. */
export function findFloating(): void {
	if (knownKinds == layout.kindOf) return;
	knownKinds = layout.kindOf;
	floatingStart = 0;
	floatingEnd = 0;
	for (let joint = 0; joint < layout.jointCount; joint++) {
		if (int(layout.kindOf, joint) != FLOATING) continue;
		if (floatingEnd == 0) floatingStart = joint;
		floatingEnd = joint + 1;
	}
}
