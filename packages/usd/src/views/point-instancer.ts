import { quote } from '@manyworlds/core';
import type { Path } from '../sdf/path.ts';
import { dataOf } from '../sdf/value.ts';
import { T } from '../sdf/value-type.ts';
import type { Prim } from '../usd/prim.ts';
import { identityMatrix, multiplyMatrices, quaternionMatrix, scaleMatrix } from './matrix.ts';
import { readInts, readTuples } from './read-values.ts';
import { reportFinding, type ViewOptions } from './view-report.ts';
import { localTransform } from './xformable.ts';

/** How the instances of a point instancer are given. */
export interface PointInstanceOptions extends ViewOptions {
	/** Whether the transform of the root of each prototype comes first. */
	readonly includePrototypeTransform?: boolean;
	/** Whether inactive and invisible instances are left out. */
	readonly applyMask?: boolean;
}

/** Values of {@link PointInstanceOptions} that are used when absent. */
export const POINT_INSTANCE_DEFAULTS: Required<Omit<PointInstanceOptions, keyof ViewOptions>> = {
	includePrototypeTransform: true,
	applyMask: true,
};

/** The instances of a point instancer. */
export interface PointInstances {
	/** Paths of the prototypes. */
	readonly prototypes: readonly Path[];
	/** For each instance, which prototype. */
	readonly prototypeIndices: Int32Array;
	/** For each instance its id, or its number when there are no ids. */
	readonly ids: BigInt64Array;
	/** For each instance 16 doubles: to the space of the instancer. */
	readonly transforms: Float64Array;
}

/**
 * Whether each instance is shown: not in `inactiveIds`, not in `invisibleIds`. Undefined when all are.
 * @example
 * ```ts
 * const mask = pointInstanceMask(instancer);
 * const shown = mask?.reduce((sum, one) => sum + one, 0);
 * ```
 */
export function pointInstanceMask(prim: Prim, options: ViewOptions = {}): Uint8Array | undefined {
	const hidden = new Set<bigint>(dataOf(prim.attribute('invisibleIds').get(options.time), T.int64.array));
	const inactive = dataOf(prim.metadata('inactiveIds'), T.int64ListOp);
	for (const id of inactive?.explicitItems ?? []) hidden.add(BigInt(id));
	if (hidden.size === 0) return undefined;
	const ids = pointInstanceIds(prim, options);
	let isAnyHidden = false;
	const mask = new Uint8Array(ids.length);
	for (let i = 0; i < ids.length; i++) {
		mask[i] = hidden.has(ids[i]!) ? 0 : 1;
		isAnyHidden ||= mask[i] === 0;
	}
	return isAnyHidden ? mask : undefined;
}

/** The ids of the instances; their numbers when they have none. */
export function pointInstanceIds(prim: Prim, options: ViewOptions = {}): BigInt64Array {
	const ids = dataOf(prim.attribute('ids').get(options.time), T.int64.array);
	if (ids !== undefined) return ids;
	const count = readInts(prim, 'protoIndices', options.time)?.length ?? 0;
	return BigInt64Array.from({ length: count }, (_, i) => BigInt(i));
}

/** The prototypes and transforms of the instances at a time; undefined when the instancer contradicts itself. */
export function pointInstances(prim: Prim, options: PointInstanceOptions = {}): PointInstances | undefined {
	const { includePrototypeTransform, applyMask } = { ...POINT_INSTANCE_DEFAULTS, ...options };
	const { time } = options;
	const fail = (message: string): undefined => void reportFinding('VIEW002', prim, message, options);
	const indices = readInts(prim, 'protoIndices', time);
	const positions = readTuples(prim, 'positions', 3, time);
	if (indices === undefined || positions === undefined)
		return fail('a point instancer needs protoIndices and positions');
	const count = indices.length;
	const prototypes = prim.relationship('prototypes').targets();
	for (const index of indices) {
		if (index < 0 || index >= prototypes.length) {
			return fail(`prototype index ${index} is not below the number of prototypes, ${prototypes.length}`);
		}
	}
	const scales = readTuples(prim, 'scales', 3, time);
	// the array of floats is preferred over the one of halfs
	const precise = readTuples(prim, 'orientationsf', 4, time);
	const orientations =
		precise !== undefined && precise.length > 0 ? precise : readTuples(prim, 'orientations', 4, time);
	for (const [name, array, width] of [
		['positions', positions, 3],
		['scales', scales, 3],
		['orientations', orientations, 4],
	] as const) {
		const length = (array?.length ?? 0) / width;
		if (length !== count && (length !== 0 || name === 'positions')) {
			return fail(`${name} has ${length} entries for ${count} instances`);
		}
	}
	const roots = includePrototypeTransform ? prototypeTransforms(prim, prototypes, options) : undefined;
	const mask = applyMask ? pointInstanceMask(prim, options) : undefined;
	if (mask !== undefined && mask.length !== count) return fail(`there are ${mask.length} ids for ${count} instances`);

	const ids = pointInstanceIds(prim, options);
	const kept: number[] = [];
	for (let i = 0; i < count; i++) if (mask === undefined || mask[i] === 1) kept.push(i);
	const transforms = new Float64Array(kept.length * 16);
	kept.forEach((i, at) => {
		let matrix = identityMatrix();
		if (scales !== undefined && scales.length > 0) {
			matrix = scaleMatrix(scales[i * 3]!, scales[i * 3 + 1]!, scales[i * 3 + 2]!);
		}
		if (orientations !== undefined && orientations.length > 0) {
			matrix = multiplyMatrices(matrix, quaternionMatrix(orientations.subarray(i * 4, i * 4 + 4)));
		}
		for (let axis = 0; axis < 3; axis++) matrix[12 + axis] = positions[i * 3 + axis]!;
		const root = roots?.[indices[i]!];
		transforms.set(root === undefined ? matrix : multiplyMatrices(root, matrix), at * 16);
	});
	return {
		prototypes,
		prototypeIndices: Int32Array.from(kept, (i) => indices[i]!),
		ids: BigInt64Array.from(kept, (i) => ids[i] ?? BigInt(i)),
		transforms,
	};
}

function prototypeTransforms(
	prim: Prim,
	prototypes: readonly Path[],
	options: ViewOptions,
): (Float64Array | undefined)[] {
	return prototypes.map((path) => {
		const prototype = prim.stage.prim(path);
		if (prototype !== undefined) return localTransform(prototype, options).matrix;
		reportFinding('VIEW002', prim, `prototype ${quote(path.toString())} does not exist`, options);
		return undefined;
	});
}
