import { add, at, det, dot, int, mad, mul, neg, nmad, none, put, sub } from './lanes';
import * as layout from './layout';

/** Numbers of a spatial inertia about the origin of a tree: mass, first moment, xx xy xz yy yz zz of the second. */
const INERTIA: i32 = 10;

/** Mass matrices of all trees by composite rigid bodies, without armature and damping; `computeBias` has summed up the bodies. */
export function computeMass(): void {
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
	const c = layout.composite + ((INERTIA * int(layout.jointAt, column)) << 4);
	const s = layout.twist + ((6 * column) << 4);
	const m = at(c, 0);
	const hx = at(c, 1);
	const hy = at(c, 2);
	const hz = at(c, 3);
	const xx = at(c, 4);
	const xy = at(c, 5);
	const xz = at(c, 6);
	const yy = at(c, 7);
	const yz = at(c, 8);
	const zz = at(c, 9);
	const wx = at(s, 0);
	const wy = at(s, 1);
	const wz = at(s, 2);
	const vx = at(s, 3);
	const vy = at(s, 4);
	const vz = at(s, 5);
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

/**
 * Forces that gravity, motion and outer forces need in each degree of freedom, by recursive Newton-Euler for the velocities `v`, and
 * inertias of all that each joint carries.
 */
export function computeBias(v: usize): void {
	for (let joint = 0; joint < layout.jointCount; joint++) {
		accelerate(joint, v);
		placeForce(joint);
	}
	const moves = v == layout.v0;
	const forces = layout.force;
	const momenta = layout.momentum;
	const composites = layout.composite;
	for (let joint = layout.jointCount - 1; joint >= 0; joint--) {
		const from = forces + ((6 * joint) << 4);
		const f0 = at(from, 0);
		const f1 = at(from, 1);
		const f2 = at(from, 2);
		const f3 = at(from, 3);
		const f4 = at(from, 4);
		const f5 = at(from, 5);
		const first = int(layout.placeOf, joint);
		const count = int(layout.linearOf, joint) + int(layout.angularOf, joint);
		const own = momenta + ((6 * joint) << 4);
		const h0 = at(own, 0);
		const h1 = at(own, 1);
		const h2 = at(own, 2);
		const h3 = at(own, 3);
		const h4 = at(own, 4);
		const h5 = at(own, 5);
		let t = layout.twist + ((6 * first) << 4);
		for (let d = 0; d < count; d++) {
			const t0 = at(t, 0);
			const t1 = at(t, 1);
			const t2 = at(t, 2);
			const t3 = at(t, 3);
			const t4 = at(t, 4);
			const t5 = at(t, 5);
			put(layout.bias, first - d, add(dot(t0, t1, t2, f0, f1, f2), dot(t3, t4, t5, f3, f4, f5)));
			if (moves) put(layout.startMomentum, first - d, add(dot(t0, t1, t2, h0, h1, h2), dot(t3, t4, t5, h3, h4, h5)));
			t -= 96;
		}
		const parent = int(layout.parentOf, joint);
		if (parent < 0) continue;
		const to = forces + ((6 * parent) << 4);
		put(to, 0, add(at(to, 0), f0));
		put(to, 1, add(at(to, 1), f1));
		put(to, 2, add(at(to, 2), f2));
		put(to, 3, add(at(to, 3), f3));
		put(to, 4, add(at(to, 4), f4));
		put(to, 5, add(at(to, 5), f5));
		const upper = momenta + ((6 * parent) << 4);
		put(upper, 0, add(at(upper, 0), h0));
		put(upper, 1, add(at(upper, 1), h1));
		put(upper, 2, add(at(upper, 2), h2));
		put(upper, 3, add(at(upper, 3), h3));
		put(upper, 4, add(at(upper, 4), h4));
		put(upper, 5, add(at(upper, 5), h5));
		const part = composites + ((INERTIA * joint) << 4);
		const whole = composites + ((INERTIA * parent) << 4);
		for (let k = 0; k < INERTIA; k++) put(whole, k, add(at(whole, k), at(part, k)));
	}
}

/** Twist of a body for velocities by degree of freedom, and its acceleration when no joint accelerates, against gravity. */
function accelerate(joint: i32, v: usize): void {
	const parent = int(layout.parentOf, joint);
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
	const m = at(constants, 0);
	const rx = sub(at(centre, 0), at(origin, 0));
	const ry = sub(at(centre, 1), at(origin, 1));
	const rz = sub(at(centre, 2), at(origin, 2));
	const matrix = layout.matrix + ((9 * body) << 4);
	const r00 = at(matrix, 0);
	const r01 = at(matrix, 1);
	const r02 = at(matrix, 2);
	const r10 = at(matrix, 3);
	const r11 = at(matrix, 4);
	const r12 = at(matrix, 5);
	const r20 = at(matrix, 6);
	const r21 = at(matrix, 7);
	const r22 = at(matrix, 8);
	const i00 = at(constants, 1);
	const i01 = at(constants, 2);
	const i02 = at(constants, 3);
	const i11 = at(constants, 4);
	const i12 = at(constants, 5);
	const i22 = at(constants, 6);
	// rows of R · I, then R · I · Rᵀ
	const a00 = dot(r00, r01, r02, i00, i01, i02);
	const a01 = dot(r00, r01, r02, i01, i11, i12);
	const a02 = dot(r00, r01, r02, i02, i12, i22);
	const xx = dot(a00, a01, a02, r00, r01, r02);
	const xy = dot(a00, a01, a02, r10, r11, r12);
	const xz = dot(a00, a01, a02, r20, r21, r22);
	const a10 = dot(r10, r11, r12, i00, i01, i02);
	const a11 = dot(r10, r11, r12, i01, i11, i12);
	const a12 = dot(r10, r11, r12, i02, i12, i22);
	const yy = dot(a10, a11, a12, r10, r11, r12);
	const yz = dot(a10, a11, a12, r20, r21, r22);
	const a20 = dot(r20, r21, r22, i00, i01, i02);
	const a21 = dot(r20, r21, r22, i01, i11, i12);
	const a22 = dot(r20, r21, r22, i02, i12, i22);
	const zz = dot(a20, a21, a22, r20, r21, r22);
	const hx = mul(m, rx);
	const hy = mul(m, ry);
	const hz = mul(m, rz);
	const sx = mul(hx, rx);
	const sy = mul(hy, ry);
	const sz = mul(hz, rz);
	const own = layout.composite + ((INERTIA * body) << 4);
	put(own, 0, m);
	put(own, 1, hx);
	put(own, 2, hy);
	put(own, 3, hz);
	put(own, 4, add(xx, add(sy, sz)));
	put(own, 5, nmad(hx, ry, xy));
	put(own, 6, nmad(hx, rz, xz));
	put(own, 7, add(yy, add(sx, sz)));
	put(own, 8, nmad(hy, rz, yz));
	put(own, 9, add(zz, add(sx, sy)));
	const w = layout.twistRate + ((6 * body) << 4);
	const wx = at(w, 0);
	const wy = at(w, 1);
	const wz = at(w, 2);
	// velocity and acceleration of the centre of mass
	const vx = add(at(w, 3), det(wy, rz, wz, ry));
	const vy = add(at(w, 4), det(wz, rx, wx, rz));
	const vz = add(at(w, 5), det(wx, ry, wy, rx));
	const a = layout.acceleration + ((6 * body) << 4);
	const ax = at(a, 0);
	const ay = at(a, 1);
	const az = at(a, 2);
	let fx = mul(m, add(at(a, 3), add(det(ay, rz, az, ry), det(wy, vz, wz, vy))));
	let fy = mul(m, add(at(a, 4), add(det(az, rx, ax, rz), det(wz, vx, wx, vz))));
	let fz = mul(m, add(at(a, 5), add(det(ax, ry, ay, rx), det(wx, vy, wy, vx))));
	const lx = dot(xx, xy, xz, wx, wy, wz);
	const ly = dot(xy, yy, yz, wx, wy, wz);
	const lz = dot(xz, yz, zz, wx, wy, wz);
	const px = mul(m, vx);
	const py = mul(m, vy);
	const pz = mul(m, vz);
	const momentum = layout.momentum + ((6 * body) << 4);
	put(momentum, 0, add(lx, det(ry, pz, rz, py)));
	put(momentum, 1, add(ly, det(rz, px, rx, pz)));
	put(momentum, 2, add(lz, det(rx, py, ry, px)));
	put(momentum, 3, px);
	put(momentum, 4, py);
	put(momentum, 5, pz);
	let tx = add(dot(xx, xy, xz, ax, ay, az), det(wy, lz, wz, ly));
	let ty = add(dot(xy, yy, yz, ax, ay, az), det(wz, lx, wx, lz));
	let tz = add(dot(xz, yz, zz, ax, ay, az), det(wx, ly, wy, lx));
	if (layout.hasBodyForces) {
		const outer = layout.bodyForces + ((6 * body) << 4);
		fx = sub(fx, at(outer, 0));
		fy = sub(fy, at(outer, 1));
		fz = sub(fz, at(outer, 2));
		tx = sub(tx, at(outer, 3));
		ty = sub(ty, at(outer, 4));
		tz = sub(tz, at(outer, 5));
	}
	const force = layout.force + ((6 * body) << 4);
	put(force, 0, add(tx, det(ry, fz, rz, fy)));
	put(force, 1, add(ty, det(rz, fx, rx, fz)));
	put(force, 2, add(tz, det(rx, fy, ry, fx)));
	put(force, 3, fx);
	put(force, 4, fy);
	put(force, 5, fz);
}
