import { FLOATING } from './kinematics';
import { add, at, det, dot, int, mad, mul, neg, nmad, none, put, sub } from './lanes';
import * as layout from './layout';

/** Numbers of a spatial inertia about the origin of a tree: mass, first moment, xx xy xz yy yz zz of the second. */
const INERTIA: i32 = 10;

/** Mass matrices of all trees by composite rigid bodies, without armature and damping; `computeBias` has summed up the bodies. */
export function computeMass(): void {
	for (let tree = 0; tree < layout.treeCount; tree++) {
		const start = int(layout.treePlace, tree);
		const end = int(layout.treePlace, tree + 1);
		const root = int(layout.treeJoint, tree);
		if (int(layout.kindOf, root) != FLOATING) {
			fillColumns(start, end, -1);
			continue;
		}
		// a floating root carries its subtree: its rows are filled in one go; a tree may have other roots
		const base = int(layout.placeOf, root) - 5;
		const first = int(layout.subtreeOf, base);
		fillColumns(start, first, -1);
		fillColumns(first, base, base);
		fillColumns(base, end, -1);
	}
}

/** Entries of columns `first` to before `end`. `base` is the first row of the floating root that carries them, or -1. */
function fillColumns(first: i32, end: i32, base: i32): void {
	for (let p = first; p < end; p++) {
		// columns of a chain go two at a time: what they are multiplied with is the same from the upper one on
		if (p + 1 < end && int(layout.aboveOf, p) == p + 1) {
			fillTwoColumns(p, base);
			p++;
		} else fillColumn(p, base);
	}
}

// momentum of all that a degree of freedom moves when it moves alone
let momentum0: v128 = f64x2.splat(0);
let momentum1: v128 = f64x2.splat(0);
let momentum2: v128 = f64x2.splat(0);
let momentum3: v128 = f64x2.splat(0);
let momentum4: v128 = f64x2.splat(0);
let momentum5: v128 = f64x2.splat(0);

function findMomentum(column: i32): void {
	const c = layout.composite + ((INERTIA * int(layout.jointAt, column)) << 4);
	const s = layout.twist + ((6 * column) << 4);
	const hx = at(c, 1);
	const hy = at(c, 2);
	const hz = at(c, 3);
	const vx = at(s, 3);
	const vy = at(s, 4);
	const vz = at(s, 5);
	const wx = at(s, 0);
	const wy = at(s, 1);
	const wz = at(s, 2);
	const m = at(c, 0);
	momentum3 = mad(m, vx, det(wy, hz, wz, hy));
	momentum4 = mad(m, vy, det(wz, hx, wx, hz));
	momentum5 = mad(m, vz, det(wx, hy, wy, hx));
	const xx = at(c, 4);
	const xy = at(c, 5);
	const xz = at(c, 6);
	momentum0 = add(dot(xx, xy, xz, wx, wy, wz), det(hy, vz, hz, vy));
	const yy = at(c, 7);
	const yz = at(c, 8);
	momentum1 = add(dot(xy, yy, yz, wx, wy, wz), det(hz, vx, hx, vz));
	const zz = at(c, 9);
	momentum2 = add(dot(xz, yz, zz, wx, wy, wz), det(hx, vy, hy, vx));
}

/** Momentum along a twist; terms one after the other, as they are read. */
function along(t: usize, q0: v128, q1: v128, q2: v128, q3: v128, q4: v128, q5: v128): v128 {
	const angular = mad(at(t, 2), q2, mad(at(t, 1), q1, mul(at(t, 0), q0)));
	return mad(at(t, 5), q5, mad(at(t, 4), q4, mad(at(t, 3), q3, angular)));
}

/** Momentum along a twist without turning. */
function alongLinear(t: usize, q3: v128, q4: v128, q5: v128): v128 {
	return mad(at(t, 5), q5, mad(at(t, 4), q4, mul(at(t, 3), q3)));
}

