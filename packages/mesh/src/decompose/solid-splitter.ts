import { axisAlignedBox } from '../bounds/axis-aligned-box.ts';
import { TriangleBvh } from '../bvh/triangle-bvh.ts';
import { GrowableNumbers } from '../read/growable.ts';
import { weldVertices } from '../topology/weld-vertices.ts';
import type { TriangleMesh } from '../triangle-mesh.ts';
import { boxVolume, clipPolygon } from './box-volume.ts';
import { hullVolume } from './hull-volume.ts';
import { SurfaceSample } from './surface-sample.ts';

/** A piece of a solid: points whose hull is the hull of the piece. */
export interface Part {
	readonly points: Float64Array;
	readonly hullVolume: number;
	/** Volume of the solid within. */
	readonly volume: number;
}

/** When to stop cutting. */
export interface SplitLimits {
	/** Share of the hull of a part that may be empty. */
	readonly threshold: number;
	/** Excess volume that is not worth a cut. */
	readonly tiny: number;
	readonly maxParts: number;
}

/** A part in the box that the cuts so far leave. */
interface BoxPart extends Part {
	/** Least x y z, most x y z. */
	readonly box: Float64Array;
	/** Loose triangles of the surface in the box, nine numbers each. */
	readonly triangles: Float64Array;
	/** Corners of the box at which the solid fills the box. */
	readonly corners: readonly (readonly number[])[];
}

/** A plane across an axis. */
interface Cut {
	readonly axis: number;
	readonly at: number;
}

const UNIFORM_CUTS = 7;
const VERTEX_CUTS = 8;
// directions without relation to common geometry: most of them decide
const RAYS = [
	[0.5773, 0.6134, 0.5391],
	[-0.3217, 0.8131, -0.4852],
	[0.2713, -0.4521, 0.8497],
] as const;

/** Cuts one closed solid into parts by planes along the axes. */
export class SolidSplitter {
	readonly #mesh: TriangleMesh;
	readonly #bvh: TriangleBvh;

	constructor(mesh: TriangleMesh) {
		this.#mesh = mesh;
		this.#bvh = new TriangleBvh(mesh);
	}

	split(limits: SplitLimits): Part[] {
		const { vertices, indices } = this.#mesh;
		const { least, most } = axisAlignedBox(vertices);
		const triangles = new Float64Array(indices.length * 3);
		for (let i = 0; i < indices.length; i++) {
			for (let k = 0; k < 3; k++) triangles[i * 3 + k] = vertices[indices[i]! * 3 + k]!;
		}
		const parts: BoxPart[] = [this.#makePart(Float64Array.of(...least, ...most), triangles, [])];
		const isDone = new Set<BoxPart>();
		while (parts.length < limits.maxParts) {
			let worst = -1;
			let excess = limits.tiny;
			for (const [i, part] of parts.entries()) {
				const own = part.hullVolume - part.volume;
				if (isDone.has(part) || own <= excess || own <= limits.threshold * part.hullVolume) continue;
				[worst, excess] = [i, own];
			}
			const part = parts[worst];
			if (part === undefined) break;
			const halves = this.#cut(part, this.#bestCut(part));
			if (halves.length < 2) isDone.add(part);
			else parts.splice(worst, 1, ...halves);
		}
		return parts;
	}

	#makePart(box: Float64Array, triangles: Float64Array, corners: readonly (readonly number[])[]): BoxPart {
		const all = new Float64Array(triangles.length + corners.length * 3);
		all.set(triangles);
		for (const [i, corner] of corners.entries()) all.set(corner, triangles.length + i * 3);
		const points = uniquePoints(all);
		return { box, triangles, corners, points, hullVolume: hullVolume(points), volume: boxVolume(this.#mesh, box) };
	}

	/** The plane after which the hulls of both sides have the least volume. */
	#bestCut(part: BoxPart): Cut {
		const outline = new SurfaceSample(part.triangles, part.box);
		let best = Number.POSITIVE_INFINITY;
		let cut: Cut | undefined;
		for (let axis = 0; axis < 3; axis++) {
			for (const at of candidates(outline.vertices, part.box, axis)) {
				const volume = this.#volumeAfter(part, outline, { axis, at });
				// differences by rounding do not decide: the first of equals is taken
				if (volume < best * (1 - 1e-9)) [best, cut] = [volume, { axis, at }];
			}
		}
		if (cut !== undefined && best < part.hullVolume * 0.999) return cut;
		// nothing helps at once: halve the longest side
		const sizes = [0, 1, 2].map((axis) => part.box[3 + axis]! - part.box[axis]!);
		const axis = sizes.indexOf(Math.max(...sizes));
		return { axis, at: (part.box[axis]! + part.box[3 + axis]!) / 2 };
	}

	#volumeAfter(part: BoxPart, sample: SurfaceSample, cut: Cut): number {
		let volume = 0;
		for (const sign of [-1, 1]) {
			const points = sample.side(cut.axis, cut.at, sign);
			for (const corner of this.#sideCorners(part, cut, sign)) points.push3(corner[0]!, corner[1]!, corner[2]!);
			volume += hullVolume(points.toArray());
		}
		return volume;
	}

	/** The two sides of a cut; fewer when one has no volume. */
	#cut(part: BoxPart, cut: Cut): BoxPart[] {
		const halves: BoxPart[] = [];
		for (const sign of [-1, 1]) {
			const triangles = clipTriangles(part.triangles, cut.axis, cut.at, sign);
			const half = this.#makePart(halfBox(part.box, cut, sign), triangles, this.#sideCorners(part, cut, sign));
			if (half.hullVolume > 0) halves.push(half);
		}
		return halves;
	}

