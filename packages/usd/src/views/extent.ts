import type { Prim } from '../usd/prim.ts';
import type { AlignedBox } from './bounding-box.ts';
import { readNumber, readText, readTuples } from './read-values.ts';
import { reportFinding, type ViewOptions } from './view-report.ts';

const { fround } = Math;

/**
 * Whether a prim has an extent of its own, which covers everything below it.
 * @example
 * ```ts
 * const shapes = [...traverse(stage.pseudoRoot)].filter(isBoundable);
 * ```
 */
export function isBoundable(prim: Prim): boolean {
	return prim.isA('Boundable');
}

/**
 * The extent of a prim in its own space: the authored one, else the computed one; undefined when there is neither.
 * @example
 * ```ts
 * const extent = computeExtent(prim);
 * ```
 */
export function computeExtent(prim: Prim, options: ViewOptions = {}): AlignedBox | undefined {
	return authoredExtent(prim, options) ?? computeShapeExtent(prim, options);
}

/**
 * The extent that layers give.
 * @example
 * ```ts
 * const extent = authoredExtent(prim); // { min, max } in the space of the prim
 * ```
 */
export function authoredExtent(prim: Prim, options: ViewOptions = {}): AlignedBox | undefined {
	if (!prim.attribute('extent').hasAuthoredValue) return undefined;
	const extent = readTuples(prim, 'extent', 3, options.time);
	if (extent === undefined) return undefined;
	if (extent.length !== 6) {
		reportFinding('VIEW002', prim, `extent has ${extent.length / 3} points, expected 2`, options);
		return undefined;
	}
	return { min: Float64Array.from(extent.subarray(0, 3)), max: Float64Array.from(extent.subarray(3, 6)) };
}

/**
 * The extent that follows from the shape: spheres, boxes, meshes, curves, points, lights. In float precision, as stored.
 * @example
 * ```ts
 * const isStale = computeShapeExtent(prim)?.max[2] !== authoredExtent(prim)?.max[2];
 * ```
 */
export function computeShapeExtent(prim: Prim, options: ViewOptions = {}): AlignedBox | undefined {
	for (const [type, compute] of SHAPES) if (prim.isA(type)) return compute(prim, options.time);
	return undefined;
}

type Shape = (prim: Prim, time: number | undefined) => AlignedBox | undefined;

const SHAPES: readonly (readonly [type: string, compute: Shape])[] = [
	['Sphere', (prim, time) => symmetric(prim, time, ['radius'], ([r]) => [r!, r!, r!])],
	['Cube', (prim, time) => symmetric(prim, time, ['size'], ([size]) => [size! * 0.5, size! * 0.5, size! * 0.5])],
	['Cylinder', (prim, time) => round(prim, time, ['radius'], 0)],
	['Cylinder_1', (prim, time) => round(prim, time, ['radiusTop', 'radiusBottom'], 0)],
	['Cone', (prim, time) => round(prim, time, ['radius'], 0)],
	['Capsule', (prim, time) => round(prim, time, ['radius'], 1)],
	['Capsule_1', taperedCapsule],
	['Plane', plane],
	['Points', points],
	['Curves', curves],
	['PointBased', (prim, time) => boxOfPoints(readTuples(prim, 'points', 3, time))],
	['SphereLight', (prim, time) => symmetric(prim, time, ['inputs:radius'], ([r]) => [r!, r!, r!])],
	['DiskLight', (prim, time) => symmetric(prim, time, ['inputs:radius'], ([r]) => [r!, r!, 0])],
	['RectLight', rectangle],
	['PortalLight', rectangle],
	[
		'CylinderLight',
		(prim, time) => symmetric(prim, time, ['inputs:length', 'inputs:radius'], ([length, r]) => [length! * 0.5, r!, r!]),
	],
];

/** A box about the origin whose corner follows from number attributes. */
function symmetric(
	prim: Prim,
	time: number | undefined,
	names: readonly string[],
	corner: (values: readonly number[]) => readonly [number, number, number],
): AlignedBox | undefined {
	const values: number[] = [];
	for (const name of names) {
		const value = readNumber(prim, name, time);
		if (value === undefined) return undefined;
		values.push(value);
	}
	const max = Float64Array.from(corner(values), fround);
	return { min: max.map((x) => -x), max };
}

