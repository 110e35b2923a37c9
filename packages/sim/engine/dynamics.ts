import { add, at, det, dot, int, mad, mul, neg, nmad, none, put, sub } from './lanes';
import * as layout from './layout';

/** Numbers of a spatial inertia about the origin of a tree: mass, first moment, xx xy xz yy yz zz of the second. */
const INERTIA: i32 = 10;

/** Mass matrices of all placed trees by composite rigid bodies, without armature and damping. */
export function computeMass(): void {
	for (let joint = 0; joint < layout.jointCount; joint++) placeInertia(joint);
	for (let joint = layout.jointCount - 1; joint >= 0; joint--) {
		const parent = int(layout.parentOf, joint);
		if (parent < 0) continue;
		for (let k = 0; k < INERTIA; k++) {
			const sum = add(at(layout.composite, INERTIA * parent + k), at(layout.composite, INERTIA * joint + k));
			put(layout.composite, INERTIA * parent + k, sum);
		}
	}
	const last = layout.dofCount - 1;
	for (let p = 0; p <= last; p++) {
		// columns of a chain go two at a time: what they are multiplied with is the same from the upper one on
		if (p < last && int(layout.aboveOf, p) == p + 1) {
			fillTwoColumns(p);
			p++;
		} else fillColumn(p);
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
	const c = INERTIA * int(layout.jointAt, column);
	const s = 6 * column;
	const m = at(layout.composite, c);
	const hx = at(layout.composite, c + 1);
	const hy = at(layout.composite, c + 2);
	const hz = at(layout.composite, c + 3);
	const xx = at(layout.composite, c + 4);
	const xy = at(layout.composite, c + 5);
	const xz = at(layout.composite, c + 6);
	const yy = at(layout.composite, c + 7);
	const yz = at(layout.composite, c + 8);
	const zz = at(layout.composite, c + 9);
	const wx = at(layout.twist, s);
	const wy = at(layout.twist, s + 1);
	const wz = at(layout.twist, s + 2);
	const vx = at(layout.twist, s + 3);
	const vy = at(layout.twist, s + 4);
	const vz = at(layout.twist, s + 5);
	momentum0 = add(dot(xx, xy, xz, wx, wy, wz), det(hy, vz, hz, vy));
	momentum1 = add(dot(xy, yy, yz, wx, wy, wz), det(hz, vx, hx, vz));
	momentum2 = add(dot(xz, yz, zz, wx, wy, wz), det(hx, vy, hy, vx));
	momentum3 = mad(m, vx, det(wy, hz, wz, hy));
	momentum4 = mad(m, vy, det(wz, hx, wx, hz));
	momentum5 = mad(m, vz, det(wx, hy, wy, hx));
}

/** Entries of a column: its momentum along every degree of freedom that carries it. */
function fillColumn(column: i32): void {
	findMomentum(column);
	const q0 = momentum0;
	const q1 = momentum1;
	const q2 = momentum2;
	const q3 = momentum3;
	const q4 = momentum4;
	const q5 = momentum5;
	for (let row = column; row >= 0; row = int(layout.aboveOf, row)) {
		const t = layout.twist + ((6 * row) << 4);
		const angular = dot(at(t, 0), at(t, 1), at(t, 2), q0, q1, q2);
		put(layout.mass, int(layout.baseOf, row) + column, add(angular, dot(at(t, 3), at(t, 4), at(t, 5), q3, q4, q5)));
	}
}

/** Entries of a column and of the next one, which is the one above it. */
function fillTwoColumns(column: i32): void {
	findMomentum(column);
	const a0 = momentum0;
	const a1 = momentum1;
	const a2 = momentum2;
	const a3 = momentum3;
	const a4 = momentum4;
	const a5 = momentum5;
	const own = layout.twist + ((6 * column) << 4);
	const angular = dot(at(own, 0), at(own, 1), at(own, 2), a0, a1, a2);
	put(
		layout.mass,
		int(layout.baseOf, column) + column,
		add(angular, dot(at(own, 3), at(own, 4), at(own, 5), a3, a4, a5)),
	);
	findMomentum(column + 1);
	const b0 = momentum0;
	const b1 = momentum1;
	const b2 = momentum2;
	const b3 = momentum3;
	const b4 = momentum4;
	const b5 = momentum5;
	for (let row = column + 1; row >= 0; row = int(layout.aboveOf, row)) {
		const t = layout.twist + ((6 * row) << 4);
		const t0 = at(t, 0);
		const t1 = at(t, 1);
		const t2 = at(t, 2);
		const t3 = at(t, 3);
		const t4 = at(t, 4);
		const t5 = at(t, 5);
		const entry = layout.mass + ((int(layout.baseOf, row) + column) << 4);
		put(entry, 0, add(dot(t0, t1, t2, a0, a1, a2), dot(t3, t4, t5, a3, a4, a5)));
		put(entry, 1, add(dot(t0, t1, t2, b0, b1, b2), dot(t3, t4, t5, b3, b4, b5)));
	}
}

/** Inertia of a body about the origin of its tree; composites start with it. */
function placeInertia(body: i32): void {
	const c = layout.bodyConstants + ((7 * body) << 4);
	const tree = int(layout.treeOf, body);
	const m = at(c, 0);
	const x = sub(at(layout.centre, 3 * body), at(layout.origin, 3 * tree));
	const y = sub(at(layout.centre, 3 * body + 1), at(layout.origin, 3 * tree + 1));
	const z = sub(at(layout.centre, 3 * body + 2), at(layout.origin, 3 * tree + 2));
	const r = 9 * body;
	const r00 = at(layout.matrix, r);
	const r01 = at(layout.matrix, r + 1);
	const r02 = at(layout.matrix, r + 2);
	const r10 = at(layout.matrix, r + 3);
	const r11 = at(layout.matrix, r + 4);
	const r12 = at(layout.matrix, r + 5);
	const r20 = at(layout.matrix, r + 6);
	const r21 = at(layout.matrix, r + 7);
	const r22 = at(layout.matrix, r + 8);
	const i00 = at(c, 1);
	const i01 = at(c, 2);
	const i02 = at(c, 3);
	const i11 = at(c, 4);
	const i12 = at(c, 5);
	const i22 = at(c, 6);
	// rows of R · I
	const a00 = dot(r00, r01, r02, i00, i01, i02);
	const a01 = dot(r00, r01, r02, i01, i11, i12);
	const a02 = dot(r00, r01, r02, i02, i12, i22);
	const a10 = dot(r10, r11, r12, i00, i01, i02);
	const a11 = dot(r10, r11, r12, i01, i11, i12);
	const a12 = dot(r10, r11, r12, i02, i12, i22);
	const a20 = dot(r20, r21, r22, i00, i01, i02);
	const a21 = dot(r20, r21, r22, i01, i11, i12);
	const a22 = dot(r20, r21, r22, i02, i12, i22);
	const hx = mul(m, x);
	const hy = mul(m, y);
	const hz = mul(m, z);
	const at0 = INERTIA * body;
	putBoth(at0, m);
	putBoth(at0 + 1, hx);
	putBoth(at0 + 2, hy);
	putBoth(at0 + 3, hz);
	putBoth(at0 + 4, add(dot(a00, a01, a02, r00, r01, r02), mad(hy, y, mul(hz, z))));
	putBoth(at0 + 5, nmad(hx, y, dot(a00, a01, a02, r10, r11, r12)));
	putBoth(at0 + 6, nmad(hx, z, dot(a00, a01, a02, r20, r21, r22)));
	putBoth(at0 + 7, add(dot(a10, a11, a12, r10, r11, r12), mad(hx, x, mul(hz, z))));
	putBoth(at0 + 8, nmad(hy, z, dot(a10, a11, a12, r20, r21, r22)));
	putBoth(at0 + 9, add(dot(a20, a21, a22, r20, r21, r22), mad(hx, x, mul(hy, y))));
}

function putBoth(index: i32, value: v128): void {
	put(layout.inertia, index, value);
	put(layout.composite, index, value);
}

/**
 * Forces that gravity, motion and outer forces need in each degree of freedom, by recursive Newton-Euler. Bodies move as
 * `twistRate` says, which must belong to the velocities `v`.
 */
export function computeBias(v: usize): void {
	for (let joint = 0; joint < layout.jointCount; joint++) {
		accelerate(joint, v);
		placeForce(joint);
	}
	for (let joint = layout.jointCount - 1; joint >= 0; joint--) {
		const from = 6 * joint;
		const f0 = at(layout.force, from);
		const f1 = at(layout.force, from + 1);
		const f2 = at(layout.force, from + 2);
		const f3 = at(layout.force, from + 3);
		const f4 = at(layout.force, from + 4);
		const f5 = at(layout.force, from + 5);
		const first = int(layout.placeOf, joint);
		const count = int(layout.linearOf, joint) + int(layout.angularOf, joint);
		for (let d = 0; d < count; d++) {
			const t = 6 * (first - d);
			const angular = dot(at(layout.twist, t), at(layout.twist, t + 1), at(layout.twist, t + 2), f0, f1, f2);
			const linear = dot(at(layout.twist, t + 3), at(layout.twist, t + 4), at(layout.twist, t + 5), f3, f4, f5);
			put(layout.bias, first - d, add(angular, linear));
		}
		const parent = int(layout.parentOf, joint);
		if (parent < 0) continue;
		const to = 6 * parent;
		put(layout.force, to, add(at(layout.force, to), f0));
		put(layout.force, to + 1, add(at(layout.force, to + 1), f1));
		put(layout.force, to + 2, add(at(layout.force, to + 2), f2));
		put(layout.force, to + 3, add(at(layout.force, to + 3), f3));
		put(layout.force, to + 4, add(at(layout.force, to + 4), f4));
		put(layout.force, to + 5, add(at(layout.force, to + 5), f5));
	}
}

/** Acceleration of a body when no joint accelerates, against gravity. */
function accelerate(joint: i32, v: usize): void {
	const parent = int(layout.parentOf, joint);
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
		const from = 6 * parent;
		ax = at(layout.acceleration, from);
		ay = at(layout.acceleration, from + 1);
		az = at(layout.acceleration, from + 2);
		bx = at(layout.acceleration, from + 3);
		by = at(layout.acceleration, from + 4);
		bz = at(layout.acceleration, from + 5);
		wx = at(layout.twistRate, from);
		wy = at(layout.twistRate, from + 1);
		wz = at(layout.twistRate, from + 2);
		cx = at(layout.twistRate, from + 3);
		cy = at(layout.twistRate, from + 4);
		cz = at(layout.twistRate, from + 5);
	}
	const first = int(layout.placeOf, joint);
	const linear = int(layout.linearOf, joint);
	const count = linear + int(layout.angularOf, joint);
	const carriesAll = int(layout.styleOf, joint) == 2;
	for (let d = 0; d < count; d++) {
		const rate = at(v, first - d);
		const t = 6 * (first - d);
		const sx = at(layout.twist, t);
		const sy = at(layout.twist, t + 1);
		const sz = at(layout.twist, t + 2);
		const ux = at(layout.twist, t + 3);
		const uy = at(layout.twist, t + 4);
		const uz = at(layout.twist, t + 5);
		// a twist that is carried along changes by the cross product with the carrier's twist
		ax = mad(rate, det(wy, sz, wz, sy), ax);
		ay = mad(rate, det(wz, sx, wx, sz), ay);
		az = mad(rate, det(wx, sy, wy, sx), az);
		bx = mad(rate, add(det(wy, uz, wz, uy), det(cy, sz, cz, sy)), bx);
		by = mad(rate, add(det(wz, ux, wx, uz), det(cz, sx, cx, sz)), by);
		bz = mad(rate, add(det(wx, uy, wy, ux), det(cx, sy, cy, sx)), bz);
		// linear axes keep their direction but carry the pivot; angular axes that carry each other carry the next
		if (d < linear || carriesAll) {
			wx = mad(rate, sx, wx);
			wy = mad(rate, sy, wy);
			wz = mad(rate, sz, wz);
			cx = mad(rate, ux, cx);
			cy = mad(rate, uy, cy);
			cz = mad(rate, uz, cz);
		}
	}
	const out = 6 * joint;
	put(layout.acceleration, out, ax);
	put(layout.acceleration, out + 1, ay);
	put(layout.acceleration, out + 2, az);
	put(layout.acceleration, out + 3, bx);
	put(layout.acceleration, out + 4, by);
	put(layout.acceleration, out + 5, bz);
}

