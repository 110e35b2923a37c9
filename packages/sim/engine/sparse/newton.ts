import { all, int, mad, neg, sub } from '../lanes';
import { num, numbers, pair, putNum, putPair, sum } from './arena';
import {
	endEntry,
	factorBlocks,
	firstEntry,
	massDiagonal,
	multiplyMass,
	placeOf,
	selectPositions,
	solveBlocks,
	startHessian,
	vectorLength,
} from './blocks';
import {
	addHessians,
	addImpulses,
	advanceVelocities,
	computeChanges,
	computeVelocities,
	evaluate,
	evaluateLine,
	foreseeFriction,
	lineCost,
	lineCurvature,
	lineSlope,
	selectConstraints,
} from './constraints';
import { islandCount } from './graph';
import * as problem from './problem';

// what the host reads, see `SapNewton`: steps of the island that took most, sums of the others
export let mostIterations: f64 = 0;
export let allEvaluations: f64 = 0;
export let wholeResidual: f64 = 0;
export let wholeResidualScale: f64 = 0;
export let totalCost: f64 = 0;

// of the island at hand
let iterations: f64 = 0;
let residual: f64 = 0;
let residualScale: f64 = 0;
let cost: f64 = 0;

const OPTIMAL: i32 = 0;
const COST: i32 = 1;
const STALLED: i32 = 2;
const OUT_OF_STEPS: i32 = 3;
const BROKEN: i32 = 4;
const RUNNING: i32 = -1;

/** Steps without a better residual after which a solve gives up. */
const PATIENCE: i32 = 8;
const LONGEST_STEP: f64 = 1.5;
/** Relative accuracy of the exact root. */
const ROOT_TOLERANCE: f64 = 1e-8;

let solution: usize = 0;
let vStar: usize = 0;
let gradient: usize = 0;
/** A (v − v*), and A v*. */
let pull: usize = 0;
let free: usize = 0;
let push: usize = 0;
/** Inverse of the diagonal of A. */
let scale: usize = 0;
let direction: usize = 0;
let best: usize = 0;
/** `momentum + α m1 + ½ α² m2` is the cost of momentum along the direction. */
let momentum: f64 = 0;
let m1: f64 = 0;
let m2: f64 = 0;

function vector(): usize {
	const array = numbers(vectorLength);
	memory.fill(array, 0, (vectorLength + 1) << 3);
	return array;
}

/**
 * Newton's method with an exact line search, as `SapNewton` has it, for each island by itself. Gives the `SapStop` of the one that
 * came least far.
 */
export function solveNewton(): i32 {
	solution = vector();
	vStar = vector();
	gradient = vector();
	pull = vector();
	free = vector();
	push = vector();
	scale = vector();
	direction = vector();
	best = vector();
	for (let dof = 0; dof < problem.dofCount; dof++) {
		const place = int(placeOf, dof);
		putNum(solution, place, num(problem.velocity, dof));
		putNum(vStar, place, num(problem.vStar, dof));
		putNum(scale, place, 1 / massDiagonal(dof));
	}
	mostIterations = 0;
	allEvaluations = 0;
	totalCost = 0;
	let squares: f64 = 0;
	let scaleSquares: f64 = 0;
	let stop = OPTIMAL;
	for (let island = 0; island < islandCount; island++) {
		selectPositions(island);
		selectConstraints(island);
		stop = max(stop, iterate());
		mostIterations = Math.max(mostIterations, iterations);
		totalCost += cost;
		squares += residual * residual;
		scaleSquares += residualScale * residualScale;
	}
	wholeResidual = Math.sqrt(squares);
	wholeResidualScale = Math.sqrt(scaleSquares);
	for (let dof = 0; dof < problem.dofCount; dof++) putNum(problem.velocity, dof, num(solution, int(placeOf, dof)));
	return stop;
}

let previousCost: f64 = 0;
let alpha: f64 = 0;
let least: f64 = 0;
let waited: i32 = 0;

function iterate(): i32 {
	previousCost = Infinity;
	alpha = 0;
	least = Infinity;
	waited = 0;
	iterations = 0;
	start();
	let stop = RUNNING;
	while (stop == RUNNING) stop = improve();
	return stop;
}

/** Judges the solution and takes a step. Gives why the solve ends, if it does. */
function improve(): i32 {
	judge();
	if (!(residual < Infinity)) return BROKEN;
	if (residual < least) {
		least = residual;
		waited = 0;
		copyEntries(best, solution);
	} else if (++waited > PATIENCE && !(cost < previousCost)) return giveUp(STALLED);
	if (residual <= problem.optimalityAbsTol + problem.optimalityRelTol * residualScale) return OPTIMAL;
	const change = Math.abs(cost - previousCost);
	const size = 0.5 * (Math.abs(cost) + Math.abs(previousCost));
	const isFlat = change < problem.costAbsTol + problem.costRelTol * size;
	if (iterations > 0 && alpha > 0.5 && isFlat) return giveUp(COST);
	if (iterations >= problem.maxIterations) return giveUp(OUT_OF_STEPS);
	startHessian(problem.diagShift);
	addHessians();
	if (!factorBlocks()) return giveUp(BROKEN);
	previousCost = cost;
	alpha = takeStep();
	if (!(alpha > 0)) return giveUp(STALLED);
	iterations += 1;
	return RUNNING;
}

