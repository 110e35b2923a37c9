import { join } from 'node:path';
import { hashState, ModelBuilder } from '@manyworlds/model';
import { openAsset, Simulation } from 'manyworlds';
import { describe, expect, it } from 'vitest';
import { runCli } from '../run-cli.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const CRANE = join(ROOT, 'examples/robots/crane/crane.xml');

async function crane(options: Parameters<typeof Simulation.create>[1] = {}): Promise<Simulation> {
	return Simulation.create(await openAsset(CRANE), options);
}

describe('Simulation', () => {
	it('moves joints to their targets, each world to its own', async () => {
		const simulation = await crane({ worlds: 3 });
		simulation.setTargets({ shoulder: 0.3 });
		simulation.setTargets({ shoulder: -0.3 }, 1);
		await simulation.setGains({ shoulder: { stiffness: 400, damping: 40 } });
		await simulation.step(1500);
		const { jointQStart, jointWorldStart } = simulation.model;
		const angles = [0, 1, 2].map((world) => simulation.jointPositions[jointQStart[jointWorldStart[world]!]!]!);
		expect(angles[0]).toBeCloseTo(0.3, 1);
		expect(angles[1]).toBeCloseTo(-0.3, 1);
		expect(angles[2]).toBe(angles[0]);
		expect(simulation.time).toBeCloseTo(3, 9);
		await simulation.dispose();
	});

	it('gives poses by name and goes back to its start', async () => {
		const simulation = await crane({ worlds: 2, ground: false });
		const before = simulation.bodyPoses.slice();
		expect([...simulation.bodyPose('lower', 1)]).toEqual([...before.subarray(7 * 3, 7 * 4)]);
		expect(simulation.bodyNames.map((name) => name.split('/').at(-1))).toEqual(['upper', 'lower']);
		await simulation.step(50);
		expect([...simulation.bodyPoses]).not.toEqual([...before]);
		await simulation.reset([0, 1]);
		expect([...simulation.bodyPoses.subarray(14)]).toEqual([...before.subarray(14)]);
		expect([...simulation.bodyPoses.subarray(0, 14)]).not.toEqual([...before.subarray(0, 14)]);
		await simulation.reset();
		expect([...simulation.bodyPoses]).toEqual([...before]);
		await simulation.dispose();
	});

	it('comes to the bits of the command, on one thread or two', async () => {
		const { stdout } = await runCli(['run', CRANE, '--worlds', '4', '--frames', '40', '--json']);
		for (const threads of [1, 2]) {
			const simulation = await crane({ worlds: 4, threads });
			await simulation.step(40);
			expect(hashState(simulation.state)).toBe(JSON.parse(stdout).runs[0].stateHash);
			await simulation.dispose();
		}
	});

	it('tells where bodies touch', async () => {
		const builder = new ModelBuilder();
		const body = builder.addBody({ xform: { p: [0, 0, 0.099] }, mass: 1, label: 'ball' });
		builder.addShapeSphere(body, { radius: 0.1 });
		builder.addGroundPlane();
		const simulation = await Simulation.create(builder.finalize());
		const contacts = simulation.contacts();
		expect(contacts.rigidCount).toBe(1);
		expect(Math.abs(contacts.rigidNormal[2]!)).toBeCloseTo(1, 12);
		await simulation.dispose();
	});

	it('names what it knows when a name is wrong', async () => {
		const simulation = await crane();
		expect(() => simulation.setTargets({ knee: 1 })).toThrow(/unknown joint 'knee', expected one of .*shoulder/);
		expect(() => simulation.setTargets({ shoulder: [1, 2] })).toThrow("target of 'shoulder' has 2 numbers, expected 1");
		expect(() => simulation.bodyPose('upper', 5)).toThrow('world 5 of 1');
		await simulation.dispose();
	});
});
