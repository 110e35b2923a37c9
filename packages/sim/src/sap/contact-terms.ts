import { type Contacts, type Model, WORLD } from '@manyworlds/model';
import { WorldContacts } from '../collision/world-contacts.ts';
import { writeContactFrame } from './contact-frame.ts';
import { type ContactMaterials, MaterialPart } from './contact-materials.ts';
import { nearRigidBound, weighContact } from './regularise.ts';
import type { SapSettings } from './sap-options.ts';
import type { WorldProblem } from './world-problem.ts';

/** Contacts of one world as terms of its problem, and their forces afterwards. */
export class ContactTerms {
	readonly #model: Model;
	readonly #world: WorldProblem;
	readonly #materials: ContactMaterials;
	readonly #material = new Float64Array(MaterialPart.COUNT);
	readonly #options: SapSettings;
	/** Frames of the contacts of the world: tangent, tangent, normal; nine numbers each. */
	#frame = new Float64Array(9 * 16);
	/** Points where contacts act: on body 0 and on body 1; six numbers each. */
	#point = new Float64Array(6 * 16);
	/** Row of each contact in the buffer. */
	#row = new Int32Array(16);
	#count = 0;
	/** 1 for rows of contacts that are there for their speed. */
	#isAhead: Uint8Array | undefined;
	/** Near-rigid bound of a contact whose Delassus estimate is 1. */
	readonly #nearRigid: number;
	readonly #weight = new Float64Array(1);
	readonly #point0 = new Float64Array(3);
	readonly #point1 = new Float64Array(3);

	constructor(world: WorldProblem, materials: ContactMaterials, options: SapSettings) {
		this.#model = world.motion.structure.model;
		this.#world = world;
		this.#materials = materials;
		this.#options = options;
		this.#nearRigid = nearRigidBound(options.contactBeta, 1);
	}

	begin(contacts: Contacts | undefined): void {
		this.#count = 0;
		this.#isAhead = contacts instanceof WorldContacts ? contacts.isAhead : undefined;
	}

