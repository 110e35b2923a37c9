import type { Model, State } from '@manyworlds/model';
import { worldRows } from '../world-rows.ts';

/**
 * Work [J] of the forces on joints and bodies of one world in a step from one state to another. Forces of a step act on the
 * mean of its velocities.
 */
export function appliedWork(
	model: Model,
	jointF: Float64Array,
	from: State,
	to: State,
	world: number,
	dt: number,
): number {
	let power = 0;
	const dofs = worldRows(model, 'jointDof', world);
	for (let dof = dofs.start; dof < dofs.end; dof++) {
		const force = jointF[dof]!;
		if (force !== 0) power += 0.5 * force * (from.jointQd[dof]! + to.jointQd[dof]!);
	}
	const bodies = worldRows(model, 'body', world);
	for (let i = 6 * bodies.start; i < 6 * bodies.end; i++) {
		const force = from.bodyF[i]!;
		if (force !== 0) power += 0.5 * force * (from.bodyQd[i]! + to.bodyQd[i]!);
	}
	return dt * power;
}
