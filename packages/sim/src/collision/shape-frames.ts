import { mat3FromQuat, transformMultiply } from '@manyworlds/core/internal';
import { GeoType, type Model } from '@manyworlds/model';

/**
 * Poses, rotation matrices and bounding boxes of the shapes of a model in the world. Boxes are grown by margin
 * and gap of the shape, and by the way that it may go within the horizon, so that two of them overlap whenever the shapes may be
 * in contact. Infinite planes have infinite boxes.
 */
export class ShapeFrames {
	readonly model: Model;
	/** Pose of each shape; shape (shapes, 7). */
	readonly pose: Float64Array;
	/** Axes of each shape in the world, one in a row; shape (shapes, 9). */
	readonly rotation: Float64Array;
	/** Least and most x y z; shape (shapes, 6). */
	readonly box: Float64Array;
	/** Poses and velocities of bodies, of the last call of `begin`. */
	bodyQ: Float64Array = new Float64Array(0);
	bodyQd: Float64Array = new Float64Array(0);
	/** Times [s] that approach and sliding are looked ahead; the caller sets them. */
	ahead = 0;
	aside = 0;
	/** The longer of the two. */
	horizon = 0;
	/** How far looking ahead may reach [m]. */
	readonly most: number;
	/** Distance of the farthest point of a shape from its origin [m], endless for planes; by shape. */
	readonly reach: Float64Array;
	/** Call of `begin` after which each shape was placed. */
	readonly #placedAt: Int32Array;
	/** Number of the last call of `begin`: poses of shapes stay as they are until the next one. */
	call = 0;

	constructor(model: Model, most: number) {
		this.model = model;
		this.most = most;
		this.pose = new Float64Array(7 * model.shapeCount);
		this.rotation = new Float64Array(9 * model.shapeCount);
		this.box = new Float64Array(6 * model.shapeCount);
		this.reach = new Float64Array(model.shapeCount);
		this.refresh();
		this.#placedAt = new Int32Array(model.shapeCount);
	}

	/** Takes the sizes of shapes again. */
	refresh(): void {
		for (let shape = 0; shape < this.reach.length; shape++) this.reach[shape] = reachOf(this.model, shape);
	}

	/** Takes poses and velocities of bodies; no shape is placed for them yet. */
	begin(bodyQ: Float64Array, bodyQd: Float64Array): void {
		this.bodyQ = bodyQ;
		this.bodyQd = bodyQd;
		this.call = (this.call + 1) | 0;
	}

	/** Places the shapes from `start` to `end`. */
	placeRun(start: number, end: number): void {
		for (let shape = start; shape < end; shape++) this.place(shape);
	}

