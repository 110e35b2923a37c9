import { readFileSync } from 'node:fs';
import { GeoType } from '@manyworlds/model';
import { expectedNumbers } from '../../src/newton/compare-numbers.ts';
import type { Repair } from '../../src/newton/model-differences.ts';
import { pathOf } from './call-importer.ts';
import type { RepairInput } from './repairs.ts';

/** Half turns about the axes of a box, x y z w, and none. */
const HALF_TURNS = [
	[0, 0, 0, 1],
	[1, 0, 0, 0],
	[0, 1, 0, 0],
	[0, 0, 1, 0],
] as const;

/**
 * Primitives that MJCF fits to a mesh lie along its principal axes. The signs of these are arbitrary, and the reference takes
 * those of its linear algebra: a shape of the same size is the same after a half turn about one of its axes. It also turns
 * by the inverse of the rotation to the axes (MuJoCo 3.14 gives ours for the same file). So the nearest to ours counts as
 * right among the rotation and its inverse, each with the half turns.
 */
export function* fittedShapes({ it, context, model, expected }: RepairInput): Iterable<readonly [string, Repair]> {
	const array = expected.arrays.shape_transform;
	const isFitted = it.steps.some(
		(step) => step.call === 'add_mjcf' && fitsPrimitives(readFileSync(pathOf(step, it.folder, context), 'utf8')),
	);
	if (array === undefined || !isFitted) return;
	const reference = expectedNumbers(array);
	if (reference.length !== model.shapeTransform.length) return;
	const right = [...reference];
	model.shapeType.forEach((type, shape) => {
		const isSymmetric =
			type === GeoType.BOX || type === GeoType.ELLIPSOID || type === GeoType.CAPSULE || type === GeoType.CYLINDER;
		if (!isSymmetric) return;
		const q = reference.slice(7 * shape + 3, 7 * shape + 7);
		const ours = model.shapeTransform.slice(7 * shape + 3, 7 * shape + 7);
		let best = q;
		const inverse = [-q[0]!, -q[1]!, -q[2]!, q[3]!];
		for (const turned of [q, inverse].flatMap((base) => HALF_TURNS.map((turn) => product(base, turn)))) {
			if (Math.abs(dot(turned, ours)) > Math.abs(dot(best, ours)) + 1e-6) best = turned;
		}
		// a quaternion and its negative are one rotation
		const sign = dot(best, ours) < 0 ? -1 : 1;
		for (let k = 0; k < 4; k++) right[7 * shape + 3 + k] = sign * best[k]!;
	});
	yield ['shape_transform', { right, reference }];
}

/** Whether a geom has a mesh and the type of a primitive. */
function fitsPrimitives(text: string): boolean {
	return [...text.matchAll(/<geom\b[^>]*>/g)].some(
		([tag]) => /\bmesh\s*=/.test(tag) && /\btype\s*=\s*["'](box|ellipsoid|capsule|cylinder)["']/.test(tag),
	);
}

function product(a: readonly number[], b: readonly number[]): number[] {
	const [ax, ay, az, aw] = a as [number, number, number, number];
	const [bx, by, bz, bw] = b as [number, number, number, number];
	return [
		aw * bx + ax * bw + ay * bz - az * by,
		aw * by - ax * bz + ay * bw + az * bx,
		aw * bz + ax * by - ay * bx + az * bw,
		aw * bw - ax * bx - ay * by - az * bz,
	];
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
	return a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]! + a[3]! * b[3]!;
}
