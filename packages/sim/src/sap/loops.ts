import { transformInvert, transformMultiply } from '@manyworlds/core/internal';
import { EqualityType, JointType, type Model, WORLD } from '@manyworlds/model';

/** Kinds of loops. */
export const COUPLER = 0;
export const FRAMES = 1;

/** A constraint between two frames on bodies, or between two coordinates. */
export interface Loop {
	readonly kind: typeof COUPLER | typeof FRAMES;
	readonly world: number;
	readonly isEnabled: () => boolean;
	/** Frames on bodies, as position and quaternion. */
	readonly body0: number;
	readonly body1: number;
	readonly frame0: Float64Array;
	readonly frame1: Float64Array;
	/** Directions in frame 0 that are held: translations, then rotations; three numbers each. */
	readonly linear: Float64Array;
	readonly angular: Float64Array;
	/** Joint whose distance is kept between its limits, -1 for none. */
	readonly distance: number;
	/** Coordinates and degrees of freedom, for couplers. */
	readonly coord0: number;
	readonly coord1: number;
	readonly dof0: number;
	readonly dof1: number;
	/** Coordinate 0 as a quartic of coordinate 1, constant first. */
	readonly coefficients: ArrayLike<number>;
}

/** Mimic and equality constraints of a model, and its joints that close loops. */
export function loopsOf(model: Model, joints: Int32Array): Loop[] {
	return [...couplers(model), ...equalities(model), ...loopJoints(model, joints)];
}

const NO_FRAME = Float64Array.of(0, 0, 0, 0, 0, 0, 1);
const NOTHING = new Float64Array(0);
const EVERY_AXIS = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);

function couplers(model: Model): Loop[] {
	const out: Loop[] = [];
	for (let i = 0; i < model.constraintMimicCount; i++) {
		const joint0 = model.constraintMimicJoint0[i]!;
		const joint1 = model.constraintMimicJoint1[i]!;
		const count = Math.min(dofCount(model, joint0), dofCount(model, joint1));
		for (let k = 0; k < count; k++) {
			const coefficients = [model.constraintMimicCoef0[i]!, model.constraintMimicCoef1[i]!];
			const isEnabled = (): boolean => model.constraintMimicEnabled[i] === 1;
			out.push(coupler(model, joint0, joint1, k, coefficients, isEnabled, model.constraintMimicWorld[i]!));
		}
	}
	return out;
}

function equalities(model: Model): Loop[] {
	const out: Loop[] = [];
	for (let i = 0; i < model.equalityConstraintCount; i++) {
		const type = model.equalityConstraintType[i]!;
		const isEnabled = (): boolean => model.equalityConstraintEnabled[i] === 1;
		const world = model.equalityConstraintWorld[i]!;
		const body0 = model.equalityConstraintBody1[i]!;
		const body1 = model.equalityConstraintBody2[i]!;
		const anchor = model.equalityConstraintAnchor.slice(3 * i, 3 * i + 3);
		if (type === EqualityType.JOINT) {
			const coefficients = model.equalityConstraintPolycoef.slice(5 * i, 5 * i + 5);
			const joint0 = model.equalityConstraintJoint1[i]!;
			const joint1 = model.equalityConstraintJoint2[i]!;
			if (joint0 >= 0) out.push(coupler(model, joint0, joint1, 0, coefficients, isEnabled, world));
			continue;
		}
		const frame0 = Float64Array.from(NO_FRAME);
		const frame1 = Float64Array.from(NO_FRAME);
		const site = (name: string): number => Number(attribute(model, name)?.[i] ?? -1);
		const [site1, site2] = [site('equality_constraint_site1'), site('equality_constraint_site2')];
		if (site1 >= 0 && site2 >= 0) {
			frame0.set(model.shapeTransform.subarray(7 * site1, 7 * site1 + 7));
			frame1.set(model.shapeTransform.subarray(7 * site2, 7 * site2 + 7));
		} else if (type === EqualityType.WELD) {
			// the anchor is a point of body 2, held at its place in body 1
			const relative = model.equalityConstraintRelpose.slice(7 * i, 7 * i + 7);
			// no rotation at all stands for the relative pose of the start
			if (relative.subarray(3).every((value) => value === 0)) relative.set(poseBetween(model, body0, body1));
			frame1.set(anchor);
			transformMultiply(frame0, relative, frame1);
		} else {
			// the anchor is a point of body 1, held to the point of body 2 that is there at the start
			frame0.set(anchor);
			const start = new Float64Array(7);
			placeFrame(start, 0, model.bodyQ, body0, frame0);
			const inverse = Float64Array.from(NO_FRAME);
			if (body1 >= 0) transformInvert(inverse, model.bodyQ, 0, 7 * body1);
			transformMultiply(frame1, inverse, start);
		}
		const angular = type === EqualityType.WELD ? EVERY_AXIS : NOTHING;
		out.push(frames(world, isEnabled, body0, body1, frame0, frame1, EVERY_AXIS, angular));
	}
	return out;
}

