import { CONTACT_INPUT, MU } from './contacts';
import {
	add,
	all,
	and,
	any,
	at,
	choose,
	div,
	every,
	int,
	isAtMost,
	isEqual,
	isLess,
	keep,
	least,
	mad,
	most,
	mul,
	neg,
	nmad,
	none,
	not,
	or,
	put,
	sqrt,
	sub,
	without,
} from './lanes';
import * as problem from './newton-memory';
import { contactCount, rowCount, unitCount } from './terms';

/** Friction below this counts as none. */
const NO_FRICTION: f64 = 1e-12;

/**
 * Numbers of how a contact slides: the direction of its slip, by how much a velocity across turns that (0 where it does not slide,
 * negative once friction is foreseen), and the direction of friction, which `foreseeFriction` takes ahead of the slip.
 */
const SLIP: i32 = 5;
const PACE: i32 = 2;
const FRICTION: i32 = 3;

/** Forgets what `foreseeFriction` saw: friction then points where contacts slide to. */
export function forgetFriction(): void {
	for (let c = 0; c < contactCount; c++) put(problem.contactSlip, SLIP * c + PACE, none());
}

/** Takes the directions of friction ahead to where the whole Newton step would have them, as `foreseeFriction` of the reference does. */
export function foreseeFriction(): void {
	for (let c = 0; c < contactCount; c++) {
		const slip = problem.contactSlip + ((SLIP * c) << 4);
		const pace = at(slip, PACE);
		if (!any(pace)) continue;
		const t0 = at(slip, 0);
		const t1 = at(slip, 1);
		const d0 = at(problem.contactChange, 3 * c);
		const d1 = at(problem.contactChange, 3 * c + 1);
		const along = mad(t0, d0, mul(t1, d1));
		const w0 = nmad(pace, nmad(at(slip, FRICTION), along, d0), t0);
		const w1 = nmad(pace, nmad(at(slip, FRICTION + 1), along, d1), t1);
		const size = sqrt(most(mad(w0, w0, mul(w1, w1)), all(1)));
		put(slip, FRICTION, div(w0, size));
		put(slip, FRICTION + 1, div(w1, size));
		put(slip, PACE, neg(pace));
	}
}

/**
 * Impulses of all contacts and rows at the solution, with the Hessians of their costs; `out` gets `Jᵀ γ` of all. Gives the sum of the costs.
 */
export function evaluate(out: usize): v128 {
	let cost = evaluateContacts();
	addContactImpulses(out);
	cost = add(cost, evaluateUnits(out));
	return add(cost, evaluateExtras(out));
}

