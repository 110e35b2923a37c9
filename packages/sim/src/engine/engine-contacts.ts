import { type Contacts, type Model, WORLD } from '@manyworlds/model';
import { WorldContacts } from '../collision/world-contacts.ts';
import type { TreeStructure } from '../dynamics/tree-structure.ts';
import { writeContactFrame } from '../sap/contact-frame.ts';
import type { ContactMaterials } from '../sap/contact-materials.ts';
import { ContactColumns } from './contact-columns.ts';
import type { EngineMemory } from './engine-memory.ts';
import type { EnginePlan } from './engine-plan.ts';

/** Numbers of a contact that the kernels get: frame, points on both bodies, material, distance. */
const CONTACT_INPUT = 19;
const POINT0 = 9;
const POINT1 = 12;
const MU = 15;
const STIFFNESS = 16;
const TAU = 17;
const DISTANCE = 18;

/** Where the kernels have the poses of bodies; addresses in numbers. */
export interface BodyAddresses {
	readonly position: number;
	readonly rotation: number;
	readonly centre: number;
}

/**
 * Contacts of the worlds of a group side by side, for the kernels. Contacts of lanes between the same two bodies share a
 * slot, in the order that each lane has them; in a lane without one everything is zero.
 */
export class EngineContacts {
	readonly #memory: EngineMemory;
	readonly #model: Model;
	readonly #materials: ContactMaterials;
	/** Whether contacts act at one point between the surfaces. */
	readonly #atMidpoint: boolean;
	readonly #bodies: BodyAddresses;
	readonly #columns: ContactColumns;
	/** Joint that moves each shape, counted within its world; -1 for what does not move. */
	readonly #slotOf: Int32Array;
	/** Two bodies are one number in this base. */
	readonly #keyBase: number;
	#contactCapacity = 0;
	#columnCapacity = 0;
	#input = 0;
	#impulse = 0;
	#body0 = 0;
	#body1 = 0;
	#contactColumns = 0;
	#contactStart = 0;
	/** Rows of the contacts in the slots, by lane; -1 for none. */
	#slotRow: readonly Int32Array[] = [];
	/** By lane: the next contact to place, and the key of its bodies. */
	readonly #next: Int32Array;
	readonly #keys: Int32Array;
	readonly #frame = new Float64Array(9);
	readonly #point = new Float64Array(6);
	/** Points of contacts from the centre of mass of body 0 at the start of the step, by lane; three numbers for each slot. */
	#arms: readonly Float64Array[] = [];

	constructor(
		memory: EngineMemory,
		plan: EnginePlan,
		structure: TreeStructure,
		materials: ContactMaterials,
		atMidpoint: boolean,
		bodies: BodyAddresses,
	) {
		this.#memory = memory;
		this.#model = structure.model;
		this.#materials = materials;
		this.#atMidpoint = atMidpoint;
		this.#bodies = bodies;
		this.#columns = new ContactColumns(plan, memory);
		this.#slotOf = slotsOfShapes(structure, plan);
		this.#keyBase = plan.jointCount + 1;
		this.#next = new Int32Array(memory.lanes);
		this.#keys = new Int32Array(memory.lanes);
		this.#reserve(16, 16 * plan.dofCount);
	}

