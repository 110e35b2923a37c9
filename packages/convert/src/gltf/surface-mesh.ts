/** Corners of triangles by their vertices, two bytes each where they suffice. */
export type Indices = Uint16Array | Uint32Array;

/** A mesh ready for glTF: one value of everything for each vertex. */
export interface SurfaceMesh {
	readonly positions: Float32Array;
	readonly indices: Indices;
	readonly normals?: Float32Array;
	/** Tangents of a normal map, four numbers each. */
	readonly tangents?: Float32Array;
	/** Coordinates of images, v down. */
	readonly uvs: readonly Float32Array[];
	readonly colors?: { readonly data: Float32Array; readonly width: 3 | 4 };
	/** Values that glTF has no name for. */
	readonly others?: readonly NamedValues[];
}

/** Values of vertices under the name of an attribute. */
export interface NamedValues {
	readonly name: string;
	readonly data: Float32Array;
	readonly width: number;
}

/** Values of the corners of faces. */
export interface CornerValues {
	readonly data: Float32Array;
	readonly width: number;
	/** What has a value of its own; `mesh` is one for everything. */
	readonly per: 'mesh' | 'face' | 'point' | 'corner';
	/** Which of the values each face or corner has; each its own unless given. */
	readonly indices?: ArrayLike<number>;
}

/** Which item of some values a corner has. */
export function itemAt({ per, indices }: CornerValues, corner: number, face: number, point: number): number {
	const owner = per === 'corner' ? corner : per === 'face' ? face : per === 'point' ? point : 0;
	return indices === undefined ? owner : indices[owner]!;
}

/** Triangles of a mesh as corners, three each, with the face of each triangle. */
export class Triangles {
	readonly count: number;
	/** Whether the faces of the mesh are its triangles, corner for corner. */
	readonly isPlain: boolean;
	#corners: Uint32Array | undefined;
	#faces: Uint32Array | undefined;

	/** Those of a mesh of triangles only; what they are is worked out when somebody asks, as large meshes are mostly such. */
	static plain(count: number): Triangles {
		return new Triangles(count, undefined, undefined);
	}

	static of(corners: Uint32Array, faces: Uint32Array): Triangles {
		return new Triangles(faces.length, corners, faces);
	}

	private constructor(count: number, corners: Uint32Array | undefined, faces: Uint32Array | undefined) {
		this.count = count;
		this.isPlain = corners === undefined;
		this.#corners = corners;
		this.#faces = faces;
	}

	/** The corner of the mesh that a corner of a triangle is. */
	cornerAt(at: number): number {
		return this.#corners === undefined ? at : this.#corners[at]!;
	}

	/** The face of the mesh that a corner of a triangle lies on. */
	faceAt(at: number): number {
		const triangle = (at / 3) | 0;
		return this.#faces === undefined ? triangle : this.#faces[triangle]!;
	}

	get corners(): Uint32Array {
		this.#corners ??= countUp(3 * this.count);
		return this.#corners;
	}

	get faces(): Uint32Array {
		this.#faces ??= countUp(this.count);
		return this.#faces;
	}
}

function countUp(count: number): Uint32Array {
	const numbers = new Uint32Array(count);
	for (let i = 0; i < count; i++) numbers[i] = i;
	return numbers;
}

/** Whether two bytes suffice for the number of each vertex; the last number means something else. */
export function isShort(vertexCount: number): boolean {
	return vertexCount < 65535;
}

/** Which of some vertices triangles use, in their order; undefined for all of them. */
export function usedVertices(indices: Indices, count: number): Uint32Array | undefined {
	const isUsed = new Uint8Array(count);
	for (let at = 0; at < indices.length; at++) isUsed[indices[at]!] = 1;
	let total = 0;
	for (let vertex = 0; vertex < count; vertex++) total += isUsed[vertex]!;
	if (total === count) return undefined;
	const used = new Uint32Array(total);
	for (let vertex = 0, at = 0; vertex < count; vertex++) if (isUsed[vertex] === 1) used[at++] = vertex;
	return used;
}

/** The values of the vertices that are used; the same array where it is all of them and has the type. */
export function keepUsed(data: ArrayLike<number>, width: number, used: Uint32Array | undefined): Float32Array {
	if (used === undefined) return data instanceof Float32Array ? data : new Float32Array(data);
	const out = new Float32Array(width * used.length);
	for (let at = 0, to = 0; at < used.length; at++) {
		const from = width * used[at]!;
		for (let k = 0; k < width; k++) out[to++] = data[from + k]!;
	}
	return out;
}

