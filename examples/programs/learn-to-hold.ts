// Learns to close a hand around a ball so that pushes do not throw it off the palm.
import {
	bodyPosition,
	CmaEs,
	contactForces,
	type EnvTask,
	type EnvWorlds,
	jointPositions,
	jointTargets,
	layeredPolicy,
	pushes,
	randomBase,
	scoreCandidates,
} from '@manyworlds/envs';
import { createEnv, openAsset } from 'manyworlds';

const generations = Number(process.argv[2] ?? 15);
const fingertips = ['tip_0', 'tip_1', 'tip_2', 'tip_3'];
/** Whether the ball is off the palm. */
const isLost = (worlds: EnvWorlds, world: number): boolean =>
	worlds.state.bodyQ[7 * worlds.body('ball', world) + 2]! < 0.3;

const task: EnvTask = {
	observations: [bodyPosition('ball', { from: 'palm' }), jointPositions(), contactForces(fingertips)],
	actions: [jointTargets({ scale: 1.2 })],
	rewards: [{ name: 'held', weight: 0.04, value: (worlds, world) => (isLost(worlds, world) ? 0 : 1) }],
	terminations: [{ name: 'lost', isOver: isLost }],
	randomisation: [
		randomBase({
			position: [
				[-0.01, 0.01],
				[-0.01, 0.01],
				[0, 0],
			],
		}),
		pushes({
			body: 'ball',
			force: [
				[-1.5, 1.5],
				[-1.5, 1.5],
				[0, 0.5],
			],
			every: 0.4,
			duration: 0.08,
		}),
	],
	episodeSeconds: 4,
};

const robot = await openAsset(new URL('../robots/otter/otter.xml', import.meta.url));
const env = await createEnv(robot, task, { worlds: 96, substeps: 10 });
const scales = env.observationFields.map(({ unit }) => (unit === 'm' ? 0.05 : 1));
const policy = layeredPolicy({
	observationCount: env.observationFields.length,
	actionCount: env.actionFields.length,
	scales,
});
const search = new CmaEs({ mean: new Float64Array(policy.parameterCount), deviation: 0.1, population: 24, seed: 1 });
for (let generation = 1; generation <= generations; generation++) {
	const scores = await scoreCandidates(env, policy, search.ask(), { seed: generation });
	search.tell(scores);
	const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
	console.log(
		`generation ${generation}: held for ${mean.toFixed(2)} s on average, ${Math.max(...scores).toFixed(2)} s at best`,
	);
}
await env.dispose();
