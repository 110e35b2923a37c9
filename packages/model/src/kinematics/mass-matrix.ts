import type { ArticulationSweep } from './articulation-sweep.ts';
import { applyInertia, INERTIA_SIZE, writeBodyInertia } from './composite-inertia.ts';
import { parentJoint } from './jacobian.ts';

/** Scratch memory of {@link writeMassMatrix}, for the largest articulation of a model. */
export class MassMatrixScratch {
	readonly inertia: Float64Array;
	/** Twist of each degree of freedom at the origin; six numbers each. */
	readonly twist: Float64Array;
	readonly momentum: Float64Array = new Float64Array(6);
	readonly origin: Float64Array = new Float64Array(3);

	constructor(maxJoints: number, maxDofs: number) {
		this.inertia = new Float64Array(INERTIA_SIZE * maxJoints);
		this.twist = new Float64Array(6 * maxDofs);
	}
}

/**
 * Writes the mass matrix of one articulation by the composite rigid body algorithm (Featherstone 2008, table 6.2): joint
 * space, `columns` numbers in a row, without armature. Entries of dofs in different branches stay zero.
 * The sweep must have placed the articulation.
 */
export function writeMassMatrix(
	sweep: ArticulationSweep,
	articulation: number,
	bodyQ: Float64Array,
	scratch: MassMatrixScratch,
	out: Float64Array,
	offset: number,
	columns: number,
): void {
	const { model } = sweep;
	const { inertia, momentum, twist } = scratch;
	const [start, end] = sweep.jointRange(articulation);
	const firstDof = model.jointQdStart[start]!;
	placeOrigin(sweep, start, scratch.origin);
	for (let joint = start; joint < end; joint++) {
		writeBodyInertia(sweep, model.jointChild[joint]!, bodyQ, scratch.origin, inertia, INERTIA_SIZE * (joint - start));
		for (let dof = model.jointQdStart[joint]!; dof < model.jointQdStart[joint + 1]!; dof++) {
			writeTwist(sweep, dof, scratch.origin, twist, 6 * (dof - firstDof));
		}
	}
	for (let joint = end - 1; joint >= start; joint--) {
		const at = INERTIA_SIZE * (joint - start);
		const parent = parentJoint(sweep, joint, start);
		if (parent >= 0) {
			const to = INERTIA_SIZE * (parent - start);
			for (let i = 0; i < INERTIA_SIZE; i++) inertia[to + i] = inertia[to + i]! + inertia[at + i]!;
		}
		for (let dof = model.jointQdStart[joint]!; dof < model.jointQdStart[joint + 1]!; dof++) {
			const row = dof - firstDof;
			applyInertia(inertia, at, twist, 6 * row, momentum, 0);
			for (let j = joint; j >= start; j = parentJoint(sweep, j, start)) {
				for (let other = model.jointQdStart[j]!; other < model.jointQdStart[j + 1]!; other++) {
					const column = other - firstDof;
					let sum = 0;
					for (let i = 0; i < 6; i++) sum += twist[6 * column + i]! * momentum[i]!;
					out[offset + row * columns + column] = sum;
					out[offset + column * columns + row] = sum;
				}
			}
		}
	}
}

/** The point that spatial quantities refer to: close to the robot, so that far-off worlds lose no digits. */
export function placeOrigin(sweep: ArticulationSweep, rootJoint: number, out: Float64Array): void {
	const child = sweep.model.jointChild[rootJoint]!;
	for (let i = 0; i < 3; i++) out[i] = sweep.com[3 * child + i]!;
}

/** Linear velocity of the point at the origin, and angular velocity, for a unit rate of a degree of freedom. */
export function writeTwist(
	sweep: ArticulationSweep,
	dof: number,
	origin: Float64Array,
	out: Float64Array,
	at: number,
): void {
	const { axis, pivot, turns } = sweep;
	const d = 3 * dof;
	const ax = axis[d]!;
	const ay = axis[d + 1]!;
	const az = axis[d + 2]!;
	if (turns[dof] === 0) {
		out[at] = ax;
		out[at + 1] = ay;
		out[at + 2] = az;
		out[at + 3] = 0;
		out[at + 4] = 0;
		out[at + 5] = 0;
		return;
	}
	const rx = origin[0]! - pivot[d]!;
	const ry = origin[1]! - pivot[d + 1]!;
	const rz = origin[2]! - pivot[d + 2]!;
	out[at] = ay * rz - az * ry;
	out[at + 1] = az * rx - ax * rz;
	out[at + 2] = ax * ry - ay * rx;
	out[at + 3] = ax;
	out[at + 4] = ay;
	out[at + 5] = az;
}