/** The projection of `y = (target − velocity) / R` on the friction cone in the norm of R. */
function evaluateContacts(): v128 {
	let cost = none();
	const one = all(1);
	for (let c = 0; c < contactCount; c++) {
		const mu = at(problem.contactInput, CONTACT_INPUT * c + MU);
		const rt = at(problem.contactRt, c);
		const rn = at(problem.contactRn, c);
		const i = 3 * c;
		const stiffT = div(one, rt);
		const stiffN = div(one, rn);
		const y0 = mul(sub(at(problem.contactTarget, i), at(problem.contactVelocity, i)), stiffT);
		const y1 = mul(sub(at(problem.contactTarget, i + 1), at(problem.contactVelocity, i + 1)), stiffT);
		const yn = mul(sub(at(problem.contactTarget, i + 2), at(problem.contactVelocity, i + 2)), stiffN);
		const hasFriction = isLess(all(NO_FRICTION), mu);
		const yr = sqrt(add(mad(y0, y0, mul(y1, y1)), all(problem.softSquare)));
		const muHat = mul(mul(mu, rt), stiffN);
		const sticks = and(hasFriction, isAtMost(yr, mul(mu, yn)));
		const slides = and(without(hasFriction, sticks), isLess(neg(mul(muHat, yr)), yn));
		const presses = without(isLess(none(), yn), hasFriction);
		const f = div(one, mad(mu, muHat, one));
		const t0 = div(y0, yr);
		const t1 = div(y1, yr);
		const slidN = mul(f, mad(muHat, yr, yn));
		const g = mul(mu, slidN);
		const straight = or(sticks, presses);
		const gn = choose(straight, yn, keep(slides, slidN));
		const g0 = choose(sticks, y0, keep(slides, mul(g, t0)));
		const g1 = choose(sticks, y1, keep(slides, mul(g, t1)));
		const slip = problem.contactSlip + ((SLIP * c) << 4);
		const isForeseen = isLess(at(slip, PACE), none());
		const w0 = choose(isForeseen, at(slip, FRICTION), t0);
		const w1 = choose(isForeseen, at(slip, FRICTION + 1), t1);
		const pace = div(stiffT, yr);
		put(slip, 0, t0);
		put(slip, 1, t1);
		put(slip, PACE, keep(slides, pace));
		put(slip, FRICTION, w0);
		put(slip, FRICTION + 1, w1);
		const across = mul(g, pace);
		const along = mul(mul(mul(mu, muHat), f), stiffT);
		const slid00 = mad(along, mul(t0, t0), mul(across, nmad(w0, t0, one)));
		const slid01 = nmad(mul(all(0.5), across), mad(w0, t1, mul(w1, t0)), mul(along, mul(t0, t1)));
		const slid11 = mad(along, mul(t1, t1), mul(across, nmad(w1, t1, one)));
		const slidNN = mul(f, stiffN);
		const h = 6 * c;
		put(problem.contactHessian, h, choose(sticks, stiffT, keep(slides, slid00)));
		put(problem.contactHessian, h + 1, keep(slides, slid01));
		put(problem.contactHessian, h + 2, choose(sticks, stiffT, keep(slides, slid11)));
		put(problem.contactHessian, h + 3, keep(slides, mul(mul(mu, slidNN), t0)));
		put(problem.contactHessian, h + 4, keep(slides, mul(mul(mu, slidNN), t1)));
		put(problem.contactHessian, h + 5, choose(straight, stiffN, keep(slides, slidNN)));
		put(problem.contactImpulse, i, g0);
		put(problem.contactImpulse, i + 1, g1);
		put(problem.contactImpulse, i + 2, gn);
		put(problem.contactIsActive, c, or(straight, slides));
		const squares = mad(rt, mad(g0, g0, mul(g1, g1)), mul(mul(rn, gn), gn));
		cost = mad(all(0.5), squares, cost);
	}
	return cost;
}

/** Rows of one entry. In lanes without a row its stiffness is 0, and so are its impulse and its part of the Hessian. */
function evaluateUnits(out: usize): v128 {
	let cost = none();
	const half = all(0.5);
	const solution = problem.solution;
	for (let r = 0; r < unitCount; r++) {
		const p = int(problem.rowPlace, r);
		const sign = at(problem.rowSign, r);
		const stiffness = at(problem.rowStiffness, r);
		const y = mul(nmad(sign, at(solution, p), at(problem.rowTarget, r)), stiffness);
		const g = least(at(problem.rowUpper, r), most(at(problem.rowLower, r), y));
		put(problem.rowHessian, r, keep(isEqual(y, g), stiffness));
		put(out, p, mad(sign, g, at(out, p)));
		cost = mad(mul(at(problem.rowR, r), g), nmad(half, g, y), cost);
	}
	return cost;
}

/** Rows of several entries. */
function evaluateExtras(out: usize): v128 {
	let cost = none();
	const half = all(0.5);
	for (let r = unitCount; r < rowCount; r++) {
		const stiffness = at(problem.rowStiffness, r);
		const y = mul(sub(at(problem.rowTarget, r), at(problem.rowVelocity, r)), stiffness);
		const g = least(at(problem.rowUpper, r), most(at(problem.rowLower, r), y));
		put(problem.rowHessian, r, keep(isEqual(y, g), stiffness));
		cost = mad(mul(at(problem.rowR, r), g), nmad(half, g, y), cost);
		const columns: usize = int(problem.extraColumns, r - unitCount);
		const count = int(columns, 0);
		const j = problem.extraJacobian + (int(problem.extraStart, r - unitCount) << 4);
		for (let k = 0; k < count; k++) {
			const p = int(columns, 1 + k);
			put(out, p, mad(at(j, k), g, at(out, p)));
		}
	}
	return cost;
}

