import { InternalError } from '@manyworlds/core';
import type { MjData, MjModel } from './mujoco-module.ts';

/** Arrays of `mjModel` and `mjData` by name, live and writable until the memory of the engine grows. */
export type FieldOwner = MjModel | MjData;

/** An array of doubles. */
export function doubleField(owner: FieldOwner, name: string): Float64Array {
	return fieldOf(owner, name, Float64Array);
}

/** An array of integers. */
export function intField(owner: FieldOwner, name: string): Int32Array {
	return fieldOf(owner, name, Int32Array);
}

/** Any array but a boolean one, undefined when there is none of that name. */
export function numberField(owner: FieldOwner, name: string): ArrayLike<number> | undefined {
	const view: unknown = Reflect.get(owner, name);
	return ArrayBuffer.isView(view) && !(view instanceof DataView) ? (view as unknown as ArrayLike<number>) : undefined;
}

/**
 * An array of booleans, one byte each. The package cannot give a view of these (reading them throws), but all arrays of
 * a struct lie one behind the other at multiples of 64 bytes, so the address follows from the array before.
 */
export function boolField(owner: FieldOwner, name: string): Uint8Array {
	const before = BOOLEAN_FIELDS[name];
	if (before === undefined) throw new InternalError(`'${name}' is not a boolean array of MuJoCo`);
	const count = Number(Reflect.get(owner, before.count) ?? 0);
	const isBoolean = before.after in BOOLEAN_FIELDS;
	const previous = isBoolean ? boolField(owner, before.after) : (numberField(owner, before.after) as Float64Array);
	const start = Math.ceil((previous.byteOffset + previous.byteLength) / ALIGNMENT) * ALIGNMENT;
	return new Uint8Array(previous.buffer, start, count);
}

const ALIGNMENT = 64;

/** The array before each boolean one and its length (`mjxmacro.h` of 3.14). */
const BOOLEAN_FIELDS: Readonly<Record<string, { readonly after: string; readonly count: string }>> = {
	jnt_limited: { after: 'jnt_group', count: 'njnt' },
	jnt_actfrclimited: { after: 'jnt_limited', count: 'njnt' },
	jnt_actgravcomp: { after: 'jnt_actfrclimited', count: 'njnt' },
	eq_active0: { after: 'eq_objtype', count: 'neq' },
	tendon_limited: { after: 'ten_J_colind', count: 'ntendon' },
	tendon_actfrclimited: { after: 'tendon_limited', count: 'ntendon' },
	actuator_actlimited: { after: 'actuator_biasprm', count: 'nactuator' },
	actuator_actearly: { after: 'actuator_actrange', count: 'nactuator' },
	actuator_forcelimited: { after: 'actuator_plugin', count: 'nactuator' },
	actuator_ctrllimited: { after: 'actuator_forcerange', count: 'nu' },
};

/** Names of the boolean arrays that {@link boolField} knows. */
export const BOOLEAN_FIELD_NAMES: ReadonlySet<string> = new Set(Object.keys(BOOLEAN_FIELDS));

/** Which equalities are on, in `mjData`; `count` of the model, because data does not know it. */
export function activeEqualities(data: MjData, count: number): Uint8Array {
	const previous = doubleField(data, 'xfrc_applied');
	const start = Math.ceil((previous.byteOffset + previous.byteLength) / ALIGNMENT) * ALIGNMENT;
	return new Uint8Array(previous.buffer, start, count);
}

function fieldOf<T extends Float64Array | Int32Array>(
	owner: FieldOwner,
	name: string,
	type: { new (length: number): T },
): T {
	const view: unknown = Reflect.get(owner, name);
	if (!(view instanceof type)) throw new InternalError(`MuJoCo has no array '${name}' of this type`);
	return view;
}
