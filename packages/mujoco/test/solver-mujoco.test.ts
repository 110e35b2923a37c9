import {
	BodyFlags,
	Control,
	JointTargetMode,
	type Model,
	ModelBuilder,
	ModelFlags,
	registerMujocoAttributes,
	State,
} from '@manyworlds/model';
import { WorldFault } from '@manyworlds/worlds';
import { beforeAll, describe, expect, test } from 'vitest';
import { convertModel } from '../src/convert/convert-model.ts';
import { MujocoError, type MujocoModule, SolverMujoco, saveToMjcf } from '../src/index.ts';
import { boolField, CompiledModel, doubleField, loadMujoco, SolrefMode } from '../src/internal.ts';

let module: MujocoModule;
beforeAll(async () => {
	module = await loadMujoco();
});

/** A point mass on a hinge about y, at the end of an arm of 1 m. */
function pendulum(mass: number, limit: Readonly<Record<string, number>> = {}): ModelBuilder {
	const builder = new ModelBuilder();
	const body = builder.addLink({
		mass,
		com: [1, 0, 0],
		inertia: [1e-6, 0, 0, 0, 1e-6, 0, 0, 0, 1e-6].map((x) => x * mass),
	});
	const joint = builder.addJointRevolute({ parent: -1, child: body, axis: 'y', ...limit });
	builder.addArticulation([joint]);
	return builder;
}

function run(
	solver: SolverMujoco,
	steps: number,
	dt: number,
	state: State = new State(solver.model),
	control = new Control(solver.model),
): State {
	let [now, next] = [state, new State(solver.model)];
	for (let i = 0; i < steps; i++) {
		solver.step(now, next, control, undefined, dt);
		[now, next] = [next, now];
	}
	return now;
}

describe('joint limits in force space', () => {
	test.each([0.05, 0.5, 5])('a limit gives way by torque / stiffness whatever the inertia (mass %d kg)', (mass) => {
		const stiffness = 1000 * mass;
		const model = pendulum(mass, { limitLower: -1, limitUpper: 0, limitKe: stiffness, limitKd: 40 * mass }).finalize();
		using_(new SolverMujoco(module, model, { iterations: 200, tolerance: 0 }), (solver) => {
			const angle = run(solver, 6000, 1e-3).jointQ[0]!;
			// gravity turns the arm downwards, a positive angle about y
			const torque = mass * 9.81 * Math.cos(angle);
			expect(Math.abs(angle / (torque / stiffness) - 1)).toBeLessThan(1e-3);
		});
	});

	test('authored MuJoCo numbers are kept, and gains that are edited count from then on', () => {
		const builder = new ModelBuilder();
		registerMujocoAttributes(builder);
		const body = builder.addLink({ mass: 1, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1] });
		const joint = builder.addJointRevolute({
			parent: -1,
			child: body,
			axis: 'y',
			limitLower: -1,
			limitUpper: 1,
			attributes: { 'mujoco:solreflimit_mode': SolrefMode.MJCF_DEFAULT },
		});
		builder.addArticulation([joint]);
		const model = builder.finalize();
		using_(new SolverMujoco(module, model), (solver) => {
			const solref = (): number[] => [...doubleField(solver.compiled.mj, 'jnt_solref')];
			expect(solref()).toEqual([0.02, 1]);
			const kept = model.jointLimitKe[0]!;
			model.jointLimitKe[0] = 5e4;
			solver.notifyModelChanged(ModelFlags.JOINT_DOF_PROPERTIES);
			const edited = solref();
			expect(edited).not.toEqual([0.02, 1]);
			model.jointLimitKe[0] = kept;
			solver.notifyModelChanged(ModelFlags.JOINT_DOF_PROPERTIES);
			expect(solref()).not.toEqual([0.02, 1]);
		});
	});
});

describe('worlds', () => {
	function scene(count: number): ModelBuilder {
		const robot = pendulum(1, { targetKe: 20, targetKd: 1, targetPos: 0.3, actuatorMode: JointTargetMode.POSITION });
		const builder = new ModelBuilder();
		builder.replicate(robot, { count });
		return builder;
	}

	test('a world moves bit for bit as it would alone', () => {
		const alone = scene(1).finalize();
		const many = scene(7).finalize();
		const single = using_(new SolverMujoco(module, alone), (solver) => run(solver, 200, 2e-3));
		const all = using_(new SolverMujoco(module, many), (solver) => run(solver, 200, 2e-3));
		for (let world = 0; world < 7; world++) expect(all.jointQ[world]).toBe(single.jointQ[0]);
	});

	test('other masses of one world change no other world', () => {
		const model = scene(3).finalize();
		const base = using_(new SolverMujoco(module, model), (solver) => run(solver, 100, 2e-3));
		model.bodyMass[1] = 4;
		const changed = using_(new SolverMujoco(module, model), (solver) => run(solver, 100, 2e-3));
		expect(changed.jointQ[0]).toBe(base.jointQ[0]);
		expect(changed.jointQ[2]).toBe(base.jointQ[2]);
		expect(changed.jointQ[1]).not.toBe(base.jointQ[1]);
	});

	test('worlds of another structure are refused with the first difference', () => {
		const builder = new ModelBuilder();
		builder.addWorld(pendulum(1));
		const two = pendulum(1);
		two.addShapeSphere(0, { radius: 0.1 });
		builder.addWorld(two);
		const model = builder.finalize();
		expect(() => new SolverMujoco(module, model)).toThrow(/world 0 has 0 shapes, world 1 has 1/);
	});

	test('a world that diverges is reported and held, the others go on', () => {
		const model = scene(3).finalize();
		using_(new SolverMujoco(module, model), (solver) => {
			const state = new State(model);
			const next = new State(model);
			const control = new Control(model);
			state.jointQd[1] = Number.NaN;
			solver.step(state, next, control, undefined, 2e-3);
			expect([...solver.outcome.fault]).toEqual([WorldFault.NONE, WorldFault.DIVERGED, WorldFault.NONE]);
			expect(solver.report.toArray().map(({ code }) => code)).toContain('MJC020');
			expect(Number.isFinite(next.jointQ[0]!) && Number.isFinite(next.jointQ[2]!)).toBe(true);
			solver.reset(next, { mask: [0, 1, 0], jointQ: true, jointQd: true });
			solver.step(next, state, control, undefined, 2e-3);
			expect([...solver.outcome.fault]).toEqual([0, 0, 0]);
			expect(Number.isFinite(state.jointQ[1]!)).toBe(true);
		});
	});
});

