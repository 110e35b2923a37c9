import { TriangleBvh, type TriangleMesh } from '@manyworlds/mesh';
import { GeoType, type Heightfield, isHeightfield, type Model, ShapeFlags, type ShapeSource } from '@manyworlds/model';
import { type HullGeometry, hullOfMesh, isHull } from './hull-geometry.ts';
import { HeightCones, MeshCones, type NormalCones } from './normal-cones.ts';

/** Triangles of a mesh at its scale, with a tree over them. */
export interface MeshGeometry {
	readonly mesh: TriangleMesh;
	readonly bvh: TriangleBvh;
	readonly cones: NormalCones;
}

/** A heightfield at its scale: heights in metres, row by row along y. */
export interface HeightGeometry {
	readonly rows: number;
	readonly columns: number;
	readonly hx: number;
	readonly hy: number;
	readonly heights: Float64Array;
	readonly lowest: number;
	readonly highest: number;
}

/** A heightfield with the normals of its surface. */
export interface HeightSurface extends HeightGeometry {
	readonly cones: NormalCones;
}

/** What shapes with a source are made of, ready for collision. Shapes with the same source and scale share it. */
export class CollisionGeometry {
	/** Hull of convex meshes, and of triangle meshes for contact with planes; by shape. */
	readonly hulls: readonly (HullGeometry | undefined)[];
	/** Triangle meshes that are not their own hull; by shape. */
	readonly meshes: readonly (MeshGeometry | undefined)[];
	readonly heights: readonly (HeightSurface | undefined)[];

	constructor(model: Model) {
		const fields = new Cache<HeightSurface>();
		const all = Array.from({ length: model.shapeCount }, (_, shape) => {
			const type = model.shapeType[shape]!;
			const source = model.shapeSources[shape] ?? null;
			const x = model.shapeScale[3 * shape]!;
			const y = model.shapeScale[3 * shape + 1]!;
			const z = model.shapeScale[3 * shape + 2]!;
			// what is only seen needs none
			if (source === null || (model.shapeFlags[shape]! & ShapeFlags.COLLIDE_SHAPES) === 0) return {};
			if (isHeightfield(source)) {
				return type === GeoType.HFIELD ? { field: fields.get(source, x, y, z, () => scaleField(source, x, y, z)) } : {};
			}
			if (source.vertices.length === 0) return {};
			const hull = hulls.get(source, x, y, z, () => hullOfMesh(source, x, y, z));
			if (type !== GeoType.MESH) return { hull };
			const mesh = meshes.get(source, x, y, z, () => {
				const triangles = scaleTriangles(source, x, y, z);
				return isHull(triangles, hull) ? null : withTree(triangles);
			});
			return mesh === null ? { hull } : { hull, mesh };
		});
		this.hulls = all.map((entry) => entry.hull);
		this.meshes = all.map((entry) => entry.mesh);
		this.heights = all.map((entry) => entry.field);
	}
}

/** Results by source and scale, for as long as there is the source. */
class Cache<T> {
	readonly #bySource = new WeakMap<ShapeSource, Map<string, T>>();

	get(source: ShapeSource, x: number, y: number, z: number, make: () => T): T {
		let byScale = this.#bySource.get(source);
		if (byScale === undefined) this.#bySource.set(source, (byScale = new Map()));
		const key = `${x} ${y} ${z}`;
		let value = byScale.get(key);
		if (value === undefined) byScale.set(key, (value = make()));
		return value;
	}
}

// models of the same robot are made again and again, and hulls of its meshes take longer than all the rest
const hulls = new Cache<HullGeometry>();
const meshes = new Cache<MeshGeometry | null>();

function scaleTriangles(source: TriangleMesh, x: number, y: number, z: number): TriangleMesh {
	const vertices = new Float64Array(source.vertices.length);
	for (let i = 0; i < vertices.length; i += 3) {
		vertices[i] = source.vertices[i]! * x;
		vertices[i + 1] = source.vertices[i + 1]! * y;
		vertices[i + 2] = source.vertices[i + 2]! * z;
	}
	const indices = source.indices.slice();
	// a mirrored mesh turns its triangles inside out
	if (x * y * z < 0) {
		for (let t = 0; t < indices.length; t += 3) {
			const swap = indices[t + 1]!;
			indices[t + 1] = indices[t + 2]!;
			indices[t + 2] = swap;
		}
	}
	return { ...source, vertices, indices };
}

function withTree(mesh: TriangleMesh): MeshGeometry {
	return { mesh, bvh: new TriangleBvh(mesh), cones: new MeshCones(mesh) };
}

function scaleField(source: Heightfield, x: number, y: number, z: number): HeightSurface {
	const heights = new Float64Array(source.rows * source.columns);
	let lowest = Number.POSITIVE_INFINITY;
	let highest = Number.NEGATIVE_INFINITY;
	for (let i = 0; i < heights.length; i++) {
		heights[i] = z * (source.minZ + (source.data[i] ?? 0) * (source.maxZ - source.minZ));
		lowest = Math.min(lowest, heights[i]!);
		highest = Math.max(highest, heights[i]!);
	}
	const { rows, columns } = source;
	const field = { rows, columns, hx: source.hx * x, hy: source.hy * y, heights, lowest, highest };
	return { ...field, cones: new HeightCones(field) };
}