	/** Places a shape, once after each `begin`. */
	place(shape: number): void {
		if (this.#placedAt[shape] === this.call) return;
		this.#placedAt[shape] = this.call;
		const { model, pose, rotation, bodyQ } = this;
		const body = model.shapeBody[shape]!;
		if (body < 0) for (let k = 0; k < 7; k++) pose[7 * shape + k] = model.shapeTransform[7 * shape + k]!;
		else transformMultiply(pose, bodyQ, model.shapeTransform, 7 * shape, 7 * body, 7 * shape);
		normalize(pose, 7 * shape + 3);
		mat3FromQuat(rotation, pose, 9 * shape, 7 * shape + 3);
		this.#bound(shape, body);
	}

	#bound(shape: number, body: number): void {
		const { model, pose, rotation, box } = this;
		const at = 6 * shape;
		const s = 3 * shape;
		const isPlane = model.shapeType[shape] === GeoType.PLANE;
		if (isPlane && !(model.shapeScale[s]! > 0 && model.shapeScale[s + 1]! > 0)) {
			box.fill(Number.NEGATIVE_INFINITY, at, at + 3);
			box.fill(Number.POSITIVE_INFINITY, at + 3, at + 6);
			return;
		}
		let grow = model.shapeMargin[shape]! + model.shapeGap[shape]!;
		if (this.horizon > 0 && body >= 0) {
			// how far it may go within the horizon; in place, as numbers that go through calls are boxed
			const { bodyQd } = this;
			const { shapeTransform, bodyCom } = model;
			const d = 6 * body;
			const vx = bodyQd[d]!;
			const vy = bodyQd[d + 1]!;
			const vz = bodyQd[d + 2]!;
			const wx = bodyQd[d + 3]!;
			const wy = bodyQd[d + 4]!;
			const wz = bodyQd[d + 5]!;
			const rx = shapeTransform[7 * shape]! - bodyCom[3 * body]!;
			const ry = shapeTransform[7 * shape + 1]! - bodyCom[3 * body + 1]!;
			const rz = shapeTransform[7 * shape + 2]! - bodyCom[3 * body + 2]!;
			const reach = Math.sqrt(rx * rx + ry * ry + rz * rz) + this.reach[shape]!;
			// most that a point moves faster than the centre of mass, by rotation
			const sweep = Math.sqrt(wx * wx + wy * wy + wz * wz) * reach;
			grow += Math.min(this.most, this.horizon * (Math.sqrt(vx * vx + vy * vy + vz * vz) + sweep));
		}
		// middle and half size in the frame of the shape; a finite plane is a rectangle, whose bounds in the model are placeholders
		const { shapeCollisionAabbLower: lower, shapeCollisionAabbUpper: upper } = model;
		const mx = isPlane ? 0 : 0.5 * (lower[s]! + upper[s]!);
		const my = isPlane ? 0 : 0.5 * (lower[s + 1]! + upper[s + 1]!);
		const mz = isPlane ? 0 : 0.5 * (lower[s + 2]! + upper[s + 2]!);
		const hx = 0.5 * (isPlane ? model.shapeScale[s]! : upper[s]! - lower[s]!);
		const hy = 0.5 * (isPlane ? model.shapeScale[s + 1]! : upper[s + 1]! - lower[s + 1]!);
		const hz = isPlane ? 0 : 0.5 * (upper[s + 2]! - lower[s + 2]!);
		for (let k = 0; k < 3; k++) {
			const x = rotation[9 * shape + k]!;
			const y = rotation[9 * shape + 3 + k]!;
			const z = rotation[9 * shape + 6 + k]!;
			const center = pose[7 * shape + k]! + mx * x + my * y + mz * z;
			const half = grow + hx * Math.abs(x) + hy * Math.abs(y) + hz * Math.abs(z);
			box[at + k] = center - half;
			box[at + 3 + k] = center + half;
		}
	}
}

/** Distance of the farthest corner of a shape's bounds from its origin; a plane is as large as its scale says, or endless. */
function reachOf(model: Model, shape: number): number {
	if (model.shapeType[shape] === GeoType.PLANE) {
		const width = model.shapeScale[3 * shape]!;
		const length = model.shapeScale[3 * shape + 1]!;
		return width > 0 && length > 0 ? 0.5 * Math.sqrt(width * width + length * length) : Number.POSITIVE_INFINITY;
	}
	let squared = 0;
	for (let k = 0; k < 3; k++) {
		const low = model.shapeCollisionAabbLower[3 * shape + k]!;
		const high = model.shapeCollisionAabbUpper[3 * shape + k]!;
		squared += Math.max(Math.abs(low), Math.abs(high)) ** 2;
	}
	return Math.sqrt(squared);
}

/** Quaternions from files of 32 bits are not quite of length 1; their matrices would not be rotations. */
function normalize(q: Float64Array, at: number): void {
	const x = q[at]!;
	const y = q[at + 1]!;
	const z = q[at + 2]!;
	const w = q[at + 3]!;
	const squared = x * x + y * y + z * z + w * w;
	if (squared === 1 || !(squared > 0)) return;
	const scale = 1 / Math.sqrt(squared);
	q[at] = x * scale;
	q[at + 1] = y * scale;
	q[at + 2] = z * scale;
	q[at + 3] = w * scale;
}
