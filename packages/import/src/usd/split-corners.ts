/** Normals of corners of one vertex that differ by more than this belong to an edge [rad]. */
const SHARP = (25 * Math.PI) / 180;

/** A mesh whose vertices have one normal and one texture coordinate each. */
export interface SplitMesh {
	readonly vertices: Float64Array;
	readonly indices: Uint32Array;
	readonly normals: Float64Array;
	readonly uvs: Float64Array | undefined;
}

interface Cluster {
	readonly vertex: number;
	readonly sum: [number, number, number];
	readonly corner: number;
}

/**
 * Doubles vertices whose corners differ in normal or texture coordinate. Corners of a vertex join, in their order, the first
 * cluster whose mean normal is near and whose texture coordinate is the same; every cluster becomes a vertex, numbered by the
 * corner that began it.
 */
export function splitCorners(
	points: Float64Array,
	indices: Uint32Array,
	cornerNormals: Float64Array,
	cornerUvs: Float64Array | undefined,
): SplitMesh {
	const limit = Math.cos(SHARP);
	const clusters: Cluster[] = [];
	const ofVertex = new Map<number, number[]>();
	const out = new Uint32Array(indices.length);
	for (let corner = 0; corner < indices.length; corner++) {
		const vertex = indices[corner]!;
		const [x, y, z] = direction(cornerNormals, corner);
		let list = ofVertex.get(vertex);
		if (list === undefined) {
			list = [];
			ofVertex.set(vertex, list);
		}
		const found = list.find((at) => {
			const { sum, corner: first } = clusters[at]!;
			const length = Math.max(Math.hypot(sum[0], sum[1], sum[2]), Number.MIN_VALUE);
			if ((sum[0] * x + sum[1] * y + sum[2] * z) / length < limit) return false;
			if (cornerUvs === undefined) return true;
			return cornerUvs[2 * first] === cornerUvs[2 * corner] && cornerUvs[2 * first + 1] === cornerUvs[2 * corner + 1];
		});
		if (found === undefined) {
			list.push(clusters.length);
			out[corner] = clusters.length;
			clusters.push({ vertex, sum: [x, y, z], corner });
		} else {
			const { sum } = clusters[found]!;
			sum[0] += x;
			sum[1] += y;
			sum[2] += z;
			out[corner] = found;
		}
	}
	const vertices = new Float64Array(clusters.length * 3);
	const normals = new Float64Array(clusters.length * 3);
	const uvs = cornerUvs === undefined ? undefined : new Float64Array(clusters.length * 2);
	clusters.forEach(({ vertex, sum, corner }, i) => {
		const length = Math.max(Math.hypot(sum[0], sum[1], sum[2]), Number.MIN_VALUE);
		for (let k = 0; k < 3; k++) {
			vertices[3 * i + k] = points[3 * vertex + k]!;
			normals[3 * i + k] = sum[k]! / length;
		}
		if (uvs !== undefined) for (let k = 0; k < 2; k++) uvs[2 * i + k] = cornerUvs![2 * corner + k]!;
	});
	return { vertices, indices: out, normals, uvs };
}

function direction(normals: Float64Array, corner: number): [number, number, number] {
	const [x, y, z] = [normals[3 * corner]!, normals[3 * corner + 1]!, normals[3 * corner + 2]!];
	const length = Math.max(Math.hypot(x, y, z), Number.MIN_VALUE);
	return [x / length, y / length, z / length];
}
