import {
	type CornerValues,
	type Indices,
	isShort,
	keepUsed,
	renumbered,
	type Triangles,
	usedVertices,
} from './surface-mesh.ts';

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
	const only = layers.length === 1 && layers[0]!.width === 3 ? layers[0]! : undefined;
	const direct = only && joinDirections(points, pointAt, only, triangles, room);
	if (direct !== undefined) return direct;
	let joined: Joined = { indices: pointAt, first: pointAt, items: pointAt };
	for (const [l, layer] of loose.entries()) {
		const keyCount = l === 0 ? points.length / 3 : joined.first.length;
		joined = splitByValues(joined.indices, keyCount, layer, triangles, room);
	}
	const { indices, first, items } = joined;
	const positions = new Float32Array(3 * first.length);
	for (let vertex = 0, to = 0; vertex < first.length; vertex++) {
		const from = 3 * pointAt[first[vertex]!]!;
		positions[to++] = points[from]!;
		positions[to++] = points[from + 1]!;
		positions[to++] = points[from + 2]!;
	}
	const last = loose.at(-1);
	const values = layers.map((layer) =>
		layer === last ? valuesOf(layer, items) : gather(layer, triangles, cornerPoints, first),
	);
	return { positions, indices: narrow(indices, first.length), values };
}

/**
 * The same for meshes of which nothing but directions is known, as those of most robots: what each vertex has is written as soon as it is
 * found. Undefined where values are as many as corners, or very many meet at one point.
 */
function joinDirections(
	points: ArrayLike<number>,
	pointAt: Uint32Array,
	layer: CornerValues,
	corners: Corners,
	room: JoinRoom,
): { positions: Float32Array; indices: Indices; values: Float32Array[] } | undefined {
	const { data } = layer;
	if (!sharesValues(layer, pointAt.length)) return undefined;
	const step = layer.per === 'face' ? 3 : 1;
	const { owned, uses } = ownedItems(pointAt, layer, corners, room);
	const heads = room.take('heads', points.length / 3).fill(0);
	const next = room.take('next', pointAt.length);
	const items = room.take('items', pointAt.length);
	const indices = isShort(pointAt.length) ? new Uint16Array(pointAt.length) : room.take('indices', pointAt.length);
	const positions = new Float32Array(3 * pointAt.length);
	const values = new Float32Array(3 * pointAt.length);
	let [lowX, lowY, lowZ] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
	let [highX, highY, highZ] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
	let count = 0;
	for (let owner = 0, at = 0; owner < owned.length; owner++) {
		const item = owned[owner]!;
		const x = data[item]!;
		const y = data[item + 1]!;
		const z = data[item + 2]!;
		const isAlone = uses[item] === 1 && (step === 1 || areApart(pointAt[at]!, pointAt[at + 1]!, pointAt[at + 2]!));
		for (const end = at + step; at < end; at++) {
			const point = pointAt[at]!;
			let found = 0;
			if (!isAlone) {
				found = heads[point]!;
				for (let length = 0; found !== 0 && items[found - 1] !== item; length++) {
					if (length === LONGEST_CHAIN) return undefined;
					found = next[found - 1]!;
				}
			}
			if (found === 0) {
				const to = 3 * count;
				const px = points[3 * point]!;
				const py = points[3 * point + 1]!;
				const pz = points[3 * point + 2]!;
				positions[to] = px;
				positions[to + 1] = py;
				positions[to + 2] = pz;
				if (px < lowX) lowX = px;
				if (px > highX) highX = px;
				if (py < lowY) lowY = py;
				if (py > highY) highY = py;
				if (pz < lowZ) lowZ = pz;
				if (pz > highZ) highZ = pz;
				values[to] = x;
				values[to + 1] = y;
				values[to + 2] = z;
				if (!isAlone) {
					items[count] = item;
					next[count] = heads[point]!;
					heads[point] = count + 1;
				}
				found = ++count;
			}
			indices[at] = found - 1;
		}
	}
	const kept = trimmed(positions, 3 * count);
	knownBounds.set(kept, {
		min: [lowX, lowY, lowZ].map(Math.fround),
		max: [highX, highY, highZ].map(Math.fround),
	});
	return {
		positions: kept,
		indices: indices instanceof Uint16Array ? indices : narrow(indices, count),
		values: [trimmed(values, 3 * count)],
	};
}

