import { Report } from '@manyworlds/core';
import { JointTargetMode, type Model, ModelBuilder } from '@manyworlds/model';
import { SAP_WORLDS } from '@manyworlds/sim';
import { startState, type WorldSolvers } from '@manyworlds/worlds';
import { type EnvTask, VectorEnv, type VectorEnvOptions } from '../src/index.ts';

export const SOLVERS: WorldSolvers = { sap: async () => SAP_WORLDS };
/** Mass of the slider [kg]. */
export const MASS = 2;

/** Worlds with a slider along x without gravity, and a weightless motor drive of position beside it. */
export function sliderModel(worlds: number): Model {
	const robot = new ModelBuilder({ gravity: [0, 0, 0] });
	const slider = robot.addLink({ mass: MASS, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1], label: 'slider' });
	const arm = robot.addLink({ mass: 1, inertia: [0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1], label: 'arm' });
	const joints = [
		robot.addJointPrismatic({ parent: -1, child: slider, axis: 'x', label: 'slide', limitLower: -50, limitUpper: 50 }),
		robot.addJointRevolute({
			parent: -1,
			child: arm,
			axis: 'z',
			label: 'turn',
			targetKe: 100,
			targetKd: 20,
			actuatorMode: JointTargetMode.POSITION,
		}),
	];
	robot.addArticulation([joints[0]!]);
	robot.addArticulation([joints[1]!]);
	const all = new ModelBuilder({ gravity: [0, 0, 0] });
	all.replicate(robot, { count: worlds, spacing: [0, 0, 0] });
	return all.finalize();
}

/** Environments of a model, with SAP in this thread. */
export function envOf(model: Model, task: EnvTask, options: Partial<VectorEnvOptions> = {}): Promise<VectorEnv> {
	return VectorEnv.create(model, task, {
		runner: { solver: 'sap', solvers: SOLVERS },
		start: startState(model, new Report()),
		dt: 0.01,
		substeps: 5,
		...options,
	});
}
