import { mat3FromQuat } from '@manyworlds/core/internal';
import { JointType, WORLD } from '../enums.ts';
import type { ArticulationSweep } from './articulation-sweep.ts';
import { parentJoint } from './jacobian.ts';
import { placeOrigin, writeTwist } from './mass-matrix.ts';

/** Scratch memory of {@link writeInverseDynamics}, for the largest articulation of a model. */
export class InverseDynamicsScratch {
	/** Acceleration of the point at the origin and angular acceleration of each body; six numbers each. */
	readonly acceleration: Float64Array;
	/** Force and torque about the origin that each subtree needs; six numbers each. */
	readonly force: Float64Array;
	readonly twist: Float64Array = new Float64Array(6);
	readonly origin: Float64Array = new Float64Array(3);

	constructor(maxJoints: number) {
		this.acceleration = new Float64Array(6 * maxJoints);
		this.force = new Float64Array(6 * maxJoints);
	}
}

/** What {@link writeInverseDynamics} works on. Velocities and accelerations left out are zero. */
export interface InverseDynamicsInput {
	readonly bodyQ: Float64Array;
	readonly bodyQd: Float64Array | undefined;
	readonly jointQd: Float64Array | undefined;
	readonly jointQdd: Float64Array | undefined;
	/** [m/s²] */
	readonly gravity: ArrayLike<number>;
}

/**
 * Writes the joint forces that make an articulation accelerate as asked, by the recursive Newton-Euler algorithm
 * (Featherstone 2008, table 5.1) in world axes: tau = M · qdd + Coriolis and centrifugal forces + gravity forces.
 * The sweep must have placed the articulation and `bodyQd` must follow from `jointQd`.
 */
export function writeInverseDynamics(
	sweep: ArticulationSweep,
	articulation: number,
	input: InverseDynamicsInput,
	scratch: InverseDynamicsScratch,
	out: Float64Array,
	offset: number,
): void {
	const { model } = sweep;
	const { acceleration, force, twist, origin } = scratch;
	const [start, end] = sweep.jointRange(articulation);
	const firstDof = model.jointQdStart[start]!;
	placeOrigin(sweep, start, origin);
	for (let joint = start; joint < end; joint++) {
		writeAcceleration(sweep, joint, start, input, scratch);
		writeBodyForce(sweep, joint, input, origin, acceleration, force, 6 * (joint - start));
	}
	for (let joint = end - 1; joint >= start; joint--) {
		const at = 6 * (joint - start);
		for (let dof = model.jointQdStart[joint]!; dof < model.jointQdStart[joint + 1]!; dof++) {
			writeTwist(sweep, dof, origin, twist, 0);
			let sum = 0;
			for (let i = 0; i < 6; i++) sum += twist[i]! * force[at + i]!;
			out[offset + dof - firstDof] = sum;
		}
		const parent = parentJoint(sweep, joint, start);
		if (parent < 0) continue;
		const to = 6 * (parent - start);
		for (let i = 0; i < 6; i++) force[to + i] = force[to + i]! + force[at + i]!;
	}
}

/** Acceleration of a joint's child: that of the parent, what the joint adds, and what the turning of its axes adds. */
function writeAcceleration(
	sweep: ArticulationSweep,
	joint: number,
	start: number,
	input: InverseDynamicsInput,
	scratch: InverseDynamicsScratch,
): void {
	const { model, axis, pivot, turns, com } = sweep;
	const { acceleration, origin, twist } = scratch;
	const at = 6 * (joint - start);
	const parent = parentJoint(sweep, joint, start);
	for (let i = 0; i < 6; i++) acceleration[at + i] = parent < 0 ? 0 : acceleration[6 * (parent - start) + i]!;
	const qd = input.jointQd;
	const bodyQd = input.bodyQd;
	const body = model.jointParent[joint]!;
	const type = model.jointType[joint]!;
	const child = model.jointChild[joint]!;
	const isFloating = type === JointType.FREE || type === JointType.DISTANCE;

	// what carries the axes: the parent, and for a D6 joint the axes before
	let wx = 0;
	let wy = 0;
	let wz = 0;
	// velocity that the linear axes add to the pivot
	let sx = 0;
	let sy = 0;
	let sz = 0;
	if (bodyQd !== undefined && body !== WORLD) {
		wx = bodyQd[6 * body + 3]!;
		wy = bodyQd[6 * body + 4]!;
		wz = bodyQd[6 * body + 5]!;
	}
	for (let dof = model.jointQdStart[joint]!; dof < model.jointQdStart[joint + 1]!; dof++) {
		const d = 3 * dof;
		if (input.jointQdd !== undefined) {
			writeTwist(sweep, dof, origin, twist, 0);
			for (let i = 0; i < 6; i++) acceleration[at + i] = acceleration[at + i]! + twist[i]! * input.jointQdd[dof]!;
		}
		const rate = qd === undefined ? 0 : qd[dof]!;
		if (rate === 0 || bodyQd === undefined) continue;
		const ax = axis[d]!;
		const ay = axis[d + 1]!;
		const az = axis[d + 2]!;
		// the axis turns with its carrier
		const tx = (wy * az - wz * ay) * rate;
		const ty = (wz * ax - wx * az) * rate;
		const tz = (wx * ay - wy * ax) * rate;
		if (turns[dof] === 0) {
			acceleration[at] = acceleration[at]! + tx;
			acceleration[at + 1] = acceleration[at + 1]! + ty;
			acceleration[at + 2] = acceleration[at + 2]! + tz;
			sx += ax * rate;
			sy += ay * rate;
			sz += az * rate;
			continue;
		}
		// velocity of the pivot: with the parent and the linear axes, or with the centre of mass of a floating body
		let px = sx;
		let py = sy;
		let pz = sz;
		if (isFloating) {
			px = bodyQd[6 * child]!;
			py = bodyQd[6 * child + 1]!;
			pz = bodyQd[6 * child + 2]!;
		} else if (body !== WORLD) {
			const qx = pivot[d]! - com[3 * body]!;
			const qy = pivot[d + 1]! - com[3 * body + 1]!;
			const qz = pivot[d + 2]! - com[3 * body + 2]!;
			const b = 6 * body;
			px += bodyQd[b]! + bodyQd[b + 4]! * qz - bodyQd[b + 5]! * qy;
			py += bodyQd[b + 1]! + bodyQd[b + 5]! * qx - bodyQd[b + 3]! * qz;
			pz += bodyQd[b + 2]! + bodyQd[b + 3]! * qy - bodyQd[b + 4]! * qx;
		}
		const rx = origin[0]! - pivot[d]!;
		const ry = origin[1]! - pivot[d + 1]!;
		const rz = origin[2]! - pivot[d + 2]!;
		acceleration[at] = acceleration[at]! + (ty * rz - tz * ry) - rate * (ay * pz - az * py);
		acceleration[at + 1] = acceleration[at + 1]! + (tz * rx - tx * rz) - rate * (az * px - ax * pz);
		acceleration[at + 2] = acceleration[at + 2]! + (tx * ry - ty * rx) - rate * (ax * py - ay * px);
		acceleration[at + 3] = acceleration[at + 3]! + tx;
		acceleration[at + 4] = acceleration[at + 4]! + ty;
		acceleration[at + 5] = acceleration[at + 5]! + tz;
		if (type === JointType.D6) {
			wx += ax * rate;
			wy += ay * rate;
			wz += az * rate;
		}
	}
}

