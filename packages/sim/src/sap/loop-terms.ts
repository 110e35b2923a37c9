import { quatToRotationVector, transformInvert, transformMultiply } from '@manyworlds/core/internal';
import { EqualityType, JointType, type Model, WORLD } from '@manyworlds/model';
import { groupByWorld } from './group-by-world.ts';
import { regulariseBilateral, regulariseLimit, rowsWeight } from './regularise.ts';
import type { WorldProblem } from './world-problem.ts';

/** Kinds of loops. */
const COUPLER = 0;
const FRAMES = 1;

/** A constraint between two frames on bodies, or between two coordinates. */
interface Loop {
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

/** Mimic and equality constraints and joints that close loops, as terms of the problem of a world. */
export class LoopTerms {
	readonly #model: Model;
	readonly #world: WorldProblem;
	readonly #byWorld: readonly (readonly Loop[])[];
	readonly #poses = new Float64Array(14);
	readonly #inverse = new Float64Array(7);
	readonly #relative = new Float64Array(7);
	readonly #angle = new Float64Array(3);
	readonly #direction = new Float64Array(3);

	/** Time [s] in which open loops close. */
	readonly #tau: number;

	constructor(world: WorldProblem, tau: number) {
		const { structure } = world.motion.dynamics.kinematics;
		this.#world = world;
		this.#tau = tau;
		this.#model = structure.model;
		const loops = [
			...couplers(this.#model),
			...equalities(this.#model),
			...loopJoints(this.#model, structure.loopJoints),
		];
		this.#byWorld = groupByWorld(loops, this.#model.worldCount);
	}

	/** Whether no world has any. */
	get isEmpty(): boolean {
		return this.#byWorld.every((loops) => loops.length === 0);
	}

	/** Makes the trees of the loops of a world take part. */
	connect(world: number): void {
		const { structure } = this.#world.motion.dynamics.kinematics;
		for (const loop of this.#byWorld[world]!) {
			if (!loop.isEnabled()) continue;
			const tree0 = loop.body0 < 0 ? -1 : structure.treeOf[loop.body0]!;
			const tree1 = loop.body1 < 0 ? -1 : structure.treeOf[loop.body1]!;
			if (tree0 >= 0 && tree1 >= 0) this.#world.order.connect(tree0, tree1);
			else if (tree0 >= 0 || tree1 >= 0) this.#world.order.use(Math.max(tree0, tree1));
		}
	}

	/** Adds the loops of a world. */
	add(world: number, jointQ: Float64Array, dt: number): void {
		for (const loop of this.#byWorld[world]!) {
			if (!loop.isEnabled()) continue;
			if (loop.kind === COUPLER) this.#addCoupler(loop, jointQ, dt);
			else this.#addFrames(loop, dt);
		}
	}

	#addCoupler(loop: Loop, jointQ: Float64Array, dt: number): void {
		const { problem } = this.#world;
		const q1 = loop.coord1 >= 0 ? jointQ[loop.coord1]! : 0;
		let value = 0;
		let slope = 0;
		for (let i = loop.coefficients.length - 1; i >= 0; i--) {
			slope = slope * q1 + value;
			value = value * q1 + loop.coefficients[i]!;
		}
		const c0 = this.#world.placeOf(loop.dof0);
		const c1 = loop.dof1 >= 0 ? this.#world.placeOf(loop.dof1) : -1;
		const row = problem.addRow(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
		if (c1 >= 0 && c1 < c0) problem.addRowColumn(c1, -slope);
		if (c0 >= 0) problem.addRowColumn(c0, 1);
		if (c1 >= 0 && c1 > c0) problem.addRowColumn(c1, -slope);
		if (problem.rowStart[row + 1] === problem.rowStart[row]) {
			problem.rowCount--;
			return;
		}
		const weight = rowsWeight(problem, row, 1);
		regulariseBilateral(problem, row, weight, dt, jointQ[loop.coord0]! - value, Number.POSITIVE_INFINITY, this.#tau);
	}

	#addFrames(loop: Loop, dt: number): void {
		const { kinematics } = this.#world.motion.dynamics;
		const pose = this.#poses;
		placeFrame(pose, 0, kinematics.bodyQ, loop.body0, loop.frame0);
		placeFrame(pose, 7, kinematics.bodyQ, loop.body1, loop.frame1);
		this.#world.collect(loop.body0, loop.body1);
		if (loop.distance >= 0) {
			this.#addDistance(loop, dt);
			return;
		}
		const { problem } = this.#world;
		const first = problem.rowCount;
		const count = loop.linear.length / 3 + loop.angular.length / 3;
		// rotation from frame 0 to frame 1 in world axes
		const relative = this.#relative;
		transformInvert(this.#inverse, pose, 0, 0);
		transformMultiply(relative, pose, this.#inverse, 0, 7, 0);
		quatToRotationVector(this.#angle, relative, 0, 3);
		for (let i = 0; i < loop.angular.length; i += 3) this.#addDirection(pose, loop.angular, i, true, true);
		// frames that are held in rotation too are taken at the middle of their origins, points each at its own place
		const atMiddle = loop.angular.length > 0;
		for (let i = 0; i < loop.linear.length; i += 3) this.#addDirection(pose, loop.linear, i, false, atMiddle);
		const weight = rowsWeight(problem, first, count);
		// nothing that can move moves along what is held
		if (weight === 0) {
			problem.rowCount = first;
			return;
		}
		const d = this.#direction;
		for (let i = 0; i < count; i++) {
			const isAngular = i < loop.angular.length / 3;
			const list = isAngular ? loop.angular : loop.linear;
			rotate(d, pose, 3, list, 3 * (isAngular ? i : i - loop.angular.length / 3));
			let gap = 0;
			for (let k = 0; k < 3; k++) gap += d[k]! * (isAngular ? this.#angle[k]! : pose[7 + k]! - pose[k]!);
			const given = problem.rowVHat[first + i]!;
			regulariseBilateral(problem, first + i, weight, dt, gap, Number.POSITIVE_INFINITY, this.#tau);
			problem.rowVHat[first + i] = problem.rowVHat[first + i]! + given;
		}
	}

	/** A row for motion of frame 1 relative to frame 0 along a direction of frame 0. */
	#addDirection(pose: Float64Array, list: Float64Array, at: number, isAngular: boolean, atMiddle: boolean): void {
		const d = this.#direction;
		rotate(d, pose, 3, list, at);
		this.#addRow(d[0]!, d[1]!, d[2]!, isAngular, atMiddle);
	}

	/** Adds a row with the columns collected before. */
	#addRow(dx: number, dy: number, dz: number, isAngular: boolean, atMiddle: boolean): number {
		const world = this.#world;
		const { problem, motion } = world;
		const { twist, origin, structure } = motion.dynamics.kinematics;
		const pose = this.#poses;
		const row = problem.addRow(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
		for (let k = 0; k < world.columnCount; k++) {
			const dof = world.dof[k]!;
			const s = 6 * dof;
			const o = 3 * structure.treeOf[structure.bodyAt[structure.positionOf[dof]!]!]!;
			let value = 0;
			for (let body = 0; body < 2; body++) {
				if ((world.side[k]! & (1 << body)) === 0) continue;
				const sign = body === 0 ? -1 : 1;
				if (isAngular) {
					value += sign * (twist[s]! * dx + twist[s + 1]! * dy + twist[s + 2]! * dz);
					continue;
				}
				const at = 7 * body;
				const px = atMiddle ? 0.5 * (pose[0]! + pose[7]!) : pose[at]!;
				const py = atMiddle ? 0.5 * (pose[1]! + pose[8]!) : pose[at + 1]!;
				const pz = atMiddle ? 0.5 * (pose[2]! + pose[9]!) : pose[at + 2]!;
				const rx = px - origin[o]!;
				const ry = py - origin[o + 1]!;
				const rz = pz - origin[o + 2]!;
				value +=
					sign *
					(dx * (twist[s + 3]! + twist[s + 1]! * rz - twist[s + 2]! * ry) +
						dy * (twist[s + 4]! + twist[s + 2]! * rx - twist[s]! * rz) +
						dz * (twist[s + 5]! + twist[s]! * ry - twist[s + 1]! * rx));
			}
			const column = world.column[k]!;
			if (column >= 0) problem.addRowColumn(column, value);
			else problem.rowVHat[row] = problem.rowVHat[row]! - value * motion.v0[dof]!;
		}
		return row;
	}

	/** Rows that keep the distance of two points between its limits, or at one value. */
	#addDistance(loop: Loop, dt: number): void {
		const model = this.#model;
		const { problem } = this.#world;
		const pose = this.#poses;
		const x = pose[7]! - pose[0]!;
		const y = pose[8]! - pose[1]!;
		const z = pose[9]! - pose[2]!;
		const length = Math.sqrt(x * x + y * y + z * z);
		const scale = length > 1e-12 ? 1 / length : 0;
		const dof = model.jointQdStart[loop.distance]!;
		const lower = model.jointLimitLower[dof]!;
		const upper = model.jointLimitUpper[dof]!;
		const ke = model.jointLimitKe[dof]!;
		const stiffness = ke > 0 ? ke : Number.POSITIVE_INFINITY;
		const tau = ke > 0 ? Math.max(0, model.jointLimitKd[dof]! / ke) : 0;
		const nx = length > 1e-12 ? x * scale : 1;
		const ny = y * scale;
		const nz = z * scale;
		if (lower >= 0 && lower === upper) {
			const row = this.#addRow(nx, ny, nz, false, false);
			const given = problem.rowVHat[row]!;
			regulariseBilateral(problem, row, rowsWeight(problem, row, 1), dt, length - lower, stiffness, tau);
			problem.rowVHat[row] = problem.rowVHat[row]! + given;
			return;
		}
		for (let side = 1; side >= -1; side -= 2) {
			const limit = side > 0 ? lower : upper;
			if (!(limit >= 0)) continue;
			const row = this.#addRow(side * nx, side * ny, side * nz, false, false);
			problem.rowLower[row] = 0;
			const given = problem.rowVHat[row]!;
			regulariseLimit(problem, row, rowsWeight(problem, row, 1), dt, side * (length - limit), stiffness, tau);
			problem.rowVHat[row] = problem.rowVHat[row]! + given;
		}
	}
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
			const start = Float64Array.from(NO_FRAME);
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
	const pose = Float64Array.from(NO_FRAME);
	const inverse = Float64Array.from(NO_FRAME);
	if (inner >= 0) pose.set(model.bodyQ.subarray(7 * inner, 7 * inner + 7));
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
		const isBall = type === JointType.BALL;
		const held = (start: number, count: number): Float64Array =>
			complement(model.jointAxis.slice(3 * start, 3 * (start + count)));
		const loop = frames(
			model.jointWorld[joint]!,
			isEnabled,
			model.jointParent[joint]!,
			model.jointChild[joint]!,
			frame0,
			frame1,
			type === JointType.FREE ? NOTHING : held(dof, linear),
			isBall || type === JointType.FREE ? NOTHING : held(dof + linear, angular),
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
	const add = (x: number, y: number, z: number): boolean => {
		const v = [x, y, z];
		for (const b of basis) {
			const along = b[0]! * v[0]! + b[1]! * v[1]! + b[2]! * v[2]!;
			for (let k = 0; k < 3; k++) v[k] = v[k]! - along * b[k]!;
		}
		const length = Math.hypot(v[0]!, v[1]!, v[2]!);
		if (!(length > 1e-6)) return false;
		basis.push(v.map((value) => value / length));
		return true;
	};
	for (let i = 0; i < axes.length; i += 3) add(axes[i]!, axes[i + 1]!, axes[i + 2]!);
	const free = basis.length;
	for (let i = 0; i < 9 && basis.length < 3; i += 3) add(EVERY_AXIS[i]!, EVERY_AXIS[i + 1]!, EVERY_AXIS[i + 2]!);
	return Float64Array.from(basis.slice(free).flat());
}

/** World pose of a frame on a body. */
function placeFrame(out: Float64Array, at: number, bodyQ: Float64Array, body: number, frame: Float64Array): void {
	if (body < 0) for (let k = 0; k < 7; k++) out[at + k] = frame[k]!;
	else transformMultiply(out, bodyQ, frame, at, 7 * body, 0);
}

/** Rotates a vector by a quaternion. */
function rotate(out: Float64Array, q: Float64Array, at: number, v: Float64Array, from: number): void {
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