/** `out += Jᵀ γ` of the contacts. */
function addContactImpulses(out: usize): void {
	for (let c = 0; c < contactCount; c++) {
		if (!any(at(problem.contactIsActive, c))) continue;
		const columns: usize = int(problem.contactColumns, c);
		const count = int(columns, 0);
		let j = problem.contactJacobian + ((3 * int(problem.contactStart, c)) << 4);
		const g0 = at(problem.contactImpulse, 3 * c);
		const g1 = at(problem.contactImpulse, 3 * c + 1);
		const gn = at(problem.contactImpulse, 3 * c + 2);
		for (let k = 0; k < count; k++) {
			const p = int(columns, 2 + 2 * k);
			put(out, p, mad(at(j, 2), gn, mad(at(j, 1), g1, mad(at(j, 0), g0, at(out, p)))));
			j += 48;
		}
	}
}

/** Adds `Jᵀ G J` of every constraint to the Hessian, which is laid out for it. */
export function addHessians(): void {
	for (let c = nextActive(0); c < contactCount; ) {
		const other = nextActive(c + 1);
		// contacts of the same bodies go two at a time: they add to the same entries
		if (other < contactCount && int(problem.contactColumns, other) == int(problem.contactColumns, c)) {
			addTwoHessians(c, other);
			c = nextActive(other + 1);
		} else {
			addHessian(c);
			c = other;
		}
	}
	for (let r = 0; r < unitCount; r++) {
		const p = int(problem.rowPlace, r);
		const entry = int(problem.hessianBase, p) + p;
		put(problem.factorValues, entry, add(at(problem.factorValues, entry), at(problem.rowHessian, r)));
	}
	for (let r = unitCount; r < rowCount; r++) {
		const stiffness = at(problem.rowHessian, r);
		if (!any(stiffness)) continue;
		const columns: usize = int(problem.extraColumns, r - unitCount);
		const count = int(columns, 0);
		const j = problem.extraJacobian + (int(problem.extraStart, r - unitCount) << 4);
		for (let a = 0; a < count; a++) {
			const g = mul(stiffness, at(j, a));
			const row = problem.factorValues + (int(problem.hessianBase, int(columns, 1 + a)) << 4);
			for (let b = 0; b <= a; b++) {
				const p = int(columns, 1 + b);
				put(row, p, mad(g, at(j, b), at(row, p)));
			}
		}
	}
}

/** The first contact that pushes in some lane, from one on. */
function nextActive(from: i32): i32 {
	let c = from;
	while (c < contactCount && !any(at(problem.contactIsActive, c))) c++;
	return c;
}

/** Adds `Jᵀ G J` of a contact. */
function addHessian(c: i32): void {
	const columns: usize = int(problem.contactColumns, c);
	const count = int(columns, 0);
	const jacobian = problem.contactJacobian + ((3 * int(problem.contactStart, c)) << 4);
	const h = problem.contactHessian + ((6 * c) << 4);
	for (let a = 0; a < count; a++) {
		const own = jacobian + 48 * a;
		const g0 = pushed(h, own, 0, 1, 3);
		const g1 = pushed(h, own, 1, 2, 4);
		const g2 = pushed(h, own, 3, 4, 5);
		const row = problem.factorValues + (int(problem.hessianBase, int(columns, 2 + 2 * a)) << 4);
		let j = jacobian;
		let b = 0;
		do {
			const p = int(columns, 2 + 2 * b);
			put(row, p, add(at(row, p), mad(g2, at(j, 2), mad(g1, at(j, 1), mul(g0, at(j, 0))))));
			j += 48;
		} while (++b <= a);
	}
}

