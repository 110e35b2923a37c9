import { type Model, ModelBuilder } from '@manyworlds/model';
import { describe, expect, test } from 'vitest';
import {
	type ActionTerm,
	bodyPosition,
	bodyRotation,
	bodyVelocity,
	contactForces,
	type EnvTask,
	gravityDirection,
	imuReadings,
	jointEfforts,
	jointPositions,
	jointVelocities,
	noisy,
	type ObservationTerm,
	pushes,
	randomBase,
	randomFriction,
	randomGains,
	randomJoints,
	randomMasses,
	rayDistances,
	type VectorEnv,
} from '../src/index.ts';
import { envOf, MASS, sliderModel } from './slider-env.ts';

const NO_REWARDS = { rewards: [] } as const;
/** An action that does nothing. */
const IDLE: ActionTerm = { bind: () => ({ fields: [{ name: 'nothing', unit: '1' }], apply: () => {} }) };

/** A box of 8 kg on the ground, or falling, in each world. */
function boxModel(worlds: number, height: number): Model {
	const robot = new ModelBuilder({ contactDefaults: 'firm' });
	const body = robot.addBody({ label: 'box', xform: { p: [0, 0, height] } });
	robot.addShapeBox(body, { halfExtents: [0.1, 0.1, 0.1] });
	const all = new ModelBuilder({ contactDefaults: 'firm' });
	all.replicate(robot, { count: worlds, spacing: [0, 0, 0] });
	all.addGroundPlane();
	return all.finalize();
}

async function observe(model: Model, terms: readonly ObservationTerm[], steps: number): Promise<VectorEnv> {
	const env = await envOf(model, { observations: terms, actions: [IDLE], ...NO_REWARDS }, { dt: 0.005 });
	await env.reset();
	for (let i = 0; i < steps; i++) await env.step();
	return env;
}

describe('observations of bodies', () => {
	test('are in the world, or in the frame of another body', async () => {
		const model = boxModel(2, 1);
		const terms = [
			bodyPosition('box'),
			bodyRotation('box'),
			bodyVelocity('box'),
			gravityDirection('box'),
			bodyPosition('box', { from: 'box' }),
			bodyRotation('box', { from: 'box' }),
		];
		const env = await envOf(
			model,
			{
				observations: terms,
				actions: [IDLE],
				...NO_REWARDS,
				randomisation: [
					randomBase({
						yaw: [0.5, 0.5],
						velocity: [
							[1, 1],
							[0, 0],
							[0, 0],
						],
					}),
				],
			},
			{ dt: 0.005 },
		);
		await env.reset();
		const half = [0, 0, Math.sin(0.25), Math.cos(0.25)];
		const seen = [...env.observations.subarray(23, 46)];
		const expected = [
			...[0, 0, 1],
			...half,
			// 1 m/s along x of the world, seen from a body that is turned by half a radian
			...[Math.cos(0.5), -Math.sin(0.5), 0, 0, 0, 0],
			...[0, 0, -1],
			...[0, 0, 0],
			...[0, 0, 0, 1],
		];
		expect(seen.length).toBe(expected.length);
		for (const [i, value] of expected.entries()) expect(seen[i], `number ${i}`).toBeCloseTo(value, 12);
		await env.dispose();
	});
});

describe('sensors', () => {
	test('a box at rest presses with its weight, an IMU on it feels what holds it up', async () => {
		const env = await observe(boxModel(2, 0.1), [contactForces(['box']), imuReadings('box')], 40);
		for (let world = 0; world < 2; world++) {
			const [force, ...imu] = env.observations.subarray(7 * world, 7 * world + 7);
			expect(force).toBeCloseTo(8 * 9.81, 2);
			for (const [i, value] of [0, 0, 0, 0, 0, 9.81].entries()) expect(imu[i]).toBeCloseTo(value, 3);
		}
		await env.dispose();
	});

	test('an IMU that falls feels nothing', async () => {
		const env = await observe(boxModel(1, 50), [imuReadings('box')], 3);
		for (const value of env.observations) expect(value).toBeCloseTo(0, 9);
		await env.dispose();
	});

	test('rays meet the ground, not the body that carries them', async () => {
		const down = { origin: [0, 0, -0.05], direction: [0, 0, -2] } as const;
		const slanted = { origin: [0, 0, 0], direction: [1, 0, -1] } as const;
		const up = { origin: [0, 0, 0], direction: [0, 0, 1] } as const;
		const env = await observe(boxModel(1, 1), [rayDistances('box', [down, slanted, up], { most: 4 })], 0);
		expect([...env.observations].map((value) => Number(value.toFixed(9)))).toEqual([
			0.95,
			Number(Math.SQRT2.toFixed(9)),
			4,
		]);
		expect(env.observationFields[2]).toEqual({ name: 'ray 2 of box', unit: 'm', lower: 0, upper: 4 });
		await env.dispose();
	});

	test('noise has its deviation, other numbers in every step and world, and is seeded', async () => {
		const task: EnvTask = { observations: [noisy(jointPositions(), 0.1)], actions: [IDLE], ...NO_REWARDS };
		const env = await envOf(sliderModel(40), task);
		const draw = async (): Promise<number[]> => {
			const seen: number[] = [];
			await env.reset(undefined, 5);
			for (let i = 0; i < 25; i++) {
				seen.push(...env.observations);
				await env.step();
			}
			return seen;
		};
		const seen = await draw();
		expect(new Set(seen).size).toBe(seen.length);
		const mean = seen.reduce((sum, x) => sum + x, 0) / seen.length;
		const variance = seen.reduce((sum, x) => sum + (x - mean) ** 2, 0) / seen.length;
		// 2000 numbers: four deviations of the estimates
		expect(Math.abs(mean)).toBeLessThan((4 * 0.1) / Math.sqrt(2000));
		expect(Math.abs(Math.sqrt(variance) - 0.1)).toBeLessThan((4 * 0.1) / Math.sqrt(4000));
		expect(await draw()).toEqual(seen);
		await env.dispose();
	});
});

