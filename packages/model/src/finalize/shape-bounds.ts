import { GeoType } from '../enums.ts';
import { isHeightfield, type ShapeSource } from '../geometry.ts';

/** Radius that stands for an infinite plane [m]. */
const INFINITE_RADIUS = 1e6;

/** Corners of a shape in its own frame, without margin, and the radius of a sphere around it [m]. */
export interface ShapeBounds {
	readonly lower: readonly [number, number, number];
	readonly upper: readonly [number, number, number];
	readonly radius: number;
}

/** Bounds of shapes; each mesh is looked through once. */
export class ShapeBoundsFinder {
	readonly #extents = new Map<ShapeSource, Float64Array>();

	find(type: GeoType, x: number, y: number, z: number, source: ShapeSource | null): ShapeBounds {
		switch (type) {
			case GeoType.SPHERE:
				return box(x, x, x, x);
			case GeoType.BOX:
				return box(x, y, z, Math.hypot(x, y, z));
			case GeoType.ELLIPSOID:
				return box(x, y, z, Math.max(x, y, z));
			case GeoType.CAPSULE:
				return box(x, x, y + x, x + y);
			case GeoType.CYLINDER: {
				const bulge = z > 0 ? (y * y) / (z + Math.sqrt(z * z - y * y)) : 0;
				return box(x + bulge, x + bulge, y, x + bulge + y);
			}
			case GeoType.CONE:
				return box(x, x, y, x + y);
			case GeoType.PLANE:
				return box(1, 1, 1, x > 0 && y > 0 ? Math.hypot(x, y, z) / 2 : INFINITE_RADIUS);
			case GeoType.HFIELD:
				return source !== null && isHeightfield(source)
					? heightfieldBounds(source, x, y, z)
					: box(1, 1, 1, Math.hypot(x, y, z));
			default:
				return source === null || isHeightfield(source) ? box(1, 1, 1, 10) : this.#meshBounds(source, x, y, z);
		}
	}

	#meshBounds(source: Exclude<ShapeSource, { hx: number }>, x: number, y: number, z: number): ShapeBounds {
		let extents = this.#extents.get(source);
		if (extents === undefined) {
			extents = extentsOf(source.vertices);
			this.#extents.set(source, extents);
		}
		const scale = [x, y, z];
		const lower: [number, number, number] = [0, 0, 0];
		const upper: [number, number, number] = [0, 0, 0];
		for (let axis = 0; axis < 3; axis++) {
			const a = extents[axis]! * scale[axis]!;
			const b = extents[axis + 3]! * scale[axis]!;
			lower[axis] = Math.min(a, b);
			upper[axis] = Math.max(a, b);
		}
		const radius = Math.hypot(upper[0] - lower[0], upper[1] - lower[1], upper[2] - lower[2]) / 2;
		return { lower, upper, radius };
	}
}

function extentsOf(vertices: Float64Array): Float64Array {
	const extents = Float64Array.of(0, 0, 0, 0, 0, 0);
	if (vertices.length === 0) return extents;
	extents.set(vertices.subarray(0, 3), 0);
	extents.set(vertices.subarray(0, 3), 3);
	for (let i = 3; i < vertices.length; i++) {
		const axis = i % 3;
		const value = vertices[i]!;
		if (value < extents[axis]!) extents[axis] = value;
		if (value > extents[axis + 3]!) extents[axis + 3] = value;
	}
	return extents;
}

function heightfieldBounds(field: Extract<ShapeSource, { hx: number }>, x: number, y: number, z: number): ShapeBounds {
	const hx = Math.abs(field.hx * x);
	const hy = Math.abs(field.hy * y);
	const [a, b] = [field.minZ * z, field.maxZ * z];
	const radius = Math.hypot(hx, hy, Math.max(Math.abs(a), Math.abs(b)));
	return { lower: [-hx, -hy, Math.min(a, b)], upper: [hx, hy, Math.max(a, b)], radius };
}

function box(x: number, y: number, z: number, radius: number): ShapeBounds {
	return { lower: [-x, -y, -z], upper: [x, y, z], radius };
}
