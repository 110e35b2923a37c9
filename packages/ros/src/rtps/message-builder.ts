import { fromHex, OWN_VENDOR } from './guid.ts';

/** Kinds of submessages (RTPS 2.3, 9.4.5.1.1). */
export const Submessage = {
	ACKNACK: 0x06,
	HEARTBEAT: 0x07,
	GAP: 0x08,
	INFO_TS: 0x09,
	INFO_DST: 0x0e,
	NACK_FRAG: 0x12,
	HEARTBEAT_FRAG: 0x13,
	DATA: 0x15,
	DATA_FRAG: 0x16,
} as const;

/** Bits of flags. */
export const Flag = { LITTLE: 1, INLINE_QOS: 2, DATA: 4, KEY: 8, FINAL: 2, FRAGMENT_KEY: 4 } as const;

/** Most bits of a set of numbers. */
export const MOST_SET_BITS = 256;

/** A set of sequence or fragment numbers: those of `base + i` whose bit is set. */
export interface NumberSet {
	readonly base: number;
	readonly count: number;
	readonly has: (index: number) => boolean;
}

/** What DATA and DATA_FRAG share. */
export interface DataFields {
	readonly reader: number;
	readonly writer: number;
	readonly sequence: number;
	/** A list of parameters with its end. */
	readonly inlineQos?: Uint8Array | undefined;
	/** Whether the payload is a key: the entity is gone. */
	readonly isKey?: boolean | undefined;
}

/** Builds RTPS 2.3 messages, little endian; each is a buffer of its own. Every submessage ends at a multiple of four bytes. */
export class MessageBuilder {
	readonly #header: Uint8Array<ArrayBuffer>;
	#bytes: Uint8Array<ArrayBuffer> = new Uint8Array(2048);
	#view: DataView = new DataView(this.#bytes.buffer);
	#at = 0;
	#start = 0;
	#destination: string | undefined;
	#time: number | undefined;

	constructor(prefix: string) {
		this.#header = new Uint8Array(20);
		this.#header.set([0x52, 0x54, 0x50, 0x53, 2, 3, OWN_VENDOR >> 8, OWN_VENDOR & 0xff]);
		this.#header.set(fromHex(prefix), 8);
	}

	/** Bytes so far. */
	get length(): number {
		return this.#at;
	}

	/** Starts a message, for all unless a destination follows. */
	begin(): this {
		this.#at = 0;
		this.#destination = undefined;
		this.#time = undefined;
		this.#put(this.#header);
		return this;
	}

