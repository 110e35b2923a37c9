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

/** Room that one mesh after the other is joined in: memory that is touched for the first time costs more than the work in it. */
export class JoinRoom {
	readonly #rooms = new Map<string, Uint32Array>();

	/** An array for a purpose, with what was left in it. */
	take(purpose: string, length: number): Uint32Array {
		let room = this.#rooms.get(purpose);
		if (room === undefined || room.length < length) {
			room = new Uint32Array(Math.max(length, 2 * (room?.length ?? 0)));
			this.#rooms.set(purpose, room);
		}
		return room.subarray(0, length);
	}
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
	room: JoinRoom = new JoinRoom(),
): { positions: Float32Array; indices: Indices; values: Float32Array[] } {
	const loose = layers.filter(({ per }) => per === 'face' || per === 'corner');
	if (loose.length === 0) return keepPoints(points, cornerPointsOf(cornerPoints, triangles), layers);
	const pointAt = cornerPointsOf(cornerPoints, triangles, room);
	let joined: Joined = { indices: pointAt, first: pointAt };
	for (const [l, layer] of loose.entries()) {
		const keyCount = l === 0 ? points.length / 3 : joined.first.length;
		joined = splitByValues(joined.indices, keyCount, layer, triangles, room);
	}
	const { indices, first } = joined;
	const positions = new Float32Array(3 * first.length);
	for (let vertex = 0, to = 0; vertex < first.length; vertex++) {
		const from = 3 * pointAt[first[vertex]!]!;
		positions[to++] = points[from]!;
		positions[to++] = points[from + 1]!;
		positions[to++] = points[from + 2]!;
	}
	const values = layers.map((layer) => gather(layer, triangles, cornerPoints, first));
	return { positions, indices: narrow(indices, first.length), values };
}

/** Whether two bytes suffice for the number of each vertex; the last number means something else. */
export function isShort(vertexCount: number): boolean {
	return vertexCount < 65535;
}

/** A copy of indices with as few bytes as suffice. */
function narrow(indices: Uint32Array, vertexCount: number): Indices {
	return isShort(vertexCount) ? new Uint16Array(indices) : indices.slice();
}

/** The point of each corner of a triangle, not to be written to: where faces are triangles it is the array itself. */
function cornerPointsOf(cornerPoints: ArrayLike<number>, triangles: Triangles, room?: JoinRoom): Uint32Array {
	if (triangles.isPlain) {
		if (cornerPoints instanceof Uint32Array) return cornerPoints;
		// none is negative
		if (cornerPoints instanceof Int32Array)
			return new Uint32Array(cornerPoints.buffer, cornerPoints.byteOffset, cornerPoints.length);
		return new Uint32Array(cornerPoints);
	}
	const { corners } = triangles;
	const pointAt = room?.take('points', corners.length) ?? new Uint32Array(corners.length);
	for (let at = 0; at < corners.length; at++) pointAt[at] = cornerPoints[corners[at]!]!;
	return pointAt;
}

/** Points as vertices, without those that no triangle uses. */
function keepPoints(
	points: ArrayLike<number>,
	indices: Uint32Array,
	layers: readonly CornerValues[],
): { positions: Float32Array; indices: Indices; values: Float32Array[] } {
	const used = usedVertices(indices, points.length / 3);
	const positions = keepUsed(points, 3, used);
	const values = layers.map(({ data, width, per }) => {
		if (per === 'point') return keepUsed(data, width, used);
		const out = new Float32Array((width * positions.length) / 3);
		for (let at = 0; at < out.length; at++) out[at] = data[at % width]!;
		return out;
	});
	const count = positions.length / 3;
	return { positions, indices: used === undefined ? kept(indices, count) : renumbered(indices, used), values };
}

