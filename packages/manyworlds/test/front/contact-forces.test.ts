import { ModelBuilder } from '@manyworlds/model';
import { NodeWorkerHost } from 'manyworlds/internal';
import { describe, expect, test } from 'vitest';
import { Simulation, type SimulationOptions } from '../../src/index.ts';
import { bundledModule } from '../bundle-sources.ts';

const MASS = 3;
const WEIGHT = MASS * 9.81;

/** Boxes of 3 kg that rest on the ground, one in each world. */
async function restingBoxes(options: SimulationOptions, worlds = 3): Promise<Simulation> {
	const one = new ModelBuilder({ gravity: [0, 0, -9.81] });
	const body = one.addBody({ mass: MASS, inertia: diagonal(0.02), xform: { p: [0.4, -0.2, 0.1] }, lockInertia: true });
	one.addShapeBox(body, { halfExtents: [0.1, 0.1, 0.1], config: { ke: 1e5, kd: 2000 } });
	const all = new ModelBuilder({ gravity: [0, 0, -9.81] });
	all.replicate(one, { count: worlds, spacing: [0, 0, 0] });
	all.addGroundPlane({ config: { ke: 1e5, kd: 2000 } });
	return Simulation.create(all.finalize(), options);
}

function diagonal(i: number): number[] {
	return [i, 0, 0, 0, i, 0, 0, 0, i];
}

/** Force that the ground bears in a world [N], whichever shape of a contact it is. */
function onBox({ contactForces, model }: Simulation, world: number): [number, number, number] {
	const { perWorld, count, shape0, force, point } = contactForces!;
	const sum: [number, number, number] = [0, 0, 0];
	for (let row = world * perWorld; row < world * perWorld + count[world]!; row++) {
		const sign = model.shapeBody[shape0[row]!] === -1 ? 1 : -1;
		for (let k = 0; k < 3; k++) sum[k]! += sign * force[3 * row + k]!;
		expect(Math.abs(point[3 * row + 2]!)).toBeLessThan(0.01);
		expect(Math.abs(Math.abs(point[3 * row]! - 0.4) - 0.1)).toBeLessThan(0.01);
	}
	return sum;
}

describe.each(['sap', 'mujoco'] as const)('forces of contacts with %s', (solver) => {
	test('bear the weight of a box at rest, in every world', async () => {
		const simulation = await restingBoxes({ solver, contactsKept: 8 });
		expect(simulation.engine).toBe(solver === 'sap' ? 'wasm' : undefined);
		await simulation.step(500);
		for (let world = 0; world < 3; world++) {
			expect(simulation.contactForces!.count[world]).toBe(4);
			const [x, y, z] = onBox(simulation, world);
			expect(Math.abs(x)).toBeLessThan(0.01);
			expect(Math.abs(y)).toBeLessThan(0.01);
			expect(Math.abs(z - WEIGHT)).toBeLessThan(0.01 * WEIGHT);
		}
		await simulation.dispose();
	});

	test('tell what had no room, and are forgotten by a reset', async () => {
		const simulation = await restingBoxes({ solver, contactsKept: 3 }, 1);
		await simulation.step(500);
		expect([...simulation.contactForces!.count, ...simulation.contactForces!.dropped]).toEqual([3, 1]);
		await simulation.reset();
		expect([...simulation.contactForces!.count, ...simulation.contactForces!.dropped]).toEqual([0, 0]);
		await simulation.dispose();
	});

	test('do not change the motion, and are not there unless asked for', async () => {
		const [with_, without] = [await restingBoxes({ solver, contactsKept: 8 }), await restingBoxes({ solver })];
		for (const simulation of [with_, without]) for (let i = 0; i < 30; i++) await simulation.step();
		expect(with_.jointPositions).toEqual(without.jointPositions);
		expect(without.contactForces).toBeUndefined();
		await with_.dispose();
		await without.dispose();
	});
});

test('forces of contacts are the same with threads', async () => {
	const host = new NodeWorkerHost(bundledModule('world-worker'));
	const [one, two] = [
		await restingBoxes({ contactsKept: 8 }),
		await restingBoxes({ contactsKept: 8, threads: 2, host }),
	];
	for (const simulation of [one, two]) await simulation.step(40);
	expect([...two.contactForces!.count]).toEqual([4, 4, 4]);
	expect(two.contactForces!.force).toEqual(one.contactForces!.force);
	await one.dispose();
	await two.dispose();
});

test('a number of contacts that is none is refused', async () => {
	await expect(restingBoxes({ contactsKept: -1 })).rejects.toThrow('contactsKept is -1');
});
