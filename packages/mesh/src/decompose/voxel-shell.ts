import { axisAlignedBox } from '../bounds/axis-aligned-box.ts';
import type { TriangleMesh } from '../triangle-mesh.ts';
import { clipPolygon } from './box-volume.ts';

/** The closed surface of the cells of a grid that a mesh touches or encloses; `resolution` cells along the longest side. */
export function voxelShell(mesh: TriangleMesh, resolution: number): TriangleMesh {
	const { least, most } = axisAlignedBox(mesh.vertices);
	const sizes = [0, 1, 2].map((k) => most[k]! - least[k]!);
	// a little larger, so that no surface lies in a side of the grid
	const cell = (Math.max(...sizes) / resolution) * (1 + 1e-6);
	// one empty layer around, so that the outside hangs together
	const dims = sizes.map((size) => Math.max(Math.ceil(size / cell), 1) + 2) as [number, number, number];
	const origin = [0, 1, 2].map((k) => (least[k]! + most[k]! - dims[k]! * cell) / 2) as [number, number, number];
	const cells = new Uint8Array(dims[0] * dims[1] * dims[2]);
	markTriangles(mesh, cells, dims, origin, cell);
	fillOutside(cells, dims);
	return surfaceOf(cells, dims, origin, cell);
}

const OUTSIDE = 2;
const TOUCHED = 1;

/** Marks the cells that triangles pass through, by clipping each to slabs, rows and cells. */
function markTriangles(
	mesh: TriangleMesh,
	cells: Uint8Array,
	dims: readonly [number, number, number],
	origin: readonly [number, number, number],
	cell: number,
): void {
	const levels = [0, 1, 2].map(() => [new Float64Array(48), new Float64Array(48)] as const);
	const index = [0, 0, 0];
	const visit = (polygon: Float64Array, count: number, axis: number): void => {
		if (count < 1) return;
		if (axis === 3) {
			cells[(index[2]! * dims[1] + index[1]!) * dims[0] + index[0]!] = TOUCHED;
			return;
		}
		let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
		for (let i = 0; i < count; i++) {
			low = Math.min(low, polygon[i * 3 + axis]!);
			high = Math.max(high, polygon[i * 3 + axis]!);
		}
		const place = (value: number): number =>
			Math.min(Math.max(Math.floor((value - origin[axis]!) / cell), 0), dims[axis]! - 1);
		const [first, last] = [place(low), place(high)];
		const [upper, both] = levels[axis]!;
		for (let k = first; k <= last; k++) {
			index[axis] = k;
			if (first === last) visit(polygon, count, axis + 1);
			else {
				const above = clipPolygon(upper, polygon, count, axis, origin[axis]! + k * cell, 1);
				const kept = clipPolygon(both, upper, above, axis, origin[axis]! + (k + 1) * cell, -1);
				visit(both, kept, axis + 1);
			}
		}
	};
	const triangle = new Float64Array(9);
	for (let t = 0; t < mesh.indices.length; t += 3) {
		for (let i = 0; i < 9; i++) triangle[i] = mesh.vertices[mesh.indices[t + Math.floor(i / 3)]! * 3 + (i % 3)]!;
		visit(triangle, 3, 0);
	}
}

/** Marks the cells that hang together with the corner of the grid and are not touched. */
function fillOutside(cells: Uint8Array, dims: readonly [number, number, number]): void {
	const steps = [1, dims[0], dims[0] * dims[1]];
	const stack = [0];
	cells[0] = OUTSIDE;
	while (stack.length > 0) {
		const at = stack.pop()!;
		const place = [at % dims[0], Math.floor(at / dims[0]) % dims[1], Math.floor(at / (dims[0] * dims[1]))];
		for (let axis = 0; axis < 3; axis++) {
			for (const sign of [-1, 1]) {
				const moved = place[axis]! + sign;
				if (moved < 0 || moved >= dims[axis]!) continue;
				const next = at + sign * steps[axis]!;
				if (cells[next] !== 0) continue;
				cells[next] = OUTSIDE;
				stack.push(next);
			}
		}
	}
}

/** Squares between cells that are outside and cells that are not, as triangles that face outside. */
function surfaceOf(
	cells: Uint8Array,
	dims: readonly [number, number, number],
	origin: readonly [number, number, number],
	cell: number,
): TriangleMesh {
	const places = new Map<number, number>();
	const vertices: number[] = [];
	const indices: number[] = [];
	const [nx, ny] = [dims[0] + 1, dims[1] + 1];
	const vertex = (p: readonly number[]): number => {
		const key = (p[2]! * ny + p[1]!) * nx + p[0]!;
		let found = places.get(key);
		if (found === undefined) {
			found = places.size;
			places.set(key, found);
			vertices.push(origin[0] + p[0]! * cell, origin[1] + p[1]! * cell, origin[2] + p[2]! * cell);
		}
		return found;
	};
	const steps = [1, dims[0], dims[0] * dims[1]];
	for (let at = 0; at < cells.length; at++) {
		if (cells[at] === OUTSIDE) continue;
		const place = [at % dims[0], Math.floor(at / dims[0]) % dims[1], Math.floor(at / (dims[0] * dims[1]))];
		for (let axis = 0; axis < 3; axis++) {
			for (const sign of [-1, 1]) {
				if (cells[at + sign * steps[axis]!] !== OUTSIDE) continue;
				const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
				const corners = [0, 1, 2, 3].map((i) => {
					const p = [...place];
					if (sign > 0) p[axis] = p[axis]! + 1;
					if (i === 1 || i === 2) p[u] = p[u]! + 1;
					if (i >= 2) p[v] = p[v]! + 1;
					return vertex(p);
				}) as [number, number, number, number];
				const [a, b, c, d] = corners;
				if (sign > 0) indices.push(a, b, c, a, c, d);
				else indices.push(a, c, b, a, d, c);
			}
		}
	}
	return { vertices: Float64Array.from(vertices), indices: Uint32Array.from(indices) };
}
