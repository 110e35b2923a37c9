import { ARMATURE, DAMPING, DOF_CONSTANTS } from './free-motion';
import { int, isSet, LANES, lane, putLane } from './lanes';
import * as layout from './layout';
import { isMidpoint } from './newton-memory';

/** Newton steps of the implicit midpoint rule, and the relative size of a step at which it ends. */
const MOST_STEPS: i32 = 12;
const SMALL: f64 = 1e-14;

// room for one lane: matrices of nine numbers, vectors of three
const turnBy: usize = memory.data(72, 8);
const inertia: usize = memory.data(72, 8);
const slopes: usize = memory.data(72, 8);
const w0: usize = memory.data(24, 8);
const w1: usize = memory.data(24, 8);
const side: usize = memory.data(24, 8);
const explicit: usize = memory.data(24, 8);
const implicit: usize = memory.data(24, 8);
const arm: usize = memory.data(24, 8);
const centre: usize = memory.data(24, 8);
const turned: usize = memory.data(24, 8);
const old: usize = memory.data(24, 8);

function get(array: usize, index: i32): f64 {
	return load<f64>(array + (index << 3));
}

function set(array: usize, index: i32, value: f64): void {
	store<f64>(array + (index << 3), value);
}

/**
 * Puts the implicit turning of single bodies on floating and ball joints in place of the explicit one in the velocities of free
 * motion, lane by lane, as `GyroscopicStep` does.
 */
export function correctSpin(tree: i32): void {
	const joint = int(layout.spinnerOf, tree);
	const first = int(layout.placeOf, joint);
	const count = int(layout.linearOf, joint) + int(layout.angularOf, joint);
	const last = layout.lastLane;
	for (let which = 0; which <= last; which++) correctLane(joint, first, count, which);
	for (let which = last + 1; which < LANES; which++)
		for (let d = 0; d < count; d++) putLane(layout.vStar, first - d, which, lane(layout.vStar, first - d, last));
}

function correctLane(joint: i32, first: i32, count: i32, which: i32): void {
	if (isSet(layout.isFixed, first - count + 1, which)) return;
	const w = first - (count - 3);
	for (let k = 0; k < 3; k++) set(old, k, lane(layout.v0, w - k, which));
	if (get(old, 0) == 0 && get(old, 1) == 0 && get(old, 2) == 0) return;
	// armature and damping are no part of the rigid body
	for (let d = 0; d < count; d++) {
		const constants = DOF_CONSTANTS * (first - d);
		if (lane(layout.dofConstants, constants + ARMATURE, which) != 0) return;
		if (lane(layout.dofConstants, constants + DAMPING, which) != 0) return;
	}
	const isFloating = count == 6;
	placeSpinner(joint, isFloating, which);
	for (let k = 0; k < 3; k++) {
		set(
			w0,
			k,
			get(turnBy, 3 * k) * get(old, 0) + get(turnBy, 3 * k + 1) * get(old, 1) + get(turnBy, 3 * k + 2) * get(old, 2),
		);
	}
	const dt = lane(layout.timeSteps, 0, which);
	if (!solveExplicit(dt) || !solveMidpoint(dt)) return;
	toParent(explicit, explicit);
	toParent(implicit, w1);
	if (isMidpoint == 1) followTurn(dt);
	if (isFloating) shift(first, dt, which);
	for (let k = 0; k < 3; k++) {
		const value = lane(layout.vStar, w - k, which) + get(implicit, k) - get(explicit, k);
		putLane(layout.vStar, w - k, which, value);
	}
}

