import { describe, expect, test } from 'vitest';
import {
	type EnvTask,
	jointEfforts,
	jointPd,
	jointPositions,
	jointTargets,
	jointTargetVelocities,
	jointVelocities,
	lastActions,
	randomJoints,
	type VectorEnv,
} from '../src/index.ts';
import { envOf, MASS, sliderModel } from './slider-env.ts';

const PUSHED: EnvTask = {
	observations: [jointPositions(), jointVelocities(), lastActions()],
	actions: [jointEfforts({ joints: ['slide'], scale: 4 })],
	rewards: [
		{
			name: 'place',
			weight: 2,
			value: (worlds, world) => worlds.state.jointQ[worlds.coordinate('slide', world)]!,
		},
	],
};

/** Bits of all that a rollout with fixed actions gives. */
async function rollOut(env: VectorEnv, steps: number, seed: number): Promise<number[][]> {
	await env.reset(undefined, seed);
	const seen: number[][] = [];
	for (let step = 0; step < steps; step++) {
		for (let i = 0; i < env.actions.length; i++) env.actions[i] = Math.sin(step + i);
		await env.step();
		seen.push([...env.observations, ...env.rewards, ...env.terminated, ...env.truncated]);
	}
	await env.dispose();
	return seen;
}

describe('spaces', () => {
	test('observations and actions have names, units and bounds', async () => {
		const env = await envOf(sliderModel(3), PUSHED);
		expect(env.observationFields).toEqual([
			{ name: 'position of slide', unit: 'm' },
			{ name: 'position of turn', unit: 'rad' },
			{ name: 'velocity of slide', unit: 'm/s' },
			{ name: 'velocity of turn', unit: 'rad/s' },
			{ name: 'last action 0', unit: '1' },
		]);
		expect(env.actionFields).toEqual([{ name: 'effort of slide', unit: '4 N', lower: -1, upper: 1 }]);
		expect(env.observations.length).toBe(15);
		expect(env.actions.length).toBe(3);
		await env.dispose();
	});

	test('what nobody could use is refused', async () => {
		const model = sliderModel(1);
		const refused = async (task: Partial<EnvTask>, options: object = {}): Promise<string> =>
			envOf(model, { ...PUSHED, ...task }, options).then(
				() => 'taken',
				(error: Error) => error.message,
			);
		expect(await refused({ actions: [] })).toBe('the task has no actions');
		expect(await refused({ actions: [jointTargets({ joints: ['slide'] })] })).toMatch(
			/'slide' has no drive of position/,
		);
		expect(await refused({ observations: [jointPositions({ joints: ['hip'] })] })).toMatch(/unknown joint 'hip'/);
		expect(await refused({ observations: [jointPositions(), jointPositions()] })).toMatch(
			/two observations are called 'position of slide'/,
		);
		expect(await refused({}, { dt: 0 })).toMatch(/dt is 0 s/);
		expect(await refused({}, { substeps: 1.5 })).toMatch(/substeps is 1.5/);
	});
});

describe('actions', () => {
	test('an effort acts for all substeps', async () => {
		const env = await envOf(sliderModel(2), PUSHED);
		await env.reset();
		env.actions.set([1, -0.5]);
		for (let i = 0; i < 3; i++) await env.step();
		// semi-implicit steps of 0.01 s: v = F t / m, x = F dt² n (n + 1) / 2 m
		for (const [world, action] of [1, -0.5].entries()) {
			const at = 5 * world;
			expect(env.observations[at + 2]).toBeCloseTo((4 * action * 0.15) / MASS, 12);
			expect(env.observations[at]).toBeCloseTo((4 * action * 1e-4 * 15 * 16) / 2 / MASS, 12);
			expect(env.observations[at + 4]).toBe(action);
			expect(env.rewards[world]).toBeCloseTo(2 * env.observations[at]!, 15);
		}
		await env.dispose();
	});

	test('actions are clipped, and what is no number does nothing', async () => {
		const env = await envOf(sliderModel(3), PUSHED);
		await env.reset();
		env.actions.set([7, -7, Number.NaN]);
		await env.step();
		expect([4, 9, 14].map((i) => env.observations[i])).toEqual([1, -1, 0]);
		expect(env.observations[2]).toBeCloseTo((4 * 0.05) / MASS, 12);
		expect(env.observations[12]).toBe(0);
		await env.dispose();
	});

	test('targets are counted from the start and reached', async () => {
		const task = { ...PUSHED, actions: [jointTargets({ joints: ['turn'], scale: 0.5 })] };
		const env = await envOf(sliderModel(1), task);
		await env.reset();
		env.actions[0] = 0.8;
		for (let i = 0; i < 100; i++) await env.step();
		expect(env.observations[1]).toBeCloseTo(0.4, 6);
		await env.dispose();
	});

	test('target velocities go into the control', async () => {
		const task = { ...PUSHED, actions: [jointTargetVelocities({ joints: ['turn'], scale: 3 })] };
		const env = await envOf(sliderModel(2), task);
		await env.reset();
		env.actions.set([0.5, -1]);
		await env.step();
		const { worlds } = env;
		expect([0, 1].map((world) => worlds.control.jointTargetQd[worlds.dof('turn', world)])).toEqual([1.5, -3]);
		await env.dispose();
	});

	test('a controller of torques looks at the state in every substep', async () => {
		const task = {
			...PUSHED,
			actions: [jointPd({ joints: ['slide'], scale: 0.1, stiffness: 30, damping: 5, most: 2 })],
		};
		const env = await envOf(sliderModel(1), task);
		await env.reset();
		env.actions[0] = 1;
		await env.step();
		let x = 0;
		let v = 0;
		for (let i = 0; i < 5; i++) {
			v += (0.01 * Math.min(2, Math.max(-2, 30 * (0.1 - x) - 5 * v))) / MASS;
			x += 0.01 * v;
		}
		expect(env.observations[0]).toBeCloseTo(x, 12);
		await env.dispose();
	});
});

