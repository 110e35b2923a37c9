import { join } from 'node:path';
import {
	bodyPosition,
	CmaEs,
	contactForces,
	type EnvTask,
	jointEfforts,
	jointPositions,
	jointTargets,
	jointVelocities,
	layeredPolicy,
	pushes,
	randomGains,
	randomJoints,
	randomMasses,
	scoreCandidates,
	type VectorEnv,
} from '@manyworlds/envs';
import { createEnv, openAsset } from 'manyworlds';
import { expect, test } from 'vitest';

const ROBOTS = join(import.meta.dirname, '../../../../examples/robots');

const STANDING: EnvTask = {
	observations: [bodyPosition('trunk'), jointPositions(), jointVelocities(), contactForces(['trunk'])],
	actions: [jointTargets({ scale: 0.3 })],
	rewards: [{ name: 'height', weight: 1, value: (w, world) => w.state.bodyQ[7 * w.body('trunk', world) + 2]! }],
	randomisation: [
		randomMasses({ factor: [0.8, 1.2] }),
		randomGains({ factor: [0.8, 1.2] }),
		randomJoints({ position: [-0.1, 0.1] }),
		pushes({
			body: 'trunk',
			force: [
				[-50, 50],
				[-50, 50],
				[0, 0],
			],
			every: 0.1,
			duration: 0.05,
		}),
	],
	episodeSeconds: 0.3,
};

/** Bits of observations and rewards over some steps. */
async function bitsOf(env: VectorEnv, steps: number, worlds: number): Promise<string[]> {
	await env.reset(undefined, 11);
	const seen: string[] = [];
	const size = env.observationFields.length;
	const actions = env.actionFields.length;
	for (let step = 0; step < steps; step++) {
		for (let world = 0; world < env.worldCount; world++)
			for (let i = 0; i < actions; i++) env.actions[world * actions + i] = Math.sin(3 * step + world + i);
		await env.step();
		const numbers = [...env.observations.subarray(0, worlds * size), ...env.rewards.subarray(0, worlds)];
		seen.push(Buffer.from(Float64Array.from(numbers).buffer).toString('hex'));
	}
	await env.dispose();
	return seen;
}

test('rollouts of a quadruped have the same bits in any number of threads, among any number of worlds', async () => {
	const robot = await openAsset(join(ROBOTS, 'fox/fox.xml'));
	const options = { substeps: 4, keyframe: 'standing' } as const;
	const alone = await bitsOf(await createEnv(robot, STANDING, { ...options, worlds: 3, threads: 1 }), 25, 3);
	const threads = await bitsOf(await createEnv(robot, STANDING, { ...options, worlds: 3, threads: 2 }), 25, 3);
	const many = await bitsOf(await createEnv(robot, STANDING, { ...options, worlds: 8, threads: 1 }), 25, 3);
	expect(new Set(alone).size).toBe(25);
	expect(threads).toEqual(alone);
	expect(many).toEqual(alone);
});

test('a pole on a cart is learned', async () => {
	const task: EnvTask = {
		observations: [jointPositions(), jointVelocities()],
		actions: [jointEfforts({ joints: ['slide'], scale: 10 })],
		rewards: [{ name: 'upright', weight: 0.02, value: () => 1 }],
		terminations: [
			{ name: 'fallen', isOver: (w, world) => Math.abs(w.state.jointQ[w.coordinate('hinge', world)]!) > 0.5 },
		],
		randomisation: [randomJoints({ joints: ['hinge'], position: [-0.1, 0.1] })],
		episodeSeconds: 2,
	};
	const env = await createEnv(await openAsset(join(ROBOTS, 'cart-pole/cart-pole.xml')), task, {
		worlds: 32,
		substeps: 4,
		ground: false,
		threads: 1,
	});
	const policy = layeredPolicy({ observationCount: 4, actionCount: 1 });
	const search = new CmaEs({ mean: new Float64Array(policy.parameterCount), deviation: 0.5, population: 16, seed: 1 });
	const means: number[] = [];
	for (let generation = 0; generation < 8; generation++) {
		const scores = await scoreCandidates(env, policy, search.ask(), { seed: generation });
		search.tell(scores);
		means.push(scores.reduce((sum, score) => sum + score, 0) / scores.length);
	}
	const [learned] = await scoreCandidates(env, policy, [search.mean], { seed: 99 });
	expect(means[0]).toBeLessThan(1);
	expect(learned).toBeGreaterThan(1.5);
	await env.dispose();
});
