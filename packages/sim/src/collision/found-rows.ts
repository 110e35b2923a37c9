import type { KernelMemory } from '../wasm/kernel-memory.ts';
import type { WorldContacts } from './world-contacts.ts';

/** Arrays of contacts as the kernels name them: three numbers a contact, one number, an integer. */
export const ROW_VECTORS = ['rowPoint0', 'rowPoint1', 'rowOffset0', 'rowOffset1', 'rowNormal'] as const;
export const ROW_NUMBERS = ['rowMargin0', 'rowMargin1'] as const;
export const ROW_INTEGERS = ['rowShape0', 'rowShape1'] as const;

type RowArray = (typeof ROW_VECTORS)[number] | (typeof ROW_NUMBERS)[number] | (typeof ROW_INTEGERS)[number];

type Addresses = Readonly<Record<RowArray | 'rowIsAhead', number>>;

/** Contacts up to which copying one by one is quicker than calls that copy arrays. */
const FEW = 12;

/** The first contacts that kernels have found, by array. */
interface FirstRows {
	readonly point0: Float64Array;
	readonly point1: Float64Array;
	readonly offset0: Float64Array;
	readonly offset1: Float64Array;
	readonly normal: Float64Array;
	readonly margin0: Float64Array;
	readonly margin1: Float64Array;
	readonly shape0: Int32Array;
	readonly shape1: Int32Array;
	readonly isAhead: Uint8Array;
}

/** Contacts that kernels have found, in their memory: arrays as those of `Contacts`. */
export class FoundRows {
	readonly #memory: KernelMemory;
	readonly #at: Addresses;
	#bytes: Uint8Array;
	/** By number of contacts, while the memory stays where it is. */
	#first: (FirstRows | undefined)[] = [];

	constructor(memory: KernelMemory) {
		this.#memory = memory;
		const addresses = [...ROW_VECTORS, ...ROW_NUMBERS, ...ROW_INTEGERS, 'rowIsAhead' as const].map((name) => [
			name,
			memory.valueOf(name),
		]);
		this.#at = Object.fromEntries(addresses) as Addresses;
		this.#bytes = new Uint8Array(memory.doubles.buffer);
	}

	/** Copies contacts `from` to before `to` to rows of a buffer, `row` and behind. */
	copy(from: number, to: number, contacts: WorldContacts, row: number): void {
		const { buffer } = this.#memory.doubles;
		if (this.#bytes.buffer !== buffer) {
			this.#bytes = new Uint8Array(buffer);
			this.#first = [];
		}
		contacts.rigidMatchIndex.fill(-1, row, row + to - from);
		if (from > 0 || to <= FEW) this.#copyOneByOne(from, to, contacts, row);
		else this.#copyArrays((this.#first[to] ??= this.#view(to)), contacts, row);
	}

	#copyArrays(rows: FirstRows, contacts: WorldContacts, row: number): void {
		contacts.rigidPoint0.set(rows.point0, 3 * row);
		contacts.rigidPoint1.set(rows.point1, 3 * row);
		contacts.rigidOffset0.set(rows.offset0, 3 * row);
		contacts.rigidOffset1.set(rows.offset1, 3 * row);
		contacts.rigidNormal.set(rows.normal, 3 * row);
		contacts.rigidMargin0.set(rows.margin0, row);
		contacts.rigidMargin1.set(rows.margin1, row);
		contacts.rigidShape0.set(rows.shape0, row);
		contacts.rigidShape1.set(rows.shape1, row);
		contacts.isAhead.set(rows.isAhead, row);
	}

	#copyOneByOne(from: number, to: number, contacts: WorldContacts, row: number): void {
		const { doubles, integers } = this.#memory;
		const at = this.#at;
		const { rigidPoint0, rigidPoint1, rigidOffset0, rigidOffset1, rigidNormal } = contacts;
		const point0 = at.rowPoint0 / 8;
		const point1 = at.rowPoint1 / 8;
		const offset0 = at.rowOffset0 / 8;
		const offset1 = at.rowOffset1 / 8;
		const normal = at.rowNormal / 8;
		const shift = 3 * (row - from);
		for (let i = 3 * from; i < 3 * to; i++) {
			rigidPoint0[shift + i] = doubles[point0 + i]!;
			rigidPoint1[shift + i] = doubles[point1 + i]!;
			rigidOffset0[shift + i] = doubles[offset0 + i]!;
			rigidOffset1[shift + i] = doubles[offset1 + i]!;
			rigidNormal[shift + i] = doubles[normal + i]!;
		}
		const { rigidMargin0, rigidMargin1, rigidShape0, rigidShape1, isAhead } = contacts;
		const margin0 = at.rowMargin0 / 8;
		const margin1 = at.rowMargin1 / 8;
		const shape0 = at.rowShape0 / 4;
		const shape1 = at.rowShape1 / 4;
		for (let i = from; i < to; i++) {
			const own = row - from + i;
			rigidMargin0[own] = doubles[margin0 + i]!;
			rigidMargin1[own] = doubles[margin1 + i]!;
			rigidShape0[own] = integers[shape0 + i]!;
			rigidShape1[own] = integers[shape1 + i]!;
			isAhead[own] = this.#bytes[at.rowIsAhead + i]!;
		}
	}

	#view(count: number): FirstRows {
		const { doubles, integers } = this.#memory;
		const at = this.#at;
		const numbers = (address: number, width: number): Float64Array =>
			doubles.subarray(address / 8, address / 8 + width * count);
		const whole = (address: number): Int32Array => integers.subarray(address / 4, address / 4 + count);
		return {
			point0: numbers(at.rowPoint0, 3),
			point1: numbers(at.rowPoint1, 3),
			offset0: numbers(at.rowOffset0, 3),
			offset1: numbers(at.rowOffset1, 3),
			normal: numbers(at.rowNormal, 3),
			margin0: numbers(at.rowMargin0, 1),
			margin1: numbers(at.rowMargin1, 1),
			shape0: whole(at.rowShape0),
			shape1: whole(at.rowShape1),
			isAhead: this.#bytes.subarray(at.rowIsAhead, at.rowIsAhead + count),
		};
	}
}
