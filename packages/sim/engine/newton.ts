import {
	addHessians,
	evaluate,
	evaluateLine,
	foreseeFriction,
	forgetFriction,
	lineCost,
	lineCurvature,
	lineSlope,
	narrowLine,
	openLine,
} from './cone';
import { factor, multiply, solve } from './envelope';
import { isKnown } from './free-motion';
import {
	abs,
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
	isLess,
	keep,
	mad,
	most,
	mul,
	neg,
	none,
	not,
	or,
	put,
	ROOT_TOLERANCE,
	sqrt,
	sub,
	without,
} from './lanes';
import * as layout from './layout';
import * as problem from './newton-memory';
import { contactCount, multiplyContacts, multiplyRows, rowCount, unitCount } from './terms';

/** What the host reads of each lane. */
export const ITERATIONS: i32 = 0;
export const EVALUATIONS: i32 = 1;
export const RESIDUAL: i32 = 2;
export const STOP: i32 = 3;
export const GAINED: i32 = 4;
export const WORK: i32 = 5;
export const DOFS: i32 = 6;
export const IS_LOST: i32 = 7;

const OPTIMAL: f64 = 0;
const COST: f64 = 1;
const STALLED: f64 = 2;
const OUT_OF_STEPS: f64 = 3;
export const BROKEN: f64 = 4;

/** Steps without a better residual after which a solve gives up. */
const PATIENCE: f64 = 8;
const LONGEST_STEP: f64 = 1.5;

let cost: v128 = f64x2.splat(0);
/** Part of the cost that no velocity changes, in lanes whose centre is not free motion. */
let rest: v128 = f64x2.splat(0);
let momentum: v128 = f64x2.splat(0);
let residual: v128 = f64x2.splat(0);
let residualScale: v128 = f64x2.splat(0);
let evaluations: v128 = f64x2.splat(0);
let stop: v128 = f64x2.splat(0);

/**
 * Newton's method with an exact line search, as `SapNewton` has it. Lanes that are done stand still: nothing of what is computed
 * for the others is written to them. Gives lanes in which a limit without a row would act on the way, which then have no solution.
 */
export function solveProblem(): v128 {
	const size = layout.dofCount;
	begin();
	let iterations = none();
	let previousCost = all(Infinity);
	let alpha = none();
	let least = all(Infinity);
	let waited = none();
	let running = every();
	let givesUp = none();
	if (any(woken)) return woken;
	stop = none();
	evaluations = none();
	for (;;) {
		judge();
		const isBroken = and(running, not(isLess(residual, all(Infinity))));
		end(isBroken, BROKEN);
		running = without(running, isBroken);
		const isBetter = and(running, isLess(residual, least));
		least = choose(isBetter, residual, least);
		isBest = isBetter;
		waited = choose(isBetter, none(), add(waited, all(1)));
		const isStuck = without(without(and(running, isLess(all(PATIENCE), waited)), isBetter), isLess(cost, previousCost));
		end(isStuck, STALLED);
		givesUp = or(givesUp, isStuck);
		running = without(running, isStuck);
		const tolerance = mad(all(problem.optimalityRelTol), residualScale, all(problem.optimalityAbsTol));
		const isOptimal = and(running, isAtMost(residual, tolerance));
		end(isOptimal, OPTIMAL);
		running = without(running, isOptimal);
		const change = abs(sub(cost, previousCost));
		const height = mul(all(0.5), add(abs(cost), abs(previousCost)));
		const isFlat = isLess(change, mad(all(problem.costRelTol), height, all(problem.costAbsTol)));
		const isSettled = and(and(running, isLess(none(), iterations)), and(isLess(all(0.5), alpha), isFlat));
		end(isSettled, COST);
		givesUp = or(givesUp, isSettled);
		running = without(running, isSettled);
		const isSpent = and(running, not(isLess(iterations, all(problem.maxIterations))));
		end(isSpent, OUT_OF_STEPS);
		givesUp = or(givesUp, isSpent);
		running = without(running, isSpent);
		if (!any(running)) break;
		fillHessian();
		const isBad = and(
			running,
			factor(problem.factorValues, problem.hessianFirst, problem.hessianBase, problem.factorInverse, size),
		);
		end(isBad, BROKEN);
		givesUp = or(givesUp, isBad);
		running = without(running, isBad);
		previousCost = choose(running, cost, previousCost);
		alpha = choose(running, takeStep(running), alpha);
		if (any(woken)) return woken;
		const isHalted = and(running, not(isLess(none(), alpha)));
		end(isHalted, STALLED);
		givesUp = or(givesUp, isHalted);
		running = without(running, isHalted);
		iterations = choose(running, add(iterations, all(1)), iterations);
		if (!any(running)) break;
	}
	if (any(givesUp)) {
		const isBehind = without(givesUp, isBest);
		for (let p = 0; p < size; p++)
			put(problem.solution, p, choose(isBehind, at(problem.best, p), at(problem.solution, p)));
		pullAnew(givesUp);
		moveConstraints(givesUp);
		judge();
	}
	put(problem.results, ITERATIONS, iterations);
	put(problem.results, EVALUATIONS, evaluations);
	put(problem.results, RESIDUAL, choose(isLess(none(), residualScale), div(residual, residualScale), residual));
	put(problem.results, STOP, stop);
	return none();
}

