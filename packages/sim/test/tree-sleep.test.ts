import { Contacts, JointTargetMode, ModelFlags } from '@manyworlds/model';
import { describe, expect, it } from 'vitest';
import type { SolverSapOptions } from '../src/index.ts';
import { RestingForces } from '../src/sap/resting-forces.ts';
import { addBall, addBox, boxInertia, makeBuilder, ofMaterial, Runner } from './make-scene.ts';

const MATERIAL = { ke: 1e5, tau: 0.01, mu: 0.5 };
const HALF = [0.1, 0.1, 0.05] as const;
const DT = 0.005;
const SLEEPY: SolverSapOptions = { sleepTime: 0.1, sleepSpeed: 2e-3 };

/** Stacks of two boxes of 1 kg on the ground, a metre apart: bodies 0 and 1, 2 and 3. */
function stacks(options: SolverSapOptions = SLEEPY): Runner {
	const builder = makeBuilder();
	for (const x of [0, 1]) for (let i = 0; i < 2; i++) addBox(builder, HALF, 1, [x, 0, 0.05 + 0.1 * i], MATERIAL);
	builder.addShapePlane(ofMaterial(MATERIAL));
	const runner = new Runner(builder, options);
	runner.model.shapeGap.fill(0.002);
	return runner;
}

/** Stacks that have slept for a while. */
function sleepingStacks(): Runner {
	const runner = stacks();
	runner.step(DT, 200);
	expect(runner.solver.outcome.asleepCount[0]).toBe(4);
	return runner;
}

const asleep = (runner: Runner): number => runner.solver.outcome.asleepCount[0]!;