/** Rotation, inertia about the point that the body turns about, and the arm to its centre of mass. */
function placeSpinner(joint: i32, isFloating: bool, which: i32): void {
	const fx = lane(layout.frame, 4 * joint, which);
	const fy = lane(layout.frame, 4 * joint + 1, which);
	const fz = lane(layout.frame, 4 * joint + 2, which);
	const fw = lane(layout.frame, 4 * joint + 3, which);
	// columns of the frame's rotation
	set(slopes, 0, 1 - 2 * (fy * fy + fz * fz));
	set(slopes, 1, 2 * (fx * fy + fw * fz));
	set(slopes, 2, 2 * (fx * fz - fw * fy));
	set(slopes, 3, 2 * (fx * fy - fw * fz));
	set(slopes, 4, 1 - 2 * (fx * fx + fz * fz));
	set(slopes, 5, 2 * (fy * fz + fw * fx));
	set(slopes, 6, 2 * (fx * fz + fw * fy));
	set(slopes, 7, 2 * (fy * fz - fw * fx));
	set(slopes, 8, 1 - 2 * (fx * fx + fy * fy));
	const x = lane(layout.centre, 3 * joint, which) - lane(layout.pivot, 3 * joint, which);
	const y = lane(layout.centre, 3 * joint + 1, which) - lane(layout.pivot, 3 * joint + 1, which);
	const z = lane(layout.centre, 3 * joint + 2, which) - lane(layout.pivot, 3 * joint + 2, which);
	for (let i = 0; i < 3; i++) {
		// column i of the body's rotation is its axis i in the world
		const bx = lane(layout.matrix, 9 * joint + i, which);
		const by = lane(layout.matrix, 9 * joint + 3 + i, which);
		const bz = lane(layout.matrix, 9 * joint + 6 + i, which);
		for (let k = 0; k < 3; k++) {
			set(turnBy, 3 * i + k, bx * get(slopes, 3 * k) + by * get(slopes, 3 * k + 1) + bz * get(slopes, 3 * k + 2));
		}
		set(centre, i, bx * x + by * y + bz * z);
		set(arm, i, get(slopes, 3 * i) * x + get(slopes, 3 * i + 1) * y + get(slopes, 3 * i + 2) * z);
	}
	const constants = 7 * joint;
	const mass = isFloating ? 0 : lane(layout.bodyConstants, constants, which);
	const squared = get(centre, 0) * get(centre, 0) + get(centre, 1) * get(centre, 1) + get(centre, 2) * get(centre, 2);
	for (let i = 0; i < 3; i++) {
		for (let k = 0; k < 3; k++) {
			const steiner = mass * ((i == k ? squared : 0) - get(centre, i) * get(centre, k));
			const low = min<i32>(i, k);
			const high = max<i32>(i, k);
			// 00 01 02 11 12 22
			const entry = low == 0 ? high : low == 1 ? 2 + high : 5;
			set(inertia, 3 * i + k, lane(layout.bodyConstants, constants + 1 + entry, which) + steiner);
		}
	}
}

/** `w₀ − dt I⁻¹ (w₀ × I w₀)`; false when the inertia has no inverse. */
function solveExplicit(dt: f64): bool {
	gyroscopicTorque(side, w0);
	memory.copy(slopes, inertia, 72);
	if (!solveThree()) return false;
	for (let k = 0; k < 3; k++) set(explicit, k, get(w0, k) - dt * get(side, k));
	return true;
}

/** Newton's method on the midpoint rule, from the old velocity; false when it comes to no end. */
function solveMidpoint(dt: f64): bool {
	memory.copy(w1, w0, 24);
	for (let step = 0; step < MOST_STEPS; step++) {
		for (let k = 0; k < 3; k++) set(turned, k, 0.5 * (get(w0, k) + get(w1, k)));
		gyroscopicTorque(side, turned);
		const dx = get(w1, 0) - get(w0, 0);
		const dy = get(w1, 1) - get(w0, 1);
		const dz = get(w1, 2) - get(w0, 2);
		for (let i = 0; i < 3; i++) {
			const gain = get(inertia, 3 * i) * dx + get(inertia, 3 * i + 1) * dy + get(inertia, 3 * i + 2) * dz;
			set(side, i, -(gain + dt * get(side, i)));
		}
		gyroscopicSlope(0.5 * dt);
		if (!solveThree()) return false;
		let moved: f64 = 0;
		let size: f64 = 0;
		for (let k = 0; k < 3; k++) {
			set(w1, k, get(w1, k) + get(side, k));
			moved = Math.max(moved, Math.abs(get(side, k)));
			size = Math.max(size, Math.abs(get(w1, k)));
		}
		if (moved <= SMALL * size) return true;
		if (!(size < Infinity)) return false;
	}
	return false;
}

