import { type Model, ModelBuilder, ModelFlags, registerMujocoAttributes } from '@manyworlds/model';
import { describe, expect, test } from 'vitest';
import { MUJOCO_ENGINE_DEFAULTS, MujocoError, type SolverMujocoOptions } from '../src/index.ts';
import { hinged, mujoco, mujocoBuilder, withSolver } from './support.ts';

/** Attributes of the model, of each world where they are per world. */
function model(attributes: Readonly<Record<string, number | number[]>> = {}, worlds = 1): Model {
	const robot = mujocoBuilder();
	hinged(robot);
	const scene = new ModelBuilder();
	registerMujocoAttributes(scene);
	scene.replicate(robot, { count: worlds });
	for (const [key, value] of Object.entries(attributes)) scene.setAttribute(`mujoco:${key}`, value);
	return scene.finalize();
}

/** One option of the compiled model. */
function option(own: Model, name: string, options: SolverMujocoOptions = {}): number | number[] {
	return withSolver(
		own,
		(solver) => {
			const value: unknown = Reflect.get(solver.compiled.mj.opt, name);
			return ArrayBuffer.isView(value) ? [...(value as Float64Array)] : Number(value);
		},
		options,
	);
}

const NUMBERS = [
	['iterations', 'iterations', 'iterations', 7, 9],
	['lsIterations', 'ls_iterations', 'ls_iterations', 7, 9],
	['ccdIterations', 'ccd_iterations', 'ccd_iterations', 7, 9],
	['sdfIterations', 'sdf_iterations', 'sdf_iterations', 7, 9],
	['sdfInitpoints', 'sdf_initpoints', 'sdf_initpoints', 7, 9],
] as const;

const WORLD_NUMBERS = [
	['impratio', 'impratio', 2, 3],
	['tolerance', 'tolerance', 1e-5, 1e-4],
	['lsTolerance', 'ls_tolerance', 0.2, 0.3],
	['ccdTolerance', 'ccd_tolerance', 1e-5, 1e-4],
	['sleepTolerance', 'sleep_tolerance', 0.1, 0.2],
	['density', 'density', 1.2, 2.4],
	['viscosity', 'viscosity', 0.1, 0.2],
] as const;

const NAMES = [
	['solver', 'solver', 1, 'cg', 'newton', ['mjtSolver', 'mjSOL_CG', 'mjSOL_NEWTON']],
	['integrator', 'integrator', 0, 'euler', 'implicitfast', ['mjtIntegrator', 'mjINT_EULER', 'mjINT_IMPLICITFAST']],
	['cone', 'cone', 1, 'elliptic', 'pyramidal', ['mjtCone', 'mjCONE_ELLIPTIC', 'mjCONE_PYRAMIDAL']],
	['jacobian', 'jacobian', 1, 'sparse', 'dense', ['mjtJacobian', 'mjJAC_SPARSE', 'mjJAC_DENSE']],
] as const;