describe('episodes', () => {
	test('time cuts them off, and worlds begin again in the same step', async () => {
		const env = await envOf(sliderModel(2), { ...PUSHED, episodeSeconds: 0.15 });
		await env.reset();
		env.actions.fill(1);
		for (let i = 0; i < 2; i++) await env.step();
		expect([...env.truncated]).toEqual([0, 0]);
		const before = env.episodeReturns[0]!;
		await env.step();
		expect([...env.truncated]).toEqual([1, 1]);
		expect([...env.terminated]).toEqual([0, 0]);
		expect(env.finalObservations[2]).toBeCloseTo((4 * 0.15) / MASS, 12);
		expect(env.observations[2]).toBe(0);
		expect(env.finalReturns[0]).toBeCloseTo(before + env.rewards[0]!, 15);
		expect([...env.finalLengths]).toEqual([3, 3]);
		expect(env.episodeReturns[0]).toBe(0);
		expect([...env.worlds.episode]).toEqual([1, 1]);
		await env.step();
		expect([...env.truncated]).toEqual([0, 0]);
		await env.dispose();
	});

	test('a term ends them in its world alone', async () => {
		const env = await envOf(sliderModel(2), {
			...PUSHED,
			terminations: [
				{ name: 'far', isOver: (worlds, world) => worlds.state.jointQ[worlds.coordinate('slide', world)]! > 0.001 },
			],
		});
		await env.reset();
		env.actions.set([1, 0]);
		await env.step();
		expect([...env.terminated]).toEqual([1, 0]);
		expect([...env.worlds.episode]).toEqual([1, 0]);
		expect([...env.worlds.steps]).toEqual([0, 1]);
		await env.dispose();
	});

	test('without automatic resets a world stays where its episode ended', async () => {
		const env = await envOf(sliderModel(1), { ...PUSHED, episodeSeconds: 0.05 }, { autoReset: false });
		await env.reset();
		env.actions[0] = 1;
		await env.step();
		expect(env.truncated[0]).toBe(1);
		expect(env.observations[2]).toBeCloseTo((4 * 0.05) / MASS, 12);
		await env.dispose();
	});

	test('a reset takes the worlds of its mask', async () => {
		const env = await envOf(sliderModel(3), PUSHED);
		await env.reset();
		env.actions.fill(1);
		await env.step();
		const moved = env.observations[0]!;
		await env.reset([0, 1, 0]);
		expect([0, 5, 10].map((i) => env.observations[i])).toEqual([moved, 0, moved]);
		expect([...env.worlds.steps]).toEqual([1, 0, 1]);
		expect([...env.worlds.episode]).toEqual([0, 1, 0]);
		await expect(env.reset([1])).rejects.toThrow(/mask has 1 entries/);
		await env.dispose();
	});
});

describe('what is random', () => {
	const task: EnvTask = {
		...PUSHED,
		randomisation: [randomJoints({ position: [-0.1, 0.1], velocity: [-1, 1] })],
		episodeSeconds: 0.2,
	};

	test('is the same for the same seed, bit for bit, over several episodes', async () => {
		const [first, again, other] = [7, 7, 8].map(async (seed) => rollOut(await envOf(sliderModel(4), task), 12, seed));
		expect(await again).toEqual(await first);
		expect(await other).not.toEqual(await first);
	});

	test('does not depend on other worlds', async () => {
		const model = sliderModel(5);
		const few = await envOf(sliderModel(2), task);
		const many = await envOf(model, task);
		await few.reset(undefined, 3);
		await many.reset(undefined, 3);
		expect([...few.observations]).toEqual([...many.observations.subarray(0, 10)]);
		expect(new Set([0, 5, 10, 15, 20].map((i) => many.observations[i])).size).toBe(5);
		await few.dispose();
		await many.dispose();
	});

	test('differs from episode to episode, and a seed begins anew', async () => {
		const env = await envOf(sliderModel(1), task);
		await env.reset(undefined, 1);
		const first = env.observations[0]!;
		await env.step();
		await env.reset();
		expect(env.observations[0]).not.toBe(first);
		await env.reset(undefined, 1);
		expect(env.observations[0]).toBe(first);
		await env.dispose();
	});
});
