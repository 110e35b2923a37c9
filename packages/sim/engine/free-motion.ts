import { computeBias, computeMass } from './dynamics';
import { factor, solve } from './envelope';
import { FLOATING, floatingEnd, floatingStart } from './kinematics';
import {
	abs,
	add,
	all,
	and,
	any,
	at,
	choose,
	det,
	every,
	int,
	isLess,
	least,
	MASSLESS,
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
import * as layout from './layout';
import { direction, factorInverse, factorValues, knowsAll } from './newton-memory';
import { correctSpin } from './spin';

/** Constants of a degree of freedom. */
export const DOF_CONSTANTS: i32 = 20;
export const ARMATURE: i32 = 0;
export const DAMPING: i32 = 1;
export const HAS_DRIVE: i32 = 2;
export const KP: i32 = 3;
export const KD: i32 = 4;
export const EFFORT: i32 = 5;
export const TARGET: i32 = 6;
export const RATE: i32 = 8;
export const FORCE: i32 = 10;
export const IS_STIFF: i32 = 12;
export const LIMIT_KE: i32 = 13;
export const LIMIT_TAU: i32 = 14;
export const LOWER: i32 = 15;
export const UPPER: i32 = 16;
export const REFERENCE: i32 = 17;
export const FRICTION: i32 = 18;
export const SPEED: i32 = 19;

/** Speed [m/s or rad/s] below which no tree is looked at for energy that comes from nothing. */
const SUSPICIOUS_SPEED: f64 = 50;
/** Speed at the start [m/s or rad/s] below which motion gives no tree energy that counts. */
const CALM_SPEED: f64 = 10;
/** Times that the speed, in the norm of the mass matrix, may grow in a step beyond what forces give. */
const MOST_GROWTH: f64 = 2;

/** Constant of a degree of freedom. */
export function constant(p: i32, which: i32): v128 {
	return at(layout.dofConstants, DOF_CONSTANTS * p + which);
}

/** Lanes that know the velocities of free motion; in the others those of the start stand in their place. */
export let isKnown: v128 = f64x2.splat(0);

/**
 * Mass matrix and forces of bodies that are placed, as `FreeMotion` computes them. The velocities of free motion take a factor of the
 * mass matrix and matter seldom, so they are found in lanes that are fast and where somebody asks for them.
 */
export function computeFreeMotion(): void {
	for (let p = 0; p < layout.dofCount; p++) put(layout.v0, p, at(layout.velocities, p));
	shiftInside(layout.velocities, layout.v0, 1);
	computeBias(layout.v0);
	computeMass();
	weigh();
	const isFast = applyForces();
	isKnown = none();
	findFreeMotion(knowsAll == 1 ? every() : isFast);
}

/** Finds the velocities of free motion in some lanes. */
export function findFreeMotion(lanes: v128): void {
	const isNew = without(lanes, isKnown);
	if (!any(isNew)) return;
	isKnown = or(isKnown, isNew);
	const size = layout.dofCount;
	copyEntries(factorValues, layout.mass, int(layout.baseOf, size - 1) + size);
	const isBad = factor(factorValues, layout.subtreeOf, layout.baseOf, factorInverse, size);
	const unknown = and(isBad, all(f64.NaN));
	memory.copy(direction, layout.right, size << 4);
	solve(factorValues, layout.subtreeOf, layout.baseOf, factorInverse, size, direction);
	for (let p = 0; p < size; p++) {
		const impulse = at(layout.impulse, p);
		const v = add(mad(layout.dt, at(direction, p), at(layout.v0, p)), unknown);
		put(layout.vStar, p, choose(isNew, v, at(layout.vStar, p)));
		put(layout.impulse, p, choose(isNew, add(impulse, unknown), impulse));
	}
	// worlds with trees that spin know all
	for (let tree = 0; tree < layout.treeCount; tree++) {
		if (int(layout.spinnerOf, tree) >= 0) correctSpin(tree);
	}
	for (let tree = 0; tree < layout.treeCount; tree++) watchEnergy(tree, isNew);
}

function copyEntries(to: usize, from: usize, count: i32): void {
	memory.copy(to, from, count << 4);
}

/**
 * Velocities of floating joints from the centre of mass to the joint frame (`sign` 1) or the other way (-1); all others are the
 * same on both sides.
 */
export function shiftInside(from: usize, to: usize, sign: f64): void {
	for (let joint = floatingStart; joint < floatingEnd; joint++) {
		if (int(layout.kindOf, joint) != FLOATING) continue;
		findArm(joint);
		const p = int(layout.placeOf, joint);
		const s = all(sign);
		const wx = mul(s, at(from, p - 3));
		const wy = mul(s, at(from, p - 4));
		const wz = mul(s, at(from, p - 5));
		// no negative zeros, see `takeVelocities`
		put(to, p, add(sub(at(from, p), det(wy, armZ, wz, armY)), none()));
		put(to, p - 1, add(sub(at(from, p - 1), det(wz, armX, wx, armZ)), none()));
		put(to, p - 2, add(sub(at(from, p - 2), det(wx, armY, wy, armX)), none()));
	}
}

let armX: v128 = f64x2.splat(0);
let armY: v128 = f64x2.splat(0);
let armZ: v128 = f64x2.splat(0);

/** Vector from the joint frame on the child to the centre of mass, in the axes of the joint frame of the parent. */
function findArm(joint: i32): void {
	const b = 3 * joint;
	const x = sub(at(layout.centre, b), at(layout.pivot, b));
	const y = sub(at(layout.centre, b + 1), at(layout.pivot, b + 1));
	const z = sub(at(layout.centre, b + 2), at(layout.pivot, b + 2));
	const qx = neg(at(layout.frame, 4 * joint));
	const qy = neg(at(layout.frame, 4 * joint + 1));
	const qz = neg(at(layout.frame, 4 * joint + 2));
	const qw = at(layout.frame, 4 * joint + 3);
	const cx = det(qy, z, qz, y);
	const cy = det(qz, x, qx, z);
	const cz = det(qx, y, qy, x);
	armX = mad(all(2), add(mul(qw, cx), det(qy, cz, qz, cy)), x);
	armY = mad(all(2), add(mul(qw, cy), det(qz, cx, qx, cz)), y);
	armZ = mad(all(2), add(mul(qw, cz), det(qx, cy, qy, cx)), z);
}

/** Adds armature and damping to the mass matrix, and takes motion with a given velocity, or without mass, out of it. */
function weigh(): void {
	let hasFixed = none();
	for (let tree = 0; tree < layout.treeCount; tree++) {
		const start = int(layout.treePlace, tree);
		const end = int(layout.treePlace, tree + 1);
		let size = none();
		for (let p = start; p < end; p++) {
			const diagonal = int(layout.baseOf, p) + p;
			const extra = mad(layout.dt, constant(p, DAMPING), constant(p, ARMATURE));
			const value = add(at(layout.mass, diagonal), extra);
			put(layout.mass, diagonal, value);
			put(layout.startMomentum, p, mad(extra, at(layout.v0, p), at(layout.startMomentum, p)));
			size = most(value, size);
		}
		const least = mul(all(MASSLESS), size);
		for (let p = start; p < end; p++) {
			const base = int(layout.baseOf, p);
			const hasMass = isLess(least, at(layout.mass, base + p));
			const isGiven = int(layout.isGivenOf, p) == 1;
			const fixed = isGiven ? every() : not(hasMass);
			put(layout.isFixed, p, fixed);
			if (!any(fixed)) continue;
			hasFixed = or(hasFixed, fixed);
			for (let c = int(layout.subtreeOf, p); c < p; c++)
				put(layout.mass, base + c, without(at(layout.mass, base + c), fixed));
			for (let up = int(layout.aboveOf, p); up >= 0; up = int(layout.aboveOf, up)) {
				const entry = int(layout.baseOf, up) + p;
				put(layout.mass, entry, without(at(layout.mass, entry), fixed));
			}
			const own = choose(isLess(none(), size), size, all(1));
			put(layout.mass, base + p, choose(fixed, own, at(layout.mass, base + p)));
			if (!isGiven) put(layout.v0, p, without(at(layout.v0, p), fixed));
		}
	}
	layout.setFixed(hasFixed);
}

/** Forces on all degrees of freedom less what motion needs, and what they give in the step. Gives lanes that are fast. */
function applyForces(): v128 {
	let isFast = none();
	for (let p = 0; p < layout.dofCount; p++) {
		const v0 = at(layout.v0, p);
		const applied = add(at(layout.forces, p), feedForwardOf(p));
		const right = nmad(constant(p, DAMPING), v0, sub(applied, at(layout.bias, p)));
		const free = without(right, at(layout.isFixed, p));
		put(layout.right, p, free);
		put(layout.impulse, p, mul(layout.dt, free));
		put(layout.vStar, p, v0);
		isFast = or(isFast, isLess(all(CALM_SPEED), abs(v0)));
	}
	shiftForces();
	for (let joint = floatingStart; joint < floatingEnd; joint++) {
		if (int(layout.kindOf, joint) != FLOATING) continue;
		const last = int(layout.placeOf, joint) - 3;
		for (let p = last; p > last - 3; p--) put(layout.impulse, p, mul(layout.dt, at(layout.right, p)));
	}
	return isFast;
}

/** Feed-forward control of a degree of freedom without a drive; that of drives is part of their rows. */
function feedForwardOf(p: i32): v128 {
	const limit = constant(p, EFFORT);
	return without(least(limit, most(neg(limit), at(layout.feedForward, p))), constant(p, HAS_DRIVE));
}

/** Forces on floating joints act at the centre of mass: moves their torque to the joint frame. */
function shiftForces(): void {
	for (let joint = floatingStart; joint < floatingEnd; joint++) {
		if (int(layout.kindOf, joint) != FLOATING) continue;
		findArm(joint);
		const p = int(layout.placeOf, joint);
		const fx = at(layout.forces, p);
		const fy = at(layout.forces, p - 1);
		const fz = at(layout.forces, p - 2);
		push(p - 3, det(armY, fz, armZ, fy));
		push(p - 4, det(armZ, fx, armX, fz));
		push(p - 5, det(armX, fy, armY, fx));
	}
}

/** Adds a force to a degree of freedom. */
function push(p: i32, force: v128): void {
	put(layout.right, p, add(at(layout.right, p), without(force, at(layout.isFixed, p))));
}

/**
 * Finds lanes in which a tree is faster after the step than its forces can make it. Coriolis forces do no work, but taken at the
 * start of a step they do, and more in every step when it is too long for the speed.
 */
function watchEnergy(tree: i32, lanes: v128): void {
	const start = int(layout.treePlace, tree);
	const end = int(layout.treePlace, tree + 1);
	let isFast = none();
	let isMoving = none();
	for (let p = start; p < end; p++) {
		isFast = or(isFast, isLess(all(SUSPICIOUS_SPEED), abs(at(layout.vStar, p))));
		isMoving = or(isMoving, isLess(all(CALM_SPEED), abs(at(layout.v0, p))));
	}
	isFast = and(lanes, and(isFast, isMoving));
	if (!any(isFast)) return;
	const before = norm(start, end, layout.v0);
	const after = norm(start, end, layout.vStar);
	isFast = and(isFast, isLess(mul(all(MOST_GROWTH), before), after));
	if (!any(isFast)) return;
	// forces without motion
	for (let p = 0; p < layout.dofCount; p++) put(layout.still, p, none());
	computeBias(layout.still);
	for (let p = 0; p < layout.dofCount; p++) {
		put(layout.right, p, sub(add(at(layout.forces, p), feedForwardOf(p)), at(layout.bias, p)));
		put(layout.right, p, without(at(layout.right, p), at(layout.isFixed, p)));
	}
	shiftForces();
	solve(factorValues, layout.subtreeOf, layout.baseOf, factorInverse, layout.dofCount, layout.right);
	for (let p = 0; p < layout.dofCount; p++) put(layout.still, p, mul(layout.dt, at(layout.right, p)));
	const given = norm(start, end, layout.still);
	layout.addGained(and(isFast, isLess(mul(all(MOST_GROWTH), add(before, given)), after)));
}

/** Speed of a tree in the norm of its mass matrix: the root of twice its energy. */
function norm(start: i32, end: i32, v: usize): v128 {
	let squared = none();
	for (let p = start; p < end; p++) {
		const base = int(layout.baseOf, p);
		const own = without(at(v, p), at(layout.isFixed, p));
		squared = mad(mul(at(layout.mass, base + p), own), own, squared);
		const twice = add(own, own);
		for (let c = int(layout.subtreeOf, p); c < p; c++)
			squared = mad(mul(at(layout.mass, base + c), twice), at(v, c), squared);
	}
	return sqrt(most(squared, none()));
}
