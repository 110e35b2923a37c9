import { JointTargetMode, JointType } from '@manyworlds/model';
import type { Simulation } from 'manyworlds';

/**
 * Forces of the drives of the first world [N, N·m], by degree of freedom: stiffness and damping times what is left to the target, and
 * what is fed forward, within the limit of the effort. This is the law that steps of SAP end with.
 */
export function driveEfforts({ model, state, control }: Simulation): Float64Array<ArrayBuffer> {
	const joints = model.worldCount > 0 ? model.jointWorldStart[1]! : model.jointCount;
	const out = new Float64Array(model.jointQdStart[joints]!);
	for (let joint = 0; joint < joints; joint++) {
		const type = model.jointType[joint]!;
		if (type !== JointType.PRISMATIC && type !== JointType.REVOLUTE && type !== JointType.D6) continue;
		const first = model.jointQdStart[joint]!;
		for (let dof = first; dof < model.jointQdStart[joint + 1]!; dof++) {
			const mode = model.jointTargetMode[dof]!;
			if (mode === JointTargetMode.NONE) continue;
			const q = model.jointQStart[joint]! + dof - first;
			const isHeld = mode !== JointTargetMode.VELOCITY && mode !== JointTargetMode.EFFORT;
			const stretch = isHeld ? control.jointTargetQ[q]! - state.jointQ[q]! : 0;
			const lag = mode === JointTargetMode.EFFORT ? 0 : control.jointTargetQd[dof]! - state.jointQd[dof]!;
			const force = model.jointTargetKe[dof]! * stretch + model.jointTargetKd[dof]! * lag + control.jointAct[dof]!;
			const limit = model.jointEffortLimit[dof]!;
			out[dof] = limit > 0 ? Math.min(Math.max(force, -limit), limit) : force;
		}
	}
	return out;
}
