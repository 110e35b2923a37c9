import { quatRotate } from '@manyworlds/core/internal';
import { GeoType, type Model } from '@manyworlds/model';
import type { Spheres } from './collide-kernel.ts';
import { type PartPlan, planParts } from './part-plan.ts';
import type { ShapeFrames } from './shape-frames.ts';

/** Numbers of a part: its centre in the frame of its body, its radius, and the arm that its turning moves points by at most. */
const PART = 5;
const RADIUS = 3;
const ARM = 4;
/** Numbers of a part in the world: centre, radius, speed. */
const SPEED = 4;
/** Share that distances may be wrong by, by rounding. */
const SLACK = 1 + 1e-9;

/** Numbers of the sphere around a shape: its centre in the frame of its body, and its radius. */
const SHAPE = 4;

/**
 * Spheres around everything that a body carries, around each shape that does not move, and around each shape of those that come near.
 * Shapes that stay clear of each other need no boxes. A part is a body with its shapes, or one shape of the world.
 */
export class BodySpheres {
	readonly #frames: ShapeFrames;
	readonly #model: Model;
	readonly #plan: PartPlan;
	readonly #shapePairs: Int32Array;
	readonly #parts: Float64Array;
	/** Normals of planes of the world, by part; zeros for others. */
	readonly #normals: Float64Array;
	/** Parts of the run at hand in the world. */
	readonly #placed: Float64Array;
	/** 1 for the pairs of parts of the run at hand that may touch. */
	readonly #isNear: Uint8Array;
	/** Pairs of shapes of the run that was placed last that may touch, ascending, by their number in the list. */
	readonly near: Int32Array;
	nearCount = 0;
	/** 1 for pairs of a ball and a plane without an end, which are measured where they are. */
	readonly #isBall: Uint8Array;
	/** Spheres around shapes with their margins and gaps; by shape. */
	readonly #shapes: Float64Array;
	/** Where the middles of shapes are, and the calls of `begin` that they are of. */
	readonly #middle: Float64Array;
	readonly #middleCall: Int32Array;
	/** Largest sum of margin and gap of a shape [m]. */
	#nearest = 0;
	readonly #point = new Float64Array(3);
	readonly #corner = new Float64Array(3);

	/**
	 * Takes pairs of shapes, two numbers each; those of run r are `start[r]` to before `start[r + 1]`. Balls on planes are not left out by
	 * spheres when their parts may touch.
	 */
	constructor(frames: ShapeFrames, pairs: Int32Array, start: Int32Array, isBall: Uint8Array) {
		this.#frames = frames;
		this.#model = frames.model;
		this.#shapePairs = pairs;
		this.#isBall = isBall;
		this.#plan = planParts(frames.model, pairs, start);
		const { body, partStart, pairStart } = this.#plan;
		this.#parts = new Float64Array(PART * body.length);
		this.#normals = new Float64Array(3 * body.length);
		this.#placed = new Float64Array(PART * longestRun(partStart));
		this.#isNear = new Uint8Array(longestRun(pairStart));
		this.near = new Int32Array(longestRun(start));
		const { shapeCount } = frames.model;
		this.#shapes = new Float64Array(SHAPE * shapeCount);
		this.#middle = new Float64Array(3 * shapeCount);
		this.#middleCall = new Int32Array(shapeCount).fill(-1);
		this.refresh();
	}

