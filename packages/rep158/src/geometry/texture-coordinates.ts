import { type Prim, type Primvar, T } from '@manyworlds/usd';
import { dataOf, primvarsWithAuthoredValues } from '@manyworlds/usd/internal';
import { numbersOf } from './mesh-arrays.ts';

/** Where the texture coordinates of a mesh lie. */
export interface CoordinateFacts {
	/** Smallest and largest coordinates that faces use. */
	readonly min: readonly [number, number];
	readonly max: readonly [number, number];
	/**
	 * Whether the faces are laid out in tiles, as for UDIM textures: each within one unit square, none filling it, and
	 * some outside of the first.
	 */
	readonly isTiled: boolean;
}

/** The primvars of a mesh that hold texture coordinates. */
export function coordinatePrimvars(mesh: Prim): Primvar[] {
	return primvarsWithAuthoredValues(mesh).filter(
		({ typeName, name }) =>
			/^texCoord2[fdh]\[\]$/.test(typeName) || (/^float2\[\]$/.test(typeName) && /^st\d*$/.test(name)),
	);
}

/** Looks at the coordinates that the faces of a mesh use; undefined when there are none. */
export function coordinateFacts(mesh: Prim, primvar: Primvar, tolerance: number): CoordinateFacts | undefined {
	const values = numbersOf(primvar.attribute.get());
	const counts = dataOf(mesh.attribute('faceVertexCounts').get(), T.int.array);
	const corners = dataOf(mesh.attribute('faceVertexIndices').get(), T.int.array);
	if (values === undefined || values.length < 2 || counts === undefined || corners === undefined) return undefined;
	const lookup = primvar.isIndexed ? dataOf(primvar.indicesAttribute.get(), T.int.array) : undefined;
	const { interpolation } = primvar;
	const min: [number, number] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
	const max: [number, number] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
	let areInTiles = true;
	let areOutside = false;
	let corner = 0;
	for (let face = 0; face < counts.length; face++) {
		let u0 = Number.POSITIVE_INFINITY;
		let v0 = Number.POSITIVE_INFINITY;
		let u1 = Number.NEGATIVE_INFINITY;
		let v1 = Number.NEGATIVE_INFINITY;
		for (let i = 0; i < counts[face]!; i++, corner++) {
			let element = corner;
			if (interpolation === 'vertex' || interpolation === 'varying') element = corners[corner] ?? -1;
			else if (interpolation === 'uniform') element = face;
			else if (interpolation === 'constant') element = 0;
			const at = lookup === undefined ? element : (lookup[element] ?? -1);
			const u = values[2 * at];
			const v = values[2 * at + 1];
			if (u === undefined || v === undefined) continue;
			if (u < u0) u0 = u;
			if (u > u1) u1 = u;
			if (v < v0) v0 = v;
			if (v > v1) v1 = v;
		}
		if (u1 < u0) continue;
		min[0] = Math.min(min[0], u0);
		min[1] = Math.min(min[1], v0);
		max[0] = Math.max(max[0], u1);
		max[1] = Math.max(max[1], v1);
		const column = Math.floor(u0 + tolerance);
		const row = Math.floor(v0 + tolerance);
		const isInTile = u1 <= column + 1 + tolerance && v1 <= row + 1 + tolerance;
		const fillsTile = u1 - u0 > 1 - 2 * tolerance && v1 - v0 > 1 - 2 * tolerance;
		if (!isInTile || fillsTile || column < 0 || row < 0) areInTiles = false;
		if (column !== 0 || row !== 0) areOutside = true;
	}
	if (max[0] < min[0]) return undefined;
	return { min, max, isTiled: areInTiles && areOutside };
}
