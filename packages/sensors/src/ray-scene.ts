import { quatRotateInverse, transformMultiply, transformPointInverse } from '@manyworlds/core/internal';
import { convexHull } from '@manyworlds/mesh';
import {
	GeoType,
	type Heightfield,
	isHeightfield,
	type Model,
	ShapeFlags,
	type ShapeSource,
	type State,
} from '@manyworlds/model';
import { rayBox, rayCapsule, rayCone, rayCylinder, rayEllipsoid, rayPlane } from './ray-shapes.ts';
import { TriangleTree } from './triangle-tree.ts';

/** Options of {@link RayScene}. @public */
export interface RaySceneOptions {
	/** World whose shapes are seen, with those that belong to all; 0 unless given. */
	readonly world?: number;
}

/** A collision shape that rays can meet. */
interface Target {
	readonly shape: number;
	readonly type: number;
	readonly body: number;
	/** Pose in the world [m, quaternion x y z w], as of the last update. */
	readonly pose: Float64Array;
	/** Centre and radius of a ball around it; infinite for planes. */
	readonly centre: Float64Array;
	readonly radius: number;
	readonly tree: TriangleTree | undefined;
}

/**
 * The collision shapes of a world, for rays. Visual shapes are not seen.
 *
 * ```ts
 * const scene = new RayScene(model);
 * scene.update(state);
 * const distance = scene.cast([0, 0, 1], [1, 0, 0], 30);
 * ```
 * @public
 */
export class RayScene {
	readonly #model: Model;
	readonly #targets: readonly Target[];
	readonly #origin = new Float64Array(3);
	readonly #direction = new Float64Array(3);
	readonly #o = new Float64Array(3);
	readonly #d = new Float64Array(3);

	constructor(model: Model, options: RaySceneOptions = {}) {
		const { world = 0 } = options;
		this.#model = model;
		const targets: Target[] = [];
		const trees = new Map<ShapeSource, { readonly key: string; readonly tree: TriangleTree }[]>();
		for (let shape = 0; shape < model.shapeType.length; shape++) {
			const own = model.shapeWorld[shape]!;
			if ((own !== world && own >= 0) || (model.shapeFlags[shape]! & ShapeFlags.COLLIDE_SHAPES) === 0) continue;
			const type = model.shapeType[shape]!;
			targets.push({
				shape,
				type,
				body: model.shapeBody[shape]!,
				pose: new Float64Array(7),
				centre: new Float64Array(3),
				radius: type === GeoType.PLANE ? Number.POSITIVE_INFINITY : boundingRadius(model, shape),
				tree: treeOf(model, shape, trees),
			});
		}
		this.#targets = targets;
	}

	/** Number of shapes. */
	get size(): number {
		return this.#targets.length;
	}

	/** Takes the poses of bodies over. */
	update(state: State): void {
		const { shapeTransform } = this.#model;
		for (const { shape, body, pose, centre } of this.#targets) {
			if (body < 0) pose.set(shapeTransform.subarray(7 * shape, 7 * shape + 7));
			else transformMultiply(pose, state.bodyQ, shapeTransform, 0, 7 * body, 7 * shape);
			centre.set(pose.subarray(0, 3));
		}
	}

	/**
	 * Distance [m] from a point along a direction of length one to the first shape; infinite where there is none within `most`. Shapes of
	 * the body `ignore` are not seen.
	 */
	cast(origin: ArrayLike<number>, direction: ArrayLike<number>, most: number, ignore = -2): number {
		for (let i = 0; i < 3; i++) {
			this.#origin[i] = origin[i]!;
			this.#direction[i] = direction[i]!;
		}
		let best = Number.POSITIVE_INFINITY;
		for (const target of this.#targets) {
			if (target.body === ignore || !this.#isNear(target, Math.min(best, most))) continue;
			const distance = this.#distance(target, Math.min(best, most));
			if (distance < best) best = distance;
		}
		return best <= most ? best : Number.POSITIVE_INFINITY;
	}

	/** Whether the ray comes near enough to the ball around a shape. */
	#isNear({ centre, radius }: Target, most: number): boolean {
		if (radius === Number.POSITIVE_INFINITY) return true;
		const o = this.#origin;
		const d = this.#direction;
		const [x, y, z] = [centre[0]! - o[0]!, centre[1]! - o[1]!, centre[2]! - o[2]!];
		const along = x * d[0]! + y * d[1]! + z * d[2]!;
		const distance2 = x * x + y * y + z * z;
		if (along < -radius || along - radius > most) return false;
		return distance2 - along * along <= radius * radius * (1 + 1e-9);
	}

