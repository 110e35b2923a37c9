import { transformMultiply, transformPoint } from '@manyworlds/core/internal';
import {
	createBox,
	createCapsule,
	createCone,
	createCylinder,
	createEllipsoid,
	createSphere,
	type RoundOptions,
} from '@manyworlds/mesh';
import { GeoType, isHeightfield, type Model, ShapeFlags, type State } from '@manyworlds/model';
import { CollisionGeometry, type HullGeometry } from '@manyworlds/sim/internal';
import { HEIGHT, WIDTH } from './observe-robot.ts';

/**
 * The link of each pixel of a picture, as the model has it: its shapes where forward kinematics puts them, taken through a camera
 * triangle by triangle. Nothing of it comes from the viewer but the camera, 16 numbers column by column.
 */
export function projectLinks(model: Model, state: State, camera: readonly number[]): Int32Array {
	const links = new Int32Array(WIDTH * HEIGHT).fill(-1);
	const depths = new Float64Array(WIDTH * HEIGHT).fill(Number.POSITIVE_INFINITY);
	const { hulls } = new CollisionGeometry(model);
	for (const { shape, round } of shownShapes(model)) {
		const hull = hulls[shape];
		const isHull = model.shapeType[shape] === GeoType.CONVEX_MESH && hull !== undefined;
		const mesh = isHull ? hullTriangles(hull) : trianglesOf(model, shape, round);
		if (mesh === undefined) continue;
		const points = toPicture(mesh.vertices, shapePose(model, state, shape), camera);
		const link = model.shapeBody[shape]!;
		// a mirrored mesh turns its triangles inside out
		const [second, third] = mesh.isMirrored ? [2, 1] : [1, 2];
		for (let at = 0; at + 2 < mesh.indices.length; at += 3) {
			fill(points, mesh.indices[at]!, mesh.indices[at + second]!, mesh.indices[at + third]!, (pixel, depth) => {
				if (depth >= depths[pixel]!) return;
				depths[pixel] = depth;
				links[pixel] = link;
			});
		}
	}
	return links;
}

/**
 * What is wrong with the links of a picture, beside those that a projection gives: undefined where each covers the same pixels. Pixels on
 * the edge of a link may differ: numbers of graphics cards have 24 bits, and shapes have their own number of corners.
 */
export function coverageFault(
	drawn: Int32Array,
	expected: Int32Array,
	nameOf: (link: number) => string,
): string | undefined {
	if (drawn.length !== expected.length) return `the picture has ${drawn.length} pixels, expected ${expected.length}`;
	const counts = new Map<number, { drawn: number; expected: number; other: number }>();
	const countOf = (link: number): { drawn: number; expected: number; other: number } => {
		let count = counts.get(link);
		if (count === undefined) counts.set(link, (count = { drawn: 0, expected: 0, other: 0 }));
		return count;
	};
	for (let pixel = 0; pixel < drawn.length; pixel++) {
		const [is, should] = [drawn[pixel]!, expected[pixel]!];
		countOf(is).drawn++;
		countOf(should).expected++;
		if (is === should) continue;
		countOf(is).other++;
		countOf(should).other++;
	}
	counts.delete(-1);
	if (![...counts.values()].some((count) => count.expected > 0)) return 'no link is seen';
	for (const [link, count] of [...counts].sort(([a], [b]) => a - b)) {
		const allowed = EDGE_PIXELS + EDGE_SHARE * Math.sqrt(Math.max(count.drawn, count.expected));
		if (count.other <= allowed) continue;
		return `${nameOf(link)} is seen in ${count.drawn} pixels, expected ${count.expected}; ${count.other} of them are others`;
	}
	return undefined;
}

/** Most pixels of a link that may differ: some, and as many for each pixel of its width. */
const EDGE_PIXELS = 3;
const EDGE_SHARE = 0.15;

/** Where a shape is in the world. */
export function shapePose(model: Model, state: State, shape: number): Float64Array {
	const own = model.shapeTransform.slice(7 * shape, 7 * shape + 7);
	const body = model.shapeBody[shape]!;
	if (body < 0) return own;
	return transformMultiply(new Float64Array(7), state.bodyQ.slice(7 * body, 7 * body + 7), own);
}

/** Corners of round shapes: of those that are seen, and of colliders in their place. */
const SEEN: RoundOptions = { segments: 64, rings: 32 };
const COLLIDER: RoundOptions = { segments: 32, rings: 16 };