/** Indices into the vertices that are used. */
export function renumbered(indices: Indices, used: Uint32Array): Indices {
	const place = new Uint32Array(used.length === 0 ? 0 : used.at(-1)! + 1);
	for (let at = 0; at < used.length; at++) place[used[at]!] = at;
	const out = isShort(used.length) ? new Uint16Array(indices.length) : new Uint32Array(indices.length);
	for (let at = 0; at < indices.length; at++) out[at] = place[indices[at]!]!;
	return out;
}

/**
 * Normals of the corners of triangles: the mean of the triangles around a point that turn less than `crease` away, weighted by their
 * angles there [rad].
 */
export function creasedNormals(points: ArrayLike<number>, corners: ArrayLike<number>, crease: number): Float32Array {
	const { normals, angles } = triangleNormals(points, corners);
	const { starts, list } = cornersOfPoints(corners, points.length / 3);
	const limit = Math.cos(crease);
	const out = new Float32Array(3 * corners.length);
	for (let at = 0; at < corners.length; at++) {
		const own = at - (at % 3);
		const [a, b, c] = [normals[own]!, normals[own + 1]!, normals[own + 2]!];
		let [x, y, z] = [0, 0, 0];
		const point = corners[at]!;
		for (let i = starts[point]!; i < starts[point + 1]!; i++) {
			const other = list[i]!;
			const of = other - (other % 3);
			const [d, e, f] = [normals[of]!, normals[of + 1]!, normals[of + 2]!];
			if (of !== own && a * d + b * e + c * f < limit) continue;
			const angle = angles[other]!;
			x += angle * d;
			y += angle * e;
			z += angle * f;
		}
		const length = Math.sqrt(x * x + y * y + z * z);
		out[3 * at] = length === 0 ? 0 : x / length;
		out[3 * at + 1] = length === 0 ? 0 : y / length;
		out[3 * at + 2] = length === 0 ? 1 : z / length;
	}
	return out;
}

/** Normals of triangles, and the angles of their corners [rad]. */
function triangleNormals(
	points: ArrayLike<number>,
	corners: ArrayLike<number>,
): { readonly normals: Float64Array; readonly angles: Float64Array } {
	const normals = new Float64Array(corners.length);
	const angles = new Float64Array(corners.length);
	const edges = new Float64Array(9);
	for (let t = 0; t < corners.length; t += 3) {
		// the edge that begins at each corner
		for (let k = 0; k < 3; k++) {
			const [from, to] = [3 * corners[t + k]!, 3 * corners[t + ((k + 1) % 3)]!];
			for (let i = 0; i < 3; i++) edges[3 * k + i] = points[to + i]! - points[from + i]!;
		}
		const [ux, uy, uz] = [edges[0]!, edges[1]!, edges[2]!];
		const [vx, vy, vz] = [-edges[6]!, -edges[7]!, -edges[8]!];
		const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
		const length = Math.sqrt(x * x + y * y + z * z);
		if (length !== 0) {
			normals[t] = x / length;
			normals[t + 1] = y / length;
			normals[t + 2] = z / length;
		}
		for (let k = 0; k < 3; k++) {
			const [i, j] = [3 * k, 3 * ((k + 2) % 3)];
			const [ax, ay, az] = [edges[i]!, edges[i + 1]!, edges[i + 2]!];
			const [bx, by, bz] = [-edges[j]!, -edges[j + 1]!, -edges[j + 2]!];
			const size = Math.sqrt((ax * ax + ay * ay + az * az) * (bx * bx + by * by + bz * bz));
			const cosine = size === 0 ? 1 : (ax * bx + ay * by + az * bz) / size;
			angles[t + k] = Math.acos(Math.min(1, Math.max(-1, cosine)));
		}
	}
	return { normals, angles };
}

/** The corners that lie at each point, in order: those of point p from `starts[p]` to `starts[p + 1]`. */
function cornersOfPoints(
	corners: ArrayLike<number>,
	pointCount: number,
): { readonly starts: Uint32Array; readonly list: Uint32Array } {
	const starts = new Uint32Array(pointCount + 1);
	for (let at = 0; at < corners.length; at++) starts[corners[at]! + 1] = starts[corners[at]! + 1]! + 1;
	for (let point = 0; point < pointCount; point++) starts[point + 1] = starts[point + 1]! + starts[point]!;
	const next = starts.slice();
	const list = new Uint32Array(corners.length);
	for (let at = 0; at < corners.length; at++) {
		const point = corners[at]!;
		list[next[point]!] = at;
		next[point] = next[point]! + 1;
	}
	return { starts, list };
}
