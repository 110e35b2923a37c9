// Learns to keep a pole upright on a cart: one world for each episode of each candidate, a linear policy, an evolution strategy.
import { CmaEs, layeredPolicy, scoreCandidates } from '@manyworlds/envs';
import { createEnv, openAsset } from 'manyworlds';
import { cartPoleTask } from './cart-pole-task.ts';

const generations = Number(process.argv[2] ?? 12);
const robot = await openAsset(new URL('../robots/cart-pole/cart-pole.xml', import.meta.url));
const env = await createEnv(robot, cartPoleTask, { worlds: 64, substeps: 4, ground: false });
const policy = layeredPolicy({ observationCount: env.observationFields.length, actionCount: 1 });
const search = new CmaEs({ mean: new Float64Array(policy.parameterCount), deviation: 0.5, population: 16, seed: 1 });
for (let generation = 1; generation <= generations; generation++) {
	const scores = await scoreCandidates(env, policy, search.ask(), { seed: generation });
	search.tell(scores);
	const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
	console.log(
		`generation ${generation}: upright for ${mean.toFixed(2)} s on average, ${Math.max(...scores).toFixed(2)} s at best`,
	);
}
await env.dispose();