/** Entries of a column: its momentum along every degree of freedom that carries it. `base` is the first row of a floating root, or -1. */
function fillColumn(column: i32, base: i32): void {
	findMomentum(column);
	const q0 = momentum0;
	const q1 = momentum1;
	const q2 = momentum2;
	const q3 = momentum3;
	const q4 = momentum4;
	const q5 = momentum5;
	const out = layout.mass + (column << 4);
	const twist = layout.twist;
	const baseOf = layout.baseOf;
	for (let row = column; row != base; row = int(layout.aboveOf, row))
		put(out, int(baseOf, row), along(twist + ((6 * row) << 4), q0, q1, q2, q3, q4, q5));
	if (base < 0) return;
	const t = twist + ((6 * base) << 4);
	put(out, int(baseOf, base), along(t, q0, q1, q2, q3, q4, q5));
	put(out, int(baseOf, base + 1), along(t + 96, q0, q1, q2, q3, q4, q5));
	put(out, int(baseOf, base + 2), along(t + 192, q0, q1, q2, q3, q4, q5));
	put(out, int(baseOf, base + 3), alongLinear(t + 288, q3, q4, q5));
	put(out, int(baseOf, base + 4), alongLinear(t + 384, q3, q4, q5));
	put(out, int(baseOf, base + 5), alongLinear(t + 480, q3, q4, q5));
}

/** Entries of a column and of the next one, which is the one above it. */
function fillTwoColumns(column: i32, base: i32): void {
	findMomentum(column);
	const a0 = momentum0;
	const a1 = momentum1;
	const a2 = momentum2;
	const a3 = momentum3;
	const a4 = momentum4;
	const a5 = momentum5;
	const out = layout.mass + (column << 4);
	const twist = layout.twist;
	const baseOf = layout.baseOf;
	put(out, int(baseOf, column), along(twist + ((6 * column) << 4), a0, a1, a2, a3, a4, a5));
	findMomentum(column + 1);
	const b0 = momentum0;
	const b1 = momentum1;
	const b2 = momentum2;
	const b3 = momentum3;
	const b4 = momentum4;
	const b5 = momentum5;
	for (let row = column + 1; row != base; row = int(layout.aboveOf, row))
		putTwo(out + (int(baseOf, row) << 4), twist + ((6 * row) << 4), a0, a1, a2, a3, a4, a5, b0, b1, b2, b3, b4, b5);
	if (base < 0) return;
	const t = twist + ((6 * base) << 4);
	putTwo(out + (int(baseOf, base) << 4), t, a0, a1, a2, a3, a4, a5, b0, b1, b2, b3, b4, b5);
	putTwo(out + (int(baseOf, base + 1) << 4), t + 96, a0, a1, a2, a3, a4, a5, b0, b1, b2, b3, b4, b5);
	putTwo(out + (int(baseOf, base + 2) << 4), t + 192, a0, a1, a2, a3, a4, a5, b0, b1, b2, b3, b4, b5);
	putTwoLinear(out + (int(baseOf, base + 3) << 4), t + 288, a3, a4, a5, b3, b4, b5);
	putTwoLinear(out + (int(baseOf, base + 4) << 4), t + 384, a3, a4, a5, b3, b4, b5);
	putTwoLinear(out + (int(baseOf, base + 5) << 4), t + 480, a3, a4, a5, b3, b4, b5);
}

