/** Numbers of vertices, as drawing takes them. */
export type IndexArray = Uint16Array | Uint32Array;

/**
 * Numbers of the corners of triangles in fewer bytes: each as its distance from the same corner of the triangle before, in groups of
 * seven bits. Undefined where that is not less.
 */
export function packIndices(indices: IndexArray): Uint8Array | undefined {
	let size = 0;
	for (let i = 0; i < indices.length; i++) {
		let left = distance(indices, i);
		size++;
		while ((left >>>= 7) > 0) size++;
	}
	if (size >= indices.byteLength) return undefined;
	const out = new Uint8Array(size);
	for (let i = 0, at = 0; i < indices.length; i++) {
		let left = distance(indices, i);
		while (left > 127) {
			out[at++] = 128 | (left & 127);
			left >>>= 7;
		}
		out[at++] = left;
	}
	return out;
}

/** Writes what {@link packIndices} packed into an array of its length. */
export function unpackIndices<T extends IndexArray>(packed: Uint8Array, out: T): T {
	for (let i = 0, at = 0; i < out.length; i++) {
		let left = 0;
		let shift = 0;
		let byte: number;
		do {
			byte = packed[at++]!;
			left |= (byte & 127) << shift;
			shift += 7;
		} while (byte > 127);
		const step = (left >>> 1) ^ -(left & 1);
		out[i] = (i < 3 ? 0 : out[i - 3]!) + step;
	}
	return out;
}

/** From the same corner of the triangle before, in 32 bits that wrap; the last bit is the sign. */
function distance(indices: IndexArray, i: number): number {
	const step = (indices[i]! - (i < 3 ? 0 : indices[i - 3]!)) | 0;
	return ((step << 1) ^ (step >> 31)) >>> 0;
}

/** Largest number of a packed direction, and the one that says that there is none. */
const MOST = 32767;
const NONE = -32768;

/** Directions as two numbers each: places on an octahedron that is laid flat (Cigolle et al. 2014, JCGT 3(2)). */
export function packDirections(directions: Float32Array): Int16Array {
	const out = new Int16Array((2 * directions.length) / 3);
	for (let from = 0, to = 0; from < directions.length; from += 3, to += 2) {
		const [x, y, z] = [directions[from]!, directions[from + 1]!, directions[from + 2]!];
		const sum = Math.abs(x) + Math.abs(y) + Math.abs(z);
		if (!(sum > 0)) {
			out[to] = NONE;
			continue;
		}
		let [u, v] = [x / sum, y / sum];
		if (z < 0) [u, v] = [(1 - Math.abs(v)) * (u < 0 ? -1 : 1), (1 - Math.abs(u)) * (v < 0 ? -1 : 1)];
		out[to] = Math.round(MOST * u);
		out[to + 1] = Math.round(MOST * v);
	}
	return out;
}

/** The directions of {@link packDirections}, of length one, each within 0.01 degrees. */
export function unpackDirections(packed: Int16Array): Float32Array {
	const out = new Float32Array((3 * packed.length) / 2);
	for (let from = 0, to = 0; from < packed.length; from += 2, to += 3) {
		if (packed[from] === NONE) continue;
		const [u, v] = [packed[from]! / MOST, packed[from + 1]! / MOST];
		const z = 1 - Math.abs(u) - Math.abs(v);
		const fold = Math.max(-z, 0);
		const [x, y] = [u - (u < 0 ? -fold : fold), v - (v < 0 ? -fold : fold)];
		const length = Math.sqrt(x * x + y * y + z * z);
		out[to] = x / length;
		out[to + 1] = y / length;
		out[to + 2] = z / length;
	}
	return out;
}
