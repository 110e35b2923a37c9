import { CONTACT_INPUT, DISTANCE, POINT0, POINT1, placeContact, STIFFNESS, TAU } from './contacts';
import {
	constant,
	EFFORT,
	FORCE,
	FRICTION,
	HAS_DRIVE,
	IS_STIFF,
	isKnown,
	KD,
	KP,
	LIMIT_KE,
	LIMIT_TAU,
	LOWER,
	RATE,
	REFERENCE,
	SPEED,
	TARGET,
	UPPER,
} from './free-motion';
import {
	abs,
	add,
	all,
	and,
	any,
	at,
	choose,
	det,
	div,
	dot,
	int,
	isAtMost,
	isLess,
	isSame,
	keep,
	least,
	mad,
	most,
	mul,
	neg,
	none,
	or,
	put,
	sqrt,
	sub,
	without,
} from './lanes';
import * as layout from './layout';
import * as problem from './newton-memory';

/** Rows, of which the first have one entry. */
export let rowCount: i32 = 0;
export let unitCount: i32 = 0;
export let contactCount: i32 = 0;

/** A limit counts when it could be reached in so many steps at the present speed (Drake). */
const LIMIT_WINDOW: f64 = 2;
/** Share of the speed at which a limit acts from which on it is looked at: a little less than all, for rounding. */
const AWAKE: f64 = 1 - 1e-5;
/** Speeds beyond this are none: the builder's default. */
const NO_SPEED_LIMIT: f64 = 1e6;

/** Numbers of a row of several entries that the host writes. */
const EXTRA_INPUT: i32 = 5;

/** Builds rows and contacts of the group; `count` contacts and `extras` rows of several entries have been written by the host. */
export function buildTerms(count: i32, extras: i32): void {
	rowCount = 0;
	contactCount = count;
	store<i32>(problem.rowIsDrive, 0);
	for (let tree = 0; tree < layout.treeCount; tree++) put(layout.isUsed, tree, none());
	for (let p = 0; p < layout.dofCount; p++)
		put(problem.scale, p, div(all(1), at(layout.mass, int(layout.baseOf, p) + p)));
	for (let c = 0; c < count; c++) {
		const isThere = placeContact(c);
		useTree(int(problem.contactBody0, c), isThere);
		useTree(int(problem.contactBody1, c), isThere);
		addContact(c);
	}
	for (let p = 0; p < layout.dofCount; p++) addRows(p);
	unitCount = rowCount;
	for (let e = 0; e < extras; e++) addExtra(e);
}

/** A row of several entries as the host wrote it. */
function addExtra(e: i32): void {
	const row = rowCount++;
	const input = problem.extraInput + ((EXTRA_INPUT * e) << 4);
	const isThere = at(input, 4);
	put(problem.rowTarget, row, at(input, 0));
	const r = at(input, 1);
	put(problem.rowR, row, r);
	put(problem.rowStiffness, row, keep(isThere, div(all(1), r)));
	put(problem.rowLower, row, at(input, 2));
	put(problem.rowUpper, row, at(input, 3));
	put(problem.rowIsThere, row, isThere);
	store<i32>(problem.rowIsDrive + (row << 2), int(problem.extraIsDrive, e));
	const columns: usize = int(problem.extraColumns, e);
	const count = int(columns, 0);
	for (let k = 0; k < count; k++) {
		const tree = int(layout.dofTreeOf, int(columns, 1 + k));
		put(layout.isUsed, tree, or(at(layout.isUsed, tree), isThere));
	}
}

/** Sum of the entries of a row of several times numbers by degree of freedom. */
export function multiplyExtra(e: i32, x: usize): v128 {
	const columns: usize = int(problem.extraColumns, e);
	const count = int(columns, 0);
	const j = problem.extraJacobian + (int(problem.extraStart, e) << 4);
	let sum = none();
	for (let k = 0; k < count; k++) sum = mad(at(j, k), at(x, int(columns, 1 + k)), sum);
	return sum;
}

