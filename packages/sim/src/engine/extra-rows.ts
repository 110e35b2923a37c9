import type { SapProblem } from '../sap/sap-problem.ts';
import { type EngineMemory, LANES } from './engine-memory.ts';

/** Numbers of a row that the kernels get: target, R, bounds, and a mask of the lanes that have it. */
const EXTRA_INPUT = 5;
const IS_THERE = 4;

/** Rows of several entries that the terms in TypeScript made for the world of one lane. */
class LaneRows {
	count = 0;
	/** First entry of each row, then the total. */
	start = new Int32Array(17);
	column = new Int32Array(64);
	jacobian = new Float64Array(64);
	/** Target, R, lower, upper; four for each row. */
	law = new Float64Array(64);
	isDrive = new Uint8Array(16);

	take(problem: SapProblem, isDrive: (row: number) => boolean): void {
		const { rowCount, rowStart, rowColumn, rowJacobian, rowVHat, rowR, rowLower, rowUpper } = problem;
		this.count = rowCount;
		const entries = rowCount === 0 ? 0 : rowStart[rowCount]!;
		if (rowCount > this.isDrive.length) {
			this.start = new Int32Array(2 * rowCount + 1);
			this.law = new Float64Array(8 * rowCount);
			this.isDrive = new Uint8Array(2 * rowCount);
		}
		if (entries > this.column.length) {
			this.column = new Int32Array(2 * entries);
			this.jacobian = new Float64Array(2 * entries);
		}
		for (let row = 0; row <= rowCount; row++) this.start[row] = rowCount === 0 ? 0 : rowStart[row]!;
		for (let k = 0; k < entries; k++) {
			this.column[k] = rowColumn[k]!;
			this.jacobian[k] = rowJacobian[k]!;
		}
		for (let row = 0; row < rowCount; row++) {
			this.law[4 * row] = rowVHat[row]!;
			this.law[4 * row + 1] = rowR[row]!;
			this.law[4 * row + 2] = rowLower[row]!;
			this.law[4 * row + 3] = rowUpper[row]!;
			this.isDrive[row] = isDrive(row) ? 1 : 0;
		}
	}
}

/**
 * Rows of loops, couplings, actuators and tendons, which the terms in TypeScript make for each world, side by side for the kernels:
 * rows of two lanes with the same columns share a place.
 */
export class ExtraRows {
	readonly #memory: EngineMemory;
	readonly #lanes = Array.from({ length: LANES }, () => new LaneRows());
	/** Tables of columns that are written already. */
	readonly #tables = new Map<string, number>();
	#rowCapacity = 0;
	#entryCapacity = 0;
	#columns = 0;
	#start = 0;
	#isDrive = 0;
	#input = 0;
	#jacobian = 0;

	constructor(memory: EngineMemory) {
		this.#memory = memory;
		this.#reserve(8, 64);
	}

	/** Takes the rows of a problem for a lane; `isDrive` says whose work counts. */
	take(lane: number, problem: SapProblem, isDrive: (row: number) => boolean): void {
		this.#lanes[lane]!.take(problem, isDrive);
	}

	/** Forgets the rows that were taken. */
	clear(): void {
		for (const lane of this.#lanes) lane.count = 0;
	}

	/** Writes the rows of all lanes. Gives their number. */
	place(): number {
		const first = this.#lanes[0]!;
		const second = this.#lanes[1]!;
		const count = first.count + second.count;
		if (count === 0) return 0;
		const entries = first.start[first.count]! + second.start[second.count]!;
		if (count > this.#rowCapacity || entries > this.#entryCapacity) {
			this.#reserve(Math.max(count, 2 * this.#rowCapacity), Math.max(entries, 2 * this.#entryCapacity));
		}
		let i = 0;
		let j = 0;
		let row = 0;
		let entry = 0;
		while (i < first.count || j < second.count) {
			const isShared = i < first.count && j < second.count && hasSameColumns(first, i, second, j);
			const row0 = isShared || i < first.count ? i++ : -1;
			const row1 = isShared || row0 < 0 ? j++ : -1;
			const own = row0 >= 0 ? first : second;
			const at = row0 >= 0 ? row0 : row1;
			const width = own.start[at + 1]! - own.start[at]!;
			const { integers } = this.#memory;
			integers[this.#start + row] = entry;
			integers[this.#isDrive + row] = own.isDrive[at]!;
			// rows mostly have the columns that the row at their place had in the step before
			if (!this.#hasColumns(integers[this.#columns + row]!, own, at)) {
				const table = this.#tableOf(own, at);
				// a new table may have moved the views
				this.#memory.integers[this.#columns + row] = table;
			}
			this.#write(0, row, entry, width, row0);
			this.#write(1, row, entry, width, row1);
			row++;
			entry += width;
		}
		return row;
	}

	#write(lane: number, row: number, entry: number, width: number, from: number): void {
		const { numbers, integers } = this.#memory;
		const rows = this.#lanes[lane]!;
		const to = this.#input + LANES * EXTRA_INPUT * row + lane;
		for (let k = 0; k < 4; k++) numbers[to + LANES * k] = from < 0 ? (k === 1 ? 1 : 0) : rows.law[4 * from + k]!;
		const mask = 2 * (to + LANES * IS_THERE);
		integers[mask] = from < 0 ? 0 : -1;
		integers[mask + 1] = from < 0 ? 0 : -1;
		for (let k = 0; k < width; k++) {
			numbers[this.#jacobian + LANES * (entry + k) + lane] = from < 0 ? 0 : rows.jacobian[rows.start[from]! + k]!;
		}
	}

	/** Whether the table at an address, 0 for none, has the columns of a row. */
	#hasColumns(table: number, rows: LaneRows, row: number): boolean {
		if (table === 0) return false;
		const { integers } = this.#memory;
		const start = rows.start[row]!;
		const count = rows.start[row + 1]! - start;
		const at = table >> 2;
		if (integers[at] !== count) return false;
		for (let k = 0; k < count; k++) if (integers[at + 1 + k] !== rows.column[start + k]) return false;
		return true;
	}

	/** Address of the table of the columns of a row: their number, then the places. */
	#tableOf(rows: LaneRows, row: number): number {
		const columns = rows.column.subarray(rows.start[row]!, rows.start[row + 1]!);
		const key = columns.join();
		const known = this.#tables.get(key);
		if (known !== undefined) return known;
		const table = this.#memory.table([columns.length, ...columns]);
		this.#tables.set(key, table);
		return table;
	}

	#reserve(rows: number, entries: number): void {
		const memory = this.#memory;
		const table = (name: string): number => {
			const address = memory.table(rows);
			memory.set(name, address);
			return address / 4;
		};
		const array = (name: string, size: number): number => {
			const address = memory.array(size);
			memory.set(name, address);
			return address / 8;
		};
		this.#columns = table('extraColumns');
		this.#start = table('extraStart');
		this.#isDrive = table('extraIsDrive');
		this.#input = array('extraInput', EXTRA_INPUT * rows);
		this.#jacobian = array('extraJacobian', entries);
		this.#rowCapacity = rows;
		this.#entryCapacity = entries;
	}
}

function hasSameColumns(a: LaneRows, i: number, b: LaneRows, j: number): boolean {
	const width = a.start[i + 1]! - a.start[i]!;
	if (b.start[j + 1]! - b.start[j]! !== width || a.isDrive[i] !== b.isDrive[j]) return false;
	for (let k = 0; k < width; k++) if (a.column[a.start[i]! + k] !== b.column[b.start[j]! + k]) return false;
	return true;
}
