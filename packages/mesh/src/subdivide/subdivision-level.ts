import { cosine } from '@manyworlds/core/internal';

/** Sharpness from which edges and points stay as sharp as they are (OpenSubdiv's `SHARPNESS_INFINITE`, which USD takes over). */
export const SHARP = 10;

/** How a cage is refined: the schemes of USD. */
export type SubdivisionScheme = 'catmullClark' | 'loop' | 'bilinear';

/** Edges of polygons, numbered as corners begin them. */
export interface PolygonEdges {
	/** The edge from each corner to the next one of its face. */
	readonly cornerEdges: Uint32Array;
	/** Two points each. */
	readonly points: Uint32Array;
	/** How many faces lie at each edge. */
	readonly faceCounts: Uint32Array;
}

/** What a level of a subdivided surface consists of. */
export interface LevelTopology extends PolygonEdges {
	readonly scheme: SubdivisionScheme;
	readonly pointCount: number;
	/** First corner of each face, and the number of corners at the end. */
	readonly starts: Uint32Array;
	readonly cornerPoints: Uint32Array;
	readonly edgeSharpness: Float64Array;
	readonly pointSharpness: Float64Array;
	/** Share of a face in the points of its edges where it has three corners (`triangleSubdivisionRule`); 1/4 elsewhere. */
	readonly triangleShare: number;
}

/**
 * One level of a subdivided surface, with the weights that give the points of the next one: those of the points, then those of the
 * edges, then those of the faces. Creases are weighted as OpenSubdiv's `Sdc` does (DeRose, Kass, Truong 1998).
 */
export class SubdivisionLevel {
	readonly topology: LevelTopology;
	readonly #weights: PointWeights;

	constructor(topology: LevelTopology) {
		this.topology = topology;
		this.#weights = pointWeights(topology);
	}

	get edgeCount(): number {
		return this.topology.faceCounts.length;
	}

	get faceCount(): number {
		return this.topology.starts.length - 1;
	}

	/** Values of the next level in between those of this one, which stay. */
	linear(values: Float64Array, width: number): Float64Array {
		const { pointCount, points } = this.topology;
		const out = this.#begin(values, width);
		for (let edge = 0, to = width * pointCount; edge < this.edgeCount; edge++) {
			const [a, b] = [width * points[2 * edge]!, width * points[2 * edge + 1]!];
			for (let k = 0; k < width; k++) out[to++] = (values[a + k]! + values[b + k]!) / 2;
		}
		return out;
	}

	/** Values of the next level by the weights of the scheme. */
	smooth(values: Float64Array, width: number): Float64Array {
		if (this.topology.scheme === 'bilinear') return this.linear(values, width);
		const out = this.#begin(values, width);
		const edgeSums = this.#edgePoints(values, width, out);
		this.#movePoints(values, width, out, edgeSums);
		return out;
	}

