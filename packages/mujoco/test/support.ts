import { writeMjcf } from '@manyworlds/formats';
import { type Contacts, Control, type Model, ModelBuilder, registerMujocoAttributes, State } from '@manyworlds/model';
import type { MainModule } from '@mujoco/mujoco';
import { convertModel } from '../src/convert/convert-model.ts';
import { type ConvertOptions, type MujocoModule, SolverMujoco, type SolverMujocoOptions } from '../src/index.ts';
import { CompiledModel, doubleField, intField, loadMujoco } from '../src/internal.ts';

/** MuJoCo, loaded once for all tests of a file. */
export const mujoco: MujocoModule & Enumerations = (await loadMujoco()) as MujocoModule & Enumerations;

/** Enumerations of the engine, which the library does not need. */
type Enumerations = Pick<
	MainModule,
	| 'mjtBias'
	| 'mjtCone'
	| 'mjtDisableBit'
	| 'mjtDyn'
	| 'mjtEnableBit'
	| 'mjtEq'
	| 'mjtGain'
	| 'mjtIntegrator'
	| 'mjtJacobian'
	| 'mjtSolver'
	| 'mjtTrn'
	| 'mjtWrap'
>;

/** Unit inertia, row by row. */
export const UNIT_INERTIA: readonly number[] = [1, 0, 0, 0, 1, 0, 0, 0, 1];

/** A builder that knows the `mujoco` attributes. */
export function mujocoBuilder(options: ConstructorParameters<typeof ModelBuilder>[0] = {}): ModelBuilder {
	const builder = new ModelBuilder(options);
	registerMujocoAttributes(builder);
	return builder;
}

/** A body of 1 kg with unit inertia that no joint holds yet. */
export function link(builder: ModelBuilder, options: Parameters<ModelBuilder['addLink']>[0] = {}): number {
	return builder.addLink({ mass: 1, inertia: UNIT_INERTIA, ...options });
}

/** A link on a joint to the world, in an articulation of its own. */
export function hinged(
	builder: ModelBuilder,
	options: Partial<Parameters<ModelBuilder['addJointRevolute']>[0]> = {},
	body: Parameters<ModelBuilder['addLink']>[0] = {},
): { body: number; joint: number } {
	const child = link(builder, body);
	const joint = builder.addJointRevolute({ parent: -1, child, axis: 'y', ...options });
	builder.addArticulation([joint]);
	return { body: child, joint };
}

/** Arrays of a compiled model, with its report; the engine's memory is given back. */
export interface CompiledArrays {
	readonly sizes: Readonly<Record<string, number>>;
	double(name: string): number[];
	int(name: string): number[];
	/** Rows of an array of doubles. */
	rows(name: string, width: number): number[][];
	/** Name of an object. */
	name(kind: 'BODY' | 'JOINT' | 'GEOM' | 'SITE' | 'ACTUATOR' | 'TENDON' | 'MESH' | 'HFIELD', id: number): string;
	readonly codes: string[];
	readonly messages: string[];
	readonly text: string;
}

const SIZES = ['nq', 'nv', 'nu', 'nbody', 'njnt', 'ngeom', 'nsite', 'nmesh', 'nhfield', 'nmocap', 'neq', 'ntendon'];

/** Converts and compiles a model and gives copies of what was asked for. */
export function compile<T>(model: Model, use: (arrays: CompiledArrays) => T, options: ConvertOptions = {}): T {
	const compiled = new CompiledModel(mujoco, convertModel(model, options));
	try {
		return use(arraysOf(compiled));
	} finally {
		compiled.dispose();
	}
}

/** The arrays of a compiled model as they are now. */
export function arraysOf(compiled: CompiledModel): CompiledArrays {
	const { mj, conversion } = compiled;
	const double = (name: string): number[] => [...doubleField(mj, name)];
	return {
		sizes: Object.fromEntries([...SIZES, 'npair', 'nexclude'].map((name) => [name, Number(Reflect.get(mj, name))])),
		double,
		int: (name) => [...intField(mj, name)],
		rows: (name, width) => {
			const values = double(name);
			return Array.from({ length: values.length / width }, (_, i) => values.slice(width * i, width * i + width));
		},
		name: (kind, id) => mujoco.mj_id2name(mj, mujoco.mjtObj[`mjOBJ_${kind}`].value, id) ?? '',
		codes: conversion.report.toArray().map(({ code }) => code),
		messages: conversion.report.toArray().map(({ message }) => message),
		text: writeMjcf(conversion.sections.document),
	};
}

/** Makes a solver, uses it and disposes of it. */
export function withSolver<T>(model: Model, use: (solver: SolverMujoco) => T, options: SolverMujocoOptions = {}): T {
	const solver = new SolverMujoco(mujoco, model, options);
	try {
		return use(solver);
	} finally {
		solver.dispose();
	}
}

/** The state after some steps. `before` is called with the state that goes into each. */
export function run(
	solver: SolverMujoco,
	steps: number,
	dt: number,
	options: {
		readonly state?: State;
		readonly control?: Control;
		readonly contacts?: (state: State) => Contacts;
	} = {},
): State {
	const control = options.control ?? new Control(solver.model);
	let [now, next] = [options.state ?? new State(solver.model), new State(solver.model)];
	for (let i = 0; i < steps; i++) {
		solver.step(now, next, control, options.contacts?.(now), dt);
		[now, next] = [next, now];
	}
	return now;
}
