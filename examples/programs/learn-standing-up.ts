// Learns to get a quadruped from the ground onto its feet, with other masses, gains and friction in every episode.
import {
	CmaEs,
	type EnvTask,
	type EnvWorlds,
	gravityDirection,
	jointPositions,
	jointTargets,
	jointVelocities,
	layeredPolicy,
	pushes,
	randomFriction,
	randomGains,
	randomMasses,
	scoreCandidates,
} from '@manyworlds/envs';
import { createEnv, openAsset } from 'manyworlds';

const generations = Number(process.argv[2] ?? 30);
const standing = 0.28;
const heightOf = (worlds: EnvWorlds, world: number): number => worlds.state.bodyQ[7 * worlds.body('trunk', world) + 2]!;
/** 1 for a trunk whose back is up, 0 for one on its side. */
const uprightOf = (worlds: EnvWorlds, world: number): number => {
	const at = 7 * worlds.body('trunk', world) + 3;
	const { bodyQ } = worlds.state;
	return Math.max(0, 1 - 2 * (bodyQ[at]! ** 2 + bodyQ[at + 1]! ** 2));
};
/** Mean square of the change of the actions. */
const jerkOf = ({ lastActions, earlierActions, actionCount }: EnvWorlds, world: number): number => {
	let sum = 0;
	for (let i = world * actionCount; i < (world + 1) * actionCount; i++)
		sum += (lastActions[i]! - earlierActions[i]!) ** 2 / actionCount;
	return sum;
};

const task: EnvTask = {
	observations: [gravityDirection('trunk'), jointPositions({ fromStart: true }), jointVelocities()],
	actions: [jointTargets({ scale: 1.5 })],
	rewards: [
		{
			name: 'height',
			weight: 1,
			value: (worlds, world) => (uprightOf(worlds, world) * Math.min(heightOf(worlds, world), standing)) / standing,
		},
		{ name: 'jerk', weight: -0.2, value: jerkOf },
	],
	randomisation: [
		randomMasses({ factor: [0.8, 1.2] }),
		randomGains({ factor: [0.8, 1.2] }),
		randomFriction({ mu: [0.5, 1] }),
		pushes({
			body: 'trunk',
			force: [
				[-20, 20],
				[-20, 20],
				[0, 0],
			],
			every: 1,
			duration: 0.1,
		}),
	],
	episodeSeconds: 2,
};

const robot = await openAsset(new URL('../robots/fox/fox.xml', import.meta.url));
const env = await createEnv(robot, task, { worlds: 64, substeps: 10, keyframe: 'lying' });
const observations = env.observationFields.length;
// velocities are far larger than angles
const scales = env.observationFields.map(({ unit }) => (unit === 'rad/s' ? 20 : 1));
const policy = layeredPolicy({ observationCount: observations, actionCount: env.actionFields.length, scales });
const search = new CmaEs({ mean: new Float64Array(policy.parameterCount), deviation: 0.1, population: 32, seed: 1 });
for (let generation = 1; generation <= generations; generation++) {
	const scores = await scoreCandidates(env, policy, search.ask(), { seed: generation });
	search.tell(scores);
	const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
	console.log(
		`generation ${generation}: ${mean.toFixed(1)} of 50 on average, ${Math.max(...scores).toFixed(1)} at best`,
	);
}
await env.dispose();
