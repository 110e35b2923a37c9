import type { Contacts, Model } from '@manyworlds/model';
import { WorldContacts } from '../collision/world-contacts.ts';
import type { TreeStructure } from '../dynamics/tree-structure.ts';
import { type ContactMaterials, MaterialPart } from '../sap/contact-materials.ts';
import type { KernelMemory } from '../wasm/kernel-memory.ts';
import { ContactColumns } from './contact-columns.ts';
import type { EnginePlan } from './engine-plan.ts';

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
export interface ContactExports {
	/** Lays the contacts of the first lanes side by side. Gives the number of places, or `-1 - key` when the columns of a key are missing. */
	readonly pairContacts: (own: number) => number;
}

/**
 * Hands the contacts of the worlds of a group to the kernels as records, lane after lane, and takes their forces from there. The kernels lay
 * them side by side.
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
	/** Two bodies are one number in this base. */
	readonly #keyBase: number;
	/** Columns of a contact at most. */
	readonly #mostColumns: number;
	#capacity = 0;
	#records = 0;
	#keys = 0;
	readonly #laneRecords: number;

	constructor(
		exports: ContactExports,
		memory: KernelMemory,
		plan: EnginePlan,
		structure: TreeStructure,
		materials: ContactMaterials,
		atMidpoint: boolean,
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
		this.#keyBase = plan.jointCount + 1;
		this.#mostColumns = this.#columns.most;
		const laneRecords = memory.table(memory.lanes);
		memory.set('laneRecords', laneRecords);
		this.#laneRecords = laneRecords / 4;
		memory.set('keyBase', this.#keyBase);
		const noRecord = memory.doublesAt(RECORD);
		memory.doubles[noRecord / 8 + MATERIAL + MaterialPart.STIFFNESS] = 1;
		memory.set('noRecord', noRecord);
		this.#reserve(16);
	}

	/**
	 * Gives the contacts of the worlds of the lanes to the kernels. Those of world w are `rows[start[w]]`
	 * to before `rows[start[w + 1]]`. Gives the number of places in which they lie side by side.
	 */
	place(worlds: Int32Array, contacts: Contacts, rows: Int32Array, start: Int32Array): number {
		const own = ownLanes(worlds);
		let count = own;
		for (let lane = 0; lane < own; lane++) count += start[worlds[lane]! + 1]! - start[worlds[lane]!]!;
		if (count > this.#capacity) this.#reserve(2 * count);
		const { integers } = this.#memory;
		let record = 0;
		for (let lane = 0; lane < own; lane++) {
			const first = start[worlds[lane]!]!;
			const end = start[worlds[lane]! + 1]!;
			integers[this.#laneRecords + lane] = record;
			this.#write(contacts, rows, first, end, record);
			record += end - first;
			integers[this.#keys + record++] = NO_KEY;
		}
		let places = this.#exports.pairContacts(own);
		while (places < 0) {
			this.#columns.make(-1 - places);
			places = this.#exports.pairContacts(own);
		}
		return places;
	}

	/** Writes normals, points, materials and bodies of the contacts in `rows[first]` to before `rows[end]` to the records from `record` on. */
	#write(contacts: Contacts, rows: Int32Array, first: number, end: number, record: number): void {
		const { doubles, integers } = this.#memory;
		const { rigidNormal, rigidPoint0, rigidOffset0, rigidPoint1, rigidOffset1, rigidShape0, rigidShape1 } = contacts;
		const isAhead = contacts instanceof WorldContacts ? contacts.isAhead : NOT_AHEAD;
		const jointOf = this.#jointOf;
		const isHeld = this.#isHeld;
		const keyBase = this.#keyBase;
		const materials = this.#materials;
		const atMidpoint = this.#atMidpoint;
		let key = this.#keys + record;
		let to = this.#records + RECORD * record;
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
	 * Writes the forces that the kernels found on the contacts of the worlds of the lanes: on body 0 of each, with the torque about its centre of
	 * mass before the step.
	 */
	writeForces(force: Float64Array, worlds: Int32Array, rows: Int32Array, start: Int32Array): void {
		const { doubles } = this.#memory;
		const own = ownLanes(worlds);
		let from = this.#records + FORCE;
		for (let lane = 0; lane < own; lane++) {
			const end = start[worlds[lane]! + 1]!;
			for (let i = start[worlds[lane]!]!; i < end; i++) {
				const to = 6 * rows[i]!;
				for (let k = 0; k < 6; k++) force[to + k] = doubles[from + k]!;
				from += RECORD;
			}
			from += RECORD;
		}
	}

	/** Makes room for so many contacts. */
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
		this.#keys = table('recordKeys', contacts);
		const records = memory.doublesAt(RECORD * contacts);
		memory.set('records', records);
		this.#records = records / 8;
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

/** Lanes with a world of their own: those behind repeat the last of them. */
export function ownLanes(worlds: Int32Array): number {
	let own = worlds.length;
	while (own > 1 && worlds[own - 1] === worlds[own - 2]) own--;
	return own;
}

/** More than every pair of bodies, as the kernels have it. */
const NO_KEY = 2 ** 30;

/** Joint of its world that moves each shape, from 1; 0 for shapes of bodies of no tree, which may belong to no world, and of the world. */
function jointsOfShapes({ model, treeOf }: TreeStructure, plan: EnginePlan): Int32Array {
	const jointOfBody = new Int32Array(model.bodyCount);
	for (const { body: first } of plan.worlds)
		for (const [joint, body] of plan.body.entries()) jointOfBody[first + body] = joint + 1;
	return Int32Array.from(model.shapeBody, (body) => (body < 0 || treeOf[body]! < 0 ? 0 : jointOfBody[body]!));
}