/** Lanes in which the solution is better than what was there before it; a step keeps it as the best before it goes on. */
let isBest: v128 = f64x2.splat(0);

/** Lanes in which a limit without a row would act. */
let woken: v128 = f64x2.splat(0);

/** Lanes in which a limit without a row would act at a velocity. */
function isBeyond(p: i32, v: v128): v128 {
	return or(isLess(v, at(problem.wakeLow, p)), isLess(at(problem.wakeHigh, p), v));
}

function end(lanes: v128, reason: f64): void {
	stop = choose(lanes, all(reason), stop);
}

/**
 * The guess, and lanes in which it is beyond a limit without a row. Trees without constraints stand at their free motion. The momentum's part
 * of the cost is measured from `vStar`: free motion, or the start in lanes that do not know it, where forces then have a part of their own.
 */
function begin(): void {
	let squares = none();
	woken = none();
	const startsFree = problem.startsFree == 1;
	for (let p = 0; p < layout.dofCount; p++) {
		const centre = at(layout.vStar, p);
		const isUsed = at(layout.isUsed, int(layout.dofTreeOf, p));
		const isFree = startsFree ? every() : or(at(layout.isFixed, p), not(isUsed));
		const v = choose(isFree, centre, at(layout.v0, p));
		put(problem.solution, p, v);
		woken = or(woken, isBeyond(p, v));
		// the gradient of the momentum, where nothing but forces stands between the guess and free motion
		const impulse = at(layout.impulse, p);
		const shift = without(impulse, isKnown);
		put(problem.pull, p, without(neg(impulse), isFree));
		put(problem.free, p, keep(isUsed, add(at(layout.startMomentum, p), impulse)));
		squares = mad(at(problem.scale, p), mul(shift, shift), squares);
	}
	if (any(woken)) return;
	// about what free motion has against the start: it only tells how large rounding is
	rest = mul(all(0.5), squares);
	const isOther = layout.hasSpinners == 1 ? every() : layout.hasFixed;
	if (any(isOther)) weighCentre(isOther);
	if (layout.hasSpinners == 1) pullAnew(every());
	forgetFriction();
	moveConstraints(every());
}

/** The momentum that constraints change by a product with the mass matrix, for some lanes. */
function weighCentre(lanes: v128): void {
	const size = layout.dofCount;
	for (let p = 0; p < size; p++)
		put(problem.direction, p, keep(at(layout.isUsed, int(layout.dofTreeOf, p)), at(layout.vStar, p)));
	multiply(layout.mass, layout.subtreeOf, layout.baseOf, size, problem.direction, problem.push);
	for (let p = 0; p < size; p++) {
		const isUsed = at(layout.isUsed, int(layout.dofTreeOf, p));
		const free = add(at(problem.push, p), keep(isUsed, shiftOf(p)));
		put(problem.free, p, choose(lanes, free, at(problem.free, p)));
	}
}

/** What forces give from where the momentum's part of the cost is measured: `A (v* − vStar)`. */
function shiftOf(p: i32): v128 {
	return without(at(layout.impulse, p), isKnown);
}

/** Products of A with what the solution is ahead of free motion, for some lanes; steps then keep them up to date. */
function pullAnew(lanes: v128): void {
	const size = layout.dofCount;
	for (let p = 0; p < size; p++) put(problem.gradient, p, sub(at(problem.solution, p), at(layout.vStar, p)));
	multiply(layout.mass, layout.subtreeOf, layout.baseOf, size, problem.gradient, problem.push);
	for (let p = 0; p < size; p++) {
		const pulled = sub(at(problem.push, p), shiftOf(p));
		put(problem.pull, p, choose(lanes, pulled, at(problem.pull, p)));
	}
}

/** Velocities of constraints at the solution, for some lanes. */
function moveConstraints(lanes: v128): void {
	multiplyContacts(problem.solution, problem.contactVelocity, lanes);
	multiplyRows(problem.solution, problem.rowVelocity, lanes);
}