/** Two momenta along a twist. */
function putTwo(
	to: usize,
	t: usize,
	a0: v128,
	a1: v128,
	a2: v128,
	a3: v128,
	a4: v128,
	a5: v128,
	b0: v128,
	b1: v128,
	b2: v128,
	b3: v128,
	b4: v128,
	b5: v128,
): void {
	const t0 = at(t, 0);
	let a = mul(t0, a0);
	let b = mul(t0, b0);
	const t1 = at(t, 1);
	a = mad(t1, a1, a);
	b = mad(t1, b1, b);
	const t2 = at(t, 2);
	a = mad(t2, a2, a);
	b = mad(t2, b2, b);
	const t3 = at(t, 3);
	a = mad(t3, a3, a);
	b = mad(t3, b3, b);
	const t4 = at(t, 4);
	a = mad(t4, a4, a);
	b = mad(t4, b4, b);
	const t5 = at(t, 5);
	put(to, 0, mad(t5, a5, a));
	put(to, 1, mad(t5, b5, b));
}

/** Two momenta along a twist without turning. */
function putTwoLinear(to: usize, t: usize, a3: v128, a4: v128, a5: v128, b3: v128, b4: v128, b5: v128): void {
	const t3 = at(t, 3);
	const t4 = at(t, 4);
	const t5 = at(t, 5);
	put(to, 0, mad(t5, a5, mad(t4, a4, mul(t3, a3))));
	put(to, 1, mad(t5, b5, mad(t4, b4, mul(t3, b3))));
}

/**
 * Forces that gravity, motion and outer forces need in each degree of freedom, by recursive Newton-Euler for the velocities `v`, and
 * inertias of all that each joint carries.
 */
export function computeBias(v: usize): void {
	for (let joint = 0; joint < layout.jointCount; joint++) {
		const parent = int(layout.parentOf, joint);
		const isHinged = int(layout.linearOf, joint) + int(layout.angularOf, joint) == 1;
		if (parent >= 0 && isHinged) accelerateOne(joint, parent, v);
		else accelerate(joint, parent, v);
		placeForce(joint);
	}
	const moves = v == layout.v0;
	const forces = layout.force;
	const momenta = layout.momentum;
	const composites = layout.composite;
	for (let joint = layout.jointCount - 1; joint >= 0; joint--) {
		const first = int(layout.placeOf, joint);
		const count = int(layout.linearOf, joint) + int(layout.angularOf, joint);
		const parent = int(layout.parentOf, joint);
		const lift = (parent - joint) * 96;
		project(forces + ((6 * joint) << 4), layout.bias, first, count, parent, lift);
		if (moves) project(momenta + ((6 * joint) << 4), layout.startMomentum, first, count, parent, lift);
		if (parent < 0) continue;
		const own = composites + ((INERTIA * joint) << 4);
		const whole = composites + ((INERTIA * parent) << 4);
		addTo(whole, own, 0);
		addTo(whole, own, 1);
		addTo(whole, own, 2);
		addTo(whole, own, 3);
		addTo(whole, own, 4);
		addTo(whole, own, 5);
		addTo(whole, own, 6);
		addTo(whole, own, 7);
		addTo(whole, own, 8);
		addTo(whole, own, 9);
	}
}

function addTo(to: usize, from: usize, k: i32): void {
	put(to, k, add(at(to, k), at(from, k)));
}

/** Writes a force or momentum of a joint along its degrees of freedom, and adds it to that of its parent, so many bytes from it. */
function project(from: usize, out: usize, first: i32, count: i32, parent: i32, lift: i32): void {
	const f0 = at(from, 0);
	const f1 = at(from, 1);
	const f2 = at(from, 2);
	const f3 = at(from, 3);
	const f4 = at(from, 4);
	const f5 = at(from, 5);
	let t = layout.twist + ((6 * first) << 4);
	for (let d = 0; d < count; d++) {
		put(out, first - d, along(t, f0, f1, f2, f3, f4, f5));
		t -= 96;
	}
	if (parent < 0) return;
	const to = from + lift;
	put(to, 0, add(at(to, 0), f0));
	put(to, 1, add(at(to, 1), f1));
	put(to, 2, add(at(to, 2), f2));
	put(to, 3, add(at(to, 3), f3));
	put(to, 4, add(at(to, 4), f4));
	put(to, 5, add(at(to, 5), f5));
}

