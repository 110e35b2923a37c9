import { type ByteFrame, byteFrame } from '@manyworlds/core/internal';

/** Kinds of frames between a program and its host. */
export const HostFrame = { CALL: 1, ANSWER: 2, FAILURE: 3 } as const;

/** A value with arrays beside it. In a frame: the length of the JSON (32 bits), four bytes of nothing, the JSON, blanks up to a multiple of 8, the arrays. */
export interface HostMessage {
	/** What is said, with `arrays` that tells name and length of each array. */
	readonly value: Readonly<Record<string, unknown>>;
	readonly arrays: ReadonlyMap<string, Float64Array>;
}

/** The frame of a message. */
export function hostFrame(kind: number, { value, arrays }: HostMessage): Uint8Array {
	const told = [...arrays].map(([name, { length }]) => ({ name, length }));
	const json = new TextEncoder().encode(JSON.stringify({ ...value, arrays: told }));
	const head = new Uint8Array(8 + Math.ceil(json.length / 8) * 8).fill(0x20);
	const view = new DataView(head.buffer);
	view.setUint32(0, json.length, true);
	view.setUint32(4, 0, true);
	head.set(json, 8);
	return byteFrame(kind, [head, ...arrays.values()]);
}

/** The message of a frame. Throws a sentence for one that is none. */
export function readHostFrame({ contents }: ByteFrame): HostMessage {
	if (contents.byteLength < 8) throw new RangeError(`a message of ${contents.byteLength} bytes, expected 8 or more`);
	const size = contents.getUint32(0, true);
	if (size > contents.byteLength - 8)
		throw new RangeError(`a message of ${contents.byteLength} bytes with ${size} of JSON`);
	const text = new TextDecoder().decode(new Uint8Array(contents.buffer, contents.byteOffset + 8, size));
	const value: unknown = JSON.parse(text);
	if (typeof value !== 'object' || value === null) throw new TypeError('a message that is no object');
	const arrays = new Map<string, Float64Array>();
	let at = 8 + Math.ceil(size / 8) * 8;
	for (const { name, length } of listOf(value)) {
		if (!(length >= 0) || at + 8 * length > contents.byteLength)
			throw new RangeError(`array '${name}' of ${length} numbers does not fit the message`);
		const numbers = new Float64Array(length);
		for (let i = 0; i < length; i++) numbers[i] = contents.getFloat64(at + 8 * i, true);
		arrays.set(name, numbers);
		at += 8 * length;
	}
	return { value: value as Record<string, unknown>, arrays };
}

function listOf(value: object): readonly { readonly name: string; readonly length: number }[] {
	const list = (value as { readonly arrays?: unknown }).arrays;
	if (list === undefined) return [];
	if (!Array.isArray(list)) throw new TypeError('arrays that are no list');
	return list.map((item: unknown) => {
		const { name, length } = (item ?? {}) as { readonly name?: unknown; readonly length?: unknown };
		if (typeof name !== 'string' || typeof length !== 'number' || !Number.isInteger(length))
			throw new TypeError('an array without a name or a length');
		return { name, length };
	});
}
