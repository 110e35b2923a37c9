import type { Model } from '@manyworlds/model';
import { expectedNumbers } from '../../src/newton/compare-numbers.ts';
import type { ExpectedModel } from '../../src/newton/expected-model.ts';
import type { Golden, ProgramBuilder, ProgramOp } from './golden.ts';
import type { Ledger } from './ledger.ts';
import { runProgram } from './run-program.ts';

/**
 * Our model of a program whose worlds are out of order, which both sides refuse but Newton dumps without its checks:
 * the calls that Newton took, with everything global. What worlds change is then to be had from `worldNumbers`.
 */
export function worldlessModel({ program, outcomes }: Golden): Model | undefined {
	const builders = program.builders.map((builder, i): ProgramBuilder => {
		const isLast = i === program.builders.length - 1;
		const taken = builder.ops.filter((_, k) => outcomes[i]!.results[k]!.error === undefined);
		return isLast ? { ...builder, ops: taken.flatMap(withoutWorlds) } : builder;
	});
	const hasCopies = builders.at(-1)!.ops.some(({ op }) => op === 'replicate');
	return hasCopies ? undefined : runProgram({ ...program, builders }).model;
}

function withoutWorlds(call: ProgramOp): ProgramOp[] {
	const isEmpty = call.op === 'replicate' && (call.args.worldCount as number) <= 0;
	if (call.op === 'beginWorld' || call.op === 'endWorld' || isEmpty) return [];
	return [call.op === 'addWorld' ? { ...call, op: 'addBuilder' } : call];
}

/** Arrays that depend on worlds, by Newton's name: from the interpreter, and by Newton's rules for starts. */
export function worldNumbers(expected: ExpectedModel, reference: Ledger): Map<string, readonly number[]> {
	const column = (name: string): number[] => expectedNumbers(expected.arrays[name] ?? { data: [] });
	const equality = (name: string): number[] => {
		const values = expected.custom_attributes[`mujoco:equality_constraint_${name}`]?.values;
		return values !== undefined && 'data' in values ? expectedNumbers(values) : [];
	};
	const out = new Map<string, readonly number[]>();
	for (const name of ['body_world', 'gravity', 'joint_world', 'shape_contact_pairs', 'shape_world'])
		out.set(name, reference.arrays[name]!);
	const [bodies, joints] = [out.get('body_world')!, out.get('joint_world')!];
	out.set(
		'articulation_world',
		column('articulation_start')
			.slice(0, -1)
			.map((joint) => joints[joint]!),
	);
	out.set(
		'constraint_mimic_world',
		column('constraint_mimic_joint0').map((joint) => joints[joint]!),
	);
	const [body1, body2, joint1] = [equality('body1'), equality('body2'), equality('joint1')];
	out.set(
		'equality_constraint_world',
		body1.map((body, i) => bodies[body] ?? bodies[body2[i]!] ?? joints[joint1[i]!] ?? -1),
	);
	const worlds = worldCountOf(reference);
	const starts = (name: string, of: readonly number[], sizes: readonly number[] = of.map(() => 1)): void => {
		out.set(name, worldStarts(of, sizes, worlds));
	};
	for (const entity of ['articulation', 'body', 'joint', 'shape'])
		starts(`${entity}_world_start`, out.get(`${entity}_world`)!);
	starts('particle_world_start', []);
	const equalities = out.get('equality_constraint_world')!;
	if (equalities.length > 0) starts('mujoco:equality_constraint_world_start', equalities);
	const [dofs, coords] = [differences(column('joint_qd_start')), differences(column('joint_q_start'))];
	const types = column('joint_type');
	starts('joint_dof_world_start', joints, dofs);
	starts('joint_coord_world_start', joints, coords);
	// free (4) and distance (5) joints constrain nothing
	const constraints = dofs.map((dof, i) => (types[i] === 4 || types[i] === 5 ? 0 : 6 - dof));
	starts('joint_constraint_world_start', joints, constraints);
	return out;
}

/** Worlds of a program, at least the implicit one. */
export function worldCountOf(reference: Ledger): number {
	return Math.max(1, reference.arrays.gravity!.length / 3 - 1);
}

/** Starts of worlds: behind the leading globals each world follows the one before, the last number is the total. */
function worldStarts(worlds: readonly number[], sizes: readonly number[], count: number): number[] {
	const first = worlds.findIndex((world) => world >= 0);
	const total = (of: (world: number, i: number) => boolean): number =>
		sizes.reduce((sum, size, i) => sum + (of(worlds[i]!, i) ? size : 0), 0);
	const starts = [total((_, i) => first < 0 || i < first)];
	for (let world = 0; world < count; world++) starts.push(starts[world]! + total((other) => other === world));
	return [...starts, total(() => true)];
}

function differences(starts: readonly number[]): number[] {
	return starts.slice(1).map((start, i) => start - starts[i]!);
}
