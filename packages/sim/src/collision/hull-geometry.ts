import { convexHull, mergeHullFaces, type TriangleMesh } from '@manyworlds/mesh';

/** A convex polytope: extreme points, flat faces and neighbours. Made once for a mesh and a scale, shared by shapes. @public */
export interface HullGeometry {
	/** Corners [m]; three numbers each. */
	readonly vertices: Float64Array;
	/** First corner entry of each face, then the total. */
	readonly faceStart: Int32Array;
	/** Corners of faces, counterclockwise from outside. */
	readonly faceVertices: Int32Array;
	/** Outward unit normals; three numbers each. */
	readonly faceNormals: Float64Array;
	/** Neighbours of corner i: `neighbours[neighbourStart[i]]` to `neighbours[neighbourStart[i + 1]]`. */
	readonly neighbourStart: Int32Array;
	readonly neighbours: Int32Array;
	/** Mean of the corners [m]. */
	readonly center: Float64Array;
}

/** The hull of the corners of a mesh, scaled along its axes. */
export function hullOfMesh(mesh: TriangleMesh, sx: number, sy: number, sz: number): HullGeometry {
	const scaled = new Float64Array(mesh.vertices.length);
	for (let i = 0; i < scaled.length; i += 3) {
		scaled[i] = mesh.vertices[i]! * sx;
		scaled[i + 1] = mesh.vertices[i + 1]! * sy;
		scaled[i + 2] = mesh.vertices[i + 2]! * sz;
	}
	return hullOfPoints(scaled);
}

/** The hull of points, three numbers each. @public */
export function hullOfPoints(points: Float64Array): HullGeometry {
	const { mesh } = convexHull(points);
	const vertices = mesh.vertices.length > 0 ? mesh.vertices : points.slice(0, 3);
	const faces = mergeHullFaces(mesh).filter((face) => face.length >= 3);
	const faceStart = new Int32Array(faces.length + 1);
	faces.forEach((face, i) => {
		faceStart[i + 1] = faceStart[i]! + face.length;
	});
	const faceVertices = Int32Array.from(faces.flat());
	const faceNormals = new Float64Array(3 * faces.length);
	faces.forEach((face, i) => {
		writeNormal(vertices, face, faceNormals, 3 * i);
	});
	const { start, list } = neighboursOf(mesh.indices, vertices.length / 3);
	const center = new Float64Array(3);
	for (let i = 0; i < vertices.length; i++) center[i % 3] = center[i % 3]! + vertices[i]! / (vertices.length / 3);
	return { vertices, faceStart, faceVertices, faceNormals, neighbourStart: start, neighbours: list, center };
}

/** Newell's method: exact for flat polygons and stable for nearly flat ones. */
function writeNormal(vertices: Float64Array, face: readonly number[], out: Float64Array, at: number): void {
	let x = 0;
	let y = 0;
	let z = 0;
	for (let i = 0; i < face.length; i++) {
		const p = 3 * face[i]!;
		const q = 3 * face[(i + 1) % face.length]!;
		x += (vertices[p + 1]! - vertices[q + 1]!) * (vertices[p + 2]! + vertices[q + 2]!);
		y += (vertices[p + 2]! - vertices[q + 2]!) * (vertices[p]! + vertices[q]!);
		z += (vertices[p]! - vertices[q]!) * (vertices[p + 1]! + vertices[q + 1]!);
	}
	const length = Math.hypot(x, y, z) || 1;
	out[at] = x / length;
	out[at + 1] = y / length;
	out[at + 2] = z / length;
}

function neighboursOf(indices: Uint32Array, count: number): { start: Int32Array; list: Int32Array } {
	const sets = Array.from({ length: count }, () => new Set<number>());
	for (let t = 0; t < indices.length; t += 3) {
		for (let i = 0; i < 3; i++) {
			const a = indices[t + i]!;
			const b = indices[t + ((i + 1) % 3)]!;
			sets[a]!.add(b);
			sets[b]!.add(a);
		}
	}
	const start = new Int32Array(count + 1);
	sets.forEach((set, i) => {
		start[i + 1] = start[i]! + set.size;
	});
	return { start, list: Int32Array.from(sets.flatMap((set) => [...set].sort((a, b) => a - b))) };
}
