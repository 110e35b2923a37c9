/** Memory of an instance of WebAssembly, whose types are part of no platform that this package asks for. */
export interface InstanceMemory {
	readonly buffer: ArrayBuffer;
	grow(pages: number): number;
}

/** What an instance of kernels has whose memory the host hands out; addresses that the host sets stand beside it. */
export interface KernelExports {
	readonly memory: InstanceMemory;
	/** First address that the host may use. */
	readonly heapStart: () => number;
}

/** Bytes of a vector of lanes. */
export const VECTOR = 16;
const PAGE = 65536;

/** Bytes of a number of the kernels: two worlds of 64 bits stand side by side, or four of 32. */
export type NumberBytes = 4 | 8;

/**
 * The memory of an instance of kernels. Room is handed out and never taken back: arrays have one vector of lanes for each
 * entry, tables one integer. Views are new after each growth, so they are asked for anew.
 */
export class KernelMemory {
	/** Worlds that stand side by side. */
	readonly lanes: number;
	/** All of the memory; entry e of lane l of an array is at `place(array) + lanes * e + l`. */
	numbers: Float64Array | Float32Array;
	/** The same as numbers of 64 bits and as integers. */
	doubles: Float64Array;
	integers: Int32Array;
	readonly #exports: KernelExports;
	readonly #bytes: NumberBytes;
	#next: number;

	constructor(exports: KernelExports, bytes: NumberBytes) {
		this.#exports = exports;
		this.#bytes = bytes;
		this.lanes = VECTOR / bytes;
		this.#next = roundUp(exports.heapStart());
		const { buffer } = exports.memory;
		this.doubles = new Float64Array(buffer);
		this.numbers = bytes === 8 ? this.doubles : new Float32Array(buffer);
		this.integers = new Int32Array(buffer);
	}

	/** Where an address is among `numbers`. */
	place(address: number): number {
		return address / this.#bytes;
	}

	/** Sets all bits of a number or none; as a number it would be one of many that are none, of which engines keep a single one. */
	setMask(place: number, isSet: boolean): void {
		const words = this.#bytes / 4;
		for (let word = 0; word < words; word++) this.integers[words * place + word] = isSet ? -1 : 0;
	}

	/** Whether a mask is set. */
	isSet(place: number): boolean {
		return this.integers[(this.#bytes / 4) * place] !== 0;
	}

	/** Room for an array of so many entries. Gives its address. */
	array(entries: number): number {
		return this.#reserve(VECTOR * entries);
	}

	/** Room for numbers of 64 bits, filled with values or zeros. Gives their address. */
	doublesAt(values: ArrayLike<number> | number): number {
		const length = typeof values === 'number' ? values : values.length;
		const address = this.#reserve(8 * length);
		if (typeof values !== 'number') this.doubles.set(values, address / 8);
		return address;
	}

	/** Room for a table, filled with values or zeros. Gives its address. */
	table(values: ArrayLike<number> | number): number {
		const length = typeof values === 'number' ? values : values.length;
		const address = this.#reserve(4 * length);
		if (typeof values !== 'number') this.integers.set(values, address / 4);
		return address;
	}

	/** How often a variable was set: addresses that were read before may be others now. */
	version = 0;

	/** Sets one of the kernels' variables. */
	set(name: string, value: number): void {
		this.#variable(name).value = value;
		this.version++;
	}

	/** Where an array is among `numbers` now, by the kernels' variable with its address. */
	placeOf(name: string): number {
		return this.place(this.valueOf(name));
	}

	/** Where a table is among `integers` now, by the kernels' variable with its address. */
	tableOf(name: string): number {
		return this.valueOf(name) / 4;
	}

	/** One of the kernels' variables. */
	valueOf(name: string): number {
		return this.#variable(name).value;
	}

	#variable(name: string): { value: number } {
		return (this.#exports as unknown as Readonly<Record<string, { value: number }>>)[name]!;
	}

	#reserve(bytes: number): number {
		const address = this.#next;
		// rows of one vector more: kernels read a row's base before they know its length
		this.#next = roundUp(address + bytes + VECTOR);
		const { memory } = this.#exports;
		const missing = this.#next - memory.buffer.byteLength;
		if (missing > 0) {
			memory.grow(Math.ceil(missing / PAGE));
			this.doubles = new Float64Array(memory.buffer);
			this.numbers = this.#bytes === 8 ? this.doubles : new Float32Array(memory.buffer);
			this.integers = new Int32Array(memory.buffer);
		}
		return address;
	}
}

function roundUp(address: number): number {
	return (address + VECTOR - 1) & ~(VECTOR - 1);
}
