import type { Report } from '@manyworlds/core';
import { ArticulatedDynamics, JointType, type Model, State } from '@manyworlds/model';
import { createDiagnostic } from './diagnostics.ts';

/**
 * The state that a model starts from: scalar joints are moved into their limits, because outside of them the limits would
 * throw the robot, and bodies stand where the joints put them. What was moved is told. @public
 */
export function startState(model: Model, report: Report): State {
	const state = new State(model);
	const moved: string[] = [];
	for (let joint = 0; joint < model.jointCount; joint++) {
		const type = model.jointType[joint];
		if (type !== JointType.PRISMATIC && type !== JointType.REVOLUTE && type !== JointType.D6) continue;
		const dof = model.jointQdStart[joint]!;
		const start = model.jointQStart[joint]!;
		for (let i = 0; i < model.jointQdStart[joint + 1]! - dof; i++) {
			const own = state.jointQ[start + i]!;
			const lower = model.jointLimitLower[dof + i]!;
			const inside = Math.min(Math.max(own, lower), Math.max(lower, model.jointLimitUpper[dof + i]!));
			if (inside === own) continue;
			state.jointQ[start + i] = inside;
			if ((model.jointWorld[joint] ?? 0) <= 0) moved.push(model.jointLabels[joint]!);
		}
	}
	new ArticulatedDynamics(model).forwardKinematics(state);
	if (moved.length === 0) return state;
	const names = moved.length > 3 ? `${moved.slice(0, 3).join(', ')}, …` : moved.join(', ');
	report.add(
		createDiagnostic('WLD001', `${moved.length} joints start at their limits instead of outside of them: ${names}`),
	);
	return state;
}