	/**
	 * Writes the contacts of the worlds of the lanes, at the poses that the kernels have. Those of world w are `rows[start[w]]`
	 * to before `rows[start[w + 1]]`. Gives the number of slots.
	 */
	place(worlds: Int32Array, contacts: Contacts, rows: Int32Array, start: Int32Array): number {
		const own = ownLanes(worlds);
		const next = this.#next;
		const keys = this.#keys;
		for (let lane = 0; lane < own; lane++) {
			next[lane] = start[worlds[lane]!]!;
			keys[lane] = this.#keyAt(contacts, rows, next[lane]!, start[worlds[lane]! + 1]!);
		}
		let slot = 0;
		let column = 0;
		for (;;) {
			let key = NO_KEY;
			for (let lane = 0; lane < own; lane++) key = Math.min(key, keys[lane]!);
			if (key === NO_KEY) break;
			const slot0 = ((key / this.#keyBase) | 0) - 1;
			const slot1 = (key % this.#keyBase) - 1;
			const columns = this.#columns.of(slot0, slot1);
			if (slot === this.#contactCapacity || column + columns.count > this.#columnCapacity) {
				this.#reserve(2 * this.#contactCapacity, 2 * (this.#columnCapacity + columns.count));
			}
			this.#openSlot(slot, column, columns.address, slot0, slot1);
			for (let lane = 0; lane < own; lane++) {
				const isThere = keys[lane] === key;
				this.#writeContact(slot, lane, isThere ? rows[next[lane]!]! : -1, contacts);
				if (!isThere) continue;
				next[lane]! += 1;
				keys[lane] = this.#keyAt(contacts, rows, next[lane]!, start[worlds[lane]! + 1]!);
			}
			for (let lane = own; lane < worlds.length; lane++) this.#repeatContact(slot, own - 1, lane);
			column += columns.count;
			slot++;
		}
		return slot;
	}

	/** The two bodies of the contact at a place before `end` as one number, and one beyond all of them at the end. */
	#keyAt(contacts: Contacts, rows: Int32Array, place: number, end: number): number {
		if (place >= end) return NO_KEY;
		const row = rows[place]!;
		const slot0 = this.#slotOfShape(contacts.rigidShape0[row]!);
		const slot1 = this.#slotOfShape(contacts.rigidShape1[row]!);
		return (slot0 + 1) * this.#keyBase + slot1 + 1;
	}

	/** Joint that moves a shape, -1 for what does not move. */
	#slotOfShape(shape: number): number {
		return shape < 0 ? -1 : this.#slotOf[shape]!;
	}

	#openSlot(slot: number, column: number, columns: number, slot0: number, slot1: number): void {
		const { integers } = this.#memory;
		integers[this.#contactColumns + slot] = columns;
		integers[this.#contactStart + slot] = column;
		integers[this.#body0 + slot] = slot0;
		integers[this.#body1 + slot] = slot1;
	}

	/** Gives a lane that repeats another its contact. */
	#repeatContact(slot: number, from: number, to: number): void {
		const { numbers, lanes } = this.#memory;
		const input = this.#input + lanes * CONTACT_INPUT * slot;
		for (let k = 0; k < lanes * CONTACT_INPUT; k += lanes) numbers[input + k + to] = numbers[input + k + from]!;
		this.#slotRow[to]![slot] = this.#slotRow[from]![slot]!;
	}

	/** Frame, points, material and distance of a contact; zeros for a lane without it. */
	#writeContact(slot: number, lane: number, row: number, contacts: Contacts): void {
		const { numbers, lanes } = this.#memory;
		const to = this.#input + lanes * CONTACT_INPUT * slot + lane;
		this.#slotRow[lane]![slot] = row;
		if (row < 0) {
			for (let k = 0; k < CONTACT_INPUT; k++) numbers[to + lanes * k] = k === STIFFNESS ? 1 : 0;
			return;
		}
		const { rigidNormal: normal } = contacts;
		const shape0 = contacts.rigidShape0[row]!;
		const shape1 = contacts.rigidShape1[row]!;
		const frame = this.#frame;
		const point = this.#point;
		const at = 3 * row;
		writeContactFrame(frame, 0, normal, at);
		this.#surfacePoint(0, contacts.rigidPoint0, contacts.rigidOffset0, at, shape0, lane);
		this.#surfacePoint(3, contacts.rigidPoint1, contacts.rigidOffset1, at, shape1, lane);
		const x = point[0]!;
		const y = point[1]!;
		const z = point[2]!;
		const dx = point[3]! - x;
		const dy = point[4]! - y;
		const dz = point[5]! - z;
		const materials = this.#materials;
		materials.combine(shape0, shape1);
		const isAhead = contacts instanceof WorldContacts && contacts.isAhead[row] === 1;
		const isMidpoint = this.#atMidpoint && !isAhead;
		const { share } = materials;
		for (let k = 0; k < 9; k++) numbers[to + lanes * k] = frame[k]!;
		numbers[to + lanes * POINT0] = isMidpoint ? x + share * dx : x;
		numbers[to + lanes * (POINT0 + 1)] = isMidpoint ? y + share * dy : y;
		numbers[to + lanes * (POINT0 + 2)] = isMidpoint ? z + share * dz : z;
		numbers[to + lanes * POINT1] = isMidpoint ? x + share * dx : point[3]!;
		numbers[to + lanes * (POINT1 + 1)] = isMidpoint ? y + share * dy : point[4]!;
		numbers[to + lanes * (POINT1 + 2)] = isMidpoint ? z + share * dz : point[5]!;
		const arms = this.#arms[lane]!;
		const body = this.#memory.integers[this.#body0 + slot]!;
		const centre = this.#bodies.centre + lanes * 3 * body + lane;
		for (let k = 0; k < 3; k++) {
			// the world has no centre of mass: its torque is about the origin
			arms[3 * slot + k] = numbers[to + lanes * (POINT0 + k)]! - (body < 0 ? 0 : numbers[centre + lanes * k]!);
		}
		numbers[to + lanes * MU] = materials.mu;
		numbers[to + lanes * STIFFNESS] = materials.stiffness;
		numbers[to + lanes * TAU] = materials.tau;
		numbers[to + lanes * DISTANCE] = dx * normal[at]! + dy * normal[at + 1]! + dz * normal[at + 2]!;
	}

	/** World point of a contact on the surface of a body, margin included. */
	#surfacePoint(out: number, local: Float64Array, offset: Float64Array, at: number, shape: number, lane: number): void {
		const point = this.#point;
		const x = local[at]! + offset[at]!;
		const y = local[at + 1]! + offset[at + 1]!;
		const z = local[at + 2]! + offset[at + 2]!;
		const body = shape < 0 ? WORLD : this.#model.shapeBody[shape]!;
		if (body < 0) {
			point[out] = x;
			point[out + 1] = y;
			point[out + 2] = z;
			return;
		}
		const slot = this.#slotOf[shape]!;
		const { numbers, lanes } = this.#memory;
		// bodies of no tree stand where the model has them
		const isMoved = slot >= 0;
		const { bodyQ } = this.#model;
		const p = this.#bodies.position + lanes * 3 * slot + lane;
		const r = this.#bodies.rotation + lanes * 4 * slot + lane;
		const b = 7 * body;
		const qx = isMoved ? numbers[r]! : bodyQ[b + 3]!;
		const qy = isMoved ? numbers[r + lanes]! : bodyQ[b + 4]!;
		const qz = isMoved ? numbers[r + 2 * lanes]! : bodyQ[b + 5]!;
		const qw = isMoved ? numbers[r + 3 * lanes]! : bodyQ[b + 6]!;
		const cx = qy * z - qz * y;
		const cy = qz * x - qx * z;
		const cz = qx * y - qy * x;
		point[out] = (isMoved ? numbers[p]! : bodyQ[b]!) + x + 2 * (qw * cx + qy * cz - qz * cy);
		point[out + 1] = (isMoved ? numbers[p + lanes]! : bodyQ[b + 1]!) + y + 2 * (qw * cy + qz * cx - qx * cz);
		point[out + 2] = (isMoved ? numbers[p + 2 * lanes]! : bodyQ[b + 2]!) + z + 2 * (qw * cz + qx * cy - qy * cx);
	}

	/** Forces on body 0 of each contact, with the torque about its centre of mass before the step. */
	writeForces(force: Float64Array, slots: number, worlds: Int32Array, dts: Float64Array): void {
		const { numbers, lanes } = this.#memory;
		const own = ownLanes(worlds);
		for (let lane = 0; lane < own; lane++) {
			const rows = this.#slotRow[lane]!;
			const arms = this.#arms[lane]!;
			for (let slot = 0; slot < slots; slot++) {
				const row = rows[slot]!;
				if (row < 0) continue;
				const input = this.#input + lanes * CONTACT_INPUT * slot + lane;
				const impulse = this.#impulse + lanes * 3 * slot + lane;
				const at = 6 * row;
				for (let k = 0; k < 3; k++) {
					force[at + k] =
						-(
							numbers[input + lanes * k]! * numbers[impulse]! +
							numbers[input + lanes * (3 + k)]! * numbers[impulse + lanes]! +
							numbers[input + lanes * (6 + k)]! * numbers[impulse + 2 * lanes]!
						) / dts[lane]!;
				}
				const rx = arms[3 * slot]!;
				const ry = arms[3 * slot + 1]!;
				const rz = arms[3 * slot + 2]!;
				force[at + 3] = ry * force[at + 2]! - rz * force[at + 1]!;
				force[at + 4] = rz * force[at]! - rx * force[at + 2]!;
				force[at + 5] = rx * force[at + 1]! - ry * force[at]!;
			}
		}
	}

	/** Makes room for contacts and keeps what is written. */
	#reserve(contacts: number, columns: number): void {
		const memory = this.#memory;
		const old = { capacity: this.#contactCapacity, input: this.#input };
		const copyTable = (name: string, at: number): number => {
			const address = memory.table(contacts + 1);
			memory.set(name, address);
			memory.integers.copyWithin(address / 4, at, at + old.capacity);
			return address / 4;
		};
		this.#contactColumns = copyTable('contactColumns', this.#contactColumns);
		this.#contactStart = copyTable('contactStart', this.#contactStart);
		this.#body0 = copyTable('contactBody0', this.#body0);
		this.#body1 = copyTable('contactBody1', this.#body1);
		const array = (name: string, size: number): number => {
			const address = memory.array(size);
			memory.set(name, address);
			return memory.place(address);
		};
		this.#input = array('contactInput', CONTACT_INPUT * contacts);
		memory.numbers.copyWithin(this.#input, old.input, old.input + memory.lanes * CONTACT_INPUT * old.capacity);
		array('contactJacobian', 3 * columns);
		array('contactRt', contacts);
		array('contactRn', contacts);
		array('contactTarget', 3 * contacts);
		array('contactVelocity', 3 * contacts);
		array('contactChange', 3 * contacts);
		this.#impulse = array('contactImpulse', 3 * contacts);
		array('contactHessian', 6 * contacts);
		array('contactIsActive', contacts);
		this.#contactCapacity = contacts;
		this.#columnCapacity = columns;
		this.#arms = Array.from({ length: memory.lanes }, (_, lane) => {
			const arms = new Float64Array(3 * contacts);
			arms.set(this.#arms[lane] ?? []);
			return arms;
		});
		this.#slotRow = Array.from({ length: memory.lanes }, (_, lane) => {
			const rows = new Int32Array(contacts);
			rows.set(this.#slotRow[lane] ?? []);
			return rows;
		});
	}
}

/** Lanes with a world of their own: those behind repeat the last of them. */
function ownLanes(worlds: Int32Array): number {
	let own = worlds.length;
	while (own > 1 && worlds[own - 1] === worlds[own - 2]) own--;
	return own;
}

/** More than every pair of bodies. */
const NO_KEY = 2 ** 30;

/** Joint of its world that moves each shape; -1 for shapes of bodies of no tree, which may belong to no world, and of the world. */
function slotsOfShapes({ model, treeOf }: TreeStructure, plan: EnginePlan): Int32Array {
	const slotOfBody = new Int32Array(model.bodyCount).fill(-1);
	for (const { body: first } of plan.worlds)
		for (const [slot, body] of plan.body.entries()) slotOfBody[first + body] = slot;
	return Int32Array.from(model.shapeBody, (body) => (body < 0 || treeOf[body]! < 0 ? -1 : slotOfBody[body]!));
}