/** Indices that are kept: the same array where it has as few bytes as suffice. */
function kept(indices: Uint32Array, vertexCount: number): Indices {
	return isShort(vertexCount) ? new Uint16Array(indices) : indices;
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

/** For each vertex the first that has the same values to the last bit. */
export function weldedVertices(
	layers: readonly { readonly data: Float32Array; readonly width: number }[],
): Uint32Array {
	const count = layers[0]!.data.length / layers[0]!.width;
	const all: Corners = { cornerAt: (at) => at, faceAt: (at) => at };
	let joined: Joined = { indices: new Uint32Array(count), first: new Uint32Array(1) };
	const room = new JoinRoom();
	for (const { data, width } of layers) joined = splitByHash(joined.indices, { data, width, per: 'corner' }, all, room);
	const { indices, first } = joined;
	return indices.map((vertex) => first[vertex]!);
}

/** Vertices by number, and for each the corner that began it. */
interface Joined {
	readonly indices: Uint32Array;
	readonly first: Uint32Array;
}

/** Corners by number, each with its corner and its face in the mesh. */
type Corners = Pick<Triangles, 'cornerAt' | 'faceAt'>;

/** Values at one key that a corner is compared with before all of them are looked up in a table. */
const LONGEST_CHAIN = 64;

/**
 * Numbers what agrees in a key and in the values of a layer, as it comes. Most keys have few values, which stand in a chain: no hash of
 * millions of values is needed to tell them apart.
 */
function splitByValues(
	keys: Uint32Array,
	keyCount: number,
	layer: CornerValues,
	corners: Corners,
	room: JoinRoom,
): Joined {
	const { data, width, per, indices: itemOf } = layer;
	const words = new Uint32Array(data.buffer, data.byteOffset, data.length);
	const isOfFaces = per === 'face';
	// numbers count from one: 0 is the end of a chain
	const heads = room.take('heads', keyCount).fill(0);
	const next = room.take('next', keys.length);
	const items = room.take('items', keys.length);
	const { first, indices } = results(keys, room);
	let count = 0;
	for (let at = 0; at < keys.length; at++) {
		const owner = isOfFaces ? corners.faceAt(at) : corners.cornerAt(at);
		const item = width * (itemOf === undefined ? owner : itemOf[owner]!);
		const key = keys[at]!;
		let found = heads[key]!;
		for (let length = 0; found !== 0; length++) {
			const other = items[found - 1]!;
			if (other === item || isSameItem(words, other, item, width)) break;
			if (length === LONGEST_CHAIN) return splitByHash(keys, layer, corners, room);
			found = next[found - 1]!;
		}
		if (found === 0) {
			first[count] = at;
			items[count] = item;
			next[count] = heads[key]!;
			found = ++count;
			heads[key] = found;
		}
		indices[at] = found - 1;
	}
	return { indices, first: first.subarray(0, count) };
}

/** The same with a table of all values, where very many meet at one key. */
function splitByHash(
	keys: Uint32Array,
	{ data, width, per, indices: itemOf }: CornerValues,
	corners: Corners,
	room: JoinRoom,
): Joined {
	const words = new Uint32Array(data.buffer, data.byteOffset, data.length);
	const mask = 2 ** Math.max(4, Math.ceil(Math.log2(1.5 * keys.length + 1))) - 1;
	const table = room.take('table', mask + 1).fill(0);
	const items = room.take('items', keys.length);
	const { first, indices } = results(keys, room);
	let count = 0;
	for (let at = 0; at < keys.length; at++) {
		const owner = per === 'face' ? corners.faceAt(at) : corners.cornerAt(at);
		const item = width * (itemOf === undefined ? owner : itemOf[owner]!);
		const key = keys[at]!;
		let hash = Math.imul(key + 1, 0x9e3779b1);
		for (let k = 0; k < width; k++) hash = Math.imul(hash ^ words[item + k]!, 0x85ebca6b) ^ (hash >>> 15);
		let slot = (hash ^ (hash >>> 13)) & mask;
		let found = table[slot]!;
		while (found !== 0 && !(keys[first[found - 1]!] === key && isSameItem(words, items[found - 1]!, item, width))) {
			slot = (slot + 1) & mask;
			found = table[slot]!;
		}
		if (found === 0) {
			first[count] = at;
			items[count] = item;
			found = ++count;
			table[slot] = found;
		}
		indices[at] = found - 1;
	}
	return { indices, first: first.subarray(0, count) };
}

/** Room for what comes out, which is not where the keys are: they may be what came out before. */
function results(keys: Uint32Array, room: JoinRoom): { readonly first: Uint32Array; readonly indices: Uint32Array } {
	const indices = room.take('indices', keys.length);
	return {
		first: room.take('first', keys.length),
		indices: indices.buffer === keys.buffer ? room.take('other indices', keys.length) : indices,
	};
}

function isSameItem(words: Uint32Array, a: number, b: number, width: number): boolean {
	for (let k = 0; k < width; k++) if (words[a + k] !== words[b + k]) return false;
	return true;
}

/** The values of the corners that vertices begin with. */
function gather(
	layer: CornerValues,
	corners: Corners,
	cornerPoints: ArrayLike<number>,
	first: Uint32Array,
): Float32Array {
	const { data, width, per, indices } = layer;
	const out = new Float32Array(width * first.length);
	for (let vertex = 0, to = 0; vertex < first.length; vertex++) {
		const at = first[vertex]!;
		const owner =
			per === 'face'
				? corners.faceAt(at)
				: per === 'corner'
					? corners.cornerAt(at)
					: per === 'point'
						? cornerPoints[corners.cornerAt(at)]!
						: 0;
		const from = width * (indices === undefined ? owner : indices[owner]!);
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