/** Impulses, cost, gradient and residual at the solution. */
function judge(): void {
	const size = layout.dofCount;
	for (let p = 0; p < size; p++) put(problem.push, p, none());
	const impulseCost = evaluate(problem.push);
	let m0 = none();
	let squares = none();
	let momentumSquares = none();
	let pushSquares = none();
	for (let p = 0; p < size; p++) {
		const weight = at(problem.scale, p);
		const pulled = at(problem.pull, p);
		const pushed = at(problem.push, p);
		const whole = add(pulled, at(problem.free, p));
		const slope = sub(pulled, pushed);
		m0 = mad(sub(at(problem.solution, p), at(layout.vStar, p)), sub(pulled, shiftOf(p)), m0);
		put(problem.gradient, p, slope);
		squares = mad(weight, mul(slope, slope), squares);
		momentumSquares = mad(weight, mul(whole, whole), momentumSquares);
		pushSquares = mad(weight, mul(pushed, pushed), pushSquares);
	}
	momentum = mad(all(0.5), m0, rest);
	cost = add(momentum, impulseCost);
	residual = sqrt(squares);
	residualScale = sqrt(most(momentumSquares, pushSquares));
}

/** `A + Σ Jᵀ G J`; constraints without effect in any lane widen no row. */
function fillHessian(): void {
	const size = layout.dofCount;
	if (size == 0) return;
	let isWidened = false;
	memory.copy(problem.hessianFirst, layout.subtreeOf, size << 2);
	for (let c = 0; c < contactCount; c++) {
		const columns: usize = int(problem.contactColumns, c);
		if (int(columns, 1) == 0 || !any(at(problem.contactIsActive, c))) continue;
		isWidened = true;
		const count = int(columns, 0);
		for (let k = 1; k < count; k++) widen(int(columns, 2 + 2 * k), int(columns, 2));
	}
	for (let r = unitCount; r < rowCount; r++) {
		if (!any(at(problem.rowHessian, r))) continue;
		const columns: usize = int(problem.extraColumns, r - unitCount);
		const count = int(columns, 0);
		if (count > 1) isWidened = true;
		for (let k = 1; k < count; k++) widen(int(columns, 1 + k), int(columns, 1));
	}
	if (!isWidened) {
		memory.copy(problem.hessianBase, layout.baseOf, size << 2);
		memory.copy(problem.factorValues, layout.mass, (int(layout.baseOf, size - 1) + size) << 4);
	} else {
		let entry = 0;
		for (let i = 0; i < size; i++) {
			const first = int(problem.hessianFirst, i);
			const own = int(layout.subtreeOf, i);
			const base = entry - first;
			store<i32>(problem.hessianBase + (i << 2), base);
			const row = problem.factorValues + (base << 4);
			for (let j = first; j < own; j++) put(row, j, none());
			memory.copy(row + (own << 4), layout.mass + ((int(layout.baseOf, i) + own) << 4), (i - own + 1) << 4);
			entry += i - first + 1;
		}
	}
	addHessians();
	if (problem.diagShift == 0) return;
	for (let i = 0; i < size; i++) {
		const at0 = int(problem.hessianBase, i) + i;
		put(problem.factorValues, at0, add(at(problem.factorValues, at0), all(problem.diagShift)));
	}
}

/** Makes a row of the Hessian begin at a column, if it does not begin before. */
function widen(row: i32, column: i32): void {
	const first = problem.hessianFirst + (row << 2);
	if (column < load<i32>(first)) store<i32>(first, column);
}

/** One Newton step for some lanes. Gives its length, 0 for none. */
function takeStep(running: v128): v128 {
	const size = layout.dofCount;
	for (let p = 0; p < size; p++) put(problem.direction, p, neg(at(problem.gradient, p)));
	solve(
		problem.factorValues,
		problem.hessianFirst,
		problem.hessianBase,
		problem.factorInverse,
		size,
		problem.direction,
	);
	let slope = none();
	let m1 = none();
	let beyond = none();
	for (let p = 0; p < size; p++) {
		const d = at(problem.direction, p);
		slope = mad(at(problem.gradient, p), d, slope);
		m1 = mad(at(problem.pull, p), d, m1);
		beyond = or(beyond, isBeyond(p, mad(all(LONGEST_STEP), d, at(problem.solution, p))));
	}
	const moves = and(running, isLess(slope, none()));
	woken = and(moves, beyond);
	if (!any(moves) || any(woken)) return none();
	multiply(layout.mass, layout.subtreeOf, layout.baseOf, size, problem.direction, problem.push);
	let m2 = none();
	for (let p = 0; p < size; p++) m2 = mad(at(problem.push, p), at(problem.direction, p), m2);
	multiplyContacts(problem.direction, problem.contactChange, every());
	multiplyRows(problem.direction, problem.rowChange, every());
	if (problem.foreseesFriction == 1) foreseeFriction();
	const alpha = keep(moves, findRoot(moves, slope, m1, m2));
	for (let p = 0; p < size; p++) {
		const v = at(problem.solution, p);
		const pulled = at(problem.pull, p);
		put(problem.best, p, choose(isBest, v, at(problem.best, p)));
		put(problem.solution, p, choose(moves, mad(alpha, at(problem.direction, p), v), v));
		put(problem.pull, p, choose(moves, mad(alpha, at(problem.push, p), pulled), pulled));
	}
	for (let i = 0; i < 3 * contactCount; i++) {
		const velocity = at(problem.contactVelocity, i);
		put(problem.contactVelocity, i, choose(moves, mad(alpha, at(problem.contactChange, i), velocity), velocity));
	}
	for (let r = unitCount; r < rowCount; r++) {
		const velocity = at(problem.rowVelocity, r);
		put(problem.rowVelocity, r, choose(moves, mad(alpha, at(problem.rowChange, r), velocity), velocity));
	}
	isBest = none();
	return alpha;
}

