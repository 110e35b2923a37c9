/** Parameters of discovery and of samples (RTPS 2.3, 9.6.3.2, and what ROS uses of vendors). */
export const Pid = {
	SENTINEL: 0x01,
	LEASE_DURATION: 0x02,
	TOPIC_NAME: 0x05,
	TYPE_NAME: 0x07,
	PROTOCOL_VERSION: 0x15,
	VENDOR_ID: 0x16,
	RELIABILITY: 0x1a,
	LIVELINESS: 0x1b,
	DURABILITY: 0x1d,
	OWNERSHIP: 0x1f,
	DEADLINE: 0x23,
	LIFESPAN: 0x2b,
	USER_DATA: 0x2c,
	UNICAST_LOCATOR: 0x2f,
	DEFAULT_UNICAST_LOCATOR: 0x31,
	METATRAFFIC_UNICAST_LOCATOR: 0x32,
	HISTORY: 0x40,
	PARTICIPANT_GUID: 0x50,
	BUILTIN_ENDPOINTS: 0x58,
	ENDPOINT_GUID: 0x5a,
	ENTITY_NAME: 0x62,
	KEY_HASH: 0x70,
	STATUS_INFO: 0x71,
	RELATED_SAMPLE: 0x83,
	/** The same, by the number that eProsima used before. */
	RELATED_SAMPLE_OLD: 0x800f,
} as const;

/** A parameter and its bytes. */
export interface Parameter {
	readonly id: number;
	readonly value: Uint8Array;
}

/** Reads parameters from a place on; undefined where the list has no end. */
export function readParameters(
	bytes: Uint8Array,
	start: number,
	isLittle: boolean,
): { readonly parameters: Parameter[]; readonly end: number } | undefined {
	const parameters: Parameter[] = [];
	let at = start;
	while (at + 4 <= bytes.length) {
		const [low, high] = isLittle ? [0, 1] : [1, 0];
		const id = bytes[at + low]! | (bytes[at + high]! << 8);
		const length = bytes[at + 2 + low]! | (bytes[at + 2 + high]! << 8);
		at += 4;
		if (id === Pid.SENTINEL) return { parameters, end: at };
		if (at + length > bytes.length) return undefined;
		parameters.push({ id, value: bytes.subarray(at, at + length) });
		at += length;
	}
	return undefined;
}

/** Reads the payload of discovery: a header that says the order, and parameters. */
export function readParameterPayload(payload: Uint8Array): ParameterList | undefined {
	// PL_CDR, big or little endian
	if (payload.length < 4 || payload[0] !== 0 || (payload[1] !== 2 && payload[1] !== 3)) return undefined;
	const isLittle = payload[1] === 3;
	const list = readParameters(payload, 4, isLittle);
	return list === undefined ? undefined : new ParameterList(list.parameters, isLittle);
}

/** Parameters by their number. */
export class ParameterList {
	readonly #parameters: readonly Parameter[];
	readonly isLittle: boolean;

	constructor(parameters: readonly Parameter[], isLittle: boolean) {
		this.#parameters = parameters;
		this.isLittle = isLittle;
	}

	bytes(id: number, least = 0): Uint8Array | undefined {
		const found = this.#parameters.find((parameter) => parameter.id === id)?.value;
		return found !== undefined && found.length >= least ? found : undefined;
	}

	all(id: number): Uint8Array[] {
		return this.#parameters.filter((parameter) => parameter.id === id).map(({ value }) => value);
	}

	uint32(id: number): number | undefined {
		const value = this.bytes(id, 4);
		return value === undefined ? undefined : viewOf(value).getUint32(0, this.isLittle);
	}

	text(id: number): string | undefined {
		const value = this.bytes(id, 4);
		if (value === undefined) return undefined;
		const length = viewOf(value).getUint32(0, this.isLittle);
		if (length < 1 || 4 + length > value.length) return undefined;
		return new TextDecoder().decode(value.subarray(4, 4 + length - 1));
	}
}

/** Writes parameters, little endian, with their end. */
export class ParameterWriter {
	readonly #parts: number[] = [];

	/** Begins with the header of a payload (PL_CDR, little endian). */
	header(): this {
		this.#parts.push(0, 3, 0, 0);
		return this;
	}

	add(id: number, value: ArrayLike<number>): this {
		const padding = (4 - (value.length & 3)) & 3;
		const length = value.length + padding;
		this.#parts.push(id & 0xff, id >> 8, length & 0xff, length >> 8);
		for (let i = 0; i < value.length; i++) this.#parts.push(value[i]!);
		for (let i = 0; i < padding; i++) this.#parts.push(0);
		return this;
	}

	words(id: number, ...words: readonly number[]): this {
		return this.add(id, words.flatMap(wordBytes));
	}

	text(id: number, text: string): this {
		const bytes = [...new TextEncoder().encode(text), 0];
		return this.add(id, [...wordBytes(bytes.length), ...bytes]);
	}

	/** Bytes with their number in front, which is no text and has no zero at its end. */
	octets(id: number, text: string): this {
		const bytes = new TextEncoder().encode(text);
		return this.add(id, [...wordBytes(bytes.length), ...bytes]);
	}

	end(): Uint8Array<ArrayBuffer> {
		return Uint8Array.from([...this.#parts, Pid.SENTINEL, 0, 0, 0]);
	}
}

function wordBytes(word: number): number[] {
	return [word & 0xff, (word >>> 8) & 0xff, (word >>> 16) & 0xff, word >>> 24];
}

function viewOf(bytes: Uint8Array): DataView {
	return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