/** The same for two contacts of the same bodies, one after the other, so that each adds what it adds alone. */
function addTwoHessians(c: i32, other: i32): void {
	const columns: usize = int(problem.contactColumns, c);
	const count = int(columns, 0);
	const jacobian = problem.contactJacobian + ((3 * int(problem.contactStart, c)) << 4);
	const apart = (3 * (int(problem.contactStart, other) - int(problem.contactStart, c))) << 4;
	const h = problem.contactHessian + ((6 * c) << 4);
	const k = problem.contactHessian + ((6 * other) << 4);
	for (let a = 0; a < count; a++) {
		const own = jacobian + 48 * a;
		const g0 = pushed(h, own, 0, 1, 3);
		const g1 = pushed(h, own, 1, 2, 4);
		const g2 = pushed(h, own, 3, 4, 5);
		const k0 = pushed(k, own + apart, 0, 1, 3);
		const k1 = pushed(k, own + apart, 1, 2, 4);
		const k2 = pushed(k, own + apart, 3, 4, 5);
		const row = problem.factorValues + (int(problem.hessianBase, int(columns, 2 + 2 * a)) << 4);
		let j = jacobian;
		let b = 0;
		do {
			const p = int(columns, 2 + 2 * b);
			const first = mad(g2, at(j, 2), mad(g1, at(j, 1), mul(g0, at(j, 0))));
			const i = j + apart;
			const second = mad(k2, at(i, 2), mad(k1, at(i, 1), mul(k0, at(i, 0))));
			put(row, p, add(add(at(row, p), first), second));
			j += 48;
		} while (++b <= a);
	}
}

/** A row of G, by its entries in the Hessian of a contact, times a column. */
function pushed(h: usize, j: usize, a: i32, b: i32, n: i32): v128 {
	return mad(at(h, n), at(j, 2), mad(at(h, b), at(j, 1), mul(at(h, a), at(j, 0))));
}

export let lineCost: v128 = f64x2.splat(0);
export let lineSlope: v128 = f64x2.splat(0);
export let lineCurvature: v128 = f64x2.splat(0);

/** Constraints that are evaluated along the line: their number, and in the tables which they are. */
let openContacts: i32 = 0;
let openRows: i32 = 0;
/** Slope at the start of the line, and curvature, of what is quadratic on all of the stretch that is searched. */
let plainSlope: v128 = f64x2.splat(0);
let plainCurvature: v128 = f64x2.splat(0);

/** Whether all constraints are evaluated, in all lanes. */
let isWhole: bool = true;

/** Begins a line: all constraints are evaluated. */
export function openLine(): void {
	isWhole = true;
	openContacts = contactCount;
	openRows = rowCount;
	plainSlope = none();
	plainCurvature = none();
}

/**
 * Takes out the constraints that do the same from the start of the line to `end`: contacts that stick or are apart at both, which are
 * convex sets, and rows that stay between their bounds or beyond the same one. Costs are no longer told after that.
 */