describe('bodies at rest', () => {
	it('fall asleep only where that is asked for, and stand where they would stand awake', () => {
		const awake = stacks({});
		const runner = sleepingStacks();
		awake.step(DT, 200);
		expect(asleep(awake)).toBe(0);
		expect(runner.solver.engineNote).toBe('bodies may fall asleep');
		for (let i = 0; i < runner.state.bodyQ.length; i++)
			expect(runner.state.bodyQ[i]).toBeCloseTo(awake.state.bodyQ[i]!, 5);
		expect([...runner.state.jointQd, ...runner.state.bodyQd].every((v) => v === 0)).toBe(true);
		const before = runner.state.jointQ.slice();
		runner.step(DT, 50);
		expect(runner.state.jointQ).toEqual(before);
		expect(runner.solver.outcome.dofCount[0]).toBe(0);
	});

	it('keep the forces of their contacts', () => {
		const runner = sleepingStacks();
		// the ground carries four boxes, and two of them one each
		const force = runner.contacts.rigidForce!;
		let down = 0;
		for (let row = 0; row < runner.contacts.rigidCount; row++) down += Math.abs(force[6 * row + 2]!);
		expect(down).toBeCloseTo(6 * 9.81, 0);
		const kept = force.slice(0, 6 * runner.contacts.rigidCount);
		runner.step(DT, 3);
		expect(runner.contacts.rigidForce!.slice(0, kept.length)).toEqual(kept);
	});

	it('sleep only after all that touch have been slow for the time', () => {
		const runner = stacks({ ...SLEEPY, sleepTime: 0.5 });
		runner.step(DT, 90);
		expect(asleep(runner)).toBe(0);
		runner.step(DT, 110);
		expect(asleep(runner)).toBe(4);
	});

	it('wake when something awake touches one of them; others sleep on', () => {
		const builder = makeBuilder();
		for (const x of [0, 1]) for (let i = 0; i < 2; i++) addBox(builder, HALF, 1, [x, 0, 0.05 + 0.1 * i], MATERIAL);
		addBall(builder, 0.05, 0.5, [0, 0, 4], MATERIAL);
		builder.addShapePlane(ofMaterial(MATERIAL));
		const runner = new Runner(builder, SLEEPY);
		runner.model.shapeGap.fill(0.002);
		runner.step(DT, 150);
		expect(asleep(runner)).toBe(4);
		const pose = runner.state.bodyQ.slice(14, 28);
		let least = 4;
		runner.onStep = () => {
			least = Math.min(least, asleep(runner));
		};
		runner.step(DT, 60);
		expect(least).toBe(2);
		expect(runner.state.bodyQ.slice(14, 28)).toEqual(pose);
		runner.step(DT, 600);
		expect(asleep(runner)).toBeGreaterThanOrEqual(4);
	});

	it.each<[string, (runner: Runner) => void, number]>([
		['a force on a body', ({ state }) => void (state.bodyF[6 + 2] = 3), 2],
		['a force on a joint', ({ control }) => void (control.jointF[6 + 2] = 3), 2],
		['a velocity', ({ state }) => void (state.jointQd[6 + 2] = 0.5), 2],
		['other coordinates', ({ state }) => void (state.jointQ[7 + 2]! += 0.01), 2],
		['other gravity', ({ model }) => void (model.gravity[0] = 1), 0],
		['an edit of the model', ({ solver }) => solver.notifyModelChanged(ModelFlags.SHAPE_PROPERTIES), 0],
		['a reset', ({ solver, state }) => solver.reset(state), 0],
	])('wake for %s', (_, act, left) => {
		const runner = sleepingStacks();
		act(runner);
		runner.place();
		runner.step(DT);
		expect(asleep(runner)).toBe(left);
	});

	it('fall when what they stood on is taken away', () => {
		const runner = sleepingStacks();
		// the lower box of the first stack, far away
		runner.state.jointQ[0] = 10;
		runner.place();
		runner.step(DT, 100);
		expect(runner.state.bodyQ[7 + 2]).toBeCloseTo(0.05, 3);
		expect(runner.state.bodyQ[14 + 2]).toBeCloseTo(0.05, 3);
	});

	it('stay awake on a moving body whose motion is given, sleep on one that stands, and fall when it is put elsewhere', () => {
		const builder = makeBuilder();
		const belt = builder.addBody({ mass: 1, inertia: boxInertia(1, 1, 1, 1), isKinematic: true, lockInertia: true });
		builder.addShapeBox(belt, { halfExtents: [5, 1, 0.5], ...ofMaterial(MATERIAL) });
		addBox(builder, HALF, 1, [0, 0, 0.55], MATERIAL);
		const runner = new Runner(builder, { ...SLEEPY, sleepSpeed: 0.5 });
		runner.model.shapeGap.fill(0.002);
		runner.state.jointQd[0] = 0.3;
		runner.step(DT, 200);
		expect(asleep(runner)).toBe(0);
		expect(runner.state.bodyQ[7]).toBeGreaterThan(0.25);
		runner.state.jointQd[0] = 0;
		runner.step(DT, 200);
		expect(asleep(runner)).toBe(1);
		runner.state.jointQ[1] = 20;
		runner.place();
		runner.step(DT, 100);
		expect(runner.state.bodyQ[7 + 2]).toBeLessThan(0);
	});

	it('are never robots with drives', () => {
		const builder = makeBuilder();
		const arm = builder.addLink({ mass: 1, inertia: boxInertia(1, 0.1, 0.1, 0.1), lockInertia: true });
		const free = builder.addLink({ mass: 1, inertia: boxInertia(1, 0.1, 0.1, 0.1), lockInertia: true });
		builder.addArticulation([builder.addJointRevolute({ child: arm, axis: 'z', targetKe: 100, targetKd: 10 })]);
		builder.addArticulation([builder.addJointRevolute({ child: free, axis: 'z' })]);
		const runner = new Runner(builder, SLEEPY);
		runner.step(DT, 100);
		expect(asleep(runner)).toBe(1);
		runner.control.jointTargetQ[0] = 0.5;
		runner.step(DT, 400);
		expect(runner.state.jointQ[0]).toBeCloseTo(0.5, 2);
	});

	it('do not sleep once they are given a drive', () => {
		const builder = makeBuilder();
		const arm = builder.addLink({ mass: 1, inertia: boxInertia(1, 0.1, 0.1, 0.1), lockInertia: true });
		builder.addArticulation([builder.addJointRevolute({ child: arm, axis: 'z' })]);
		const runner = new Runner(builder, SLEEPY);
		runner.step(DT, 100);
		expect(asleep(runner)).toBe(1);
		runner.model.jointTargetMode[0] = JointTargetMode.POSITION;
		runner.model.jointTargetKe[0] = 100;
		runner.model.jointTargetKd[0] = 10;
		runner.solver.notifyModelChanged(ModelFlags.JOINT_DOF_PROPERTIES);
		runner.step(DT, 100);
		expect(asleep(runner)).toBe(0);
	});

	it('do the same alone and among other worlds', () => {
		const run = (pushes: readonly number[]): Float64Array[] => {
			const stack = makeBuilder();
			for (let i = 0; i < 3; i++) addBox(stack, HALF, 1, [0.02 * i, 0, 0.05 + 0.1 * i], MATERIAL);
			stack.addShapePlane(ofMaterial(MATERIAL));
			const builder = makeBuilder();
			builder.replicate(stack, { count: pushes.length });
			const runner = new Runner(builder, SLEEPY);
			runner.model.shapeGap.fill(0.002);
			runner.step(DT, 150);
			for (const [world, push] of pushes.entries()) runner.state.jointQd[18 * world + 12] = push;
			runner.step(DT, 100);
			return pushes.map((_, world) => runner.state.jointQ.slice(21 * world, 21 * world + 21));
		};
		const together = run([0, 0.4, 1]);
		for (const [world, push] of [0, 0.4, 1].entries()) expect(together[world]).toEqual(run([push])[0]);
	});
});

