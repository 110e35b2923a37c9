import { writeForces } from './contacts';
import { computeFreeMotion, findFreeMotion, isKnown, shiftInside } from './free-motion';
import { findFloating, moveBodies, place, RIGID, startKinematics } from './kinematics';
import {
	abs,
	add,
	all,
	any,
	at,
	choose,
	div,
	int,
	isLess,
	keep,
	least,
	mad,
	most,
	mul,
	nmad,
	none,
	not,
	or,
	put,
	sqrt,
	sub,
	without,
} from './lanes';
import * as layout from './layout';
import { BROKEN, DOFS, GAINED, IS_LOST, STOP, solveProblem, WORK } from './newton';
import * as problem from './newton-memory';
import { buildTerms, multiplyExtra, rowCount, unitCount } from './terms';
import { gatherState, scatterState } from './transfer';
import { cosine, sine, turn } from './trigonometry';

export * from './layout';
export * from './materials';
export * from './newton-memory';
export * from './records';
export { rowCount, unitCount } from './terms';
export * from './transfer';

/** Writes what never changes. Gives the first address that the host may use. */
export function heapStart(): usize {
	startKinematics();
	return __heap_base;
}

/** Bytes of the room that `prepare` takes for a group. */
export function placementSize(): usize {
	return layout.selectPlacement(0);
}

/**
 * The motion of the group without constraints, whose constants and placement are at these addresses and whose state the host has
 * copied; it is the group `member` of the batch, and `last` the last lane with a world of its own. Bodies are placed afterwards.
 */
export function prepare(joints: usize, bodies: usize, dofs: usize, placement: usize, member: i32, last: i32): void {
	layout.selectGroup(joints, bodies, dofs, last);
	layout.selectPlacement(placement);
	findFloating();
	const isSame = gatherState(member, last);
	// bodies stand where the last step has left them, unless it was that of another group, or somebody moved them
	if (!isSame || load<usize>(layout.placedBy) != joints) place();
	computeFreeMotion();
}

/**
 * Solves for the velocities at the end of the step, with so many contacts and rows of the host, and moves the group. The work of drives is
 * counted when it is asked for.
 */
export function advance(contacts: i32, extras: i32, countsWork: bool): void {
	solveTerms(contacts, extras);
	finish(contacts, countsWork);
}

/** Builds the terms of the problem for a host that solves it. Every lane must know its free motion. */
export function build(contacts: i32, extras: i32): void {
	buildTerms(contacts, extras);
}

/** Moves the group by the velocities of the solution. */
export function finish(contacts: i32, countsWork: bool): void {
	if (countsWork) countWork();
	put(problem.results, GAINED, layout.gained);
	takeVelocities();
	integrate();
	place();
	store<usize>(layout.placedBy, layout.jointConstants);
	moveBodies(problem.solution);
	shiftInside(problem.solution, layout.velocities, -1);
	scatterState();
	writeForces(contacts);
}

/** Builds the terms and solves. Lanes in which it turns out that free motion counts get it, and all begin again. */
function solveTerms(contacts: i32, extras: i32): void {
	buildTerms(contacts, extras);
	let asks = none();
	for (let tree = 0; tree < layout.treeCount; tree++) asks = or(asks, not(at(layout.isUsed, tree)));
	asks = without(asks, isKnown);
	for (;;) {
		if (!any(asks)) asks = solveProblem();
		if (!any(asks)) return;
		findFreeMotion(asks);
		buildTerms(contacts, extras);
		asks = none();
	}
}

/** Work of drives: impulses times the mean of the velocities before and after. */
function countWork(): void {
	let work = none();
	for (let r = 0; r < rowCount; r++) {
		if (int(problem.rowIsDrive, r) == 0) continue;
		const isUnit = r < unitCount;
		const p = isUnit ? int(problem.rowPlace, r) : 0;
		const first = isUnit ? at(layout.v0, p) : multiplyExtra(r - unitCount, layout.v0);
		const last = isUnit ? at(problem.solution, p) : multiplyExtra(r - unitCount, problem.solution);
		const wish = div(sub(at(problem.rowTarget, r), last), at(problem.rowR, r));
		const impulse = least(at(problem.rowUpper, r), most(at(problem.rowLower, r), wish));
		work = mad(mul(all(0.5), impulse), add(first, last), work);
	}
	put(problem.results, WORK, work);
}

