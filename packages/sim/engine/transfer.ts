import { apart, at, beside, int, isSame, LANES, put } from './lanes';
import * as layout from './layout';

/**
 * Public arrays of the worlds of a batch of groups, as the host copied them: world after world, each with `…Stride` entries. A lane that
 * repeats the one before it has no part of its own.
 */
export let coordinateStride: i32 = 0;
export let dofStride: i32 = 0;
export let bodyStride: i32 = 0;
/** Tables: degree of freedom at each place, body of each joint, counted from the first of the world. */
export let publicDofOf: usize = 0;
export let publicBodyOf: usize = 0;
// what comes in
export let givenGravity: usize = 0;
export let givenCoordinates: usize = 0;
export let givenVelocities: usize = 0;
export let givenBodyForces: usize = 0;
export let givenForces: usize = 0;
export let givenFeedForward: usize = 0;
export let givenTargets: usize = 0;
export let givenTargetRates: usize = 0;
// what goes out
export let newCoordinates: usize = 0;
export let newVelocities: usize = 0;
export let newPoses: usize = 0;
export let newRates: usize = 0;

/** Group of the batch that is at hand. */
let member: i32 = 0;

/**
 * Lays the worlds of a group of the batch side by side. `last` is the last lane with a world of its own. Gives whether all coordinates are
 * those that were there.
 */
export function gatherState(which: i32, last: i32): bool {
	member = which;
	const coordinates = coordinateStride << 3;
	const fromCoordinates = partOf(givenCoordinates, coordinates);
	const fromTargets = partOf(givenTargets, coordinates);
	let isSameAll = true;
	for (let q = 0; q < layout.coordinateCount; q++) {
		const value = beside(fromCoordinates + (q << 3), coordinates, last);
		isSameAll = isSameAll && isSame(value, at(layout.coordinates, q));
		put(layout.coordinates, q, value);
		put(layout.targets, q, beside(fromTargets + (q << 3), coordinates, last));
	}
	const dofs = dofStride << 3;
	const fromVelocities = partOf(givenVelocities, dofs);
	const fromForces = partOf(givenForces, dofs);
	const fromFeedForward = partOf(givenFeedForward, dofs);
	const fromTargetRates = partOf(givenTargetRates, dofs);
	for (let p = 0; p < layout.dofCount; p++) {
		const dof = int(publicDofOf, p) << 3;
		put(layout.velocities, p, beside(fromVelocities + dof, dofs, last));
		put(layout.forces, p, beside(fromForces + dof, dofs, last));
		put(layout.feedForward, p, beside(fromFeedForward + dof, dofs, last));
		put(layout.targetRates, p, beside(fromTargetRates + dof, dofs, last));
	}
	const fromGravity = partOf(givenGravity, 24);
	for (let k = 0; k < 3; k++) put(layout.gravity, k, beside(fromGravity + (k << 3), 24, last));
	gatherBodyForces(last);
	return isSameAll;
}

/** The part of an array of the batch that belongs to the group at hand; a world has so many bytes of it. */
function partOf(array: usize, bytes: i32): usize {
	return array + LANES * member * bytes;
}

/** Forces on bodies are none in most steps, which is quick to see. */
function gatherBodyForces(last: i32): void {
	const bodies = (6 * bodyStride) << 3;
	const start = partOf(givenBodyForces, bodies);
	const end = start + bodies * (last + 1);
	let bits = v128.load(start);
	for (let from = start; from < end; from += 16) bits = v128.or(bits, v128.load(from));
	layout.setBodyForces(v128.any_true(bits));
	if (!layout.hasBodyForces) return;
	for (let joint = 0; joint < layout.jointCount; joint++) {
		const from = start + ((6 * int(publicBodyOf, joint)) << 3);
		for (let k = 0; k < 6; k++) put(layout.bodyForces, 6 * joint + k, beside(from + (k << 3), bodies, last));
	}
}

/** Writes the state of the group after the step world after world. */
export function scatterState(): void {
	const coordinates = coordinateStride << 3;
	const toCoordinates = partOf(newCoordinates, coordinates);
	for (let q = 0; q < layout.coordinateCount; q++)
		apart(toCoordinates + (q << 3), coordinates, at(layout.coordinates, q));
	const dofs = dofStride << 3;
	const toVelocities = partOf(newVelocities, dofs);
	for (let p = 0; p < layout.dofCount; p++)
		apart(toVelocities + (int(publicDofOf, p) << 3), dofs, at(layout.velocities, p));
	const poses = (7 * bodyStride) << 3;
	const rates = (6 * bodyStride) << 3;
	const toPoses = partOf(newPoses, poses);
	const toRates = partOf(newRates, rates);
	for (let joint = 0; joint < layout.jointCount; joint++) {
		const body = int(publicBodyOf, joint);
		const pose = toPoses + ((7 * body) << 3);
		for (let k = 0; k < 3; k++) apart(pose + (k << 3), poses, at(layout.position, 3 * joint + k));
		for (let k = 0; k < 4; k++) apart(pose + ((3 + k) << 3), poses, at(layout.rotation, 4 * joint + k));
		const rate = toRates + ((6 * body) << 3);
		for (let k = 0; k < 6; k++) apart(rate + (k << 3), rates, at(layout.twistRate, 6 * joint + k));
	}
}