function useTree(body: i32, lanes: v128): void {
	if (body < 0) return;
	const tree = int(layout.treeOf, body);
	put(layout.isUsed, tree, or(at(layout.isUsed, tree), lanes));
}

/** Drive, limits and dry friction of a degree of freedom. */
function addRows(p: i32): void {
	const fixed = at(layout.isFixed, p);
	const coordinate = int(layout.ownCoordinateOf, p);
	const hasDrive = without(constant(p, HAS_DRIVE), fixed);
	const q = coordinate < 0 ? none() : add(at(layout.coordinates, coordinate), constant(p, REFERENCE));
	const v0 = abs(at(layout.v0, p));
	const speed = most(abs(at(layout.vStar, p)), v0);
	if (any(hasDrive)) addDrive(p, hasDrive, coordinate, q);
	if (coordinate >= 0) {
		const ke = constant(p, LIMIT_KE);
		const lower = constant(p, LOWER);
		const upper = constant(p, UPPER);
		const reach = mul(mul(all(LIMIT_WINDOW), layout.dt), speed);
		const hasLimits = without(isLess(none(), ke), fixed);
		const below = sub(q, lower);
		const above = sub(upper, q);
		const hasLower = and(hasLimits, isLess(neg(lower), all(problem.unlimited)));
		const hasUpper = and(hasLimits, isLess(upper, all(problem.unlimited)));
		const isLow = and(hasLower, isAtMost(below, reach));
		const isHigh = and(hasUpper, isAtMost(above, reach));
		if (any(isLow)) addLimit(p, isLow, below, all(1));
		if (any(isHigh)) addLimit(p, isHigh, above, all(-1));
		// limits that are out of reach at the speed of the start are watched where that of free motion is not known
		const inverse = awakeOver(add(layout.dt, constant(p, LIMIT_TAU)));
		const watchesLow = without(without(hasLower, isLow), isKnown);
		const watchesHigh = without(without(hasUpper, isHigh), isKnown);
		put(problem.wakeLow, p, choose(watchesLow, neg(mul(below, inverse)), all(-Infinity)));
		put(problem.wakeHigh, p, choose(watchesHigh, mul(above, inverse), all(Infinity)));
	} else {
		put(problem.wakeLow, p, all(-Infinity));
		put(problem.wakeHigh, p, all(Infinity));
	}
	const friction = constant(p, FRICTION);
	const hasFriction = without(isLess(none(), friction), fixed);
	if (any(hasFriction)) {
		const size = mul(layout.dt, friction);
		const r = mul(all(problem.frictionSigma), weightOf(p));
		addRow(p, hasFriction, all(1), r, div(all(1), r), none(), neg(size), size);
	}
	if (problem.limitsSpeed == 0) return;
	const limit = constant(p, SPEED);
	let isFast = and(isLess(none(), limit), isLess(limit, all(NO_SPEED_LIMIT)));
	isFast = without(and(isFast, or(isLess(mul(all(0.5), limit), speed), hasDrive)), fixed);
	if (!any(isFast)) return;
	const r = mul(all(problem.jointNearRigid), weightOf(p));
	const stiffness = div(all(1), r);
	addRow(p, isFast, all(1), r, stiffness, neg(limit), none(), all(Infinity));
	addRow(p, isFast, all(-1), r, stiffness, neg(limit), none(), all(Infinity));
}

/** `AWAKE / span`; most limits have the same span, for which it is divided once. */
function awakeOver(span: v128): v128 {
	if (!isSame(span, lastSpan)) {
		lastSpan = span;
		lastAwake = div(all(AWAKE), span);
	}
	return lastAwake;
}

let lastSpan: v128 = f64x2.splat(0);
let lastAwake: v128 = f64x2.splat(0);

/** Inverse of the mass that a degree of freedom feels alone. */
function weightOf(p: i32): v128 {
	return at(problem.scale, p);
}

