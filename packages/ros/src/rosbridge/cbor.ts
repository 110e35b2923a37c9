/** Tags of typed arrays, little endian (RFC 8746). */
const ARRAY_TAGS = [
	[Uint16Array, 69],
	[Uint32Array, 70],
	[Int8Array, 72],
	[Int16Array, 77],
	[Int32Array, 78],
	[Float32Array, 85],
	[Float64Array, 86],
] as const;

const Major = { UNSIGNED: 0, NEGATIVE: 1, BYTES: 2, TEXT: 3, LIST: 4, MAP: 5, TAG: 6 } as const;

/** Encodes a value as CBOR (RFC 8949): objects, lists, texts, truths, numbers, bigints, bytes and typed arrays. */
export function toCbor(value: unknown): Uint8Array<ArrayBuffer> {
	const parts: Uint8Array[] = [];
	put(parts, value);
	const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
	let at = 0;
	for (const part of parts) {
		bytes.set(part, at);
		at += part.length;
	}
	return bytes;
}

function put(parts: Uint8Array[], value: unknown): void {
	if (typeof value === 'string') {
		const text = new TextEncoder().encode(value);
		parts.push(head(Major.TEXT, text.length), text);
	} else if (typeof value === 'number') parts.push(number(value));
	else if (typeof value === 'bigint')
		parts.push(value < 0n ? head(Major.NEGATIVE, -1n - value) : head(Major.UNSIGNED, value));
	else if (typeof value === 'boolean') parts.push(Uint8Array.of(value ? 0xf5 : 0xf4));
	else if (value instanceof Uint8Array) parts.push(head(Major.BYTES, value.length), value);
	else if (ArrayBuffer.isView(value)) {
		const tag = ARRAY_TAGS.find(([kind]) => value instanceof kind)?.[1];
		if (tag !== undefined) parts.push(head(Major.TAG, tag));
		parts.push(head(Major.BYTES, value.byteLength), new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
	} else if (Array.isArray(value)) {
		parts.push(head(Major.LIST, value.length));
		for (const one of value) put(parts, one);
	} else if (typeof value === 'object' && value !== null) {
		const entries = Object.entries(value);
		parts.push(head(Major.MAP, entries.length));
		for (const [name, one] of entries) {
			put(parts, name);
			put(parts, one);
		}
	} else parts.push(Uint8Array.of(0xf6));
}

function head(major: number, length: number | bigint): Uint8Array {
	const bits = major << 5;
	const size = BigInt(length);
	if (size < 24n) return Uint8Array.of(bits | Number(size));
	if (size < 0x100n) return Uint8Array.of(bits | 24, Number(size));
	const view = new DataView(new ArrayBuffer(9));
	if (size < 0x10000n) {
		view.setUint8(0, bits | 25);
		view.setUint16(1, Number(size));
		return new Uint8Array(view.buffer, 0, 3);
	}
	if (size < 0x1_0000_0000n) {
		view.setUint8(0, bits | 26);
		view.setUint32(1, Number(size));
		return new Uint8Array(view.buffer, 0, 5);
	}
	view.setUint8(0, bits | 27);
	view.setBigUint64(1, BigInt.asUintN(64, size));
	return new Uint8Array(view.buffer);
}

function number(value: number): Uint8Array {
	if (Number.isSafeInteger(value) && !Object.is(value, -0))
		return value < 0 ? head(Major.NEGATIVE, -1 - value) : head(Major.UNSIGNED, value);
	const view = new DataView(new ArrayBuffer(9));
	view.setUint8(0, 0xfb);
	view.setFloat64(1, value);
	return new Uint8Array(view.buffer);
}