/** Shapes that are seen; colliders of links of which nothing else is. */
function shownShapes(model: Model): { readonly shape: number; readonly round: RoundOptions }[] {
	const { shapeFlags, shapeBody, shapeType } = model;
	const has = (shape: number, flag: number): boolean => (shapeFlags[shape]! & flag) !== 0;
	const solid = Array.from({ length: model.shapeCount }, (_, shape) => shape).filter(
		(shape) => shapeType[shape] !== GeoType.PLANE && !has(shape, ShapeFlags.SITE),
	);
	const seen = solid.filter((shape) => has(shape, ShapeFlags.VISIBLE));
	const links = new Set(seen.map((shape) => shapeBody[shape]!));
	const others = solid.filter(
		(shape) => shapeBody[shape]! >= 0 && !links.has(shapeBody[shape]!) && has(shape, ShapeFlags.COLLIDE_SHAPES),
	);
	return [...seen.map((shape) => ({ shape, round: SEEN })), ...others.map((shape) => ({ shape, round: COLLIDER }))];
}

interface Triangles {
	readonly vertices: Float64Array;
	readonly indices: ArrayLike<number>;
	readonly isMirrored?: boolean;
}

function trianglesOf(model: Model, shape: number, round: RoundOptions): Triangles | undefined {
	const [x, y, z] = model.shapeScale.subarray(3 * shape, 3 * shape + 3) as unknown as [number, number, number];
	switch (model.shapeType[shape]) {
		case GeoType.SPHERE:
			return createSphere(x, round);
		case GeoType.ELLIPSOID:
			return createEllipsoid(x, y, z, round);
		case GeoType.BOX:
			return createBox(x, y, z);
		case GeoType.CAPSULE:
			return createCapsule(x, y, round);
		case GeoType.CYLINDER:
			return createCylinder(x, y, round);
		case GeoType.CONE:
			return createCone(x, y, round);
	}
	const source = model.shapeSources[shape] ?? null;
	if (source === null || isHeightfield(source)) return undefined;
	const scale = [x, y, z];
	const vertices = source.vertices.map((value, i) => value * scale[i % 3]!);
	return { vertices, indices: source.indices, isMirrored: x * y * z < 0 };
}

/** Faces of a hull as fans. */
function hullTriangles({ vertices, faceStart, faceVertices }: HullGeometry): Triangles {
	const indices: number[] = [];
	for (let face = 0; face + 1 < faceStart.length; face++) {
		for (let k = faceStart[face]! + 1; k + 1 < faceStart[face + 1]!; k++) {
			indices.push(faceVertices[faceStart[face]!]!, faceVertices[k]!, faceVertices[k + 1]!);
		}
	}
	return { vertices, indices };
}

/** Column, row and depth of points in the picture, three numbers each. */
function toPicture(vertices: ArrayLike<number>, pose: Float64Array, camera: readonly number[]): Float64Array {
	const points = new Float64Array(vertices.length);
	const [own, world] = [new Float64Array(3), new Float64Array(3)];
	for (let at = 0; at < vertices.length; at += 3) {
		for (let k = 0; k < 3; k++) own[k] = vertices[at + k]!;
		transformPoint(world, pose, own);
		const row = (k: number): number =>
			camera[k]! * world[0]! + camera[4 + k]! * world[1]! + camera[8 + k]! * world[2]! + camera[12 + k]!;
		const w = row(3);
		points[at] = ((row(0) / w + 1) / 2) * WIDTH;
		points[at + 1] = ((1 - row(1) / w) / 2) * HEIGHT;
		points[at + 2] = row(2) / w;
	}
	return points;
}

/** Calls for each pixel whose centre is in a triangle that faces the camera. */
function fill(
	points: Float64Array,
	a: number,
	b: number,
	c: number,
	set: (pixel: number, depth: number) => void,
): void {
	const [ax, ay, az] = [points[3 * a]!, points[3 * a + 1]!, points[3 * a + 2]!];
	const [bx, by, bz] = [points[3 * b]!, points[3 * b + 1]!, points[3 * b + 2]!];
	const [cx, cy, cz] = [points[3 * c]!, points[3 * c + 1]!, points[3 * c + 2]!];
	// rows go down, so what faces the camera turns to the right
	const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
	if (!(area < 0)) return;
	const [left, right] = [
		Math.max(0, Math.ceil(Math.min(ax, bx, cx) - 0.5)),
		Math.min(WIDTH - 0.5, Math.max(ax, bx, cx)),
	];
	const [top, bottom] = [
		Math.max(0, Math.ceil(Math.min(ay, by, cy) - 0.5)),
		Math.min(HEIGHT - 0.5, Math.max(ay, by, cy)),
	];
	for (let row = top; row + 0.5 <= bottom; row++) {
		for (let column = left; column + 0.5 <= right; column++) {
			const [x, y] = [column + 0.5, row + 0.5];
			const u = ((bx - x) * (cy - y) - (by - y) * (cx - x)) / area;
			const v = ((cx - x) * (ay - y) - (cy - y) * (ax - x)) / area;
			if (u < 0 || v < 0 || u + v > 1) continue;
			set(row * WIDTH + column, u * az + v * bz + (1 - u - v) * cz);
		}
	}
}
