import { describe, expect, test } from 'vitest';
import {
	CmaEs,
	type EnvTask,
	jointEfforts,
	jointPositions,
	layeredPolicy,
	randomJoints,
	scoreCandidates,
} from '../src/index.ts';
import { envOf, sliderModel } from './slider-env.ts';

/** Less the squares of places with ever narrower valleys, greatest at 1 2 3 …. */
const ellipsoid = (x: Float64Array): number =>
	-x.reduce((sum, value, i) => sum + 10 ** (i / 2) * (value - i - 1) ** 2, 0);

describe('CmaEs', () => {
	test('finds the top of an ellipsoid and narrows down', () => {
		const search = new CmaEs({ mean: new Float64Array(8), deviation: 1, seed: 3 });
		for (let i = 0; i < 400; i++) search.tell(search.ask().map(ellipsoid));
		for (let i = 0; i < 8; i++) expect(search.mean[i]).toBeCloseTo(i + 1, 4);
		expect(search.deviation).toBeLessThan(1e-3);
		expect(search.generation).toBe(400);
	});

	test('first candidates have the mean and the deviation that were asked for', () => {
		const search = new CmaEs({ mean: [5, -5], deviation: 0.25, population: 4000 });
		const candidates = search.ask();
		for (const [k, mean] of [5, -5].entries()) {
			const own = candidates.map((candidate) => candidate[k]!);
			const found = own.reduce((sum, x) => sum + x, 0) / own.length;
			const spread = Math.sqrt(own.reduce((sum, x) => sum + (x - found) ** 2, 0) / own.length);
			expect(Math.abs(found - mean)).toBeLessThan((4 * 0.25) / Math.sqrt(4000));
			expect(Math.abs(spread - 0.25)).toBeLessThan((4 * 0.25) / Math.sqrt(8000));
		}
	});

	test('is the same for the same seed, and scores that are no numbers are the worst', () => {
		const run = (seed: number, score: (x: Float64Array) => number): number[] => {
			const search = new CmaEs({ mean: new Float64Array(3), deviation: 0.5, seed });
			for (let i = 0; i < 30; i++) search.tell(search.ask().map(score));
			return [...search.mean];
		};
		expect(run(1, ellipsoid)).toEqual(run(1, ellipsoid));
		expect(run(1, ellipsoid)).not.toEqual(run(2, ellipsoid));
		expect(run(1, (x) => (x[0]! < 0 ? Number.NaN : -x[0]!))[0]).toBeGreaterThan(-0.05);
	});

	test('refuses what it cannot search', () => {
		expect(() => new CmaEs({ mean: [], deviation: 1 })).toThrow(/no entries/);
		expect(() => new CmaEs({ mean: [1], deviation: 0 })).toThrow(/deviation is 0/);
		expect(() => new CmaEs({ mean: [1], deviation: 1, population: 3 })).toThrow(/population is 3/);
		expect(() => new CmaEs({ mean: [1], deviation: 1 }).tell([1])).toThrow(/1 scores/);
	});
});

describe('layeredPolicy', () => {
	test('is weighted sums through a hyperbolic tangent', () => {
		const policy = layeredPolicy({ observationCount: 2, actionCount: 1, hidden: [2], scales: [1, 10] });
		expect(policy.parameterCount).toBe(9);
		const p = Float64Array.from([0.1, 0.2, 0.3, -0.4, 0.5, -0.6, 0.7, 0.8, -0.9]);
		const actions = new Float64Array(2);
		policy.act(p, Float64Array.of(9, 9, 1.5, -20), 2, actions, 1);
		const a = Math.tanh(0.1 + 0.2 * 1.5 + 0.3 * -2);
		const b = Math.tanh(-0.4 + 0.5 * 1.5 - 0.6 * -2);
		expect(actions[1]).toBeCloseTo(Math.tanh(0.7 + 0.8 * a - 0.9 * b), 14);
		expect(actions[0]).toBe(0);
		policy.act(new Float64Array(9).fill(1e3), Float64Array.of(1, 1), 0, actions, 0);
		expect(actions[0]).toBe(1);
		expect(() => layeredPolicy({ observationCount: 2, actionCount: 1, scales: [1] })).toThrow(/1 scales/);
	});
});

describe('scoreCandidates', () => {
	const task: EnvTask = {
		observations: [jointPositions({ joints: ['slide'] })],
		actions: [jointEfforts({ joints: ['slide'] })],
		rewards: [
			{ name: 'place', weight: 1, value: (worlds, world) => worlds.state.jointQ[worlds.coordinate('slide', world)]! },
		],
		randomisation: [randomJoints({ joints: ['slide'], position: [-1, 1] })],
		episodeSeconds: 0.2,
	};

	test('gives each candidate the same episodes, and the mean of their rewards', async () => {
		const env = await envOf(sliderModel(6), task);
		const policy = layeredPolicy({ observationCount: 1, actionCount: 1 });
		const still = Float64Array.of(0, 0);
		const pushing = Float64Array.of(100, 0);
		const scores = await scoreCandidates(env, policy, [still, still, pushing], { seed: 4 });
		expect(scores[0]).toBe(scores[1]);
		// four actions of 1 N for 0.05 s: places after 5, 10, 15 and 20 steps
		const gained = [5, 10, 15, 20].reduce((sum, n) => sum + (1e-4 * n * (n + 1)) / 2 / 2, 0);
		expect(scores[2]! - scores[0]!).toBeCloseTo(gained, 10);
		const other = await scoreCandidates(env, policy, [still, still, pushing], { seed: 5 });
		expect(other[0]).not.toBe(scores[0]);
		await expect(scoreCandidates(env, policy, [still, still, still, still], { seed: 1 })).rejects.toThrow(
			/6 worlds for 4 candidates/,
		);
		await env.dispose();
	});
});