/** Force and torque about the origin that a body needs: I · a + v × I · v, less what acts from outside. */
function placeForce(body: i32): void {
	const b = 6 * body;
	const i = INERTIA * body;
	const m = at(layout.inertia, i);
	const hx = at(layout.inertia, i + 1);
	const hy = at(layout.inertia, i + 2);
	const hz = at(layout.inertia, i + 3);
	const xx = at(layout.inertia, i + 4);
	const xy = at(layout.inertia, i + 5);
	const xz = at(layout.inertia, i + 6);
	const yy = at(layout.inertia, i + 7);
	const yz = at(layout.inertia, i + 8);
	const zz = at(layout.inertia, i + 9);
	const ax = at(layout.acceleration, b);
	const ay = at(layout.acceleration, b + 1);
	const az = at(layout.acceleration, b + 2);
	const bx = at(layout.acceleration, b + 3);
	const by = at(layout.acceleration, b + 4);
	const bz = at(layout.acceleration, b + 5);
	const f0 = add(dot(xx, xy, xz, ax, ay, az), det(hy, bz, hz, by));
	const f1 = add(dot(xy, yy, yz, ax, ay, az), det(hz, bx, hx, bz));
	const f2 = add(dot(xz, yz, zz, ax, ay, az), det(hx, by, hy, bx));
	const f3 = mad(m, bx, det(ay, hz, az, hy));
	const f4 = mad(m, by, det(az, hx, ax, hz));
	const f5 = mad(m, bz, det(ax, hy, ay, hx));
	const wx = at(layout.twistRate, b);
	const wy = at(layout.twistRate, b + 1);
	const wz = at(layout.twistRate, b + 2);
	const ux = at(layout.twistRate, b + 3);
	const uy = at(layout.twistRate, b + 4);
	const uz = at(layout.twistRate, b + 5);
	const p0 = add(dot(xx, xy, xz, wx, wy, wz), det(hy, uz, hz, uy));
	const p1 = add(dot(xy, yy, yz, wx, wy, wz), det(hz, ux, hx, uz));
	const p2 = add(dot(xz, yz, zz, wx, wy, wz), det(hx, uy, hy, ux));
	const p3 = mad(m, ux, det(wy, hz, wz, hy));
	const p4 = mad(m, uy, det(wz, hx, wx, hz));
	const p5 = mad(m, uz, det(wx, hy, wy, hx));
	const fx = at(layout.bodyForces, b);
	const fy = at(layout.bodyForces, b + 1);
	const fz = at(layout.bodyForces, b + 2);
	const tree = int(layout.treeOf, body);
	const rx = sub(at(layout.centre, 3 * body), at(layout.origin, 3 * tree));
	const ry = sub(at(layout.centre, 3 * body + 1), at(layout.origin, 3 * tree + 1));
	const rz = sub(at(layout.centre, 3 * body + 2), at(layout.origin, 3 * tree + 2));
	const tx = add(at(layout.bodyForces, b + 3), det(ry, fz, rz, fy));
	const ty = add(at(layout.bodyForces, b + 4), det(rz, fx, rx, fz));
	const tz = add(at(layout.bodyForces, b + 5), det(rx, fy, ry, fx));
	put(layout.force, b, sub(add(f0, add(det(wy, p2, wz, p1), det(uy, p5, uz, p4))), tx));
	put(layout.force, b + 1, sub(add(f1, add(det(wz, p0, wx, p2), det(uz, p3, ux, p5))), ty));
	put(layout.force, b + 2, sub(add(f2, add(det(wx, p1, wy, p0), det(ux, p4, uy, p3))), tz));
	put(layout.force, b + 3, sub(add(f3, det(wy, p5, wz, p4)), fx));
	put(layout.force, b + 4, sub(add(f4, det(wz, p3, wx, p5)), fy));
	put(layout.force, b + 5, sub(add(f5, det(wx, p4, wy, p3)), fz));
}
