/** A mesh ready for glTF: one value of everything for each vertex. */
export interface SurfaceMesh {
	readonly positions: Float32Array;
	readonly indices: Uint32Array;
	readonly normals?: Float32Array;
	/** Coordinates of images, v down. */
	readonly uvs: readonly Float32Array[];
	readonly colors?: { readonly data: Float32Array; readonly width: 3 | 4 };
}

/** Values of the corners of faces: `at` says which item of `data` a corner has. */
export interface CornerValues {
	readonly data: Float32Array;
	readonly width: number;
	readonly at: (corner: number, face: number, point: number) => number;
	/** Whether corners of one point may differ. */
	readonly isPerCorner: boolean;
}

/** Triangles of a mesh as corners, three each, with the face of each triangle. */
export interface Triangles {
	readonly corners: Uint32Array;
	readonly faces: Uint32Array;
}

/**
 * Gives each vertex one value of everything. Corners that agree in their point and in all values, to the last bit, become one vertex; these
 * are numbered as they come, so that the same mesh gives the same bytes.
 */
export function joinCorners(
	points: ArrayLike<number>,
	cornerPoints: ArrayLike<number>,
	triangles: Triangles,
	layers: readonly CornerValues[],
): { positions: Float32Array; indices: Uint32Array; values: Float32Array[] } {
	const { corners, faces } = triangles;
	const count = corners.length;
	const pointAt = new Uint32Array(count);
	for (let at = 0; at < count; at++) pointAt[at] = cornerPoints[corners[at]!]!;
	const itemsOf = ({ at: item, width }: CornerValues): Uint32Array => {
		const items = new Uint32Array(count);
		for (let at = 0; at < count; at++) items[at] = width * item(corners[at]!, faces[(at / 3) | 0]!, pointAt[at]!);
		return items;
	};
	const items = layers.map(itemsOf);
	const indices = new Uint32Array(count);
	// for each vertex the corner of a triangle that began it
	const first = new Uint32Array(count);
	let vertices = 0;
	const loose = layers.flatMap(({ isPerCorner, data, width }, l) =>
		isPerCorner ? [{ items: items[l]!, width, words: new Uint32Array(data.buffer, data.byteOffset, data.length) }] : [],
	);
	if (loose.length === 0) {
		const place = new Int32Array(points.length / 3).fill(-1);
		for (let at = 0; at < count; at++) {
			const point = pointAt[at]!;
			if (place[point] === -1) {
				first[vertices] = at;
				place[point] = vertices++;
			}
			indices[at] = place[point]!;
		}
	} else {
		const mask = 2 ** Math.max(4, Math.ceil(Math.log2(2 * count + 1))) - 1;
		const table = new Int32Array(mask + 1).fill(-1);
		const isSame = (a: number, b: number): boolean => {
			if (pointAt[a] !== pointAt[b]) return false;
			for (const { items: of, width, words } of loose) {
				const [i, j] = [of[a]!, of[b]!];
				if (i !== j) for (let k = 0; k < width; k++) if (words[i + k] !== words[j + k]) return false;
			}
			return true;
		};
		const hashes = new Int32Array(count);
		for (let at = 0; at < count; at++) hashes[at] = Math.imul(pointAt[at]! + 1, 0x9e3779b1);
		for (const { items: of, width, words } of loose) {
			for (let at = 0; at < count; at++) {
				let hash = hashes[at]!;
				for (let k = 0; k < width; k++) hash = Math.imul(hash ^ words[of[at]! + k]!, 0x85ebca6b) ^ (hash >>> 15);
				hashes[at] = hash;
			}
		}
		for (let at = 0; at < count; at++) {
			let slot = (hashes[at]! ^ (hashes[at]! >>> 13)) & mask;
			while (table[slot] !== -1 && !isSame(first[table[slot]!]!, at)) slot = (slot + 1) & mask;
			if (table[slot] === -1) {
				first[vertices] = at;
				table[slot] = vertices++;
			}
			indices[at] = table[slot]!;
		}
	}
	const positions = new Float32Array(3 * vertices);
	for (let vertex = 0; vertex < vertices; vertex++) {
		const point = 3 * pointAt[first[vertex]!]!;
		for (let k = 0; k < 3; k++) positions[3 * vertex + k] = points[point + k]!;
	}
	const values = layers.map(({ width, data }, l) => {
		const out = new Float32Array(width * vertices);
		for (let vertex = 0; vertex < vertices; vertex++) {
			const from = items[l]![first[vertex]!]!;
			for (let k = 0; k < width; k++) out[width * vertex + k] = data[from + k]!;
		}
		return out;
	});
	return { positions, indices, values };
}

/**
 * Normals of the corners of triangles: the mean of the triangles around a point that turn less than `crease` away, weighted by their
 * angles there [rad].
 */
export function creasedNormals(points: ArrayLike<number>, corners: ArrayLike<number>, crease: number): Float32Array {
	const count = corners.length / 3;
	const normals = new Float64Array(3 * count);
	const angles = new Float64Array(corners.length);
	const around = new Map<number, number[]>();
	for (let t = 0; t < count; t++) {
		const p = [0, 1, 2].map((k) => {
			const point = corners[3 * t + k]!;
			const list = around.get(point);
			if (list === undefined) around.set(point, [3 * t + k]);
			else list.push(3 * t + k);
			return [points[3 * point]!, points[3 * point + 1]!, points[3 * point + 2]!] as const;
		});
		const edge = (a: number, b: number): [number, number, number] => [
			p[b]![0] - p[a]![0],
			p[b]![1] - p[a]![1],
			p[b]![2] - p[a]![2],
		];
		const [u, v] = [edge(0, 1), edge(0, 2)];
		const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]] as const;
		const length = Math.hypot(...n);
		for (let k = 0; k < 3; k++) {
			normals[3 * t + k] = length === 0 ? 0 : n[k]! / length;
			const [a, b] = [edge(k, (k + 1) % 3), edge(k, (k + 2) % 3)];
			const size = Math.hypot(...a) * Math.hypot(...b);
			const cosine = size === 0 ? 1 : (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) / size;
			angles[3 * t + k] = Math.acos(Math.min(1, Math.max(-1, cosine)));
		}
	}
	const limit = Math.cos(crease);
	const out = new Float32Array(3 * corners.length);
	for (let at = 0; at < corners.length; at++) {
		const own = 3 * Math.floor(at / 3);
		let [x, y, z] = [0, 0, 0];
		for (const other of around.get(corners[at]!)!) {
			const of = 3 * Math.floor(other / 3);
			const dot =
				normals[own]! * normals[of]! + normals[own + 1]! * normals[of + 1]! + normals[own + 2]! * normals[of + 2]!;
			if (of !== own && dot < limit) continue;
			x += angles[other]! * normals[of]!;
			y += angles[other]! * normals[of + 1]!;
			z += angles[other]! * normals[of + 2]!;
		}
		const length = Math.hypot(x, y, z);
		out[3 * at] = length === 0 ? 0 : x / length;
		out[3 * at + 1] = length === 0 ? 0 : y / length;
		out[3 * at + 2] = length === 0 ? 1 : z / length;
	}
	return out;
}
