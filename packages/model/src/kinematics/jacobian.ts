import { WORLD } from '../enums.ts';
import type { ArticulationSweep } from './articulation-sweep.ts';

/**
 * Writes the Jacobian of one articulation: six rows for each tree joint (linear, then angular velocity of the child's centre of
 * mass, world axes), a column for each degree of freedom, `columns` numbers in a row. J · jointQd equals bodyQd.
 * The sweep must have placed the articulation.
 */
export function writeJacobian(
	sweep: ArticulationSweep,
	articulation: number,
	out: Float64Array,
	offset: number,
	columns: number,
): void {
	const { model, com, axis, pivot, turns } = sweep;
	const [start, end] = sweep.jointRange(articulation);
	const firstDof = model.jointQdStart[start]!;
	for (let joint = start; joint < end; joint++) {
		const c = 3 * model.jointChild[joint]!;
		const row = offset + 6 * (joint - start) * columns;
		// only the degrees of freedom on the way to the root move this body
		for (let j = joint; j >= start; j = parentJoint(sweep, j, start)) {
			for (let dof = model.jointQdStart[j]!; dof < model.jointQdStart[j + 1]!; dof++) {
				const d = 3 * dof;
				const at = row + dof - firstDof;
				const ax = axis[d]!;
				const ay = axis[d + 1]!;
				const az = axis[d + 2]!;
				if (turns[dof] === 0) {
					out[at] = ax;
					out[at + columns] = ay;
					out[at + 2 * columns] = az;
					continue;
				}
				const rx = com[c]! - pivot[d]!;
				const ry = com[c + 1]! - pivot[d + 1]!;
				const rz = com[c + 2]! - pivot[d + 2]!;
				out[at] = ay * rz - az * ry;
				out[at + columns] = az * rx - ax * rz;
				out[at + 2 * columns] = ax * ry - ay * rx;
				out[at + 3 * columns] = ax;
				out[at + 4 * columns] = ay;
				out[at + 5 * columns] = az;
			}
		}
	}
}

/** The joint of the articulation that moves a joint's parent body; -1 at the root. */
export function parentJoint(sweep: ArticulationSweep, joint: number, start: number): number {
	if (sweep.model.jointParent[joint] === WORLD) return -1;
	const ancestor = sweep.model.jointAncestor[joint]!;
	return ancestor >= start ? ancestor : -1;
}
