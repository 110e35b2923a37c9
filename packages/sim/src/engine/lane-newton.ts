import { SapProblem } from '../sap/sap-problem.ts';
import type { KernelMemory } from '../wasm/kernel-memory.ts';
import type { EnginePlan } from './engine-plan.ts';
import type { SparseNewton } from './sparse-newton.ts';

/** Numbers that the kernels make of a contact, and where its friction is among them. */
const CONTACT_INPUT = 19;
const MU = 15;

/** Where the kernels have what a problem is made of; they move when memory grows. */
const NUMBERS = [
	'isUsed',
	'mass',
	'vStar',
	'v0',
	'isFixed',
	'contactInput',
	'contactJacobian',
	'contactRt',
	'contactRn',
	'contactTarget',
	'contactImpulse',
	'rowSign',
	'rowIsThere',
	'rowTarget',
	'rowR',
	'rowLower',
	'rowUpper',
	'extraJacobian',
	'solution',
	'results',
] as const;
const TABLES = ['contactColumns', 'contactStart', 'contactRecords', 'rowPlace', 'extraColumns', 'extraStart'] as const;

/**
 * Solves the problems that the kernels have built for the worlds of a group, lane after lane, by blocks of bodies: for worlds of many
 * trees, in which the order of least work depends on what touches. Trees without constraints take no part.
 */
export class LaneNewton {
	readonly #memory: KernelMemory;
	readonly #plan: EnginePlan;
	readonly #newton: SparseNewton;
	readonly #startsFree: boolean;
	readonly #problem = new SapProblem();
	/** Velocities: the guess, then the solution. */
	readonly #v: Float64Array;
	/** By place: its number in the problem, -1 where its tree takes no part. */
	readonly #column: Int32Array;
	/** Places, among all that lie side by side, of the contacts of the lane. */
	#contact = new Int32Array(16);
	readonly #at = {} as Record<(typeof NUMBERS)[number], number>;
	readonly #table = {} as Record<(typeof TABLES)[number], number>;

	/** With `startsFree` the first guess is free motion. */
	constructor(memory: KernelMemory, plan: EnginePlan, newton: SparseNewton, startsFree: boolean) {
		this.#memory = memory;
		this.#plan = plan;
		this.#newton = newton;
		this.#startsFree = startsFree;
		this.#v = new Float64Array(plan.dofCount);
		this.#column = new Int32Array(plan.dofCount);
	}

	/** Solves for the first `own` lanes, which have worlds of their own, and repeats the last of them in the others. */
	solve(own: number, contacts: number): void {
		for (const name of NUMBERS) this.#at[name] = this.#memory.placeOf(name);
		for (const name of TABLES) this.#table[name] = this.#memory.tableOf(name);
		for (let lane = 0; lane < own; lane++) {
			this.#takeTrees(lane);
			this.#takeContacts(lane, contacts);
			this.#takeRows(lane);
			this.#newton.solve(this.#problem, this.#v);
			this.#give(lane, contacts);
		}
		for (let lane = own; lane < this.#memory.lanes; lane++) this.#give(lane, contacts);
	}

	/** Mass matrix, free motion and guess of the trees that take part. */
	#takeTrees(lane: number): void {
		const { numbers, lanes } = this.#memory;
		const { treeCount, treePlace, subtree, base } = this.#plan;
		const at = this.#at;
		const column = this.#column;
		let count = 0;
		for (let tree = 0; tree < treeCount; tree++) {
			const isIn = this.#memory.isSet(at.isUsed + lanes * tree + lane);
			for (let p = treePlace[tree]!; p < treePlace[tree + 1]!; p++) column[p] = isIn ? count++ : -1;
		}
		const problem = this.#problem;
		problem.reset(count);
		const { mass, vStar } = problem;
		for (let p = 0; p < column.length; p++) if (column[p]! >= 0) mass.widen(column[p]!, column[subtree[p]!]!);
		mass.layOut();
		const { values } = mass;
		const v = this.#v;
		for (let p = 0, to = 0; p < column.length; p++) {
			const own = column[p]!;
			if (own < 0) continue;
			const row = at.mass + lanes * base[p]! + lane;
			for (let c = subtree[p]!; c <= p; c++) values[to++] = numbers[row + lanes * c]!;
			const free = numbers[at.vStar + lanes * p + lane]!;
			const isFree = this.#startsFree || this.#memory.isSet(at.isFixed + lanes * p + lane);
			vStar[own] = free;
			v[own] = isFree ? free : numbers[at.v0 + lanes * p + lane]!;
		}
	}