	/** Points as they are, room for those of edges, and those of faces where the scheme has them. */
	#begin(values: Float64Array, width: number): Float64Array {
		const { pointCount, starts, cornerPoints, scheme } = this.topology;
		const faces = scheme === 'loop' ? 0 : this.faceCount;
		const out = new Float64Array(width * (pointCount + this.edgeCount + faces));
		out.set(values.subarray(0, width * pointCount));
		for (let face = 0, to = width * (pointCount + this.edgeCount); face < faces; face++, to += width) {
			const size = starts[face + 1]! - starts[face]!;
			for (let corner = starts[face]!; corner < starts[face + 1]!; corner++) {
				const from = width * cornerPoints[corner]!;
				for (let k = 0; k < width; k++) out[to + k] = out[to + k]! + values[from + k]! / size;
			}
		}
		return out;
	}

	/** Points of edges. Gives the sums of what lies at the faces of each edge: their middles, or their third points. */
	#edgePoints(values: Float64Array, width: number, out: Float64Array): Float64Array {
		const { pointCount, starts, cornerPoints, cornerEdges, points, faceCounts, edgeSharpness, scheme } = this.topology;
		const { faceShares } = this.#weights;
		const sums = new Float64Array(width * this.edgeCount);
		const facePoints = width * (pointCount + this.edgeCount);
		for (let face = 0; face < this.faceCount; face++) {
			const start = starts[face]!;
			const end = starts[face + 1]!;
			for (let corner = start; corner < end; corner++) {
				const to = width * cornerEdges[corner]!;
				const third = start + ((corner - start + 2) % 3);
				const source = scheme === 'loop' ? values : out;
				const from = scheme === 'loop' ? width * cornerPoints[third]! : facePoints + width * face;
				for (let k = 0; k < width; k++) sums[to + k] = sums[to + k]! + source[from + k]!;
			}
		}
		for (let edge = 0; edge < this.edgeCount; edge++) {
			const [a, b] = [width * points[2 * edge]!, width * points[2 * edge + 1]!];
			const to = width * (pointCount + edge);
			const sharp = faceCounts[edge] === 2 ? Math.min(1, edgeSharpness[edge]!) : 1;
			const share = (1 - sharp) * faceShares[edge]!;
			for (let k = 0; k < width; k++) {
				const ends = values[a + k]! + values[b + k]!;
				out[to + k] = (0.5 - share) * ends + (share === 0 ? 0 : share * sums[width * edge + k]!);
			}
		}
		return sums;
	}

	/** Moves the points of this level by what lies around them. */
	#movePoints(values: Float64Array, width: number, out: Float64Array, edgeSums: Float64Array): void {
		const { pointCount, points, scheme } = this.topology;
		const { smooth, creaseNow, creaseNext, valence, sharpNow, sharpNext } = this.#weights;
		const isLoop = scheme === 'loop';
		for (let point = 0; point < pointCount; point++) {
			const n = valence[point]!;
			const s = smooth[point]!;
			if (n === 0) continue;
			const kept = isLoop ? 1 - loopShare(n) : (n - 2) / n;
			const own = 1 - s - (creaseNow[point]! + creaseNext[point]!) / 4 + s * kept;
			for (let k = 0; k < width; k++) out[width * point + k] = own * values[width * point + k]!;
		}
		for (let edge = 0; edge < this.edgeCount; edge++) {
			for (let side = 0; side < 2; side++) {
				const point = points[2 * edge + side]!;
				const other = width * points[2 * edge + 1 - side]!;
				const n = valence[point]!;
				const s = smooth[point]!;
				const around = s === 0 ? 0 : isLoop ? (s * loopShare(n)) / n : s / (n * n);
				const crease = sharpNow[edge]! * creaseNow[point]! + sharpNext[edge]! * creaseNext[point]!;
				const weight = around + crease / 8;
				// each face at an inner point lies at two of its edges
				const faces = isLoop ? 0 : around / 2;
				if (weight === 0) continue;
				for (let k = 0; k < width; k++) {
					const at = width * point + k;
					out[at] = out[at]! + weight * values[other + k]! + (faces === 0 ? 0 : faces * edgeSums[width * edge + k]!);
				}
			}
		}
	}

	/** The faces of the next level, in the order of the corners that they lie at; with `loop` the middle one follows the three. */
	next(): LevelTopology {
		const { topology, edgeCount, faceCount } = this;
		const { scheme, pointCount, starts, cornerPoints, cornerEdges, points, edgeSharpness, pointSharpness } = topology;
		const isLoop = scheme === 'loop';
		const corners = cornerPoints.length;
		const count = isLoop ? 4 * faceCount : corners;
		const size = isLoop ? 3 : 4;
		const childPoints = new Uint32Array(size * count);
		const childEdges = new Uint32Array(size * count);
		const facePoint = pointCount + edgeCount;
		let to = 0;
		const put = (point: number, edge: number): void => {
			childPoints[to] = point;
			childEdges[to++] = edge;
		};
		const halfAt = (edge: number, point: number): number => 2 * edge + (points[2 * edge] === point ? 0 : 1);
		for (let face = 0; face < faceCount; face++) {
			const start = starts[face]!;
			const end = starts[face + 1]!;
			for (let corner = start; corner < end; corner++) {
				const before = corner === start ? end - 1 : corner - 1;
				const [point, edge, edgeBefore] = [cornerPoints[corner]!, cornerEdges[corner]!, cornerEdges[before]!];
				put(point, halfAt(edge, point));
				put(pointCount + edge, 2 * edgeCount + corner);
				if (!isLoop) put(facePoint + face, 2 * edgeCount + before);
				put(pointCount + edgeBefore, halfAt(edgeBefore, point));
			}
			if (!isLoop) continue;
			for (let k = 0; k < 3; k++) put(pointCount + cornerEdges[start + k]!, 2 * edgeCount + start + ((k + 1) % 3));
		}
		const total = 2 * edgeCount + corners;
		const childEnds = new Uint32Array(2 * total);
		const childSharpness = new Float64Array(total);
		for (let edge = 0; edge < edgeCount; edge++) {
			childEnds[4 * edge] = points[2 * edge]!;
			childEnds[4 * edge + 1] = childEnds[4 * edge + 2] = pointCount + edge;
			childEnds[4 * edge + 3] = points[2 * edge + 1]!;
			childSharpness[2 * edge] = childSharpness[2 * edge + 1] = softer(edgeSharpness[edge]!);
		}
		for (let corner = 0, face = 0; corner < corners; corner++) {
			while (corner >= starts[face + 1]!) face++;
			const before = corner === starts[face]! ? starts[face + 1]! - 1 : corner - 1;
			childEnds[2 * (2 * edgeCount + corner)] = pointCount + cornerEdges[corner]!;
			childEnds[2 * (2 * edgeCount + corner) + 1] = isLoop ? pointCount + cornerEdges[before]! : facePoint + face;
		}
		const faceCounts = new Uint32Array(total);
		for (const edge of childEdges) faceCounts[edge] = faceCounts[edge]! + 1;
		const childPointSharpness = new Float64Array(facePoint + (isLoop ? 0 : faceCount));
		for (let point = 0; point < pointCount; point++) childPointSharpness[point] = softer(pointSharpness[point]!);
		return {
			scheme,
			pointCount: childPointSharpness.length,
			starts: Uint32Array.from({ length: count + 1 }, (_, face) => size * face),
			cornerPoints: childPoints,
			cornerEdges: childEdges,
			points: childEnds,
			faceCounts,
			edgeSharpness: childSharpness,
			pointSharpness: childPointSharpness,
			triangleShare: 0.25,
		};
	}
}