describe('solver options', () => {
	test.each(NUMBERS)('%s: the argument, else the attribute, else the default', (name, attribute, field, own, given) => {
		expect(option(model(), field)).toBe(MUJOCO_ENGINE_DEFAULTS[name]);
		expect(option(model({ [attribute]: own }), field)).toBe(own);
		expect(option(model({ [attribute]: own }), field, { [name]: given })).toBe(given);
	});

	test.each(WORLD_NUMBERS)(
		'%s: the argument for all, else the attribute of each world',
		(name, attribute, own, given) => {
			expect(option(model(), attribute)).toBe(MUJOCO_ENGINE_DEFAULTS[name]);
			expect(option(model({ [attribute]: own }), attribute)).toBe(own);
			expect(option(model({ [attribute]: own }), attribute, { [name]: given })).toBe(given);
		},
	);

	test.each(['wind', 'magnetic'] as const)('%s is a vector', (name) => {
		expect(option(model(), name)).toEqual([...(MUJOCO_ENGINE_DEFAULTS[name] as number[])]);
		expect(option(model({ [name]: [1, 2, 3] }), name)).toEqual([1, 2, 3]);
		expect(option(model({ [name]: [1, 2, 3] }), name, { [name]: [4, 5, 6] })).toEqual([4, 5, 6]);
	});

	test.each(NAMES)('%s is chosen by name', (name, attribute, number, own, given, [type, first, second]) => {
		const values = mujoco[type] as unknown as Readonly<Record<string, { value: number }>>;
		expect(option(model({ [attribute]: number }), name)).toBe(values[first]!.value);
		expect(option(model(), name, { [name]: own } as SolverMujocoOptions)).toBe(values[first]!.value);
		expect(option(model({ [attribute]: number }), name, { [name]: given } as SolverMujocoOptions)).toBe(
			values[second]!.value,
		);
	});

	test("the integrator is implicitfast where nothing says otherwise; the others are MuJoCo's defaults", () => {
		const plain = new ModelBuilder();
		hinged(plain);
		const native = mujoco.MjModel.from_xml_string('<mujoco><worldbody/></mujoco>');
		withSolver(plain.finalize(), (solver) => {
			const { opt } = solver.compiled.mj;
			expect(opt.integrator).toBe(mujoco.mjtIntegrator.mjINT_IMPLICITFAST.value);
			for (const name of [
				'solver',
				'cone',
				'jacobian',
				'iterations',
				'ls_iterations',
				'ccd_iterations',
				'sdf_iterations',
				'sdf_initpoints',
				'impratio',
				'tolerance',
				'ls_tolerance',
				'ccd_tolerance',
				'sleep_tolerance',
				'density',
				'viscosity',
			] as const) {
				expect([name, opt[name]]).toEqual([name, native.opt[name]]);
			}
			for (const name of ['wind', 'magnetic'] as const)
				expect([...(opt[name] as Float64Array)]).toEqual([...(native.opt[name] as Float64Array)]);
		});
		native.delete();
	});

	test('worlds may differ in theirs', () => {
		const own = model({}, 3);
		(own.attributes.get('mujoco:viscosity') as Float64Array).set([0, 5, 50]);
		withSolver(own, (solver) => {
			const [state, next] = [own.createState(), own.createState()];
			state.jointQd.fill(1);
			const body = own.createControl();
			solver.step(state, next, body, undefined, 0.01);
			// the medium brakes, more where it is thicker
			expect(next.jointQd[1]).toBeLessThan(next.jointQd[0]!);
			expect(next.jointQd[2]).toBeLessThan(next.jointQd[1]!);
		});
	});

	test('attributes that are edited after construction have no effect', () => {
		const own = model({ tolerance: 1e-5, iterations: 7 });
		withSolver(own, (solver) => {
			own.attributes.get('mujoco:tolerance').fill(0.5 as never);
			own.attributes.get('mujoco:iterations').fill(99 as never);
			solver.notifyModelChanged(ModelFlags.ALL);
			expect([solver.compiled.mj.opt.tolerance, solver.compiled.mj.opt.iterations]).toEqual([1e-5, 7]);
		});
	});

	test('an impratio that is not positive is taken for 1', () => {
		for (const impratio of [0, -3]) expect(option(model({ impratio }), 'impratio')).toBe(1);
	});

	test.each<[string, SolverMujocoOptions | Record<string, unknown>, RegExp]>([
		['a solver', { solver: 'pgs' }, /solver is "pgs", expected one of cg, newton/],
		['an integrator', { integrator: 'leapfrog' }, /integrator is "leapfrog"/],
		['a count', { iterations: -1 }, /iterations is -1/],
		['a count beyond 32 bits', { lsIterations: 2 ** 40 }, /lsIterations is 1099511627776/],
		['a vector', { wind: [1, 2] }, /wind has 2 numbers, expected 3/],
		['a number', { tolerance: Number.NaN }, /tolerance of world 0 is NaN/],
		['memory', { arenaBytes: 100 }, /arenaBytes is 100/],
		['a sleep tolerance', { sleepTolerance: -1 }, /sleepTolerance of world 0 is -1/],
		['sleeping with cg', { enableSleeping: true, solver: 'cg' }, /enableSleeping does not go with solver 'cg'/],
		[
			'sleeping with rk4',
			{ enableSleeping: true, integrator: 'rk4' },
			/enableSleeping does not go with integrator 'rk4'/,
		],
		[
			'sleeping with given contacts',
			{ enableSleeping: true, useMujocoContacts: false },
			/contacts of another pipeline/,
		],
		['rk4 with given contacts', { integrator: 'rk4', useMujocoContacts: false }, /finds contacts within a step/],
	])('%s that MuJoCo does not know is refused by name', (_, options, message) => {
		const attempt = (): unknown => withSolver(model(), () => undefined, options as SolverMujocoOptions);
		expect(attempt).toThrow(MujocoError);
		expect(attempt).toThrow(message);
	});

	test('an attribute that stands for no solver is refused by name', () => {
		expect(() => option(model({ solver: 0 }), 'solver')).toThrow(/solver is 0, expected one of cg, newton/);
	});

	test('contacts, sensors and sleeping are flags of the engine', () => {
		const flags = (options: SolverMujocoOptions): [number, number] =>
			withSolver(
				model(),
				(solver) => [solver.compiled.mj.opt.disableflags, solver.compiled.mj.opt.enableflags],
				options,
			);
		const { mjtDisableBit, mjtEnableBit } = mujoco;
		expect(flags({ disableContacts: true })[0] & mjtDisableBit.mjDSBL_CONTACT.value).not.toBe(0);
		expect(flags({ disableSensors: true })[0] & mjtDisableBit.mjDSBL_SENSOR.value).not.toBe(0);
		expect(flags({ enableSleeping: true })[1] & mjtEnableBit.mjENBL_SLEEP.value).not.toBe(0);
		expect(flags({})[1] & mjtEnableBit.mjENBL_SLEEP.value).toBe(0);
	});
});
