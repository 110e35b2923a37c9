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

/** What a mesh, convex or heightfield shape is made of. Shared by reference between copies of a shape. @public */
export type ShapeSource = TriangleMesh | Heightfield;

/** Whether a source is a heightfield. @public */
export function isHeightfield(source: ShapeSource): source is Heightfield {
	return 'hx' in source;
}
