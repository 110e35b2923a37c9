import { GeoType, type Model } from '@manyworlds/model';
import { expectedNumbers } from '../../src/newton/compare-numbers.ts';
import type { Repair } from '../../src/newton/model-differences.ts';
import type { RepairInput } from './repairs.ts';

/** Hulls of a vertex budget depend on the algorithm: bounds may differ by this share of the size. */
const HULL = 0.05;
/** Single precision, with a few roundings. */
const ROUNDING = 5e-7;

const NAMES = [
	'shape_transform',
	'shape_scale',
	'shape_collision_aabb_lower',
	'shape_collision_aabb_upper',
	'shape_collision_radius',
] as const;

/**
 * Numbers of shapes that stand for the same geometry: boxes around meshes with their axes in another order, bounds of hulls
 * with a vertex budget, and poses in bodies far from the origin, which the reference takes through the world in single
 * precision. Rows of ours that are equal in this sense count as right.
 */
export function* approximatedShapes({ it, model, expected }: RepairInput): Iterable<readonly [string, Repair]> {
	if (it.expected.call !== 'add_usd') return;
	const reference = new Map(
		NAMES.flatMap((name) => {
			const array = expected.arrays[name];
			return array === undefined || 'sha256' in array ? [] : [[name as string, expectedNumbers(array)] as const];
		}),
	);
	if (reference.size !== NAMES.length) return;
	const right = new Map([...reference].map(([name, numbers]) => [name, [...numbers]]));
	const take = (name: string, shape: number): void => {
		const numbers = right.get(name)!;
		const ours = model.array(name);
		const width = numbers.length / model.shapeCount;
		for (let i = shape * width; i < (shape + 1) * width; i++) numbers[i] = ours[i]!;
	};
	for (let shape = 0; shape < model.shapeCount; shape++) {
		if (model.shapeType[shape] === GeoType.BOX && isSameBox(model, reference, shape))
			for (const name of NAMES) take(name, shape);
		if (model.shapeType[shape] === GeoType.CONVEX_MESH && isNearHull(model, reference, shape)) {
			for (const name of NAMES.slice(2)) take(name, shape);
		}
		if (isRounded(model, reference.get('shape_transform')!, shape)) take('shape_transform', shape);
	}
	for (const [name, numbers] of right) yield [name, { right: numbers, reference: reference.get(name)! }];
}

/** Whether two boxes have the same corners. */
function isSameBox(model: Model, reference: ReadonlyMap<string, readonly number[]>, shape: number): boolean {
	const half = reference.get('shape_scale')!.slice(3 * shape, 3 * shape + 3);
	const ours = cornersOf(
		model.shapeTransform.subarray(7 * shape, 7 * shape + 7),
		model.shapeScale.subarray(3 * shape, 3 * shape + 3),
	);
	const theirs = cornersOf(reference.get('shape_transform')!.slice(7 * shape, 7 * shape + 7), half);
	const size = Math.max(...half);
	return ours.every((corner) =>
		theirs.some(
			(other) => Math.hypot(corner[0]! - other[0]!, corner[1]! - other[1]!, corner[2]! - other[2]!) <= 2e-5 * size,
		),
	);
}

function cornersOf(pose: ArrayLike<number>, half: ArrayLike<number>): number[][] {
	const [x, y, z, w] = [pose[3]!, pose[4]!, pose[5]!, pose[6]!];
	const rows = [
		[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
		[2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
		[2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
	];
	return [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => {
		const local = [0, 1, 2].map((axis) => ((bits >> axis) & 1 ? 1 : -1) * half[axis]!);
		return rows.map((row, i) => pose[i]! + row[0]! * local[0]! + row[1]! * local[1]! + row[2]! * local[2]!);
	});
}

function isNearHull(model: Model, reference: ReadonlyMap<string, readonly number[]>, shape: number): boolean {
	const radius = reference.get('shape_collision_radius')![shape]!;
	return NAMES.slice(2).every((name) => {
		const ours = model.array(name);
		const theirs = reference.get(name)!;
		const width = theirs.length / model.shapeCount;
		for (let i = shape * width; i < (shape + 1) * width; i++) {
			if (!(Math.abs(ours[i]! - theirs[i]!) <= 2 * HULL * radius)) return false;
		}
		return true;
	});
}

function isRounded(model: Model, reference: readonly number[], shape: number): boolean {
	const body = model.shapeBody[shape]!;
	if (body < 0) return false;
	const far = Math.hypot(...model.bodyQ.subarray(7 * body, 7 * body + 3));
	for (let i = 7 * shape; i < 7 * shape + 3; i++) {
		const difference = Math.abs(model.shapeTransform[i]! - reference[i]!);
		if (!(difference <= 1e-6 + 1e-5 * Math.abs(reference[i]!) + ROUNDING * far)) return false;
	}
	const turn = [3, 4, 5, 6].map((i) => [model.shapeTransform[7 * shape + i]!, reference[7 * shape + i]!] as const);
	const sign = turn.reduce((sum, [ours, theirs]) => sum + ours * theirs, 0) < 0 ? -1 : 1;
	return turn.every(([ours, theirs]) => Math.abs(ours - sign * theirs) <= 1e-5);
}
