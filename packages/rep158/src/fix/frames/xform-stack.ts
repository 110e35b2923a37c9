import { eigenSymmetric3 } from '@manyworlds/core/internal';
import { makeValue, type Prim, T, type Value } from '@manyworlds/usd';
import { dataOf, RESET_XFORM_STACK, type SpecSite, XFORM_OP_KINDS, xformOps } from '@manyworlds/usd/internal';
import { numbersOf } from '../../asset/read-values.ts';
import type { RepCode } from '../../diagnostics.ts';
import type { FixSession } from '../engine/fix-session.ts';
import {
	affine,
	multiply3,
	quaternionOf,
	rotationOf,
	type SplitMatrix,
	splitMatrix,
	stretchKind,
	transpose3,
} from '../engine/linear.ts';
import type { Proposals } from '../engine/proposals.ts';
import { fieldSite, propertySite } from '../engine/sites.ts';

/** The transform of a prim as REP 1.1 writes it. Rotations are quaternions x, y, z, w. */
export interface StackParts {
	readonly translate: Float64Array;
	readonly orient: Float64Array;
	/** Present on leaves only; acts first, after `stretchOrient`. */
	readonly scale?: Float64Array;
	/** Turns the axes along which the scale acts. */
	readonly stretchOrient?: Float64Array;
}

/** What `xformOpOrder` of a rigid body must be. */
export const RIGID_ORDER: readonly string[] = ['xformOp:translate', 'xformOp:orient'];
const STRETCH_ORIENT = 'xformOp:orient:stretch';
const EULER = /^(?:!invert!)?xformOp:rotate/;
const SCALE = /^(?:!invert!)?xformOp:scale/;

/** Entries of a prim's `xformOpOrder`. */
export function orderOf(prim: Prim): readonly string[] {
	return dataOf(prim.attribute('xformOpOrder').get(), T.token.array) ?? [];
}

export function hasEulerOps(order: readonly string[]): boolean {
	return order.some((name) => EULER.test(name));
}

export function hasMatrixOps(order: readonly string[]): boolean {
	return order.some((name) => /^(?:!invert!)?xformOp:transform(?::|$)/.test(name));
}

export function hasScaleOps(order: readonly string[]): boolean {
	return order.some((name) => SCALE.test(name));
}

/** Names of all transform attributes that a prim has, listed in its order or not. */
export function xformAttributes(prim: Prim): string[] {
	return prim.authoredPropertyNames().filter((name) => {
		const kind = /^xformOp:([A-Za-z]+)(?::|$)/.exec(name)?.[1];
		return kind !== undefined && (XFORM_OP_KINDS as readonly string[]).includes(kind);
	});
}

/** A matrix as translation and rotation, with what is left of it. Undefined when it flattens space or is no matrix of a pose. */
export function rigidParts(matrix: Float64Array): { parts: StackParts; split: SplitMatrix } | undefined {
	const split = splitMatrix(matrix);
	if (split === undefined) return undefined;
	return { parts: { translate: split.translation, orient: split.orient }, split };
}

/**
 * A matrix as a stack for a leaf: translation, rotation, and scale along the axes, or along turned axes when it shears. Whatever
 * the matrix is, the stack reproduces it.
 */
export function leafParts(matrix: Float64Array): StackParts | undefined {
	const split = splitMatrix(matrix);
	if (split === undefined) return undefined;
	const { stretch, rotation, translation } = split;
	const kind = stretchKind(stretch, 1e-12);
	if (kind === 'identity') return { translate: translation, orient: split.orient };
	if (kind !== 'general') {
		const scale = Float64Array.of(stretch[0]!, stretch[4]!, stretch[8]!);
		return { translate: translation, orient: split.orient, scale };
	}
	// P = Vᵀ · S · V with the eigenvectors as rows of V: turn by Vᵀ, scale, turn by V · Q
	const values = new Float64Array(3);
	const vectors = new Float64Array(9);
	eigenSymmetric3(values, vectors, stretch);
	return {
		translate: translation,
		stretchOrient: quaternionOf(transpose3(vectors)),
		scale: values,
		orient: quaternionOf(multiply3(vectors, rotation)),
	};
}

