import { GeoType } from '../enums.ts';
import { isHeightfield, type ShapeSource } from '../geometry.ts';

/** Radius that stands for an infinite plane, and for shapes without extent of their own [m]. */
const INFINITE_RADIUS = 1e6;
const UNKNOWN_RADIUS = 10;

/** Corners of shapes in their own frames, without margin, and radii of spheres around them [m]. */
export class ShapeBounds {
	readonly lower: Float64Array;
	readonly upper: Float64Array;
	readonly radii: Float64Array;
	/** By vertices, which meshes with looks of their own share. */
	readonly #extents = new Map<Float64Array, Float64Array>();

	constructor(count: number) {
		this.lower = new Float64Array(3 * count);
		this.upper = new Float64Array(3 * count);
		this.radii = new Float64Array(count);
	}

	/** Finds the bounds of one shape; each mesh is looked through once. */
	find(shape: number, type: GeoType, x: number, y: number, z: number, source: ShapeSource | null): void {
		switch (type) {
			case GeoType.SPHERE:
				this.#box(shape, x, x, x, x);
				break;
			case GeoType.BOX:
				this.#box(shape, x, y, z, Math.hypot(x, y, z));
				break;
			case GeoType.ELLIPSOID:
				this.#box(shape, x, y, z, Math.max(x, y, z));
				break;
			case GeoType.CAPSULE:
				this.#box(shape, x, x, y + x, x + y);
				break;
			case GeoType.CYLINDER: {
				const bulge = z > 0 && z >= y ? (y * y) / (z + Math.sqrt(z * z - y * y)) : 0;
				this.#box(shape, x + bulge, x + bulge, y, x + bulge + y);
				break;
			}
			case GeoType.CONE:
				this.#box(shape, x, x, y, x + y);
				break;
			case GeoType.PLANE:
				this.#box(shape, 1, 1, 1, x > 0 && y > 0 ? Math.hypot(x, y, z) / 2 : INFINITE_RADIUS);
				break;
			default:
				this.#source(shape, x, y, z, source);
		}
	}

	#source(shape: number, x: number, y: number, z: number, source: ShapeSource | null): void {
		if (source === null) {
			this.#box(shape, 1, 1, 1, UNKNOWN_RADIUS);
		} else if (isHeightfield(source)) {
			this.#corners(shape, [-source.hx, -source.hy, source.minZ, source.hx, source.hy, source.maxZ], x, y, z);
			const height = Math.max(Math.abs(source.minZ), Math.abs(source.maxZ)) * Math.abs(z);
			this.radii[shape] = Math.hypot(source.hx * x, source.hy * y, height);
		} else {
			this.#corners(shape, this.#extentsOf(source.vertices), x, y, z);
			this.radii[shape] = this.#halfDiagonal(shape);
		}
	}

	#box(shape: number, x: number, y: number, z: number, radius: number): void {
		const at = 3 * shape;
		this.upper[at] = x;
		this.upper[at + 1] = y;
		this.upper[at + 2] = z;
		// subtracting from 0 gives no -0
		this.lower[at] = 0 - x;
		this.lower[at + 1] = 0 - y;
		this.lower[at + 2] = 0 - z;
		this.radii[shape] = radius;
	}

	#corners(shape: number, extents: ArrayLike<number>, ...scale: readonly [number, number, number]): void {
		for (let axis = 0; axis < 3; axis++) {
			const a = extents[axis]! * scale[axis]!;
			const b = extents[axis + 3]! * scale[axis]!;
			// adding 0 makes -0 plain
			this.lower[3 * shape + axis] = Math.min(a, b) + 0;
			this.upper[3 * shape + axis] = Math.max(a, b) + 0;
		}
	}

	#halfDiagonal(shape: number): number {
		const span = (axis: number): number => this.upper[3 * shape + axis]! - this.lower[3 * shape + axis]!;
		return Math.hypot(span(0), span(1), span(2)) / 2;
	}

	#extentsOf(vertices: Float64Array): Float64Array {
		let extents = this.#extents.get(vertices);
		if (extents === undefined) {
			extents = extentsOfPoints(vertices);
			this.#extents.set(vertices, extents);
		}
		return extents;
	}
}

/** Lower, then upper corner of points. */
function extentsOfPoints(points: Float64Array): Float64Array {
	if (points.length === 0) return new Float64Array(6);
	let [x0, y0, z0] = [points[0]!, points[1]!, points[2]!];
	let [x1, y1, z1] = [x0, y0, z0];
	for (let i = 3; i < points.length; i += 3) {
		const x = points[i]!;
		const y = points[i + 1]!;
		const z = points[i + 2]!;
		if (x < x0) x0 = x;
		if (x > x1) x1 = x;
		if (y < y0) y0 = y;
		if (y > y1) y1 = y;
		if (z < z0) z0 = z;
		if (z > z1) z1 = z;
	}
	return Float64Array.of(x0, y0, z0, x1, y1, z1);
}
