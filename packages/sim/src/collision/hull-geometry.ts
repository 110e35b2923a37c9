import { convexHull, type TriangleMesh } from '@manyworlds/mesh';
import { mergeHullFaces } from '@manyworlds/mesh/internal';

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
	/** Faces around corner i and its neighbours, ascending: `cornerFaces[cornerFaceStart[i]]` to `cornerFaces[cornerFaceStart[i + 1]]`. */
	readonly cornerFaceStart: Int32Array;
	readonly cornerFaces: Int32Array;
	/** The farthest corner along the middle of each cell of directions, where a search begins; see {@link directionCell}. */
	readonly seeds: Int32Array;
	/** Mean of the corners [m]. */
	readonly center: Float64Array;
}

/** Cells along each side of the cube that directions are sorted by. */
const CELLS = 14;

/** The cell of the direction whose three numbers begin at `at`: its place on the faces of a cube around the origin, {@link CELLS} by {@link CELLS} each. */
export function directionCell(direction: Float64Array, at: number): number {
	const x = direction[at]!;
	const y = direction[at + 1]!;
	const z = direction[at + 2]!;
	const ax = Math.abs(x);
	const ay = Math.abs(y);
	const az = Math.abs(z);
	const axis = ax >= ay && ax >= az ? 0 : ay >= az ? 1 : 2;
	const main = axis === 0 ? x : axis === 1 ? y : z;
	const u = axis === 0 ? y : x;
	const v = axis === 2 ? y : z;
	const scale = (0.5 * CELLS) / Math.abs(main);
	const i = Math.min(CELLS - 1, Math.floor(u * scale + 0.5 * CELLS));
	const j = Math.min(CELLS - 1, Math.floor(v * scale + 0.5 * CELLS));
	const cell = ((axis * 2 + (main < 0 ? 1 : 0)) * CELLS + i) * CELLS + j;
	// a direction without length, or without numbers, has no cell
	return cell >= 0 && cell < 6 * CELLS * CELLS ? cell : 0;
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

/** Share of the size of a hull by which triangles may lie inside of it and still count as its surface. */
const ON_HULL = 1e-6;

/**
 * Whether the triangles of a mesh are the surface of its hull, all of it, with their fronts outside. Convex meshes then
 * collide as the solids that they are.
 */
export function isHull({ vertices, indices }: TriangleMesh, hull: HullGeometry): boolean {
	if (hull.faceStart.length < 5) return false;
	const size = extentOf(hull.vertices);
	const normal = new Float64Array(3);
	let area = 0;
	for (let t = 0; t < indices.length; t += 3) {
		const doubled = triangleCross(vertices, indices, t, normal);
		if (!(doubled > 0)) continue;
		area += doubled / 2;
		const a = 3 * indices[t]!;
		const height = normal[0]! * vertices[a]! + normal[1]! * vertices[a + 1]! + normal[2]! * vertices[a + 2]!;
		for (let v = 0; v < hull.vertices.length; v += 3) {
			const own =
				normal[0]! * hull.vertices[v]! + normal[1]! * hull.vertices[v + 1]! + normal[2]! * hull.vertices[v + 2]!;
			if (own > height + ON_HULL * size) return false;
		}
	}
	return Math.abs(area - hullArea(hull)) <= 1e-3 * area;
}

/** Diagonal of the bounds of points [m]. */
function extentOf(points: Float64Array): number {
	let squared = 0;
	for (let k = 0; k < 3; k++) {
		let low = Number.POSITIVE_INFINITY;
		let high = Number.NEGATIVE_INFINITY;
		for (let i = k; i < points.length; i += 3) {
			low = Math.min(low, points[i]!);
			high = Math.max(high, points[i]!);
		}
		squared += (high - low) ** 2;
	}
	return Math.sqrt(squared);
}

/** Writes the unit normal of a triangle; gives twice its area. */
function triangleCross(
	vertices: Float64Array,
	corners: { readonly [index: number]: number },
	at: number,
	out: Float64Array,
): number {
	const a = 3 * corners[at]!;
	const b = 3 * corners[at + 1]!;
	const c = 3 * corners[at + 2]!;
	const ux = vertices[b]! - vertices[a]!;
	const uy = vertices[b + 1]! - vertices[a + 1]!;
	const uz = vertices[b + 2]! - vertices[a + 2]!;
	const vx = vertices[c]! - vertices[a]!;
	const vy = vertices[c + 1]! - vertices[a + 1]!;
	const vz = vertices[c + 2]! - vertices[a + 2]!;
	const x = uy * vz - uz * vy;
	const y = uz * vx - ux * vz;
	const z = ux * vy - uy * vx;
	const length = Math.hypot(x, y, z);
	out[0] = x / length;
	out[1] = y / length;
	out[2] = z / length;
	return length;
}

function hullArea({ vertices, faceStart, faceVertices }: HullGeometry): number {
	const normal = new Float64Array(3);
	let area = 0;
	for (let face = 0; face + 1 < faceStart.length; face++) {
		const first = faceVertices[faceStart[face]!]!;
		for (let k = faceStart[face]! + 1; k + 1 < faceStart[face + 1]!; k++) {
			area += triangleCross(vertices, [first, faceVertices[k]!, faceVertices[k + 1]!], 0, normal) / 2;
		}
	}
	return area;
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
	const own = facesOfCorners(faceStart, faceVertices, vertices.length / 3);
	const corners = withNeighbours(own.start, own.list, start, list);
	return {
		vertices,
		faceStart,
		faceVertices,
		faceNormals,
		neighbourStart: start,
		neighbours: list,
		cornerFaceStart: corners.start,
		cornerFaces: corners.list,
		seeds: seedsOf(vertices, start, list),
		center,
	};
}

/** The farthest of all corners along the middle of each cell of directions: uphill from that of the cell before. */
function seedsOf(vertices: Float64Array, neighbourStart: Int32Array, neighbours: Int32Array): Int32Array {
	const seeds = new Int32Array(6 * CELLS * CELLS);
	const direction = new Float64Array(3);
	const along = (vertex: number): number =>
		vertices[3 * vertex]! * direction[0]! +
		vertices[3 * vertex + 1]! * direction[1]! +
		vertices[3 * vertex + 2]! * direction[2]!;
	let best = 0;
	for (let cell = 0; cell < seeds.length; cell++) {
		const side = Math.floor(cell / (CELLS * CELLS));
		const axis = side >> 1;
		const i = Math.floor(cell / CELLS) % CELLS;
		const j = cell % CELLS;
		direction[axis] = side % 2 === 0 ? 1 : -1;
		direction[axis === 0 ? 1 : 0] = (2 * i + 1) / CELLS - 1;
		direction[axis === 2 ? 1 : 2] = (2 * j + 1) / CELLS - 1;
		let top = along(best);
		for (let isRising = true; isRising; ) {
			isRising = false;
			const from = best;
			for (let k = neighbourStart[from]!; k < neighbourStart[from + 1]!; k++) {
				const value = along(neighbours[k]!);
				if (value <= top) continue;
				top = value;
				best = neighbours[k]!;
				isRising = true;
			}
		}
		seeds[cell] = best;
	}
	return seeds;
}

/** Faces around each corner. */
function facesOfCorners(
	faceStart: Int32Array,
	faceVertices: Int32Array,
	count: number,
): { start: Int32Array; list: Int32Array } {
	const start = new Int32Array(count + 1);
	for (const vertex of faceVertices) start[vertex + 1] = start[vertex + 1]! + 1;
	for (let i = 0; i < count; i++) start[i + 1] = start[i + 1]! + start[i]!;
	const next = start.slice();
	const list = new Int32Array(faceVertices.length);
	for (let face = 0; face + 1 < faceStart.length; face++) {
		for (let k = faceStart[face]!; k < faceStart[face + 1]!; k++) {
			const vertex = faceVertices[k]!;
			list[next[vertex]!] = face;
			next[vertex] = next[vertex]! + 1;
		}
	}
	return { start, list };
}

/** Faces around each corner and its neighbours, each once, ascending. */
function withNeighbours(
	ownStart: Int32Array,
	own: Int32Array,
	neighbourStart: Int32Array,
	neighbours: Int32Array,
): { start: Int32Array; list: Int32Array } {
	const count = ownStart.length - 1;
	const start = new Int32Array(count + 1);
	const list: number[] = [];
	const faces = new Set<number>();
	for (let i = 0; i < count; i++) {
		faces.clear();
		for (let k = neighbourStart[i]! - 1; k < neighbourStart[i + 1]!; k++) {
			const corner = k < neighbourStart[i]! ? i : neighbours[k]!;
			for (let f = ownStart[corner]!; f < ownStart[corner + 1]!; f++) faces.add(own[f]!);
		}
		for (const face of [...faces].sort((a, b) => a - b)) list.push(face);
		start[i + 1] = list.length;
	}
	return { start, list: Int32Array.from(list) };
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
