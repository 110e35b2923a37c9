// Learns to keep a pole upright on a cart: one world for each episode of each candidate, a linear policy, an evolution strategy.
import {
	CmaEs,
	type EnvTask,
	type EnvWorlds,
	jointEfforts,
	jointPositions,
	jointVelocities,
	layeredPolicy,
	randomJoints,
	scoreCandidates,
} from '@manyworlds/envs';
import { createEnv, openAsset } from 'manyworlds';

const generations = Number(process.argv[2] ?? 12);
const tilt = (worlds: EnvWorlds, world: number): number => Math.abs(worlds.state.jointQ[worlds.coordinate('hinge', world)]!);

const task: EnvTask = {
	observations: [jointPositions(), jointVelocities()],
	actions: [jointEfforts({ joints: ['slide'], scale: 10 })],
	rewards: [{ name: 'still up', weight: 0.02, value: () => 1 }],
	terminations: [{ name: 'fallen', isOver: (worlds, world) => tilt(worlds, world) > 0.5 }],
	randomisation: [randomJoints({ joints: ['hinge'], position: [-0.1, 0.1], velocity: [-0.3, 0.3] })],
	episodeSeconds: 5,
};

const robot = await openAsset(new URL('../robots/cart-pole/cart-pole.xml', import.meta.url));
const env = await createEnv(robot, task, { worlds: 64, substeps: 4, ground: false });
const policy = layeredPolicy({ observationCount: env.observationFields.length, actionCount: 1 });
const search = new CmaEs({ mean: new Float64Array(policy.parameterCount), deviation: 0.5, population: 16, seed: 1 });
for (let generation = 1; generation <= generations; generation++) {
	const scores = await scoreCandidates(env, policy, search.ask(), { seed: generation });
	search.tell(scores);
	const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
	console.log(`generation ${generation}: upright for ${mean.toFixed(2)} s on average, ${Math.max(...scores).toFixed(2)} s at best`);
}
await env.dispose();
