import { JointType, WORLD } from '@manyworlds/model';
import type { TreeKinematics } from './tree-kinematics.ts';

/** Numbers of a spatial inertia about the origin of a tree: mass, first moment, xx xy xz yy yz zz of the second. */
const INERTIA = 10;

/**
 * Mass matrices and bias forces of trees, about the origin of each tree in world axes: composite rigid bodies and recursive
 * Newton-Euler (Featherstone 2008, tables 6.2 and 5.1) without any change of frame.
 */
export class TreeDynamics {
	readonly kinematics: TreeKinematics;
	/** Mass matrix entries of all trees, rows as `TreeStructure.entry` says: column `subtree[p]` to the diagonal. */
	readonly mass: Float64Array;
	/** Forces that gravity, motion and outer forces on bodies need in each degree of freedom; shape (dofs). */
	readonly bias: Float64Array;

	/** Inertia of each body alone; shape (bodies, 10). */
	readonly #inertia: Float64Array;
	readonly #composite: Float64Array;
	readonly #acceleration: Float64Array;
	readonly #force: Float64Array;
	readonly #momentum = new Float64Array(12);

	constructor(kinematics: TreeKinematics) {
		const { structure } = kinematics;
		const { model } = structure;
		this.kinematics = kinematics;
		this.mass = new Float64Array(structure.entry[structure.dofAt.length]!);
		this.bias = new Float64Array(model.jointDofCount);
		this.#inertia = new Float64Array(INERTIA * model.bodyCount);
		this.#composite = new Float64Array(INERTIA * model.bodyCount);
		this.#acceleration = new Float64Array(6 * model.bodyCount);
		this.#force = new Float64Array(6 * model.bodyCount);
	}

	/** Computes the mass matrix of a placed tree, without armature and damping. */
	computeMass(tree: number): void {
		const { structure } = this.kinematics;
		const { joints, jointStart, dofStart, above } = structure;
		const { jointChild, jointParent } = structure.model;
		const composite = this.#composite;
		const start = jointStart[tree]!;
		const end = jointStart[tree + 1]!;
		for (let i = start; i < end; i++) this.#placeInertia(tree, jointChild[joints[i]!]!);
		for (let i = end - 1; i > start; i--) {
			const joint = joints[i]!;
			const parent = jointParent[joint]!;
			if (parent !== WORLD) addInertia(composite, INERTIA * parent, INERTIA * jointChild[joint]!);
		}
		// columns of a chain go two at a time: what they are multiplied with is the same from the upper one on
		const last = dofStart[tree + 1]! - 1;
		for (let p = dofStart[tree]!; p <= last; p++) {
			this.#findMomentum(p, 0);
			if (p < last && above[p] === p + 1) {
				this.#findMomentum(p + 1, 6);
				this.#fillTwoColumns(p);
				p++;
			} else this.#fillColumn(p);
		}
	}

