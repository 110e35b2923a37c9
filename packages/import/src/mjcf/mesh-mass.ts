import { convexHull, type MassProperties, type TriangleMesh } from '@manyworlds/mesh';
import { zeroMass } from '@manyworlds/mesh/internal';

/** How MuJoCo takes a mesh for its mass: `legacy` counts every pyramid as positive, which is exact for convex meshes. */
export type MeshInertia = 'legacy' | 'exact' | 'convex' | 'shell';

/**
 * Mass properties of a mesh at density 1 as MuJoCo's compiler has them: pyramids from the centroid of the faces for volume
 * and centre, then pyramids from that centre for the second moments. A shell has 1 kg/m².
 */
export function mujocoMeshMass(mesh: TriangleMesh, method: MeshInertia): MassProperties {
	const { vertices, indices } = method === 'convex' ? convexHull(mesh.vertices).mesh : mesh;
	const middle = faceCentroid(mesh.vertices, mesh.indices);
	const com = new Float64Array(3);
	let total = 0;
	const triangle = new Float64Array(10);
	for (let t = 0; t < indices.length; t += 3) {
		measure(triangle, vertices, indices, t, middle);
		const volume = weightOf(triangle, method);
		// a pyramid has its centre at a quarter of the height above its base, a face in its middle
		const share = method === 'shell' ? 1 : 3 / 4;
		total += volume;
		for (let k = 0; k < 3; k++) com[k] = com[k]! + volume * (share * triangle[k]! + (1 - share) * middle[k]!);
	}
	if (!(Math.abs(total) >= 1e-15)) return zeroMass();
	for (let k = 0; k < 3; k++) com[k] = com[k]! / total;
	return secondMoments(vertices, indices, com, method);
}

/** Centroid 0..2, normal 3..5, area 6, distance of the plane from the apex 7. */
function measure(
	out: Float64Array,
	vertices: Float64Array,
	indices: Uint32Array,
	t: number,
	apex: ArrayLike<number>,
): void {
	const a = indices[t]! * 3;
	const b = indices[t + 1]! * 3;
	const c = indices[t + 2]! * 3;
	const ux = vertices[b]! - vertices[a]!;
	const uy = vertices[b + 1]! - vertices[a + 1]!;
	const uz = vertices[b + 2]! - vertices[a + 2]!;
	const vx = vertices[c]! - vertices[a]!;
	const vy = vertices[c + 1]! - vertices[a + 1]!;
	const vz = vertices[c + 2]! - vertices[a + 2]!;
	const nx = uy * vz - uz * vy;
	const ny = uz * vx - ux * vz;
	const nz = ux * vy - uy * vx;
	const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
	for (let k = 0; k < 3; k++) out[k] = (vertices[a + k]! + vertices[b + k]! + vertices[c + k]!) / 3;
	const inverse = length < 1e-15 ? 0 : 1 / length;
	out[3] = nx * inverse;
	out[4] = ny * inverse;
	out[5] = nz * inverse;
	out[6] = length / 2;
	out[7] = (out[0]! - apex[0]!) * out[3]! + (out[1]! - apex[1]!) * out[4]! + (out[2]! - apex[2]!) * out[5]!;
}

function weightOf(triangle: Float64Array, method: MeshInertia): number {
	if (method === 'shell') return triangle[6]!;
	const volume = (triangle[7]! * triangle[6]!) / 3;
	return method === 'legacy' ? Math.abs(volume) : volume;
}

function secondMoments(
	vertices: Float64Array,
	indices: Uint32Array,
	com: Float64Array,
	method: MeshInertia,
): MassProperties {
	const moments = new Float64Array(6);
	const triangle = new Float64Array(10);
	const divisor = method === 'shell' ? 12 : 20;
	let mass = 0;
	for (let t = 0; t < indices.length; t += 3) {
		measure(triangle, vertices, indices, t, com);
		const volume = weightOf(triangle, method);
		mass += volume;
		const d = indices[t]! * 3;
		const e = indices[t + 1]! * 3;
		const f = indices[t + 2]! * 3;
		for (let j = 0; j < 6; j++) {
			const p = FIRST[j]!;
			const q = SECOND[j]!;
			const dp = vertices[d + p]! - com[p]!;
			const dq = vertices[d + q]! - com[q]!;
			const ep = vertices[e + p]! - com[p]!;
			const eq = vertices[e + q]! - com[q]!;
			const fp = vertices[f + p]! - com[p]!;
			const fq = vertices[f + q]! - com[q]!;
			const sum = 2 * (dp * dq + ep * eq + fp * fq) + dp * eq + dq * ep + dp * fq + dq * fp + ep * fq + eq * fp;
			moments[j] = moments[j]! + (volume / divisor) * sum;
		}
	}
	const [xx, yy, zz, xy, xz, yz] = [moments[0]!, moments[1]!, moments[2]!, moments[3]!, moments[4]!, moments[5]!];
	const inertia = Float64Array.of(yy + zz, -xy, -xz, -xy, xx + zz, -yz, -xz, -yz, xx + yy);
	return { mass, com, inertia };
}

const FIRST = [0, 1, 2, 0, 0, 1];
const SECOND = [0, 1, 2, 1, 2, 2];

/** Mean of the centroids of the faces, weighted by area. */
function faceCentroid(vertices: Float64Array, indices: Uint32Array): Float64Array {
	const out = new Float64Array(3);
	const triangle = new Float64Array(10);
	let area = 0;
	for (let t = 0; t < indices.length; t += 3) {
		measure(triangle, vertices, indices, t, out);
		area += triangle[6]!;
		for (let k = 0; k < 3; k++) out[k] = out[k]! + triangle[6]! * triangle[k]!;
	}
	return area >= 1e-15 ? out.map((value) => value / area) : out;
}
