import { ModelError } from '../model-error.ts';
import type { AttributeValues } from './attribute-values.ts';
import type { Model } from './model.ts';

/** Options of {@link Model.createContacts}. @public */
export interface ContactsOptions {
	/** Most rigid contacts; left out, the builder's number per world times the worlds, or 64 for each world. */
	readonly rigidCapacity?: number;
	/** Most contacts of particles. */
	readonly softCapacity?: number;
	/** Whether contacts carry a force. */
	readonly withForce?: boolean;
	/** Whether contacts carry a stiffness, a damping and a factor of friction of their own. */
	readonly withMaterial?: boolean;
}

/** Rigid contacts that each world gets room for when nothing says otherwise. @public */
export const CONTACTS_PER_WORLD = 64;

/**
 * Contacts of one moment, in arrays of fixed size. Only the first `rigidCount` and `softCount` rows mean something.
 * `rigidFound` and `softFound` count what was found, also beyond the capacity. @public
 */
export class Contacts {
	readonly rigidCapacity: number;
	readonly softCapacity: number;
	/** First and second shape; shape (capacity). */
	readonly rigidShape0: Int32Array;
	readonly rigidShape1: Int32Array;
	/** Contact points in the frames of the bodies [m]; shape (capacity, 3). */
	readonly rigidPoint0: Float64Array;
	readonly rigidPoint1: Float64Array;
	/** Normal times effective radius in the frames of the bodies [m]; shape (capacity, 3). */
	readonly rigidOffset0: Float64Array;
	readonly rigidOffset1: Float64Array;
	/** Unit normal in world axes, from shape 0 to shape 1; shape (capacity, 3). */
	readonly rigidNormal: Float64Array;
	/** Effective radius plus margin [m]; shape (capacity). */
	readonly rigidMargin0: Float64Array;
	readonly rigidMargin1: Float64Array;
	/** The same contact in the previous set, -1 for new; shape (capacity). */
	readonly rigidMatchIndex: Int32Array;
	/** Force [N] and torque [N·m] on body 0 at its centre of mass, in world axes; shape (capacity, 6). On request. */
	readonly rigidForce: Float64Array | undefined;
	/** Stiffness [N/m] instead of that of the shapes' materials, 0 for theirs; shape (capacity). On request. */
	readonly rigidStiffness: Float64Array | undefined;
	/** Damping [N·s/m] that goes with the stiffness, 0 for critical; shape (capacity). On request. */
	readonly rigidDamping: Float64Array | undefined;
	/** Factor of the shapes' friction coefficients, 0 for 1; shape (capacity). On request. */
	readonly rigidFriction: Float64Array | undefined;
	/** Particles that touch, -1 padded; shape (capacity, 3). */
	readonly softIndices: Int32Array;
	/** Weights of those particles; shape (capacity, 3). */
	readonly softBarycentric: Float64Array;
	/** Shape; shape (capacity). */
	readonly softShape: Int32Array;
	/** Contact point in the body frame [m]; shape (capacity, 3). */
	readonly softBodyPos: Float64Array;
	/** Velocity of that point [m/s]; shape (capacity, 3). */
	readonly softBodyVel: Float64Array;
	/** Unit normal in world axes; shape (capacity, 3). */
	readonly softNormal: Float64Array;
	/** Custom attributes with owner `contacts`. */
	readonly attributes: AttributeValues;
	/** Contacts found since the last clear, kept or not. */
	rigidFound = 0;
	softFound = 0;
	/** Grows with every clear. */
	generation = 0;

	constructor(model: Model, options: ContactsOptions = {}) {
		this.rigidCapacity = capacity(
			options.rigidCapacity ?? (model.rigidContactMax || CONTACTS_PER_WORLD * model.worldCount),
		);
		this.softCapacity = capacity(options.softCapacity ?? 0);
		const n = this.rigidCapacity;
		const s = this.softCapacity;
		this.rigidShape0 = new Int32Array(n).fill(-1);
		this.rigidShape1 = new Int32Array(n).fill(-1);
		this.rigidPoint0 = new Float64Array(3 * n);
		this.rigidPoint1 = new Float64Array(3 * n);
		this.rigidOffset0 = new Float64Array(3 * n);
		this.rigidOffset1 = new Float64Array(3 * n);
		this.rigidNormal = new Float64Array(3 * n);
		this.rigidMargin0 = new Float64Array(n);
		this.rigidMargin1 = new Float64Array(n);
		this.rigidMatchIndex = new Int32Array(n).fill(-1);
		this.rigidForce = options.withForce ? new Float64Array(6 * n) : undefined;
		this.rigidStiffness = options.withMaterial ? new Float64Array(n) : undefined;
		this.rigidDamping = options.withMaterial ? new Float64Array(n) : undefined;
		this.rigidFriction = options.withMaterial ? new Float64Array(n) : undefined;
		this.softIndices = new Int32Array(3 * s).fill(-1);
		this.softBarycentric = new Float64Array(3 * s);
		this.softShape = new Int32Array(s).fill(-1);
		this.softBodyPos = new Float64Array(3 * s);
		this.softBodyVel = new Float64Array(3 * s);
		this.softNormal = new Float64Array(3 * s);
		this.attributes = model.attributesOf('contacts').clone();
	}

	/** Rows that mean something. */
	get rigidCount(): number {
		return Math.min(this.rigidFound, this.rigidCapacity);
	}

	get softCount(): number {
		return Math.min(this.softFound, this.softCapacity);
	}

	/** Whether contacts were found that there was no room for. */
	get hasOverflow(): boolean {
		return this.rigidFound > this.rigidCapacity || this.softFound > this.softCapacity;
	}

	/** Takes the next row for a rigid contact, -1 when there is none left; it is counted all the same. */
	nextRigid(): number {
		const row = this.rigidFound++;
		return row < this.rigidCapacity ? row : -1;
	}

	/** Takes the next row for a contact of particles, -1 when there is none left; it is counted all the same. */
	nextSoft(): number {
		const row = this.softFound++;
		return row < this.softCapacity ? row : -1;
	}

	/** Forgets all contacts. Rows keep their old numbers, which mean nothing from then on; those of materials become 0. */
	clear(): void {
		const count = this.rigidCount;
		// one by one: a list of them would be an object for every step
		this.rigidStiffness?.fill(0, 0, count);
		this.rigidDamping?.fill(0, 0, count);
		this.rigidFriction?.fill(0, 0, count);
		this.rigidFound = 0;
		this.softFound = 0;
		this.generation++;
	}
}

function capacity(value: number): number {
	if (!Number.isInteger(value) || value < 0) {
		throw new ModelError('MODEL001', `contact capacity is ${value}, expected a whole number of 0 or more`, {
			kind: 'contacts',
		});
	}
	return value;
}
