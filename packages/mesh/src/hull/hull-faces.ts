import { UsageRangeError } from '@manyworlds/core';
import type { TriangleMesh } from '../triangle-mesh.ts';

/** Options of {@link mergeHullFaces}. */
export interface HullFacesOptions {
	/** Triangles whose normals differ by up to this angle, in radians, from the first of a face belong to it. */
	readonly angle?: number;
}

/** Values of {@link HullFacesOptions} that are used when absent. */
export const HULL_FACES_DEFAULTS: Required<HullFacesOptions> = { angle: 1e-6 };

/**
 * Joins the triangles of a convex mesh that lie in one plane: the faces as polygons of vertex indices, counterclockwise seen
 * from outside, in the order of their first triangles.
 */
export function mergeHullFaces(mesh: TriangleMesh, options: HullFacesOptions = {}): number[][] {
	const angle = options.angle ?? HULL_FACES_DEFAULTS.angle;
	if (!(angle >= 0)) throw new UsageRangeError(`angle is ${angle}, expected 0 or more`);
	const { indices } = mesh;
	const count = indices.length / 3;
	const normals = faceNormals(mesh);
	const across = new Map<number, number>();
	const size = mesh.vertices.length / 3;
	for (let i = 0; i < indices.length; i++) across.set(indices[i]! * size + indices[nextCorner(i)]!, Math.floor(i / 3));
	const face = new Int32Array(count).fill(-1);
	const faces: number[][] = [];
	// chord of the angle, as small angles have cosines that round to 1
	const chord = 2 * Math.sin(Math.min(angle, Math.PI) / 2);
	for (let seed = 0; seed < count; seed++) {
		if (face[seed] !== -1) continue;
		const members = [seed];
		face[seed] = faces.length;
		for (let k = 0; k < members.length; k++) {
			for (let i = members[k]! * 3; i < members[k]! * 3 + 3; i++) {
				const other = across.get(indices[nextCorner(i)]! * size + indices[i]!);
				if (other === undefined || face[other] !== -1) continue;
				const dx = normals[other * 3]! - normals[seed * 3]!;
				const dy = normals[other * 3 + 1]! - normals[seed * 3 + 1]!;
				const dz = normals[other * 3 + 2]! - normals[seed * 3 + 2]!;
				if (Math.hypot(dx, dy, dz) > chord) continue;
				face[other] = faces.length;
				members.push(other);
			}
		}
		faces.push(outline(indices, members, face, across, size));
	}
	return faces;
}

/** Follows the edges between a face and its neighbours. */
function outline(
	indices: Uint32Array,
	members: readonly number[],
	face: Int32Array,
	across: ReadonlyMap<number, number>,
	size: number,
): number[] {
	const own = face[members[0]!]!;
	const next = new Map<number, number>();
	for (const triangle of members) {
		for (let i = triangle * 3; i < triangle * 3 + 3; i++) {
			const other = across.get(indices[nextCorner(i)]! * size + indices[i]!);
			if (other === undefined || face[other] !== own) next.set(indices[i]!, indices[nextCorner(i)]!);
		}
	}
	const loop: number[] = [];
	const start = next.keys().next().value;
	if (start === undefined) return loop;
	let corner: number = start;
	do {
		loop.push(corner);
		corner = next.get(corner) ?? start;
	} while (corner !== start && loop.length <= next.size);
	return loop;
}

function nextCorner(i: number): number {
	return i % 3 === 2 ? i - 2 : i + 1;
}

function faceNormals({ vertices, indices }: TriangleMesh): Float64Array {
	const out = new Float64Array(indices.length);
	for (let t = 0; t < indices.length; t += 3) {
		const [i, j, k] = [indices[t]! * 3, indices[t + 1]! * 3, indices[t + 2]! * 3];
		const ux = vertices[j]! - vertices[i]!;
		const uy = vertices[j + 1]! - vertices[i + 1]!;
		const uz = vertices[j + 2]! - vertices[i + 2]!;
		const vx = vertices[k]! - vertices[i]!;
		const vy = vertices[k + 1]! - vertices[i + 1]!;
		const vz = vertices[k + 2]! - vertices[i + 2]!;
		const nx = uy * vz - uz * vy;
		const ny = uz * vx - ux * vz;
		const nz = ux * vy - uy * vx;
		const length = Math.hypot(nx, ny, nz) || 1;
		out[t] = nx / length;
		out[t + 1] = ny / length;
		out[t + 2] = nz / length;
	}
	return out;
}
