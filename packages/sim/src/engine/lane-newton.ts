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
	/** By place: its number in the problem, -1 where its tree takes no part. */
	readonly #column: Int32Array;
	/** Of the lane at hand: places of its contacts among all that lie side by side, and its rows. */
	#contacts = new Int32Array(16);
	#rows = new Int32Array(16);
	readonly #at = {} as Record<(typeof NUMBERS)[number], number>;
	readonly #table = {} as Record<(typeof TABLES)[number], number>;
	/** Of the memory when the places were read. */
	#version = -1;

	/** With `startsFree` the first guess is free motion. */
	constructor(memory: KernelMemory, plan: EnginePlan, newton: SparseNewton, startsFree: boolean) {
		this.#memory = memory;
		this.#plan = plan;
		this.#newton = newton;
		this.#startsFree = startsFree;
		this.#column = new Int32Array(plan.dofCount);
	}

	/** Solves for the first `own` lanes, which have worlds of their own, and repeats the last of them in the others. */
	solve(own: number, places: number): void {
		if (this.#version !== this.#memory.version) this.#findPlaces();
		let contacts = 0;
		for (let lane = 0; lane < own; lane++) {
			contacts = this.#solveLane(lane, places);
			this.#give(lane, contacts);
		}
		for (let lane = own; lane < this.#memory.lanes; lane++) this.#give(lane, contacts);
	}

	#findPlaces(): void {
		for (const name of NUMBERS) this.#at[name] = this.#memory.placeOf(name);
		for (const name of TABLES) this.#table[name] = this.#memory.tableOf(name);
		this.#version = this.#memory.version;
	}

	/** Hands the problem of a lane over and solves it. Gives the number of its contacts. */
	#solveLane(lane: number, places: number): number {
		const { integers, lanes } = this.#memory;
		const table = this.#table;
		const dofs = this.#numberColumns(lane);
		let massEntries = 0;
		for (let p = 0; p < this.#plan.dofCount; p++)
			if (this.#column[p]! >= 0) massEntries += p - this.#plan.subtree[p]! + 1;
		const none = this.#memory.valueOf('noRecord');
		let contacts = 0;
		let contactEntries = 0;
		if (places > this.#contacts.length) this.#contacts = new Int32Array(2 * places);
		for (let place = 0; place < places; place++) {
			if (integers[table.contactRecords + lanes * place + lane] === none) continue;
			this.#contacts[contacts++] = place;
			contactEntries += integers[integers[table.contactColumns + place]! >> 2]!;
		}
		const allRows = this.#memory.valueOf('rowCount');
		const units = this.#memory.valueOf('unitCount');
		let rows = 0;
		let rowEntries = 0;
		if (allRows > this.#rows.length) this.#rows = new Int32Array(2 * allRows);
		for (let row = 0; row < allRows; row++) {
			if (!this.#memory.isSet(this.#at.rowIsThere + lanes * row + lane)) continue;
			this.#rows[rows++] = row;
			rowEntries += row < units ? 1 : integers[integers[table.extraColumns + row - units]! >> 2]!;
		}
		this.#newton.begin(dofs, massEntries, contacts, contactEntries, rows, rowEntries);
		this.#writeTrees(lane);
		this.#writeContacts(lane, contacts);
		this.#writeRows(lane, rows, units);
		this.#newton.run();
		return contacts;
	}

	/** Numbers the degrees of freedom of the trees that take part. Gives how many there are. */
	#numberColumns(lane: number): number {
		const { treeCount, treePlace } = this.#plan;
		const isUsed = this.#at.isUsed + lane;
		let count = 0;
		for (let tree = 0; tree < treeCount; tree++) {
			const isIn = this.#memory.isSet(isUsed + this.#memory.lanes * tree);
			for (let p = treePlace[tree]!; p < treePlace[tree + 1]!; p++) this.#column[p] = isIn ? count++ : -1;
		}
		return count;
	}

	/** Mass matrix, free motion and guess. */
	#writeTrees(lane: number): void {
		const { numbers: from, lanes } = this.#memory;
		const { numbers, integers, at: to } = this.#newton;
		const { subtree, base } = this.#plan;
		const at = this.#at;
		const column = this.#column;
		let entry = to.massValues;
		for (let p = 0; p < column.length; p++) {
			const own = column[p]!;
			if (own < 0) continue;
			integers[to.massFirst + own] = column[subtree[p]!]!;
			const row = at.mass + lanes * base[p]! + lane;
			for (let c = subtree[p]!; c <= p; c++) numbers[entry++] = from[row + lanes * c]!;
			const free = from[at.vStar + lanes * p + lane]!;
			numbers[to.vStar + own] = free;
			numbers[to.velocity + own] = this.#startsFree ? free : from[at.v0 + lanes * p + lane]!;
		}
	}

	/** Contacts that the lane has, in its order. */
	#writeContacts(lane: number, contacts: number): void {
		const { numbers: from, integers: tables, lanes } = this.#memory;
		const { numbers, integers, at: to } = this.#newton;
		const at = this.#at;
		const table = this.#table;
		const column = this.#column;
		let entry = 0;
		integers[to.contactStart] = 0;
		for (let c = 0; c < contacts; c++) {
			const place = this.#contacts[c]!;
			const columns = tables[table.contactColumns + place]! >> 2;
			const count = tables[columns]!;
			let jacobian = at.contactJacobian + 3 * lanes * tables[table.contactStart + place]! + lane;
			let own = to.contactJacobian + 3 * entry;
			for (let k = 0; k < count; k++) {
				integers[to.contactColumn + entry++] = column[tables[columns + 2 + 2 * k]!]!;
				numbers[own] = from[jacobian]!;
				numbers[own + 1] = from[jacobian + lanes]!;
				numbers[own + 2] = from[jacobian + 2 * lanes]!;
				own += 3;
				jacobian += 3 * lanes;
			}
			integers[to.contactStart + c + 1] = entry;
			numbers[to.contactMu + c] = from[at.contactInput + lanes * (CONTACT_INPUT * place + MU) + lane]!;
			numbers[to.contactRt + c] = from[at.contactRt + lanes * place + lane]!;
			numbers[to.contactRn + c] = from[at.contactRn + lanes * place + lane]!;
			const target = at.contactTarget + 3 * lanes * place + lane;
			for (let k = 0; k < 3; k++) numbers[to.contactVHat + 3 * c + k] = from[target + lanes * k]!;
		}
	}

	/** Rows that the lane has; the first `units` of the kernels' have one entry. */
	#writeRows(lane: number, rows: number, units: number): void {
		const { numbers: from, integers: tables, lanes } = this.#memory;
		const { numbers, integers, at: to } = this.#newton;
		const at = this.#at;
		const table = this.#table;
		let entry = 0;
		integers[to.rowStart] = 0;
		for (let r = 0; r < rows; r++) {
			const row = this.#rows[r]!;
			const place = lanes * row + lane;
			if (row < units) {
				integers[to.rowColumn + entry] = this.#column[tables[table.rowPlace + row]!]!;
				numbers[to.rowJacobian + entry++] = from[at.rowSign + place]!;
			} else {
				const columns = tables[table.extraColumns + row - units]! >> 2;
				const jacobian = at.extraJacobian + lanes * tables[table.extraStart + row - units]! + lane;
				for (let k = 0; k < tables[columns]!; k++) {
					integers[to.rowColumn + entry] = this.#column[tables[columns + 1 + k]!]!;
					numbers[to.rowJacobian + entry++] = from[jacobian + lanes * k]!;
				}
			}
			integers[to.rowStart + r + 1] = entry;
			numbers[to.rowR + r] = from[at.rowR + place]!;
			numbers[to.rowVHat + r] = from[at.rowTarget + place]!;
			numbers[to.rowLower + r] = from[at.rowLower + place]!;
			numbers[to.rowUpper + r] = from[at.rowUpper + place]!;
		}
	}

	/** Gives the kernels the solution and the impulses of the contacts that the lane has; nobody reads those of others. */
	#give(lane: number, contacts: number): void {
		const { numbers: to, lanes } = this.#memory;
		const { numbers, at: from, iterations, lineSearchEvaluations, relativeResidual, stop } = this.#newton;
		const at = this.#at;
		for (let p = 0; p < this.#plan.dofCount; p++) {
			const own = this.#column[p]!;
			to[at.solution + lanes * p + lane] = own < 0 ? to[at.vStar + lanes * p + lane]! : numbers[from.velocity + own]!;
		}
		const impulse = at.contactImpulse + lane;
		for (let c = 0; c < contacts; c++) {
			const place = impulse + 3 * lanes * this.#contacts[c]!;
			for (let k = 0; k < 3; k++) to[place + lanes * k] = numbers[from.contactImpulse + 3 * c + k]!;
		}
		const results = at.results + lane;
		to[results] = iterations;
		to[results + lanes] = lineSearchEvaluations;
		to[results + 2 * lanes] = relativeResidual;
		to[results + 3 * lanes] = stop;
	}
}
