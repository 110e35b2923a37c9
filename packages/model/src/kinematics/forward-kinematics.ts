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
		sweep.place(articulation, state.jointQ, state.jointQd, state, skipBody);
	}
}

/** Gravity that acts on an articulation [m/s²]: its world's, or the global one. */
export function articulationGravity(model: Model, articulation: number): Float64Array {
	const world = model.articulationWorld[articulation]!;
	return world < 0 ? model.globalGravity : model.gravity.subarray(3 * world, 3 * world + 3);
}
