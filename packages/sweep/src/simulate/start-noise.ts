import { normalQuantile, PhiloxStream } from '@manyworlds/core/internal';
import { ArticulatedDynamics, JointType, type Model, type State } from '@manyworlds/model';

/** Adds noise to the coordinates and velocities of scalar joints of a model with one world, and places its bodies again. */
export function addStartNoise(
	model: Model,
	state: State,
	noise: { readonly jointQ: number; readonly jointQd: number },
	seed: number,
	world: number,
): void {
	if (noise.jointQ === 0 && noise.jointQd === 0) return;
	const positions = new PhiloxStream(seed, 'joint_q');
	const velocities = new PhiloxStream(seed, 'joint_qd');
	for (let joint = 0; joint < model.jointCount; joint++) {
		const type = model.jointType[joint];
		if (type !== JointType.PRISMATIC && type !== JointType.REVOLUTE && type !== JointType.D6) continue;
		const q = model.jointQStart[joint]!;
		const qd = model.jointQdStart[joint]!;
		for (let i = 0; i < model.jointQdStart[joint + 1]! - qd; i++) {
			if (noise.jointQ > 0) state.jointQ[q + i]! += noise.jointQ * normalQuantile(positions.uniform(q + i, world));
			if (noise.jointQd > 0)
				state.jointQd[qd + i]! += noise.jointQd * normalQuantile(velocities.uniform(qd + i, world));
		}
	}
	new ArticulatedDynamics(model).forwardKinematics(state);
}