function addDrive(p: i32, lanes: v128, coordinate: i32, q: v128): void {
	const dt = layout.dt;
	let kp = constant(p, KP);
	let kd = constant(p, KD);
	const bound = mul(all(problem.jointNearRigid), weightOf(p));
	// gains no stiffer than the near-rigid bound, with their ratio kept
	const isStiff = isLess(all(1), mul(mul(dt, mad(dt, kp, kd)), bound));
	if (any(isStiff)) {
		const isSpring = isLess(kd, mul(dt, kp));
		const damped = div(kd, kp);
		const springKp = div(all(1), mul(mul(dt, add(dt, damped)), bound));
		const sprung = div(kp, kd);
		const damperKd = div(all(1), mul(mul(dt, mad(dt, sprung, all(1))), bound));
		const newKp = choose(isSpring, springKp, mul(sprung, damperKd));
		const newKd = choose(isSpring, mul(damped, springKp), damperKd);
		kp = choose(isStiff, newKp, kp);
		kd = choose(isStiff, newKd, kd);
	}
	const gain = mad(dt, kp, kd);
	let error = none();
	if (coordinate >= 0) {
		const target = within(at(layout.targets, coordinate), constant(p, TARGET), constant(p, TARGET + 1));
		error = keep(constant(p, IS_STIFF), sub(target, q));
	}
	const rate = within(at(layout.targetRates, p), constant(p, RATE), constant(p, RATE + 1));
	const effort = constant(p, EFFORT);
	const wish = add(mad(kp, error, mul(kd, rate)), at(layout.feedForward, p));
	const lower = mul(dt, most(neg(effort), constant(p, FORCE)));
	const upper = mul(dt, least(effort, constant(p, FORCE + 1)));
	store<i32>(problem.rowIsDrive + (rowCount << 2), 1);
	const stiffness = mul(dt, gain);
	const r = div(all(1), stiffness);
	addRow(p, lanes, all(1), r, stiffness, mul(mul(wish, dt), r), lower, upper);
}

function within(value: v128, lower: v128, upper: v128): v128 {
	return least(upper, most(lower, value));
}

function addLimit(p: i32, lanes: v128, gap: v128, side: v128): void {
	const ke = constant(p, LIMIT_KE);
	const span = add(layout.dt, constant(p, LIMIT_TAU));
	const soft = div(all(1), mul(mul(layout.dt, ke), span));
	const r = most(mul(all(problem.jointNearRigid), weightOf(p)), soft);
	addRow(p, lanes, side, r, div(all(1), r), neg(div(gap, span)), none(), all(Infinity));
}

/** A row of one entry. In lanes without it nothing can act. */
function addRow(
	p: i32,
	lanes: v128,
	side: v128,
	r: v128,
	stiffness: v128,
	target: v128,
	lower: v128,
	upper: v128,
): void {
	const row = rowCount++;
	store<i32>(problem.rowPlace + (row << 2), p);
	put(problem.rowSign, row, side);
	put(problem.rowR, row, choose(lanes, r, all(1)));
	put(problem.rowStiffness, row, keep(lanes, stiffness));
	put(problem.rowTarget, row, keep(lanes, target));
	put(problem.rowLower, row, keep(lanes, lower));
	put(problem.rowUpper, row, keep(lanes, upper));
	put(problem.rowIsThere, row, lanes);
	store<i32>(problem.rowIsDrive + (rowCount << 2), 0);
	const tree = int(layout.dofTreeOf, p);
	put(layout.isUsed, tree, or(at(layout.isUsed, tree), lanes));
}

