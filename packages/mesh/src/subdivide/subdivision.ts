import {
	type LevelTopology,
	polygonEdges,
	SHARP,
	SubdivisionLevel,
	type SubdivisionScheme,
} from './subdivision-level.ts';

/** The cage of a subdivided surface, in the words of `UsdGeomMesh`. */
export interface SubdivisionCage {
	readonly pointCount: number;
	readonly counts: ArrayLike<number>;
	readonly cornerPoints: ArrayLike<number>;
	readonly scheme: SubdivisionScheme;
	/** What becomes of the rim: nothing is drawn there, it is smooth, or it is smooth with sharp corners. */
	readonly boundary?: 'none' | 'edgeOnly' | 'edgeAndCorner';
	/** Where values of corners stay as they are. */
	readonly cornerRule?: 'none' | 'cornersOnly' | 'cornersPlus1' | 'cornersPlus2' | 'boundaries' | 'all';
	readonly triangleRule?: 'catmullClark' | 'smooth';
	/** Points of creases one after the other, how many each has, and a sharpness for each crease or for each of its edges. */
	readonly creases?: {
		readonly points: ArrayLike<number>;
		readonly lengths: ArrayLike<number>;
		readonly sharpness: ArrayLike<number>;
	};
	readonly corners?: { readonly points: ArrayLike<number>; readonly sharpness: ArrayLike<number> };
}

/** Share of triangles under the rule `smooth` (OpenSubdiv's `CATMARK_SMOOTH_TRI_EDGE_WEIGHT`). */
const SMOOTH_TRIANGLE_SHARE = 0.47;

/** More faces than this are not made. */
const MOST_FACES: number = 2 ** 24;

/** A surface subdivided some times: its faces, and whatever values its cage has. */
export class Subdivision {
	readonly counts: Uint32Array;
	readonly cornerPoints: Uint32Array;
	/** The face of the cage that each face is a piece of. */
	readonly origins: Uint32Array;
	/** Faces of the cage that are not drawn as the rim is not. */
	readonly hidden: Uint8Array;
	readonly #levels: readonly SubdivisionLevel[];
	readonly #cage: SubdivisionCage;
	readonly #last: LevelTopology;

	/** Subdivides a cage whose points all exist; a sentence when that cannot be done. */
	static of(cage: SubdivisionCage, times: number): Subdivision | string {
		const { counts, cornerPoints, scheme } = cage;
		const seen = new Int32Array(cage.pointCount).fill(-1);
		for (let face = 0, corner = 0; face < counts.length; face++) {
			const count = counts[face]!;
			if (count < 3) return `face ${face} has ${count} corners`;
			if (scheme === 'loop' && count !== 3) return `face ${face} has ${count} corners, and 'loop' is for triangles`;
			for (const end = corner + count; corner < end; corner++) {
				if (seen[cornerPoints[corner]!] === face) return `face ${face} has point ${cornerPoints[corner]} twice`;
				seen[cornerPoints[corner]!] = face;
			}
		}
		const faces = (scheme === 'loop' ? 4 * counts.length : cornerPoints.length) * 4 ** (times - 1);
		if (faces > MOST_FACES) return `it would have ${faces} faces, and ${MOST_FACES} are the most`;
		return new Subdivision(cage, times);
	}

