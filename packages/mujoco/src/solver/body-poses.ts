import { quatConjugate, quatMultiply, quatRotate } from '@manyworlds/core';
import { type IndexRange, JointType, type Model, type State, WORLD } from '@manyworlds/model';
import { isFreeJoint } from '../convert/free-joint.ts';
import type { CompiledModel } from '../engine/compiled-model.ts';
import { WorldShift } from '../engine/world-shift.ts';

/** How a joint is placed: one axis and none have short forms, all others one in common. */
const HINGE = 0;
const SLIDE = 1;
const RIGID = 2;
const GENERAL = 3;

/**
 * What is fixed about a joint, in this order: two quaternions of which the turn of the child in the parent is made,
 * anchor in the parent, anchor in the child, centre of mass of the child from there, axis in the parent.
 */
const CONSTANTS = 20;
/** Placed bodies: position, quaternion, rotation matrix, centre of mass, its velocity, angular velocity. */
const PLACED = 25;

/**
 * Poses and velocities of bodies from joint coordinates, for the bodies that MuJoCo moves.
 *
 * After a step MuJoCo's own poses (`xpos`) are those from before its integration, and asking for them again costs more
 * than computing them here: `mj_kinematics` also places geoms, sites and inertial frames, and its results still have to
 * be carried over. Here everything about a joint that does not move is worked out beforehand; a hinge then takes one
 * sine and cosine, one product of quaternions and five rotations by matrices.
 */
export class BodyPoses {
	readonly #compiled: CompiledModel;
	readonly #model: Model;
	readonly #worlds: IndexRange;
	readonly #shift: WorldShift;
	/** Joints of the template world, parents first, and what they are. */
	readonly #joint: Int32Array;
	readonly #kind: Uint8Array;
	readonly #child: Int32Array;
	/** Place of the parent among the placed bodies; 0 is the world. */
	readonly #parent: Int32Array;
	/** 1 for joints whose child is read back: it carries a joint that is not the next, or one of several axes. */
	readonly #isBranching: Uint8Array;
	readonly #coordinate: Int32Array;
	readonly #dof: Int32Array;
	/** Constants of each world; worlds that agree with the template share its. */
	readonly #constants: Float64Array[] = [];
	readonly #placed: Float64Array;
	readonly #turn: Float64Array = new Float64Array(4);
	readonly #carried: Float64Array = new Float64Array(4);
	readonly #vector: Float64Array = new Float64Array(3);

