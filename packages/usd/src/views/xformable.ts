import { quote } from '@manyworlds/core';
import { mat4Multiply } from '@manyworlds/core/internal';
import { dataOf } from '../sdf/value.ts';
import { T } from '../sdf/value-type.ts';
import type { Prim } from '../usd/prim.ts';
import { identityMatrix, isIdentityMatrix } from './matrix.ts';
import { reportFinding, type ViewOptions } from './view-report.ts';
import { areInverseOps, RESET_XFORM_STACK, XformOp, xformOpKind } from './xform-op.ts';

/** A transform from a prim's space to that of its parent. */
export interface LocalTransform {
	/** 16 doubles, row by row; points are rows. */
	readonly matrix: Float64Array;
	/** Whether the transforms of all ancestors are dropped. */
	readonly resetsXformStack: boolean;
}

/** The operations of a prim in the order in which they are listed: the first one is applied last. */
export interface XformOpList {
	readonly ops: readonly XformOp[];
	readonly resetsXformStack: boolean;
}

/** Whether a prim has a transform of its own. */
export function isXformable(prim: Prim): boolean {
	return prim.isA('Xformable');
}

/**
 * The operations that `xformOpOrder` lists. Those before the last `!resetXformStack!` do not count; entries that name
 * nothing usable are reported and left out.
 */
export function xformOps(prim: Prim, options: ViewOptions = {}): XformOpList {
	const order = dataOf(prim.attribute('xformOpOrder').get(), T.token.array) ?? [];
	const start = order.lastIndexOf(RESET_XFORM_STACK) + 1;
	const ops: XformOp[] = [];
	const seen = new Set<string>();
	for (const name of order.slice(start)) {
		const op = makeOp(prim, name, options);
		if (op === undefined) continue;
		if (seen.has(name)) reportFinding('VIEW001', prim, `${quote(name)} is listed twice in xformOpOrder`, options);
		seen.add(name);
		ops.push(op);
	}
	return { ops, resetsXformStack: start > 0 };
}

/** The transform of a prim to its parent at a time; the identity for prims that have none. */
export function localTransform(prim: Prim, options: ViewOptions = {}): LocalTransform {
	const matrix = identityMatrix();
	const order = isXformable(prim) ? dataOf(prim.attribute('xformOpOrder').get(), T.token.array) : undefined;
	if (order === undefined) return { matrix, resetsXformStack: false };
	// points are rows: what stands last in the order is applied first
	for (let i = order.length - 1; i >= 0; i--) {
		const name = order[i]!;
		if (i > 0 && areInverseOps(name, order[i - 1]!)) {
			i--;
			continue;
		}
		if (name === RESET_XFORM_STACK) return { matrix, resetsXformStack: true };
		const op = makeOp(prim, name, options);
		if (op === undefined) continue;
		const step = op.matrix(options.time);
		if (step === undefined) {
			const type = op.attribute.typeName;
			reportFinding('VIEW001', prim, `${quote(name)} is of type ${quote(type)}, which its kind cannot take`, options);
		} else if (!isIdentityMatrix(step)) {
			mat4Multiply(matrix, matrix, step);
		}
	}
	return { matrix, resetsXformStack: false };
}

/** Whether the transform may differ between times. */
export function isTransformAnimated(prim: Prim): boolean {
	return isXformable(prim) && xformOps(prim).ops.some((op) => op.attribute.mightBeTimeVarying);
}

/**
 * Times at which some operation of the prim has a sample, ascending.
 * @example
 * ```ts
 * const last = transformTimeSamples(prim).at(-1); // in time codes of the stage
 * ```
 */
export function transformTimeSamples(prim: Prim): number[] {
	if (!isXformable(prim)) return [];
	const times = new Set<number>();
	for (const op of xformOps(prim).ops) for (const time of op.attribute.timeSamples()) times.add(time);
	return [...times].sort((a, b) => a - b);
}

function makeOp(prim: Prim, name: string, options: ViewOptions): XformOp | undefined {
	const kind = xformOpKind(name);
	const op = kind === undefined ? undefined : new XformOp(prim, name, kind);
	if (op?.attribute.isDefined === true) return op;
	const reason = op === undefined ? 'which is no transform operation' : 'but there is no such attribute';
	reportFinding('VIEW001', prim, `xformOpOrder lists ${quote(name)}, ${reason}`, options);
	return undefined;
}
