import { Subdivision } from '@manyworlds/mesh/internal';
import type { Prim, Primvar, Value } from '@manyworlds/usd';
import { findPrimvar, findPrimvarWithInheritance } from '@manyworlds/usd/internal';
import { faceTriangles } from './face-triangles.ts';
import { JoinRoom, joinCorners } from './join-corners.ts';
import { arrayAt, EARLIEST, interpolationOf, numbersIn, textAt } from './stage-values.ts';
import { cageOf, isSubdivided, SUBDIVISION_PROPERTIES } from './subdivision-cage.ts';
import { type CornerValues, creasedNormals, itemAt, type SurfaceMesh, Triangles } from './surface-mesh.ts';

/** A primvar of a mesh as values of its corners. */
export interface SurfacePrimvar extends CornerValues {
	readonly interpolation: string;
	/** The same for the same values, see {@link SurfaceCache}. */
	readonly key: string;
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
	/** Primvars that are written under names of their own. */
	readonly others?: readonly OtherPrimvar[];
}

/** A primvar that glTF has no name for, with the one that it gets. */
export interface OtherPrimvar {
	readonly primvar: string;
	readonly attribute: string;
}

/** Triangles and normals of a mesh. */
interface SurfaceShape {
	readonly points: ArrayLike<number>;
	readonly counts: ArrayLike<number>;
	readonly cornerPoints: ArrayLike<number>;
	readonly triangles: Triangles;
	readonly normals: CornerValues | undefined;
	/** How the cage became this; undefined when it is written as it is, or there is none. */
	readonly subdivision?: Subdivision;
	/** Why a cage is written as it is although more was asked for. */
	readonly refusal?: string;
}

/**
 * What the meshes of a stage share. Prims that reference the same mesh hold the very same arrays, so that arrays are told apart as
 * objects, and what is made of them is made once.
 */
export class SurfaceCache {
	readonly #ids = new WeakMap<object, number>();
	#count = 0;
	readonly shapes: Map<string, SurfaceShape | string> = new Map();
	readonly wholes: Map<string, SurfaceMesh | undefined> = new Map();
	readonly room: JoinRoom = new JoinRoom();
	/** How often cages are subdivided. */
	readonly subdivide: number;

	constructor(subdivide: number) {
		this.subdivide = subdivide;
	}

	/** A text that only the same array has. */
	key(value: Value | undefined): string {
		const data: unknown = value?.data;
		if (typeof data !== 'object' || data === null) return `=${String(data)}`;
		let id = this.#ids.get(data);
		if (id === undefined) {
			id = this.#count++;
			this.#ids.set(data, id);
		}
		return String(id);
	}
}

const SHAPE_PROPERTIES: readonly string[] = [
	'points',
	'faceVertexCounts',
	'faceVertexIndices',
	'holeIndices',
	'orientation',
	'subdivisionScheme',
];

/** A mesh of a stage: its faces as triangles, and its primvars by name. Undefined, with a reason, when its arrays do not fit together. */
export class UsdSurface {
	readonly prim: Prim;
	/** Number of faces that the file has. */
	readonly faceCount: number;
	readonly #shape: SurfaceShape;
	readonly #key: string;
	readonly #cache: SurfaceCache;
	readonly #primvars = new Map<string, SurfacePrimvar | undefined>();

	/** The surface of a mesh, or why there is none. */
	static read(prim: Prim, cache: SurfaceCache): UsdSurface | string {
		const value = (name: string): Value | undefined => prim.attribute(name).get(EARLIEST);
		const normals = authoredNormals(prim);
		const key = [
			...SHAPE_PROPERTIES.map((name) => cache.key(value(name))),
			...(cache.subdivide === 0 ? [] : SUBDIVISION_PROPERTIES.map((name) => cache.key(value(name)))),
			cache.key(normals?.value),
			cache.key(normals?.indices),
			normals?.interpolation ?? '',
		].join(' ');
		let shape = cache.shapes.get(key);
		if (shape === undefined) {
			shape = readShape(prim, cache.subdivide);
			cache.shapes.set(key, shape);
		}
		return typeof shape === 'string' ? shape : new UsdSurface(prim, shape, key, cache);
	}

