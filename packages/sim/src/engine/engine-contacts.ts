import type { Contacts, Model } from '@manyworlds/model';
import { WorldContacts } from '../collision/world-contacts.ts';
import type { TreeStructure } from '../dynamics/tree-structure.ts';
import type { ContactGroups } from '../sap/contact-groups.ts';
import { type ContactMaterials, MaterialPart } from '../sap/contact-materials.ts';
import type { KernelMemory } from '../wasm/kernel-memory.ts';
import { ContactColumns } from './contact-columns.ts';
import type { EnginePlan } from './engine-plan.ts';
import { StagedContacts, type StagedExports } from './staged-contacts.ts';

/**
 * Numbers of a record, by which host and kernels tell each other of a contact: normal, a point in the frame of each body, material
 * (`MaterialPart`; a negative share for a point on each surface); then its force and torque.
 */
const RECORD = 19;
const POINT0 = 3;
const POINT1 = 6;
const MATERIAL = 9;
const FORCE = 13;

/** Numbers that the kernels make of a contact. */
const CONTACT_INPUT = 19;

/** Contacts that somebody else has found touch. */
const NOT_AHEAD = new Uint8Array(0);

/** Where a contact that acts on each surface for itself acts between them. */
const NOT_BETWEEN = -1;

/** What the kernels export for contacts. */
export interface ContactExports extends StagedExports {
	/**
	 * Lays the contacts of the first lanes of a group of the batch side by side. Gives the number of places, or `-1 - key` when the columns of a
	 * key are missing.
	 */
	readonly pairContacts: (group: number, own: number) => number;
}

/** Runs of contacts that were sorted by world. */
type SortedRows = Pick<ContactGroups, 'rows' | 'start' | 'isInOrder'>;

/**
 * Hands the contacts of the worlds of a batch to the kernels as records, world after world, and takes their forces from there. The kernels lay
 * those of the worlds of a group side by side. Contacts of a buffer by world go as they are and become records there; of others, and where bodies
 * of no tree touch, records are written here.
 */
export class EngineContacts {
	readonly #exports: ContactExports;
	readonly #memory: KernelMemory;
	readonly #model: Model;
	readonly #materials: ContactMaterials;
	/** Whether contacts act at one point between the surfaces. */
	readonly #atMidpoint: boolean;
	readonly #columns: ContactColumns;
	/** By shape: the joint that moves it, counted within its world from 1; 0 for what does not move. */
	readonly #jointOf: Int32Array;
	/** By shape: 1 for those of bodies of no tree. */
	readonly #isHeld: Uint8Array;
	/** Whether the kernels can make the records. */
	readonly #canStage: boolean;
	readonly #staged: StagedContacts;
	/** Two bodies are one number in this base. */
	readonly #keyBase: number;
	/** Columns of a contact at most. */
	readonly #mostColumns: number;
	/** Contacts of a group, and of a batch, that there is room for. */
	#capacity = 0;
	#recordCapacity = 0;
	#records = 0;
	#keys = 0;
	readonly #start: number;
	/** Of the batch at hand: its first contact among those that are sorted, how many there are, and whether they went as they are. */
	#begin = 0;
	#count = 0;
	#isStaged = false;

