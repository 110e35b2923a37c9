import type { ModelBuilder } from '@manyworlds/model';
import { describe, expect, it } from 'vitest';
import { SolverSap } from '../src/index.ts';
import { SapStop } from '../src/sap/sap-newton.ts';
import { addBall, addBox, boxInertia, makeBuilder, ofMaterial, Runner, worldState } from './make-scene.ts';

const MATERIAL = { ke: 1e5, tau: 0.01, mu: 0.5 };

/** A pile of boxes, a ball and a jointed arm. */
function oneWorld(): ModelBuilder {
	const builder = makeBuilder();
	for (let i = 0; i < 4; i++) addBox(builder, [0.1, 0.1, 0.05], 1, [0.02 * i, 0, 0.06 + 0.11 * i], MATERIAL);
	addBall(builder, 0.1, 1, [0.5, 0, 0.2], MATERIAL);
	const joints: number[] = [];
	let parent = -1;
	for (let i = 0; i < 3; i++) {
		const link = builder.addLink({
			mass: 1,
			com: [0.1, 0, 0],
			inertia: boxInertia(1, 0.2, 0.05, 0.05),
			lockInertia: true,
		});
		joints.push(
			builder.addJointRevolute({
				parent,
				child: link,
				axis: 'y',
				parentXform: { p: parent < 0 ? [-0.5, 0, 0.5] : [0.2, 0, 0] },
				targetKe: 20,
				targetKd: 1,
			}),
		);
		builder.addShapeCapsule(link, {
			radius: 0.03,
			halfHeight: 0.1,
			xform: { p: [0.1, 0, 0], q: [0, Math.SQRT1_2, 0, Math.SQRT1_2] },
			...ofMaterial(MATERIAL),
		});
		parent = link;
	}
	builder.addArticulation(joints);
	return builder;
}

function manyWorlds(count: number, perWorld = 64): Runner {
	const all = makeBuilder();
	all.replicate(oneWorld(), { count, spacing: [0, 0, 0] });
	all.addShapePlane(ofMaterial(MATERIAL));
	const runner = new Runner(all, {}, perWorld);
	runner.model.shapeGap.fill(0.002);
	return runner;
}

describe('worlds', () => {
	it('do the same, bit for bit, alone or among 64, run once or twice', () => {
		const alone = manyWorlds(1);
		const again = manyWorlds(1);
		const many = manyWorlds(64);
		for (const runner of [alone, again, many]) runner.step(0.005, 15);
		const expected = worldState(alone, 0);
		expect(worldState(again, 0)).toEqual(expected);
		for (const world of [0, 1, 31, 63]) expect(worldState(many, world)).toEqual(expected);
	});

	it('do not feel each other', () => {
		const calm = manyWorlds(3);
		const pushed = manyWorlds(3);
		const { start } = pushed.model.worlds.range('jointDof', 1);
		pushed.state.jointQd[start] = 3;
		for (const runner of [calm, pushed]) runner.step(0.005, 40);
		for (const world of [0, 2]) expect(worldState(pushed, world)).toEqual(worldState(calm, world));
		expect(worldState(pushed, 1)).not.toEqual(worldState(calm, 1));
	});

	it('have gravity and time steps of their own', () => {
		const runner = manyWorlds(3);
		runner.model.setGravity([0, 0, -1.62], { world: 2 });
		runner.step(Float64Array.of(0.005, 0.002, 0.005), 20);
		const [a, b, c] = [0, 1, 2].map((world) => {
			const { start } = runner.model.worlds.range('body', world);
			return runner.state.bodyQ[7 * (start + 4) + 2]!;
		}) as [number, number, number];
		// the ball falls freely from 0.2
		expect(a).toBeCloseTo(Math.max(0.1, 0.2 - (9.81 * 0.1 * 0.105) / 2), 2);
		expect(b).toBeCloseTo(0.2 - (9.81 * 0.04 * 0.042) / 2, 9);
		expect(c).toBeCloseTo(0.2 - (1.62 * 0.1 * 0.105) / 2, 9);
	});

	it('are stepped by range and by mask, the others left as they are', () => {
		const runner = manyWorlds(4);
		const reference = manyWorlds(4);
		reference.step(0.005);
		runner.next.assign(runner.state);
		runner.pipeline.collide(runner.state, runner.contacts);
		runner.solver.step(runner.state, runner.next, runner.control, runner.contacts, 0.005, {
			range: { start: 1, end: 3 },
		});
		runner.solver.step(runner.state, runner.next, runner.control, runner.contacts, 0.005, { mask: [0, 0, 0, 1] });
		const before = worldState(runner, 0);
		runner.state = runner.next;
		expect(worldState(runner, 0)).toEqual(before);
		for (const world of [1, 2, 3]) expect(worldState(runner, world)).toEqual(worldState(reference, world));
	});

	it('that have no room for their contacts say so and leave the others as they are', () => {
		const [few, enough] = [6, 64].map((perWorld) => {
			const runner = manyWorlds(3, perWorld);
			// in world 1 everything hangs in the air but for a ball
			const { start } = runner.model.worlds.range('jointCoord', 1);
			for (let box = 0; box < 4; box++) runner.state.jointQ[start + 7 * box + 2]! += 3;
			runner.place();
			runner.step(0.005, 30);
			return runner;
		}) as [Runner, Runner];
		const { droppedContactCount, contactCount } = few.solver.outcome;
		expect([...droppedContactCount].map((count) => count > 0)).toEqual([true, false, true]);
		expect([...contactCount].map((count) => count <= 6)).toEqual([true, true, true]);
		expect(droppedContactCount[0]).toBe(few.contacts.worldFound[0]! - 6);
		expect([...enough.solver.outcome.droppedContactCount]).toEqual([0, 0, 0]);
		expect(worldState(few, 1)).toEqual(worldState(enough, 1));
		expect(worldState(few, 2)).toEqual(worldState(few, 0));
	});

	it('that diverge stay where they are and say so, the others go on', () => {
		const runner = manyWorlds(3);
		const calm = manyWorlds(3);
		const { start } = runner.model.worlds.range('jointDof', 1);
		runner.control.jointF[start] = Number.NaN;
		for (const r of [runner, calm]) r.step(0.005, 10);
		expect(runner.solver.outcome.stop[1]).toBe(SapStop.BROKEN);
		expect(runner.solver.outcome.converged[1]).toBe(0);
		expect(worldState(runner, 1).every(Number.isFinite)).toBe(true);
		for (const world of [0, 2]) expect(worldState(runner, world)).toEqual(worldState(calm, world));
	});
});