/** Finds the edges of faces. No face may have a point twice. */
export function polygonEdges(starts: Uint32Array, cornerPoints: Uint32Array): PolygonEdges {
	const corners = cornerPoints.length;
	const mask = 2 ** Math.max(4, Math.ceil(Math.log2(1.5 * corners + 1))) - 1;
	// numbers count from one: 0 is free
	const table = new Uint32Array(mask + 1);
	const cornerEdges = new Uint32Array(corners);
	const points = new Uint32Array(2 * corners);
	const faceCounts = new Uint32Array(corners);
	let count = 0;
	for (let face = 0; face + 1 < starts.length; face++) {
		for (let corner = starts[face]!; corner < starts[face + 1]!; corner++) {
			const a = cornerPoints[corner]!;
			const b = cornerPoints[corner + 1 === starts[face + 1]! ? starts[face]! : corner + 1]!;
			const [low, high] = a < b ? [a, b] : [b, a];
			let slot = (Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b)) >>> 0;
			slot = (slot ^ (slot >>> 15)) & mask;
			let edge = table[slot]!;
			while (edge !== 0 && !(points[2 * edge - 2] === low && points[2 * edge - 1] === high)) {
				slot = (slot + 1) & mask;
				edge = table[slot]!;
			}
			if (edge === 0) {
				points[2 * count] = low;
				points[2 * count + 1] = high;
				edge = ++count;
				table[slot] = edge;
			}
			cornerEdges[corner] = edge - 1;
			faceCounts[edge - 1] = faceCounts[edge - 1]! + 1;
		}
	}
	return { cornerEdges, points: points.slice(0, 2 * count), faceCounts: faceCounts.slice(0, count) };
}

/** Sharpness one level further. */
function softer(sharpness: number): number {
	return sharpness >= SHARP ? SHARP : Math.max(0, sharpness - 1);
}