	/** A batch has so many worlds at most. */
	constructor(
		exports: ContactExports,
		memory: KernelMemory,
		plan: EnginePlan,
		structure: TreeStructure,
		materials: ContactMaterials,
		atMidpoint: boolean,
		mostWorlds: number,
	) {
		this.#exports = exports;
		this.#memory = memory;
		this.#model = structure.model;
		this.#materials = materials;
		this.#atMidpoint = atMidpoint;
		this.#columns = new ContactColumns(plan, memory);
		this.#jointOf = jointsOfShapes(structure, plan);
		this.#isHeld = Uint8Array.from(structure.model.shapeBody, (body, shape) =>
			body >= 0 && this.#jointOf[shape] === 0 ? 1 : 0,
		);
		this.#canStage = !this.#isHeld.includes(1);
		this.#keyBase = plan.jointCount + 1;
		this.#mostColumns = this.#columns.most;
		const start = memory.table(mostWorlds + 1);
		memory.set('recordStart', start);
		this.#start = start / 4;
		memory.set('keyBase', this.#keyBase);
		memory.set('atMidpoint', atMidpoint ? 1 : 0);
		memory.set('shapeJoint', memory.table(this.#jointOf));
		const noRecord = memory.doublesAt(RECORD);
		memory.doubles[noRecord / 8 + MATERIAL + MaterialPart.STIFFNESS] = 1;
		memory.set('noRecord', noRecord);
		this.#staged = new StagedContacts(exports, memory, this.#model, materials, mostWorlds);
		this.#reserve(16);
		this.#reserveRecords(16);
	}

	/** Gives the contacts of worlds `first` to before `last` to the kernels. */
	take(first: number, last: number, contacts: Contacts, { rows, start, isInOrder }: SortedRows): void {
		const begin = start[first]!;
		const count = start[last]! - begin;
		if (count > this.#recordCapacity) this.#reserveRecords(2 * count);
		this.#begin = begin;
		this.#count = count;
		const { integers } = this.#memory;
		for (let world = first; world <= last; world++) integers[this.#start + world - first] = start[world]! - begin;
		if (count === 0) return;
		this.#isStaged = this.#canStage && isInOrder && contacts instanceof WorldContacts;
		if (this.#isStaged) this.#staged.take(first, last, contacts as WorldContacts, begin, count);
		else this.#write(contacts, rows, begin, begin + count);
	}

	/** Lays the contacts of a group of the batch, of which so many lanes have worlds of their own, side by side. Gives the number of places. */
	place(group: number, own: number): number {
		const { integers, lanes } = this.#memory;
		const first = this.#start + lanes * group;
		const count = integers[first + own]! - integers[first]!;
		if (count === 0) return 0;
		if (count > this.#capacity) this.#reserve(2 * count);
		let places = this.#exports.pairContacts(group, own);
		while (places < 0) {
			this.#columns.make(-1 - places);
			places = this.#exports.pairContacts(group, own);
		}
		return places;
	}

	/** Writes normals, points, materials and bodies of the contacts in `rows[first]` to before `rows[end]` to the records. */
	#write(contacts: Contacts, rows: Int32Array, first: number, end: number): void {
		const { doubles, integers } = this.#memory;
		const { rigidNormal, rigidPoint0, rigidOffset0, rigidPoint1, rigidOffset1, rigidShape0, rigidShape1 } = contacts;
		const isAhead = contacts instanceof WorldContacts ? contacts.isAhead : NOT_AHEAD;
		const jointOf = this.#jointOf;
		const isHeld = this.#isHeld;
		const keyBase = this.#keyBase;
		const materials = this.#materials;
		const atMidpoint = this.#atMidpoint;
		let key = this.#keys;
		let to = this.#records;
		for (let i = first; i < end; i++) {
			const row = rows[i]!;
			const x = 3 * row;
			const y = x + 1;
			const z = x + 2;
			doubles[to] = rigidNormal[x]!;
			doubles[to + 1] = rigidNormal[y]!;
			doubles[to + 2] = rigidNormal[z]!;
			doubles[to + POINT0] = rigidPoint0[x]! + rigidOffset0[x]!;
			doubles[to + POINT0 + 1] = rigidPoint0[y]! + rigidOffset0[y]!;
			doubles[to + POINT0 + 2] = rigidPoint0[z]! + rigidOffset0[z]!;
			doubles[to + POINT1] = rigidPoint1[x]! + rigidOffset1[x]!;
			doubles[to + POINT1 + 1] = rigidPoint1[y]! + rigidOffset1[y]!;
			doubles[to + POINT1 + 2] = rigidPoint1[z]! + rigidOffset1[z]!;
			const shape0 = rigidShape0[row]!;
			const shape1 = rigidShape1[row]!;
			integers[key++] = (shape0 < 0 ? 0 : jointOf[shape0]!) * keyBase + (shape1 < 0 ? 0 : jointOf[shape1]!);
			if (shape0 >= 0 && isHeld[shape0] === 1) this.#holdPoint(shape0, to + POINT0);
			if (shape1 >= 0 && isHeld[shape1] === 1) this.#holdPoint(shape1, to + POINT1);
			materials.combine(shape0, shape1, doubles, to + MATERIAL);
			// those that only may touch act on each surface for itself
			if (!atMidpoint || isAhead[row] === 1) doubles[to + MATERIAL + MaterialPart.SHARE] = NOT_BETWEEN;
			to += RECORD;
		}
	}

	/** Puts a point of a body of no tree, which stands where the model has it, into the world. */
	#holdPoint(shape: number, at: number): void {
		const { shapeBody, bodyQ } = this.#model;
		const body = shapeBody[shape]!;
		const { doubles } = this.#memory;
		const x = doubles[at]!;
		const y = doubles[at + 1]!;
		const z = doubles[at + 2]!;
		const b = 7 * body;
		const qx = bodyQ[b + 3]!;
		const qy = bodyQ[b + 4]!;
		const qz = bodyQ[b + 5]!;
		const qw = bodyQ[b + 6]!;
		const cx = qy * z - qz * y;
		const cy = qz * x - qx * z;
		const cz = qx * y - qy * x;
		doubles[at] = bodyQ[b]! + x + 2 * (qw * cx + qy * cz - qz * cy);
		doubles[at + 1] = bodyQ[b + 1]! + y + 2 * (qw * cy + qz * cx - qx * cz);
		doubles[at + 2] = bodyQ[b + 2]! + z + 2 * (qw * cz + qx * cy - qy * cx);
	}

	/**
	 * Writes the forces that the kernels found on the contacts of all worlds of the batch: on body 0 of each, with the torque about its centre of
	 * mass before the step.
	 */
	give(force: Float64Array, { rows }: SortedRows): void {
		if (this.#count === 0) return;
		if (this.#isStaged) this.#staged.give(force, this.#begin, this.#count);
		else this.#copyForces(force, rows, this.#begin, this.#begin + this.#count);
	}

	/** Writes those of one world of the batch. */
	giveWorld(world: number, force: Float64Array, { rows, start }: SortedRows): void {
		this.#copyForces(force, rows, start[world]!, start[world + 1]!);
	}

	/** Copies the forces of the contacts `rows[from]` to before `rows[end]` of the batch. */
	#copyForces(force: Float64Array, rows: Int32Array, from: number, end: number): void {
		const { doubles } = this.#memory;
		let record = this.#records + RECORD * (from - this.#begin) + FORCE;
		for (let i = from; i < end; i++) {
			const to = 6 * rows[i]!;
			for (let k = 0; k < 6; k++) force[to + k] = doubles[record + k]!;
			record += RECORD;
		}
	}

	/** Makes room for so many contacts of a batch. */
	#reserveRecords(contacts: number): void {
		const memory = this.#memory;
		const keys = memory.table(contacts);
		memory.set('recordKeys', keys);
		this.#keys = keys / 4;
		const records = memory.doublesAt(RECORD * contacts);
		memory.set('records', records);
		this.#records = records / 8;
		this.#staged.reserve(contacts);
		this.#recordCapacity = contacts;
	}

	/** Makes room for so many contacts of a group. */
	#reserve(contacts: number): void {
		const memory = this.#memory;
		const table = (name: string, size: number): number => {
			const address = memory.table(size);
			memory.set(name, address);
			return address / 4;
		};
		for (const name of ['contactColumns', 'contactStart', 'contactBody0', 'contactBody1', 'lineContacts'])
			table(name, contacts + 1);
		table('contactRecords', memory.lanes * contacts);
		const array = (name: string, size: number): void => memory.set(name, memory.array(size));
		array('contactInput', CONTACT_INPUT * contacts);
		array('contactArm', 3 * contacts);
		array('contactJacobian', 3 * this.#mostColumns * contacts);
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
		this.#capacity = contacts;
	}
}

/** Joint of its world that moves each shape, from 1; 0 for shapes of bodies of no tree, which may belong to no world, and of the world. */
function jointsOfShapes({ model, treeOf }: TreeStructure, plan: EnginePlan): Int32Array {
	const jointOfBody = new Int32Array(model.bodyCount);
	for (const { body: first } of plan.worlds)
		for (const [joint, body] of plan.body.entries()) jointOfBody[first + body] = joint + 1;
	return Int32Array.from(model.shapeBody, (body) => (body < 0 || treeOf[body]! < 0 ? 0 : jointOfBody[body]!));
}