describe('forces of resting contacts', () => {
	/** Contacts of pairs of shapes; the force of row r is 100 r + 1 … 100 r + 6. */
	function contactsOf(pairs: readonly (readonly [number, number])[]): Contacts {
		const contacts = new Contacts(makeBuilder().finalize(), { rigidCapacity: pairs.length, withForce: true });
		for (const [row, [a, b]] of pairs.entries()) {
			contacts.rigidShape0[row] = a;
			contacts.rigidShape1[row] = b;
			contacts.rigidForce!.set(
				[1, 2, 3, 4, 5, 6].map((k) => 100 * row + k),
				6 * row,
			);
		}
		return contacts;
	}
	/** Writes rows whose forces are -1 before, and gives the row that each got its force from, -1 for none. */
	function written(forces: RestingForces, pairs: readonly (readonly [number, number])[]): number[] {
		const contacts = contactsOf(pairs);
		contacts.rigidForce!.fill(-1);
		return pairs.map((_, row) => {
			const before = contacts.rigidForce!.slice();
			forces.write(contacts, row);
			const own = [...contacts.rigidForce!.subarray(6 * row, 6 * row + 6)];
			before.set(own, 6 * row);
			expect(contacts.rigidForce).toEqual(before);
			if (own[0] === -1) {
				expect(own).toEqual([-1, -1, -1, -1, -1, -1]);
				return -1;
			}
			expect(own.map((value) => value - own[0]!)).toEqual([0, 1, 2, 3, 4, 5]);
			return (own[0]! - 1) / 100;
		});
	}
	const kept = (forces: RestingForces, pairs: readonly (readonly [number, number])[]): RestingForces => {
		const contacts = contactsOf(pairs);
		for (const row of pairs.keys()) forces.keep(contacts, row);
		return forces;
	};

	it('come back by both shapes, in any order, and others have none', () => {
		const pairs = [
			[1, 2],
			[1, 3],
			[2, 3],
			[3, 1],
		] as const;
		const forces = kept(new RestingForces(), pairs);
		expect(written(forces, pairs)).toEqual([0, 1, 2, 3]);
		expect(written(forces, [...pairs].reverse())).toEqual([3, 2, 1, 0]);
		expect(
			written(forces, [
				[2, 1],
				[1, 1],
				[3, 3],
				[3, 2],
				[2, 3],
			]),
		).toEqual([-1, -1, -1, -1, 2]);
		expect(written(new RestingForces(), [[0, 0]])).toEqual([-1]);
	});

	it('of two shapes that touch in several points come back in turn, from the first one in every step', () => {
		const again = [
			[1, 2],
			[1, 2],
			[1, 2],
		] as const;
		const forces = kept(new RestingForces(), again);
		expect(written(forces, [...again, ...again])).toEqual([0, 1, 2, 0, 1, 2]);
		expect(written(forces, [[1, 2]])).toEqual([0]);
		expect(written(forces, [[1, 2]])).toEqual([1]);
		forces.begin();
		expect(written(forces, again)).toEqual([0, 1, 2]);
		// the last one left: what follows begins anew
		forces.clear();
		kept(forces, [
			[4, 5],
			[1, 2],
			[1, 2],
		]);
		forces.begin();
		expect(
			written(forces, [
				[1, 2],
				[4, 5],
				[1, 2],
			]),
		).toEqual([1, 0, 1]);
	});

	it('are forgotten when they are cleared', () => {
		const forces = kept(new RestingForces(), [
			[1, 2],
			[3, 4],
			[5, 6],
		]);
		forces.clear();
		expect(written(forces, [[1, 2]])).toEqual([-1]);
		kept(forces, [
			[1, 2],
			[7, 8],
		]);
		forces.begin();
		expect(
			written(forces, [
				[1, 2],
				[5, 6],
				[3, 4],
				[7, 8],
				[7, 8],
			]),
		).toEqual([0, -1, -1, 1, 1]);
	});

	it('are as many as there are', () => {
		const pairs = Array.from({ length: 150 }, (_, i) => [i % 7, i] as const);
		expect(written(kept(new RestingForces(), pairs), pairs)).toEqual(pairs.map((_, i) => i));
	});
});
