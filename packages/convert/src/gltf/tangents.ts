import { arcTangent2 } from '@manyworlds/core/internal';
import { joinCorners, weldedVertices } from './join-corners.ts';
import { type Indices, type SurfaceMesh, Triangles } from './surface-mesh.ts';

/** Coordinates of the image of a normal map: which set, and how a texture transform moves them (2 × 3, row by row). */
export interface TangentSpace {
	readonly uvSet: number;
	readonly matrix?: readonly number[];
}

/**
 * A mesh with the tangents of its normal map, as MikkTSpace has them: normal maps are baked for these, and viewers that make their own
 * differ. Vertices where tangents differ are split. A mesh without normals gets those of its faces, as it is shaded with them.
 */
export function withTangents(mesh: SurfaceMesh, { uvSet, matrix }: TangentSpace): SurfaceMesh {
	const shaded = mesh.normals === undefined ? withFaceNormals(mesh) : mesh;
	const { positions, indices, normals, uvs, colors, others = [] } = shaded;
	const uv = uvs[uvSet];
	if (uv === undefined || normals === undefined) return mesh;
	const layers = [
		{ data: normals, width: 3, per: 'point' as const },
		...uvs.map((data) => ({ data, width: 2, per: 'point' as const })),
		...(colors === undefined ? [] : [{ ...colors, per: 'point' as const }]),
		...others.map(({ data, width }) => ({ data, width, per: 'point' as const })),
	];
	const data = cornerTangents(positions, indices, normals, matrix === undefined ? uv : transformed(uv, matrix));
	const joined = joinCorners(positions, indices, Triangles.plain(indices.length / 3), [
		...layers,
		{ data, width: 4, per: 'corner' },
	]);
	const { values } = joined;
	const firstOther = values.length - 1 - others.length;
	return {
		positions: joined.positions,
		indices: joined.indices,
		normals: values[0]!,
		uvs: values.slice(1, 1 + uvs.length),
		...(colors === undefined ? {} : { colors: { data: values[1 + uvs.length]!, width: colors.width } }),
		...(others.length === 0 ? {} : { others: others.map((own, i) => ({ ...own, data: values[firstOther + i]! })) }),
		tangents: values.at(-1)!,
	};
}

/** Corners of triangles without vertices in common, each with the normal of its triangle. */
function withFaceNormals({ positions, indices, uvs, colors, others }: SurfaceMesh): SurfaceMesh {
	const spread = (data: Float32Array, width: number): Float32Array => {
		const out = new Float32Array(width * indices.length);
		for (let at = 0; at < indices.length; at++) {
			for (let k = 0; k < width; k++) out[width * at + k] = data[width * indices[at]! + k]!;
		}
		return out;
	};
	const points = spread(positions, 3);
	const normals = new Float32Array(points.length);
	for (let t = 0; t < points.length; t += 9) {
		const [u, v] = [3, 6].map((to) => [0, 1, 2].map((k) => points[t + to + k]! - points[t + k]!)) as [
			number[],
			number[],
		];
		const n = cross(u, v);
		const size = length(n);
		for (let corner = 0; corner < 3; corner++) {
			for (let k = 0; k < 3; k++) normals[t + 3 * corner + k] = size > 0 ? n[k]! / size : k === 2 ? 1 : 0;
		}
	}
	return {
		positions: points,
		indices: indices.map((_, at) => at),
		normals,
		uvs: uvs.map((data) => spread(data, 2)),
		...(colors === undefined ? {} : { colors: { data: spread(colors.data, colors.width), width: colors.width } }),
		...(others === undefined ? {} : { others: others.map((own) => ({ ...own, data: spread(own.data, own.width) })) }),
	};
}

function transformed(uv: Float32Array, [a, b, c, d, e, f]: readonly number[]): Float32Array {
	const out = new Float32Array(uv.length);
	for (let i = 0; i < uv.length; i += 2) {
		out[i] = a! * uv[i]! + b! * uv[i + 1]! + c!;
		out[i + 1] = d! * uv[i]! + e! * uv[i + 1]! + f!;
	}
	return out;
}

/** How a triangle lies in its image. */
const Lie = { unknown: 0, kept: 1, mirrored: 2 } as const;
type Lie = (typeof Lie)[keyof typeof Lie];