describe('forces and velocities', () => {
	test('a force on a body accelerates its centre of mass, wherever that is in its frame', () => {
		const builder = new ModelBuilder({ gravity: [0, 0, 0] });
		builder.addBody({ mass: 2, com: [0.3, -0.2, 0.5], inertia: [1, 0, 0, 0, 2, 0, 0, 0, 3] });
		const model = builder.finalize();
		using_(new SolverMujoco(module, model), (solver) => {
			const state = new State(model);
			state.bodyF.set([4, 0, 0, 0, 0, 0]);
			const next = new State(model);
			solver.step(state, next, new Control(model), undefined, 1e-3);
			expect(next.bodyQd[0]).toBeCloseTo(2e-3, 12);
			for (let i = 3; i < 6; i++) expect(next.bodyQd[i]).toBeCloseTo(0, 12);
		});
	});

	test('a kinematic root keeps the state that it is given', () => {
		const builder = new ModelBuilder();
		builder.addBody({ mass: 1, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1], isKinematic: true });
		const model = builder.finalize();
		expect(model.bodyFlags[0]! & BodyFlags.KINEMATIC).not.toBe(0);
		using_(new SolverMujoco(module, model), (solver) => {
			const end = run(solver, 50, 2e-3);
			expect([...end.jointQ]).toEqual([...model.jointQ]);
			expect([...doubleField(solver.compiled.mj, 'dof_armature')]).toEqual(new Array(6).fill(1e10));
		});
	});
});

describe('edits', () => {
	test('another centre of mass and inertia, for which the body was not compiled, counts from the next step on', () => {
		const make = (): Model => {
			const builder = new ModelBuilder();
			builder.addBody({ mass: 1, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1] });
			return builder.finalize();
		};
		const edit = (model: Model): void => {
			model.bodyCom.set([0.1, 0.2, 0]);
			model.bodyInertia.set([1, 0.1, 0, 0.1, 1, 0, 0, 0, 1.5]);
		};
		const spin = (model: Model): State => {
			const state = new State(model);
			state.jointQd.set([0, 0, 0, 1, 2, 3]);
			return state;
		};
		const edited = make();
		const fresh = make();
		edit(fresh);
		const expected = using_(new SolverMujoco(module, fresh), (solver) => run(solver, 50, 2e-3, spin(fresh)));
		using_(new SolverMujoco(module, edited), (solver) => {
			run(solver, 3, 2e-3);
			edit(edited);
			solver.notifyModelChanged(ModelFlags.BODY_INERTIAL_PROPERTIES);
			const found = run(solver, 50, 2e-3, spin(edited));
			for (let i = 0; i < 7; i++) expect(found.jointQ[i]).toBeCloseTo(expected.jointQ[i]!, 9);
		});
	});
});

describe('conversion', () => {
	test('boolean arrays, which the package cannot read, are found in memory', () => {
		const model = pendulum(1, { limitLower: -1, limitUpper: 1 }).finalize();
		const compiled = new CompiledModel(module, convertModel(model));
		expect([...boolField(compiled.mj, 'jnt_limited')]).toEqual([1]);
		expect([...boolField(compiled.mj, 'jnt_actfrclimited')]).toEqual([1]);
		expect([...boolField(compiled.mj, 'jnt_actgravcomp')]).toEqual([0]);
		compiled.dispose();
	});

	test('a model that MuJoCo refuses comes back with the body named', () => {
		const builder = pendulum(1);
		const bad = builder.addLink({ label: 'frame' });
		const joint = builder.addJointRevolute({ parent: 0, child: bad, axis: 'x' });
		const model = builder.finalize({ skipValidation: true });
		expect(joint).toBe(1);
		expect(() => new SolverMujoco(module, model)).toThrow(MujocoError);
	});

	test('sizes of shapes are not changed by the conversion', () => {
		const builder = pendulum(1);
		builder.addShapeCapsule(0, { radius: 0.1, halfHeight: 0.2 });
		builder.addShapeSphere(0, { radius: 0.1 });
		const model = builder.finalize();
		const before = [...model.shapeScale];
		const first = saveToMjcf(model).text;
		expect([...model.shapeScale]).toEqual(before);
		expect(saveToMjcf(model).text).toBe(first);
	});

	test('making and disposing solvers does not make the memory of the engine grow', () => {
		const model = pendulum(1).finalize();
		const cycle = (): void => using_(new SolverMujoco(module, model), (solver) => void run(solver, 1, 1e-3));
		for (let i = 0; i < 50; i++) cycle();
		const bytes = (): number => {
			const buffer = new module.DoubleBuffer(1);
			const size = (buffer.GetView() as Float64Array).buffer.byteLength;
			buffer.delete();
			return size;
		};
		const before = bytes();
		for (let i = 0; i < 300; i++) cycle();
		expect(bytes()).toBe(before);
	});
});

function using_<T>(solver: SolverMujoco, use: (solver: SolverMujoco) => T): T {
	try {
		return use(solver);
	} finally {
		solver.dispose();
	}
}