/** The matrix that a stack stands for, as a reader computes it. */
export function stackMatrix(parts: StackParts): Float64Array {
	let linear = rotationOf(parts.orient);
	if (parts.scale !== undefined) {
		const [x, y, z] = parts.scale as unknown as [number, number, number];
		linear = multiply3(Float64Array.of(x, 0, 0, 0, y, 0, 0, 0, z), linear);
	}
	if (parts.stretchOrient !== undefined) linear = multiply3(rotationOf(parts.stretchOrient), linear);
	return affine(linear, parts.translate);
}

/** Where the transform of a prim is written: with its order, else with one of its operations. */
export function xformSite(session: FixSession, prim: Prim): SpecSite | undefined {
	const order = propertySite(session, prim, 'xformOpOrder');
	if (order !== undefined) return order;
	for (const name of xformAttributes(prim)) {
		const site = propertySite(session, prim, name);
		if (site !== undefined) return site;
	}
	return fieldSite(session, prim, 'typeName');
}

/**
 * Proposes a new stack for a prim. Operations whose values are right already keep them, and with `isRigidKept` translation and
 * rotation keep theirs whatever rounding says.
 */
export function proposeStack(
	session: FixSession,
	proposals: Proposals,
	prim: Prim,
	rule: RepCode,
	parts: StackParts,
	samples: readonly (readonly [time: number, parts: StackParts])[] = [],
	isRigidKept = false,
): void {
	const site = xformSite(session, prim);
	const order: string[] = xformOps(prim).resetsXformStack ? [RESET_XFORM_STACK] : [];
	const kept = new Set<string>();
	const put = (name: string, of: (stack: StackParts) => Float64Array | undefined): void => {
		const value = of(parts);
		if (value === undefined && !samples.some(([, stack]) => of(stack) !== undefined)) return;
		order.push(name);
		kept.add(name);
		const isOrient = name.startsWith('xformOp:orient');
		const make = (numbers: Float64Array | undefined): Value => {
			const data = numbers ?? (isOrient ? Float64Array.of(0, 0, 0, 1) : Float64Array.of(1, 1, 1));
			return makeValue(
				isOrient ? T.quatd : T.double3,
				Float64Array.from(data, (x) => x + 0),
			) as Value;
		};
		if (isRigidKept && RIGID_ORDER.includes(name) && prim.attribute(name).hasAuthoredValue) return;
		if (samples.length === 0 && isUnchanged(prim, name, make(value))) return;
		proposals.set(
			prim,
			name,
			{
				rule,
				typeName: isOrient ? 'quatd' : 'double3',
				value: make(value),
				...(samples.length > 0 && { samples: samples.map(([time, stack]) => [time, make(of(stack))] as const) }),
			},
			site,
		);
	};
	put('xformOp:translate', (stack) => stack.translate);
	put('xformOp:orient', (stack) => stack.orient);
	put('xformOp:scale', (stack) => stack.scale);
	put(STRETCH_ORIENT, (stack) => stack.stretchOrient);
	const present = orderOf(prim);
	if (present.length !== order.length || present.some((name, i) => name !== order[i])) {
		const value = makeValue(T.token.array, order) as Value;
		proposals.set(prim, 'xformOpOrder', { rule, typeName: 'token[]', variability: 'uniform', value }, site);
	}
	for (const name of xformAttributes(prim)) if (!kept.has(name)) proposals.remove(prim, name, rule);
}

/** Whether an operation has this value already, to the precision in which it is stored, and does not vary. */
function isUnchanged(prim: Prim, name: string, value: Value): boolean {
	const attribute = prim.attribute(name);
	if (
		!attribute.hasAuthoredValue ||
		attribute.timeSamples().length > 0 ||
		attribute.resolveInfo().source === 'spline'
	) {
		return false;
	}
	const present = attribute.get();
	const old = numbersOf(present);
	const now = numbersOf(value)!;
	if (old === undefined || old.length !== now.length) return false;
	const isQuaternion = now.length === 4;
	if (isQuaternion) {
		const length = Math.hypot(...old);
		const sign = old[0]! * now[0]! + old[1]! * now[1]! + old[2]! * now[2]! + old[3]! * now[3]! < 0 ? -1 : 1;
		// readers differ in what they make of a quaternion that is not of unit length
		if (Math.abs(length - 1) > 1e-6) return false;
		return now.every((x, i) => Math.abs(x - (old[i]! * sign) / length) <= 1e-12);
	}
	return now.every((x, i) => x === old[i]);
}
