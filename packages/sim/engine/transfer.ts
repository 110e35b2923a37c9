import { at, int } from './lanes';
import * as layout from './layout';

/**
 * Public arrays of the worlds of a group, as the host copied them: world after world, each with `…Stride` entries. A lane that
 * repeats the one before it has no part of its own.
 */
export let coordinateStride: i32 = 0;
export let dofStride: i32 = 0;
export let bodyStride: i32 = 0;
export let coordinateCount: i32 = 0;
/** Tables: degree of freedom at each place, body of each joint, counted from the first of the world. */
export let publicDofOf: usize = 0;
export let publicBodyOf: usize = 0;
// what comes in
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

/** Lays the worlds of a group side by side. `second` is 1 when the second lane has a world of its own, else 0. */
export function gatherState(second: i32): void {
	const coordinates = (second * coordinateStride) << 3;
	for (let q = 0; q < coordinateCount; q++) {
		beside(layout.coordinates, q, givenCoordinates + (q << 3), coordinates);
		beside(layout.targets, q, givenTargets + (q << 3), coordinates);
	}
	const dofs = (second * dofStride) << 3;
	for (let p = 0; p < layout.dofCount; p++) {
		const dof = int(publicDofOf, p) << 3;
		beside(layout.velocities, p, givenVelocities + dof, dofs);
		beside(layout.forces, p, givenForces + dof, dofs);
		beside(layout.feedForward, p, givenFeedForward + dof, dofs);
		beside(layout.targetRates, p, givenTargetRates + dof, dofs);
	}
	const bodies = (second * 6 * bodyStride) << 3;
	for (let joint = 0; joint < layout.jointCount; joint++) {
		const from = givenBodyForces + ((6 * int(publicBodyOf, joint)) << 3);
		for (let k = 0; k < 6; k++) beside(layout.bodyForces, 6 * joint + k, from + (k << 3), bodies);
	}
}

/** Puts a number of both worlds side by side; that of the second stands `offset` bytes behind the first. */
function beside(array: usize, index: i32, from: usize, offset: i32): void {
	v128.store(array + (index << 4), f64x2.replace_lane(v128.load64_splat(from), 1, load<f64>(from + offset)));
}

/** Writes the state of the group after the step world after world. */
export function scatterState(): void {
	const coordinates = coordinateStride << 3;
	for (let q = 0; q < coordinateCount; q++) apart(newCoordinates + (q << 3), coordinates, at(layout.coordinates, q));
	const dofs = dofStride << 3;
	for (let p = 0; p < layout.dofCount; p++)
		apart(newVelocities + (int(publicDofOf, p) << 3), dofs, at(layout.velocities, p));
	const poses = (7 * bodyStride) << 3;
	const rates = (6 * bodyStride) << 3;
	for (let joint = 0; joint < layout.jointCount; joint++) {
		const body = int(publicBodyOf, joint);
		const pose = newPoses + ((7 * body) << 3);
		for (let k = 0; k < 3; k++) apart(pose + (k << 3), poses, at(layout.position, 3 * joint + k));
		for (let k = 0; k < 4; k++) apart(pose + ((3 + k) << 3), poses, at(layout.rotation, 4 * joint + k));
		const rate = newRates + ((6 * body) << 3);
		for (let k = 0; k < 6; k++) apart(rate + (k << 3), rates, at(layout.twistRate, 6 * joint + k));
	}
}

function apart(to: usize, offset: i32, value: v128): void {
	v128.store64_lane(to, value, 0);
	v128.store64_lane(to + offset, value, 1);
}