export function narrowLine(end: v128): void {
	isWhole = false;
	openContacts = 0;
	for (let c = 0; c < contactCount; c++) {
		const i = 3 * c;
		const mu = at(problem.contactInput, CONTACT_INPUT * c + MU);
		const rt = at(problem.contactRt, c);
		const stiffT = div(all(1), rt);
		const stiffN = div(all(1), at(problem.contactRn, c));
		const muHat = mul(mul(mu, rt), stiffN);
		const hasFriction = isLess(all(NO_FRICTION), mu);
		const d0 = at(problem.contactChange, i);
		const d1 = at(problem.contactChange, i + 1);
		const dn = at(problem.contactChange, i + 2);
		const y0 = mul(sub(at(problem.contactTarget, i), at(problem.contactVelocity, i)), stiffT);
		const y1 = mul(sub(at(problem.contactTarget, i + 1), at(problem.contactVelocity, i + 1)), stiffT);
		const yn = mul(sub(at(problem.contactTarget, i + 2), at(problem.contactVelocity, i + 2)), stiffN);
		const e0 = nmad(mul(end, d0), stiffT, y0);
		const e1 = nmad(mul(end, d1), stiffT, y1);
		const en = nmad(mul(end, dn), stiffN, yn);
		const yr = sqrt(add(mad(y0, y0, mul(y1, y1)), all(problem.softSquare)));
		const er = sqrt(add(mad(e0, e0, mul(e1, e1)), all(problem.softSquare)));
		const sticks = and(hasFriction, and(isAtMost(yr, mul(mu, yn)), isAtMost(er, mul(mu, en))));
		const presses = without(and(isLess(none(), yn), isLess(none(), en)), hasFriction);
		const isApart = and(isAtMost(yn, neg(mul(muHat, yr))), isAtMost(en, neg(mul(muHat, er))));
		const isPlain = or(sticks, presses);
		const slope = add(keep(sticks, mad(y0, d0, mul(y1, d1))), keep(isPlain, mul(yn, dn)));
		const curvature = mul(mad(d0, d0, mul(d1, d1)), stiffT);
		plainSlope = sub(plainSlope, slope);
		plainCurvature = add(plainCurvature, add(keep(sticks, curvature), keep(isPlain, mul(mul(dn, dn), stiffN))));
		const isOpen = without(not(isPlain), without(isApart, isPlain));
		put(problem.contactIsOpen, c, isOpen);
		if (any(isOpen)) store<i32>(problem.lineContacts + (openContacts++ << 2), c);
	}
	openRows = 0;
	for (let r = 0; r < rowCount; r++) {
		const stiffness = at(problem.rowStiffness, r);
		const d = changeOf(r);
		const y = mul(sub(at(problem.rowTarget, r), velocityOf(r)), stiffness);
		const e = nmad(mul(end, d), stiffness, y);
		const lower = at(problem.rowLower, r);
		const upper = at(problem.rowUpper, r);
		const isThere = at(problem.rowIsThere, r);
		const isInside = and(and(isAtMost(lower, y), isAtMost(y, upper)), and(isAtMost(lower, e), isAtMost(e, upper)));
		const isBelow = and(isLess(y, lower), isLess(e, lower));
		const isAbove = and(isLess(upper, y), isLess(upper, e));
		const impulse = choose(isInside, y, choose(isBelow, lower, upper));
		const isPlain = and(isThere, or(isInside, or(isBelow, isAbove)));
		plainSlope = sub(plainSlope, keep(isPlain, mul(impulse, d)));
		plainCurvature = add(plainCurvature, keep(and(isThere, isInside), mul(mul(d, d), stiffness)));
		const isOpen = without(isThere, isPlain);
		put(problem.rowIsOpen, r, isOpen);
		if (any(isOpen)) store<i32>(problem.lineRows + (openRows++ << 2), r);
	}
}

/** Velocity of a row at the solution. */
function velocityOf(r: i32): v128 {
	if (r >= unitCount) return at(problem.rowVelocity, r);
	return mul(at(problem.rowSign, r), at(problem.solution, int(problem.rowPlace, r)));
}

/** Velocity of a row along the direction. */
function changeOf(r: i32): v128 {
	if (r >= unitCount) return at(problem.rowChange, r);
	return mul(at(problem.rowSign, r), at(problem.direction, int(problem.rowPlace, r)));
}

