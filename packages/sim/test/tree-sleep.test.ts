import {
	Contacts,
	type Control,
	JointTargetMode,
	type Model,
	type ModelBuilder,
	ModelFlags,
	type State,
} from '@manyworlds/model';
import { WorldFault } from '@manyworlds/worlds';
import { describe, expect, it } from 'vitest';
import { TreeStructure } from '../src/dynamics/tree-structure.ts';
import type { SolverSapOptions } from '../src/index.ts';
import { DofDrives } from '../src/sap/dof-drives.ts';
import type { LinearActuators } from '../src/sap/linear-actuators.ts';
import type { Loop } from '../src/sap/loops.ts';
import { RestingForces } from '../src/sap/resting-forces.ts';
import { TreeSleep } from '../src/sap/tree-sleep.ts';
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

	it('do not fall asleep under a force that is too much for numbers, which is told in every step', () => {
		const builder = makeBuilder([0, 0, 0]);
		addBall(builder, 0.1, 1, [0, 0, 0], MATERIAL);
		const runner = new Runner(builder, { sleepTime: 3.5 * DT, sleepSpeed: 1 });
		runner.step(DT, 3);
		runner.state.bodyF[0] = 1e200;
		runner.next.bodyF[0] = 1e200;
		for (let i = 0; i < 6; i++) {
			runner.step(DT);
			expect([runner.solver.outcome.fault[0], asleep(runner)]).toEqual([WorldFault.DIVERGED, 0]);
		}
		runner.state.bodyF[0] = 0;
		runner.next.bodyF[0] = 0;
		runner.step(DT, 3);
		expect([runner.solver.outcome.fault[0], asleep(runner)]).toEqual([WorldFault.NONE, 0]);
		runner.step(DT);
		expect(asleep(runner)).toBe(1);
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

type Pairs = readonly (readonly [number, number])[];

/** What decides who sleeps, without the steps between: states and contacts are what a test sets. */
class Watch {
	readonly model: Model;
	readonly structure: TreeStructure;
	readonly state: State;
	readonly control: Control;
	readonly gravity: Float64Array = Float64Array.of(0, 0, -9.81);
	readonly sleep: TreeSleep;
	contacts: Contacts | undefined;

	constructor(builder: ModelBuilder, { actuators = {}, loops = [] }: { actuators?: object; loops?: object[] } = {}) {
		this.model = builder.finalize({ keepInertia: true });
		this.structure = new TreeStructure(this.model);
		this.state = this.model.createState();
		this.control = this.model.createControl();
		this.contacts = new Contacts(this.model, { rigidCapacity: 16, withForce: true });
		this.sleep = new TreeSleep(
			this.structure,
			new DofDrives(this.model),
			{ linear: [], passive: [], sites: [], ...actuators } as unknown as LinearActuators,
			loops as unknown as Loop[],
			{ sleepTime: 0.5, sleepSpeed: 0.125 },
		);
	}

	/** Steps a group in which these shapes touch; gives the trees that sleep then. */
	step(pairs: Pairs = [], { group = 0, dt = 0.25, between = (): void => {} } = {}): number[] {
		const { contacts, state, control, sleep } = this;
		for (const [row, [a, b]] of pairs.entries()) {
			contacts!.rigidShape0[row] = a;
			contacts!.rigidShape1[row] = b;
		}
		const rows = Int32Array.from(pairs.keys());
		sleep.wake(group, state, control, this.gravity, contacts, rows, 0, rows.length);
		between();
		sleep.settle(group, state, control, state, contacts, rows, 0, rows.length, dt);
		return this.asleep();
	}

	asleep(): number[] {
		return [...this.sleep.isAsleep].flatMap((value, tree) => (value === 1 ? [tree] : []));
	}
}

/** Free balls, body, shape and tree of the same number; those named have a given motion. */
function balls(count: number, given: readonly number[] = []): ModelBuilder {
	const builder = makeBuilder();
	for (let i = 0; i < count; i++) {
		if (given.includes(i)) {
			const body = builder.addBody({ mass: 1, inertia: boxInertia(1, 1, 1, 1), isKinematic: true, lockInertia: true });
			builder.addShapeSphere(body, { radius: 0.1, ...ofMaterial(MATERIAL) });
		} else addBall(builder, 0.1, 1, [i, 0, 0], MATERIAL);
	}
	return builder;
}

/** Balls that all sleep, each for itself. */
function sleepers(count: number, given: readonly number[] = []): Watch {
	const watch = new Watch(balls(count, given));
	watch.step();
	watch.step();
	expect(watch.asleep()).toEqual(Array.from({ length: count }, (_, i) => i).filter((i) => !given.includes(i)));
	return watch;
}

describe('who sleeps', () => {
	it('are those that were below the speed for the time, in every degree of freedom', () => {
		for (let dof = 0; dof < 6; dof++) {
			for (const [speed, sleeps] of [
				[0.125, false],
				[-0.125, false],
				[0.1249, true],
				[-0.1249, true],
				[Number.NaN, false],
			] as const) {
				const watch = new Watch(balls(3));
				watch.state.jointQd[6 + dof] = speed;
				watch.state.bodyQd.fill(3);
				expect(watch.step()).toEqual([]);
				expect(watch.step()).toEqual(sleeps ? [0, 1, 2] : [0, 2]);
				expect(watch.state.jointQd[6 + dof]).toBe(sleeps ? 0 : speed);
				const still = new Array(6).fill(0);
				expect([...watch.state.bodyQd]).toEqual([...still, ...(sleeps ? still : new Array(6).fill(3)), ...still]);
				expect(watch.sleep.count(0)).toBe(sleeps ? 3 : 2);
			}
		}
	});

	it('have to be slow without a break, and just as long after they woke', () => {
		const watch = new Watch(balls(1));
		watch.step();
		watch.state.jointQd[0] = 1;
		watch.step();
		watch.state.jointQd[0] = 0;
		expect([watch.step(), watch.step()]).toEqual([[], [0]]);
		// the step in which it wakes counts
		watch.control.jointF[0] = 1;
		expect([watch.step(), watch.step()]).toEqual([[], [0]]);
		watch.gravity[1] = 2;
		expect([watch.step(), watch.step()]).toEqual([[], [0]]);
		watch.sleep.wakeAll(0);
		expect([watch.asleep(), watch.step([], { dt: 0.375 }), watch.step([], { dt: 0.125 })]).toEqual([[], [], [0]]);
	});

	it('wake for every number that is not the one they fell asleep with, and no one else does', () => {
		const parts: [(watch: Watch) => Float64Array, number][] = [
			[({ state }) => state.jointQ, 7],
			[({ state }) => state.jointQd, 6],
			[({ state }) => state.bodyF, 6],
			[({ control }) => control.jointF, 6],
			[({ control }) => control.jointAct, 6],
		];
		for (const [of, width] of parts) {
			for (let i = 0; i < 3 * width; i++) {
				const watch = sleepers(3);
				of(watch)[i]! += 1e-9;
				const woken = Math.floor(i / width);
				expect(watch.step()).toEqual([0, 1, 2].filter((tree) => tree !== woken));
			}
		}
	});

	it('sleep on under the forces with which they fell asleep', () => {
		const watch = new Watch(balls(3));
		const forces = [watch.state.bodyF, watch.control.jointF, watch.control.jointAct];
		for (const values of forces) for (let i = 0; i < values.length; i++) values[i] = i + 1;
		watch.step();
		for (let i = 0; i < 3; i++) expect(watch.step()).toEqual([0, 1, 2]);
		for (const values of forces) {
			values[11] = 0;
			expect(watch.step()).toEqual([0, 2]);
			expect(watch.step()).toEqual([0, 1, 2]);
			expect(watch.step()).toEqual([0, 1, 2]);
		}
	});

	it('wake for gravity along any axis, in its own group alone', () => {
		const one = balls(2);
		const builder = makeBuilder();
		addBall(builder, 0.1, 1, [0, 0, 0], MATERIAL);
		builder.replicate(one, { count: 2 });
		const watch = new Watch(builder);
		const all = (): number[] => [0, 1, 2].map((group) => watch.step([], { group }).length);
		expect([all(), all()]).toEqual([
			[0, 0, 0],
			[2, 4, 5],
		]);
		const counts = (): number[] => [0, 1, 2].map((group) => watch.sleep.count(group));
		for (let k = 0; k < 3; k++) {
			for (const group of [0, 1, 2]) {
				const before = watch.gravity.slice();
				watch.gravity[k] = 5;
				watch.step([], { group });
				expect(counts()).toEqual([2, 2, 1].map((count, i) => (i === group ? 0 : count)));
				watch.gravity.set(before);
				watch.step([], { group });
				watch.step([], { group });
				expect(counts()).toEqual([2, 2, 1]);
			}
		}
		// what happens to one world is seen in its own step
		watch.control.jointF.fill(1);
		watch.step([], { group: 0 });
		expect(counts()).toEqual([0, 2, 1]);
		watch.step([], { group: 1 });
		expect(counts()).toEqual([0, 0, 1]);
		watch.step([], { group: 0 });
		expect(counts()).toEqual([2, 0, 1]);
		watch.sleep.wakeAll(0);
		expect(counts()).toEqual([0, 0, 1]);
	});

	it('are of a chain of bodies that touch all or none, and all wake with one', () => {
		for (const pairs of [
			[
				[0, 1],
				[1, 2],
				[3, 4],
			],
			[
				[2, 1],
				[1, 0],
				[4, 3],
			],
			[
				[0, 2],
				[1, 2],
				[3, 4],
				[0, 1],
			],
		] as const) {
			const watch = new Watch(balls(5));
			watch.state.jointQd[12] = 1;
			watch.step(pairs);
			expect(watch.step(pairs)).toEqual([3, 4]);
			watch.state.jointQd[12] = 0;
			expect([watch.step(pairs), watch.step(pairs)]).toEqual([
				[3, 4],
				[0, 1, 2, 3, 4],
			]);
			// they woke together though they touch no more
			watch.control.jointF[6] = 1;
			expect(watch.step()).toEqual([3, 4]);
		}
	});

	it('wake for what is awake and touches one of them, be it slow or fast', () => {
		for (const pair of [
			[1, 2],
			[2, 1],
		] as const) {
			const watch = new Watch(balls(4));
			const stack = [[0, 1]] as const;
			watch.state.jointQd[12] = 1;
			watch.step(stack);
			expect(watch.step(stack)).toEqual([0, 1, 3]);
			watch.state.jointQd[12] = 0;
			expect(watch.step([...stack, pair])).toEqual([3]);
		}
		// the ground is nobody's, and neither is what is no shape
		const builder = balls(1);
		builder.addShapePlane(ofMaterial(MATERIAL));
		const watch = new Watch(builder);
		const ground = [
			[1, 0],
			[0, -1],
		] as const;
		expect([watch.step(ground), watch.step(ground), watch.step(ground)]).toEqual([[], [0], [0]]);
	});

	it('stand on what moves as given: not while it moves, and not through each other', () => {
		for (const turn of [false, true]) {
			const order = (a: number, b: number): readonly [number, number] => (turn ? [b, a] : [a, b]);
			for (const given of [0, 2]) {
				const [near, far, other] = [0, 1, 2, 3].filter((i) => i !== given) as [number, number, number];
				const watch = new Watch(balls(4, [given]));
				const pairs = [order(given, near), order(given, far)];
				// one of the two on it is fast: the other one may sleep
				watch.state.jointQd[6 * far] = 1;
				watch.step(pairs);
				expect(watch.step(pairs)).toEqual([near, other].sort());
				watch.state.jointQd[6 * far] = 0;
				watch.step(pairs);
				expect(watch.step(pairs)).toEqual([near, far, other].sort());
				// begins to move: what touches it wakes, and stays awake
				watch.state.jointQd[6 * given + 1] = 1e-3;
				for (let i = 0; i < 4; i++) expect(watch.step(pairs)).toEqual([other]);
				expect(watch.state.jointQd[6 * given + 1]).toBe(1e-3);
				watch.state.jointQd[6 * given + 1] = 0;
				expect([watch.step(pairs), watch.step(pairs)].at(-1)).toEqual([near, far, other].sort());
				// put elsewhere: all wake
				watch.state.jointQ[7 * given] = 1;
				expect(watch.step()).toEqual([]);
			}
		}
	});

	it('are nothing between two that move as given', () => {
		const watch = new Watch(balls(3, [0, 1]));
		watch.state.jointQd[0] = 1;
		watch.step([[0, 1]]);
		expect(watch.step([[0, 1]])).toEqual([2]);
	});

	it('are never what an actuator, a tendon or a loop holds', () => {
		const link = { mass: 1, inertia: boxInertia(1, 1, 1, 1), lockInertia: true };
		const builder = (): ModelBuilder => {
			const made = makeBuilder();
			for (let i = 0; i < 4; i++) {
				const [a, b] = [made.addLink(link), made.addLink(link)];
				made.addArticulation([
					made.addJointRevolute({ child: a, axis: 'z' }),
					made.addJointRevolute({ parent: a, child: b, axis: 'z' }),
				]);
			}
			return made;
		};
		const none = { body0: -1, body1: -1, dof0: -1, dof1: -1 };
		for (const [given, awake] of [
			[{}, []],
			[{ actuators: { linear: [{ dofs: [0, 3] }] } }, [0, 1]],
			[{ actuators: { passive: [{ dofs: [5, 6] }] } }, [2, 3]],
			[{ actuators: { sites: [{ body: 4 }, { body: -1 }] } }, [2]],
			[{ loops: [none] }, []],
			[{ loops: [{ ...none, body0: 7 }] }, [3]],
			[{ loops: [{ ...none, body1: 1 }] }, [0]],
			[{ loops: [{ ...none, dof0: 2 }] }, [1]],
			[{ loops: [{ ...none, dof1: 5 }] }, [2]],
			[{ loops: [{ ...none, body0: 0, dof1: 7 }] }, [0, 3]],
		] as const) {
			const watch = new Watch(builder(), given as object);
			watch.step();
			expect(watch.step()).toEqual([0, 1, 2, 3].filter((tree) => !(awake as readonly number[]).includes(tree)));
			watch.sleep.refresh({ linear: [], passive: [], sites: [] } as unknown as LinearActuators);
			expect(watch.asleep()).toEqual([]);
		}
	});
});

describe('resting contacts', () => {
	it('are those of which one side sleeps and no side is awake', () => {
		const builder = balls(4, [3]);
		builder.addShapePlane(ofMaterial(MATERIAL));
		const watch = new Watch(builder);
		watch.state.jointQd[12] = 1;
		watch.step();
		expect(watch.step()).toEqual([0, 1]);
		// 0 and 1 sleep, 2 is awake, 3 moves as given, 4 is the ground, -1 no shape
		const found: string[] = [];
		for (const a of [0, 1, 2, 3, 4, -1]) {
			for (const b of [0, 1, 2, 3, 4, -1]) {
				watch.contacts!.rigidShape0[0] = a;
				watch.contacts!.rigidShape1[0] = b;
				if (watch.sleep.isResting(watch.contacts!, 0)) found.push(`${a} ${b}`);
			}
		}
		const [sleep, rest] = [
			[0, 1],
			[3, 4, -1],
		];
		const expected = [
			...sleep.flatMap((a) => [...sleep, ...rest].map((b) => `${a} ${b}`)),
			...rest.flatMap((a) => sleep.map((b) => `${a} ${b}`)),
		];
		expect(found.sort()).toEqual(expected.sort());
	});

	it('have the forces of when the last one fell asleep, until they wake', () => {
		const watch = new Watch(balls(3));
		const pairs = [
			[0, 1],
			[1, 2],
		] as const;
		const force = watch.contacts!.rigidForce!;
		const stepWith = (value: number, these: Pairs = pairs): number[] => {
			// what a step finds, which is nothing for those that sleep
			watch.step(these, { between: () => force.fill(value) });
			return [force[0]!, force[5]!, force[6]!, force[11]!, force[12]!];
		};
		stepWith(4);
		expect(stepWith(5)).toEqual([5, 5, 5, 5, 5]);
		expect(watch.asleep()).toEqual([0, 1, 2]);
		expect(stepWith(0)).toEqual([5, 5, 5, 5, 0]);
		// not found for a step
		expect(stepWith(0, [])).toEqual([0, 0, 0, 0, 0]);
		expect(stepWith(0)).toEqual([5, 5, 5, 5, 0]);
		watch.control.jointF[0] = 1;
		expect(stepWith(7)).toEqual([7, 7, 7, 7, 7]);
		expect(stepWith(8)).toEqual([8, 8, 8, 8, 8]);
		expect(stepWith(0)).toEqual([8, 8, 8, 8, 0]);
	});

	it('may have no forces, and there may be none', () => {
		const watch = new Watch(balls(2));
		watch.contacts = new Contacts(watch.model, { rigidCapacity: 4 });
		for (const expected of [[], [0, 1], [0, 1]]) expect(watch.step([[0, 1]])).toEqual(expected);
		watch.contacts = undefined;
		expect(watch.step()).toEqual([0, 1]);
		watch.control.jointF[0] = 1;
		expect([watch.step(), watch.step()]).toEqual([[], [0, 1]]);
	});
});