	/** Adds a contact of the buffer. */
	add(contacts: Contacts, row: number, dt: number): void {
		const model = this.#model;
		const shape0 = contacts.rigidShape0[row]!;
		const shape1 = contacts.rigidShape1[row]!;
		const body0 = shape0 < 0 ? WORLD : model.shapeBody[shape0]!;
		const body1 = shape1 < 0 ? WORLD : model.shapeBody[shape1]!;
		this.#reserve();
		const c = this.#count++;
		this.#row[c] = row;
		const nx = contacts.rigidNormal[3 * row]!;
		const ny = contacts.rigidNormal[3 * row + 1]!;
		const nz = contacts.rigidNormal[3 * row + 2]!;
		writeContactFrame(this.#frame, 9 * c, contacts.rigidNormal, 3 * row);
		const p0 = this.#point0;
		const p1 = this.#point1;
		this.#surfacePoint(p0, contacts.rigidPoint0, contacts.rigidOffset0, 3 * row, body0);
		this.#surfacePoint(p1, contacts.rigidPoint1, contacts.rigidOffset1, 3 * row, body1);
		const phi = (p1[0]! - p0[0]!) * nx + (p1[1]! - p0[1]!) * ny + (p1[2]! - p0[2]!) * nz;
		const material = this.#material;
		this.#materials.combine(shape0, shape1, material, 0);
		// a point between surfaces that are yet far apart would be far from both bodies: it is where each will be touched
		const isMidpoint = this.#options.contactPointMode === 'contact_midpoint' && this.#isAhead?.[row] !== 1;
		for (let k = 0; k < 3; k++) {
			const middle = p0[k]! + material[MaterialPart.SHARE]! * (p1[k]! - p0[k]!);
			this.#point[6 * c + k] = isMidpoint ? middle : p0[k]!;
			this.#point[6 * c + 3 + k] = isMidpoint ? middle : p1[k]!;
		}
		const { problem } = this.#world;
		const index = problem.addContact(material[MaterialPart.MU]!);
		this.#addColumns(c, index, body0, body1);
		this.#weigh(c, index, body0, body1);
		// the same as regulariseContact, in place: numbers that go through calls are boxed
		const weight = this.#weight[0]!;
		const span = dt + material[MaterialPart.TAU]!;
		problem.contactRn[index] = Math.max(this.#nearRigid * weight, 1 / (dt * material[MaterialPart.STIFFNESS]! * span));
		problem.contactRt[index] = this.#options.contactSigma * weight;
		// what given velocities take away from the target stays
		problem.contactVHat[3 * index + 2] = -phi / span + problem.contactVHat[3 * index + 2]!;
		// the normal impulse of a body that rests as deep as it is now
		if (this.#options.frictionModel === 'lagged') {
			problem.contactBound[index] = (material[MaterialPart.MU]! * Math.max(0, -phi / span)) / problem.contactRn[index]!;
		}
	}

	/** Writes the forces of the contacts that were added: on body 0, with the torque about its centre of mass. */
	writeForces(contacts: Contacts, dt: number): void {
		const force = contacts.rigidForce;
		if (force === undefined) return;
		const { com } = this.#world.motion.dynamics.kinematics;
		const impulse = this.#world.problem.contactImpulse;
		const frame = this.#frame;
		for (let c = 0; c < this.#count; c++) {
			const row = this.#row[c]!;
			const shape0 = contacts.rigidShape0[row]!;
			const body0 = shape0 < 0 ? WORLD : this.#model.shapeBody[shape0]!;
			const at = 6 * row;
			for (let k = 0; k < 3; k++) {
				force[at + k] =
					-(
						frame[9 * c + k]! * impulse[3 * c]! +
						frame[9 * c + 3 + k]! * impulse[3 * c + 1]! +
						frame[9 * c + 6 + k]! * impulse[3 * c + 2]!
					) / dt;
			}
			// the world has no centre of mass: its torque is about the origin
			const rx = this.#point[6 * c]! - (body0 < 0 ? 0 : com[3 * body0]!);
			const ry = this.#point[6 * c + 1]! - (body0 < 0 ? 0 : com[3 * body0 + 1]!);
			const rz = this.#point[6 * c + 2]! - (body0 < 0 ? 0 : com[3 * body0 + 2]!);
			force[at + 3] = ry * force[at + 2]! - rz * force[at + 1]!;
			force[at + 4] = rz * force[at]! - rx * force[at + 2]!;
			force[at + 5] = rx * force[at + 1]! - ry * force[at]!;
		}
	}

	/** World point of a contact on the surface of a body, margin included. */
	#surfacePoint(out: Float64Array, point: Float64Array, offset: Float64Array, at: number, body: number): void {
		const x = point[at]! + offset[at]!;
		const y = point[at + 1]! + offset[at + 1]!;
		const z = point[at + 2]! + offset[at + 2]!;
		if (body < 0) {
			out[0] = x;
			out[1] = y;
			out[2] = z;
			return;
		}
		const q = this.#world.motion.dynamics.kinematics.bodyQ;
		const b = 7 * body;
		const isSingle = !this.#options.useF64BoundaryPose;
		const qx = isSingle ? Math.fround(q[b + 3]!) : q[b + 3]!;
		const qy = isSingle ? Math.fround(q[b + 4]!) : q[b + 4]!;
		const qz = isSingle ? Math.fround(q[b + 5]!) : q[b + 5]!;
		const qw = isSingle ? Math.fround(q[b + 6]!) : q[b + 6]!;
		const cx = qy * z - qz * y;
		const cy = qz * x - qx * z;
		const cz = qx * y - qy * x;
		out[0] = (isSingle ? Math.fround(q[b]!) : q[b]!) + x + 2 * (qw * cx + qy * cz - qz * cy);
		out[1] = (isSingle ? Math.fround(q[b + 1]!) : q[b + 1]!) + y + 2 * (qw * cy + qz * cx - qx * cz);
		out[2] = (isSingle ? Math.fround(q[b + 2]!) : q[b + 2]!) + z + 2 * (qw * cz + qx * cy - qy * cx);
	}

	/** Velocity of body 1 relative to body 0 in the frame of the contact, column by column. */
	#addColumns(c: number, index: number, body0: number, body1: number): void {
		const world = this.#world;
		const { motion, problem } = world;
		const { twist, origin, structure } = motion.dynamics.kinematics;
		world.collect(body0, body1);
		problem.reserveContactColumns(world.columnCount);
		const { contactColumn, contactJacobian, contactVHat } = problem;
		const point = this.#point;
		const frame = this.#frame;
		const f = 9 * c;
		const p = 6 * c;
		const o0 = body0 < 0 ? 0 : 3 * structure.treeOf[body0]!;
		const o1 = body1 < 0 ? 0 : 3 * structure.treeOf[body1]!;
		// arms from the origins of the trees to the points where the contact acts
		const ax = point[p]! - (origin[o0] ?? 0);
		const ay = point[p + 1]! - (origin[o0 + 1] ?? 0);
		const az = point[p + 2]! - (origin[o0 + 2] ?? 0);
		const bx = point[p + 3]! - (origin[o1] ?? 0);
		const by = point[p + 4]! - (origin[o1 + 1] ?? 0);
		const bz = point[p + 5]! - (origin[o1 + 2] ?? 0);
		let at = problem.contactStart[index + 1]!;
		for (let k = 0; k < world.columnCount; k++) {
			const dof = world.dof[k]!;
			const s = 6 * dof;
			const side = world.side[k]!;
			const wx = twist[s]!;
			const wy = twist[s + 1]!;
			const wz = twist[s + 2]!;
			let x = 0;
			let y = 0;
			let z = 0;
			if ((side & 2) !== 0) {
				x = twist[s + 3]! + wy * bz - wz * by;
				y = twist[s + 4]! + wz * bx - wx * bz;
				z = twist[s + 5]! + wx * by - wy * bx;
			}
			if ((side & 1) !== 0) {
				x -= twist[s + 3]! + wy * az - wz * ay;
				y -= twist[s + 4]! + wz * ax - wx * az;
				z -= twist[s + 5]! + wx * ay - wy * ax;
			}
			const a = frame[f]! * x + frame[f + 1]! * y + frame[f + 2]! * z;
			const b = frame[f + 3]! * x + frame[f + 4]! * y + frame[f + 5]! * z;
			const n = frame[f + 6]! * x + frame[f + 7]! * y + frame[f + 8]! * z;
			if (a === 0 && b === 0 && n === 0) continue;
			const column = world.column[k]!;
			if (column >= 0) {
				contactColumn[at] = column;
				contactJacobian[3 * at] = a;
				contactJacobian[3 * at + 1] = b;
				contactJacobian[3 * at + 2] = n;
				at++;
			} else {
				const rate = motion.v0[dof]!;
				contactVHat[3 * index] = contactVHat[3 * index]! - rate * a;
				contactVHat[3 * index + 1] = contactVHat[3 * index + 1]! - rate * b;
				contactVHat[3 * index + 2] = contactVHat[3 * index + 2]! - rate * n;
			}
		}
		problem.contactStart[index + 1] = at;
		this.#addGiven(c, index, body0, 0);
		this.#addGiven(c, index, body1, 1);
	}