	private constructor(prim: Prim, shape: SurfaceShape, key: string, cache: SurfaceCache) {
		this.prim = prim;
		this.faceCount = shape.subdivision?.hidden.length ?? shape.counts.length;
		this.#shape = shape;
		this.#key = key;
		this.#cache = cache;
	}

	/** Whether the surface of the cage is there, and not the cage. */
	get isRefined(): boolean {
		return this.#shape.subdivision !== undefined;
	}

	/** Why the cage is there although more was asked for. */
	get refusal(): string | undefined {
		return this.#shape.refusal;
	}

	/** A primvar of the mesh, its own or from above; undefined when it has none that fits. */
	primvar(name: string): SurfacePrimvar | undefined {
		if (!this.#primvars.has(name)) this.#primvars.set(name, this.#readPrimvar(name));
		return this.#primvars.get(name);
	}

	#readPrimvar(name: string): SurfacePrimvar | undefined {
		const primvar = findPrimvarWithInheritance(this.prim, name);
		const authored = primvar === undefined ? undefined : authoredPrimvar(primvar);
		const layer = authored === undefined ? undefined : spread(this.#shape, authored);
		if (authored === undefined || layer === undefined) return undefined;
		const { value, indices, interpolation } = authored;
		const key = `${this.#cache.key(value)} ${this.#cache.key(indices)} ${interpolation}`;
		return { ...layer, interpolation, key };
	}

	/** The triangles of some faces with what they need, their points moved by a matrix; undefined when there are none. */
	part(faces: Uint8Array | undefined, needs: PartNeeds, bake: Float64Array | undefined): SurfaceMesh | undefined {
		if (faces !== undefined || bake !== undefined) return this.#make(faces, needs, bake);
		const { wholes } = this.#cache;
		const others = (needs.others ?? []).map(({ primvar }) => primvar);
		const primvars = [...needs.uvs.map(({ primvar }) => primvar), needs.color, needs.opacity, ...others];
		const key = `${this.#key} ${JSON.stringify(needs)} ${primvars
			.map((name) => (name === undefined ? '' : (this.primvar(name)?.key ?? '')))
			.join(' ')}`;
		if (!wholes.has(key)) wholes.set(key, this.#make(faces, needs, bake));
		return wholes.get(key);
	}

	#make(faces: Uint8Array | undefined, needs: PartNeeds, bake: Float64Array | undefined): SurfaceMesh | undefined {
		const { points, cornerPoints, normals: own, triangles: all, subdivision } = this.#shape;
		const wanted =
			faces === undefined || subdivision === undefined
				? faces
				: Uint8Array.from(subdivision.origins, (face) => faces[face]!);
		const triangles = wanted === undefined ? all : chosen(all, wanted);
		if (triangles.count === 0) return undefined;
		const layers: CornerValues[] = [];
		if (own !== undefined) layers.push(own);
		for (const { primvar, matrix } of needs.uvs) layers.push(imageCoordinates(this.primvar(primvar)!, matrix));
		const color = this.#colors(needs);
		if (color !== undefined) layers.push(color);
		const written = (needs.others ?? []).map(({ primvar }) => finite(this.primvar(primvar)!));
		layers.push(...written);
		const { positions, indices, values } = joinCorners(points, cornerPoints, triangles, layers, this.#cache.room);
		const normals = own === undefined ? undefined : values.shift()!;
		const others = values.splice(values.length - written.length).map((data, i) => {
			return { name: needs.others![i]!.attribute, data, width: written[i]!.width };
		});
		const colors = color === undefined ? undefined : values.pop()!;
		const mesh: SurfaceMesh = {
			positions,
			indices,
			...(normals === undefined ? {} : { normals }),
			uvs: values,
			...(colors === undefined ? {} : { colors: { data: colors, width: color!.width as 3 | 4 } }),
			...(others.length === 0 ? {} : { others }),
		};
		return bake === undefined ? mesh : moved(mesh, bake);
	}

	/** Colours with their alpha, where both may spread in their own way. */
	#colors({ color, opacity }: PartNeeds): CornerValues | undefined {
		const rgb = color === undefined ? undefined : this.primvar(color);
		const alpha = opacity === undefined ? undefined : this.primvar(opacity);
		if (rgb === undefined && alpha === undefined) return undefined;
		const width = alpha === undefined ? 3 : 4;
		const { counts, cornerPoints } = this.#shape;
		const data = new Float32Array(width * cornerPoints.length);
		let corner = 0;
		for (let face = 0; face < counts.length; face++) {
			for (let i = 0; i < counts[face]!; i++, corner++) {
				const point = cornerPoints[corner]!;
				for (let k = 0; k < 3; k++) {
					const value =
						rgb === undefined
							? 1
							: rgb.data[itemAt(rgb, corner, face, point) * rgb.width + Math.min(k, rgb.width - 1)]!;
					data[width * corner + k] = unit(value);
				}
				if (alpha !== undefined)
					data[4 * corner + 3] = unit(alpha.data[itemAt(alpha, corner, face, point) * alpha.width]!);
			}
		}
		return { data, width, per: 'corner' };
	}
}

/** Arrays of a mesh as triangles with normals, or why they do not fit together. */
function readShape(prim: Prim, subdivide: number): SurfaceShape | string {
	const points = arrayAt(prim, 'points');
	const counts = arrayAt(prim, 'faceVertexCounts');
	const cornerPoints = arrayAt(prim, 'faceVertexIndices');
	if (points === undefined || counts === undefined || cornerPoints === undefined) return 'has no points or no faces';
	let total = 0;
	for (let face = 0; face < counts.length; face++) {
		if (!(counts[face]! >= 0)) return `has a face of ${counts[face]} corners`;
		total += counts[face]!;
	}
	if (total !== cornerPoints.length) return `has faces of ${total} corners and ${cornerPoints.length} indices`;
	const size = Math.floor(points.length / 3);
	for (let i = 0; i < cornerPoints.length; i++) {
		const point = cornerPoints[i]!;
		if (!(point >= 0 && point < size)) return `names point ${point} of ${size}`;
	}
	// what is not finite is no number after this, and so is the sum
	let zero = 0;
	for (let i = 0; i < points.length; i++) zero += 0 * points[i]!;
	if (zero !== 0) return 'has a point that is not finite';
	const isLeftHanded = textAt(prim, 'orientation') === 'leftHanded';
	const holes = arrayAt(prim, 'holeIndices') ?? [];
	const isRefined = subdivide > 0 && isSubdivided(prim);
	const subdivision = isRefined ? Subdivision.of(cageOf(prim, size, counts, cornerPoints), subdivide) : undefined;
	if (subdivision === undefined || typeof subdivision === 'string') {
		const triangles = faceTriangles(points, counts, cornerPoints, holes, isLeftHanded);
		const shape = { points, counts, cornerPoints, triangles };
		return {
			...shape,
			normals: readNormals(prim, shape),
			...(subdivision === undefined ? {} : { refusal: subdivision }),
		};
	}
	const fine = {
		points: new Float32Array(subdivision.vertex(points, 3)),
		counts: subdivision.counts,
		cornerPoints: subdivision.cornerPoints,
	};
	const isHole = subdivision.hidden.slice();
	for (let i = 0; i < holes.length; i++) if (holes[i]! >= 0 && holes[i]! < isHole.length) isHole[holes[i]!] = 1;
	const pieces: number[] = [];
	for (const [face, origin] of subdivision.origins.entries()) if (isHole[origin] === 1) pieces.push(face);
	const triangles = faceTriangles(fine.points, fine.counts, fine.cornerPoints, pieces, isLeftHanded);
	const normals = groupedNormals({ ...fine, triangles }, subdivision.smoothGroups());
	return { ...fine, triangles, normals, subdivision };
}

/** Normals that are smooth within a group of corners. */
function groupedNormals({ points, cornerPoints, triangles }: BareShape, groups: Uint32Array): CornerValues {
	const { corners } = triangles;
	const places = new Float32Array(3 * cornerPoints.length);
	const groupAt = Uint32Array.from(corners, (corner) => groups[corner]!);
	for (let at = 0; at < corners.length; at++) {
		for (let k = 0; k < 3; k++) places[3 * groupAt[at]! + k] = points[3 * cornerPoints[corners[at]!]! + k]!;
	}
	const smooth = creasedNormals(places, groupAt, Math.PI);
	const data = new Float32Array(places.length);
	for (let at = 0; at < corners.length; at++) {
		for (let k = 0; k < 3; k++) data[3 * groupAt[at]! + k] = smooth[3 * at + k]!;
	}
	return { data, width: 3, per: 'corner', indices: groups };
}

type BareShape = Omit<SurfaceShape, 'normals'>;

/** Smooth ones for what is to be subdivided, which has none of its own; authored ones otherwise. */
function readNormals(prim: Prim, shape: BareShape): CornerValues | undefined {
	if (isSubdivided(prim)) {
		const { points, cornerPoints, triangles } = shape;
		const corners = Uint32Array.from(triangles.corners, (corner) => cornerPoints[corner]!);
		const smooth = creasedNormals(points, corners, Math.PI);
		// all corners of a point have the same one
		const data = new Float32Array(points.length);
		for (let at = 0; at < corners.length; at++) {
			for (let k = 0; k < 3; k++) data[3 * corners[at]! + k] = smooth[3 * at + k]!;
		}
		return { data, width: 3, per: 'point' };
	}
	const authored = authoredNormals(prim);
	const layer = authored?.value?.type.width === 3 ? spread(shape, authored) : undefined;
	return layer === undefined ? undefined : unitNormals(shape, layer);
}

/** Values over a mesh as a file has them. */
interface AuthoredValues {
	readonly value: Value | undefined;
	readonly indices: Value | undefined;
	readonly elementSize: number;
	readonly interpolation: string;
	/** The value with its indices applied. */
	readonly flattened: () => Value | undefined;
}

/** The normals that a mesh has in its file: the primvar before the attribute. None for what is to be subdivided. */
function authoredNormals(prim: Prim): AuthoredValues | undefined {
	if (isSubdivided(prim)) return undefined;
	const primvar = findPrimvar(prim, 'normals');
	if (primvar?.hasAuthoredValue === true) return authoredPrimvar(primvar);
	const own = prim.attribute('normals');
	const value = own.get(EARLIEST);
	const interpolation = interpolationOf(own, 'vertex');
	return { value, indices: undefined, elementSize: 1, interpolation, flattened: () => value };
}

function authoredPrimvar(primvar: Primvar): AuthoredValues {
	return {
		value: primvar.value(EARLIEST),
		indices: primvar.isIndexed ? primvar.indicesAttribute.get(EARLIEST) : undefined,
		elementSize: primvar.elementSize,
		interpolation: primvar.interpolation,
		flattened: () => primvar.flattened({ time: EARLIEST }),
	};
}

/** Values that spread over a mesh in a way; undefined when there are none or too few. */
function spread(shape: BareShape, authored: AuthoredValues): CornerValues | undefined {
	const { subdivision } = shape;
	if (subdivision === undefined) {
		const { points, counts, cornerPoints } = shape;
		return spreadOver({ points: points.length / 3, faces: counts.length, corners: cornerPoints.length }, authored);
	}
	const coarse = spreadOver(subdivision.cageSizes, authored);
	if (coarse === undefined) return undefined;
	const { data, width, per, indices } = coarse;
	switch (per) {
		case 'mesh':
			return coarse;
		case 'face':
			return { ...coarse, indices: subdivision.origins.map((face) => indices?.[face] ?? face) };
		case 'point': {
			const isLinear = authored.interpolation === 'varying';
			const fine = isLinear ? subdivision.varying(data, width) : subdivision.vertex(data, width);
			return { data: new Float32Array(fine), width, per };
		}
		case 'corner': {
			const fine = subdivision.faceVarying(data, width, indices);
			return { data: new Float32Array(fine.data), width, per, indices: fine.indices };
		}
	}
}

/** The same over a mesh as its file has it. */
function spreadOver(
	sizes: Subdivision['cageSizes'],
	{ value, indices, elementSize, interpolation, flattened }: AuthoredValues,
): CornerValues | undefined {
	const owners = { constant: 1, uniform: sizes.faces, vertex: sizes.points, faceVarying: sizes.corners };
	const way = interpolation === 'varying' ? 'vertex' : interpolation;
	if (value === undefined || !(way in owners)) return undefined;
	const { width } = value.type;
	const per = PER[way as keyof typeof PER];
	const isLoose = per === 'face' || per === 'corner';
	const kept = isLoose && elementSize === 1 ? soundIndices(indices, value) : undefined;
	const numbers = numbersIn(kept === undefined ? flattened() : value);
	if (numbers === undefined || numbers.length === 0) return undefined;
	const data = numbers instanceof Float32Array ? numbers : new Float32Array(numbers);
	const count = kept === undefined ? data.length / width : kept.length;
	if (count < owners[way as keyof typeof owners]) return undefined;
	return kept === undefined ? { data, width, per } : { data, width, per, indices: kept };
}

const PER = { constant: 'mesh', uniform: 'face', vertex: 'point', faceVarying: 'corner' } as const;

/** Indices that all name one of the values, as one value for each; others have to be applied one by one. */
function soundIndices(indices: Value | undefined, { type, data }: Value): Int32Array | undefined {
	const list = indices?.data;
	if (!(list instanceof Int32Array)) return undefined;
	const count = (data as ArrayLike<unknown>).length / type.width;
	for (let at = 0; at < list.length; at++) if (!(list[at]! >= 0 && list[at]! < count)) return undefined;
	return list;
}

/** Square of the length of a normal differs from 1 by at most this: what single precision leaves. */
const UNIT = 1e-6;

/** Of unit length; those that point nowhere become those of their faces. */
function unitNormals({ points, cornerPoints, triangles }: BareShape, layer: CornerValues): CornerValues {
	if (isUnit(layer.data)) return layer;
	const data = layer.data.slice();
	let isSound = true;
	for (let i = 0; i < data.length; i += 3) {
		const [x, y, z] = [data[i]!, data[i + 1]!, data[i + 2]!];
		const length = Math.sqrt(x * x + y * y + z * z);
		if (!(length > 0) || !Number.isFinite(length)) {
			isSound = false;
			data[i] = data[i + 1] = data[i + 2] = 0;
		} else {
			data[i] = x / length;
			data[i + 1] = y / length;
			data[i + 2] = z / length;
		}
	}
	if (isSound) return { ...layer, data };
	const { corners, faces } = triangles;
	const flat = creasedNormals(
		points,
		Uint32Array.from(corners, (corner) => cornerPoints[corner]!),
		0,
	);
	const out = new Float32Array(3 * cornerPoints.length);
	for (let at = 0; at < corners.length; at++) {
		const corner = corners[at]!;
		const from = 3 * itemAt(layer, corner, faces[Math.floor(at / 3)]!, cornerPoints[corner]!);
		const isNone = data[from] === 0 && data[from + 1] === 0 && data[from + 2] === 0;
		for (let k = 0; k < 3; k++) out[3 * corner + k] = isNone ? flat[3 * at + k]! : data[from + k]!;
	}
	return { data: out, width: 3, per: 'corner' };
}

function isUnit(data: Float32Array): boolean {
	for (let i = 0; i < data.length; i += 3) {
		const x = data[i]!;
		const y = data[i + 1]!;
		const z = data[i + 2]!;
		if (!(Math.abs(x * x + y * y + z * z - 1) <= UNIT)) return false;
	}
	return true;
}

/** Values as they are, and 0 for those that glTF must not have. */
function finite(layer: CornerValues): CornerValues {
	return layer.data.every(Number.isFinite)
		? layer
		: { ...layer, data: layer.data.map((value) => (Number.isFinite(value) ? value : 0)) };
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

function chosen({ corners, faces }: Triangles, wanted: Uint8Array): Triangles {
	const kept: number[] = [];
	for (let t = 0; t < faces.length; t++) if (wanted[faces[t]!] === 1) kept.push(t);
	const out = new Uint32Array(3 * kept.length);
	for (const [i, t] of kept.entries()) out.set(corners.subarray(3 * t, 3 * t + 3), 3 * i);
	return Triangles.of(
		out,
		Uint32Array.from(kept, (t) => faces[t]!),
	);
}
