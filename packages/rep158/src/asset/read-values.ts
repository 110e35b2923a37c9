import { halfToNumber } from '@manyworlds/core/internal';
import { type Prim, T, type Value } from '@manyworlds/usd';
import { dataOf } from '@manyworlds/usd/internal';

/** A number attribute of any precision; undefined without a value or of another type. */
export function readNumber(prim: Prim, name: string, time?: number): number | undefined {
	return numberOf(prim.attribute(name).get(time));
}

/** The number that a value holds. */
export function numberOf(value: Value | undefined): number | undefined {
	return typeof value?.data === 'number' ? value.data : undefined;
}

/** A number that some layer gives, not a fallback. */
export function authoredNumber(prim: Prim, name: string): number | undefined {
	return prim.attribute(name).hasAuthoredValue ? readNumber(prim, name) : undefined;
}

/** A bool attribute; undefined without a value. */
export function readBool(prim: Prim, name: string): boolean | undefined {
	return dataOf(prim.attribute(name).get(), T.bool);
}

/** A token or string attribute; undefined without a value. */
export function readText(prim: Prim, name: string): string | undefined {
	const value = prim.attribute(name).get();
	return dataOf(value, T.token) ?? dataOf(value, T.string);
}

/** Components of a value as doubles: one tuple, or an array of them. Quaternions are x, y, z, w. */
export function numbersOf(value: Value | undefined): Float64Array | undefined {
	const data = value?.data;
	if (typeof data === 'number') return Float64Array.of(data);
	if (data instanceof Float64Array || data instanceof Float32Array || data instanceof Int32Array) {
		return Float64Array.from(data);
	}
	if (data instanceof Uint16Array && value!.type.component === 'half') return Float64Array.from(data, halfToNumber);
	return undefined;
}

/** The components of a tuple attribute as doubles; undefined for values of another width and for arrays. Quaternions are x, y, z, w. */
export function readTuple(prim: Prim, name: string, width: number): Float64Array | undefined {
	const value = prim.attribute(name).get();
	return value === undefined || value.type.isArray || value.type.width !== width ? undefined : numbersOf(value);
}

/** Components of an attribute as doubles. */
export function readNumbers(prim: Prim, name: string, time?: number): Float64Array | undefined {
	return numbersOf(prim.attribute(name).get(time));
}

/** Components of an attribute that some layer gives. */
export function authoredNumbers(prim: Prim, name: string): Float64Array | undefined {
	return prim.attribute(name).hasAuthoredValue ? readNumbers(prim, name) : undefined;
}

/** API schemas of a prim that layers apply, known ones with what they bring along. */
export function hasSchema(prim: Prim, schema: string): boolean {
	return prim.hasSchema(schema) || (prim.authoredSchemas?.includes(schema) ?? false);
}

/** Whether a prim is a rigid body that is not switched off. */
export function isBody(prim: Prim): boolean {
	return hasSchema(prim, 'PhysicsRigidBodyAPI') && readBool(prim, 'physics:rigidBodyEnabled') !== false;
}

export function isJoint(prim: Prim): boolean {
	return prim.isA('PhysicsJoint');
}

/** Whether a prim collides. */
export function isCollider(prim: Prim): boolean {
	return hasSchema(prim, 'PhysicsCollisionAPI') && readBool(prim, 'physics:collisionEnabled') !== false;
}

/** The body that a prim moves with: itself or the nearest above it. */
export function bodyOf(prim: Prim | undefined): Prim | undefined {
	for (let at = prim; at !== undefined && !at.isPseudoRoot; at = at.parent) if (isBody(at)) return at;
	return undefined;
}
