/**
 * Memory for joining corners of one file at a time: the bits of coordinates of vertices, three each, and a table with open
 * addressing of their numbers plus 1. It is kept from file to file, as robots have dozens of meshes.
 */
const kept: { places: Int32Array; table: Int32Array } = { places: new Int32Array(0), table: new Int32Array(0) };

/** Numbers of four bytes that either keeps at most. */
const MOST_KEPT = 2 ** 19;

/** An empty table for the vertices of some triangles: a closed surface has half as many. */
export function takeTable(triangles: number): Int32Array {
	let size = 16;
	while (size < triangles * 1.5) size *= 2;
	if (kept.table.length < size) kept.table = new Int32Array(size);
	else kept.table.fill(0, 0, size);
	return kept.table.subarray(0, size);
}

/** Room for the vertices of some triangles. */
export function takePlaces(triangles: number): Int32Array {
	if (kept.places.length < triangles * 3) kept.places = new Int32Array(Math.max(triangles, 16) * 3);
	return kept.places;
}

/** The same places with room for twice as many. */
export function doubled(places: Int32Array): Int32Array {
	const larger = new Int32Array(places.length * 2);
	larger.set(places);
	kept.places = larger;
	return larger;
}

/** A larger table of the same vertices. */
export function rehash(places: Int32Array, vertices: number, size: number): Int32Array {
	const table = new Int32Array(size);
	kept.table = table;
	const shift = shiftOf(table);
	const mask = size - 1;
	for (let i = 0; i < vertices; i++) {
		let slot = hash(places[i * 3]!, places[i * 3 + 1]!, places[i * 3 + 2]!) >>> shift;
		while (table[slot] !== 0) slot = (slot + 1) & mask;
		table[slot] = i + 1;
	}
	return table;
}

/** The coordinates of vertices, after which memory is free for the next file. */
export function toVertices(places: Int32Array, vertices: number): Float64Array {
	if (kept.places.length > MOST_KEPT) kept.places = new Int32Array(0);
	if (kept.table.length > MOST_KEPT) kept.table = new Int32Array(0);
	return new Float64Array(new Float32Array(places.buffer, 0, vertices * 3));
}

/** Bits that a hash is shifted by to give a slot: its upper bits depend on all bits of the coordinates. */
export function shiftOf(table: Int32Array): number {
	return Math.clz32(table.length - 1);
}

/** Round numbers differ in their upper bits only, which products lose; the products do not wait for each other. */
export function hash(x: number, y: number, z: number): number {
	return (
		Math.imul(x ^ (x >>> 15), 0x9e3779b1) +
		Math.imul(y ^ (y >>> 15), 0x85ebca6b) +
		Math.imul(z ^ (z >>> 15), 0xc2b2ae35)
	);
}

/** Bits of a number, where minus zero is zero. */
export function zeroed(bits: number): number {
	return bits === -0x80000000 ? 0 : bits;
}