/** What `accelerate` does for a body on a joint of one axis that another body carries. */
function accelerateOne(joint: i32, parent: i32, v: usize): void {
	const place = int(layout.placeOf, joint);
	const rate = at(v, place);
	const t = layout.twist + ((6 * place) << 4);
	const carrier = layout.twistRate + ((6 * parent) << 4);
	const before = layout.acceleration + ((6 * parent) << 4);
	const twist = layout.twistRate + ((6 * joint) << 4);
	const after = layout.acceleration + ((6 * joint) << 4);
	const sx = at(t, 0);
	const sy = at(t, 1);
	const sz = at(t, 2);
	const wx = at(carrier, 0);
	const wy = at(carrier, 1);
	const wz = at(carrier, 2);
	put(twist, 0, mad(sx, rate, wx));
	put(twist, 1, mad(sy, rate, wy));
	put(twist, 2, mad(sz, rate, wz));
	// a twist that is carried along changes by the cross product with the carrier's twist
	put(after, 0, mad(rate, det(wy, sz, wz, sy), at(before, 0)));
	put(after, 1, mad(rate, det(wz, sx, wx, sz), at(before, 1)));
	put(after, 2, mad(rate, det(wx, sy, wy, sx), at(before, 2)));
	const ux = at(t, 3);
	const uy = at(t, 4);
	const uz = at(t, 5);
	const cx = at(carrier, 3);
	const cy = at(carrier, 4);
	const cz = at(carrier, 5);
	put(twist, 3, mad(ux, rate, cx));
	put(twist, 4, mad(uy, rate, cy));
	put(twist, 5, mad(uz, rate, cz));
	put(after, 3, mad(rate, add(det(wy, uz, wz, uy), det(cy, sz, cz, sy)), at(before, 3)));
	put(after, 4, mad(rate, add(det(wz, ux, wx, uz), det(cz, sx, cx, sz)), at(before, 4)));
	put(after, 5, mad(rate, add(det(wx, uy, wy, ux), det(cx, sy, cy, sx)), at(before, 5)));
}

/** Twist of a body for velocities by degree of freedom, and its acceleration when no joint accelerates, against gravity. */
function accelerate(joint: i32, parent: i32, v: usize): void {
	const rates = layout.twistRate;
	const accelerations = layout.acceleration;
	let ax = none();
	let ay = none();
	let az = none();
	let bx = none();
	let by = none();
	let bz = none();
	// the twist of what carries the next degree of freedom
	let wx = none();
	let wy = none();
	let wz = none();
	let cx = none();
	let cy = none();
	let cz = none();
	if (parent < 0) {
		bx = neg(at(layout.gravity, 0));
		by = neg(at(layout.gravity, 1));
		bz = neg(at(layout.gravity, 2));
	} else {
		const a = accelerations + ((6 * parent) << 4);
		ax = at(a, 0);
		ay = at(a, 1);
		az = at(a, 2);
		bx = at(a, 3);
		by = at(a, 4);
		bz = at(a, 5);
		const w = rates + ((6 * parent) << 4);
		wx = at(w, 0);
		wy = at(w, 1);
		wz = at(w, 2);
		cx = at(w, 3);
		cy = at(w, 4);
		cz = at(w, 5);
	}
	let twistX = wx;
	let twistY = wy;
	let twistZ = wz;
	let rateX = cx;
	let rateY = cy;
	let rateZ = cz;
	const first = int(layout.placeOf, joint);
	const linear = int(layout.linearOf, joint);
	const count = linear + int(layout.angularOf, joint);
	const carriesAll = int(layout.styleOf, joint) == 2;
	let t = layout.twist + ((6 * first) << 4);
	for (let d = 0; d < count; d++) {
		const rate = at(v, first - d);
		const sx = at(t, 0);
		const sy = at(t, 1);
		const sz = at(t, 2);
		const ux = at(t, 3);
		const uy = at(t, 4);
		const uz = at(t, 5);
		t -= 96;
		// a twist that is carried along changes by the cross product with the carrier's twist
		ax = mad(rate, det(wy, sz, wz, sy), ax);
		ay = mad(rate, det(wz, sx, wx, sz), ay);
		az = mad(rate, det(wx, sy, wy, sx), az);
		bx = mad(rate, add(det(wy, uz, wz, uy), det(cy, sz, cz, sy)), bx);
		by = mad(rate, add(det(wz, ux, wx, uz), det(cz, sx, cx, sz)), by);
		bz = mad(rate, add(det(wx, uy, wy, ux), det(cx, sy, cy, sx)), bz);
		twistX = mad(sx, rate, twistX);
		twistY = mad(sy, rate, twistY);
		twistZ = mad(sz, rate, twistZ);
		rateX = mad(ux, rate, rateX);
		rateY = mad(uy, rate, rateY);
		rateZ = mad(uz, rate, rateZ);
		// linear axes keep their direction but carry the pivot; angular axes that carry each other carry the next
		if (d < linear || carriesAll) {
			wx = twistX;
			wy = twistY;
			wz = twistZ;
			cx = rateX;
			cy = rateY;
			cz = rateZ;
		}
	}
	const w = rates + ((6 * joint) << 4);
	put(w, 0, twistX);
	put(w, 1, twistY);
	put(w, 2, twistZ);
	put(w, 3, rateX);
	put(w, 4, rateY);
	put(w, 5, rateZ);
	const a = accelerations + ((6 * joint) << 4);
	put(a, 0, ax);
	put(a, 1, ay);
	put(a, 2, az);
	put(a, 3, bx);
	put(a, 4, by);
	put(a, 5, bz);
}