	/** Momentum of all that a position moves when it moves alone, to the scratch. */
	#findMomentum(p: number, to: number): void {
		const { structure, twist } = this.kinematics;
		const composite = this.#composite;
		const out = this.#momentum;
		const at = INERTIA * structure.bodyAt[p]!;
		const s = 6 * structure.dofAt[p]!;
		const m = composite[at]!;
		const hx = composite[at + 1]!;
		const hy = composite[at + 2]!;
		const hz = composite[at + 3]!;
		const xy = composite[at + 5]!;
		const xz = composite[at + 6]!;
		const yz = composite[at + 8]!;
		const wx = twist[s]!;
		const wy = twist[s + 1]!;
		const wz = twist[s + 2]!;
		const vx = twist[s + 3]!;
		const vy = twist[s + 4]!;
		const vz = twist[s + 5]!;
		out[to] = composite[at + 4]! * wx + xy * wy + xz * wz + hy * vz - hz * vy;
		out[to + 1] = xy * wx + composite[at + 7]! * wy + yz * wz + hz * vx - hx * vz;
		out[to + 2] = xz * wx + yz * wy + composite[at + 9]! * wz + hx * vy - hy * vx;
		out[to + 3] = m * vx + wy * hz - wz * hy;
		out[to + 4] = m * vy + wz * hx - wx * hz;
		out[to + 5] = m * vz + wx * hy - wy * hx;
	}

	/** Entries of a column, for the momentum in the scratch. */
	#fillColumn(column: number): void {
		const { structure, twist } = this.kinematics;
		const { base, above, dofAt } = structure;
		const { mass } = this;
		const momentum = this.#momentum;
		const p0 = momentum[0]!;
		const p1 = momentum[1]!;
		const p2 = momentum[2]!;
		const p3 = momentum[3]!;
		const p4 = momentum[4]!;
		const p5 = momentum[5]!;
		for (let row = column; row >= 0; row = above[row]!) {
			const at = 6 * dofAt[row]!;
			mass[base[row]! + column] =
				twist[at]! * p0 +
				twist[at + 1]! * p1 +
				twist[at + 2]! * p2 +
				twist[at + 3]! * p3 +
				twist[at + 4]! * p4 +
				twist[at + 5]! * p5;
		}
	}

	/** Entries of a column and of the next one, which is the one above it. */
	#fillTwoColumns(column: number): void {
		const { structure, twist } = this.kinematics;
		const { base, above, dofAt } = structure;
		const { mass } = this;
		const momentum = this.#momentum;
		const p0 = momentum[0]!;
		const p1 = momentum[1]!;
		const p2 = momentum[2]!;
		const p3 = momentum[3]!;
		const p4 = momentum[4]!;
		const p5 = momentum[5]!;
		const q0 = momentum[6]!;
		const q1 = momentum[7]!;
		const q2 = momentum[8]!;
		const q3 = momentum[9]!;
		const q4 = momentum[10]!;
		const q5 = momentum[11]!;
		const own = 6 * dofAt[column]!;
		mass[base[column]! + column] =
			twist[own]! * p0 +
			twist[own + 1]! * p1 +
			twist[own + 2]! * p2 +
			twist[own + 3]! * p3 +
			twist[own + 4]! * p4 +
			twist[own + 5]! * p5;
		for (let row = column + 1; row >= 0; row = above[row]!) {
			const at = 6 * dofAt[row]!;
			const to = base[row]! + column;
			const t0 = twist[at]!;
			const t1 = twist[at + 1]!;
			const t2 = twist[at + 2]!;
			const t3 = twist[at + 3]!;
			const t4 = twist[at + 4]!;
			const t5 = twist[at + 5]!;
			mass[to] = t0 * p0 + t1 * p1 + t2 * p2 + t3 * p3 + t4 * p4 + t5 * p5;
			mass[to + 1] = t0 * q0 + t1 * q1 + t2 * q2 + t3 * q3 + t4 * q4 + t5 * q5;
		}
	}

	/**
	 * Computes the bias forces of a tree whose bodies move as `kinematics.velocity` says. `v` are the velocities by degree of
	 * freedom, `gravity` three numbers from `g` on, `bodyF` force and torque about the centre of mass of each body.
	 */
	computeBias(tree: number, v: Float64Array, gravity: Float64Array, g: number, bodyF: Float64Array): void {
		const { structure, twist } = this.kinematics;
		const { joints, jointStart } = structure;
		const { jointChild, jointParent, jointQdStart } = structure.model;
		const { bias } = this;
		const force = this.#force;
		const start = jointStart[tree]!;
		const end = jointStart[tree + 1]!;
		for (let i = start; i < end; i++) {
			this.#accelerate(joints[i]!, v, gravity, g);
			this.#placeForce(tree, jointChild[joints[i]!]!, bodyF);
		}
		for (let i = end - 1; i >= start; i--) {
			const joint = joints[i]!;
			const from = 6 * jointChild[joint]!;
			const f0 = force[from]!;
			const f1 = force[from + 1]!;
			const f2 = force[from + 2]!;
			const f3 = force[from + 3]!;
			const f4 = force[from + 4]!;
			const f5 = force[from + 5]!;
			const dofEnd = jointQdStart[joint + 1]!;
			for (let dof = jointQdStart[joint]!; dof < dofEnd; dof++) {
				const s = 6 * dof;
				bias[dof] =
					twist[s]! * f0 +
					twist[s + 1]! * f1 +
					twist[s + 2]! * f2 +
					twist[s + 3]! * f3 +
					twist[s + 4]! * f4 +
					twist[s + 5]! * f5;
			}
			const parent = jointParent[joint]!;
			if (parent === WORLD) continue;
			const to = 6 * parent;
			force[to] = force[to]! + f0;
			force[to + 1] = force[to + 1]! + f1;
			force[to + 2] = force[to + 2]! + f2;
			force[to + 3] = force[to + 3]! + f3;
			force[to + 4] = force[to + 4]! + f4;
			force[to + 5] = force[to + 5]! + f5;
		}
	}

	/** Inertia of a body about the origin of its tree; composites start with it. */
	#placeInertia(tree: number, body: number): void {
		const { structure, com, origin, bodyQ } = this.kinematics;
		const { model } = structure;
		const inertia = this.#inertia;
		const composite = this.#composite;
		const at = INERTIA * body;
		const m = model.bodyMass[body]!;
		const x = com[3 * body]! - origin[3 * tree]!;
		const y = com[3 * body + 1]! - origin[3 * tree + 1]!;
		const z = com[3 * body + 2]! - origin[3 * tree + 2]!;
		// row p of R is body axis p in the world
		const q = 7 * body + 3;
		const qx = bodyQ[q]!;
		const qy = bodyQ[q + 1]!;
		const qz = bodyQ[q + 2]!;
		const qw = bodyQ[q + 3]!;
		const r00 = 1 - 2 * (qy * qy + qz * qz);
		const r01 = 2 * (qx * qy + qw * qz);
		const r02 = 2 * (qx * qz - qw * qy);
		const r10 = 2 * (qx * qy - qw * qz);
		const r11 = 1 - 2 * (qx * qx + qz * qz);
		const r12 = 2 * (qy * qz + qw * qx);
		const r20 = 2 * (qx * qz + qw * qy);
		const r21 = 2 * (qy * qz - qw * qx);
		const r22 = 1 - 2 * (qx * qx + qy * qy);
		const t = model.bodyInertia;
		const b = 9 * body;
		// columns of I · R
		const i00 = t[b]!;
		const i01 = t[b + 1]!;
		const i02 = t[b + 2]!;
		const i11 = t[b + 4]!;
		const i12 = t[b + 5]!;
		const i22 = t[b + 8]!;
		const a00 = i00 * r00 + i01 * r10 + i02 * r20;
		const a01 = i00 * r01 + i01 * r11 + i02 * r21;
		const a02 = i00 * r02 + i01 * r12 + i02 * r22;
		const a10 = i01 * r00 + i11 * r10 + i12 * r20;
		const a11 = i01 * r01 + i11 * r11 + i12 * r21;
		const a12 = i01 * r02 + i11 * r12 + i12 * r22;
		const a20 = i02 * r00 + i12 * r10 + i22 * r20;
		const a21 = i02 * r01 + i12 * r11 + i22 * r21;
		const a22 = i02 * r02 + i12 * r12 + i22 * r22;
		const hx = m * x;
		const hy = m * y;
		const hz = m * z;
		const xx = r00 * a00 + r10 * a10 + r20 * a20 + m * (y * y + z * z);
		const xy = r00 * a01 + r10 * a11 + r20 * a21 - m * x * y;
		const xz = r00 * a02 + r10 * a12 + r20 * a22 - m * x * z;
		const yy = r01 * a01 + r11 * a11 + r21 * a21 + m * (x * x + z * z);
		const yz = r01 * a02 + r11 * a12 + r21 * a22 - m * y * z;
		const zz = r02 * a02 + r12 * a12 + r22 * a22 + m * (x * x + y * y);
		inertia[at] = m;
		inertia[at + 1] = hx;
		inertia[at + 2] = hy;
		inertia[at + 3] = hz;
		inertia[at + 4] = xx;
		inertia[at + 5] = xy;
		inertia[at + 6] = xz;
		inertia[at + 7] = yy;
		inertia[at + 8] = yz;
		inertia[at + 9] = zz;
		composite[at] = m;
		composite[at + 1] = hx;
		composite[at + 2] = hy;
		composite[at + 3] = hz;
		composite[at + 4] = xx;
		composite[at + 5] = xy;
		composite[at + 6] = xz;
		composite[at + 7] = yy;
		composite[at + 8] = yz;
		composite[at + 9] = zz;
	}

	/** Acceleration of a joint's child when no joint accelerates, against gravity. */
	#accelerate(joint: number, v: Float64Array, gravity: Float64Array, g: number): void {
		const { structure, twist, velocity } = this.kinematics;
		const { model } = structure;
		const acceleration = this.#acceleration;
		const parent = model.jointParent[joint]!;
		// acceleration so far, and the twist of what carries the next degree of freedom
		let ax = 0;
		let ay = 0;
		let az = 0;
		let bx = 0;
		let by = 0;
		let bz = 0;
		let wx = 0;
		let wy = 0;
		let wz = 0;
		let cx = 0;
		let cy = 0;
		let cz = 0;
		if (parent === WORLD) {
			bx = -gravity[g]!;
			by = -gravity[g + 1]!;
			bz = -gravity[g + 2]!;
		} else {
			const from = 6 * parent;
			ax = acceleration[from]!;
			ay = acceleration[from + 1]!;
			az = acceleration[from + 2]!;
			bx = acceleration[from + 3]!;
			by = acceleration[from + 4]!;
			bz = acceleration[from + 5]!;
			wx = velocity[from]!;
			wy = velocity[from + 1]!;
			wz = velocity[from + 2]!;
			cx = velocity[from + 3]!;
			cy = velocity[from + 4]!;
			cz = velocity[from + 5]!;
		}
		const isD6 = model.jointType[joint]! === JointType.D6;
		const first = model.jointQdStart[joint]!;
		const last = model.jointQdStart[joint + 1]!;
		const linear = model.jointDofDim[2 * joint]!;
		for (let dof = first; dof < last; dof++) {
			const rate = v[dof]!;
			const s = 6 * dof;
			const sx = twist[s]!;
			const sy = twist[s + 1]!;
			const sz = twist[s + 2]!;
			const ux = twist[s + 3]!;
			const uy = twist[s + 4]!;
			const uz = twist[s + 5]!;
			// a twist that is carried along changes by the cross product with the carrier's twist
			ax += rate * (wy * sz - wz * sy);
			ay += rate * (wz * sx - wx * sz);
			az += rate * (wx * sy - wy * sx);
			bx += rate * (wy * uz - wz * uy + cy * sz - cz * sy);
			by += rate * (wz * ux - wx * uz + cz * sx - cx * sz);
			bz += rate * (wx * uy - wy * ux + cx * sy - cy * sx);
			// linear axes keep their direction but carry the pivot; angular axes of a D6 joint carry the next
			if (dof - first < linear || isD6) {
				wx += rate * sx;
				wy += rate * sy;
				wz += rate * sz;
				cx += rate * ux;
				cy += rate * uy;
				cz += rate * uz;
			}
		}
		const out = 6 * model.jointChild[joint]!;
		acceleration[out] = ax;
		acceleration[out + 1] = ay;
		acceleration[out + 2] = az;
		acceleration[out + 3] = bx;
		acceleration[out + 4] = by;
		acceleration[out + 5] = bz;
	}

	/** Force and torque about the origin that a body needs: I · a + v × I · v, less what acts from outside. */
	#placeForce(tree: number, body: number, bodyF: Float64Array): void {
		const { com, origin, velocity } = this.kinematics;
		const inertia = this.#inertia;
		const force = this.#force;
		const acceleration = this.#acceleration;
		const at = 6 * body;
		const i = INERTIA * body;
		const m = inertia[i]!;
		const hx = inertia[i + 1]!;
		const hy = inertia[i + 2]!;
		const hz = inertia[i + 3]!;
		const xx = inertia[i + 4]!;
		const xy = inertia[i + 5]!;
		const xz = inertia[i + 6]!;
		const yy = inertia[i + 7]!;
		const yz = inertia[i + 8]!;
		const zz = inertia[i + 9]!;
		// change of momentum with the acceleration
		const ax = acceleration[at]!;
		const ay = acceleration[at + 1]!;
		const az = acceleration[at + 2]!;
		const bx = acceleration[at + 3]!;
		const by = acceleration[at + 4]!;
		const bz = acceleration[at + 5]!;
		const f0 = xx * ax + xy * ay + xz * az + hy * bz - hz * by;
		const f1 = xy * ax + yy * ay + yz * az + hz * bx - hx * bz;
		const f2 = xz * ax + yz * ay + zz * az + hx * by - hy * bx;
		const f3 = m * bx + ay * hz - az * hy;
		const f4 = m * by + az * hx - ax * hz;
		const f5 = m * bz + ax * hy - ay * hx;
		// momentum
		const wx = velocity[at]!;
		const wy = velocity[at + 1]!;
		const wz = velocity[at + 2]!;
		const ux = velocity[at + 3]!;
		const uy = velocity[at + 4]!;
		const uz = velocity[at + 5]!;
		const p0 = xx * wx + xy * wy + xz * wz + hy * uz - hz * uy;
		const p1 = xy * wx + yy * wy + yz * wz + hz * ux - hx * uz;
		const p2 = xz * wx + yz * wy + zz * wz + hx * uy - hy * ux;
		const p3 = m * ux + wy * hz - wz * hy;
		const p4 = m * uy + wz * hx - wx * hz;
		const p5 = m * uz + wx * hy - wy * hx;
		const fx = bodyF[at]!;
		const fy = bodyF[at + 1]!;
		const fz = bodyF[at + 2]!;
		const rx = com[3 * body]! - origin[3 * tree]!;
		const ry = com[3 * body + 1]! - origin[3 * tree + 1]!;
		const rz = com[3 * body + 2]! - origin[3 * tree + 2]!;
		force[at] = f0 + wy * p2 - wz * p1 + uy * p5 - uz * p4 - (bodyF[at + 3]! + ry * fz - rz * fy);
		force[at + 1] = f1 + wz * p0 - wx * p2 + uz * p3 - ux * p5 - (bodyF[at + 4]! + rz * fx - rx * fz);
		force[at + 2] = f2 + wx * p1 - wy * p0 + ux * p4 - uy * p3 - (bodyF[at + 5]! + rx * fy - ry * fx);
		force[at + 3] = f3 + wy * p5 - wz * p4 - fx;
		force[at + 4] = f4 + wz * p3 - wx * p5 - fy;
		force[at + 5] = f5 + wx * p4 - wy * p3 - fz;
	}
}

/** Adds an inertia to another. */
function addInertia(inertia: Float64Array, to: number, from: number): void {
	inertia[to] = inertia[to]! + inertia[from]!;
	inertia[to + 1] = inertia[to + 1]! + inertia[from + 1]!;
	inertia[to + 2] = inertia[to + 2]! + inertia[from + 2]!;
	inertia[to + 3] = inertia[to + 3]! + inertia[from + 3]!;
	inertia[to + 4] = inertia[to + 4]! + inertia[from + 4]!;
	inertia[to + 5] = inertia[to + 5]! + inertia[from + 5]!;
	inertia[to + 6] = inertia[to + 6]! + inertia[from + 6]!;
	inertia[to + 7] = inertia[to + 7]! + inertia[from + 7]!;
	inertia[to + 8] = inertia[to + 8]! + inertia[from + 8]!;
	inertia[to + 9] = inertia[to + 9]! + inertia[from + 9]!;
}
