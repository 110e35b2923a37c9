// What is to be learned about a pole on a cart: the other programs use it.
import {
	type EnvTask,
	type EnvWorlds,
	jointEfforts,
	jointPositions,
	jointVelocities,
	randomJoints,
} from '@manyworlds/envs';

const tilt = (worlds: EnvWorlds, world: number): number =>
	Math.abs(worlds.state.jointQ[worlds.coordinate('hinge', world)]!);
export const cartPoleTask: EnvTask = {
	observations: [jointPositions(), jointVelocities()],
	actions: [jointEfforts({ joints: ['slide'], scale: 10 })],
	rewards: [{ name: 'still up', weight: 0.02, value: () => 1 }],
	terminations: [{ name: 'fallen', isOver: (worlds, world) => tilt(worlds, world) > 0.5 }],
	randomisation: [randomJoints({ joints: ['hinge'], position: [-0.1, 0.1], velocity: [-0.3, 0.3] })],
	episodeSeconds: 5,
};