describe('global bodies', () => {
	it('move by themselves and carry what is in the worlds', () => {
		const all = makeBuilder();
		// a heavy plate of no world sinks onto the ground and slides with friction
		const plate = addBox(all, [1, 1, 0.05], 100, [0, 0, 0.06], { ...MATERIAL, mu: 0 });
		const one = makeBuilder();
		addBox(one, [0.1, 0.1, 0.1], 1, [0, 0, 0.22], { ke: 1e5, tau: 0.01, mu: 1 });
		all.replicate(one, { count: 3, spacing: [0, 0, 0] });
		all.addShapePlane(ofMaterial({ ...MATERIAL, mu: 0 }));
		const runner = new Runner(all, {}, 64);
		runner.model.shapeGap.fill(0.002);
		runner.model.shapeMaterialMu.set([1, 1, 1, 1, 0]);
		runner.state.jointQd[0] = 0.2;
		runner.place();
		runner.step(0.005, 300);
		expect(runner.state.bodyQ[7 * plate + 2]).toBeGreaterThan(0.045);
		expect(runner.state.bodyQd[6 * plate]).toBeCloseTo(0.2, 9);
		const boxes = [1, 2, 3].map((body) => [...runner.state.bodyQ.subarray(7 * body, 7 * body + 7)]);
		expect(boxes[1]).toEqual(boxes[0]);
		expect(boxes[2]).toEqual(boxes[0]);
		// the boxes ride along
		expect(runner.state.bodyQd[6]).toBeCloseTo(0.2, 3);
		expect(boxes[0]![2]! - runner.state.bodyQ[7 * plate + 2]!).toBeCloseTo(0.15, 2);
	});
});

