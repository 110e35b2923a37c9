import type { Diagnostic } from '@manyworlds/core';
import { JointType } from '@manyworlds/model';
import type { LoadedScene } from '@manyworlds/scene';
import { isObject, type Json, type JsonObject } from '../../src/json.ts';
import { isClose } from '../scene-load/compare-load.ts';
import { isFixedToWorld } from '../scene-load/reference-faults.ts';

/** A kind of scene that SAP Warp accepts and ours refuses. */
interface Refusal {
	readonly reason: string;
	covers(diagnostic: Diagnostic, found: number): boolean;
}

/** Keys of sizes and counts that zero makes nothing of. */
const NOT_ZERO = /\.(dt|num_worlds|hx|hy|hz|radius|half_height|a|b|c|factor) is 0,/;

const REFUSALS: readonly Refusal[] = [
	{
		reason: 'a key given twice: one of the values would be lost',
		covers: ({ code }) => code === 'SCN003',
	},
	{
		reason: 'text in place of true or false: every text, also "false", counts as true there',
		covers: ({ code, message }) => code === 'SCN006' && / is the text '.*', expected true or false$/.test(message),
	},
	{
		reason: 'true or false in place of a number: it counts as 1 or 0 there',
		covers: ({ code, message }) => code === 'SCN006' && / is (true|false), expected a (whole )?number$/.test(message),
	},
	{
		reason: 'a list in place of a block of settings: the block is ignored there',
		covers: ({ code, message }) =>
			code === 'SCN006' && /(cfg|defaults\.shape|defaults\.joint) is a list of \d+, expected a mapping$/.test(message),
	},
	{
		reason: 'the names True and False in an expression: they count as 1 and 0 there',
		covers: ({ code, message }) => code === 'SCN007' && /the name '(True|False)' is not known/.test(message),
	},
	{
		reason: 'a negative size, mass, gap, stiffness, friction, armature, count or factor',
		covers: ({ code }, found) => code === 'SCN008' && found < 0,
	},
	{
		reason: 'zero where it leaves nothing: worlds, a time step, the size of a shape',
		covers: ({ code, message }, found) => code === 'SCN008' && found === 0 && NOT_ZERO.test(message),
	},
	{
		reason: 'a number with a fraction where a whole one is needed: it is cut there',
		covers: ({ code, message }, found) =>
			code === 'SCN008' && !Number.isInteger(found) && / expected a whole number( of at least \d+)?$/.test(message),
	},
	{
		reason: 'a number that is not finite',
		covers: ({ code }, found) => code === 'SCN008' && !Number.isFinite(found),
	},
	{
		reason: 'limits whose lower one lies above the upper one',
		covers: ({ code, message }) => {
			const [, lower, upper] = / leads to the limits (\S+) to (\S+), /.exec(message) ?? [];
			return code === 'SCN008' && Number(lower) > Number(upper);
		},
	},
	{
		reason: 'a target mode outside of 0 to 4: it counts as any other mode there',
		covers: ({ code, message }, found) =>
			code === 'SCN009' && /\.mode is -?\d+,/.test(message) && !(found >= 0 && found <= 4),
	},
	{
		reason: 'a colour of two numbers: it is ignored there',
		covers: ({ code, message }) => code === 'SCN012' && / has [012] numbers?, expected red, green, blue$/.test(message),
	},
	{
		reason: 'an axis that is none: z is taken there, or a joint without direction',
		covers: ({ code, message }) => code === 'SCN013' && /axis (is|has the length 0)/.test(message),
	},
	{
		reason: 'a quaternion of another length than 1: it is kept there and scales the body',
		covers: ({ code, message }) => {
			const [, length] = / has the length (\S+), expected a quaternion/.exec(message) ?? [];
			return code === 'SCN013' && Math.abs(Number(length) - 1) > 0.005;
		},
	},
	{
		reason: 'a joint whose child is the world: a step of it never ends there',
		covers: ({ code }) => code === 'SCN024',
	},
	{
		reason: 'an articulation without joints, or with those of another one: arrays contradict each other there',
		covers: ({ code, message }) => code === 'SCN025' && /^articulations\[\d+\] .*\(MODEL012\)$/.test(message),
	},
	{
		reason: 'an offset that leads to another joint: the seed says inside of the block of the joint',
		covers: ({ code, message }) => code === 'SCN040' && / is offset -?\d+ of joint /.test(message),
	},
];