/** Columns, regularisation and target of a contact: the velocity of body 1 relative to body 0 in its frame. */
function addContact(c: i32): void {
	const input = problem.contactInput + ((CONTACT_INPUT * c) << 4);
	const columns: usize = int(problem.contactColumns, c);
	const count = int(columns, 0);
	const body0 = int(problem.contactBody0, c);
	const body1 = int(problem.contactBody1, c);
	const o0 = body0 < 0 ? -1 : 3 * int(layout.treeOf, body0);
	const o1 = body1 < 0 ? -1 : 3 * int(layout.treeOf, body1);
	const ax = o0 < 0 ? none() : sub(at(input, POINT0), at(layout.origin, o0));
	const ay = o0 < 0 ? none() : sub(at(input, POINT0 + 1), at(layout.origin, o0 + 1));
	const az = o0 < 0 ? none() : sub(at(input, POINT0 + 2), at(layout.origin, o0 + 2));
	const bx = o1 < 0 ? none() : sub(at(input, POINT1), at(layout.origin, o1));
	const by = o1 < 0 ? none() : sub(at(input, POINT1 + 1), at(layout.origin, o1 + 1));
	const bz = o1 < 0 ? none() : sub(at(input, POINT1 + 2), at(layout.origin, o1 + 2));
	const f0 = at(input, 0);
	const f1 = at(input, 1);
	const f2 = at(input, 2);
	const f3 = at(input, 3);
	const f4 = at(input, 4);
	const f5 = at(input, 5);
	const f6 = at(input, 6);
	const f7 = at(input, 7);
	const f8 = at(input, 8);
	const jacobian = problem.contactJacobian + ((3 * int(problem.contactStart, c)) << 4);
	let j = jacobian;
	let k = 0;
	// bodies may have no columns at all
	if (count > 0) {
		do {
			const side = int(columns, 3 + 2 * k);
			const t = layout.twist + ((6 * int(columns, 2 + 2 * k)) << 4);
			const wx = at(t, 0);
			const wy = at(t, 1);
			const wz = at(t, 2);
			const ux = at(t, 3);
			const uy = at(t, 4);
			const uz = at(t, 5);
			let x = none();
			let y = none();
			let z = none();
			if ((side & 2) != 0) {
				x = add(ux, det(wy, bz, wz, by));
				y = add(uy, det(wz, bx, wx, bz));
				z = add(uz, det(wx, by, wy, bx));
			}
			if ((side & 1) != 0) {
				x = sub(x, add(ux, det(wy, az, wz, ay)));
				y = sub(y, add(uy, det(wz, ax, wx, az)));
				z = sub(z, add(uz, det(wx, ay, wy, ax)));
			}
			put(j, 0, dot(f0, f1, f2, x, y, z));
			put(j, 1, dot(f3, f4, f5, x, y, z));
			put(j, 2, dot(f6, f7, f8, x, y, z));
			j += 48;
		} while (++k < count);
	}
	let given0 = none();
	let given1 = none();
	let given2 = none();
	if (any(layout.hasFixed)) {
		j = jacobian;
		for (k = 0; k < count; k++) {
			const p = int(columns, 2 + 2 * k);
			const fixed = at(layout.isFixed, p);
			const rate = keep(fixed, at(layout.v0, p));
			given0 = mad(rate, at(j, 0), given0);
			given1 = mad(rate, at(j, 1), given1);
			given2 = mad(rate, at(j, 2), given2);
			for (let axis = 0; axis < 3; axis++) put(j, axis, without(at(j, axis), fixed));
			j += 48;
		}
	}
	let weight =
		problem.weighsBodies == 1
			? add(bodyWeight(input, POINT0, body0), bodyWeight(input, POINT1, body1))
			: columnWeight(columns, jacobian);
	weight = choose(isLess(all(1e-12), weight), weight, all(1e-12));
	const span = add(layout.dt, at(input, TAU));
	const soft = div(all(1), mul(mul(layout.dt, at(input, STIFFNESS)), span));
	put(problem.contactRn, c, most(mul(all(problem.contactNearRigid), weight), soft));
	put(problem.contactRt, c, mul(all(problem.contactSigma), weight));
	put(problem.contactTarget, 3 * c, neg(given0));
	put(problem.contactTarget, 3 * c + 1, neg(given1));
	put(problem.contactTarget, 3 * c + 2, sub(neg(div(at(input, DISTANCE), span)), given2));
}