/** Tangents of the corners of triangles, four numbers each; the last is the side of the bitangent for coordinates with v down. */
function cornerTangents(
	positions: Float32Array,
	indices: Indices,
	normals: Float32Array,
	uv: Float32Array,
): Float32Array {
	// vertices that agree in all of this are one, whatever else they have
	const weld = weldedVertices([
		{ data: positions, width: 3 },
		{ data: normals, width: 3 },
		{ data: uv, width: 2 },
	]);
	const corners = Uint32Array.from(indices, (vertex) => weld[vertex]!);
	const { directions, lies } = imageDirections(positions, corners, uv);
	const neighbours = edgeNeighbours(corners);
	const groupOf = new Int32Array(corners.length).fill(-1);
	const out = new Float32Array(4 * corners.length);
	let groups = 0;
	for (let corner = 0; corner < corners.length; corner++) {
		const triangle = Math.floor(corner / 3);
		if (groupOf[corner] !== -1 || !isDrawn(directions, triangle)) continue;
		const members = gatherGroup(corner, groups++, corners, neighbours, lies, directions, groupOf);
		const tangent = meanDirection(members, positions, corners, normals, directions);
		const side = lies[triangle] === Lie.kept ? -1 : 1;
		for (const member of members) {
			out.set(tangent ?? perpendicular(normals, corners[member]!), 4 * member);
			out[4 * member + 3] = side;
		}
	}
	fillRest(out, groupOf, corners, normals);
	return out;
}

/** Whether a triangle has a direction in its image. */
function isDrawn(directions: Float64Array, triangle: number): boolean {
	const at = 3 * triangle;
	return directions[at] !== 0 || directions[at + 1] !== 0 || directions[at + 2] !== 0;
}

/** For each triangle the direction in which the first coordinate of its image grows, zero for none, and how it lies. */
function imageDirections(
	positions: Float32Array,
	corners: Uint32Array,
	uv: Float32Array,
): { readonly directions: Float64Array; readonly lies: Uint8Array } {
	const directions = new Float64Array(corners.length);
	const lies = new Uint8Array(corners.length / 3);
	for (let t = 0; t < corners.length; t += 3) {
		const [a, b, c] = [corners[t]!, corners[t + 1]!, corners[t + 2]!];
		const [s1, t1] = [uv[2 * b]! - uv[2 * a]!, uv[2 * b + 1]! - uv[2 * a + 1]!];
		const [s2, t2] = [uv[2 * c]! - uv[2 * a]!, uv[2 * c + 1]! - uv[2 * a + 1]!];
		const area = s1 * t2 - t1 * s2;
		const isEmpty = a === b || b === c || a === c || !(Math.abs(area) > SMALLEST);
		if (isEmpty) continue;
		const along = [0, 1, 2].map((k) => {
			const [d1, d2] = [positions[3 * b + k]! - positions[3 * a + k]!, positions[3 * c + k]! - positions[3 * a + k]!];
			return t2 * d1 - t1 * d2;
		});
		const across = [0, 1, 2].map((k) => {
			const [d1, d2] = [positions[3 * b + k]! - positions[3 * a + k]!, positions[3 * c + k]! - positions[3 * a + k]!];
			return s1 * d2 - s2 * d1;
		});
		const size = length(along);
		lies[t / 3] = area > 0 ? Lie.kept : Lie.mirrored;
		if (!(size > SMALLEST) || !(length(across) > SMALLEST)) continue;
		for (let k = 0; k < 3; k++) directions[t + k] = ((area > 0 ? 1 : -1) * along[k]!) / size;
	}
	return { directions, lies };
}

/** Numbers below this are nothing (the smallest of single precision that has all its digits). */
const SMALLEST = 1.1754943508222875e-38;

/** The triangle beyond each edge, which begins at a corner and goes to the next one; -1 for none. */
function edgeNeighbours(corners: Uint32Array): Int32Array {
	const neighbours = new Int32Array(corners.length).fill(-1);
	const open = new Map<number, number[]>();
	const size = corners.reduce((most, vertex) => Math.max(most, vertex), 0) + 1;
	for (let corner = 0; corner < corners.length; corner++) {
		const next = corner % 3 === 2 ? corner - 2 : corner + 1;
		const [from, to] = [corners[corner]!, corners[next]!];
		const waiting = open.get(to * size + from);
		if (waiting !== undefined && waiting.length > 0) {
			const other = waiting.pop()!;
			neighbours[corner] = Math.floor(other / 3);
			neighbours[other] = Math.floor(corner / 3);
			continue;
		}
		const key = from * size + to;
		const list = open.get(key);
		if (list === undefined) open.set(key, [corner]);
		else list.push(corner);
	}
	return neighbours;
}

