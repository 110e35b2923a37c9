import type { Value } from '../sdf/value.ts';
import type { ParserState } from './parser-state.ts';

/** Longest text of a value that is looked for. */
const MAX_LENGTH = 120;
/** After so many lookups a key whose values hardly ever repeat is left alone. */
const TRIAL = 64;
const LF = 0x0a;

/**
 * Values that were read before, by their text up to the end of the line. Layers repeat themselves: the same lists of schemas
 * or operations stand on thousands of prims, and reading one again costs more than finding it.
 *
 * Values are never changed in place, so specs can share them.
 */
export class RepeatedValues {
	readonly #p: ParserState;
	readonly #byKey: Map<string, KnownTexts>[] = [];

	constructor(p: ParserState) {
		this.#p = p;
	}

	/**
	 * The value at the parser's position, from before or read now by `read`.
	 * @param kind - with `name`, stands for what besides the text decides about the value: 0 for the default of an
	 * attribute with the type `name`, others for lists of the metadata `name`
	 * @param read - is given `detail` and `name`, so that no function has to be made for each value
	 */
	read<D>(kind: number, name: string, read: (p: ParserState, detail: D, name: string) => Value, detail: D): Value {
		while (this.#byKey.length <= kind) this.#byKey.push(new Map());
		const names = this.#byKey[kind]!;
		let known = names.get(name);
		if (known === undefined) {
			known = new KnownTexts();
			names.set(name, known);
		}
		const p = this.#p;
		const start = p.pos;
		const end = known.isWorthwhile ? this.#lineEnd(start) : -1;
		if (end < 0) return read(p, detail, name);
		const text = p.interner.intern(p.bytes, start, end);
		const found = known.find(text);
		if (found !== undefined) {
			p.pos = start + found.length;
			return found.value;
		}
		const before = p.diagnosticCount;
		const value = read(p, detail, name);
		// a value with a mistake is reported each time, one that goes on after the line is not decided by the line
		if (p.diagnosticCount === before && p.pos <= end) known.add(text, value, p.pos - start);
		return value;
	}

	#lineEnd(start: number): number {
		const { bytes, length } = this.#p;
		const limit = Math.min(start + MAX_LENGTH, length);
		for (let at = start; at < limit; at++) if (bytes[at] === LF) return at;
		return -1;
	}
}

interface KnownValue {
	readonly value: Value;
	/** Bytes of the text that belong to the value. */
	readonly length: number;
}

/** The values of one key by the number of their text. */
class KnownTexts {
	readonly #values = new Map<number, KnownValue>();
	#lookups = 0;
	#hits = 0;

	get isWorthwhile(): boolean {
		return this.#lookups < TRIAL || this.#hits * 4 > this.#lookups;
	}

	find(text: number): KnownValue | undefined {
		const known = this.#values.get(text);
		this.#lookups++;
		if (known !== undefined) this.#hits++;
		return known;
	}

	add(text: number, value: Value, length: number): void {
		this.#values.set(text, { value, length });
	}
}
