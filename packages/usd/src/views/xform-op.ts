import type { Value } from '../sdf/value.ts';
import type { Attribute } from '../usd/attribute.ts';
import type { Prim } from '../usd/prim.ts';
import {
	axisAngleQuaternion,
	identityMatrix,
	invertMatrix,
	multiplyMatrices,
	quaternionMatrix,
	rotationOfQuaternion,
	scaleMatrix,
	translationMatrix,
} from './matrix.ts';
import { numberOf, tupleOf } from './read-values.ts';

/** Kinds of transform operations. */
export const XFORM_OP_KINDS = [
	'translateX',
	'translateY',
	'translateZ',
	'translate',
	'scaleX',
	'scaleY',
	'scaleZ',
	'scale',
	'rotateX',
	'rotateY',
	'rotateZ',
	'rotateXYZ',
	'rotateXZY',
	'rotateYXZ',
	'rotateYZX',
	'rotateZXY',
	'rotateZYX',
	'orient',
	'transform',
] as const;
/** A kind of transform operation. */
export type XformOpKind = (typeof XFORM_OP_KINDS)[number];

/** Entry of `xformOpOrder` that drops the transforms of all ancestors. */
export const RESET_XFORM_STACK = '!resetXformStack!';
const INVERT = '!invert!';
const NAMESPACE = 'xformOp:';

/** One operation of a transformable prim, as its order lists it. */
export class XformOp {
	readonly prim: Prim;
	/** The entry of the order: `xformOp:translate:pivot`, `!invert!xformOp:translate:pivot`. */
	readonly name: string;
	readonly attributeName: string;
	readonly kind: XformOpKind;
	readonly isInverse: boolean;

	constructor(prim: Prim, name: string, kind: XformOpKind) {
		this.prim = prim;
		this.name = name;
		this.kind = kind;
		this.isInverse = name.startsWith(INVERT);
		this.attributeName = this.isInverse ? name.slice(INVERT.length) : name;
	}

	get attribute(): Attribute {
		return this.prim.attribute(this.attributeName);
	}

	/** What follows the kind: `pivot` of `xformOp:translate:pivot`. */
	get suffix(): string {
		return this.attributeName.slice(NAMESPACE.length + this.kind.length + 1);
	}

	/** The value that is stored; an inverse operation stores the value that it undoes. */
	value(time?: number): Value | undefined {
		return this.attribute.get(time);
	}

	/** Its matrix at a time: the identity without a value, undefined when the value is none that its kind takes. */
	matrix(time?: number): Float64Array | undefined {
		const value = this.value(time);
		return value === undefined ? identityMatrix() : xformOpMatrix(this.kind, value, this.isInverse);
	}
}

/** The kind that an attribute name or an entry of an order stands for; undefined for other names. */
export function xformOpKind(name: string): XformOpKind | undefined {
	const bare = name.startsWith(INVERT) ? name.slice(INVERT.length) : name;
	if (!bare.startsWith(NAMESPACE)) return undefined;
	const end = bare.indexOf(':', NAMESPACE.length);
	const kind = bare.slice(NAMESPACE.length, end < 0 ? bare.length : end);
	return KINDS.has(kind) ? (kind as XformOpKind) : undefined;
}

/** Whether one entry of an order undoes the other. */
export function areInverseOps(a: string, b: string): boolean {
	return a === INVERT + b || b === INVERT + a;
}

/** The name of an operation in an order. */
export function xformOpName(kind: XformOpKind, suffix: string = '', isInverse: boolean = false): string {
	return (isInverse ? INVERT : '') + NAMESPACE + kind + (suffix === '' ? '' : `:${suffix}`);
}

/** The matrix of an operation; undefined when the value is none that the kind takes. */
export function xformOpMatrix(kind: XformOpKind, value: Value, isInverse: boolean = false): Float64Array | undefined {
	if (kind === 'transform') {
		const matrix = tupleOf(value, 16);
		return matrix === undefined || !isInverse ? matrix : invertMatrix(matrix).matrix;
	}
	if (kind === 'orient') return orientMatrix(tupleOf(value, 4), value, isInverse);
	const number = numberOf(value);
	if (number !== undefined) return scalarMatrix(kind, number, isInverse);
	const vector = tupleOf(value, 3);
	return vector === undefined ? undefined : vectorMatrix(kind, vector, isInverse);
}

function orientMatrix(
	quaternion: Float64Array | undefined,
	value: Value,
	isInverse: boolean,
): Float64Array | undefined {
	if (quaternion === undefined || value.type.shape !== 'quaternion') return undefined;
	const { axis, degrees } = rotationOfQuaternion(quaternion);
	return quaternionMatrix(axisAngleQuaternion(axis, isInverse ? -degrees : degrees));
}

function scalarMatrix(kind: XformOpKind, number: number, isInverse: boolean): Float64Array | undefined {
	const axis = AXES.get(kind);
	if (axis === undefined) return undefined;
	if (kind.startsWith('rotate')) return quaternionMatrix(axisTurn(axis, isInverse ? -number : number));
	if (kind.startsWith('translate')) {
		const matrix = identityMatrix();
		matrix[12 + axis] = isInverse ? -number : number;
		return matrix;
	}
	// OpenUSD 26.11 takes the negative factor for the inverse, which undoes nothing
	const matrix = identityMatrix();
	matrix[axis * 5] = isInverse ? 1 / number : number;
	return matrix;
}

function vectorMatrix(kind: XformOpKind, vector: Float64Array, isInverse: boolean): Float64Array | undefined {
	const [x, y, z] = vector as unknown as [number, number, number];
	if (kind === 'translate') return isInverse ? translationMatrix(-x, -y, -z) : translationMatrix(x, y, z);
	if (kind === 'scale') return isInverse ? scaleMatrix(1 / x, 1 / y, 1 / z) : scaleMatrix(x, y, z);
	const order = TURNS.get(kind);
	if (order === undefined) return undefined;
	const turns = order.map((axis) => quaternionMatrix(axisTurn(axis, isInverse ? -vector[axis]! : vector[axis]!)));
	if (isInverse) turns.reverse();
	return multiplyMatrices(multiplyMatrices(turns[0]!, turns[1]!), turns[2]!);
}

function axisTurn(axis: number, degrees: number): Float64Array {
	return axisAngleQuaternion(UNITS[axis]!, degrees);
}

const KINDS: ReadonlySet<string> = new Set(XFORM_OP_KINDS);
const UNITS: readonly (readonly number[])[] = [
	[1, 0, 0],
	[0, 1, 0],
	[0, 0, 1],
];
const AXES: ReadonlyMap<string, number> = new Map(
	['translate', 'rotate', 'scale'].flatMap((kind) => ['X', 'Y', 'Z'].map((axis, i) => [kind + axis, i] as const)),
);
const TURNS: ReadonlyMap<string, readonly number[]> = new Map([
	['rotateXYZ', [0, 1, 2]],
	['rotateXZY', [0, 2, 1]],
	['rotateYXZ', [1, 0, 2]],
	['rotateYZX', [1, 2, 0]],
	['rotateZXY', [2, 0, 1]],
	['rotateZYX', [2, 1, 0]],
]);