	#distance({ shape, type, pose, tree }: Target, most: number): number {
		const o = transformPointInverse(this.#o, pose, this.#origin);
		const d = quatRotateInverse(this.#d, pose, this.#direction, 0, 3);
		const at = 3 * shape;
		const { shapeScale } = this.#model;
		const [x, y, z] = [shapeScale[at]!, shapeScale[at + 1]!, shapeScale[at + 2]!];
		switch (type) {
			case GeoType.PLANE:
				return rayPlane(o, d, x, y);
			case GeoType.SPHERE:
				return rayEllipsoid(o, d, x, x, x);
			case GeoType.ELLIPSOID:
				return rayEllipsoid(o, d, x, y, z);
			case GeoType.BOX:
				return rayBox(o, d, x, y, z);
			case GeoType.CYLINDER:
				return rayCylinder(o, d, x, y);
			case GeoType.CAPSULE:
				return rayCapsule(o, d, x, y);
			case GeoType.CONE:
				return rayCone(o, d, x, y);
			default:
				return tree?.cast(o[0]!, o[1]!, o[2]!, d[0]!, d[1]!, d[2]!, most) ?? Number.POSITIVE_INFINITY;
		}
	}
}

/** Radius of a ball about the origin of a shape that holds it [m]. */
function boundingRadius(model: Model, shape: number): number {
	const [x, y, z] = model.shapeScale.subarray(3 * shape, 3 * shape + 3) as unknown as [number, number, number];
	switch (model.shapeType[shape]) {
		case GeoType.SPHERE:
			return x;
		case GeoType.ELLIPSOID:
			return Math.max(x, y, z);
		case GeoType.BOX:
			return Math.hypot(x, y, z);
		case GeoType.CAPSULE:
			return x + y;
		case GeoType.CYLINDER:
		case GeoType.CONE:
			return Math.hypot(x, y);
	}
	let radius2 = 0;
	const corners = cornersOf(model, shape);
	for (let i = 0; i < corners.length; i += 3)
		radius2 = Math.max(radius2, corners[i]! ** 2 + corners[i + 1]! ** 2 + corners[i + 2]! ** 2);
	return Math.sqrt(radius2);
}

/** The triangles of a mesh, of the hull of a convex mesh, or of a heightfield; shared between shapes of one source and size. */
function treeOf(
	model: Model,
	shape: number,
	trees: Map<ShapeSource, { readonly key: string; readonly tree: TriangleTree }[]>,
): TriangleTree | undefined {
	const source = model.shapeSources[shape];
	if (source === null || source === undefined) return undefined;
	const key = `${model.shapeType[shape]} ${model.shapeScale.subarray(3 * shape, 3 * shape + 3).join(' ')}`;
	const known = trees.get(source) ?? [];
	const found = known.find((one) => one.key === key);
	if (found !== undefined) return found.tree;
	const tree = new TriangleTree(cornersOf(model, shape));
	trees.set(source, [...known, { key, tree }]);
	return tree;
}

function cornersOf(model: Model, shape: number): Float64Array {
	const source = model.shapeSources[shape];
	if (source === null || source === undefined) return new Float64Array(0);
	const scale = model.shapeScale.subarray(3 * shape, 3 * shape + 3);
	if (isHeightfield(source)) return heightfieldCorners(source, scale);
	const isHull = model.shapeType[shape] === GeoType.CONVEX_MESH && source.vertices.length >= 12;
	const { vertices, indices } = isHull ? convexHull(source.vertices).mesh : source;
	const corners = new Float64Array(3 * indices.length);
	for (const [i, vertex] of indices.entries())
		for (let k = 0; k < 3; k++) corners[3 * i + k] = vertices[3 * vertex + k]! * scale[k]!;
	return corners;
}

function heightfieldCorners(field: Heightfield, scale: Float64Array): Float64Array {
	const { rows, columns, data, hx, hy, minZ, maxZ } = field;
	const corners: number[] = [];
	const corner = (row: number, column: number): void => {
		corners.push(
			(-hx + (2 * hx * column) / (columns - 1)) * scale[0]!,
			(-hy + (2 * hy * row) / (rows - 1)) * scale[1]!,
			(minZ + (maxZ - minZ) * data[row * columns + column]!) * scale[2]!,
		);
	};
	for (let row = 0; row + 1 < rows; row++) {
		for (let column = 0; column + 1 < columns; column++) {
			corner(row, column);
			corner(row, column + 1);
			corner(row + 1, column + 1);
			corner(row, column);
			corner(row + 1, column + 1);
			corner(row + 1, column);
		}
	}
	return Float64Array.from(corners);
}