describe('a step', () => {
	it('has real diagnostics that change when provoked', () => {
		const runner = manyWorlds(1);
		runner.step(0.005, 30);
		const { outcome } = runner.solver;
		expect(outcome.contactCount[0]).toBe(runner.contacts.rigidCount);
		expect(outcome.iterations[0]).toBeGreaterThan(0);
		expect(outcome.lineSearchEvaluations[0]).toBeGreaterThan(0);
		expect(outcome.residual[0]).toBeLessThan(1e-6);
		expect(outcome.converged[0]).toBe(1);
		const strict = new SolverSap(runner.model, {
			maxIterations: 1,
			optimalityRelTol: 1e-15,
			costRelTol: 0,
			costAbsTol: 0,
		});
		runner.state.jointQd[0] = 5;
		strict.step(runner.state, runner.next, runner.control, runner.contacts, 0.005);
		expect(strict.outcome.converged[0]).toBe(0);
		expect(strict.outcome.stop[0]).toBe(SapStop.ITERATIONS);
		const few = runner.pipeline.createContacts({ perWorld: 2 });
		runner.pipeline.collide(runner.state, few);
		strict.step(runner.state, runner.next, runner.control, few, 0.005);
		expect(strict.outcome.droppedContactCount[0]).toBe(few.worldFound[0]! - 2);
	});

	it('refuses what makes no sense', () => {
		const runner = manyWorlds(1);
		const { solver, state, next, control, model } = runner;
		expect(() => solver.step(state, state, control, undefined, 0.01)).toThrow(RangeError);
		expect(() => solver.step(state, next, control, undefined, 0)).toThrow(RangeError);
		expect(() => solver.step(state, next, control, undefined, new Float64Array(2))).toThrow(RangeError);
		expect(() => new SolverSap(model, { contactPresetVariant: 'exact' as never })).toThrow(TypeError);
		expect(() => new SolverSap(model, { lineSearchVariant: 'none' as never })).toThrow(TypeError);
		expect(() => new SolverSap(model, { rho: 2 })).toThrow(RangeError);
	});

	it('moves a kinematic body as told and carries what lies on it', () => {
		const builder = makeBuilder();
		const belt = builder.addBody({ mass: 1, inertia: boxInertia(1, 1, 1, 1), isKinematic: true, lockInertia: true });
		builder.addShapeBox(belt, { halfExtents: [2, 2, 0.1], ...ofMaterial(MATERIAL) });
		addBox(builder, [0.1, 0.1, 0.1], 1, [0, 0, 0.2], MATERIAL);
		const runner = new Runner(builder);
		runner.model.shapeGap.fill(0.002);
		runner.state.jointQd[0] = 0.3;
		runner.place();
		runner.step(0.005, 200);
		expect(runner.state.bodyQ[0]).toBeCloseTo(0.3, 9);
		expect(runner.state.bodyQ[2]).toBe(0);
		expect(runner.state.bodyQd[6]).toBeCloseTo(0.3, 4);
	});
});

describe('presets', () => {
	it('agree on a settled pile within their precision', () => {
		const heights = (['drake', 'approx64', 'approx32'] as const).map((contactPresetVariant) => {
			const builder = makeBuilder();
			for (let i = 0; i < 3; i++) addBox(builder, [0.1, 0.1, 0.05], 1, [0, 0, 0.05 + 0.1 * i], MATERIAL);
			builder.addShapePlane(ofMaterial(MATERIAL));
			const runner = new Runner(builder, { contactPresetVariant, contactBeta: 0 });
			runner.model.shapeGap.fill(0.002);
			runner.onStep = ({ solver }) => expect(solver.outcome.converged[0]).toBe(1);
			runner.step(0.005, 300);
			return runner.state.bodyQ[16]!;
		});
		expect(heights[1]).toBeCloseTo(heights[0]!, 6);
		expect(heights[2]).toBeCloseTo(heights[0]!, 5);
	});
});

describe('the report of a solver', () => {
	it('names what is not simulated and motion without mass', () => {
		const builder = makeBuilder();
		const body = addBall(builder, 0.1, 1, [0, 0, 1], MATERIAL);
		builder.addShapeSphere(body, { config: { restitution: 0.5, muTorsional: 0.02, muRolling: 0.01 } });
		const link = builder.addLink({ label: 'ghost' });
		builder.addArticulation([builder.addJointRevolute({ child: link, axis: 'z', label: 'spin' })]);
		builder.addParticle({ position: [0, 0, 0], mass: 1 });
		const runner = new Runner(builder);
		const messages = runner.solver.report.toArray().map((one) => `${one.code} ${one.message}`);
		expect(messages).toHaveLength(5);
		expect(messages.some((text) => text.startsWith('SIM002') && text.includes("'spin'"))).toBe(true);
		for (const what of ['restitution', 'torsional friction', 'rolling friction']) {
			expect(messages.filter((text) => text.includes(what))).toHaveLength(1);
		}
		runner.step(0.01, 5);
		expect(runner.state.jointQ.every(Number.isFinite)).toBe(true);
		expect(runner.state.jointQ[7]).toBe(0);
	});

	it('is empty for a plain model', () => {
		expect(manyWorlds(2).solver.report.toArray()).toEqual([]);
	});
});