/** Why a scene is refused that SAP Warp accepts. */
export function explainRefusal(diagnostic: Diagnostic): string | undefined {
	const [, found] = / is (-?[\d.]+(?:e[+-]?\d+)?|NaN|-?Infinity),/.exec(diagnostic.message) ?? [];
	return REFUSALS.find(({ covers }) => covers(diagnostic, found === undefined ? Number.NaN : Number(found)))?.reason;
}

/** A kind of effect that differs, and what SAP Warp has instead. */
interface Deviation {
	readonly reason: string;
	readonly keys: readonly string[];
	covers(actual: never, expected: never, loaded: LoadedScene, effect: JsonObject): boolean;
}

type Rows = readonly (readonly number[])[];

const DEVIATIONS: readonly Deviation[] = [
	{
		reason: 'axes of joints have the length 1; the reference keeps other lengths, which scale the coordinate',
		keys: ['joint_axis'],
		covers: (actual: Rows, expected: Rows) =>
			isClose(
				actual,
				expected.map((axis) => axis.map((part) => part / Math.hypot(...axis))),
			),
	},
	{
		reason: 'the axis of an axis_angle has the length 1; the reference keeps other lengths, which gives no rotation',
		keys: ['body_q', 'joint_q'],
		covers: (actual: Rows | readonly number[], expected: Rows | readonly number[], { model }) => {
			const sines = new Set<number>();
			const starts = Array.isArray(actual[0])
				? actual.map((_, body) => 7 * body)
				: Array.from(model.jointQStart).filter((_, joint) => model.jointType[joint] === JointType.FREE);
			for (const start of starts) for (let k = 3; k < 6; k++) sines.add(start + k);
			return isUnscaled(actual.flat() as number[], expected.flat() as number[], sines);
		},
	},
	{
		reason: 'poses always follow from coordinates; the reference leaves bodies where they were written',
		keys: ['body_q'],
		covers: (actual: Rows, expected: Rows, { scene }) =>
			actual.every(
				(pose, i) =>
					isClose(pose, expected[i]) || isClose(expected[i], scene.bodies[i]?.transform ?? [0, 0, 0, 0, 0, 0, 1]),
			),
	},
	{
		reason: 'a body that a joint fixes to the world cannot meet the shapes of the world',
		keys: ['shape_contact_pairs'],
		covers: (actual: Rows, expected: Rows, { model }) => {
			const names = new Set(actual.map((pair) => [...pair].sort().join(' ')));
			const missing = expected.filter((pair) => !names.has([...pair].sort().join(' ')));
			return missing.length === expected.length - actual.length && missing.every((pair) => isFixedToWorld(model, pair));
		},
	},
	{
		reason: 'set_joint_armature obeys a joint selector; the reference changes every degree of freedom',
		keys: ['joint_armature'],
		covers: (actual: readonly number[], expected: readonly number[], { scene }) =>
			scene.post_build.some(
				(edit) =>
					edit.op === 'set_joint_armature' &&
					edit.joints !== undefined &&
					expected.every((value) => isClose(value, edit.value)) &&
					actual.includes(edit.value),
			),
	},
	{
		reason: 'the reference takes the armature of free joints, which is in public order, as if angular parts came first',
		keys: ['first_step_joint_qd'],
		covers: (_: readonly number[], expected: readonly number[], loaded, effect) =>
			isClose(fallWithTurnedArmature(loaded, effect), expected),
	},
	{
		reason: 'a body without mass stays at rest; the reference divides by zero',
		keys: ['first_step_joint_qd'],
		covers: (actual: readonly number[], expected: readonly (number | string)[], { model }) =>
			expected.every((value, dof) =>
				value === 'nan' ? actual[dof] === 0 && model.bodyMass.includes(0) : isClose(actual[dof], value),
			),
	},
	{
		reason: 'joints in no articulation move as trees of their own; the reference leaves them out',
		keys: ['first_step_joint_qd'],
		covers: (_: readonly number[], expected: readonly number[], { model }) =>
			model.jointArticulation.includes(-1) && expected.every((value) => value === 0),
	},
	{
		reason: 'articulations have the order of their joints; arrays of the reference contradict each other',
		keys: ['articulation_start', 'joint_articulation'],
		covers: (actual: readonly number[], expected: readonly number[]) =>
			isClose(
				actual,
				[...expected].sort((a, b) => a - b),
			),
	},
	{
		reason: 'a capacity of 0 is one of 0; the benchmark of the reference takes 1',
		keys: ['max_rigid_contact'],
		covers: (actual: number, expected: number) => actual === 0 && expected === 1,
	},
	{
		reason: 'a git source without a path is said to have none; the reference looks for the repository itself',
		keys: ['unsupported_features'],
		covers: (actual: readonly string[], expected: readonly string[]) =>
			actual.length === expected.length &&
			actual.every(
				(feature, i) =>
					feature === expected[i] ||
					(feature.endsWith('source.git.path is required.') && /: Git asset \S+:\. is not cached/.test(expected[i]!)),
			),
	},
];