/** Velocities of trees that took part from the solution, of the others from free motion; lanes without numbers are lost. */
function takeVelocities(): void {
	let dofs = none();
	let isLost = none();
	const solution = problem.solution;
	const velocities = layout.velocities;
	for (let tree = 0; tree < layout.treeCount; tree++) {
		const isUsed = at(layout.isUsed, tree);
		const isIdle = not(isUsed);
		const start = int(layout.treePlace, tree);
		const end = int(layout.treePlace, tree + 1);
		dofs = add(dofs, keep(isUsed, all(end - start)));
		for (let p = start; p < end; p++) {
			const isFree = or(isIdle, at(layout.isFixed, p));
			// adding 0 leaves no negative zeros, whose sign would depend on the neighbours
			const v = add(choose(isFree, at(layout.vStar, p), at(solution, p)), none());
			put(solution, p, v);
			put(velocities, p, v);
			// velocities beyond this carry no meaning and overflow in the next step
			isLost = or(isLost, not(isLess(abs(v), all(1e100))));
		}
	}
	put(problem.results, DOFS, dofs);
	put(problem.results, IS_LOST, isLost);
	put(problem.results, STOP, choose(isLost, all(BROKEN), at(problem.results, STOP)));
}

/** `q = q0 + dt N(q0) v`, with the new velocity or the mean of both. */
function integrate(): void {
	const share = all(problem.isMidpoint == 1 ? 0.5 : 0);
	for (let joint = 0; joint < layout.jointCount; joint++) {
		const first = int(layout.placeOf, joint);
		const q = int(layout.coordinateOf, joint);
		if (int(layout.kindOf, joint) < RIGID) {
			put(layout.coordinates, q, mad(layout.dt, meanRate(first, share), at(layout.coordinates, q)));
			continue;
		}
		const hasQuaternion = int(layout.styleOf, joint) == 1;
		const count = int(layout.linearOf, joint) + int(layout.angularOf, joint);
		const scalars = hasQuaternion ? count - 3 : count;
		for (let k = 0; k < scalars; k++) {
			put(layout.coordinates, q + k, mad(layout.dt, meanRate(first - k, share), at(layout.coordinates, q + k)));
		}
		if (hasQuaternion) turnQuaternion(q + scalars, first - scalars, share);
	}
}

function meanRate(p: i32, share: v128): v128 {
	const v = at(problem.solution, p);
	return mad(share, sub(at(layout.v0, p), v), v);
}

/** Turns a quaternion by the rotation vector from the left: exactly, or to first order and normalised. */
function turnQuaternion(q: i32, p: i32, share: v128): void {
	const rx = mul(layout.dt, meanRate(p, share));
	const ry = mul(layout.dt, meanRate(p - 1, share));
	const rz = mul(layout.dt, meanRate(p - 2, share));
	let s = all(0.5);
	let c = all(1);
	if (problem.isMidpoint == 1) {
		const angle = sqrt(mad(rx, rx, mad(ry, ry, mul(rz, rz))));
		turn(mul(all(0.5), angle));
		const isTurned = isLess(all(1e-12), angle);
		s = choose(isTurned, div(sine, angle), s);
		c = choose(isTurned, cosine, c);
	}
	const ax = mul(s, rx);
	const ay = mul(s, ry);
	const az = mul(s, rz);
	const x = at(layout.coordinates, q);
	const y = at(layout.coordinates, q + 1);
	const z = at(layout.coordinates, q + 2);
	const w = at(layout.coordinates, q + 3);
	const nx = nmad(az, y, mad(ay, z, mad(ax, w, mul(c, x))));
	const ny = mad(az, x, mad(ay, w, nmad(ax, z, mul(c, y))));
	const nz = mad(az, w, nmad(ay, x, mad(ax, y, mul(c, z))));
	const nw = nmad(az, z, nmad(ay, y, nmad(ax, x, mul(c, w))));
	const scale = div(all(1), sqrt(add(mad(nx, nx, mul(ny, ny)), mad(nz, nz, mul(nw, nw)))));
	put(layout.coordinates, q, mul(nx, scale));
	put(layout.coordinates, q + 1, mul(ny, scale));
	put(layout.coordinates, q + 2, mul(nz, scale));
	put(layout.coordinates, q + 3, mul(nw, scale));
}
