import { triangulatePolygon } from '@manyworlds/mesh/internal';
import { findPrimvar, findPrimvarWithInheritance, type Prim } from '@manyworlds/usd';
import { arrayAt, EARLIEST, interpolationOf, numbersIn, textAt } from './stage-values.ts';
import { type CornerValues, creasedNormals, joinCorners, type SurfaceMesh } from './surface-mesh.ts';

/** A primvar of a mesh as values of its corners. */
export interface SurfacePrimvar extends CornerValues {
	readonly interpolation: string;
}

/** Coordinates of an image that a part of a mesh needs: a primvar, perhaps moved by a matrix (2 × 3, row by row). */
export interface UvSet {
	readonly primvar: string;
	readonly matrix?: readonly number[];
}

/** What a part of a mesh is written with. */
export interface PartNeeds {
	readonly uvs: readonly UvSet[];
	/** Primvar of the colours of vertices, and that of their alpha. */
	readonly color?: string;
	readonly opacity?: string;
}

/** A mesh of a stage: its faces as triangles, and its primvars by name. Undefined, with a reason, when its arrays do not fit together. */
export class UsdSurface {
	readonly prim: Prim;
	readonly faceCount: number;
	readonly #points: ArrayLike<number>;
	readonly #counts: ArrayLike<number>;
	readonly #cornerPoints: ArrayLike<number>;
	readonly #triangles: { readonly corners: Uint32Array; readonly faces: Uint32Array };
	readonly #primvars = new Map<string, SurfacePrimvar | undefined>();
	readonly #normals: CornerValues | undefined;
	readonly #wholes = new Map<string, SurfaceMesh | undefined>();

	/** The surface of a mesh, or why there is none. */
	static read(prim: Prim): UsdSurface | string {
		const points = arrayAt(prim, 'points');
		const counts = arrayAt(prim, 'faceVertexCounts');
		const corners = arrayAt(prim, 'faceVertexIndices');
		if (points === undefined || counts === undefined || corners === undefined) return 'has no points or no faces';
		let total = 0;
		for (let face = 0; face < counts.length; face++) {
			if (!(counts[face]! >= 0)) return `has a face of ${counts[face]} corners`;
			total += counts[face]!;
		}
		if (total !== corners.length) return `has faces of ${total} corners and ${corners.length} indices`;
		const size = points.length / 3;
		for (let i = 0; i < corners.length; i++) {
			if (!(corners[i]! >= 0 && corners[i]! < size)) return `names point ${corners[i]} of ${size}`;
		}
		for (let i = 0; i < points.length; i++) {
			if (!Number.isFinite(points[i]!)) return `has a point that is not finite`;
		}
		return new UsdSurface(prim, points, counts, corners);
	}

	private constructor(
		prim: Prim,
		points: ArrayLike<number>,
		counts: ArrayLike<number>,
		cornerPoints: ArrayLike<number>,
	) {
		this.prim = prim;
		this.faceCount = counts.length;
		this.#points = points;
		this.#counts = counts;
		this.#cornerPoints = cornerPoints;
		const isLeftHanded = textAt(prim, 'orientation') === 'leftHanded';
		this.#triangles = trianglesOf(points, counts, cornerPoints, arrayAt(prim, 'holeIndices') ?? [], isLeftHanded);
		this.#normals = this.#readNormals();
	}

	/** A primvar of the mesh, its own or from above; undefined when it has none that fits. */
	primvar(name: string): SurfacePrimvar | undefined {
		if (!this.#primvars.has(name)) this.#primvars.set(name, this.#readPrimvar(name));
		return this.#primvars.get(name);
	}

	#readPrimvar(name: string): SurfacePrimvar | undefined {
		const primvar = findPrimvarWithInheritance(this.prim, name);
		const value = primvar?.flattened({ time: EARLIEST });
		const numbers = numbersIn(value);
		if (primvar === undefined || value === undefined || numbers === undefined || numbers.length === 0) return undefined;
		const layer = this.#spread(numbers, value.type.width, primvar.interpolation);
		return layer === undefined ? undefined : { ...layer, interpolation: primvar.interpolation };
	}