	constructor(compiled: CompiledModel, worlds: IndexRange) {
		this.#compiled = compiled;
		this.#worlds = worlds;
		const { model, plan } = compiled.conversion;
		this.#model = model;
		this.#shift = new WorldShift(compiled.conversion);
		this.#joint = Int32Array.from([...plan.staticRoots, ...plan.tree]);
		this.#child = this.#joint.map((joint) => model.jointChild[joint]!);
		const places = new Map<number, number>([[WORLD, 0]]);
		for (const [i, body] of this.#child.entries()) places.set(body, i + 1);
		this.#parent = this.#joint.map((joint) => places.get(model.jointParent[joint]!)!);
		this.#kind = Uint8Array.from(this.#joint, (joint) => kindOf(model, joint));
		this.#isBranching = new Uint8Array(this.#joint.length);
		for (const [i, parent] of this.#parent.entries()) {
			if (parent > 0 && (parent !== i || this.#kind[i] === GENERAL)) this.#isBranching[parent - 1] = 1;
		}
		this.#coordinate = this.#joint.map((joint) => model.jointQStart[joint]!);
		this.#dof = this.#joint.map((joint) => model.jointQdStart[joint]!);
		this.#placed = new Float64Array(PLACED * (this.#joint.length + 1));
		for (const i of [6, 7, 11, 15]) this.#placed[i] = 1;
		this.refresh();
	}

	/** Takes frames, axes and centres of mass from the model again, of all worlds or of those of `worlds`. */
	refresh(worlds?: ArrayLike<number | boolean>): void {
		const template = Math.max(this.#compiled.conversion.template.world, 0);
		const first = this.#constantsOf(template);
		for (let world = this.#worlds.start; world < this.#worlds.end; world++) {
			if (worlds !== undefined && !worlds[world]) continue;
			const own = this.#constantsOf(world);
			this.#constants[world] = own.every((value, i) => value === first[i]) ? first : own;
		}
	}

	/**
	 * Writes the bodies of one world. The place of the body before is kept in variables: along a limb it is the parent's,
	 * and then nothing is read back.
	 */
	update(world: number, state: State): void {
		const placed = this.#placed;
		const constants = this.#constants[world]!;
		const kinds = this.#kind;
		const parents = this.#parent;
		const children = this.#child;
		const starts = this.#coordinate;
		const firstDofs = this.#dof;
		const { jointQ, jointQd, bodyQ, bodyQd } = state;
		const bodies = this.#shift.body(world);
		const coordinates = this.#shift.jointCoord(world);
		const dofs = this.#shift.jointDof(world);
		let k = 0;
		let px = 0;
		let py = 0;
		let pz = 0;
		let ex = 0;
		let ey = 0;
		let ez = 0;
		let ew = 1;
		let r00 = 1;
		let r01 = 0;
		let r02 = 0;
		let r10 = 0;
		let r11 = 1;
		let r12 = 0;
		let r20 = 0;
		let r21 = 0;
		let r22 = 1;
		let cx = 0;
		let cy = 0;
		let cz = 0;
		let vx = 0;
		let vy = 0;
		let vz = 0;
		let wx = 0;
		let wy = 0;
		let wz = 0;
		for (let i = 0; i < kinds.length; i++, k += CONSTANTS) {
			const kind = kinds[i]!;
			const out = PLACED * (i + 1);
			let at = 0;
			if (kind === GENERAL) {
				this.#placeGeneral(i, k, PLACED * parents[i]!, out, world, state);
				at = out;
			} else if (parents[i] !== i) at = PLACED * parents[i]!;
			else at = -1;
			if (at >= 0) {
				px = placed[at]!;
				py = placed[at + 1]!;
				pz = placed[at + 2]!;
				ex = placed[at + 3]!;
				ey = placed[at + 4]!;
				ez = placed[at + 5]!;
				ew = placed[at + 6]!;
				r00 = placed[at + 7]!;
				r01 = placed[at + 8]!;
				r02 = placed[at + 9]!;
				r10 = placed[at + 10]!;
				r11 = placed[at + 11]!;
				r12 = placed[at + 12]!;
				r20 = placed[at + 13]!;
				r21 = placed[at + 14]!;
				r22 = placed[at + 15]!;
				cx = placed[at + 16]!;
				cy = placed[at + 17]!;
				cz = placed[at + 18]!;
				vx = placed[at + 19]!;
				vy = placed[at + 20]!;
				vz = placed[at + 21]!;
				wx = placed[at + 22]!;
				wy = placed[at + 23]!;
				wz = placed[at + 24]!;
			}
			if (kind !== GENERAL) {
				// where the joint is, carried by the parent
				let ax = constants[k + 8]!;
				let ay = constants[k + 9]!;
				let az = constants[k + 10]!;
				px += r00 * ax + r01 * ay + r02 * az;
				py += r10 * ax + r11 * ay + r12 * az;
				pz += r20 * ax + r21 * ay + r22 * az;
				let tx = constants[k]!;
				let ty = constants[k + 1]!;
				let tz = constants[k + 2]!;
				let tw = constants[k + 3]!;
				cx = px - cx;
				cy = py - cy;
				cz = pz - cz;
				vx += wy * cz - wz * cy;
				vy += wz * cx - wx * cz;
				vz += wx * cy - wy * cx;
				if (kind !== RIGID) {
					ax = constants[k + 17]!;
					ay = constants[k + 18]!;
					az = constants[k + 19]!;
					const ux = r00 * ax + r01 * ay + r02 * az;
					const uy = r10 * ax + r11 * ay + r12 * az;
					const uz = r20 * ax + r21 * ay + r22 * az;
					const q = jointQ[starts[i]! + coordinates]!;
					const rate = jointQd[firstDofs[i]! + dofs]!;
					if (kind === HINGE) {
						const s = Math.sin(0.5 * q);
						const c = Math.cos(0.5 * q);
						tx = c * tx + s * constants[k + 4]!;
						ty = c * ty + s * constants[k + 5]!;
						tz = c * tz + s * constants[k + 6]!;
						tw = c * tw + s * constants[k + 7]!;
						wx += ux * rate;
						wy += uy * rate;
						wz += uz * rate;
					} else {
						// the parent carries the moved joint too
						ax = ux * q;
						ay = uy * q;
						az = uz * q;
						px += ax;
						py += ay;
						pz += az;
						vx += ux * rate + (wy * az - wz * ay);
						vy += uy * rate + (wz * ax - wx * az);
						vz += uz * rate + (wx * ay - wy * ax);
					}
				}
				const qx = ew * tx + ex * tw + ey * tz - ez * ty;
				const qy = ew * ty - ex * tz + ey * tw + ez * tx;
				const qz = ew * tz + ex * ty - ey * tx + ez * tw;
				ew = ew * tw - ex * tx - ey * ty - ez * tz;
				ex = qx;
				ey = qy;
				ez = qz;
				const xx = ex + ex;
				const yy = ey + ey;
				const zz = ez + ez;
				r00 = 1 - (yy * ey + zz * ez);
				r01 = xx * ey - zz * ew;
				r02 = xx * ez + yy * ew;
				r10 = xx * ey + zz * ew;
				r11 = 1 - (xx * ex + zz * ez);
				r12 = yy * ez - xx * ew;
				r20 = xx * ez - yy * ew;
				r21 = yy * ez + xx * ew;
				r22 = 1 - (xx * ex + yy * ey);
				// the joint carries the centre of mass
				ax = constants[k + 14]!;
				ay = constants[k + 15]!;
				az = constants[k + 16]!;
				cx = r00 * ax + r01 * ay + r02 * az;
				cy = r10 * ax + r11 * ay + r12 * az;
				cz = r20 * ax + r21 * ay + r22 * az;
				vx += wy * cz - wz * cy;
				vy += wz * cx - wx * cz;
				vz += wx * cy - wy * cx;
				cx += px;
				cy += py;
				cz += pz;
				ax = constants[k + 11]!;
				ay = constants[k + 12]!;
				az = constants[k + 13]!;
				px -= r00 * ax + r01 * ay + r02 * az;
				py -= r10 * ax + r11 * ay + r12 * az;
				pz -= r20 * ax + r21 * ay + r22 * az;
				if (this.#isBranching[i] === 1) {
					placed[out] = px;
					placed[out + 1] = py;
					placed[out + 2] = pz;
					placed[out + 3] = ex;
					placed[out + 4] = ey;
					placed[out + 5] = ez;
					placed[out + 6] = ew;
					placed[out + 7] = r00;
					placed[out + 8] = r01;
					placed[out + 9] = r02;
					placed[out + 10] = r10;
					placed[out + 11] = r11;
					placed[out + 12] = r12;
					placed[out + 13] = r20;
					placed[out + 14] = r21;
					placed[out + 15] = r22;
					placed[out + 16] = cx;
					placed[out + 17] = cy;
					placed[out + 18] = cz;
					placed[out + 19] = vx;
					placed[out + 20] = vy;
					placed[out + 21] = vz;
					placed[out + 22] = wx;
					placed[out + 23] = wy;
					placed[out + 24] = wz;
				}
			}
			const body = children[i]! + bodies;
			const pose = 7 * body;
			bodyQ[pose] = px;
			bodyQ[pose + 1] = py;
			bodyQ[pose + 2] = pz;
			bodyQ[pose + 3] = ex;
			bodyQ[pose + 4] = ey;
			bodyQ[pose + 5] = ez;
			bodyQ[pose + 6] = ew;
			const velocity = 6 * body;
			bodyQd[velocity] = vx;
			bodyQd[velocity + 1] = vy;
			bodyQd[velocity + 2] = vz;
			bodyQd[velocity + 3] = wx;
			bodyQd[velocity + 4] = wy;
			bodyQd[velocity + 5] = wz;
		}
	}

	/** A joint of several axes, a ball or a free joint. */
	#placeGeneral(i: number, k: number, p: number, out: number, world: number, state: State): void {
		const placed = this.#placed;
		const constants = this.#constants[world]!;
		const model = this.#model;
		const turn = this.#turn;
		const vector = this.#vector;
		const joint = this.#joint[i]! + this.#shift.joint(world);
		const at = model.jointQStart[joint]!;
		const dof = model.jointQdStart[joint]!;
		const linear = model.jointDofDim[2 * joint]!;
		const angular = model.jointDofDim[2 * joint + 1]!;
		const type = model.jointType[joint]!;
		const isFree = isFreeJoint(type);
		// turn of the anchor in the world; its place below
		const anchor = this.#carried;
		quatMultiply(anchor, placed, constants, 0, p + 3, k);
		rotateBy(vector, placed, p + 7, constants, k + 8);
		for (let c = 0; c < 3; c++) placed[out + c] = placed[p + c]! + vector[c]!;
		for (let c = 0; c < 3; c++) {
			placed[out + 19 + c] = 0;
			placed[out + 22 + c] = placed[p + 22 + c]!;
		}
		if (isFree) {
			quatRotate(vector, anchor, state.jointQ, 0, 0, at);
			for (let c = 0; c < 3; c++) placed[out + c]! += vector[c]!;
			quatRotate(placed, anchor, state.jointQd, out + 19, 0, dof);
		} else {
			for (let d = 0; d < linear; d++) {
				quatRotate(vector, anchor, model.jointAxis, 0, 0, 3 * (dof + d));
				for (let c = 0; c < 3; c++) {
					placed[out + c]! += vector[c]! * state.jointQ[at + d]!;
					placed[out + 19 + c]! += vector[c]! * state.jointQd[dof + d]!;
				}
			}
		}
		if (isFree || type === JointType.BALL) {
			quatRotate(vector, anchor, state.jointQd, 0, 0, dof + linear);
			for (let c = 0; c < 3; c++) placed[out + 22 + c]! += vector[c]!;
			quatMultiply(anchor, anchor, state.jointQ, 0, 0, at + linear);
		} else {
			// each axis is carried by the rotations before it
			for (let d = linear; d < linear + angular; d++) {
				quatRotate(vector, anchor, model.jointAxis, 0, 0, 3 * (dof + d));
				for (let c = 0; c < 3; c++) placed[out + 22 + c]! += vector[c]! * state.jointQd[dof + d]!;
				const half = 0.5 * state.jointQ[at + d]!;
				const s = Math.sin(half);
				for (let c = 0; c < 3; c++) turn[c] = s * model.jointAxis[3 * (dof + d) + c]!;
				turn[3] = Math.cos(half);
				quatMultiply(anchor, anchor, turn);
			}
		}
		quatMultiply(placed, anchor, constants, out + 3, 0, k + 4);
		writeMatrix(placed, out);
		const hx = placed[out]!;
		const hy = placed[out + 1]!;
		const hz = placed[out + 2]!;
		rotateBy(vector, placed, out + 7, constants, k + 14);
		for (let c = 0; c < 3; c++) placed[out + 16 + c] = placed[out + c]! + vector[c]!;
		rotateBy(vector, placed, out + 7, constants, k + 11);
		for (let c = 0; c < 3; c++) placed[out + c]! -= vector[c]!;
		carry(placed, out + 19, p + 19, p + 22, hx - placed[p + 16]!, hy - placed[p + 17]!, hz - placed[p + 18]!);
		// the linear part of a free joint moves the centre of mass itself
		if (isFree) return;
		carry(placed, out + 19, -1, out + 22, placed[out + 16]! - hx, placed[out + 17]! - hy, placed[out + 18]! - hz);
	}

	/** Constants of the joints of one world. */
	#constantsOf(world: number): Float64Array {
		const model = this.#model;
		const block = new Float64Array(CONSTANTS * this.#joint.length);
		const inverse = new Float64Array(4);
		const axis = new Float64Array(4);
		for (let i = 0; i < this.#joint.length; i++) {
			const joint = this.#joint[i]! + this.#shift.joint(world);
			const body = this.#child[i]! + this.#shift.body(world);
			const k = CONSTANTS * i;
			quatConjugate(inverse, model.jointXC, 0, 7 * joint + 3);
			if (this.#kind[i] === GENERAL) {
				for (let c = 0; c < 4; c++) block[k + c] = model.jointXP[7 * joint + 3 + c]!;
				block.set(inverse, k + 4);
			} else quatMultiply(block, model.jointXP, inverse, k, 7 * joint + 3);
			if (this.#kind[i] === HINGE || this.#kind[i] === SLIDE) {
				const dof = 3 * model.jointQdStart[joint]!;
				for (let c = 0; c < 3; c++) axis[c] = model.jointAxis[dof + c]!;
				quatRotate(block, model.jointXP, axis, k + 17, 7 * joint + 3);
				// turn = X_p · (axis sin, cos) · X_c⁻¹ = cos · first quaternion + sin · second
				quatMultiply(axis, model.jointXP, axis, 0, 7 * joint + 3);
				quatMultiply(block, axis, inverse, k + 4);
			}
			for (let c = 0; c < 3; c++) {
				block[k + 8 + c] = model.jointXP[7 * joint + c]!;
				block[k + 11 + c] = model.jointXC[7 * joint + c]!;
				block[k + 14 + c] = model.bodyCom[3 * body + c]! - model.jointXC[7 * joint + c]!;
			}
			axis[3] = 0;
		}
		return block;
	}
}

function kindOf(model: Model, joint: number): number {
	const type = model.jointType[joint]!;
	if (isFreeJoint(type) || type === JointType.BALL) return GENERAL;
	const linear = model.jointDofDim[2 * joint]!;
	const angular = model.jointDofDim[2 * joint + 1]!;
	if (linear + angular > 1) return GENERAL;
	return angular === 1 ? HINGE : linear === 1 ? SLIDE : RIGID;
}

/** `out = M · v`, M by rows. */
function rotateBy(out: Float64Array, matrix: Float64Array, m: number, vector: Float64Array, v: number): void {
	const x = vector[v]!;
	const y = vector[v + 1]!;
	const z = vector[v + 2]!;
	for (let c = 0; c < 3; c++) out[c] = matrix[m + 3 * c]! * x + matrix[m + 3 * c + 1]! * y + matrix[m + 3 * c + 2]! * z;
}

/** The rotation matrix of a placed body from its quaternion. */
function writeMatrix(placed: Float64Array, at: number): void {
	const x = placed[at + 3]!;
	const y = placed[at + 4]!;
	const z = placed[at + 5]!;
	const w = placed[at + 6]!;
	placed[at + 7] = 1 - 2 * (y * y + z * z);
	placed[at + 8] = 2 * (x * y - w * z);
	placed[at + 9] = 2 * (x * z + w * y);
	placed[at + 10] = 2 * (x * y + w * z);
	placed[at + 11] = 1 - 2 * (x * x + z * z);
	placed[at + 12] = 2 * (y * z - w * x);
	placed[at + 13] = 2 * (x * z - w * y);
	placed[at + 14] = 2 * (y * z + w * x);
	placed[at + 15] = 1 - 2 * (x * x + y * y);
}

/** Adds to a velocity that of a point which is carried: the velocity at `from`, unless negative, and `spin × arm`. */
function carry(placed: Float64Array, out: number, from: number, spin: number, x: number, y: number, z: number): void {
	const wx = placed[spin]!;
	const wy = placed[spin + 1]!;
	const wz = placed[spin + 2]!;
	placed[out]! += (from < 0 ? 0 : placed[from]!) + (wy * z - wz * y);
	placed[out + 1]! += (from < 0 ? 0 : placed[from + 1]!) + (wz * x - wx * z);
	placed[out + 2]! += (from < 0 ? 0 : placed[from + 2]!) + (wx * y - wy * x);
}