	/** Takes shapes, margins and gaps from the model again. */
	refresh(): void {
		const { shapeMargin, shapeGap } = this.#model;
		this.#nearest = 0;
		for (const shape of this.#plan.shapes)
			this.#nearest = Math.max(this.#nearest, shapeMargin[shape]! + shapeGap[shape]!);
		for (let part = 0; part < this.#plan.body.length; part++) this.#enclose(part);
		for (const shape of this.#plan.shapes) this.#encloseShape(shape);
	}

	/** Puts a sphere around the bounds of a shape. */
	#encloseShape(shape: number): void {
		const model = this.#model;
		const out = this.#shapes;
		const s = SHAPE * shape;
		const near = model.shapeMargin[shape]! + model.shapeGap[shape]!;
		if (model.shapeType[shape] === GeoType.PLANE) {
			for (let k = 0; k < 3; k++) out[s + k] = model.shapeTransform[7 * shape + k]!;
			out[s + RADIUS] = model.shapeBody[shape]! < 0 ? near : Number.POSITIVE_INFINITY;
			return;
		}
		const { shapeCollisionAabbLower: lower, shapeCollisionAabbUpper: upper, shapeTransform } = model;
		const point = this.#point;
		for (let k = 0; k < 3; k++) point[k] = 0.5 * (lower[3 * shape + k]! + upper[3 * shape + k]!);
		quatRotate(this.#corner, shapeTransform, point, 0, 7 * shape + 3);
		let squared = 0;
		for (let k = 0; k < 3; k++) {
			out[s + k] = this.#corner[k]! + shapeTransform[7 * shape + k]!;
			squared += (0.5 * (upper[3 * shape + k]! - lower[3 * shape + k]!)) ** 2;
		}
		out[s + RADIUS] = Math.sqrt(squared) + near;
	}

	/** Parts of the pairs. */
	get plan(): PartPlan {
		return this.#plan;
	}

	/** Spheres as they are since the last `refresh`. */
	get spheres(): Spheres {
		return { parts: this.#parts, normals: this.#normals, shapes: this.#shapes };
	}

	/** Finds the shapes of a run that may touch at the poses and speeds of the frames: pairs of parts first. */
	place(run: number): void {
		const { partStart, parts, pairStart, pairs, planeEnd } = this.#plan;
		const first = partStart[run]!;
		for (let i = first; i < partStart[run + 1]!; i++) this.#move(i - first, parts[i]!);
		const start = pairStart[run]!;
		const end = pairStart[run + 1]!;
		const { horizon, most } = this.#frames;
		const placed = this.#placed;
		const normals = this.#normals;
		const isNear = this.#isNear;
		const planesEnd = planeEnd[run]!;
		// pairs of the same first part mostly follow each other
		let last = -1;
		let x = 0;
		let y = 0;
		let z = 0;
		let radius = 0;
		let speed = 0;
		for (let i = start; i < end; i++) {
			const a = PART * pairs[2 * i]!;
			const b = PART * pairs[2 * i + 1]!;
			if (a !== last) {
				last = a;
				x = placed[a]!;
				y = placed[a + 1]!;
				z = placed[a + 2]!;
				radius = placed[a + RADIUS]!;
				speed = placed[a + SPEED]!;
			}
			const dx = placed[b]! - x;
			const dy = placed[b + 1]! - y;
			const dz = placed[b + 2]! - z;
			const way = Math.min(most, horizon * (speed + placed[b + SPEED]!));
			const reach = SLACK * (radius + placed[b + RADIUS]! + way);
			let isApart: boolean;
			if (i < planesEnd) {
				const n = 3 * parts[first + pairs[2 * i]!]!;
				isApart = dx * normals[n]! + dy * normals[n + 1]! + dz * normals[n + 2]! > reach;
			} else isApart = dx * dx + dy * dy + dz * dz > reach * reach;
			isNear[i - start] = isApart ? 0 : 1;
		}
		this.#gather(run);
	}

	/** Lists the pairs of shapes of a run that may touch. */
	#gather(run: number): void {
		const { stretchStart, stretches, pairStart, pairOf, next } = this.#plan;
		const isNear = this.#isNear;
		const isBall = this.#isBall;
		const near = this.near;
		let count = 0;
		for (let i = stretchStart[run]!, last = stretchStart[run + 1]!; i < last; i++) {
			const first = stretches[i]!;
			const parts = pairOf[first]!;
			if (isNear[parts] === 0) continue;
			const end = next[first]!;
			for (let pair = first; pair < end; pair++)
				if (isBall[pair] === 1 || !this.#areClear(run, pairStart[run]! + parts, pair)) near[count++] = pair;
		}
		this.nearCount = count;
	}

	/** Whether the spheres of two shapes, whose parts are a pair of a run, stay clear of each other. */
	#areClear(run: number, parts: number, pair: number): boolean {
		const { partStart, pairs, parts: partOf, planeEnd } = this.#plan;
		const { horizon, most } = this.#frames;
		const placed = this.#placed;
		const middle = this.#middle;
		let a = this.#shapePairs[2 * pair]!;
		let b = this.#shapePairs[2 * pair + 1]!;
		this.#moveShape(a);
		this.#moveShape(b);
		const way = Math.min(
			most,
			horizon * (placed[PART * pairs[2 * parts]! + SPEED]! + placed[PART * pairs[2 * parts + 1]! + SPEED]!),
		);
		const reach = SLACK * (this.#shapes[SHAPE * a + RADIUS]! + this.#shapes[SHAPE * b + RADIUS]! + way);
		if (parts >= planeEnd[run]!) {
			const dx = middle[3 * b]! - middle[3 * a]!;
			const dy = middle[3 * b + 1]! - middle[3 * a + 1]!;
			const dz = middle[3 * b + 2]! - middle[3 * a + 2]!;
			return dx * dx + dy * dy + dz * dz > reach * reach;
		}
		const plane = partOf[partStart[run]! + pairs[2 * parts]!]!;
		if (this.#plan.shapes[this.#plan.shapeStart[plane]!] !== a) [a, b] = [b, a];
		const normals = this.#normals;
		const dx = middle[3 * b]! - middle[3 * a]!;
		const dy = middle[3 * b + 1]! - middle[3 * a + 1]!;
		const dz = middle[3 * b + 2]! - middle[3 * a + 2]!;
		return dx * normals[3 * plane]! + dy * normals[3 * plane + 1]! + dz * normals[3 * plane + 2]! > reach;
	}

	/** Takes the middle of a shape to where its body is, once after each `begin`. */
	#moveShape(shape: number): void {
		const { call, bodyQ } = this.#frames;
		if (this.#middleCall[shape] === call) return;
		this.#middleCall[shape] = call;
		const from = this.#shapes;
		const out = this.#middle;
		const x = from[SHAPE * shape]!;
		const y = from[SHAPE * shape + 1]!;
		const z = from[SHAPE * shape + 2]!;
		const body = this.#model.shapeBody[shape]!;
		const at = 3 * shape;
		if (body < 0) {
			out[at] = x;
			out[at + 1] = y;
			out[at + 2] = z;
			return;
		}
		const b = 7 * body;
		const qx = bodyQ[b + 3]!;
		const qy = bodyQ[b + 4]!;
		const qz = bodyQ[b + 5]!;
		const qw = bodyQ[b + 6]!;
		const cx = qy * z - qz * y;
		const cy = qz * x - qx * z;
		const cz = qx * y - qy * x;
		out[at] = bodyQ[b]! + x + 2 * (qw * cx + qy * cz - qz * cy);
		out[at + 1] = bodyQ[b + 1]! + y + 2 * (qw * cy + qz * cx - qx * cz);
		out[at + 2] = bodyQ[b + 2]! + z + 2 * (qw * cz + qx * cy - qy * cx);
	}

	/** Takes a part to where its body is, with the most that its points may be faster than those of the world. */
	#move(i: number, part: number): void {
		const body = this.#plan.body[part]!;
		const from = this.#parts;
		const out = this.#placed;
		const at = PART * i;
		const p = PART * part;
		out[at + RADIUS] = from[p + RADIUS]!;
		if (body < 0) {
			out[at] = from[p]!;
			out[at + 1] = from[p + 1]!;
			out[at + 2] = from[p + 2]!;
			out[at + SPEED] = 0;
			return;
		}
		const { bodyQ, bodyQd } = this.#frames;
		const b = 7 * body;
		const x = from[p]!;
		const y = from[p + 1]!;
		const z = from[p + 2]!;
		const qx = bodyQ[b + 3]!;
		const qy = bodyQ[b + 4]!;
		const qz = bodyQ[b + 5]!;
		const qw = bodyQ[b + 6]!;
		const cx = qy * z - qz * y;
		const cy = qz * x - qx * z;
		const cz = qx * y - qy * x;
		out[at] = bodyQ[b]! + x + 2 * (qw * cx + qy * cz - qz * cy);
		out[at + 1] = bodyQ[b + 1]! + y + 2 * (qw * cy + qz * cx - qx * cz);
		out[at + 2] = bodyQ[b + 2]! + z + 2 * (qw * cz + qx * cy - qy * cx);
		if (!(this.#frames.horizon > 0)) {
			out[at + SPEED] = 0;
			return;
		}
		const d = 6 * body;
		const vx = bodyQd[d]!;
		const vy = bodyQd[d + 1]!;
		const vz = bodyQd[d + 2]!;
		const wx = bodyQd[d + 3]!;
		const wy = bodyQd[d + 4]!;
		const wz = bodyQd[d + 5]!;
		out[at + SPEED] = Math.sqrt(vx * vx + vy * vy + vz * vz) + Math.sqrt(wx * wx + wy * wy + wz * wz) * from[p + ARM]!;
	}

	/** Puts a sphere around the bounds of all shapes of a part. */
	#enclose(part: number): void {
		const model = this.#model;
		const { body, shapeStart, shapes } = this.#plan;
		const own = shapes.subarray(shapeStart[part]!, shapeStart[part + 1]!);
		const out = this.#parts;
		const p = PART * part;
		const isMoving = body[part]! >= 0;
		const plane = own.find((shape) => model.shapeType[shape] === GeoType.PLANE);
		if (plane !== undefined) {
			// a plane of the world has a side; one that moves may be anywhere
			this.#normals.set(isMoving ? [0, 0, 0] : planeNormal(model, plane), 3 * part);
			for (let k = 0; k < 3; k++) out[p + k] = isMoving ? 0 : model.shapeTransform[7 * plane + k]!;
			out[p + RADIUS] = isMoving ? Number.POSITIVE_INFINITY : model.shapeMargin[plane]! + model.shapeGap[plane]!;
			out[p + ARM] = 0;
			return;
		}
		const low = [Infinity, Infinity, Infinity];
		const high = [-Infinity, -Infinity, -Infinity];
		for (const shape of own) {
			for (let corner = 0; corner < 8; corner++) {
				this.#placeCorner(shape, corner);
				for (let k = 0; k < 3; k++) {
					low[k] = Math.min(low[k]!, this.#corner[k]!);
					high[k] = Math.max(high[k]!, this.#corner[k]!);
				}
			}
		}
		for (let k = 0; k < 3; k++) out[p + k] = 0.5 * (low[k]! + high[k]!);
		let radius = 0;
		let near = 0;
		let arm = 0;
		let reach = 0;
		for (const shape of own) {
			for (let corner = 0; corner < 8; corner++) {
				this.#placeCorner(shape, corner);
				const c = this.#corner;
				radius = Math.max(radius, Math.hypot(c[0]! - out[p]!, c[1]! - out[p + 1]!, c[2]! - out[p + 2]!));
			}
			near = Math.max(near, model.shapeMargin[shape]! + model.shapeGap[shape]!);
			reach = Math.max(reach, this.#frames.reach[shape]!);
			if (isMoving) arm = Math.max(arm, this.#armOf(shape, body[part]!) + this.#frames.reach[shape]!);
		}
		out[p + RADIUS] = radius + near;
		// as `NarrowPhase` looks ahead: at the origin of the smaller shape, over its reach, and over the way between
		out[p + ARM] = isMoving ? arm + 2 * reach + 2 * (2 * this.#nearest + this.#frames.most) : 0;
	}

	/** Distance of the origin of a shape from the centre of mass of its body. */
	#armOf(shape: number, body: number): number {
		const { shapeTransform, bodyCom } = this.#model;
		return Math.hypot(
			shapeTransform[7 * shape]! - bodyCom[3 * body]!,
			shapeTransform[7 * shape + 1]! - bodyCom[3 * body + 1]!,
			shapeTransform[7 * shape + 2]! - bodyCom[3 * body + 2]!,
		);
	}

	/** A corner of the bounds of a shape in the frame of its body. */
	#placeCorner(shape: number, corner: number): void {
		const { shapeCollisionAabbLower: lower, shapeCollisionAabbUpper: upper, shapeTransform } = this.#model;
		const point = this.#point;
		for (let k = 0; k < 3; k++) point[k] = ((corner >> k) & 1 ? upper : lower)[3 * shape + k]!;
		quatRotate(this.#corner, shapeTransform, point, 0, 7 * shape + 3);
		for (let k = 0; k < 3; k++) this.#corner[k] = this.#corner[k]! + shapeTransform[7 * shape + k]!;
	}
}

/** World normal of a plane that does not move. */
function planeNormal({ shapeTransform }: Model, shape: number): Float64Array {
	const normal = new Float64Array(3);
	quatRotate(normal, shapeTransform, Z_AXIS, 0, 7 * shape + 3);
	return normal;
}

const Z_AXIS = Float64Array.of(0, 0, 1);

function longestRun(starts: Int32Array): number {
	let longest = 0;
	for (let i = 0; i + 1 < starts.length; i++) longest = Math.max(longest, starts[i + 1]! - starts[i]!);
	return longest;
}
