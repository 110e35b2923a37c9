import type { SapProblem } from '../sap/sap-problem.ts';
import type { KernelMemory } from '../wasm/kernel-memory.ts';

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
 * rows of lanes with the same columns share a place.
 */
export class ExtraRows {
	readonly #memory: KernelMemory;
	readonly #lanes: readonly LaneRows[];
	/** Next row of each lane. */
	readonly #next: Int32Array;
	/** Tables of columns that are written already. */
	readonly #tables = new Map<string, number>();
	#rowCapacity = 0;
	#entryCapacity = 0;
	#columns = 0;
	#start = 0;
	#isDrive = 0;
	#input = 0;
	#jacobian = 0;

	constructor(memory: KernelMemory) {
		this.#memory = memory;
		this.#lanes = Array.from({ length: memory.lanes }, () => new LaneRows());
		this.#next = new Int32Array(memory.lanes);
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
		const lanes = this.#lanes;
		const next = this.#next;
		let count = 0;
		let entries = 0;
		for (let lane = 0; lane < lanes.length; lane++) {
			const rows = lanes[lane]!;
			next[lane] = 0;
			count += rows.count;
			entries += rows.count === 0 ? 0 : rows.start[rows.count]!;
		}
		if (count === 0) return 0;
		if (count > this.#rowCapacity || entries > this.#entryCapacity) {
			this.#reserve(Math.max(count, 2 * this.#rowCapacity), Math.max(entries, 2 * this.#entryCapacity));
		}
		let row = 0;
		let entry = 0;
		for (let first = 0; ; row++) {
			while (first < lanes.length && next[first]! === lanes[first]!.count) first++;
			if (first === lanes.length) return row;
			const own = lanes[first]!;
			const at = next[first]!;
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
			for (let lane = 0; lane < lanes.length; lane++) {
				const other = lanes[lane]!;
				const isShared =
					lane === first || (lane > first && next[lane]! < other.count && hasSameColumns(own, at, other, next[lane]!));
				this.#write(lane, row, entry, width, isShared ? next[lane]! : -1);
				if (isShared) next[lane]! += 1;
			}
			entry += width;
		}
	}

	#write(lane: number, row: number, entry: number, width: number, from: number): void {
		const { numbers, lanes } = this.#memory;
		const rows = this.#lanes[lane]!;
		const to = this.#input + lanes * EXTRA_INPUT * row + lane;
		for (let k = 0; k < 4; k++) numbers[to + lanes * k] = from < 0 ? (k === 1 ? 1 : 0) : rows.law[4 * from + k]!;
		this.#memory.setMask(to + lanes * IS_THERE, from >= 0);
		for (let k = 0; k < width; k++) {
			numbers[this.#jacobian + lanes * (entry + k) + lane] = from < 0 ? 0 : rows.jacobian[rows.start[from]! + k]!;
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
			return memory.place(address);
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
