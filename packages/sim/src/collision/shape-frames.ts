import { mat3FromQuat, transformMultiply } from '@manyworlds/core/internal';
import { GeoType, type Model } from '@manyworlds/model';

/**
 * Poses, rotation matrices and bounding boxes of the shapes of a model in the world. Boxes are grown by margin and gap of the
 * shape, so that two of them overlap whenever the shapes may be in contact. Infinite planes have infinite boxes.
 */
export class ShapeFrames {
	readonly model: Model;
	/** Pose of each shape; shape (shapes, 7). */
	readonly pose: Float64Array;
	/** Axes of each shape in the world, one in a row; shape (shapes, 9). */
	readonly rotation: Float64Array;
	/** Least and most x y z; shape (shapes, 6). */
	readonly box: Float64Array;

	constructor(model: Model) {
		this.model = model;
		this.pose = new Float64Array(7 * model.shapeCount);
		this.rotation = new Float64Array(9 * model.shapeCount);
		this.box = new Float64Array(6 * model.shapeCount);
	}

	/** Places the shapes from `start` to `end` for the given body poses. */
	place(bodyQ: Float64Array, start: number, end: number): void {
		const { model, pose, rotation } = this;
		for (let shape = start; shape < end; shape++) {
			const body = model.shapeBody[shape]!;
			if (body < 0) for (let k = 0; k < 7; k++) pose[7 * shape + k] = model.shapeTransform[7 * shape + k]!;
			else transformMultiply(pose, bodyQ, model.shapeTransform, 7 * shape, 7 * body, 7 * shape);
			normalize(pose, 7 * shape + 3);
			mat3FromQuat(rotation, pose, 9 * shape, 7 * shape + 3);
			this.#bound(shape);
		}
	}

	#bound(shape: number): void {
		const { model, pose, rotation, box } = this;
		const at = 6 * shape;
		const scale = 3 * shape;
		const isEndless =
			model.shapeType[shape] === GeoType.PLANE && !(model.shapeScale[scale]! > 0 && model.shapeScale[scale + 1]! > 0);
		if (isEndless) {
			box.fill(Number.NEGATIVE_INFINITY, at, at + 3);
			box.fill(Number.POSITIVE_INFINITY, at + 3, at + 6);
			return;
		}
		const grow = model.shapeMargin[shape]! + model.shapeGap[shape]!;
		const isPlane = model.shapeType[shape] === GeoType.PLANE;
		for (let k = 0; k < 3; k++) {
			let center = pose[7 * shape + k]!;
			let half = grow;
			for (let axis = 0; axis < 3; axis++) {
				// a finite plane is a rectangle; its bounds in the model are placeholders
				const high = isPlane
					? axis < 2
						? model.shapeScale[scale + axis]! / 2
						: 0
					: model.shapeCollisionAabbUpper[scale + axis]!;
				const low = isPlane ? -high : model.shapeCollisionAabbLower[scale + axis]!;
				const r = rotation[9 * shape + 3 * axis + k]!;
				center += 0.5 * (low + high) * r;
				half += 0.5 * (high - low) * Math.abs(r);
			}
			box[at + k] = center - half;
			box[at + 3 + k] = center + half;
		}
	}
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
