import {
	quatMultiply,
	quatRotate,
	quatToRotationVector,
	transformInvert,
	transformMultiply,
} from '@manyworlds/core/internal';
import { JointType, WORLD } from '../enums.ts';
import type { ArticulationSweep } from './articulation-sweep.ts';
import { type ArticulationChoice, chooseArticulations } from './choose-articulations.ts';
import type { KinematicState } from './forward-kinematics.ts';
import { solveLeastSquares3 } from './solve-least-squares.ts';

/** Steps that refine the angles of a D6 joint whose axes are not at right angles. */
const MAX_REFINEMENTS = 30;

/**
 * Sets joint coordinates and velocities from body poses and velocities: the inverse of forward kinematics. Motion that a
 * joint does not allow is left out. Angles of hinges lie in (-pi, pi].
 */
export function recoverCoordinates(
	sweep: ArticulationSweep,
	state: KinematicState,
	choice: ArticulationChoice = {},
): void {
	const { model } = sweep;
	for (const articulation of chooseArticulations(model, choice)) {
		const [start, end] = sweep.jointRange(articulation);
		for (let joint = start; joint < end; joint++) recoverPosition(sweep, joint, state);
		// axes at the recovered coordinates, with poses as they are
		const everyBody = new Uint8Array(model.bodyCount).fill(1);
		sweep.place(articulation, state.jointQ, undefined, state, everyBody);
		for (let joint = start; joint < end; joint++) recoverVelocity(sweep, joint, state);
	}
}

const anchor = new Float64Array(7);
const relative = new Float64Array(7);

function recoverPosition(sweep: ArticulationSweep, joint: number, state: KinematicState): void {
	const { model } = sweep;
	const type = model.jointType[joint]!;
	const parent = model.jointParent[joint]!;
	const q = model.jointQStart[joint]!;
	if (parent === WORLD) anchor.set(model.jointXP.subarray(7 * joint, 7 * joint + 7));
	else transformMultiply(anchor, state.bodyQ, model.jointXP, 0, 7 * parent, 7 * joint);
	transformInvert(anchor, anchor);
	transformMultiply(relative, state.bodyQ, model.jointXC, 0, 7 * model.jointChild[joint]!, 7 * joint);
	transformMultiply(relative, anchor, relative);
	if (type === JointType.FREE || type === JointType.DISTANCE) state.jointQ.set(relative, q);
	else if (type === JointType.BALL) state.jointQ.set(relative.subarray(3), q);
	else if (type !== JointType.FIXED) {
		const dof = model.jointQdStart[joint]!;
		const linear = model.jointDofDim[2 * joint]!;
		const angular = model.jointDofDim[2 * joint + 1]!;
		solveLeastSquares3(model.jointAxis, 3 * dof, linear, relative, 0, state.jointQ, q);
		recoverAngles(
			model.jointAxis.subarray(3 * dof + 3 * linear, 3 * dof + 3 * (linear + angular)),
			angular,
			state.jointQ,
			q + linear,
		);
	}
}

const basis = new Float64Array(9);
const image = new Float64Array(3);
const turned = new Float64Array(3);

/** The angles about up to three axes, each carried by those before it, that make up the relative rotation. */
function recoverAngles(axes: Float64Array, count: number, out: Float64Array, at: number): void {
	if (count === 0) return;
	if (count === 1) {
		// the twist about the axis; w and the projection of the vector part may have any common sign
		const along = relative[3]! * axes[0]! + relative[4]! * axes[1]! + relative[5]! * axes[2]!;
		out[at] = wrap(2 * Math.atan2(along, relative[6]!));
		return;
	}
	guessAngles(axes, count, out, at);
	refineAngles(axes, count, out, at);
}

/** Angles for the orthonormal frame next to the axes: exact when they are at right angles, left-handed triples included. */
function guessAngles(axes: Float64Array, count: number, out: Float64Array, at: number): void {
	const sign = orthonormalBasis(axes, count);
	// matrix of the rotation in that frame, column j being the image of axis j
	const m = new Float64Array(9);
	for (let j = 0; j < 3; j++) {
		turned.set(basis.subarray(3 * j, 3 * j + 3));
		quatRotate(image, relative, turned, 0, 3, 0);
		for (let i = 0; i < 3; i++)
			m[3 * i + j] = basis[3 * i]! * image[0]! + basis[3 * i + 1]! * image[1]! + basis[3 * i + 2]! * image[2]!;
	}
	const middle = Math.asin(Math.min(1, Math.max(-1, m[2]!)));
	out[at] = sign * Math.atan2(-m[5]!, m[8]!);
	out[at + 1] = sign * middle;
	if (count === 3) out[at + 2] = sign * Math.atan2(-m[1]!, m[0]!);
}

/** Fills the basis with an orthonormal frame from the axes; gives -1 for a left-handed one. */
function orthonormalBasis(axes: Float64Array, count: number): number {
	basis.set(axes.subarray(0, 3));
	project(axes, 3, 1);
	const crossX = basis[1]! * basis[5]! - basis[2]! * basis[4]!;
	const crossY = basis[2]! * basis[3]! - basis[0]! * basis[5]!;
	const crossZ = basis[0]! * basis[4]! - basis[1]! * basis[3]!;
	const isLeft = count === 3 && crossX * axes[6]! + crossY * axes[7]! + crossZ * axes[8]! < 0;
	const sign = isLeft ? -1 : 1;
	basis[6] = sign * crossX;
	basis[7] = sign * crossY;
	basis[8] = sign * crossZ;
	return sign;
}

