import { type Model, ModelBuilder, ModelFlags, registerMujocoAttributes } from '@manyworlds/model';
import { describe, expect, test } from 'vitest';
import { MujocoError } from '../src/index.ts';
import { WorldValues } from '../src/internal.ts';
import { compile, hinged, link, mujocoBuilder, run, UNIT_INERTIA, withSolver } from './support.ts';

function robot(): ModelBuilder {
	const builder = mujocoBuilder();
	const { body } = hinged(builder, { targetKe: 20, targetKd: 1, targetPos: 0.3 }, { com: [0.2, 0, 0] });
	builder.addShapeSphere(body, { radius: 0.1, config: { density: 0 } });
	return builder;
}

function replicated(count: number): Model {
	const scene = new ModelBuilder();
	registerMujocoAttributes(scene);
	scene.replicate(robot(), { count });
	return scene.finalize();
}

describe('worlds', () => {
	test('one world is compiled for all, with the shapes that belong to none', () => {
		const scene = new ModelBuilder();
		scene.replicate(robot(), { count: 5 });
		scene.addGroundPlane();
		compile(scene.finalize(), ({ sizes }) => expect([sizes.nbody, sizes.ngeom, sizes.nq]).toEqual([2, 2, 1]));
	});

	test.each<[string, (scene: ModelBuilder) => void, RegExp]>([
		[
			'bodies',
			(scene) => {
				scene.addWorld(robot());
				const other = robot();
				hinged(other);
				scene.addWorld(other);
			},
			/world 0 has 1 bodies, world 1 has 2/,
		],
		[
			'shapes',
			(scene) => {
				scene.addWorld(robot());
				const other = robot();
				other.addShapeSphere(0, { radius: 0.2 });
				scene.addWorld(other);
			},
			/world 0 has 1 shapes, world 1 has 2/,
		],
		[
			'parents of joints',
			(scene) => {
				for (const isChain of [false, true]) {
					const world = mujocoBuilder();
					const [first, second] = [link(world), link(world)];
					const base = world.addJointRevolute({ child: first, axis: 'y' });
					const parent = isChain ? first : -1;
					const next = world.addJointRevolute({ parent, child: second, axis: 'y' });
					world.addArticulation(isChain ? [base, next] : [base]);
					if (!isChain) world.addArticulation([next]);
					scene.addWorld(world);
				}
			},
			/joints at position 1: parent is none in world 0 and 0 in world 1/,
		],
		[
			'bodies of shapes',
			(scene) => {
				for (const carrier of [0, 1]) {
					const world = mujocoBuilder();
					hinged(world);
					hinged(world);
					world.addShapeSphere(carrier, { radius: 0.1, config: { density: 0 } });
					scene.addWorld(world);
				}
			},
			/shapes at position 0: body is 0 in world 0 and 1 in world 1/,
		],
		[
			'types of joints',
			(scene) => {
				scene.addWorld(robot());
				const other = mujocoBuilder();
				const body = link(other);
				other.addArticulation([other.addJointPrismatic({ child: body, axis: 'y' })]);
				other.addShapeSphere(body, { radius: 0.1, config: { density: 0 } });
				scene.addWorld(other);
			},
			/joints at position 0: type is REVOLUTE in world 0 and PRISMATIC in world 1/,
		],
		[
			'types of shapes',
			(scene) => {
				scene.addWorld(robot());
				const other = mujocoBuilder();
				const { body } = hinged(other);
				other.addShapeBox(body, { halfExtents: [0.1, 0.1, 0.1], config: { density: 0 } });
				scene.addWorld(other);
			},
			/shapes at position 0: type is SPHERE in world 0 and BOX in world 1/,
		],
		[
			'equality constraints',
			(scene) => {
				scene.addWorld(robot());
				const other = robot();
				other.addEqualityConstraint({ type: 'joint', joint1: 0 });
				scene.addWorld(other);
			},
			/world 0 has 0 equality constraints, world 1 has 1/,
		],
		[
			'types of equality constraints',
			(scene) => {
				for (const type of ['joint', 'connect'] as const) {
					const own = robot();
					own.addEqualityConstraint({ type, joint1: 0, body1: 0 });
					scene.addWorld(own);
				}
			},
			/equality constraints at position 0: type/,
		],
		[
			'mimic constraints',
			(scene) => {
				for (const mimics of [0, 1]) {
					const own = robot();
					hinged(own);
					for (let i = 0; i < mimics; i++) own.addConstraintMimic({ joint0: 1, joint1: 0 });
					scene.addWorld(own);
				}
			},
			/world 0 has 0 mimic constraints, world 1 has 1/,
		],
	])('worlds that differ in %s are refused with the first difference', (_, build, message) => {
		const scene = mujocoBuilder();
		build(scene);
		const model = scene.finalize();
		const attempt = (): unknown => compile(model, () => undefined);
		expect(attempt).toThrow(MujocoError);
		expect(attempt).toThrow(message);
	});

	test.each<[string, (model: Model) => void]>([
		['bodies', (model) => void (model.bodyWorld[0] = -1)],
		['joints', (model) => void (model.jointWorld[0] = -1)],
		['equality constraints', (model) => void (model.equalityConstraintWorld[0] = -1)],
		['mimic constraints', (model) => void (model.constraintMimicWorld[0] = -1)],
	])('%s that belong to no world are refused', (what, edit) => {
		const own = robot();
		hinged(own);
		own.addEqualityConstraint({ type: 'joint', joint1: 0 });
		own.addConstraintMimic({ joint0: 1, joint1: 0 });
		const scene = new ModelBuilder();
		registerMujocoAttributes(scene);
		scene.replicate(own, { count: 2 });
		const model = scene.finalize();
		edit(model);
		expect(() => compile(model, () => undefined)).toThrow(new RegExp(`1 ${what} belong to no world`));
	});

	test('masses, gains, materials, frames, options and gravity may differ, and only where they do', () => {
		const model = replicated(4);
		model.bodyMass[1] = 3;
		model.jointTargetKe[2] = 90;
		model.shapeMaterialMu[3] = 0.2;
		withSolver(model, (solver) => {
			const values = new WorldValues(solver.compiled, { start: 0, end: 4 });
			expect(values.valuesOf('body_mass', 1)[1]).toBe(3);
			expect(values.valuesOf('body_mass', 2)[1]).toBe(1);
			expect(values.valuesOf('body_invweight0', 1)).not.toEqual(values.valuesOf('body_invweight0', 0));
			expect(values.valuesOf('actuator_gainprm', 2)[0]).toBe(90);
			expect(values.valuesOf('geom_friction', 3)[0]).toBe(0.2);
			expect(values.valuesOf('geom_friction', 0)[0]).toBe(1);
		});
	});

	test('each world has its own gravity', () => {
		const scene = new ModelBuilder();
		for (const g of [-9.81, -1.62, 0]) {
			const own = new ModelBuilder({ gravity: [0, 0, g] });
			own.addBody({ mass: 1, inertia: UNIT_INERTIA });
			scene.addWorld(own, { gravity: 'source' });
		}
		const model = scene.finalize();
		withSolver(model, (solver) => {
			const end = run(solver, 1, 1e-2);
			for (const [world, g] of [-9.81, -1.62, 0].entries()) expect(end.bodyQd[6 * world + 2]).toBeCloseTo(g * 1e-2, 15);
		});
	});

	test('only the worlds that are asked for step', () => {
		const model = replicated(3);
		withSolver(model, (solver) => {
			const [state, next] = [model.createState(), model.createState()];
			next.jointQ.fill(7);
			solver.step(state, next, model.createControl(), undefined, 1e-2, { mask: [1, 0, 1] });
			expect(next.jointQ[1]).toBe(7);
			expect(next.jointQ[0]).not.toBe(7);
			expect(next.jointQ[0]).toBe(next.jointQ[2]);
		});
	});

	test('a masked reset forgets warm starts and puts coordinates back where it is asked to', () => {
		const model = replicated(3);
		withSolver(model, (solver) => {
			const state = run(solver, 50, 2e-3);
			const moved = [...state.jointQ];
			solver.reset(state, { mask: [0, 1, 0], jointQ: true, jointQd: true });
			expect([...state.jointQ]).toEqual([moved[0], model.jointQ[1], moved[2]]);
			expect(state.jointQd[1]).toBe(model.jointQd[1]);
			expect(() => solver.reset(state, { mask: [1, 0] })).toThrow(/2 entries, expected 3/);
			solver.reset(state, { mask: [1, 0, 0] });
			expect(state.jointQ[0]).toBe(moved[0]);
		});
	});

	test('edits of one world are taken over for it alone', () => {
		const model = replicated(2);
		withSolver(model, (solver) => {
			const before = run(solver, 20, 2e-3);
			model.jointTargetKe[1] = 200;
			solver.notifyModelChanged(ModelFlags.JOINT_DOF_PROPERTIES);
			solver.reset(model.createState());
			const after = run(solver, 20, 2e-3);
			expect(after.jointQ[0]).toBe(before.jointQ[0]);
			expect(after.jointQ[1]).not.toBe(before.jointQ[1]);
		});
	});
});