	/** Corners of one side of a cut box at which the solid fills the box: old ones, and those of the cut. */
	#sideCorners(part: BoxPart, cut: Cut, sign: number): (readonly number[])[] {
		const { axis, at } = cut;
		const box = halfBox(part.box, cut, sign);
		const corners = part.corners.filter((corner) => sign * (corner[axis]! - at) > 0);
		const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
		for (let i = 0; i < 4; i++) {
			const corner = [0, 0, 0];
			corner[axis] = at;
			corner[u] = box[i & 1 ? 3 + u : u]!;
			corner[v] = box[i & 2 ? 3 + v : v]!;
			// a little towards the middle, as corners often lie on the surface
			const probe = corner.map((value, k) => value + NUDGE * ((box[k]! + box[3 + k]!) / 2 - value));
			let votes = 0;
			for (const direction of RAYS) if (this.#bvh.windingAlong(probe, direction) !== 0) votes++;
			if (votes >= 2) corners.push(corner);
		}
		return corners;
	}
}

const NUDGE = 1e-6;

function halfBox(box: Float64Array, { axis, at }: Cut, sign: number): Float64Array {
	const half = box.slice();
	half[sign < 0 ? 3 + axis : axis] = at;
	return half;
}

function uniquePoints(points: Float64Array): Float64Array {
	return weldVertices({ vertices: points, indices: new Uint32Array(0) }).mesh.vertices;
}

/** Positions across an axis worth a try: at vertices, where parts meet, and evenly spread. */
function candidates(triangles: Float64Array, box: Float64Array, axis: number): number[] {
	const [low, high] = [box[axis]!, box[3 + axis]!];
	const margin = 0.005 * (high - low);
	const places = new Set<number>();
	for (let i = axis; i < triangles.length; i += 3) {
		const value = triangles[i]!;
		if (value > low + margin && value < high - margin) places.add(value);
	}
	const sorted = Float64Array.from(places).sort();
	const chosen = new Set<number>();
	const step = Math.max(sorted.length / VERTEX_CUTS, 1);
	for (let i = 0; i < sorted.length; i += step) chosen.add(sorted[Math.floor(i)]!);
	for (let i = 1; i <= UNIFORM_CUTS; i++) chosen.add(low + ((high - low) * i) / (UNIFORM_CUTS + 1));
	return [...Float64Array.from(chosen).sort()];
}

/** The parts of loose triangles on one side of a plane, as loose triangles. */
function clipTriangles(triangles: Float64Array, axis: number, at: number, sign: number): Float64Array {
	const out = new GrowableNumbers();
	const piece = new Float64Array(15);
	for (let t = 0; t < triangles.length; t += 9) {
		const [a, b, c] = [triangles[t + axis]! - at, triangles[t + 3 + axis]! - at, triangles[t + 6 + axis]! - at];
		// triangles in the plane bound no volume of this side that others do not
		if (!(sign * a > 0 || sign * b > 0 || sign * c > 0)) continue;
		const count = clipPolygon(piece, triangles.subarray(t, t + 9), 3, axis, at, sign);
		for (let i = 1; i + 1 < count; i++) {
			out.push3(piece[0]!, piece[1]!, piece[2]!);
			out.push3(piece[i * 3]!, piece[i * 3 + 1]!, piece[i * 3 + 2]!);
			out.push3(piece[i * 3 + 3]!, piece[i * 3 + 4]!, piece[i * 3 + 5]!);
		}
	}
	return out.toArray();
}