/** With the mean of velocities the body turns by it, so that the new velocity is the body's own in the turned frame. */
function followTurn(dt: f64): void {
	memory.copy(turned, implicit, 24);
	for (let step = 0; step < 8; step++) {
		const rx = 0.5 * dt * (get(old, 0) + get(implicit, 0));
		const ry = 0.5 * dt * (get(old, 1) + get(implicit, 1));
		const rz = 0.5 * dt * (get(old, 2) + get(implicit, 2));
		rotate(implicit, turned, rx, ry, rz);
	}
}

/**
 * The centre of mass of a floating body does not feel the turning: moves the velocity of the joint so that the centre has its
 * own when it has turned on.
 */
function shift(first: i32, dt: f64, which: i32): void {
	const rx = get(arm, 0);
	const ry = get(arm, 1);
	const rz = get(arm, 2);
	if (rx == 0 && ry == 0 && rz == 0) return;
	const ox = get(old, 0);
	const oy = get(old, 1);
	const oz = get(old, 2);
	const along = ox * rx + oy * ry + oz * rz;
	const squared = ox * ox + oy * oy + oz * oz;
	const ex = lane(layout.vStar, first - 3, which);
	const ey = lane(layout.vStar, first - 4, which);
	const ez = lane(layout.vStar, first - 5, which);
	// velocity of the centre: that of the joint, ω × r, and what ω₀ × (ω₀ × r) adds in the step
	const cx = lane(layout.vStar, first, which) + ey * rz - ez * ry + dt * (ox * along - rx * squared);
	const cy = lane(layout.vStar, first - 1, which) + ez * rx - ex * rz + dt * (oy * along - ry * squared);
	const cz = lane(layout.vStar, first - 2, which) + ex * ry - ey * rx + dt * (oz * along - rz * squared);
	const wx = ex + get(implicit, 0) - get(explicit, 0);
	const wy = ey + get(implicit, 1) - get(explicit, 1);
	const wz = ez + get(implicit, 2) - get(explicit, 2);
	const share: f64 = isMidpoint == 1 ? 0.5 : 0;
	const tx = dt * (wx + share * (ox - wx));
	const ty = dt * (wy + share * (oy - wy));
	const tz = dt * (wz + share * (oz - wz));
	const angle = Math.sqrt(tx * tx + ty * ty + tz * tz);
	// a step to first order turns by this share of the angle
	const part = isMidpoint == 1 || !(angle > 1e-12) ? 1 : (2 * Math.atan(angle / 2)) / angle;
	rotate(turned, arm, part * tx, part * ty, part * tz);
	putLane(layout.vStar, first, which, cx - (wy * get(turned, 2) - wz * get(turned, 1)));
	putLane(layout.vStar, first - 1, which, cy - (wz * get(turned, 0) - wx * get(turned, 2)));
	putLane(layout.vStar, first - 2, which, cz - (wx * get(turned, 1) - wy * get(turned, 0)));
}

/** `w × I w`. */
function gyroscopicTorque(out: usize, w: usize): void {
	const x = get(w, 0);
	const y = get(w, 1);
	const z = get(w, 2);
	const lx = get(inertia, 0) * x + get(inertia, 1) * y + get(inertia, 2) * z;
	const ly = get(inertia, 3) * x + get(inertia, 4) * y + get(inertia, 5) * z;
	const lz = get(inertia, 6) * x + get(inertia, 7) * y + get(inertia, 8) * z;
	set(out, 0, y * lz - z * ly);
	set(out, 1, z * lx - x * lz);
	set(out, 2, x * ly - y * lx);
}