/** Why a field differs from what SAP Warp has. */
export function explainEffect(
	key: string,
	actual: unknown,
	expected: Json,
	loaded?: LoadedScene,
	effect: JsonObject = {},
): string | undefined {
	return DEVIATIONS.find(
		({ keys, covers }) =>
			keys.includes(key) &&
			(loaded !== undefined || key === 'unsupported_features') &&
			covers(actual as never, expected as never, loaded as LoadedScene, effect),
	)?.reason;
}

/** Whether all is the same but the length of the first three parts of quaternions. */
function isUnscaled(actual: readonly number[], expected: readonly number[], sines: ReadonlySet<number>): boolean {
	const differs = expected.flatMap((value, i) => (isClose(actual[i], value) ? [] : [i]));
	const factors = differs.map((i) => expected[i]! / actual[i]!);
	return differs.every((i) => sines.has(i)) && factors.every((factor) => isClose(factor, factors[0]) && factor > 0);
}

/** Velocities after a step in which free bodies fall, with the armature of angular parts on linear ones. */
function fallWithTurnedArmature({ model, settings }: LoadedScene, effect: JsonObject): number[] {
	const armature = effect['joint_armature'] as readonly number[];
	const out = new Array<number>(model.jointDofCount).fill(0);
	for (let joint = 0; joint < model.jointCount; joint++) {
		if (model.jointType[joint] !== JointType.FREE) continue;
		const dof = model.jointQdStart[joint]!;
		const mass = model.bodyMass[model.jointChild[joint]!]!;
		for (let k = 0; k < 3; k++) {
			out[dof + k] = (model.gravity[k]! * settings.dt * mass) / (mass + armature[dof + 3 + k]!);
		}
	}
	return out;
}

/** Why a scene runs that the benchmark of SAP Warp refuses. */
export function explainLeniency(config: unknown, loaded: LoadedScene): string | undefined {
	const { scene, model } = loaded;
	const simulation = isObject(config) && isObject(config['simulation']) ? config['simulation'] : {};
	if (scene.simulation.num_worlds === undefined) return 'there is one world when simulation gives no number';
	if (scene.simulation.max_rigid_contact === undefined) return 'contacts have a default capacity';
	if (typeof simulation['dt'] === 'string') return 'numbers may be expressions, dt too';
	if (scene.simulation.solver?.options.contactTauD !== undefined) return 'solver.contact_tau_d may be given';
	if (model.jointDofCount === 0) return 'a scene in which nothing moves can be run, with a warning';
	return undefined;
}