	/** The participant that what follows is for. */
	destination(prefix: string): this {
		if (prefix === this.#destination) return this;
		this.#destination = prefix;
		this.#open(Submessage.INFO_DST, Flag.LITTLE);
		this.#put(fromHex(prefix));
		return this.#close();
	}

	/** The message, as bytes of its own. */
	end(): Uint8Array<ArrayBuffer> {
		return this.#bytes.slice(0, this.#at);
	}

	/** Time of what follows [ms since 1970]. */
	timestamp(milliseconds: number): this {
		if (milliseconds === this.#time) return this;
		this.#time = milliseconds;
		this.#open(Submessage.INFO_TS, Flag.LITTLE);
		const seconds = Math.floor(milliseconds / 1000);
		this.#uint32(seconds);
		this.#uint32(Math.floor((milliseconds / 1000 - seconds) * 2 ** 32));
		return this.#close();
	}

	data(fields: DataFields, payload: Uint8Array): this {
		const { inlineQos, isKey = false } = fields;
		const flags = Flag.LITTLE | (inlineQos === undefined ? 0 : Flag.INLINE_QOS) | (isKey ? Flag.KEY : Flag.DATA);
		this.#open(Submessage.DATA, flags);
		this.#uint16(0);
		this.#uint16(16);
		this.#entities(fields.reader, fields.writer);
		this.#sequence(fields.sequence);
		if (inlineQos !== undefined) this.#put(inlineQos);
		this.#put(payload);
		return this.#close();
	}

	/** One fragment of a payload; fragments are counted from 1. */
	fragment(fields: DataFields, payload: Uint8Array, number: number, size: number): this {
		const { inlineQos } = fields;
		this.#open(Submessage.DATA_FRAG, Flag.LITTLE | (inlineQos === undefined ? 0 : Flag.INLINE_QOS));
		this.#uint16(0);
		this.#uint16(28);
		this.#entities(fields.reader, fields.writer);
		this.#sequence(fields.sequence);
		this.#uint32(number);
		this.#uint16(1);
		this.#uint16(size);
		this.#uint32(payload.length);
		if (inlineQos !== undefined) this.#put(inlineQos);
		this.#put(payload.subarray((number - 1) * size, number * size));
		return this.#close();
	}

	heartbeat(reader: number, writer: number, first: number, last: number, count: number, isFinal = false): this {
		this.#open(Submessage.HEARTBEAT, Flag.LITTLE | (isFinal ? Flag.FINAL : 0));
		this.#entities(reader, writer);
		this.#sequence(first);
		this.#sequence(last);
		this.#uint32(count);
		return this.#close();
	}

	acknack(reader: number, writer: number, missing: NumberSet, count: number, isFinal: boolean): this {
		this.#open(Submessage.ACKNACK, Flag.LITTLE | (isFinal ? Flag.FINAL : 0));
		this.#entities(reader, writer);
		this.#sequence(missing.base);
		this.#set(missing);
		this.#uint32(count);
		return this.#close();
	}

	nackFragments(reader: number, writer: number, sequence: number, missing: NumberSet, count: number): this {
		this.#open(Submessage.NACK_FRAG, Flag.LITTLE);
		this.#entities(reader, writer);
		this.#sequence(sequence);
		this.#uint32(missing.base);
		this.#set(missing);
		this.#uint32(count);
		return this.#close();
	}

	/** Says that numbers from `first` up to before `end` will never come. */
	gap(reader: number, writer: number, first: number, end: number): this {
		this.#open(Submessage.GAP, Flag.LITTLE);
		this.#entities(reader, writer);
		this.#sequence(first);
		this.#sequence(end);
		this.#uint32(0);
		return this.#close();
	}

	#open(kind: number, flags: number): void {
		this.#start = this.#at;
		this.#reserve(4);
		this.#bytes[this.#at] = kind;
		this.#bytes[this.#at + 1] = flags;
		this.#at += 4;
	}

	#close(): this {
		// a multiple of four, also where only some implementations ask for it
		const padding = (4 - ((this.#at - this.#start) & 3)) & 3;
		this.#reserve(padding);
		for (let i = 0; i < padding; i++) this.#bytes[this.#at++] = 0;
		this.#view.setUint16(this.#start + 2, this.#at - this.#start - 4, true);
		return this;
	}

	#reserve(count: number): void {
		const end = this.#at + count;
		if (end <= this.#bytes.length) return;
		const bytes = new Uint8Array(Math.max(end, 2 * this.#bytes.length));
		bytes.set(this.#bytes);
		this.#bytes = bytes;
		this.#view = new DataView(bytes.buffer);
	}

	#put(bytes: Uint8Array): void {
		this.#reserve(bytes.length);
		this.#bytes.set(bytes, this.#at);
		this.#at += bytes.length;
	}

	#uint16(value: number): void {
		this.#reserve(2);
		this.#view.setUint16(this.#at, value, true);
		this.#at += 2;
	}

	#uint32(value: number): void {
		this.#reserve(4);
		this.#view.setUint32(this.#at, value, true);
		this.#at += 4;
	}

	#entities(reader: number, writer: number): void {
		this.#reserve(8);
		this.#view.setUint32(this.#at, reader);
		this.#view.setUint32(this.#at + 4, writer);
		this.#at += 8;
	}

	#sequence(value: number): void {
		this.#uint32(Math.floor(value / 2 ** 32));
		this.#uint32(value >>> 0);
	}

	#set({ count, has }: NumberSet): void {
		this.#uint32(count);
		for (let word = 0; word < Math.ceil(count / 32); word++) {
			let bits = 0;
			for (let bit = 0; bit < 32 && 32 * word + bit < count; bit++) if (has(32 * word + bit)) bits |= 1 << (31 - bit);
			this.#uint32(bits >>> 0);
		}
	}
}
