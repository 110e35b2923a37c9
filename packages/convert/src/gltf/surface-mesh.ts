/** A mesh ready for glTF: one value of everything for each vertex. */
export interface SurfaceMesh {
	readonly positions: Float32Array;
	readonly indices: Uint32Array;
	readonly normals?: Float32Array;
	/** Tangents of a normal map, four numbers each. */
	readonly tangents?: Float32Array;
	/** Coordinates of images, v down. */
	readonly uvs: readonly Float32Array[];
	readonly colors?: { readonly data: Float32Array; readonly width: 3 | 4 };
}

/** Values of the corners of faces. */
export interface CornerValues {
	readonly data: Float32Array;
	readonly width: number;
	/** What has a value of its own; `mesh` is one for everything. */
	readonly per: 'mesh' | 'face' | 'point' | 'corner';
}

/** Which item of some values a corner has. */
export function itemAt(per: CornerValues['per'], corner: number, face: number, point: number): number {
	return per === 'corner' ? corner : per === 'face' ? face : per === 'point' ? point : 0;
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

/**
 * Gives each vertex one value of everything. Points that are the same wherever they are used are vertices, in their order; else corners
 * that agree in their point and in all values, to the last bit, become one vertex, numbered as they come. The same mesh gives the same
 * bytes.
 */
export function joinCorners(
	points: ArrayLike<number>,
	cornerPoints: ArrayLike<number>,
	triangles: Triangles,
	layers: readonly CornerValues[],
): { positions: Float32Array; indices: Uint32Array; values: Float32Array[] } {
	const pointAt = cornerPointsOf(cornerPoints, triangles);
	if (layers.every(({ per }) => per === 'point' || per === 'mesh')) return keepPoints(points, pointAt, layers);
	const items = layers.map((layer) => itemsOf(layer, triangles, pointAt));
	const loose = layers.flatMap(({ per, data, width }, l) =>
		per === 'face' || per === 'corner'
			? [{ items: items[l]!, width, words: new Uint32Array(data.buffer, data.byteOffset, data.length) }]
			: [],
	);
	const { indices, first } = joinByValues(pointAt, points.length / 3, loose);
	const positions = new Float32Array(3 * first.length);
	for (let vertex = 0; vertex < first.length; vertex++) {
		const point = 3 * pointAt[first[vertex]!]!;
		positions[3 * vertex] = points[point]!;
		positions[3 * vertex + 1] = points[point + 1]!;
		positions[3 * vertex + 2] = points[point + 2]!;
	}
	const values = layers.map(({ width, data }, l) => gather(data, width, items[l]!, first));
	return { positions, indices, values };
}

function cornerPointsOf(cornerPoints: ArrayLike<number>, triangles: Triangles): Uint32Array {
	if (triangles.isPlain) return new Uint32Array(cornerPoints);
	const { corners } = triangles;
	const pointAt = new Uint32Array(corners.length);
	for (let at = 0; at < corners.length; at++) pointAt[at] = cornerPoints[corners[at]!]!;
	return pointAt;
}

/** Where the values of each corner of a triangle begin. */
function itemsOf({ per, width }: CornerValues, triangles: Triangles, pointAt: Uint32Array): Uint32Array {
	const items = new Uint32Array(pointAt.length);
	if (per === 'mesh') return items;
	if (per === 'face') {
		const { faces } = triangles;
		for (let at = 0; at < items.length; at++) items[at] = width * faces[(at / 3) | 0]!;
	} else {
		const from = per === 'point' ? pointAt : triangles.corners;
		for (let at = 0; at < items.length; at++) items[at] = width * from[at]!;
	}
	return items;
}

/** Points as vertices, without those that no triangle uses. `indices` become those of the vertices. */
function keepPoints(
	points: ArrayLike<number>,
	indices: Uint32Array,
	layers: readonly CornerValues[],
): { positions: Float32Array; indices: Uint32Array; values: Float32Array[] } {
	const used = usedVertices(indices, points.length / 3);
	const positions = keepUsed(points, 3, used);
	const values = layers.map(({ data, width, per }) => {
		if (per === 'point') return keepUsed(data, width, used);
		const out = new Float32Array((width * positions.length) / 3);
		for (let at = 0; at < out.length; at++) out[at] = data[at % width]!;
		return out;
	});
	return { positions, indices: used === undefined ? indices : renumbered(indices, used), values };
}

/** Which of some vertices triangles use, in their order; undefined for all of them. */
export function usedVertices(indices: Uint32Array, count: number): Uint32Array | undefined {
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
export function renumbered(indices: Uint32Array, used: Uint32Array): Uint32Array {
	const place = new Uint32Array(used.length === 0 ? 0 : used.at(-1)! + 1);
	for (let at = 0; at < used.length; at++) place[used[at]!] = at;
	const out = new Uint32Array(indices.length);
	for (let at = 0; at < indices.length; at++) out[at] = place[indices[at]!]!;
	return out;
}

/** For each vertex the first that has the same values to the last bit. */
export function weldedVertices(
	layers: readonly { readonly data: Float32Array; readonly width: number }[],
): Uint32Array {
	const count = layers[0]!.data.length / layers[0]!.width;
	const loose = layers.map(({ data, width }) => {
		const items = new Uint32Array(count);
		for (let vertex = 0; vertex < count; vertex++) items[vertex] = width * vertex;
		return { items, width, words: new Uint32Array(data.buffer, data.byteOffset, data.length) };
	});
	const { indices, first } = joinByValues(new Uint32Array(count), 1, loose);
	return indices.map((vertex) => first[vertex]!);
}

/** Vertices by number, and for each the corner that began it. */
interface Joined {
	readonly indices: Uint32Array;
	readonly first: Uint32Array;
}

/** Values that corners of one point may differ in. */
interface LooseValues {
	readonly items: Uint32Array;
	readonly width: number;
	readonly words: Uint32Array;
}

/** Places beside its own that a corner is looked for. */
const NEAR_TRIES = 12;

function joinByValues(pointAt: Uint32Array, pointCount: number, loose: readonly LooseValues[]): Joined {
	const count = pointAt.length;
	const indices = new Uint32Array(count);
	const first = new Uint32Array(count);
	const hashes = new Int32Array(count);
	for (let at = 0; at < count; at++) hashes[at] = Math.imul(pointAt[at]! + 1, 0x9e3779b1);
	for (const { items, width, words } of loose) {
		for (let at = 0; at < count; at++) {
			const item = items[at]!;
			let hash = hashes[at]!;
			for (let k = 0; k < width; k++) hash = Math.imul(hash ^ words[item + k]!, 0x85ebca6b) ^ (hash >>> 15);
			hashes[at] = hash;
		}
	}
	const mask = 2 ** Math.max(4, Math.ceil(Math.log2(1.5 * count + 1))) - 1;
	// neighbours in a mesh are neighbours in the table, which keeps them in the cache
	const stride = Math.max(1, Math.floor((mask + 1) / pointCount));
	// vertices count from one, so that nothing has to be filled
	const table = new Int32Array(mask + 1);
	let vertices = 0;
	for (let at = 0; at < count; at++) {
		const hash = hashes[at]!;
		let slot = (Math.imul(pointAt[at]!, stride) + (hash & 3)) & mask;
		let vertex = table[slot]!;
		for (let tries = 1; vertex !== 0; tries++) {
			const other = first[vertex - 1]!;
			if (hashes[other] === hash && isSameCorner(other, at, pointAt, loose)) break;
			// a point where very many faces meet has its corners all over the table
			slot = (tries === NEAR_TRIES ? hash ^ (hash >>> 13) : slot + 1) & mask;
			vertex = table[slot]!;
		}
		if (vertex === 0) {
			first[vertices] = at;
			vertex = ++vertices;
			table[slot] = vertex;
		}
		indices[at] = vertex - 1;
	}
	return { indices, first: first.subarray(0, vertices) };
}

function isSameCorner(a: number, b: number, pointAt: Uint32Array, loose: readonly LooseValues[]): boolean {
	if (pointAt[a] !== pointAt[b]) return false;
	for (let l = 0; l < loose.length; l++) {
		const { items, width, words } = loose[l]!;
		const i = items[a]!;
		const j = items[b]!;
		if (i !== j) for (let k = 0; k < width; k++) if (words[i + k] !== words[j + k]) return false;
	}
	return true;
}

function gather(data: Float32Array, width: number, items: Uint32Array, first: Uint32Array): Float32Array {
	const out = new Float32Array(width * first.length);
	for (let vertex = 0, to = 0; vertex < first.length; vertex++) {
		const from = items[first[vertex]!]!;
		for (let k = 0; k < width; k++) out[to++] = data[from + k]!;
	}
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
