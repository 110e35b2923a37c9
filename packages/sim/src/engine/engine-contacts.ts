import type { Contacts, Model } from '@manyworlds/model';
import { WorldContacts } from '../collision/world-contacts.ts';
import type { TreeStructure } from '../dynamics/tree-structure.ts';
import type { ContactMaterials } from '../sap/contact-materials.ts';
import type { KernelMemory } from '../wasm/kernel-memory.ts';
import { ContactColumns } from './contact-columns.ts';
import type { EnginePlan } from './engine-plan.ts';

/**
 * Numbers of a contact that the kernels get: normal, a point in the frame of each body, friction, stiffness, relaxation time, and where
 * between the surfaces it acts.
 */
const CONTACT_GIVEN = 13;
const POINT0 = 3;
const POINT1 = 6;
const MU = 9;
const STIFFNESS = 10;
const TAU = 11;
const SHARE = 12;

/** Numbers that the kernels make of a contact. */
const CONTACT_INPUT = 19;

/** Contacts that somebody else has found touch. */
const NOT_AHEAD = new Uint8Array(0);

/** Where a contact that acts on each surface for itself acts between them. */
const NOT_BETWEEN = -1;

/**
 * Contacts of the worlds of a group side by side, for the kernels. Contacts of lanes between the same two bodies share a
 * slot, in the order that each lane has them; in a lane without one everything is zero.
 */
export class EngineContacts {
	readonly #memory: KernelMemory;
	readonly #model: Model;
	readonly #materials: ContactMaterials;
	/** Whether contacts act at one point between the surfaces. */
	readonly #atMidpoint: boolean;
	readonly #columns: ContactColumns;
	/** Joint that moves each shape, counted within its world; -1 for what does not move. */
	readonly #slotOf: Int32Array;
	/** Two bodies are one number in this base. */
	readonly #keyBase: number;
	#contactCapacity = 0;
	#columnCapacity = 0;
	#given = 0;
	#force = 0;
	#body0 = 0;
	#body1 = 0;
	#contactColumns = 0;
	#contactStart = 0;
	/** Rows of the contacts in the slots, by lane; -1 for none. */
	#slotRow: readonly Int32Array[] = [];
	/** By lane: the next contact to place, and the key of its bodies. */
	readonly #next: Int32Array;
	readonly #keys: Int32Array;

	constructor(
		memory: KernelMemory,
		plan: EnginePlan,
		structure: TreeStructure,
		materials: ContactMaterials,
		atMidpoint: boolean,
	) {
		this.#memory = memory;
		this.#model = structure.model;
		this.#materials = materials;
		this.#atMidpoint = atMidpoint;
		this.#columns = new ContactColumns(plan, memory);
		this.#slotOf = slotsOfShapes(structure, plan);
		this.#keyBase = plan.jointCount + 1;
		this.#next = new Int32Array(memory.lanes);
		this.#keys = new Int32Array(memory.lanes);
		this.#reserve(16, 16 * plan.dofCount);
	}

	/**
	 * Writes the contacts of the worlds of the lanes. Those of world w are `rows[start[w]]`
	 * to before `rows[start[w + 1]]`. Gives the number of slots.
	 */
	place(worlds: Int32Array, contacts: Contacts, rows: Int32Array, start: Int32Array): number {
		const own = ownLanes(worlds);
		const next = this.#next;
		const keys = this.#keys;
		const isAhead = contacts instanceof WorldContacts ? contacts.isAhead : NOT_AHEAD;
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
				if (keys[lane] !== key) {
					this.#leaveOut(slot, lane);
					continue;
				}
				this.#writeContact(slot, lane, rows[next[lane]!]!, contacts, isAhead);
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
		const given = this.#given + lanes * CONTACT_GIVEN * slot;
		for (let k = 0; k < lanes * CONTACT_GIVEN; k += lanes) numbers[given + k + to] = numbers[given + k + from]!;
		this.#slotRow[to]![slot] = this.#slotRow[from]![slot]!;
	}

