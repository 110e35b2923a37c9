import { EnvelopeMatrix } from './envelope-matrix.ts';

/**
 * One convex problem: find the velocities that minimise `½ (v − v*)ᵀ A (v − v*) + Σ l(J v)` (Castro, Permenter and Han 2022).
 *
 * Constraints are of two kinds. A contact has three rows (tangent, tangent, normal) whose impulse lies in a friction cone.
 * A scalar row has an impulse between two bounds; limits, drives, couplers, loops and dry friction are all scalar rows. Each
 * has a regularisation R and a target velocity `vHat`; its impulse is the projection of `(vHat − J v) / R`.
 *
 * Memory grows when needed and is kept: a problem that is filled anew every step allocates nothing in the long run.
 */
export class SapProblem {
	/** A: masses, armature, and damping times the step. */
	readonly mass: EnvelopeMatrix = new EnvelopeMatrix();
	/** Velocities of free motion; shape (dofs). */
	vStar: Float64Array = new Float64Array(16);

	contactCount = 0;
	/** First column entry of each contact, then the total. */
	contactStart: Int32Array = new Int32Array(32);
	/** Degree of freedom of each column entry, ascending within a contact. */
	contactColumn: Int32Array = new Int32Array(64);
	/** Three numbers for each column entry: rows tangent, tangent, normal of the Jacobian. */
	contactJacobian: Float64Array = new Float64Array(192);
	/** Friction coefficient. */
	contactMu: Float64Array = new Float64Array(16);
	/** Largest impulse of friction where it is known before the step, negative where it goes with the normal impulse. */
	contactBound: Float64Array = new Float64Array(16);
	/** Regularisation of the tangents and of the normal. */
	contactRt: Float64Array = new Float64Array(16);
	contactRn: Float64Array = new Float64Array(16);
	/** Target velocity; three numbers each. */
	contactVHat: Float64Array = new Float64Array(48);
	/** J v and J d of the search direction; three numbers each. */
	contactVelocity: Float64Array = new Float64Array(48);
	contactChange: Float64Array = new Float64Array(48);
	/** Impulse; three numbers each. */
	contactImpulse: Float64Array = new Float64Array(48);
	/** Hessian of the cost: 00 01 11 02 12 22; six numbers each. */
	contactHessian: Float64Array = new Float64Array(96);
	/** A `ContactMode` each. */
	contactMode: Uint8Array = new Uint8Array(16);
	/** How each contact slides, see {@link SLIP}. */
	contactSlip: Float64Array = new Float64Array(16 * SLIP);

	/** Square of the impulse that is added to the norm of tangents, so that directions stay defined at rest [N²·s²]. */
	softSquare = 0;
	/** Sums of the costs of contacts and of rows at the velocities evaluated last. */
	contactCost = 0;
	rowCost = 0;

	rowCount = 0;
	rowStart: Int32Array = new Int32Array(32);
	rowColumn: Int32Array = new Int32Array(64);
	rowJacobian: Float64Array = new Float64Array(64);
	rowR: Float64Array = new Float64Array(16);
	rowVHat: Float64Array = new Float64Array(16);
	/** Bounds of the impulse. */
	rowLower: Float64Array = new Float64Array(16);
	rowUpper: Float64Array = new Float64Array(16);
	rowVelocity: Float64Array = new Float64Array(16);
	rowChange: Float64Array = new Float64Array(16);
	rowImpulse: Float64Array = new Float64Array(16);
	/** 1 while the impulse is not at a bound. */
	rowIsInside: Uint8Array = new Uint8Array(16);

	get dofCount(): number {
		return this.mass.size;
	}

	/** Starts anew with room for `dofs` velocities and no constraint. The caller lays out the mass matrix and fills `vStar`. */
	reset(dofs: number): void {
		this.mass.reset(dofs);
		if (dofs > this.vStar.length) this.vStar = new Float64Array(Math.max(dofs, 2 * this.vStar.length));
		this.contactCount = 0;
		this.rowCount = 0;
	}

