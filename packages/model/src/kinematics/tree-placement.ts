import { quatMultiply, quatRotate, transformPoint } from '@manyworlds/core/internal';
import { JointType } from '../enums.ts';
import type { Model } from '../model/model.ts';
import { CONSTANTS, OUTSIDE, PlacingKind, TreeBase, TreePlan } from './tree-plan.ts';

/** Placed bodies: position, quaternion, rotation matrix, centre of mass, its velocity, angular velocity. */
const PLACED = 25;

/** Options of {@link TreePlacement}. */
export interface TreePlacementOptions {
	/** Whether centres of mass, pivots and twists are kept; without it only poses and velocities of bodies come out. */
	readonly withMotion?: boolean;
}

/** What {@link TreePlacement.place} works on. */
export interface PlacedBodies {
	/** Pose of each body; shape (bodies, 7). */
	readonly bodyQ: Float64Array;
	/** Velocity of the centre of mass and angular velocity of each body; shape (bodies, 6). Needed with joint velocities. */
	readonly bodyQd?: Float64Array;
}

/**
 * Forward kinematics: where joint coordinates put the bodies of trees, how fast they move, and what each degree of freedom
 * does to them. A tree is a list of joints, parents first; one that hangs on a body of no tree before it takes that body's pose
 * as it is. Everything about a joint that does not move is worked out beforehand and shared by trees that are alike; a hinge
 * then takes one sine and cosine, one product of quaternions and five rotations by matrices.
 * @public
 */
export class TreePlacement {
	readonly model: Model;
	/** Centre of mass of each body in the world; shape (bodies, 3). */
	readonly com: Float64Array;
	/**
	 * Twist of each degree of freedom: angular velocity, then velocity of the point at the tree's origin, in world axes; shape
	 * (dofs, 6). Rotations of floating joints go through the joint frame of the child, not through the centre of mass.
	 */
	readonly twist: Float64Array;
	/** Point that the twists of a tree refer to, close to its root so that trees far out lose no digits; shape (trees, 3). */
	readonly origin: Float64Array;
	/** Point of each joint on its child; shape (joints, 3). */
	readonly pivot: Float64Array;
	/** Rotation of the parent side of joints with several axes in the world; shape (joints, 4), only for those. */
	readonly frame: Float64Array;
	readonly #trees: readonly Int32Array[];
	readonly #bases: readonly TreeBase[];
	readonly #plans: TreePlan[] = [];
	readonly #withMotion: boolean;
	readonly #placed: Float64Array;
	readonly #turn: Float64Array = new Float64Array(4);
	readonly #anchor: Float64Array = new Float64Array(4);
	readonly #vector: Float64Array = new Float64Array(3);

	constructor(model: Model, trees: readonly ArrayLike<number>[], options: TreePlacementOptions = {}) {
		this.model = model;
		this.#withMotion = options.withMotion ?? false;
		const kept = this.#withMotion ? 1 : 0;
		this.com = new Float64Array(3 * model.bodyCount * kept);
		this.twist = new Float64Array(6 * model.jointDofCount * kept);
		this.origin = new Float64Array(3 * trees.length * kept);
		this.pivot = new Float64Array(3 * model.jointCount * kept);
		this.frame = new Float64Array(4 * model.jointCount * kept);
		this.#trees = trees.map((joints) => Int32Array.from(joints));
		this.#bases = this.#trees.map((joints) => new TreeBase(model, joints));
		const most = this.#trees.reduce((count, joints) => Math.max(count, joints.length), 0);
		// behind the last child there is room for a body of another tree
		this.#placed = new Float64Array(PLACED * (most + 2));
		for (const i of [6, 7, 11, 15]) this.#placed[i] = 1;
		this.refresh();
	}