let lineM1: v128 = f64x2.splat(0);
let lineM2: v128 = f64x2.splat(0);
let wholeSlope: v128 = f64x2.splat(0);
let wholeCurvature: v128 = f64x2.splat(0);

function evaluateWhole(alpha: v128, lanes: v128): v128 {
	evaluateLine(alpha);
	evaluations = choose(lanes, add(evaluations, all(1)), evaluations);
	wholeSlope = add(mad(alpha, lineM2, lineM1), lineSlope);
	wholeCurvature = add(lineM2, lineCurvature);
	return add(mad(alpha, mad(mul(all(0.5), alpha), lineM2, lineM1), momentum), lineCost);
}

/** Newton's method inside a bracket on the derivative, up to length 1.5. */
function findRoot(lanes: v128, slope0: v128, m1: v128, m2: v128): v128 {
	lineM1 = m1;
	lineM2 = m2;
	const enough = mul(all(ROOT_TOLERANCE), neg(slope0));
	let result = all(1);
	openLine();
	const fullCost = evaluateWhole(result, lanes);
	let open = without(lanes, isAtMost(abs(wholeSlope), enough));
	open = without(open, isLess(neg(slope0), mad(all(problem.costRelTol), fullCost, all(problem.costAbsTol))));
	if (!any(open)) return result;
	let low = none();
	let lowSlope = slope0;
	let high = all(1);
	let slope = wholeSlope;
	let curvature = wholeCurvature;
	const isShort = and(open, isLess(slope, none()));
	if (any(isShort)) {
		low = choose(isShort, all(1), low);
		lowSlope = choose(isShort, slope, lowSlope);
		high = choose(isShort, all(LONGEST_STEP), high);
		evaluateWhole(high, isShort);
		slope = choose(isShort, wholeSlope, slope);
		curvature = choose(isShort, wholeCurvature, curvature);
		const isLongest = and(isShort, isAtMost(slope, none()));
		result = choose(isLongest, all(LONGEST_STEP), result);
		open = without(open, isLongest);
		if (!any(open)) return result;
	}
	narrowLine(high);
	let alpha = add(low, div(mul(sub(high, low), neg(lowSlope)), sub(slope, lowSlope)));
	const newton = sub(high, div(slope, curvature));
	const isGood = and(isLess(low, newton), isLess(newton, high));
	alpha = choose(isGood, mul(all(0.5), add(alpha, newton)), alpha);
	let previous = sub(high, low);
	for (let i = 0; i < problem.lineSearchMaxIterations; i++) {
		evaluateWhole(alpha, open);
		const isFound = and(open, isAtMost(abs(wholeSlope), enough));
		result = choose(isFound, alpha, result);
		open = without(open, isFound);
		if (!any(open)) return result;
		const isBelow = isLess(wholeSlope, none());
		low = choose(isBelow, alpha, low);
		high = choose(isBelow, high, alpha);
		const newtonStep = neg(div(wholeSlope, wholeCurvature));
		// bisect when Newton leaves the bracket or does not halve the step before
		const isSlow = isLess(previous, abs(mul(all(2), newtonStep)));
		const next = add(alpha, newtonStep);
		const isIn = and(isLess(low, next), isLess(next, high));
		const step = choose(without(isIn, isSlow), newtonStep, sub(mul(all(0.5), add(low, high)), alpha));
		previous = abs(step);
		const isDone = and(open, isAtMost(previous, mul(mul(all(ROOT_TOLERANCE), alpha), all(1e-4))));
		alpha = add(alpha, step);
		result = choose(isDone, alpha, result);
		open = without(open, isDone);
		if (!any(open)) return result;
	}
	return choose(open, alpha, result);
}