	/** Adds a contact without columns; regularise it after its columns are in. Gives its index. */
	addContact(mu: number): number {
		const c = this.contactCount++;
		if (c >= this.contactMu.length) this.#growContacts();
		this.contactMu[c] = mu;
		this.contactBound[c] = -1;
		this.contactVHat[3 * c] = 0;
		this.contactVHat[3 * c + 1] = 0;
		this.contactVHat[3 * c + 2] = 0;
		this.contactStart[c + 1] = this.contactStart[c]!;
		return c;
	}

	/** Adds a column to the contact added last. Columns must come in ascending order of `dof`. */
	addContactColumn(dof: number, tangent0: number, tangent1: number, normal: number): void {
		const at = this.contactStart[this.contactCount]!;
		if (at >= this.contactColumn.length) {
			this.contactColumn = grow(this.contactColumn, Int32Array);
			this.contactJacobian = grow(this.contactJacobian, Float64Array);
		}
		this.contactColumn[at] = dof;
		this.contactJacobian[3 * at] = tangent0;
		this.contactJacobian[3 * at + 1] = tangent1;
		this.contactJacobian[3 * at + 2] = normal;
		this.contactStart[this.contactCount] = at + 1;
	}

	/**
	 * Makes room for columns of the contact added last, so that a hot loop can write `contactColumn` and `contactJacobian`
	 * itself: numbers that go through calls are boxed.
	 */
	reserveContactColumns(count: number): void {
		while (this.contactStart[this.contactCount]! + count > this.contactColumn.length) {
			this.contactColumn = grow(this.contactColumn, Int32Array);
			this.contactJacobian = grow(this.contactJacobian, Float64Array);
		}
	}

	/** Adds a scalar row with one column of 1, whose bounds and regularisation the caller writes. Gives its index. */
	addUnitRow(dof: number): number {
		const r = this.rowCount++;
		if (r >= this.rowR.length) this.#growRows();
		const at = this.rowStart[r]!;
		if (at >= this.rowColumn.length) {
			this.rowColumn = grow(this.rowColumn, Int32Array);
			this.rowJacobian = grow(this.rowJacobian, Float64Array);
		}
		this.rowColumn[at] = dof;
		this.rowJacobian[at] = 1;
		this.rowStart[r + 1] = at + 1;
		return r;
	}

	/** Adds a scalar row without columns. Gives its index. */
	addRow(lower: number, upper: number): number {
		const r = this.rowCount++;
		if (r >= this.rowR.length) this.#growRows();
		this.rowLower[r] = lower;
		this.rowUpper[r] = upper;
		this.rowVHat[r] = 0;
		this.rowStart[r + 1] = this.rowStart[r]!;
		return r;
	}

	/** Adds a column to the row added last. Columns must come in ascending order of `dof`. */
	addRowColumn(dof: number, value: number): void {
		const at = this.rowStart[this.rowCount]!;
		if (at >= this.rowColumn.length) {
			this.rowColumn = grow(this.rowColumn, Int32Array);
			this.rowJacobian = grow(this.rowJacobian, Float64Array);
		}
		this.rowColumn[at] = dof;
		this.rowJacobian[at] = value;
		this.rowStart[this.rowCount] = at + 1;
	}

	/** Writes J v of every constraint into `contactVelocity` and `rowVelocity`. */
	computeVelocities(v: Float64Array): void {
		multiplyContacts(this, v, this.contactVelocity);
		multiplyRows(this, v, this.rowVelocity);
	}

	/** Moves the velocities of constraints by `alpha` times their changes. */
	advanceVelocities({ alpha }: { readonly alpha: number }): void {
		const { contactVelocity, contactChange, rowVelocity, rowChange } = this;
		const count = 3 * this.contactCount;
		for (let i = 0; i < count; i++) contactVelocity[i] = contactVelocity[i]! + alpha * contactChange[i]!;
		for (let r = 0; r < this.rowCount; r++) rowVelocity[r] = rowVelocity[r]! + alpha * rowChange[r]!;
	}