/** Least and greatest numbers of positions, where they are known without looking at all of them again. */
export const knownBounds: WeakMap<Float32Array, Bounds> = new WeakMap();

/** Least and greatest numbers of vectors. */
export interface Bounds {
	readonly min: readonly number[];
	readonly max: readonly number[];
}

/** The beginning of an array, by itself where much would be left over. */
function trimmed(data: Float32Array, length: number): Float32Array {
	return length < 0.9 * data.length ? data.slice(0, length) : data.subarray(0, length);
}

/** Whether a layer has much fewer values than there are corners. */
function sharesValues({ data, width }: CornerValues, corners: number): boolean {
	return 2 * data.length < width * corners;
}

/** Where the value of each triangle or corner stands first, and how many have the one that stands there. */
function ownedItems(
	keys: Uint32Array,
	{ data, width, per, indices: itemOf }: CornerValues,
	corners: Corners,
	room: JoinRoom,
): { readonly owned: Uint32Array; readonly uses: Uint32Array } {
	const same = firstOfEqual(new Uint32Array(data.buffer, data.byteOffset, data.length), width, room);
	// all corners of a triangle have the value of its face
	const step = per === 'face' ? 3 : 1;
	const owned = room.take('owned', keys.length / step);
	const uses = room.take('uses', data.length).fill(0);
	for (let owner = 0; owner < owned.length; owner++) {
		const value = step === 3 ? corners.faceAt(3 * owner) : corners.cornerAt(owner);
		const item = same[itemOf === undefined ? value : itemOf[value]!]!;
		uses[item] = uses[item]! + 1;
		owned[owner] = item;
	}
	return { owned, uses };
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

/** For each vertex the first that has the same values to the last bit. */
export function weldedVertices(
	layers: readonly { readonly data: Float32Array; readonly width: number }[],
): Uint32Array {
	const count = layers[0]!.data.length / layers[0]!.width;
	const all: Corners = { cornerAt: (at) => at, faceAt: (at) => at };
	const start = new Uint32Array(1);
	let joined: Joined = { indices: new Uint32Array(count), first: start, items: start };
	const room = new JoinRoom();
	for (const { data, width } of layers) joined = splitByHash(joined.indices, { data, width, per: 'corner' }, all, room);
	const { indices, first } = joined;
	return indices.map((vertex) => first[vertex]!);
}

/** Vertices by number, and for each the corner that began it and where its values stand in the layer that came last. */
interface Joined {
	readonly indices: Uint32Array;
	readonly first: Uint32Array;
	readonly items: Uint32Array;
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
	if (sharesValues(layer, keys.length)) return splitByNumbers(keys, keyCount, layer, corners, room);
	const isOfFaces = per === 'face';
	// numbers count from one: 0 is the end of a chain
	const heads = room.take('heads', keyCount).fill(0);
	const next = room.take('next', keys.length);
	const { first, indices, items } = results(keys, room);
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
	return { indices, first: first.subarray(0, count), items: items.subarray(0, count) };
}

/**
 * The same where corners share values: those are told apart once and are numbers from then on, and corners whose value no other owner
 * has, as most triangles of a mesh with flat normals, need not be looked for.
 */
function splitByNumbers(
	keys: Uint32Array,
	keyCount: number,
	layer: CornerValues,
	corners: Corners,
	room: JoinRoom,
): Joined {
	const step = layer.per === 'face' ? 3 : 1;
	const { owned, uses } = ownedItems(keys, layer, corners, room);
	const heads = room.take('heads', keyCount).fill(0);
	const next = room.take('next', keys.length);
	const { first, indices, items } = results(keys, room);
	let count = 0;
	for (let owner = 0, at = 0; owner < owned.length; owner++) {
		const item = owned[owner]!;
		const end = at + step;
		if (uses[item] === 1 && (step === 1 || areApart(keys[at]!, keys[at + 1]!, keys[at + 2]!))) {
			for (; at < end; at++) {
				first[count] = at;
				items[count] = item;
				indices[at] = count++;
			}
			continue;
		}
		for (; at < end; at++) {
			const key = keys[at]!;
			let found = heads[key]!;
			for (let length = 0; found !== 0 && items[found - 1] !== item; length++) {
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
	}
	return { indices, first: first.subarray(0, count), items: items.subarray(0, count) };
}

function areApart(a: number, b: number, c: number): boolean {
	return a !== b && b !== c && c !== a;
}

/** The same with a table of all values, where very many meet at one key. */
function splitByHash(
	keys: Uint32Array,
	{ data, width, per, indices: itemOf }: CornerValues,
	corners: Corners,
	room: JoinRoom,
): Joined {
	const words = new Uint32Array(data.buffer, data.byteOffset, data.length);
	const mask = tableSize(keys.length) - 1;
	const table = room.take('table', mask + 1).fill(0);
	const { first, indices, items } = results(keys, room);
	let count = 0;
	for (let at = 0; at < keys.length; at++) {
		const owner = per === 'face' ? corners.faceAt(at) : corners.cornerAt(at);
		const item = width * (itemOf === undefined ? owner : itemOf[owner]!);
		const key = keys[at]!;
		let slot = hashOf(Math.imul(key + 1, 0x9e3779b1), words, item, width) & mask;
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
	return { indices, first: first.subarray(0, count), items: items.subarray(0, count) };
}

/** For each value of a layer where the first that equals it stands. */
function firstOfEqual(words: Uint32Array, width: number, room: JoinRoom): Uint32Array {
	const count = words.length / width;
	const mask = tableSize(count) - 1;
	const table = room.take('table', mask + 1).fill(0);
	const first = room.take('same', count);
	for (let value = 0, item = 0; value < count; value++, item += width) {
		let slot = hashOf(0, words, item, width) & mask;
		let found = table[slot]!;
		while (found !== 0 && !isSameItem(words, found - 1, item, width)) {
			slot = (slot + 1) & mask;
			found = table[slot]!;
		}
		if (found === 0) {
			found = item + 1;
			table[slot] = found;
		}
		first[value] = found - 1;
	}
	return first;
}

/** Places of a table for some values, a power of two. */
function tableSize(count: number): number {
	return 2 ** Math.max(4, Math.ceil(Math.log2(1.5 * count + 1)));
}

function hashOf(start: number, words: Uint32Array, item: number, width: number): number {
	let hash = start;
	for (let k = 0; k < width; k++) hash = Math.imul(hash ^ words[item + k]!, 0x85ebca6b) ^ (hash >>> 15);
	return hash ^ (hash >>> 13);
}

/** Room for what comes out, which is not where the keys are: they may be what came out before. */
function results(keys: Uint32Array, room: JoinRoom): Joined {
	const indices = room.take('indices', keys.length);
	return {
		first: room.take('first', keys.length),
		items: room.take('items', keys.length),
		indices: indices.buffer === keys.buffer ? room.take('other indices', keys.length) : indices,
	};
}

function isSameItem(words: Uint32Array, a: number, b: number, width: number): boolean {
	for (let k = 0; k < width; k++) if (words[a + k] !== words[b + k]) return false;
	return true;
}

/** The values that stand at some places. */
function valuesOf({ data, width }: CornerValues, items: Uint32Array): Float32Array {
	const out = new Float32Array(width * items.length);
	for (let vertex = 0, to = 0; vertex < items.length; vertex++) {
		const from = items[vertex]!;
		for (let k = 0; k < width; k++) out[to++] = data[from + k]!;
	}
	return out;
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