const rotation = new Float64Array(9);

/** Force and torque about the origin that move one body as its acceleration says, gravity included. */
function writeBodyForce(
	sweep: ArticulationSweep,
	joint: number,
	input: InverseDynamicsInput,
	origin: Float64Array,
	acceleration: Float64Array,
	out: Float64Array,
	at: number,
): void {
	const { model, com } = sweep;
	const body = model.jointChild[joint]!;
	const mass = model.bodyMass[body]!;
	const rx = com[3 * body]! - origin[0]!;
	const ry = com[3 * body + 1]! - origin[1]!;
	const rz = com[3 * body + 2]! - origin[2]!;
	const ax = acceleration[at + 3]!;
	const ay = acceleration[at + 4]!;
	const az = acceleration[at + 5]!;
	const b = 6 * body;
	const qd = input.bodyQd;
	const vx = qd?.[b] ?? 0;
	const vy = qd?.[b + 1] ?? 0;
	const vz = qd?.[b + 2] ?? 0;
	const wx = qd?.[b + 3] ?? 0;
	const wy = qd?.[b + 4] ?? 0;
	const wz = qd?.[b + 5] ?? 0;
	// acceleration of the centre of mass, felt against gravity
	const fx = mass * (acceleration[at]! + ay * rz - az * ry + wy * vz - wz * vy - input.gravity[0]!);
	const fy = mass * (acceleration[at + 1]! + az * rx - ax * rz + wz * vx - wx * vz - input.gravity[1]!);
	const fz = mass * (acceleration[at + 2]! + ax * ry - ay * rx + wx * vy - wy * vx - input.gravity[2]!);

	// I · alpha + omega x (I · omega), with the tensor turned into world axes
	mat3FromQuat(rotation, input.bodyQ, 0, 7 * body + 3);
	const alphaX = rotateIn(0, ax, ay, az);
	const alphaY = rotateIn(1, ax, ay, az);
	const alphaZ = rotateIn(2, ax, ay, az);
	const omegaX = rotateIn(0, wx, wy, wz);
	const omegaY = rotateIn(1, wx, wy, wz);
	const omegaZ = rotateIn(2, wx, wy, wz);
	const t = model.bodyInertia;
	const k = 9 * body;
	const lx = t[k]! * omegaX + t[k + 1]! * omegaY + t[k + 2]! * omegaZ;
	const ly = t[k + 3]! * omegaX + t[k + 4]! * omegaY + t[k + 5]! * omegaZ;
	const lz = t[k + 6]! * omegaX + t[k + 7]! * omegaY + t[k + 8]! * omegaZ;
	const nx = t[k]! * alphaX + t[k + 1]! * alphaY + t[k + 2]! * alphaZ + omegaY * lz - omegaZ * ly;
	const ny = t[k + 3]! * alphaX + t[k + 4]! * alphaY + t[k + 5]! * alphaZ + omegaZ * lx - omegaX * lz;
	const nz = t[k + 6]! * alphaX + t[k + 7]! * alphaY + t[k + 8]! * alphaZ + omegaX * ly - omegaY * lx;
	out[at] = fx;
	out[at + 1] = fy;
	out[at + 2] = fz;
	out[at + 3] = rotation[0]! * nx + rotation[3]! * ny + rotation[6]! * nz + ry * fz - rz * fy;
	out[at + 4] = rotation[1]! * nx + rotation[4]! * ny + rotation[7]! * nz + rz * fx - rx * fz;
	out[at + 5] = rotation[2]! * nx + rotation[5]! * ny + rotation[8]! * nz + rx * fy - ry * fx;
}

/** Component of a world vector along a body axis, which is a row of the matrix. */
function rotateIn(bodyAxis: number, x: number, y: number, z: number): number {
	return rotation[3 * bodyAxis]! * x + rotation[3 * bodyAxis + 1]! * y + rotation[3 * bodyAxis + 2]! * z;
}
