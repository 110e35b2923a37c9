import { WORLD } from '../enums.ts';
import type { Model } from '../model/model.ts';
import type { ArticulationSweep } from './articulation-sweep.ts';
import { type ArticulationChoice, chooseArticulations } from './choose-articulations.ts';

/** What forward kinematics reads and writes; a `State` has all of it. @public */
export interface KinematicState {
	/** Joint coordinates and velocities, read. */
	readonly jointQ: Float64Array;
	readonly jointQd: Float64Array;
	/** Body poses and velocities, written. */
	readonly bodyQ: Float64Array;
	readonly bodyQd: Float64Array;
}

/** Options of forward kinematics. @public */
export interface ForwardKinematicsOptions extends ArticulationChoice {
	/** Bits of `BodyFlags`; bodies without one of them keep their pose and velocity. */
	readonly bodyFlags?: number;
}

/**
 * Sets body poses and velocities from joint coordinates and velocities. Loop joints and joints outside of
 * articulations are left alone.
 */
export function forwardKinematics(
	sweep: ArticulationSweep,
	state: KinematicState,
	options: ForwardKinematicsOptions = {},
): void {
	const { model } = sweep;
	const skip =
		options.bodyFlags === undefined ? undefined : model.bodyFlags.map((flags) => (flags & options.bodyFlags! ? 0 : 1));
	const skipBody = skip === undefined ? undefined : Uint8Array.from(skip);
	for (const articulation of chooseArticulations(model, options)) {
		sweep.placeFromCoordinates(articulation, state.jointQ, state.bodyQ, skipBody);
		bodyVelocities(sweep, articulation, state.jointQd, state.bodyQd, skipBody);
	}
}

/** Velocities of the bodies of one articulation: of the centre of mass and angular, in world axes. */
export function bodyVelocities(
	sweep: ArticulationSweep,
	articulation: number,
	jointQd: Float64Array,
	bodyQd: Float64Array,
	skipBody?: Uint8Array,
): void {
	const { model, com, axis, pivot, turns } = sweep;
	const [start, end] = sweep.jointRange(articulation);
	for (let joint = start; joint < end; joint++) {
		const child = model.jointChild[joint]!;
		if (skipBody !== undefined && skipBody[child] === 1) continue;
		const parent = model.jointParent[joint]!;
		const c = 3 * child;
		let vx = 0;
		let vy = 0;
		let vz = 0;
		let wx = 0;
		let wy = 0;
		let wz = 0;
		if (parent !== WORLD) {
			// the parent carries the point where the child's centre of mass is
			const p = 6 * parent;
			wx = bodyQd[p + 3]!;
			wy = bodyQd[p + 4]!;
			wz = bodyQd[p + 5]!;
			const rx = com[c]! - com[3 * parent]!;
			const ry = com[c + 1]! - com[3 * parent + 1]!;
			const rz = com[c + 2]! - com[3 * parent + 2]!;
			vx = bodyQd[p]! + wy * rz - wz * ry;
			vy = bodyQd[p + 1]! + wz * rx - wx * rz;
			vz = bodyQd[p + 2]! + wx * ry - wy * rx;
		}
		for (let dof = model.jointQdStart[joint]!; dof < model.jointQdStart[joint + 1]!; dof++) {
			const rate = jointQd[dof]!;
			const d = 3 * dof;
			const ax = axis[d]! * rate;
			const ay = axis[d + 1]! * rate;
			const az = axis[d + 2]! * rate;
			if (turns[dof] === 0) {
				vx += ax;
				vy += ay;
				vz += az;
				continue;
			}
			const rx = com[c]! - pivot[d]!;
			const ry = com[c + 1]! - pivot[d + 1]!;
			const rz = com[c + 2]! - pivot[d + 2]!;
			wx += ax;
			wy += ay;
			wz += az;
			vx += ay * rz - az * ry;
			vy += az * rx - ax * rz;
			vz += ax * ry - ay * rx;
		}
		const out = 6 * child;
		bodyQd[out] = vx;
		bodyQd[out + 1] = vy;
		bodyQd[out + 2] = vz;
		bodyQd[out + 3] = wx;
		bodyQd[out + 4] = wy;
		bodyQd[out + 5] = wz;
	}
}

/** Gravity that acts on an articulation [m/s²]: its world's, or the global one. */
export function articulationGravity(model: Model, articulation: number): Float64Array {
	const world = model.articulationWorld[articulation]!;
	return world < 0 ? model.globalGravity : model.gravity.subarray(3 * world, 3 * world + 3);
}