/** Shapes with an axis: the largest radius across it, half the height and perhaps a cap along it. */
function round(prim: Prim, time: number | undefined, radii: readonly string[], cap: number): AlignedBox | undefined {
	const axis = axisOf(prim, time);
	if (axis === undefined) return undefined;
	return symmetric(prim, time, ['height', ...radii], ([height, ...values]) => {
		const radius = Math.max(...values);
		const corner: [number, number, number] = [radius, radius, radius];
		corner[axis] = height! * 0.5 + cap * radius;
		return corner;
	});
}

/**
 * The radii of a tapered capsule are those of the circles where its cone meets the spheres at its ends: with a slope the
 * spheres are larger, and their centers lie towards the wider end.
 */
function taperedCapsule(prim: Prim, time: number | undefined): AlignedBox | undefined {
	const axis = axisOf(prim, time);
	const height = readNumber(prim, 'height', time);
	const top = readNumber(prim, 'radiusTop', time);
	const bottom = readNumber(prim, 'radiusBottom', time);
	if (axis === undefined || height === undefined || top === undefined || bottom === undefined || height < 0)
		return undefined;
	const slope = height === 0 ? 0 : (bottom - top) / height;
	const growth = Math.sqrt(1 + slope * slope);
	const radius = fround(Math.max(top, bottom) * growth);
	const max = new Float64Array(3).fill(radius);
	const min = max.map((x) => -x);
	max[axis] = fround(height * 0.5 - top * slope + top * growth);
	min[axis] = fround(-height * 0.5 - bottom * slope - bottom * growth);
	return { min, max };
}

function plane(prim: Prim, time: number | undefined): AlignedBox | undefined {
	const axis = axisOf(prim, time);
	if (axis === undefined) return undefined;
	return symmetric(prim, time, ['width', 'length'], ([width, length]) => {
		const w = width! * 0.5;
		const l = length! * 0.5;
		return axis === 0 ? [0, l, w] : axis === 1 ? [w, 0, l] : [w, l, 0];
	});
}

function rectangle(prim: Prim, time: number | undefined): AlignedBox | undefined {
	return symmetric(prim, time, ['inputs:width', 'inputs:height'], ([w, h]) => [w! * 0.5, h! * 0.5, 0]);
}

function points(prim: Prim, time: number | undefined): AlignedBox | undefined {
	const positions = readTuples(prim, 'points', 3, time);
	const widths = readTuples(prim, 'widths', 1, time);
	if (positions === undefined || widths === undefined) return boxOfPoints(positions);
	// sizes that do not fit leave the points without an extent
	if (widths.length * 3 !== positions.length) return undefined;
	const box = emptyBox();
	for (let i = 0; i < positions.length; i++) {
		const radius = fround(fround(widths[Math.floor(i / 3)]!) * 0.5);
		extend(box, i % 3, fround(positions[i]! - radius), fround(positions[i]! + radius));
	}
	return box;
}

function curves(prim: Prim, time: number | undefined): AlignedBox | undefined {
	const box = boxOfPoints(readTuples(prim, 'points', 3, time));
	if (box === undefined) return undefined;
	let width = 0;
	const widths = readTuples(prim, 'widths', 1, time);
	if (widths !== undefined && widths.length > 0) {
		width = widths[0]!;
		for (const w of widths) if (w > width) width = w;
	}
	const radius = fround(width * 0.5);
	return { min: box.min.map((x) => fround(x - radius)), max: box.max.map((x) => fround(x + radius)) };
}

/** The box of an array of points; empty without points, undefined without an array. */
export function boxOfPoints(positions: ArrayLike<number> | undefined): AlignedBox | undefined {
	if (positions === undefined) return undefined;
	const box = emptyBox();
	for (let i = 0; i + 2 < positions.length; i += 3) {
		for (let axis = 0; axis < 3; axis++) extend(box, axis, positions[i + axis]!, positions[i + axis]!);
	}
	return box;
}

/** A box that holds nothing. */
export function emptyBox(): AlignedBox {
	return {
		min: new Float64Array(3).fill(Number.POSITIVE_INFINITY),
		max: new Float64Array(3).fill(Number.NEGATIVE_INFINITY),
	};
}

function extend(box: AlignedBox, axis: number, low: number, high: number): void {
	if (low < box.min[axis]!) box.min[axis] = low;
	if (high > box.max[axis]!) box.max[axis] = high;
}

function axisOf(prim: Prim, time: number | undefined): 0 | 1 | 2 | undefined {
	const at = ['X', 'Y', 'Z'].indexOf(readText(prim, 'axis', time) ?? '');
	return at < 0 ? undefined : (at as 0 | 1 | 2);
}