/** Row `row` of the basis: an axis without its part along the first row, of unit length. */
function project(axes: Float64Array, from: number, row: number): void {
	const along = axes[from]! * basis[0]! + axes[from + 1]! * basis[1]! + axes[from + 2]! * basis[2]!;
	let length = 0;
	for (let i = 0; i < 3; i++) {
		basis[3 * row + i] = axes[from + i]! - along * basis[i]!;
		length = Math.hypot(length, basis[3 * row + i]!);
	}
	if (length > 0) for (let i = 0; i < 3; i++) basis[3 * row + i] = basis[3 * row + i]! / length;
}

const reached = new Float64Array(4);
const turn = new Float64Array(4);
const error = new Float64Array(3);
const carried = new Float64Array(9);
const step = new Float64Array(3);

/** Gauss-Newton on the rotation that is left over; axes at right angles need no step. */
function refineAngles(axes: Float64Array, count: number, out: Float64Array, at: number): void {
	for (let round = 0; round < MAX_REFINEMENTS; round++) {
		reached.fill(0);
		reached[3] = 1;
		for (let k = 0; k < count; k++) {
			quatRotate(carried, reached, axes, 3 * k, 0, 3 * k);
			const sine = Math.sin(out[at + k]! / 2);
			for (let i = 0; i < 3; i++) turn[i] = axes[3 * k + i]! * sine;
			turn[3] = Math.cos(out[at + k]! / 2);
			quatMultiply(reached, reached, turn);
		}
		// rotation from the reached to the wanted orientation, in the axes of the anchor
		for (let i = 0; i < 3; i++) reached[i] = -reached[i]!;
		quatMultiply(reached, relative, reached, 0, 3, 0);
		quatToRotationVector(error, reached);
		if (Math.hypot(error[0]!, error[1]!, error[2]!) < 1e-14) return;
		solveLeastSquares3(carried, 0, count, error, 0, step, 0);
		let size = 0;
		for (let k = 0; k < count; k++) {
			out[at + k] = wrap(out[at + k]! + step[k]!);
			size = Math.max(size, Math.abs(step[k]!));
		}
		if (size < 1e-15) return;
	}
}

const relativeLinear = new Float64Array(3);
const relativeAngular = new Float64Array(3);

function recoverVelocity(sweep: ArticulationSweep, joint: number, state: KinematicState): void {
	const { model, com, axis, pivot } = sweep;
	const type = model.jointType[joint]!;
	if (type === JointType.FIXED) return;
	const child = model.jointChild[joint]!;
	const parent = model.jointParent[joint]!;
	const qd = state.bodyQd;
	const dof = model.jointQdStart[joint]!;
	const linear = model.jointDofDim[2 * joint]!;
	const angular = model.jointDofDim[2 * joint + 1]!;
	for (let i = 0; i < 3; i++) {
		relativeLinear[i] = qd[6 * child + i]!;
		relativeAngular[i] = qd[6 * child + 3 + i]!;
	}
	if (parent !== WORLD) {
		subtractCarried(qd, parent, com, child);
		for (let i = 0; i < 3; i++) relativeAngular[i] = relativeAngular[i]! - qd[6 * parent + 3 + i]!;
	}
	const isFloating = type === JointType.FREE || type === JointType.DISTANCE;
	if (!isFloating && angular > 0) {
		// the linear axes move the pivot, which the angular ones leave where it is
		const d = 3 * (dof + linear);
		const rx = pivot[d]! - com[3 * child]!;
		const ry = pivot[d + 1]! - com[3 * child + 1]!;
		const rz = pivot[d + 2]! - com[3 * child + 2]!;
		const [wx, wy, wz] = relativeAngular as unknown as [number, number, number];
		relativeLinear[0] = relativeLinear[0]! + wy * rz - wz * ry;
		relativeLinear[1] = relativeLinear[1]! + wz * rx - wx * rz;
		relativeLinear[2] = relativeLinear[2]! + wx * ry - wy * rx;
	}
	solveLeastSquares3(axis, 3 * dof, linear, relativeLinear, 0, state.jointQd, dof);
	solveLeastSquares3(axis, 3 * (dof + linear), angular, relativeAngular, 0, state.jointQd, dof + linear);
}

/** Takes from the relative linear velocity what the parent gives to the child's centre of mass. */
function subtractCarried(qd: Float64Array, parent: number, com: Float64Array, child: number): void {
	const p = 6 * parent;
	const rx = com[3 * child]! - com[3 * parent]!;
	const ry = com[3 * child + 1]! - com[3 * parent + 1]!;
	const rz = com[3 * child + 2]! - com[3 * parent + 2]!;
	relativeLinear[0] = relativeLinear[0]! - qd[p]! - (qd[p + 4]! * rz - qd[p + 5]! * ry);
	relativeLinear[1] = relativeLinear[1]! - qd[p + 1]! - (qd[p + 5]! * rx - qd[p + 3]! * rz);
	relativeLinear[2] = relativeLinear[2]! - qd[p + 2]! - (qd[p + 3]! * ry - qd[p + 4]! * rx);
}

/** An angle in (-pi, pi]. */
function wrap(angle: number): number {
	if (angle > -Math.PI && angle <= Math.PI) return angle;
	const turns = Math.ceil((angle - Math.PI) / (2 * Math.PI));
	return angle - 2 * Math.PI * turns;
}