	private constructor(cage: SubdivisionCage, times: number) {
		this.#cage = cage;
		const base = cageTopology(cage);
		this.hidden = hiddenFaces(cage, base);
		this.#levels = levelsOf(base, times);
		this.#last = this.#levels.at(-1)!.next();
		this.cornerPoints = this.#last.cornerPoints;
		let origins = Uint32Array.from({ length: cage.counts.length }, (_, face) => face);
		for (const { topology } of this.#levels) origins = childOrigins(topology, origins);
		this.origins = origins;
		this.counts = new Uint32Array(origins.length).fill(cage.scheme === 'loop' ? 3 : 4);
	}

	/** How many values the cage has of each kind. */
	get cageSizes(): { readonly points: number; readonly faces: number; readonly corners: number } {
		const { pointCount, counts, cornerPoints } = this.#cage;
		return { points: pointCount, faces: counts.length, corners: cornerPoints.length };
	}

	/** Values that bend with the surface, as its points do. */
	vertex(values: ArrayLike<number>, width: number): Float64Array {
		return this.#levels.reduce<Float64Array>((data, level) => level.smooth(data, width), Float64Array.from(values));
	}

	/** Values of points that run straight between them. */
	varying(values: ArrayLike<number>, width: number): Float64Array {
		return this.#levels.reduce<Float64Array>((data, level) => level.linear(data, width), Float64Array.from(values));
	}

	/** Values of corners, which may differ where faces meet, with the value that each corner of each face has. */
	faceVarying(
		values: ArrayLike<number>,
		width: number,
		indices?: ArrayLike<number>,
	): { readonly data: Float64Array; readonly indices: Uint32Array } {
		const { cornerRule = 'cornersPlus1' } = this.#cage;
		const { topology, sources } = cornerTopology(this.#levels[0]!.topology, indices, cornerRule);
		let data: Float64Array = new Float64Array(width * sources.length);
		for (let at = 0; at < sources.length; at++) {
			for (let k = 0; k < width; k++) data[width * at + k] = values[width * sources[at]! + k]!;
		}
		const levels = levelsOf(topology, this.#levels.length);
		for (const level of levels) data = cornerRule === 'all' ? level.linear(data, width) : level.smooth(data, width);
		return { data, indices: levels.at(-1)!.next().cornerPoints };
	}

	/** A number for each corner: the same at one point as long as no edge in between stays sharp for ever. */
	smoothGroups(): Uint32Array {
		const { cornerPoints, starts, cornerEdges, edgeSharpness, faceCounts } = this.#last;
		const groups = Uint32Array.from(cornerPoints, (_, corner) => corner);
		const find = (corner: number): number => {
			let at = corner;
			while (groups[at] !== at) {
				groups[at] = groups[groups[at]!]!;
				at = groups[at]!;
			}
			return at;
		};
		// the corners at both ends of the first face of an edge, counted from one
		const begun = new Uint32Array(2 * faceCounts.length);
		for (let face = 0; face + 1 < starts.length; face++) {
			for (let corner = starts[face]!; corner < starts[face + 1]!; corner++) {
				const edge = cornerEdges[corner]!;
				if (faceCounts[edge] !== 2 || edgeSharpness[edge]! >= SHARP) continue;
				const after = corner + 1 === starts[face + 1]! ? starts[face]! : corner + 1;
				if (begun[2 * edge] === 0) {
					begun[2 * edge] = corner + 1;
					begun[2 * edge + 1] = after + 1;
					continue;
				}
				for (const own of [corner, after]) {
					const [one, two] = [begun[2 * edge]! - 1, begun[2 * edge + 1]! - 1];
					const other = cornerPoints[one] === cornerPoints[own] ? one : two;
					groups[find(own)] = find(other);
				}
			}
		}
		return groups.map((_, corner) => find(corner));
	}
}

function levelsOf(base: LevelTopology, times: number): SubdivisionLevel[] {
	const levels = [new SubdivisionLevel(base)];
	while (levels.length < times) levels.push(new SubdivisionLevel(levels.at(-1)!.next()));
	return levels;
}

/** What the faces of the next level are pieces of. */
function childOrigins({ starts, scheme }: LevelTopology, origins: Uint32Array): Uint32Array<ArrayBuffer> {
	const out = new Uint32Array(scheme === 'loop' ? 4 * origins.length : starts.at(-1)!);
	for (let face = 0, to = 0; face < origins.length; face++) {
		const pieces = scheme === 'loop' ? 4 : starts[face + 1]! - starts[face]!;
		out.fill(origins[face]!, to, to + pieces);
		to += pieces;
	}
	return out;
}

function cageTopology(cage: SubdivisionCage): LevelTopology {
	const { pointCount, counts, scheme, boundary = 'edgeAndCorner', triangleRule = 'catmullClark' } = cage;
	const starts = new Uint32Array(counts.length + 1);
	for (let face = 0; face < counts.length; face++) starts[face + 1] = starts[face]! + counts[face]!;
	const cornerPoints = Uint32Array.from(cage.cornerPoints);
	const edges = polygonEdges(starts, cornerPoints);
	const edgeSharpness = new Float64Array(edges.faceCounts.length);
	markCreases(cage, edges.points, edgeSharpness);
	const pointSharpness = new Float64Array(pointCount);
	const { corners } = cage;
	for (let at = 0; corners !== undefined && at < corners.points.length; at++) {
		const point = corners.points[at]!;
		if (point >= 0 && point < pointCount) pointSharpness[point] = sound(corners.sharpness[at]);
	}
	if (boundary === 'edgeAndCorner') {
		const faces = facesOfPoints(cornerPoints, pointCount);
		for (let point = 0; point < pointCount; point++) if (faces[point] === 1) pointSharpness[point] = SHARP;
	}
	const triangleShare = triangleRule === 'smooth' ? SMOOTH_TRIANGLE_SHARE : 0.25;
	return { scheme, pointCount, starts, cornerPoints, ...edges, edgeSharpness, pointSharpness, triangleShare };
}

/** Sharpness as a file has it: what is no number is none. */
function sound(sharpness: number | undefined): number {
	return sharpness !== undefined && sharpness > 0 ? Math.min(SHARP, sharpness) : 0;
}

function markCreases({ creases, pointCount }: SubdivisionCage, points: Uint32Array, edgeSharpness: Float64Array): void {
	if (creases === undefined || creases.lengths.length === 0) return;
	const edgeAt = new Map<number, number>();
	for (let edge = 0; edge < edgeSharpness.length; edge++)
		edgeAt.set(points[2 * edge]! * pointCount + points[2 * edge + 1]!, edge);
	const isPerCrease = creases.sharpness.length === creases.lengths.length;
	let start = 0;
	let each = 0;
	for (let crease = 0; crease < creases.lengths.length; crease++) {
		const length = Math.max(0, creases.lengths[crease]!);
		for (let i = 1; i < length && start + i < creases.points.length; i++, each++) {
			const [a, b] = [creases.points[start + i - 1]!, creases.points[start + i]!];
			const edge = edgeAt.get(Math.min(a, b) * pointCount + Math.max(a, b));
			if (edge !== undefined) edgeSharpness[edge] = sound(creases.sharpness[isPerCrease ? crease : each]);
		}
		start += length;
	}
}

function facesOfPoints(cornerPoints: Uint32Array, pointCount: number): Uint32Array {
	const faces = new Uint32Array(pointCount);
	for (const point of cornerPoints) faces[point] = faces[point]! + 1;
	return faces;
}

/** Faces at the rim, where nothing says what it is. */
function hiddenFaces(
	{ boundary }: SubdivisionCage,
	{ starts, cornerPoints, points, faceCounts, pointCount }: LevelTopology,
): Uint8Array {
	const hidden = new Uint8Array(starts.length - 1);
	if (boundary !== 'none') return hidden;
	const isRim = new Uint8Array(pointCount);
	for (let edge = 0; edge < faceCounts.length; edge++) {
		if (faceCounts[edge] === 1) isRim[points[2 * edge]!] = isRim[points[2 * edge + 1]!] = 1;
	}
	for (let face = 0; face < hidden.length; face++) {
		for (let corner = starts[face]!; corner < starts[face + 1]!; corner++) {
			if (isRim[cornerPoints[corner]!] === 1) hidden[face] = 1;
		}
	}
	return hidden;
}

/**
 * The same faces with the values of corners as points: where two faces have other values at an edge that they share, the values have a
 * rim there. Gives the value that each such point is.
 */
function cornerTopology(
	base: LevelTopology,
	indices: ArrayLike<number> | undefined,
	rule: NonNullable<SubdivisionCage['cornerRule']>,
): { readonly topology: LevelTopology; readonly sources: Uint32Array } {
	const { starts, cornerPoints, cornerEdges } = base;
	const sources: number[] = [];
	const pointOf: number[] = [];
	const own = new Uint32Array(cornerPoints.length);
	const known = new Map<number, number>();
	for (let corner = 0; corner < own.length; corner++) {
		const value = indices === undefined ? corner : indices[corner]!;
		// a value at two points is two
		const key = value * base.pointCount + cornerPoints[corner]!;
		let found = known.get(key);
		if (found === undefined) {
			found = sources.push(value) - 1;
			pointOf.push(cornerPoints[corner]!);
			known.set(key, found);
		}
		own[corner] = found;
	}
	const edges = polygonEdges(starts, own);
	const edgeSharpness = new Float64Array(edges.faceCounts.length);
	for (let corner = 0; corner < own.length; corner++)
		edgeSharpness[edges.cornerEdges[corner]!] = base.edgeSharpness[cornerEdges[corner]!]!;
	const pointSharpness = Float64Array.from(pointOf, (point) => base.pointSharpness[point]!);
	sharpenCorners(rule, { base, own, pointOf, edges, pointSharpness });
	const topology = { ...base, ...edges, pointCount: sources.length, cornerPoints: own, edgeSharpness, pointSharpness };
	return { topology, sources: Uint32Array.from(sources) };
}

interface CornerChannel {
	readonly base: LevelTopology;
	readonly own: Uint32Array;
	readonly pointOf: readonly number[];
	readonly edges: ReturnType<typeof polygonEdges>;
	readonly pointSharpness: Float64Array;
}

/** The values that stay as they are (`faceVaryingLinearInterpolation`). */
function sharpenCorners(rule: SubdivisionCage['cornerRule'], channel: CornerChannel): void {
	const { base, own, pointOf, edges, pointSharpness } = channel;
	if (rule === 'none' || rule === 'all') return;
	const isRim = new Uint8Array(pointOf.length);
	for (let edge = 0; edge < edges.faceCounts.length; edge++) {
		if (edges.faceCounts[edge] === 1) isRim[edges.points[2 * edge]!] = isRim[edges.points[2 * edge + 1]!] = 1;
	}
	const isMeshRim = new Uint8Array(base.pointCount);
	for (let edge = 0; edge < base.faceCounts.length; edge++) {
		if (base.faceCounts[edge] === 1) isMeshRim[base.points[2 * edge]!] = isMeshRim[base.points[2 * edge + 1]!] = 1;
	}
	const faces = facesOfPoints(own, pointOf.length);
	const values = facesOfPoints(Uint32Array.from(pointOf), base.pointCount);
	const hasCorner = new Uint8Array(base.pointCount);
	for (let at = 0; at < faces.length; at++) if (faces[at] === 1) hasCorner[pointOf[at]!] = 1;
	for (let at = 0; at < faces.length; at++) {
		const point = pointOf[at]!;
		const isDart = values[point] === 1 && isRim[at] === 1 && isMeshRim[point] === 0;
		const isSharp =
			faces[at] === 1 ||
			(rule === 'boundaries' && isRim[at] === 1) ||
			((rule === 'cornersPlus1' || rule === 'cornersPlus2') && values[point]! > 2) ||
			(rule === 'cornersPlus2' && (isDart || (values[point] === 2 && hasCorner[point] === 1)));
		if (isSharp) pointSharpness[at] = SHARP;
	}
}