	/** Zeros for a lane without the contact of a slot. */
	#leaveOut(slot: number, lane: number): void {
		const { numbers, lanes } = this.#memory;
		const to = this.#given + lanes * CONTACT_GIVEN * slot + lane;
		this.#slotRow[lane]![slot] = -1;
		for (let k = 0; k < CONTACT_GIVEN; k++) numbers[to + lanes * k] = k === STIFFNESS ? 1 : 0;
	}

	/** Normal, points and material of a contact; `isAhead` tells those that only may touch, by row. */
	#writeContact(slot: number, lane: number, row: number, contacts: Contacts, isAhead: Uint8Array): void {
		const { numbers, lanes } = this.#memory;
		const { rigidNormal: normal, rigidPoint0, rigidOffset0, rigidPoint1, rigidOffset1 } = contacts;
		this.#slotRow[lane]![slot] = row;
		const to = this.#given + lanes * CONTACT_GIVEN * slot + lane;
		const x = 3 * row;
		const y = x + 1;
		const z = x + 2;
		numbers[to] = normal[x]!;
		numbers[to + lanes] = normal[y]!;
		numbers[to + 2 * lanes] = normal[z]!;
		const first = to + lanes * POINT0;
		numbers[first] = rigidPoint0[x]! + rigidOffset0[x]!;
		numbers[first + lanes] = rigidPoint0[y]! + rigidOffset0[y]!;
		numbers[first + 2 * lanes] = rigidPoint0[z]! + rigidOffset0[z]!;
		const second = to + lanes * POINT1;
		numbers[second] = rigidPoint1[x]! + rigidOffset1[x]!;
		numbers[second + lanes] = rigidPoint1[y]! + rigidOffset1[y]!;
		numbers[second + 2 * lanes] = rigidPoint1[z]! + rigidOffset1[z]!;
		const shape0 = contacts.rigidShape0[row]!;
		const shape1 = contacts.rigidShape1[row]!;
		if (this.#isHeld(shape0)) this.#holdPoint(shape0, first);
		if (this.#isHeld(shape1)) this.#holdPoint(shape1, second);
		const materials = this.#materials;
		materials.combine(shape0, shape1);
		numbers[to + lanes * MU] = materials.mu;
		numbers[to + lanes * STIFFNESS] = materials.stiffness;
		numbers[to + lanes * TAU] = materials.tau;
		numbers[to + lanes * SHARE] = this.#atMidpoint && isAhead[row] !== 1 ? materials.share : NOT_BETWEEN;
	}

	/** Whether a shape belongs to a body of no tree. */
	#isHeld(shape: number): boolean {
		return shape >= 0 && this.#slotOf[shape]! < 0 && this.#model.shapeBody[shape]! >= 0;
	}

	/** Puts a point of a body of no tree, which stands where the model has it, into the world. */
	#holdPoint(shape: number, at: number): void {
		const { shapeBody, bodyQ } = this.#model;
		const body = shapeBody[shape]!;
		const { numbers, lanes } = this.#memory;
		const x = numbers[at]!;
		const y = numbers[at + lanes]!;
		const z = numbers[at + 2 * lanes]!;
		const b = 7 * body;
		const qx = bodyQ[b + 3]!;
		const qy = bodyQ[b + 4]!;
		const qz = bodyQ[b + 5]!;
		const qw = bodyQ[b + 6]!;
		const cx = qy * z - qz * y;
		const cy = qz * x - qx * z;
		const cz = qx * y - qy * x;
		numbers[at] = bodyQ[b]! + x + 2 * (qw * cx + qy * cz - qz * cy);
		numbers[at + lanes] = bodyQ[b + 1]! + y + 2 * (qw * cy + qz * cx - qx * cz);
		numbers[at + 2 * lanes] = bodyQ[b + 2]! + z + 2 * (qw * cz + qx * cy - qy * cx);
	}

	/** Writes the forces that the kernels found: on body 0 of each contact, with the torque about its centre of mass before the step. */
	writeForces(force: Float64Array, slots: number, worlds: Int32Array): void {
		const { numbers, lanes } = this.#memory;
		const own = ownLanes(worlds);
		for (let lane = 0; lane < own; lane++) {
			const rows = this.#slotRow[lane]!;
			for (let slot = 0; slot < slots; slot++) {
				const row = rows[slot]!;
				if (row < 0) continue;
				const from = this.#force + lanes * 6 * slot + lane;
				for (let k = 0; k < 6; k++) force[6 * row + k] = numbers[from + lanes * k]!;
			}
		}
	}

	/** Makes room for contacts and keeps what is written. */
	#reserve(contacts: number, columns: number): void {
		const memory = this.#memory;
		const old = { capacity: this.#contactCapacity, given: this.#given };
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
		this.#given = array('contactGiven', CONTACT_GIVEN * contacts);
		memory.numbers.copyWithin(this.#given, old.given, old.given + memory.lanes * CONTACT_GIVEN * old.capacity);
		array('contactInput', CONTACT_INPUT * contacts);
		array('contactArm', 3 * contacts);
		this.#force = array('contactForce', 6 * contacts);
		array('contactJacobian', 3 * columns);
		array('contactRt', contacts);
		array('contactRn', contacts);
		array('contactTarget', 3 * contacts);
		array('contactVelocity', 3 * contacts);
		array('contactChange', 3 * contacts);
		array('contactImpulse', 3 * contacts);
		array('contactHessian', 6 * contacts);
		array('contactSlip', 5 * contacts);
		array('contactIsActive', contacts);
		array('contactIsOpen', contacts);
		memory.set('lineContacts', memory.table(contacts));
		this.#contactCapacity = contacts;
		this.#columnCapacity = columns;
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