	/** The velocity of a body that moves with the problem of another world is given. */
	#addGiven(c: number, index: number, body: number, side: number): void {
		const world = this.#world;
		const { structure, origin, velocity } = world.motion.dynamics.kinematics;
		if (body < 0 || world.isMoved(body) || structure.treeOf[body]! < 0) return;
		const { contactVHat } = world.problem;
		const frame = this.#frame;
		const f = 9 * c;
		const o = 3 * structure.treeOf[body]!;
		const sign = side === 0 ? -1 : 1;
		const rx = this.#point[6 * c + 3 * side]! - origin[o]!;
		const ry = this.#point[6 * c + 3 * side + 1]! - origin[o + 1]!;
		const rz = this.#point[6 * c + 3 * side + 2]! - origin[o + 2]!;
		const w = 6 * body;
		const x = velocity[w + 3]! + velocity[w + 1]! * rz - velocity[w + 2]! * ry;
		const y = velocity[w + 4]! + velocity[w + 2]! * rx - velocity[w]! * rz;
		const z = velocity[w + 5]! + velocity[w]! * ry - velocity[w + 1]! * rx;
		for (let k = 0; k < 3; k++) {
			const along = frame[f + 3 * k]! * x + frame[f + 3 * k + 1]! * y + frame[f + 3 * k + 2]! * z;
			contactVHat[3 * index + k] = contactVHat[3 * index + k]! - sign * along;
		}
	}

	/** Sets the inverse of the mass that a contact feels [1/kg]. */
	#weigh(c: number, index: number, body0: number, body1: number): void {
		const out = this.#weight;
		if (this.#options.contactWeightMode === 'diag_delassus') weighContact(this.#world.problem, index, out);
		else out[0] = this.#inertiaWeight(c, 0, body0) + this.#inertiaWeight(c, 1, body1);
		if (this.#options.sapContactWeightPrecision === 'fp32') out[0] = Math.fround(out[0]!);
		if (!(out[0]! > 1e-12)) out[0] = 1e-12;
	}

	/** Mean over the axes of the contact of 1/m + (r × c)ᵀ diag(I)⁻¹ (r × c), in body axes. */
	#inertiaWeight(c: number, side: number, body: number): number {
		if (body < 0 || !this.#world.isMoved(body)) return 0;
		const model = this.#model;
		const mass = model.bodyMass[body]!;
		if (!(mass > 0)) return 0;
		const { com, bodyQ } = this.#world.motion.dynamics.kinematics;
		const rx = this.#point[6 * c + 3 * side]! - com[3 * body]!;
		const ry = this.#point[6 * c + 3 * side + 1]! - com[3 * body + 1]!;
		const rz = this.#point[6 * c + 3 * side + 2]! - com[3 * body + 2]!;
		const qx = -bodyQ[7 * body + 3]!;
		const qy = -bodyQ[7 * body + 4]!;
		const qz = -bodyQ[7 * body + 5]!;
		const qw = bodyQ[7 * body + 6]!;
		let sum = 0;
		for (let axis = 0; axis < 3; axis++) {
			const f = 9 * c + 3 * axis;
			const ax = this.#frame[f]!;
			const ay = this.#frame[f + 1]!;
			const az = this.#frame[f + 2]!;
			const x = ry * az - rz * ay;
			const y = rz * ax - rx * az;
			const z = rx * ay - ry * ax;
			const cx = qy * z - qz * y;
			const cy = qz * x - qx * z;
			const cz = qx * y - qy * x;
			const bx = x + 2 * (qw * cx + qy * cz - qz * cy);
			const by = y + 2 * (qw * cy + qz * cx - qx * cz);
			const bz = z + 2 * (qw * cz + qx * cy - qy * cx);
			const i = model.bodyInertia;
			sum +=
				1 / mass +
				(bx * bx) / Math.max(i[9 * body]!, 1e-12) +
				(by * by) / Math.max(i[9 * body + 4]!, 1e-12) +
				(bz * bz) / Math.max(i[9 * body + 8]!, 1e-12);
		}
		return sum / 3;
	}

	#reserve(): void {
		if (this.#count < this.#row.length) return;
		const size = 2 * this.#row.length;
		const frame = new Float64Array(9 * size);
		frame.set(this.#frame);
		this.#frame = frame;
		const point = new Float64Array(6 * size);
		point.set(this.#point);
		this.#point = point;
		const row = new Int32Array(size);
		row.set(this.#row);
		this.#row = row;
	}
}
