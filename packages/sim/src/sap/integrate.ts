import { JointType } from '@manyworlds/model';
import type { TreeStructure } from '../dynamics/tree-structure.ts';

/**
 * Moves the coordinates of the trees of a group that are awake, `first` to `last` of `worldTrees`, by a step: `q = q0 + dt N(q0) v`.
 * `v0` and `v1` are velocities before and after, by degree of freedom, inside the solver. With `isMidpoint` the mean of both moves the coordinates, and rotations follow it exactly.
 */
export function integrate(
	structure: TreeStructure,
	first: number,
	last: number,
	isAsleep: Uint8Array,
	from: Float64Array,
	to: Float64Array,
	v0: Float64Array,
	v1: Float64Array,
	dt: number,
	isMidpoint: boolean,
): void {
	const { jointStart, joints, worldTrees } = structure;
	const { jointType, jointQStart, jointQdStart } = structure.model;
	const share = isMidpoint ? 0.5 : 0;
	for (let t = first; t < last; t++) {
		const tree = worldTrees[t]!;
		if (isAsleep[tree] === 1) continue;
		const end = jointStart[tree + 1]!;
		for (let i = jointStart[tree]!; i < end; i++) {
			const joint = joints[i]!;
			const type = jointType[joint]!;
			const q = jointQStart[joint]!;
			const dof = jointQdStart[joint]!;
			const isFloating = type === JointType.FREE || type === JointType.DISTANCE;
			const scalars = isFloating ? 3 : type === JointType.BALL ? 0 : jointQdStart[joint + 1]! - dof;
			for (let k = 0; k < scalars; k++) {
				const v = v1[dof + k]! + share * (v0[dof + k]! - v1[dof + k]!);
				to[q + k] = from[q + k]! + dt * v;
			}
			if (!isFloating && type !== JointType.BALL) continue;
			const w = dof + scalars;
			for (let k = 0; k < 3; k++) rotation[k] = dt * (v1[w + k]! + share * (v0[w + k]! - v1[w + k]!));
			turn(from, to, q + scalars, isMidpoint);
		}
	}
}

/** Rotation vector of the joint at hand; numbers that go through calls are boxed. */
const rotation = new Float64Array(3);

/** Turns a quaternion by the rotation vector from the left: exactly, or to first order and normalised. */
function turn(from: Float64Array, to: Float64Array, at: number, isExact: boolean): void {
	const rx = rotation[0]!;
	const ry = rotation[1]!;
	const rz = rotation[2]!;
	const x = from[at]!;
	const y = from[at + 1]!;
	const z = from[at + 2]!;
	const w = from[at + 3]!;
	const angle = Math.sqrt(rx * rx + ry * ry + rz * rz);
	const sine = isExact && angle > 1e-12 ? Math.sin(angle / 2) / angle : 0.5;
	const cosine = isExact && angle > 1e-12 ? Math.cos(angle / 2) : 1;
	const ax = sine * rx;
	const ay = sine * ry;
	const az = sine * rz;
	const nx = cosine * x + ax * w + ay * z - az * y;
	const ny = cosine * y - ax * z + ay * w + az * x;
	const nz = cosine * z + ax * y - ay * x + az * w;
	const nw = cosine * w - ax * x - ay * y - az * z;
	const scale = 1 / Math.sqrt(nx * nx + ny * ny + nz * nz + nw * nw);
	to[at] = nx * scale;
	to[at + 1] = ny * scale;
	to[at + 2] = nz * scale;
	to[at + 3] = nw * scale;
}
