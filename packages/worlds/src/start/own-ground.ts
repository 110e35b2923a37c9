import { quatRotate } from '@manyworlds/core/internal';
import { GeoType, isHeightfield, type ModelBuilder, ShapeFlags, WORLD } from '@manyworlds/model';

/** What robots of a file stand on. */
export interface OwnGround {
	readonly shape: number;
	readonly label: string;
	readonly kind: 'plane' | 'heightfield' | 'terrain';
}

/** Planes steeper than this are walls: cosine of the angle to the up axis. */
const STEEPEST = 0.5;

/**
 * The ground that a builder has already: a static plane that faces up, a static heightfield, or a static box or mesh that
 * reaches under all bodies. Undefined when there is none.
 */
export function ownGround(builder: ModelBuilder): OwnGround | undefined {
	const up = 'xyz'.indexOf(builder.upAxis);
	const [bodies, types, flags] = [
		builder.column('shapeBody'),
		builder.column('shapeType'),
		builder.column('shapeFlags'),
	];
	const footprint = footprintOf(builder, up);
	for (let shape = 0; shape < builder.shapeCount; shape++) {
		if (bodies[shape] !== WORLD || (flags[shape]! & ShapeFlags.COLLIDE_SHAPES) === 0) continue;
		const kind = kindOf(builder, shape, types[shape]!, up, footprint);
		if (kind !== undefined) return { shape, label: builder.labels('shape')[shape] || `shape ${shape}`, kind };
	}
	return undefined;
}

/** Lowest and highest coordinates of the places of bodies. */
interface Box {
	readonly lower: Float64Array;
	readonly upper: Float64Array;
}

function kindOf(
	builder: ModelBuilder,
	shape: number,
	type: number,
	up: number,
	footprint: Box | undefined,
): OwnGround['kind'] | undefined {
	const poses = Float64Array.from(builder.column('shapeTransform').slice(7 * shape, 7 * shape + 7));
	if (type === GeoType.HFIELD) return 'heightfield';
	if (type === GeoType.PLANE) {
		const normal = quatRotate(new Float64Array(3), poses, Float64Array.of(0, 0, 1), 0, 3);
		return normal[up]! >= STEEPEST ? 'plane' : undefined;
	}
	if (footprint === undefined) return undefined;
	const corners = cornersOf(builder, shape, type);
	if (corners === undefined) return undefined;
	const box = emptyBox();
	const point = new Float64Array(3);
	for (const corner of corners) {
		quatRotate(point, poses, Float64Array.from(corner), 0, 3);
		for (let k = 0; k < 3; k++) extend(box, k, point[k]! + poses[k]!);
	}
	for (let k = 0; k < 3; k++) {
		const isUnder = k === up ? box.lower[k]! < footprint.lower[k]! : contains(box, footprint, k);
		if (!isUnder) return undefined;
	}
	return 'terrain';
}

function contains(box: Box, inner: Box, axis: number): boolean {
	return box.lower[axis]! <= inner.lower[axis]! && box.upper[axis]! >= inner.upper[axis]!;
}

/** Points in the frame of a box or mesh whose box is that of the shape; undefined for other shapes. */
function cornersOf(builder: ModelBuilder, shape: number, type: number): number[][] | undefined {
	const scale = Array.from(builder.column('shapeScale').slice(3 * shape, 3 * shape + 3));
	let [lower, upper] = [scale.map((half) => -half), scale];
	if (type !== GeoType.BOX) {
		const source = type === GeoType.MESH || type === GeoType.CONVEX_MESH ? builder.edits.shapeSource(shape) : null;
		if (source === null || isHeightfield(source)) return undefined;
		const box = emptyBox();
		for (let i = 0; i < source.vertices.length; i++) extend(box, i % 3, source.vertices[i]! * scale[i % 3]!);
		[lower, upper] = [Array.from(box.lower), Array.from(box.upper)];
	}
	return Array.from({ length: 8 }, (_, i) => [0, 1, 2].map((k) => ((i >> k) & 1 ? upper[k]! : lower[k]!)));
}

function footprintOf(builder: ModelBuilder, up: number): Box | undefined {
	const poses = builder.column('bodyQ');
	if (builder.bodyCount === 0) return undefined;
	const box = emptyBox();
	for (let body = 0; body < builder.bodyCount; body++) for (let k = 0; k < 3; k++) extend(box, k, poses[7 * body + k]!);
	// a body at the very height of the ground stands on it
	box.lower[up]! += 1e-9;
	return box;
}

function emptyBox(): Box {
	return {
		lower: new Float64Array(3).fill(Number.POSITIVE_INFINITY),
		upper: new Float64Array(3).fill(Number.NEGATIVE_INFINITY),
	};
}

function extend(box: Box, axis: number, value: number): void {
	box.lower[axis] = Math.min(box.lower[axis]!, value);
	box.upper[axis] = Math.max(box.upper[axis]!, value);
}
