import { weldVertices } from '../topology/weld-vertices.ts';
import type { TriangleMesh } from '../triangle-mesh.ts';

/** Whether a stored normal points to the back of the triangle at `at`. */
export function isOpposed(soup: Float64Array | Float32Array, at: number, nx: number, ny: number, nz: number): boolean {
	const ux = soup[at + 3]! - soup[at]!;
	const uy = soup[at + 4]! - soup[at + 1]!;
	const uz = soup[at + 5]! - soup[at + 2]!;
	const vx = soup[at + 6]! - soup[at]!;
	const vy = soup[at + 7]! - soup[at + 1]!;
	const vz = soup[at + 8]! - soup[at + 2]!;
	return isAgainst(ux, uy, uz, vx, vy, vz, nx, ny, nz);
}

/** Whether a stored normal points to the back of a triangle with these two edges from its first corner. */
export function isAgainst(
	ux: number,
	uy: number,
	uz: number,
	vx: number,
	vy: number,
	vz: number,
	nx: number,
	ny: number,
	nz: number,
): boolean {
	const cx = uy * vz - uz * vy;
	const cy = uz * vx - ux * vz;
	const cz = ux * vy - uy * vx;
	const dot = cx * nx + cy * ny + cz * nz;
	// nearly flat facets may round to either side
	return dot < 0 && dot * dot > 0.25 * (cx * cx + cy * cy + cz * cz) * (nx * nx + ny * ny + nz * nz);
}

/** Joins equal corners of a list of loose triangles, nine numbers each. */
export function soupToMesh(soup: Float64Array, name: string | undefined): TriangleMesh {
	const indices = new Uint32Array(soup.length / 3);
	for (let i = 0; i < indices.length; i++) indices[i] = i;
	return weldVertices({ vertices: soup, indices, ...(name === undefined ? {} : { name }) }).mesh;
}