/** `I + h ([w]× I − [I w]×)` at the mean, the slope of `I w + h w × I w`. */
function gyroscopicSlope(h: f64): void {
	const x = h * get(turned, 0);
	const y = h * get(turned, 1);
	const z = h * get(turned, 2);
	const lx = get(inertia, 0) * x + get(inertia, 1) * y + get(inertia, 2) * z;
	const ly = get(inertia, 3) * x + get(inertia, 4) * y + get(inertia, 5) * z;
	const lz = get(inertia, 6) * x + get(inertia, 7) * y + get(inertia, 8) * z;
	for (let k = 0; k < 3; k++) {
		set(slopes, k, get(inertia, k) + y * get(inertia, 6 + k) - z * get(inertia, 3 + k));
		set(slopes, 3 + k, get(inertia, 3 + k) + z * get(inertia, k) - x * get(inertia, 6 + k));
		set(slopes, 6 + k, get(inertia, 6 + k) + x * get(inertia, 3 + k) - y * get(inertia, k));
	}
	set(slopes, 1, get(slopes, 1) + lz);
	set(slopes, 2, get(slopes, 2) - ly);
	set(slopes, 3, get(slopes, 3) - lz);
	set(slopes, 5, get(slopes, 5) + lx);
	set(slopes, 6, get(slopes, 6) + ly);
	set(slopes, 7, get(slopes, 7) - lx);
}

/** Solves `slopes · x = side` in place by elimination with pivots; false when there is no single solution. */
function solveThree(): bool {
	for (let column = 0; column < 3; column++) {
		let pivot = column;
		for (let row = column + 1; row < 3; row++) {
			if (Math.abs(get(slopes, 3 * row + column)) > Math.abs(get(slopes, 3 * pivot + column))) pivot = row;
		}
		const top = get(slopes, 3 * pivot + column);
		if (!(Math.abs(top) > 0)) return false;
		if (pivot != column) {
			for (let k = 0; k < 3; k++) {
				const value = get(slopes, 3 * column + k);
				set(slopes, 3 * column + k, get(slopes, 3 * pivot + k));
				set(slopes, 3 * pivot + k, value);
			}
			const value = get(side, column);
			set(side, column, get(side, pivot));
			set(side, pivot, value);
		}
		for (let row = column + 1; row < 3; row++) {
			const share = get(slopes, 3 * row + column) / top;
			for (let k = column; k < 3; k++) {
				set(slopes, 3 * row + k, get(slopes, 3 * row + k) - share * get(slopes, 3 * column + k));
			}
			set(side, row, get(side, row) - share * get(side, column));
		}
	}
	for (let row = 2; row >= 0; row--) {
		let sum = get(side, row);
		for (let k = row + 1; k < 3; k++) sum -= get(slopes, 3 * row + k) * get(side, k);
		set(side, row, sum / get(slopes, 3 * row + row));
	}
	return true;
}

/** A vector of the body in the frame of the joint's parent; `out` may be `from`. */
function toParent(out: usize, from: usize): void {
	const x = get(from, 0);
	const y = get(from, 1);
	const z = get(from, 2);
	for (let k = 0; k < 3; k++) set(out, k, get(turnBy, k) * x + get(turnBy, 3 + k) * y + get(turnBy, 6 + k) * z);
}

/** A vector turned by a rotation vector; `out` is not `from`. */
function rotate(out: usize, from: usize, rx: f64, ry: f64, rz: f64): void {
	const angle = Math.sqrt(rx * rx + ry * ry + rz * rz);
	const s = angle > 1e-12 ? Math.sin(angle) / angle : 1;
	const c = angle > 1e-12 ? (1 - Math.cos(angle)) / (angle * angle) : 0.5;
	const x = get(from, 0);
	const y = get(from, 1);
	const z = get(from, 2);
	const cx = ry * z - rz * y;
	const cy = rz * x - rx * z;
	const cz = rx * y - ry * x;
	set(out, 0, x + s * cx + c * (ry * cz - rz * cy));
	set(out, 1, y + s * cy + c * (rz * cx - rx * cz));
	set(out, 2, z + s * cz + c * (rx * cy - ry * cx));
}