	/** Writes J d of every constraint into `contactChange` and `rowChange`. */
	computeChanges(d: Float64Array): void {
		multiplyContacts(this, d, this.contactChange);
		multiplyRows(this, d, this.rowChange);
	}

	#growContacts(): void {
		this.contactStart = grow(this.contactStart, Int32Array);
		this.contactMu = grow(this.contactMu, Float64Array);
		this.contactBound = grow(this.contactBound, Float64Array);
		this.contactRt = grow(this.contactRt, Float64Array);
		this.contactRn = grow(this.contactRn, Float64Array);
		this.contactVHat = grow(this.contactVHat, Float64Array);
		this.contactVelocity = grow(this.contactVelocity, Float64Array);
		this.contactChange = grow(this.contactChange, Float64Array);
		this.contactImpulse = grow(this.contactImpulse, Float64Array);
		this.contactHessian = grow(this.contactHessian, Float64Array);
		this.contactMode = grow(this.contactMode, Uint8Array);
		this.contactSlip = grow(this.contactSlip, Float64Array);
	}

	#growRows(): void {
		this.rowStart = grow(this.rowStart, Int32Array);
		this.rowR = grow(this.rowR, Float64Array);
		this.rowVHat = grow(this.rowVHat, Float64Array);
		this.rowLower = grow(this.rowLower, Float64Array);
		this.rowUpper = grow(this.rowUpper, Float64Array);
		this.rowVelocity = grow(this.rowVelocity, Float64Array);
		this.rowChange = grow(this.rowChange, Float64Array);
		this.rowImpulse = grow(this.rowImpulse, Float64Array);
		this.rowIsInside = grow(this.rowIsInside, Uint8Array);
	}
}

/**
 * Numbers of how a contact slides: the direction of its slip, by how much a velocity across turns that (0 where it does not slide,
 * negative once friction is foreseen), and the direction of friction, which `foreseeFriction` takes ahead of the slip.
 */
export const SLIP = 5;
export const SLIP_PACE = 2;
export const SLIP_FRICTION = 3;

/** What a contact does. @public */
export const ContactMode = { NONE: 0, STICK: 1, SLIDE: 2, FRICTIONLESS: 3 } as const;
/** One of the numbers of {@link ContactMode}. @public */
export type ContactMode = (typeof ContactMode)[keyof typeof ContactMode];

type Numbers = Float64Array | Int32Array | Uint8Array;

function grow<T extends Numbers>(old: T, type: new (length: number) => T): T {
	const larger = new type(2 * old.length);
	larger.set(old);
	return larger;
}

function multiplyContacts(problem: SapProblem, x: Float64Array, out: Float64Array): void {
	const { contactStart, contactColumn, contactJacobian, contactCount } = problem;
	for (let c = 0; c < contactCount; c++) {
		let a = 0;
		let b = 0;
		let n = 0;
		const end = contactStart[c + 1]!;
		for (let k = contactStart[c]!; k < end; k++) {
			const value = x[contactColumn[k]!]!;
			a += contactJacobian[3 * k]! * value;
			b += contactJacobian[3 * k + 1]! * value;
			n += contactJacobian[3 * k + 2]! * value;
		}
		out[3 * c] = a;
		out[3 * c + 1] = b;
		out[3 * c + 2] = n;
	}
}

function multiplyRows(problem: SapProblem, x: Float64Array, out: Float64Array): void {
	const { rowStart, rowColumn, rowJacobian, rowCount } = problem;
	for (let r = 0; r < rowCount; r++) {
		let sum = 0;
		const end = rowStart[r + 1]!;
		for (let k = rowStart[r]!; k < end; k++) sum += rowJacobian[k]! * x[rowColumn[k]!]!;
		out[r] = sum;
	}
}
