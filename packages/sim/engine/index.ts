import { writeForces } from './contacts';
import { computeFreeMotion, findFreeMotion, isKnown, toInside } from './free-motion';
import { move, place, startKinematics } from './kinematics';
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
	move(problem.solution);
	writeBodies();
	toInside(problem.solution, layout.velocities, -1);
	for (let p = 0; p < layout.dofCount; p++) put(layout.velocities, p, add(at(layout.velocities, p), none()));
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
	for (let p = 0; p < layout.dofCount; p++) {
		const isUsed = at(layout.isUsed, int(layout.dofTreeOf, p));
		const isFree = or(not(isUsed), at(layout.isFixed, p));
		// adding 0 leaves no negative zeros, whose sign would depend on the neighbours
		const v = add(choose(isFree, at(layout.vStar, p), at(problem.solution, p)), none());
		put(problem.solution, p, v);
		dofs = choose(isUsed, add(dofs, all(1)), dofs);
		// velocities beyond this carry no meaning and overflow in the next step
		isLost = or(isLost, not(isLess(abs(v), all(1e100))));
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

/** Velocities of the centres of mass, then angular ones, in place of the twists. */
function writeBodies(): void {
	for (let body = 0; body < layout.jointCount; body++) {
		const tree = int(layout.treeOf, body);
		const b = 6 * body;
		const wx = at(layout.twistRate, b);
		const wy = at(layout.twistRate, b + 1);
		const wz = at(layout.twistRate, b + 2);
		const rx = sub(at(layout.centre, 3 * body), at(layout.origin, 3 * tree));
		const ry = sub(at(layout.centre, 3 * body + 1), at(layout.origin, 3 * tree + 1));
		const rz = sub(at(layout.centre, 3 * body + 2), at(layout.origin, 3 * tree + 2));
		const vx = at(layout.twistRate, b + 3);
		const vy = at(layout.twistRate, b + 4);
		const vz = at(layout.twistRate, b + 5);
		put(layout.twistRate, b, add(vx, sub(mul(wy, rz), mul(wz, ry))));
		put(layout.twistRate, b + 1, add(vy, sub(mul(wz, rx), mul(wx, rz))));
		put(layout.twistRate, b + 2, add(vz, sub(mul(wx, ry), mul(wy, rx))));
		put(layout.twistRate, b + 3, wx);
		put(layout.twistRate, b + 4, wy);
		put(layout.twistRate, b + 5, wz);
	}
}