describe('randomisation', () => {
	const task = (randomisation: EnvTask['randomisation']): EnvTask => ({
		observations: [jointPositions(), jointVelocities()],
		actions: [jointEfforts({ joints: ['slide'] })],
		rewards: [],
		...(randomisation !== undefined && { randomisation }),
	});

	test('masses act, inertias go with them, and both are drawn from the first masses', async () => {
		const model = sliderModel(8);
		const env = await envOf(model, task([randomMasses({ factor: [0.5, 2] })]));
		const first = model.bodyInertia[0]! / model.bodyMass[0]!;
		for (let round = 0; round < 4; round++) {
			await env.reset(undefined, round);
			env.actions.fill(1);
			await env.step();
			const masses = Array.from({ length: 8 }, (_, world) => model.bodyMass[env.worlds.body('slider', world)]!);
			expect(new Set(masses).size).toBe(8);
			for (const [world, mass] of masses.entries()) {
				expect(mass).toBeGreaterThanOrEqual(0.5 * MASS);
				expect(mass).toBeLessThanOrEqual(2 * MASS);
				const body = env.worlds.body('slider', world);
				expect(model.bodyInertia[9 * body]! / mass).toBeCloseTo(first, 12);
				expect(env.observations[4 * world + 2]).toBeCloseTo(0.05 / mass, 12);
			}
		}
		await env.dispose();
	});

	test('gains and friction of a world are its own, those of the ground stay', async () => {
		const model = boxModel(3, 1);
		const mu = model.shapeMaterialMu[3]!;
		const env = await envOf(model, {
			observations: [bodyPosition('box')],
			actions: [IDLE],
			rewards: [],
			randomisation: [randomFriction({ mu: [0.2, 0.4] })],
		});
		await env.reset(undefined, 2);
		const own = [...model.shapeMaterialMu];
		expect(own[3]).toBe(mu);
		expect(new Set(own.slice(0, 3)).size).toBe(3);
		for (const value of own.slice(0, 3)) expect(value >= 0.2 && value <= 0.4).toBe(true);
		await env.dispose();

		const slider = sliderModel(2);
		const driven = await envOf(slider, task([randomGains({ joints: ['turn'], factor: [2, 3] })]));
		await driven.reset();
		for (let world = 0; world < 2; world++) {
			const dof = driven.worlds.dof('turn', world);
			expect(slider.jointTargetKe[dof]! / slider.jointTargetKd[dof]!).toBeCloseTo(5, 12);
			expect(slider.jointTargetKe[dof]! >= 200 && slider.jointTargetKe[dof]! <= 300).toBe(true);
		}
		await driven.dispose();
	});

	test('joints start beside their place and within their limits, bodies follow', async () => {
		const env = await envOf(
			sliderModel(6),
			task([randomJoints({ joints: ['slide'], position: [49, 51], velocity: [2, 2] })]),
		);
		await env.reset();
		const places = Array.from({ length: 6 }, (_, world) => env.observations[4 * world]!);
		expect(Math.max(...places)).toBe(50);
		expect(Math.min(...places)).toBeGreaterThanOrEqual(49);
		for (const [world, place] of places.entries()) {
			expect(env.worlds.state.bodyQ[7 * env.worlds.body('slider', world)]).toBeCloseTo(place, 12);
			expect(env.observations[4 * world + 2]).toBe(2);
		}
		await env.dispose();
	});

	test('pushes come at their times, and end', async () => {
		const push = pushes({
			body: 'slider',
			force: [
				[3, 3],
				[0, 0],
				[0, 0],
			],
			every: 0.2,
			duration: 0.1,
		});
		const env = await envOf(sliderModel(1), task([push]));
		await env.reset();
		const speeds: number[] = [];
		for (let i = 0; i < 10; i++) {
			await env.step();
			speeds.push(env.observations[2]!);
		}
		// actions last 0.05 s: pushed in the fifth and sixth, and in the ninth and tenth
		const gained = [0, 0, 0, 0, 1, 2, 2, 2, 3, 4].map((count) => (count * 3 * 0.05) / MASS);
		for (const [i, speed] of gained.entries()) expect(speeds[i]).toBeCloseTo(speed, 12);
		expect(() =>
			pushes({
				body: 'slider',
				force: [
					[0, 0],
					[0, 0],
					[0, 0],
				],
				every: 1,
				duration: 2,
			}),
		).toThrow(/pushes of 2 s every 1 s/);
		await env.dispose();
	});

	test('spans that make no sense are refused', async () => {
		expect(() => randomMasses({ factor: [2, 1] })).toThrow(/factor is 2 to 1/);
		expect(() => randomFriction({ mu: [-1, 1] })).toThrow(/mu is -1 to 1/);
		await expect(envOf(sliderModel(1), task([randomBase({ yaw: [0, 1] })]))).rejects.toThrow(/nothing floats/);
	});
});