/** Copies the part of a vector that belongs to the island. */
function copyEntries(to: usize, from: usize): void {
	memory.copy(to + (firstEntry << 3), from + (firstEntry << 3), (endEntry - firstEntry) << 3);
}

/** Goes back to the best velocities seen. */
function giveUp(stop: i32): i32 {
	copyEntries(solution, best);
	start();
	judge();
	return stop;
}

/** Products with A and velocities of constraints at the solution; steps then keep them up to date. */
function start(): void {
	for (let i = firstEntry; i < endEntry; i += 2) putPair(gradient, i, sub(pair(solution, i), pair(vStar, i)));
	multiplyMass(gradient, pull);
	multiplyMass(vStar, free);
	computeVelocities(solution);
}

/** Impulses, cost, gradient and residual at the solution. */
function judge(): void {
	const impulseCost = evaluate();
	memory.fill(push + (firstEntry << 3), 0, (endEntry - firstEntry) << 3);
	addImpulses(push);
	let m0 = all(0);
	let squares = all(0);
	let momentumSquares = all(0);
	let pushSquares = all(0);
	for (let i = firstEntry; i < endEntry; i += 2) {
		const weight = pair(scale, i);
		const pulled = pair(pull, i);
		const pushed = pair(push, i);
		const whole = f64x2.add(pulled, pair(free, i));
		const slope = sub(pulled, pushed);
		m0 = mad(sub(pair(solution, i), pair(vStar, i)), pulled, m0);
		putPair(gradient, i, slope);
		squares = mad(weight, f64x2.mul(slope, slope), squares);
		momentumSquares = mad(weight, f64x2.mul(whole, whole), momentumSquares);
		pushSquares = mad(weight, f64x2.mul(pushed, pushed), pushSquares);
	}
	momentum = 0.5 * sum(m0);
	cost = momentum + impulseCost;
	residual = Math.sqrt(sum(squares));
	residualScale = Math.sqrt(Math.max(sum(momentumSquares), sum(pushSquares)));
}

/** Scalar product of two vectors. */
function product(a: usize, b: usize): f64 {
	let total = all(0);
	for (let i = firstEntry; i < endEntry; i += 2) total = mad(pair(a, i), pair(b, i), total);
	return sum(total);
}

/** One Newton step. Gives its length, 0 for none. */
function takeStep(): f64 {
	for (let i = firstEntry; i < endEntry; i += 2) putPair(direction, i, neg(pair(gradient, i)));
	solveBlocks(direction);
	const slope = product(gradient, direction);
	if (!(slope < 0)) return 0;
	m1 = product(pull, direction);
	multiplyMass(direction, push);
	m2 = product(push, direction);
	computeChanges(direction);
	if (problem.foreseesFriction == 1) foreseeFriction();
	const alpha = findRoot(slope);
	const step = all(alpha);
	for (let i = firstEntry; i < endEntry; i += 2) {
		putPair(solution, i, mad(step, pair(direction, i), pair(solution, i)));
		putPair(pull, i, mad(step, pair(push, i), pair(pull, i)));
	}
	advanceVelocities(alpha);
	return alpha;
}

let wholeCost: f64 = 0;
let wholeSlope: f64 = 0;
let wholeCurvature: f64 = 0;

function evaluateWhole(alpha: f64): void {
	evaluateLine(alpha);
	allEvaluations += 1;
	wholeCost = momentum + alpha * (m1 + 0.5 * alpha * m2) + lineCost;
	wholeSlope = m1 + alpha * m2 + lineSlope;
	wholeCurvature = m2 + lineCurvature;
}

/** Newton's method inside a bracket on the derivative, up to length 1.5. */
function findRoot(slope0: f64): f64 {
	evaluateWhole(1);
	if (Math.abs(wholeSlope) <= ROOT_TOLERANCE * -slope0) return 1;
	if (-slope0 < problem.costAbsTol + problem.costRelTol * wholeCost) return 1;
	let low: f64 = 0;
	let lowSlope = slope0;
	let high: f64 = 1;
	if (wholeSlope < 0) {
		low = 1;
		lowSlope = wholeSlope;
		high = LONGEST_STEP;
		evaluateWhole(LONGEST_STEP);
		if (wholeSlope <= 0) return LONGEST_STEP;
	}
	let alpha = low + ((high - low) * -lowSlope) / (wholeSlope - lowSlope);
	const newton = high - wholeSlope / wholeCurvature;
	if (newton > low && newton < high) alpha = 0.5 * (alpha + newton);
	let previous = high - low;
	for (let i: f64 = 0; i < problem.lineSearchMaxIterations; i += 1) {
		evaluateWhole(alpha);
		if (Math.abs(wholeSlope) <= ROOT_TOLERANCE * -slope0) return alpha;
		if (wholeSlope < 0) low = alpha;
		else high = alpha;
		let step = -wholeSlope / wholeCurvature;
		// bisect when Newton leaves the bracket or does not halve the step before
		const isSlow = Math.abs(2 * step) > previous;
		if (!(alpha + step > low && alpha + step < high) || isSlow) step = 0.5 * (low + high) - alpha;
		previous = Math.abs(step);
		const isDone = previous <= ROOT_TOLERANCE * alpha * 1e-4;
		alpha += step;
		if (isDone) break;
	}
	return alpha;
}
