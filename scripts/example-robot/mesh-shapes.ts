/** Coordinates or directions, in metres. */
export type Vector = readonly [number, number, number];

/** A polygon mesh with one normal (and perhaps one texture coordinate) for each corner of each face. */
export interface Mesh {
	readonly points: Vector[];
	/** Corners of each face, counter-clockwise seen from outside. */
	readonly faces: number[][];
	/** One for each corner, in the order of `faces`. */
	readonly normals: Vector[];
	readonly st?: [number, number][];
}

/** A box with its twelve edges cut at 45 degrees. */
export function chamferedBox(size: Vector, chamfer: number): Mesh {
	const half: Vector = [size[0] / 2, size[1] / 2, size[2] / 2];
	const points: Vector[] = [];
	// each corner of the box becomes three points, one on each of its faces
	const corner = new Map<string, [number, number, number]>();
	for (const x of [-1, 1]) {
		for (const y of [-1, 1]) {
			for (const z of [-1, 1]) {
				const signs = [x, y, z];
				const indices: [number, number, number] = [0, 0, 0];
				for (let face = 0; face < 3; face++) {
					const at = signs.map((sign, axis) => sign * (half[axis]! - (axis === face ? 0 : chamfer)));
					indices[face] = points.push(at as unknown as Vector) - 1;
				}
				corner.set(signs.join(), indices);
			}
		}
	}
	const at = (face: number, signs: readonly number[]) => corner.get(signs.join())![face]!;
	const faces: number[][] = [];
	for (let a = 0; a < 3; a++) {
		const b = (a + 1) % 3;
		const c = (a + 2) % 3;
		const signs = (sa: number, sb: number, sc: number): number[] => {
			const result = [0, 0, 0];
			result[a] = sa;
			result[b] = sb;
			result[c] = sc;
			return result;
		};
		for (const s of [-1, 1]) {
			// the side
			faces.push(
				[
					[-1, -1],
					[1, -1],
					[1, 1],
					[-1, 1],
				].map(([sb, sc]) => at(a, signs(s, sb!, sc!))),
			);
			// the four edges along axis a
			for (const t of [-1, 1]) {
				const [low, high] = [signs(-1, s, t), signs(1, s, t)];
				faces.push([at(b, low), at(b, high), at(c, high), at(c, low)]);
			}
		}
	}
	for (const indices of corner.values()) faces.push([...indices]);
	return flatShaded(points, faces);
}

/**
 * A profile turned around an axis: rings of `[distance along the axis, radius]` from one end to the other. Smooth around
 * the axis, with a crease at each ring.
 */
export function lathe(axis: 'X' | 'Y' | 'Z', segments: number, profile: readonly (readonly [number, number])[]): Mesh {
	const points: Vector[] = [];
	const faces: number[][] = [];
	const normals: Vector[] = [];
	const place = (along: number, u: number, v: number): Vector => {
		if (axis === 'X') return [along, u, v];
		return axis === 'Y' ? [v, along, u] : [u, v, along];
	};
	const direction = (segment: number): [number, number] => {
		const angle = (2 * Math.PI * segment) / segments;
		return [Math.cos(angle), Math.sin(angle)];
	};
	for (const [along, radius] of profile) {
		for (let i = 0; i < segments; i++) {
			const [u, v] = direction(i);
			points.push(place(along, radius * u, radius * v));
		}
	}
	for (let ring = 0; ring + 1 < profile.length; ring++) {
		const [h0, r0] = profile[ring]!;
		const [h1, r1] = profile[ring + 1]!;
		const length = Math.hypot(h1 - h0, r1 - r0);
		const [slope, outwards] = [(r0 - r1) / length, (h1 - h0) / length];
		for (let i = 0; i < segments; i++) {
			const next = (i + 1) % segments;
			faces.push([
				ring * segments + i,
				ring * segments + next,
				(ring + 1) * segments + next,
				(ring + 1) * segments + i,
			]);
			for (const segment of [i, i + 1, i + 1, i]) {
				const [u, v] = direction(segment);
				normals.push(place(slope, outwards * u, outwards * v));
			}
		}
	}
	const ringFace = (ring: number) => Array.from({ length: segments }, (_, i) => ring * segments + i);
	faces.push(ringFace(0).reverse(), ringFace(profile.length - 1));
	for (let i = 0; i < segments; i++) normals.push(place(-1, 0, 0));
	for (let i = 0; i < segments; i++) normals.push(place(1, 0, 0));
	return { points, faces, normals };
}

/** A disc-like solid of revolution centred on the origin, with bevelled rims. */
export function wheel(axis: 'X' | 'Y' | 'Z', radius: number, width: number, bevel: number, segments: number): Mesh {
	const half = width / 2;
	return lathe(axis, segments, [
		[-half, radius - bevel],
		[bevel - half, radius],
		[half - bevel, radius],
		[half, radius - bevel],
	]);
}

/** A flat rectangle facing up, with texture coordinates that repeat every `tile` metres. */
export function plate(width: number, depth: number, tile: number): Mesh {
	const [x, y] = [width / 2, depth / 2];
	const points: Vector[] = [
		[-x, -y, 0],
		[x, -y, 0],
		[x, y, 0],
		[-x, y, 0],
	];
	const st = points.map(([px, py]): [number, number] => [(px + x) / tile, (py + y) / tile]);
	return { ...flatShaded(points, [[0, 1, 2, 3]]), st };
}

/** Several meshes in one, each moved by an offset. */
export function merge(...parts: readonly (readonly [Mesh, Vector])[]): Mesh {
	const result: Mesh = { points: [], faces: [], normals: [] };
	for (const [mesh, offset] of parts) {
		const first = result.points.length;
		result.points.push(...mesh.points.map((p): Vector => [p[0] + offset[0], p[1] + offset[1], p[2] + offset[2]]));
		result.faces.push(...mesh.faces.map((face) => face.map((index) => index + first)));
		result.normals.push(...mesh.normals);
	}
	return result;
}

/** Faces of a convex solid around the origin, turned outwards, with the normal of the face at each corner. */
function flatShaded(points: Vector[], faces: number[][]): Mesh {
	const normals: Vector[] = [];
	for (const face of faces) {
		const [a, b, c] = [points[face[0]!]!, points[face[1]!]!, points[face[2]!]!];
		const u = subtract(b, a);
		const v = subtract(c, a);
		const cross: Vector = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
		const isInwards = cross[0] * a[0] + cross[1] * a[1] + cross[2] * a[2] < 0;
		if (isInwards) face.reverse();
		const scale = (isInwards ? -1 : 1) / Math.hypot(...cross);
		for (const _ of face) normals.push([cross[0] * scale, cross[1] * scale, cross[2] * scale]);
	}
	return { points, faces, normals };
}

function subtract(a: Vector, b: Vector): Vector {
	return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}
