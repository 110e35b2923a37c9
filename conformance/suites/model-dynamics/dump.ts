import { isObject, type JsonObject } from '../../src/json.ts';

export interface DumpJoint {
	readonly name: string;
	readonly type: string;
	readonly parent: string;
	readonly idx_q: number;
	readonly nq: number;
	readonly idx_v: number;
	readonly nv: number;
	readonly placement_rotation: readonly (readonly number[])[];
	readonly placement_translation: readonly number[];
	readonly body: {
		readonly mass: number;
		readonly com: readonly number[];
		readonly inertia_about_com: readonly (readonly number[])[];
	};
}

export interface DumpState {
	readonly q: readonly number[];
	readonly v: readonly number[];
	readonly a: readonly number[];
	readonly link_placements: readonly {
		readonly position: readonly number[];
		readonly quaternion_xyzw: readonly number[];
		readonly rotation: readonly (readonly number[])[];
	}[];
	readonly link_velocities: readonly (readonly number[])[];
	readonly joint_jacobians: readonly (readonly (readonly number[])[])[];
	readonly mass_matrix: readonly (readonly number[])[];
	readonly bias: readonly number[];
	readonly gravity: readonly number[];
	readonly inverse_dynamics: readonly number[];
	readonly forward_dynamics_error: number;
	readonly com: readonly number[];
	readonly centroidal_momentum: readonly number[];
	readonly kinetic_energy: number;
	readonly potential_energy: number;
}

/** A file of format pinocchio-dump/1. */
export interface Dump {
	readonly model: string;
	readonly free_flyer: boolean;
	readonly mimic: boolean;
	readonly gravity_vector: readonly number[];
	readonly nq: number;
	readonly nv: number;
	readonly joints: readonly DumpJoint[];
	readonly links: readonly { readonly name: string; readonly joint: string }[];
	readonly limits: Readonly<Record<'lower' | 'upper' | 'effort' | 'velocity', readonly (number | string)[]>>;
	readonly damping: readonly number[];
	readonly friction: readonly number[];
	readonly total_mass: number;
	readonly moving_mass: number;
	readonly states: readonly DumpState[];
}

/** Reads a dump; a field that this suite does not know is an error, as is one that is missing. */
export function parseDump(json: unknown): Dump {
	const dump = object(json, 'the file', TOP);
	if (dump.format !== 'pinocchio-dump/1') throw new TypeError(`format is ${dump.format}, expected pinocchio-dump/1`);
	for (const joint of list(dump.joints, 'joints')) {
		object(object(joint, 'a joint', JOINT).body, 'a body', BODY);
	}
	for (const link of list(dump.links, 'links')) object(link, 'a link', LINK);
	object(dump.limits, 'limits', LIMITS);
	for (const state of list(dump.states, 'states')) {
		for (const placement of list(object(state, 'a state', STATE).link_placements, 'link_placements'))
			object(placement, 'a placement', PLACEMENT);
	}
	const parsed = dump as unknown as Dump;
	if (parsed.mimic)
		throw new TypeError('the dump has coupled mimic joints, which are constraints here and no part of the tree');
	return parsed;
}

const TOP =
	'damping engine format free_flyer friction gravity_vector joints limits links mimic model moving_mass nq nv seed states total_mass';
const JOINT = 'body idx_q idx_v name nq nv parent placement_rotation placement_translation type';
const BODY = 'com inertia_about_com mass';
const LINK = 'joint name';
const LIMITS = 'effort lower upper velocity';
const STATE =
	'a bias centroidal_momentum com forward_dynamics_error gravity inverse_dynamics joint_jacobians kinetic_energy link_placements link_velocities mass_matrix potential_energy q v';
const PLACEMENT = 'position quaternion_xyzw rotation';

function object(value: unknown, what: string, keys: string): JsonObject {
	if (!isObject(value)) throw new TypeError(`${what} is not an object`);
	const found = Object.keys(value).sort().join(' ');
	if (found !== keys) throw new TypeError(`${what} has the fields '${found}', expected '${keys}'`);
	return value;
}

function list(value: unknown, what: string): readonly unknown[] {
	if (!Array.isArray(value)) throw new TypeError(`${what} is not a list`);
	return value;
}