	/** Takes frames, axes and centres of mass from the model again, of all trees or of those of a mask. */
	refresh(mask?: (tree: number) => boolean): void {
		const known: TreePlan[] = [];
		for (let tree = 0; tree < this.#trees.length; tree++) {
			if (mask !== undefined && !mask(tree)) continue;
			const own = new TreePlan(this.model, this.#trees[tree]!);
			const same = [this.#plans[0], ...known].find((plan) => plan?.equals(own));
			if (same === undefined && known.length < MOST_KNOWN) known.push(own);
			this.#plans[tree] = same ?? own;
		}
	}

	/**
	 * Writes the bodies of a tree: poses, and with joint velocities (of floating joints those of the centre of mass) their
	 * velocities. Bodies that `given` marks with 1 are read instead. The place of the body before is kept in variables:
	 * along a limb it is the parent's, and then nothing is read back.
	 */
	place(
		tree: number,
		jointQ: Float64Array,
		jointQd: Float64Array | undefined,
		state: PlacedBodies,
		given?: Uint8Array,
	): void {
		const { bodyQ } = state;
		const bodyQd = jointQd === undefined ? undefined : state.bodyQd;
		const placed = this.#placed;
		const plan = this.#plans[tree]!;
		const base = this.#bases[tree]!;
		const {
			constants,
			kind: kinds,
			parent: parents,
			child: children,
			coordinate: coordinates,
			dof: dofs,
			isBranching,
		} = plan;
		const firstBody = base.body;
		const firstCoordinate = base.coordinate;
		const firstDof = base.dof;
		const firstJoint = base.joint;
		const joints = plan.joint;
		const moves = bodyQd !== undefined;
		const withMotion = this.#withMotion;
		const { com, twist, pivot, origin } = this;
		let ox = 0;
		let oy = 0;
		let oz = 0;
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
			const body = children[i]! + firstBody;
			let at = PLACED * parents[i]!;
			if (parents[i] === OUTSIDE) at = this.#placeOutside(joints[i]! + firstJoint, bodyQ, bodyQd);
			const isSingle = kind < PlacingKind.FLOATING;
			if (!isSingle) {
				if (kind === PlacingKind.FLOATING) this.#placeFloating(tree, i, at, jointQ, jointQd);
				else this.#placeGeneral(tree, i, at, jointQ, jointQd);
				at = out;
			} else if (parents[i] === i) at = -1;
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
			if (isSingle) {
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
				if (moves) {
					cx = px - cx;
					cy = py - cy;
					cz = pz - cz;
					vx += wy * cz - wz * cy;
					vy += wz * cx - wx * cz;
					vz += wx * cy - wy * cx;
				}
				let ux = 0;
				let uy = 0;
				let uz = 0;
				if (kind !== PlacingKind.RIGID) {
					ax = constants[k + 17]!;
					ay = constants[k + 18]!;
					az = constants[k + 19]!;
					ux = r00 * ax + r01 * ay + r02 * az;
					uy = r10 * ax + r11 * ay + r12 * az;
					uz = r20 * ax + r21 * ay + r22 * az;
					const q = jointQ[coordinates[i]! + firstCoordinate]!;
					if (kind === PlacingKind.HINGE) {
						const s = Math.sin(0.5 * q);
						const c = Math.cos(0.5 * q);
						tx = c * tx + s * constants[k + 4]!;
						ty = c * ty + s * constants[k + 5]!;
						tz = c * tz + s * constants[k + 6]!;
						tw = c * tw + s * constants[k + 7]!;
						if (jointQd !== undefined) {
							const rate = jointQd[dofs[i]! + firstDof]!;
							wx += ux * rate;
							wy += uy * rate;
							wz += uz * rate;
						}
					} else {
						// the parent carries the moved joint too
						ax = ux * q;
						ay = uy * q;
						az = uz * q;
						px += ax;
						py += ay;
						pz += az;
						if (jointQd !== undefined) {
							const rate = jointQd[dofs[i]! + firstDof]!;
							vx += ux * rate + (wy * az - wz * ay);
							vy += uy * rate + (wz * ax - wx * az);
							vz += uz * rate + (wx * ay - wy * ax);
						}
					}
				}
				const hx = px;
				const hy = py;
				const hz = pz;
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
				if (moves) {
					vx += wy * cz - wz * cy;
					vy += wz * cx - wx * cz;
					vz += wx * cy - wy * cx;
				}
				cx += px;
				cy += py;
				cz += pz;
				ax = constants[k + 11]!;
				ay = constants[k + 12]!;
				az = constants[k + 13]!;
				// most children have their origin at the joint
				if (ax !== 0 || ay !== 0 || az !== 0) {
					px -= r00 * ax + r01 * ay + r02 * az;
					py -= r10 * ax + r11 * ay + r12 * az;
					pz -= r20 * ax + r21 * ay + r22 * az;
				}
				if (withMotion) {
					const p = 3 * (joints[i]! + firstJoint);
					pivot[p] = hx;
					pivot[p + 1] = hy;
					pivot[p + 2] = hz;
					if (i === 0) {
						ox = cx;
						oy = cy;
						oz = cz;
						origin[3 * tree] = cx;
						origin[3 * tree + 1] = cy;
						origin[3 * tree + 2] = cz;
					}
					if (kind !== PlacingKind.RIGID) {
						const t = 6 * (dofs[i]! + firstDof);
						if (kind === PlacingKind.HINGE) {
							const rx = ox - hx;
							const ry = oy - hy;
							const rz = oz - hz;
							twist[t] = ux;
							twist[t + 1] = uy;
							twist[t + 2] = uz;
							twist[t + 3] = uy * rz - uz * ry;
							twist[t + 4] = uz * rx - ux * rz;
							twist[t + 5] = ux * ry - uy * rx;
						} else {
							twist[t] = 0;
							twist[t + 1] = 0;
							twist[t + 2] = 0;
							twist[t + 3] = ux;
							twist[t + 4] = uy;
							twist[t + 5] = uz;
						}
					}
				}
			} else if (withMotion && i === 0) {
				ox = cx;
				oy = cy;
				oz = cz;
			}
			if (given !== undefined && given[body] === 1) {
				at = this.#readBody(body, out, bodyQ, bodyQd);
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
			} else if (isBranching[i] === 1 && isSingle) {
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
			if (withMotion) {
				const c = 3 * body;
				com[c] = cx;
				com[c + 1] = cy;
				com[c + 2] = cz;
			}
			const pose = 7 * body;
			bodyQ[pose] = px;
			bodyQ[pose + 1] = py;
			bodyQ[pose + 2] = pz;
			bodyQ[pose + 3] = ex;
			bodyQ[pose + 4] = ey;
			bodyQ[pose + 5] = ez;
			bodyQ[pose + 6] = ew;
			if (bodyQd !== undefined) {
				const velocity = 6 * body;
				bodyQd[velocity] = vx;
				bodyQd[velocity + 1] = vy;
				bodyQd[velocity + 2] = vz;
				bodyQd[velocity + 3] = wx;
				bodyQd[velocity + 4] = wy;
				bodyQd[velocity + 5] = wz;
			}
		}
	}

	/** Centres of mass of all bodies at given poses, also of those of no tree. */
	placeComs(bodyQ: Float64Array): void {
		for (let body = 0; body < this.model.bodyCount; body++) {
			transformPoint(this.com, bodyQ, this.model.bodyCom, 3 * body, 7 * body, 3 * body);
		}
	}

	/** A joint that leaves all six motions free, on the parent at `p`. */
	#placeFloating(tree: number, i: number, p: number, jointQ: Float64Array, jointQd: Float64Array | undefined): void {
		const { model } = this;
		const placed = this.#placed;
		const plan = this.#plans[tree]!;
		const { constants } = plan;
		const k = CONSTANTS * i;
		const out = PLACED * (i + 1);
		const joint = plan.joint[i]! + this.#bases[tree]!.joint;
		const at = model.jointQStart[joint]!;
		const dof = model.jointQdStart[joint]!;
		const anchor = this.#anchor;
		quatMultiply(anchor, placed, constants, 0, p + 3, k);
		// the parent side of the joint by rows, and where the joint is
		const ex = anchor[0]!;
		const ey = anchor[1]!;
		const ez = anchor[2]!;
		const ew = anchor[3]!;
		const m00 = 1 - 2 * (ey * ey + ez * ez);
		const m01 = 2 * (ex * ey - ez * ew);
		const m02 = 2 * (ex * ez + ey * ew);
		const m10 = 2 * (ex * ey + ez * ew);
		const m11 = 1 - 2 * (ex * ex + ez * ez);
		const m12 = 2 * (ey * ez - ex * ew);
		const m20 = 2 * (ex * ez - ey * ew);
		const m21 = 2 * (ey * ez + ex * ew);
		const m22 = 1 - 2 * (ex * ex + ey * ey);
		let x = constants[k + 8]!;
		let y = constants[k + 9]!;
		let z = constants[k + 10]!;
		let hx = placed[p]! + placed[p + 7]! * x + placed[p + 8]! * y + placed[p + 9]! * z;
		let hy = placed[p + 1]! + placed[p + 10]! * x + placed[p + 11]! * y + placed[p + 12]! * z;
		let hz = placed[p + 2]! + placed[p + 13]! * x + placed[p + 14]! * y + placed[p + 15]! * z;
		x = jointQ[at]!;
		y = jointQ[at + 1]!;
		z = jointQ[at + 2]!;
		hx += m00 * x + m01 * y + m02 * z;
		hy += m10 * x + m11 * y + m12 * z;
		hz += m20 * x + m21 * y + m22 * z;
		quatMultiply(this.#turn, jointQ, constants, 0, at + 3, k + 4);
		quatMultiply(placed, anchor, this.#turn, out + 3);
		writeMatrix(placed, out);
		this.#placeAround(out, k, constants, hx, hy, hz);
		const cx = placed[out + 16]!;
		const cy = placed[out + 17]!;
		const cz = placed[out + 18]!;
		if (this.#withMotion) {
			const { origin, pivot, frame, twist } = this;
			const { jointAxis } = model;
			for (let c = 0; c < 4; c++) frame[4 * joint + c] = anchor[c]!;
			pivot[3 * joint] = hx;
			pivot[3 * joint + 1] = hy;
			pivot[3 * joint + 2] = hz;
			if (i === 0) {
				origin[3 * tree] = cx;
				origin[3 * tree + 1] = cy;
				origin[3 * tree + 2] = cz;
			}
			const rx = origin[3 * tree]! - hx;
			const ry = origin[3 * tree + 1]! - hy;
			const rz = origin[3 * tree + 2]! - hz;
			for (let d = 0; d < 6; d++) {
				const a = 3 * (dof + d);
				const t = 6 * (dof + d);
				const ax = jointAxis[a]!;
				const ay = jointAxis[a + 1]!;
				const az = jointAxis[a + 2]!;
				const ux = m00 * ax + m01 * ay + m02 * az;
				const uy = m10 * ax + m11 * ay + m12 * az;
				const uz = m20 * ax + m21 * ay + m22 * az;
				const isLinear = d < 3;
				twist[t] = isLinear ? 0 : ux;
				twist[t + 1] = isLinear ? 0 : uy;
				twist[t + 2] = isLinear ? 0 : uz;
				twist[t + 3] = isLinear ? ux : uy * rz - uz * ry;
				twist[t + 4] = isLinear ? uy : uz * rx - ux * rz;
				twist[t + 5] = isLinear ? uz : ux * ry - uy * rx;
			}
		}
		if (jointQd === undefined) return;
		// the linear part moves the centre of mass itself
		x = jointQd[dof]!;
		y = jointQd[dof + 1]!;
		z = jointQd[dof + 2]!;
		placed[out + 19] = m00 * x + m01 * y + m02 * z;
		placed[out + 20] = m10 * x + m11 * y + m12 * z;
		placed[out + 21] = m20 * x + m21 * y + m22 * z;
		x = jointQd[dof + 3]!;
		y = jointQd[dof + 4]!;
		z = jointQd[dof + 5]!;
		placed[out + 22] = placed[p + 22]! + (m00 * x + m01 * y + m02 * z);
		placed[out + 23] = placed[p + 23]! + (m10 * x + m11 * y + m12 * z);
		placed[out + 24] = placed[p + 24]! + (m20 * x + m21 * y + m22 * z);
		carry(placed, out + 19, p + 19, p + 22, cx - placed[p + 16]!, cy - placed[p + 17]!, cz - placed[p + 18]!);
	}

	/** A ball or a joint of several axes, on the parent at `p`. */
	#placeGeneral(tree: number, i: number, p: number, jointQ: Float64Array, jointQd: Float64Array | undefined): void {
		const { model, twist } = this;
		const placed = this.#placed;
		const plan = this.#plans[tree]!;
		const { constants } = plan;
		const k = CONSTANTS * i;
		const out = PLACED * (i + 1);
		const turn = this.#turn;
		const vector = this.#vector;
		const joint = plan.joint[i]! + this.#bases[tree]!.joint;
		const at = model.jointQStart[joint]!;
		const dof = model.jointQdStart[joint]!;
		const linear = model.jointDofDim[2 * joint]!;
		const angular = model.jointDofDim[2 * joint + 1]!;
		const isBall = model.jointType[joint] === JointType.BALL;
		// turn of the anchor in the world; its place below
		const anchor = this.#anchor;
		quatMultiply(anchor, placed, constants, 0, p + 3, k);
		if (this.#withMotion) for (let c = 0; c < 4; c++) this.frame[4 * joint + c] = anchor[c]!;
		rotateBy(vector, placed, p + 7, constants, k + 8);
		for (let c = 0; c < 3; c++) {
			placed[out + c] = placed[p + c]! + vector[c]!;
			placed[out + 19 + c] = 0;
			placed[out + 22 + c] = placed[p + 22 + c]!;
		}
		for (let d = 0; d < linear + angular; d++) {
			const isLinear = d < linear;
			quatRotate(vector, anchor, model.jointAxis, 0, 0, 3 * (dof + d));
			if (this.#withMotion) this.#noteAxis(dof + d, isLinear);
			if (jointQd !== undefined) {
				const to = out + (isLinear ? 19 : 22);
				for (let c = 0; c < 3; c++) placed[to + c]! += vector[c]! * jointQd[dof + d]!;
			}
			if (isLinear) for (let c = 0; c < 3; c++) placed[out + c]! += vector[c]! * jointQ[at + d]!;
			else if (!isBall) {
				// each axis is carried by the rotations before it
				const half = 0.5 * jointQ[at + d]!;
				const s = Math.sin(half);
				for (let c = 0; c < 3; c++) turn[c] = s * model.jointAxis[3 * (dof + d) + c]!;
				turn[3] = Math.cos(half);
				quatMultiply(anchor, anchor, turn);
			}
		}
		if (isBall) quatMultiply(anchor, anchor, jointQ, 0, 0, at + linear);
		quatMultiply(placed, anchor, constants, out + 3, 0, k + 4);
		writeMatrix(placed, out);
		const hx = placed[out]!;
		const hy = placed[out + 1]!;
		const hz = placed[out + 2]!;
		this.#placeAround(out, k, constants, hx, hy, hz);
		if (this.#withMotion) {
			const { origin, pivot } = this;
			pivot[3 * joint] = hx;
			pivot[3 * joint + 1] = hy;
			pivot[3 * joint + 2] = hz;
			if (i === 0) for (let c = 0; c < 3; c++) origin[3 * tree + c] = placed[out + 16 + c]!;
			const rx = origin[3 * tree]! - hx;
			const ry = origin[3 * tree + 1]! - hy;
			const rz = origin[3 * tree + 2]! - hz;
			for (let t = 6 * (dof + linear); t < 6 * (dof + linear + angular); t += 6) {
				twist[t + 3] = twist[t + 1]! * rz - twist[t + 2]! * ry;
				twist[t + 4] = twist[t + 2]! * rx - twist[t]! * rz;
				twist[t + 5] = twist[t]! * ry - twist[t + 1]! * rx;
			}
		}
		if (jointQd === undefined) return;
		carry(placed, out + 19, p + 19, p + 22, hx - placed[p + 16]!, hy - placed[p + 17]!, hz - placed[p + 18]!);
		carry(placed, out + 19, -1, out + 22, placed[out + 16]! - hx, placed[out + 17]! - hy, placed[out + 18]! - hz);
	}

	/** Origin and centre of mass of a child whose rotation is known, from the point of its joint. */
	#placeAround(out: number, k: number, constants: Float64Array, hx: number, hy: number, hz: number): void {
		const placed = this.#placed;
		const vector = this.#vector;
		rotateBy(vector, placed, out + 7, constants, k + 14);
		placed[out + 16] = hx + vector[0]!;
		placed[out + 17] = hy + vector[1]!;
		placed[out + 18] = hz + vector[2]!;
		rotateBy(vector, placed, out + 7, constants, k + 11);
		placed[out] = hx - vector[0]!;
		placed[out + 1] = hy - vector[1]!;
		placed[out + 2] = hz - vector[2]!;
	}

	/** The axis in the vector as the angular or linear part of a twist. */
	#noteAxis(dof: number, isLinear: boolean): void {
		const at = 6 * dof;
		for (let c = 0; c < 3; c++) {
			this.twist[at + c] = isLinear ? 0 : this.#vector[c]!;
			this.twist[at + 3 + c] = isLinear ? this.#vector[c]! : 0;
		}
	}

	/** Reads the parent of a joint that no joint of the tree places; gives where. */
	#placeOutside(joint: number, bodyQ: Float64Array, bodyQd: Float64Array | undefined): number {
		const parent = this.model.jointParent[joint]!;
		return this.#readBody(parent, this.#placed.length - PLACED, bodyQ, bodyQd);
	}

	/** Reads pose and velocity of a body as they are; gives where. */
	#readBody(body: number, at: number, bodyQ: Float64Array, bodyQd: Float64Array | undefined): number {
		const placed = this.#placed;
		for (let c = 0; c < 7; c++) placed[at + c] = bodyQ[7 * body + c]!;
		writeMatrix(placed, at);
		rotateBy(this.#vector, placed, at + 7, this.model.bodyCom, 3 * body);
		for (let c = 0; c < 3; c++) placed[at + 16 + c] = placed[at + c]! + this.#vector[c]!;
		for (let c = 0; c < 6; c++) placed[at + 19 + c] = bodyQd === undefined ? 0 : bodyQd[6 * body + c]!;
		return at;
	}
}

/** Plans that a new one is compared with: worlds are mostly alike, and trees that differ should not cost the square of their number. */
const MOST_KNOWN = 16;

/** `out = M · v`, M by rows. */
function rotateBy(out: Float64Array, matrix: Float64Array, m: number, vector: Float64Array, v: number): void {
	const x = vector[v]!;
	const y = vector[v + 1]!;
	const z = vector[v + 2]!;
	out[0] = matrix[m]! * x + matrix[m + 1]! * y + matrix[m + 2]! * z;
	out[1] = matrix[m + 3]! * x + matrix[m + 4]! * y + matrix[m + 5]! * z;
	out[2] = matrix[m + 6]! * x + matrix[m + 7]! * y + matrix[m + 8]! * z;
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
