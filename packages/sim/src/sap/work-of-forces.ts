import type { Control, Model, State } from '@manyworlds/model';
import { appliedWork, worldRows } from '@manyworlds/worlds/internal';
import type { FreeMotion } from './free-motion.ts';

/** Work [J] of feed-forward controls and of applied forces in a step of a world. */
export function workOfForces(
	motion: FreeMotion,
	world: number,
	stateIn: State,
	stateOut: State,
	control: Control | Model,
	dt: number,
): number {
	const { model } = motion.structure;
	let power = 0;
	const { start, end } = worldRows(model, 'jointDof', world);
	for (let dof = start; dof < end; dof++) {
		const force = motion.feedForward(dof, control);
		if (force !== 0) power += 0.5 * force * (stateIn.jointQd[dof]! + stateOut.jointQd[dof]!);
	}
	return dt * power + appliedWork(model, control.jointF, stateIn, stateOut, world, dt);
}