/** Pose of a body in another one at the start, -1 for the world. */
function poseBetween(model: Model, outer: number, inner: number): Float64Array {
	const pose = new Float64Array(7);
	const inverse = Float64Array.from(NO_FRAME);
	placeFrame(pose, 0, model.bodyQ, inner, NO_FRAME);
	if (outer >= 0) transformInvert(inverse, model.bodyQ, 0, 7 * outer);
	return transformMultiply(new Float64Array(7), inverse, pose);
}

/** An attribute of the `mujoco` namespace, where the model has it. */
function attribute(model: Model, name: string): ArrayLike<number> | undefined {
	const key = `mujoco:${name}`;
	return model.attributes.has(key) ? (model.attributes.get(key) as Int32Array) : undefined;
}

function loopJoints(model: Model, joints: Int32Array): Loop[] {
	return Array.from(joints, (joint) => {
		const frame0 = model.jointXP.slice(7 * joint, 7 * joint + 7);
		const frame1 = model.jointXC.slice(7 * joint, 7 * joint + 7);
		const isEnabled = (): boolean => model.jointEnabled[joint] === 1;
		const type = model.jointType[joint]!;
		const dof = model.jointQdStart[joint]!;
		const linear = model.jointDofDim[2 * joint]!;
		const angular = model.jointDofDim[2 * joint + 1]!;
		const held = (start: number, count: number): Float64Array =>
			complement(model.jointAxis.slice(3 * start, 3 * (start + count)));
		const loop = frames(
			model.jointWorld[joint]!,
			isEnabled,
			model.jointParent[joint]!,
			model.jointChild[joint]!,
			frame0,
			frame1,
			held(dof, linear),
			held(dof + linear, angular),
		);
		return type === JointType.DISTANCE ? { ...loop, linear: NOTHING, angular: NOTHING, distance: joint } : loop;
	});
}

function dofCount(model: Model, joint: number): number {
	return model.jointQdStart[joint + 1]! - model.jointQdStart[joint]!;
}

function coupler(
	model: Model,
	joint0: number,
	joint1: number,
	axis: number,
	coefficients: ArrayLike<number>,
	isEnabled: () => boolean,
	world: number,
): Loop {
	const loop = frames(
		world,
		isEnabled,
		model.jointChild[joint0]!,
		joint1 < 0 ? WORLD : model.jointChild[joint1]!,
		NO_FRAME,
		NO_FRAME,
		NOTHING,
		NOTHING,
	);
	return {
		...loop,
		kind: COUPLER,
		coord0: model.jointQStart[joint0]! + axis,
		coord1: joint1 < 0 ? -1 : model.jointQStart[joint1]! + axis,
		dof0: model.jointQdStart[joint0]! + axis,
		dof1: joint1 < 0 ? -1 : model.jointQdStart[joint1]! + axis,
		coefficients,
	};
}

function frames(
	world: number,
	isEnabled: () => boolean,
	body0: number,
	body1: number,
	frame0: Float64Array,
	frame1: Float64Array,
	linear: Float64Array,
	angular: Float64Array,
): Loop {
	const none = { distance: -1, coord0: -1, coord1: -1, dof0: -1, dof1: -1, coefficients: [] };
	return { kind: FRAMES, world, isEnabled, body0, body1, frame0, frame1, linear, angular, ...none };
}

/** Directions at right angles to some axes: all three for none, none for three. */
function complement(axes: Float64Array): Float64Array {
	const basis: number[][] = [];
	const add = (x: number, y: number, z: number): void => {
		const v = [x, y, z];
		for (const b of basis) {
			const along = b[0]! * v[0]! + b[1]! * v[1]! + b[2]! * v[2]!;
			for (let k = 0; k < 3; k++) v[k] = v[k]! - along * b[k]!;
		}
		const length = Math.hypot(v[0]!, v[1]!, v[2]!);
		if (length > 1e-6) basis.push(v.map((value) => value / length));
	};
	for (let i = 0; i < axes.length; i += 3) add(axes[i]!, axes[i + 1]!, axes[i + 2]!);
	const free = basis.length;
	for (let i = 0; i < EVERY_AXIS.length; i += 3) add(EVERY_AXIS[i]!, EVERY_AXIS[i + 1]!, EVERY_AXIS[i + 2]!);
	return Float64Array.from(basis.slice(free).flat());
}

/** World pose of a frame on a body. */
export function placeFrame(
	out: Float64Array,
	at: number,
	bodyQ: Float64Array,
	body: number,
	frame: Float64Array,
): void {
	if (body < 0) for (let k = 0; k < 7; k++) out[at + k] = frame[k]!;
	else transformMultiply(out, bodyQ, frame, at, 7 * body, 0);
}

/** Rotates a vector by a quaternion. */
export function rotate(out: Float64Array, q: Float64Array, at: number, v: Float64Array, from: number): void {
	const x = v[from]!;
	const y = v[from + 1]!;
	const z = v[from + 2]!;
	const qx = q[at]!;
	const qy = q[at + 1]!;
	const qz = q[at + 2]!;
	const qw = q[at + 3]!;
	const cx = qy * z - qz * y;
	const cy = qz * x - qx * z;
	const cz = qx * y - qy * x;
	out[0] = x + 2 * (qw * cx + qy * cz - qz * cy);
	out[1] = y + 2 * (qw * cy + qz * cx - qx * cz);
	out[2] = z + 2 * (qw * cz + qx * cy - qy * cx);
}
