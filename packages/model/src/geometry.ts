import type { TriangleMesh } from '@manyworlds/mesh';

/** Elevations on a grid. Row r runs along y from -hy to hy, column c along x from -hx to hx. @public */
export interface Heightfield {
	readonly rows: number;
	readonly columns: number;
	/** Row by row, each from 0 at `minZ` to 1 at `maxZ`. */
	readonly data: Float64Array;
	/** Half extents [m]. */
	readonly hx: number;
	readonly hy: number;
	readonly minZ: number;
	readonly maxZ: number;
}

/** An image that colours a mesh. @public */
export interface Texture {
	/** Where the image is, as the importer resolved it. */
	readonly file: string;
	/** Two rows of three numbers that texture coordinates are multiplied by; the identity when left out. */
	readonly transform?: readonly number[];
}

/** A mesh with what importers know beyond its triangles. @public */
export interface ShapeMesh extends TriangleMesh {
	/** Most vertices of a hull made of it; -1 for any number. */
	readonly maxHullVertices?: number;
	/** Red, green, blue from 0 to 1, as displayed. */
	readonly color?: readonly [number, number, number];
	/** From 0 to 1. */
	readonly metallic?: number;
	readonly roughness?: number;
	readonly texture?: Texture;
}

/**
 * What a mesh, convex or heightfield shape is made of. Shared by reference between copies of a shape. The numbers of a mesh must not
 * change once a model has it: what solvers make of a mesh is kept for later models with the same one.
 * @public
 */
export type ShapeSource = ShapeMesh | Heightfield;

/** Whether a source is a heightfield. @public */
export function isHeightfield(source: ShapeSource): source is Heightfield {
	return 'hx' in source;
}