/** How the rules share in each point of the next level; what is left is the point as it is (a corner). */
interface PointWeights {
	readonly smooth: Float64Array;
	/** Along the two edges that are sharp in this level, and in the next one. */
	readonly creaseNow: Float64Array;
	readonly creaseNext: Float64Array;
	readonly sharpNow: Uint8Array;
	readonly sharpNext: Uint8Array;
	/** Number of edges of each point. */
	readonly valence: Uint32Array;
	/** Share of what lies at each of the two faces in the smooth point of an edge. */
	readonly faceShares: Float64Array;
}

type Rule = 'smooth' | 'crease' | 'corner';

function pointWeights(topology: LevelTopology): PointWeights {
	const { pointCount, starts, cornerEdges, points, faceCounts, edgeSharpness, pointSharpness } = topology;
	const edgeCount = faceCounts.length;
	const sharpNow = new Uint8Array(edgeCount);
	const sharpNext = new Uint8Array(edgeCount);
	const valence = new Uint32Array(pointCount);
	const countNow = new Uint32Array(pointCount);
	const countNext = new Uint32Array(pointCount);
	// sharpness of what is smooth in the next level: its mean is the share of the rule of this one
	const fading = new Float64Array(pointCount);
	const fadingCount = new Uint32Array(pointCount);
	for (let edge = 0; edge < edgeCount; edge++) {
		const sharpness = faceCounts[edge] === 2 ? edgeSharpness[edge]! : SHARP;
		sharpNow[edge] = sharpness > 0 ? 1 : 0;
		sharpNext[edge] = softer(sharpness) > 0 ? 1 : 0;
		for (let side = 0; side < 2; side++) {
			const point = points[2 * edge + side]!;
			valence[point] = valence[point]! + 1;
			countNow[point] = countNow[point]! + sharpNow[edge]!;
			countNext[point] = countNext[point]! + sharpNext[edge]!;
			if (sharpNow[edge] === sharpNext[edge]) continue;
			fading[point] = fading[point]! + sharpness;
			fadingCount[point] = fadingCount[point]! + 1;
		}
	}
	const smooth = new Float64Array(pointCount);
	const creaseNow = new Float64Array(pointCount);
	const creaseNext = new Float64Array(pointCount);
	for (let point = 0; point < pointCount; point++) {
		const sharpness = pointSharpness[point]!;
		const now = ruleOf(sharpness, countNow[point]!);
		const next = ruleOf(softer(sharpness), countNext[point]!);
		let share = 1;
		if (now !== next) {
			const isFading = sharpness > 0 && softer(sharpness) === 0;
			const sum = fading[point]! + (isFading ? sharpness : 0);
			share = Math.min(1, sum / (fadingCount[point]! + (isFading ? 1 : 0)));
		}
		smooth[point] = (now === 'smooth' ? share : 0) + (next === 'smooth' ? 1 - share : 0);
		creaseNow[point] = now === 'crease' ? share : 0;
		creaseNext[point] = next === 'crease' ? 1 - share : 0;
	}
	const faceShares = new Float64Array(edgeCount);
	for (let face = 0; face + 1 < starts.length; face++) {
		const isTriangle = starts[face + 1]! - starts[face]! === 3;
		const share = topology.scheme === 'loop' ? 0.125 : isTriangle ? topology.triangleShare : 0.25;
		for (let corner = starts[face]!; corner < starts[face + 1]!; corner++) {
			const edge = cornerEdges[corner]!;
			faceShares[edge] = faceShares[edge]! + share / 2;
		}
	}
	return { smooth, creaseNow, creaseNext, sharpNow, sharpNext, valence, faceShares };
}

/** One sharp edge ends in a surface that is smooth there (a dart). */
function ruleOf(sharpness: number, sharpEdges: number): Rule {
	if (sharpness > 0 || sharpEdges > 2) return 'corner';
	return sharpEdges === 2 ? 'crease' : 'smooth';
}

/** Share of the points around one of `n` edges (Loop 1987). */
function loopShare(n: number): number {
	return 5 / 8 - (3 / 8 + cosine((2 * Math.PI) / n) / 4) ** 2;
}