/** The corners at one vertex that are reached over edges from triangle to triangle and lie alike in the image. */
function gatherGroup(
	start: number,
	group: number,
	corners: Uint32Array,
	neighbours: Int32Array,
	lies: Uint8Array,
	directions: Float64Array,
	groupOf: Int32Array,
): number[] {
	const vertex = corners[start]!;
	const lie = lies[Math.floor(start / 3)]! as Lie;
	const members = [start];
	groupOf[start] = group;
	for (const corner of members) {
		const base = corner - (corner % 3);
		// last in, first out is of no matter: what can be reached is the same
		for (const edge of [corner, base + ((corner + 2) % 3)]) {
			const beyond = neighbours[edge]!;
			if (beyond === -1) continue;
			const at = [0, 1, 2].map((k) => 3 * beyond + k).find((other) => corners[other] === vertex);
			if (at === undefined || groupOf[at] !== -1) continue;
			if (!isDrawn(directions, beyond)) {
				// what lies no way at all goes with the first that comes by
				const isFree = [0, 1, 2].every((k) => groupOf[3 * beyond + k] === -1);
				if (isFree) lies[beyond] = lie;
			}
			if (lies[beyond] !== lie) continue;
			groupOf[at] = group;
			members.push(at);
		}
	}
	return members;
}

/** The mean of the directions of triangles at a vertex, in the plane of its normal, by the angles of their corners. */
function meanDirection(
	members: readonly number[],
	positions: Float32Array,
	corners: Uint32Array,
	normals: Float32Array,
	directions: Float64Array,
): number[] | undefined {
	const vertex = corners[members[0]!]!;
	const n = [0, 1, 2].map((k) => normals[3 * vertex + k]!);
	const sum = [0, 0, 0];
	for (const corner of members) {
		const base = corner - (corner % 3);
		if (!isDrawn(directions, base / 3)) continue;
		const along = unitInPlane(
			[0, 1, 2].map((k) => directions[base + k]!),
			n,
		);
		const edge = (other: number): number[] =>
			unitInPlane(
				[0, 1, 2].map((k) => positions[3 * corners[other]! + k]! - positions[3 * vertex + k]!),
				n,
			);
		const [u, v] = [edge(base + ((corner + 2) % 3)), edge(base + ((corner + 1) % 3))];
		const angle = arcTangent2(length(cross(u, v)), dot(u, v));
		for (let k = 0; k < 3; k++) sum[k] = sum[k]! + angle * along[k]!;
	}
	const size = length(sum);
	return size > SMALLEST ? sum.map((value) => value / size) : undefined;
}

/** Corners of triangles that lie no way at all: as another corner of the same vertex has it, else any direction along the surface. */
function fillRest(out: Float32Array, groupOf: Int32Array, corners: Uint32Array, normals: Float32Array): void {
	const known = new Map<number, number>();
	for (let corner = 0; corner < corners.length; corner++) {
		if (groupOf[corner] !== -1 && !known.has(corners[corner]!)) known.set(corners[corner]!, corner);
	}
	for (let corner = 0; corner < corners.length; corner++) {
		if (groupOf[corner] !== -1) continue;
		const other = known.get(corners[corner]!);
		if (other !== undefined) out.copyWithin(4 * corner, 4 * other, 4 * other + 4);
		else {
			out.set(perpendicular(normals, corners[corner]!), 4 * corner);
			out[4 * corner + 3] = 1;
		}
	}
}

/** A direction of unit length at right angles to the normal of a vertex. */
function perpendicular(normals: Float32Array, vertex: number): number[] {
	const n = [0, 1, 2].map((k) => normals[3 * vertex + k]!);
	const axis = Math.abs(n[0]!) < 0.9 ? [1, 0, 0] : [0, 1, 0];
	return unitInPlane(axis, n);
}

/** The part of a vector at right angles to a normal, of unit length if it has any. */
function unitInPlane(vector: readonly number[], normal: readonly number[]): number[] {
	const along = dot(vector, normal);
	const part = vector.map((value, k) => value - along * normal[k]!);
	const size = length(part);
	return size > SMALLEST ? part.map((value) => value / size) : part;
}

function dot(a: readonly number[], b: readonly number[]): number {
	return a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
}

function cross(u: readonly number[], v: readonly number[]): number[] {
	return [u[1]! * v[2]! - u[2]! * v[1]!, u[2]! * v[0]! - u[0]! * v[2]!, u[0]! * v[1]! - u[1]! * v[0]!];
}

function length(v: readonly number[]): number {
	return Math.sqrt(dot(v, v));
}
