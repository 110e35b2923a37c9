/** Memory of an instance of WebAssembly, whose types are part of no platform that this package asks for. */
export interface InstanceMemory {
	readonly buffer: ArrayBuffer;
	grow(pages: number): number;
}

/** Exports of an instance of the engine: functions, and addresses that the host sets. */
export interface EngineExports {
	readonly memory: InstanceMemory;
	readonly heapStart: () => number;
	/** Takes addresses: numbers that are no integers are boxed when they are passed. */
	readonly prepare: (joints: number, bodies: number, dofs: number, second: number) => void;
	readonly advance: (contacts: number, extras: number) => void;
}

/** Bytes of a vector of lanes, and worlds that stand side by side. */
export const VECTOR = 16;
export const LANES = 2;
const PAGE = 65536;

/**
 * The memory of an instance of the engine. Room is handed out and never taken back: arrays have one vector of lanes for each
 * entry, tables one integer. Views are new after each growth, so they are asked for anew.
 */
export class EngineMemory {
	/** All of the memory; entry e of lane l of an array is at `array / 8 + LANES * e + l`. */
	numbers: Float64Array;
	integers: Int32Array;
	readonly #exports: EngineExports;
	#next: number;

	constructor(exports: EngineExports) {
		this.#exports = exports;
		this.#next = roundUp(exports.heapStart());
		this.numbers = new Float64Array(exports.memory.buffer);
		this.integers = new Int32Array(exports.memory.buffer);
	}

	/** Room for an array of so many entries. Gives its address. */
	array(entries: number): number {
		return this.#reserve(VECTOR * entries);
	}

	/** Room for a table, filled with values or zeros. Gives its address. */
	table(values: ArrayLike<number> | number): number {
		const length = typeof values === 'number' ? values : values.length;
		const address = this.#reserve(4 * length);
		if (typeof values !== 'number') this.integers.set(values, address / 4);
		return address;
	}

	/** Sets one of the engine's variables. */
	set(name: string, value: number): void {
		(this.#exports as unknown as Readonly<Record<string, { value: number }>>)[name]!.value = value;
	}

	#reserve(bytes: number): number {
		const address = this.#next;
		// rows of one vector more: kernels read a row's base before they know its length
		this.#next = roundUp(address + bytes + VECTOR);
		const { memory } = this.#exports;
		const missing = this.#next - memory.buffer.byteLength;
		if (missing > 0) {
			memory.grow(Math.ceil(missing / PAGE));
			this.numbers = new Float64Array(memory.buffer);
			this.integers = new Int32Array(memory.buffer);
		}
		return address;
	}
}

function roundUp(address: number): number {
	return (address + VECTOR - 1) & ~(VECTOR - 1);
}