	/** Contacts that the lane has, in its order. */
	#takeContacts(lane: number, contacts: number): void {
		const { integers, lanes } = this.#memory;
		const none = this.#memory.valueOf('noRecord');
		const records = this.#table.contactRecords + lane;
		for (let c = 0; c < contacts; c++) if (integers[records + lanes * c] !== none) this.#takeContact(lane, c);
	}

	#takeContact(lane: number, contact: number): void {
		const { numbers, integers, lanes } = this.#memory;
		const problem = this.#problem;
		const at = this.#at;
		const c = problem.addContact(numbers[at.contactInput + lanes * (CONTACT_INPUT * contact + MU) + lane]!);
		if (c >= this.#contact.length) this.#contact = withRoom(this.#contact);
		this.#contact[c] = contact;
		const table = integers[this.#table.contactColumns + contact]! >> 2;
		const count = integers[table]!;
		problem.reserveContactColumns(count);
		const { contactColumn, contactJacobian, contactStart, contactVHat } = problem;
		let from = at.contactJacobian + 3 * lanes * integers[this.#table.contactStart + contact]! + lane;
		let to = contactStart[c + 1]!;
		for (let k = 0; k < count; k++) {
			contactColumn[to] = this.#column[integers[table + 2 + 2 * k]!]!;
			contactJacobian[3 * to] = numbers[from]!;
			contactJacobian[3 * to + 1] = numbers[from + lanes]!;
			contactJacobian[3 * to + 2] = numbers[from + 2 * lanes]!;
			from += 3 * lanes;
			to++;
		}
		contactStart[c + 1] = to;
		problem.contactRt[c] = numbers[at.contactRt + lanes * contact + lane]!;
		problem.contactRn[c] = numbers[at.contactRn + lanes * contact + lane]!;
		const target = at.contactTarget + 3 * lanes * contact + lane;
		for (let k = 0; k < 3; k++) contactVHat[3 * c + k] = numbers[target + lanes * k]!;
	}

	/** Rows that the lane has: those of one entry, then those of several. */
	#takeRows(lane: number): void {
		const { numbers, integers, lanes } = this.#memory;
		const problem = this.#problem;
		const at = this.#at;
		const rows = this.#memory.valueOf('rowCount');
		const units = this.#memory.valueOf('unitCount');
		for (let row = 0; row < rows; row++) {
			const place = lanes * row + lane;
			if (!this.#memory.isSet(at.rowIsThere + place)) continue;
			const isUnit = row < units;
			const own = isUnit
				? problem.addUnitRow(this.#column[integers[this.#table.rowPlace + row]!]!)
				: problem.addRow(0, 0);
			if (isUnit) problem.rowJacobian[problem.rowStart[own]!] = numbers[at.rowSign + place]!;
			else this.#takeColumns(lane, row - units);
			problem.rowR[own] = numbers[at.rowR + place]!;
			problem.rowVHat[own] = numbers[at.rowTarget + place]!;
			problem.rowLower[own] = numbers[at.rowLower + place]!;
			problem.rowUpper[own] = numbers[at.rowUpper + place]!;
		}
	}

	/** Entries of the row of several that was added last. */
	#takeColumns(lane: number, extra: number): void {
		const { numbers, integers, lanes } = this.#memory;
		const table = integers[this.#table.extraColumns + extra]! >> 2;
		const first = integers[this.#table.extraStart + extra]!;
		const from = this.#at.extraJacobian + lanes * first + lane;
		for (let k = 0; k < integers[table]!; k++)
			this.#problem.addRowColumn(this.#column[integers[table + 1 + k]!]!, numbers[from + lanes * k]!);
	}

	/** Gives the kernels the solution and the impulses of contacts; those that the lane has not push nothing. */
	#give(lane: number, contacts: number): void {
		const { numbers, lanes } = this.#memory;
		const at = this.#at;
		const v = this.#v;
		for (let p = 0; p < this.#plan.dofCount; p++) {
			const column = this.#column[p]!;
			numbers[at.solution + lanes * p + lane] = column < 0 ? numbers[at.vStar + lanes * p + lane]! : v[column]!;
		}
		const impulse = at.contactImpulse + lane;
		for (let i = 0; i < 3 * contacts; i++) numbers[impulse + lanes * i] = 0;
		const { contactCount, contactImpulse } = this.#problem;
		for (let c = 0; c < contactCount; c++) {
			const to = impulse + 3 * lanes * this.#contact[c]!;
			for (let k = 0; k < 3; k++) numbers[to + lanes * k] = contactImpulse[3 * c + k]!;
		}
		const { iterations, lineSearchEvaluations, relativeResidual, stop } = this.#newton;
		const results = at.results + lane;
		numbers[results] = iterations;
		numbers[results + lanes] = lineSearchEvaluations;
		numbers[results + 2 * lanes] = relativeResidual;
		numbers[results + 3 * lanes] = stop;
	}
}

/** Twice as many entries. */
function withRoom(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
	const larger = new Int32Array(2 * array.length);
	larger.set(array);
	return larger;
}