/** Cost along `v + α d` of all constraints, with its first two derivatives. */
export function evaluateLine(alpha: v128): void {
	let cost = none();
	let slope = mad(alpha, plainCurvature, plainSlope);
	let curvature = plainCurvature;
	const one = all(1);
	const half = all(0.5);
	for (let k = 0; k < openContacts; k++) {
		const c = isWhole ? k : int(problem.lineContacts, k);
		const isOpen = isWhole ? every() : at(problem.contactIsOpen, c);
		const mu = at(problem.contactInput, CONTACT_INPUT * c + MU);
		const rt = at(problem.contactRt, c);
		const rn = at(problem.contactRn, c);
		const stiffT = div(one, rt);
		const stiffN = div(one, rn);
		const i = 3 * c;
		const d0 = at(problem.contactChange, i);
		const d1 = at(problem.contactChange, i + 1);
		const dn = at(problem.contactChange, i + 2);
		const y0 = mul(sub(sub(at(problem.contactTarget, i), at(problem.contactVelocity, i)), mul(alpha, d0)), stiffT);
		const y1 = mul(
			sub(sub(at(problem.contactTarget, i + 1), at(problem.contactVelocity, i + 1)), mul(alpha, d1)),
			stiffT,
		);
		const yn = mul(
			sub(sub(at(problem.contactTarget, i + 2), at(problem.contactVelocity, i + 2)), mul(alpha, dn)),
			stiffN,
		);
		const hasFriction = isLess(all(NO_FRICTION), mu);
		const tangents = mad(y0, y0, mul(y1, y1));
		const yr = sqrt(add(tangents, all(problem.softSquare)));
		const muHat = mul(mul(mu, rt), stiffN);
		const sticks = and(hasFriction, isAtMost(yr, mul(mu, yn)));
		const slides = and(without(hasFriction, sticks), isLess(neg(mul(muHat, yr)), yn));
		const presses = or(sticks, without(isLess(none(), yn), hasFriction));
		const f = div(one, mad(mu, muHat, one));
		const t0 = div(y0, yr);
		const t1 = div(y1, yr);
		const gn = mul(f, mad(muHat, yr, yn));
		const g = mul(mu, gn);
		const along = mad(t0, d0, mul(t1, d1));
		const changes = mad(d0, d0, mul(d1, d1));
		const upright = mad(t0, t0, mul(t1, t1));
		const slid = mad(mul(mul(rt, g), g), upright, mul(mul(rn, gn), gn));
		const stuck = keep(sticks, mul(rt, tangents));
		cost = mad(half, choose(slides, slid, add(stuck, keep(presses, mul(mul(rn, yn), yn)))), cost);
		const stuckSlope = keep(sticks, mad(y0, d0, mul(y1, d1)));
		const push = choose(slides, mad(g, along, mul(gn, dn)), add(stuckSlope, keep(presses, mul(yn, dn))));
		slope = sub(slope, keep(isOpen, push));
		const thrust = mad(mu, along, dn);
		const squares = sub(changes, mul(along, along));
		const slidCurvature = mad(mul(div(g, yr), stiffT), squares, mul(mul(f, stiffN), mul(thrust, thrust)));
		const stuckCurvature = keep(sticks, mul(changes, stiffT));
		const bend = choose(slides, slidCurvature, add(stuckCurvature, keep(presses, mul(mul(dn, dn), stiffN))));
		curvature = add(curvature, keep(isOpen, bend));
	}
	for (let k = 0; k < openRows; k++) {
		const r = isWhole ? k : int(problem.lineRows, k);
		const d = changeOf(r);
		const stiffness = at(problem.rowStiffness, r);
		const y = mul(sub(sub(at(problem.rowTarget, r), velocityOf(r)), mul(alpha, d)), stiffness);
		const g = least(at(problem.rowUpper, r), most(at(problem.rowLower, r), y));
		cost = mad(mul(at(problem.rowR, r), g), nmad(half, g, y), cost);
		let push = mul(g, d);
		let bend = keep(isEqual(y, g), mul(mul(d, d), stiffness));
		if (!isWhole) {
			const isOpen = at(problem.rowIsOpen, r);
			push = keep(isOpen, push);
			bend = keep(isOpen, bend);
		}
		slope = sub(slope, push);
		curvature = add(curvature, bend);
	}
	lineCost = cost;
	lineSlope = slope;
	lineCurvature = curvature;
}