	/** Values that spread over the mesh in a way; undefined when there are too few. */
	#spread(numbers: ArrayLike<number>, width: number, interpolation: string): CornerValues | undefined {
		const data = Float32Array.from(numbers);
		const count = data.length / width;
		switch (interpolation) {
			case 'constant':
				return count >= 1 ? { data, width, at: () => 0, isPerCorner: false } : undefined;
			case 'uniform':
				return count >= this.faceCount ? { data, width, at: (_, face) => face, isPerCorner: true } : undefined;
			case 'vertex':
			case 'varying':
				return count >= this.#points.length / 3
					? { data, width, at: (_corner, _face, point) => point, isPerCorner: false }
					: undefined;
			case 'faceVarying':
				return count >= this.#cornerPoints.length
					? { data, width, at: (corner) => corner, isPerCorner: true }
					: undefined;
			default:
				return undefined;
		}
	}

	/** Smooth ones for what is to be subdivided, which has none of its own; authored ones otherwise. */
	#readNormals(): CornerValues | undefined {
		if ((textAt(this.prim, 'subdivisionScheme') ?? 'catmullClark') !== 'none') {
			const { corners } = this.#triangles;
			const points = Uint32Array.from(corners, (corner) => this.#cornerPoints[corner]!);
			const smooth = creasedNormals(this.#points, points, Math.PI);
			// all corners of a point have the same one
			const data = new Float32Array(this.#points.length);
			for (let at = 0; at < points.length; at++) data.set(smooth.subarray(3 * at, 3 * at + 3), 3 * points[at]!);
			return { data, width: 3, at: (_corner, _face, point) => point, isPerCorner: false };
		}
		const primvar = findPrimvar(this.prim, 'normals');
		const own = this.prim.attribute('normals');
		const isPrimvar = primvar?.hasAuthoredValue === true;
		const value = isPrimvar ? primvar.flattened({ time: EARLIEST }) : own.get(EARLIEST);
		const numbers = value?.type.width === 3 ? numbersIn(value) : undefined;
		if (numbers === undefined || numbers.length === 0) return undefined;
		const layer = this.#spread(numbers, 3, isPrimvar ? primvar.interpolation : interpolationOf(own, 'vertex'));
		return layer === undefined ? undefined : this.#unitNormals(layer);
	}

	/** Of unit length; those that point nowhere become those of their faces. */
	#unitNormals(layer: CornerValues): CornerValues {
		const { data } = layer;
		let isSound = true;
		for (let i = 0; i < data.length; i += 3) {
			const length = Math.hypot(data[i]!, data[i + 1]!, data[i + 2]!);
			if (!(length > 0) || !Number.isFinite(length)) {
				isSound = false;
				data[i] = data[i + 1] = data[i + 2] = 0;
			} else for (let k = 0; k < 3; k++) data[i + k] = data[i + k]! / length;
		}
		if (isSound) return layer;
		const { corners, faces } = this.#triangles;
		const flat = creasedNormals(
			this.#points,
			Uint32Array.from(corners, (corner) => this.#cornerPoints[corner]!),
			0,
		);
		const out = new Float32Array(3 * this.#cornerPoints.length);
		for (let at = 0; at < corners.length; at++) {
			const corner = corners[at]!;
			const from = 3 * layer.at(corner, faces[Math.floor(at / 3)]!, this.#cornerPoints[corner]!);
			const isNone = data[from] === 0 && data[from + 1] === 0 && data[from + 2] === 0;
			for (let k = 0; k < 3; k++) out[3 * corner + k] = isNone ? flat[3 * at + k]! : data[from + k]!;
		}
		return { data: out, width: 3, at: (corner) => corner, isPerCorner: true };
	}

	/** The triangles of some faces with what they need, their points moved by a matrix; undefined when there are none. */
	part(faces: Uint8Array | undefined, needs: PartNeeds, bake: Float64Array | undefined): SurfaceMesh | undefined {
		if (faces !== undefined || bake !== undefined) return this.#make(faces, needs, bake);
		const key = JSON.stringify(needs);
		if (!this.#wholes.has(key)) this.#wholes.set(key, this.#make(faces, needs, bake));
		return this.#wholes.get(key);
	}

	#make(faces: Uint8Array | undefined, needs: PartNeeds, bake: Float64Array | undefined): SurfaceMesh | undefined {
		const triangles = faces === undefined ? this.#triangles : chosen(this.#triangles, faces);
		if (triangles.corners.length === 0) return undefined;
		const layers: CornerValues[] = [];
		if (this.#normals !== undefined) layers.push(this.#normals);
		for (const { primvar, matrix } of needs.uvs) layers.push(imageCoordinates(this.primvar(primvar)!, matrix));
		const color = this.#colors(needs);
		if (color !== undefined) layers.push(color);
		const { positions, indices, values } = joinCorners(this.#points, this.#cornerPoints, triangles, layers);
		const normals = this.#normals === undefined ? undefined : values.shift()!;
		const colors = color === undefined ? undefined : values.pop()!;
		const mesh: SurfaceMesh = {
			positions,
			indices,
			...(normals === undefined ? {} : { normals }),
			uvs: values,
			...(colors === undefined ? {} : { colors: { data: colors, width: color!.width as 3 | 4 } }),
		};
		return bake === undefined ? mesh : moved(mesh, bake);
	}

	/** Colours with their alpha, where both may spread in their own way. */
	#colors({ color, opacity }: PartNeeds): CornerValues | undefined {
		const rgb = color === undefined ? undefined : this.primvar(color);
		const alpha = opacity === undefined ? undefined : this.primvar(opacity);
		if (rgb === undefined && alpha === undefined) return undefined;
		const width = alpha === undefined ? 3 : 4;
		const data = new Float32Array(width * this.#cornerPoints.length);
		let corner = 0;
		for (let face = 0; face < this.faceCount; face++) {
			for (let i = 0; i < this.#counts[face]!; i++, corner++) {
				const point = this.#cornerPoints[corner]!;
				for (let k = 0; k < 3; k++) {
					const value =
						rgb === undefined ? 1 : rgb.data[rgb.at(corner, face, point) * rgb.width + Math.min(k, rgb.width - 1)]!;
					data[width * corner + k] = unit(value);
				}
				if (alpha !== undefined) data[4 * corner + 3] = unit(alpha.data[alpha.at(corner, face, point) * alpha.width]!);
			}
		}
		return { data, width, at: (at) => at, isPerCorner: true };
	}
}

function unit(value: number): number {
	return Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : 0;
}

/** Coordinates with v down, as glTF has them. */
function imageCoordinates(layer: CornerValues, matrix: readonly number[] | undefined): CornerValues {
	const { data, width } = layer;
	const count = data.length / width;
	const out = new Float32Array(2 * count);
	const [a, b, c, d, e, f] = matrix ?? [1, 0, 0, 0, 1, 0];
	for (let i = 0; i < count; i++) {
		const [u, v] = [data[i * width]!, width > 1 ? data[i * width + 1]! : 0];
		const [s, t] = [a! * u + b! * v + c!, d! * u + e! * v + f!];
		out[2 * i] = Number.isFinite(s) ? s : 0;
		out[2 * i + 1] = Number.isFinite(t) ? 1 - t : 0;
	}
	return { ...layer, data: out, width: 2 };
}

/** A mesh moved by a matrix (points are rows); one that mirrors turns the triangles over. */
export function moved(mesh: SurfaceMesh, m: Float64Array): SurfaceMesh {
	const positions = new Float32Array(mesh.positions.length);
	const p = mesh.positions;
	for (let i = 0; i < p.length; i += 3) {
		for (let k = 0; k < 3; k++) {
			positions[i + k] = p[i]! * m[k]! + p[i + 1]! * m[4 + k]! + p[i + 2]! * m[8 + k]! + m[12 + k]!;
		}
	}
	// cofactors: the inverse transpose times the determinant, which flat matrices have too
	const cofactor = (r: number, c: number): number => {
		const at = (i: number, j: number): number => m[4 * ((r + i) % 3) + ((c + j) % 3)]!;
		return at(1, 1) * at(2, 2) - at(1, 2) * at(2, 1);
	};
	const determinant = m[0]! * cofactor(0, 0) + m[1]! * cofactor(0, 1) + m[2]! * cofactor(0, 2);
	const sign = determinant < 0 ? -1 : 1;
	const indices = mesh.indices.slice();
	if (sign < 0)
		for (let i = 0; i < indices.length; i += 3) [indices[i], indices[i + 2]] = [indices[i + 2]!, indices[i]!];
	const { normals: n } = mesh;
	const normals = n === undefined ? undefined : new Float32Array(n.length);
	if (n !== undefined && normals !== undefined) {
		for (let i = 0; i < n.length; i += 3) {
			const v = [0, 1, 2].map(
				(k) => sign * (n[i]! * cofactor(0, k) + n[i + 1]! * cofactor(1, k) + n[i + 2]! * cofactor(2, k)),
			);
			const length = Math.hypot(...v);
			for (let k = 0; k < 3; k++) normals[i + k] = length > 0 ? v[k]! / length : n[i + k]!;
		}
	}
	return { ...mesh, positions, indices, ...(normals === undefined ? {} : { normals }) };
}

function chosen(
	{ corners, faces }: { corners: Uint32Array; faces: Uint32Array },
	wanted: Uint8Array,
): {
	corners: Uint32Array;
	faces: Uint32Array;
} {
	const kept: number[] = [];
	for (let t = 0; t < faces.length; t++) if (wanted[faces[t]!] === 1) kept.push(t);
	const out = new Uint32Array(3 * kept.length);
	for (const [i, t] of kept.entries()) out.set(corners.subarray(3 * t, 3 * t + 3), 3 * i);
	return { corners: out, faces: Uint32Array.from(kept, (t) => faces[t]!) };
}

/** Faces smaller than this share of the square of the size of their mesh are left out. */
const SMALLEST_AREA = 1e-14;

function trianglesOf(
	points: ArrayLike<number>,
	counts: ArrayLike<number>,
	cornerPoints: ArrayLike<number>,
	holes: ArrayLike<number>,
	isLeftHanded: boolean,
): { corners: Uint32Array; faces: Uint32Array } {
	const isHole = new Uint8Array(counts.length);
	for (let i = 0; i < holes.length; i++) if (holes[i]! >= 0 && holes[i]! < counts.length) isHole[holes[i]!] = 1;
	const smallest = SMALLEST_AREA * sizeOf(points) ** 2;
	let most = 0;
	for (let face = 0; face < counts.length; face++) most += Math.max(0, counts[face]! - 2);
	const corners = new Uint32Array(3 * most);
	const faces = new Uint32Array(most);
	let made = 0;
	const add = (face: number, a: number, b: number, c: number): void => {
		corners[3 * made] = a;
		corners[3 * made + 1] = isLeftHanded ? c : b;
		corners[3 * made + 2] = isLeftHanded ? b : c;
		faces[made++] = face;
	};
	let start = 0;
	for (let face = 0; face < counts.length; face++) {
		const count = counts[face]!;
		if (isHole[face] === 1) {
			// nothing is drawn here
		} else if (count === 3) {
			const area = areaOf(points, cornerPoints[start]!, cornerPoints[start + 1]!, cornerPoints[start + 2]!);
			if (area > smallest) add(face, start, start + 1, start + 2);
		} else if (count > 3) {
			const loop = Array.from({ length: count }, (_, i) => cornerPoints[start + i]!);
			const local = polygon(points, loop);
			let area = 0;
			for (let t = 0; t < local.length; t += 3) {
				area += areaOf(points, loop[local[t]!]!, loop[local[t + 1]!]!, loop[local[t + 2]!]!);
			}
			for (let t = 0; area > smallest && t < local.length; t += 3) {
				add(face, start + local[t]!, start + local[t + 1]!, start + local[t + 2]!);
			}
		}
		start += count;
	}
	return { corners: corners.slice(0, 3 * made), faces: faces.slice(0, made) };
}

/** Triangles of a face; a bent face of four corners is divided along its shorter diagonal. */
function polygon(points: ArrayLike<number>, loop: readonly number[]): readonly number[] {
	const { triangles, state } = triangulatePolygon(points, [loop]);
	if (loop.length !== 4 || state !== 'simple') return triangles;
	const [a, b, c, d] = loop as [number, number, number, number];
	const size = distance(points, a, c) + distance(points, b, d);
	const isBent = Math.abs(volume(points, a, b, c, d)) > 1e-6 * size ** 3;
	if (!isBent) return triangles;
	return distance(points, b, d) < distance(points, a, c) ? [0, 1, 3, 1, 2, 3] : [0, 1, 2, 0, 2, 3];
}

function difference(points: ArrayLike<number>, a: number, b: number): [number, number, number] {
	return [
		points[3 * b]! - points[3 * a]!,
		points[3 * b + 1]! - points[3 * a + 1]!,
		points[3 * b + 2]! - points[3 * a + 2]!,
	];
}

function cross(u: readonly number[], v: readonly number[]): [number, number, number] {
	return [u[1]! * v[2]! - u[2]! * v[1]!, u[2]! * v[0]! - u[0]! * v[2]!, u[0]! * v[1]! - u[1]! * v[0]!];
}

function distance(points: ArrayLike<number>, a: number, b: number): number {
	return Math.hypot(...difference(points, a, b));
}

function areaOf(points: ArrayLike<number>, a: number, b: number, c: number): number {
	const [ux, uy, uz] = [
		points[3 * b]! - points[3 * a]!,
		points[3 * b + 1]! - points[3 * a + 1]!,
		points[3 * b + 2]! - points[3 * a + 2]!,
	];
	const [vx, vy, vz] = [
		points[3 * c]! - points[3 * a]!,
		points[3 * c + 1]! - points[3 * a + 1]!,
		points[3 * c + 2]! - points[3 * a + 2]!,
	];
	const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
	return Math.sqrt(x * x + y * y + z * z) / 2;
}

function volume(points: ArrayLike<number>, a: number, b: number, c: number, d: number): number {
	const n = cross(difference(points, a, b), difference(points, a, c));
	const w = difference(points, a, d);
	return n[0] * w[0] + n[1] * w[1] + n[2] * w[2];
}

function sizeOf(points: ArrayLike<number>): number {
	const low = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
	const high = low.map((value) => -value);
	for (let i = 0; i < points.length; i++) {
		low[i % 3] = Math.min(low[i % 3]!, points[i]!);
		high[i % 3] = Math.max(high[i % 3]!, points[i]!);
	}
	return Math.max(0, ...high.map((value, k) => value - low[k]!));
}