/** A third of the norm of `J D Jᵀ`, where D has the inverse of the mass that each degree of freedom feels alone. */
function columnWeight(columns: usize, jacobian: usize): v128 {
	let w00 = none();
	let w01 = none();
	let w11 = none();
	let w02 = none();
	let w12 = none();
	let w22 = none();
	const count = int(columns, 0);
	let j = jacobian;
	for (let k = 0; k < count; k++) {
		const weight = weightOf(int(columns, 2 + 2 * k));
		const a = at(j, 0);
		const b = at(j, 1);
		const n = at(j, 2);
		const weighedA = mul(a, weight);
		const weighedB = mul(b, weight);
		w00 = mad(a, weighedA, w00);
		w01 = mad(b, weighedA, w01);
		w02 = mad(n, weighedA, w02);
		w11 = mad(b, weighedB, w11);
		w12 = mad(n, weighedB, w12);
		w22 = mad(n, mul(n, weight), w22);
		j += 48;
	}
	const own = dot(w00, w11, w22, w00, w11, w22);
	const cross = dot(w01, w02, w12, w01, w02, w12);
	return div(sqrt(mad(all(2), cross, own)), all(3));
}

/** Mean over the axes of the contact of 1/m + (r × c)ᵀ diag(I)⁻¹ (r × c), in body axes. */
function bodyWeight(input: usize, point: i32, body: i32): v128 {
	if (body < 0) return none();
	const constants = layout.bodyConstants + ((7 * body) << 4);
	const mass = at(constants, 0);
	const rx = sub(at(input, point), at(layout.centre, 3 * body));
	const ry = sub(at(input, point + 1), at(layout.centre, 3 * body + 1));
	const rz = sub(at(input, point + 2), at(layout.centre, 3 * body + 2));
	const m = 9 * body;
	let sum = none();
	for (let axis = 0; axis < 3; axis++) {
		const ax = at(input, 3 * axis);
		const ay = at(input, 3 * axis + 1);
		const az = at(input, 3 * axis + 2);
		const x = det(ry, az, rz, ay);
		const y = det(rz, ax, rx, az);
		const z = det(rx, ay, ry, ax);
		const bx = dot(at(layout.matrix, m), at(layout.matrix, m + 3), at(layout.matrix, m + 6), x, y, z);
		const by = dot(at(layout.matrix, m + 1), at(layout.matrix, m + 4), at(layout.matrix, m + 7), x, y, z);
		const bz = dot(at(layout.matrix, m + 2), at(layout.matrix, m + 5), at(layout.matrix, m + 8), x, y, z);
		sum = add(sum, div(all(1), mass));
		sum = add(sum, div(mul(bx, bx), most(at(constants, 1), all(1e-12))));
		sum = add(sum, div(mul(by, by), most(at(constants, 4), all(1e-12))));
		sum = add(sum, div(mul(bz, bz), most(at(constants, 6), all(1e-12))));
	}
	return keep(isLess(none(), mass), div(sum, all(3)));
}

/** `out = J x` of all contacts. */
export function multiplyContacts(x: usize, out: usize, mask: v128): void {
	for (let c = 0; c < contactCount; c++) {
		const columns: usize = int(problem.contactColumns, c);
		const count = int(columns, 0);
		let j = problem.contactJacobian + ((3 * int(problem.contactStart, c)) << 4);
		let a = none();
		let b = none();
		let n = none();
		for (let k = 0; k < count; k++) {
			const value = at(x, int(columns, 2 + 2 * k));
			a = mad(at(j, 0), value, a);
			b = mad(at(j, 1), value, b);
			n = mad(at(j, 2), value, n);
			j += 48;
		}
		put(out, 3 * c, choose(mask, a, at(out, 3 * c)));
		put(out, 3 * c + 1, choose(mask, b, at(out, 3 * c + 1)));
		put(out, 3 * c + 2, choose(mask, n, at(out, 3 * c + 2)));
	}
}

/** `out = J x` of the rows of several entries; those of one find theirs where they need it. */
export function multiplyRows(x: usize, out: usize, mask: v128): void {
	for (let r = unitCount; r < rowCount; r++) put(out, r, choose(mask, multiplyExtra(r - unitCount, x), at(out, r)));
}