/**
 * Inertia of a body about the origin of its tree, and the force and torque about it that the body needs: those that its centre of mass
 * and its turning about it take, less what acts from outside.
 */
function placeForce(body: i32): void {
	const constants = layout.bodyConstants + ((7 * body) << 4);
	const centre = layout.centre + ((3 * body) << 4);
	const origin = layout.origin + ((3 * int(layout.treeOf, body)) << 4);
	// V8 keeps the order of reads and writes: what is read long before its use, or written long after it is known, goes over the stack
	const m = at(constants, 0);
	const rx = sub(at(centre, 0), at(origin, 0));
	const ry = sub(at(centre, 1), at(origin, 1));
	const rz = sub(at(centre, 2), at(origin, 2));
	const own = layout.composite + ((INERTIA * body) << 4);
	const hx = mul(m, rx);
	const hy = mul(m, ry);
	const hz = mul(m, rz);
	put(own, 0, m);
	put(own, 1, hx);
	put(own, 2, hy);
	put(own, 3, hz);
	// rows of R · I, then R · I · Rᵀ
	const matrix = layout.matrix + ((9 * body) << 4);
	const i00 = at(constants, 1);
	const i01 = at(constants, 2);
	const i02 = at(constants, 3);
	const i11 = at(constants, 4);
	const i12 = at(constants, 5);
	const i22 = at(constants, 6);
	const r00 = at(matrix, 0);
	const r01 = at(matrix, 1);
	const r02 = at(matrix, 2);
	const a00 = dot(r00, r01, r02, i00, i01, i02);
	const a01 = dot(r00, r01, r02, i01, i11, i12);
	const a02 = dot(r00, r01, r02, i02, i12, i22);
	const xx = dot(a00, a01, a02, r00, r01, r02);
	const sx = mul(hx, rx);
	const sy = mul(hy, ry);
	const sz = mul(hz, rz);
	put(own, 4, add(xx, add(sy, sz)));
	const r10 = at(matrix, 3);
	const r11 = at(matrix, 4);
	const r12 = at(matrix, 5);
	const xy = dot(a00, a01, a02, r10, r11, r12);
	put(own, 5, nmad(hx, ry, xy));
	const a10 = dot(r10, r11, r12, i00, i01, i02);
	const a11 = dot(r10, r11, r12, i01, i11, i12);
	const a12 = dot(r10, r11, r12, i02, i12, i22);
	const yy = dot(a10, a11, a12, r10, r11, r12);
	put(own, 7, add(yy, add(sx, sz)));
	const r20 = at(matrix, 6);
	const r21 = at(matrix, 7);
	const r22 = at(matrix, 8);
	const xz = dot(a00, a01, a02, r20, r21, r22);
	put(own, 6, nmad(hx, rz, xz));
	const yz = dot(a10, a11, a12, r20, r21, r22);
	put(own, 8, nmad(hy, rz, yz));
	const a20 = dot(r20, r21, r22, i00, i01, i02);
	const a21 = dot(r20, r21, r22, i01, i11, i12);
	const a22 = dot(r20, r21, r22, i02, i12, i22);
	const zz = dot(a20, a21, a22, r20, r21, r22);
	put(own, 9, add(zz, add(sx, sy)));
	const w = layout.twistRate + ((6 * body) << 4);
	const wx = at(w, 0);
	const wy = at(w, 1);
	const wz = at(w, 2);
	// velocity of the centre of mass
	const vx = add(at(w, 3), det(wy, rz, wz, ry));
	const vy = add(at(w, 4), det(wz, rx, wx, rz));
	const vz = add(at(w, 5), det(wx, ry, wy, rx));
	const momentum = layout.momentum + ((6 * body) << 4);
	const px = mul(m, vx);
	const py = mul(m, vy);
	const pz = mul(m, vz);
	put(momentum, 3, px);
	put(momentum, 4, py);
	put(momentum, 5, pz);
	const lx = dot(xx, xy, xz, wx, wy, wz);
	put(momentum, 0, add(lx, det(ry, pz, rz, py)));
	const ly = dot(xy, yy, yz, wx, wy, wz);
	put(momentum, 1, add(ly, det(rz, px, rx, pz)));
	const lz = dot(xz, yz, zz, wx, wy, wz);
	put(momentum, 2, add(lz, det(rx, py, ry, px)));
	// what turning takes about the centre, and what its acceleration takes
	const a = layout.acceleration + ((6 * body) << 4);
	const force = layout.force + ((6 * body) << 4);
	const ax = at(a, 0);
	const ay = at(a, 1);
	const az = at(a, 2);
	let tx = add(dot(xx, xy, xz, ax, ay, az), det(wy, lz, wz, ly));
	let ty = add(dot(xy, yy, yz, ax, ay, az), det(wz, lx, wx, lz));
	let tz = add(dot(xz, yz, zz, ax, ay, az), det(wx, ly, wy, lx));
	let fx = add(mul(m, add(at(a, 3), det(ay, rz, az, ry))), det(wy, pz, wz, py));
	let fy = add(mul(m, add(at(a, 4), det(az, rx, ax, rz))), det(wz, px, wx, pz));
	let fz = add(mul(m, add(at(a, 5), det(ax, ry, ay, rx))), det(wx, py, wy, px));
	if (layout.hasBodyForces) {
		const outer = layout.bodyForces + ((6 * body) << 4);
		fx = sub(fx, at(outer, 0));
		fy = sub(fy, at(outer, 1));
		fz = sub(fz, at(outer, 2));
		tx = sub(tx, at(outer, 3));
		ty = sub(ty, at(outer, 4));
		tz = sub(tz, at(outer, 5));
	}
	put(force, 3, fx);
	put(force, 4, fy);
	put(force, 5, fz);
	put(force, 0, add(tx, det(ry, fz, rz, fy)));
	put(force, 1, add(ty, det(rz, fx, rx, fz)));
	put(force, 2, add(tz, det(rx, fy, ry, fx)));
}
