import { UsageRangeError, UsageTypeError } from '@manyworlds/core';
import { CdrError, CdrReader, CdrWriter } from './cdr.ts';
import { type MessageDefinition, type MessageField, PRIMITIVES, type PrimitiveName } from './message-definition.ts';

/**
 * A message: fields by name. Numbers, texts and truths as they are, 64-bit integers as bigint, arrays of numbers as typed
 * arrays when read. @public
 */
export type RosMessage = Readonly<Record<string, unknown>>;

/** A message, or why bytes are none. @public */
export type Decoded = { readonly message: RosMessage } | { readonly problem: string };

type Write = (writer: CdrWriter, value: unknown) => void;
type Read = (reader: CdrReader) => unknown;

interface Part {
	readonly write: Write;
	readonly read: Read;
	readonly initial: () => unknown;
}

/** Longest chain of messages in messages. */
const MOST_DEPTH = 32;

/** Writes and reads the messages of one type in CDR. @public */
export class MessageCodec {
	readonly type: string;
	readonly #part: Part;
	readonly #writer: CdrWriter = new CdrWriter();

	constructor(type: string, find: (type: string) => MessageDefinition | undefined) {
		this.type = type;
		this.#part = new PartMaker(find).message(type, 0);
	}

	/** The bytes of a message. Fields that are left out have their default. */
	encode(message: RosMessage): Uint8Array<ArrayBuffer> {
		this.#writer.start();
		this.#part.write(this.#writer, message);
		return this.#writer.finish();
	}

	/** The message that bytes hold. */
	decode(bytes: Uint8Array): Decoded {
		try {
			return { message: this.#part.read(new CdrReader(bytes)) as RosMessage };
		} catch (error) {
			if (!(error instanceof CdrError)) throw error;
			return { problem: `no ${this.type}: ${error.message}` };
		}
	}

	/** A message in which every field has its default. */
	initial(): RosMessage {
		return this.#part.initial() as RosMessage;
	}
}

class PartMaker {
	readonly #find: (type: string) => MessageDefinition | undefined;
	readonly #made = new Map<string, Part>();

	constructor(find: (type: string) => MessageDefinition | undefined) {
		this.#find = find;
	}

	message(type: string, depth: number): Part {
		const known = this.#made.get(type);
		if (known !== undefined) return known;
		const definition = this.#find(type);
		if (definition === undefined) throw new UsageRangeError(`the type '${type}' is unknown`);
		if (depth > MOST_DEPTH) throw new UsageRangeError(`the type '${type}' holds itself`);
		const names = definition.fields.map(({ name }) => name);
		const parts = definition.fields.map((field) => this.#field(field, depth));
		const part = names.length === 0 ? EMPTY : structure(type, names, parts);
		this.#made.set(type, part);
		return part;
	}

	#field(field: MessageField, depth: number): Part {
		const { primitive, nested, multiplicity, size } = field;
		const one =
			primitive === undefined ? this.message(nested!, depth + 1) : primitivePart(primitive, field.defaultText);
		if (multiplicity === 'one') return one;
		const many = primitive === undefined ? listPart(one) : (numbersPart(primitive, one) ?? listPart(one));
		return multiplicity === 'array'
			? fixed(field, many, size)
			: counted(field, many, multiplicity === 'bounded' ? size : Infinity);
	}
}

/** An empty structure is one byte. */
const EMPTY: Part = {
	write: (writer) => writer.uint8(0),
	read: (reader) => {
		// some writers leave the byte out
		if (reader.remaining > 0) reader.uint8();
		return {};
	},
	initial: () => ({}),
};

function structure(type: string, names: readonly string[], parts: readonly Part[]): Part {
	return {
		write(writer, value) {
			if (typeof value !== 'object' || value === null) throw new UsageTypeError(`a ${type} is an object`);
			const fields = value as Record<string, unknown>;
			for (let i = 0; i < names.length; i++) {
				const given = fields[names[i]!];
				parts[i]!.write(writer, given === undefined ? parts[i]!.initial() : given);
			}
		},
		read(reader) {
			const message: Record<string, unknown> = {};
			for (let i = 0; i < names.length; i++) message[names[i]!] = parts[i]!.read(reader);
			return message;
		},
		initial() {
			const message: Record<string, unknown> = {};
			for (let i = 0; i < names.length; i++) message[names[i]!] = parts[i]!.initial();
			return message;
		},
	};
}

function primitivePart(primitive: PrimitiveName, defaultText: string | undefined): Part {
	const initial = initialValue(primitive, defaultText);
	if (primitive === 'wstring') throw new UsageRangeError('fields of type wstring are not supported');
	const method = primitive === 'byte' ? 'uint8' : primitive;
	return {
		write: (writer, value) => writer[method](value as never),
		read: (reader) => reader[method](),
		initial: () => initial,
	};
}

function initialValue(primitive: PrimitiveName, text: string | undefined): unknown {
	if (primitive === 'string' || primitive === 'wstring') return (text ?? '').replace(/^(["'])(.*)\1$/, '$2');
	if (primitive === 'bool') return text !== undefined && /^(?:true|1)$/i.test(text);
	if (primitive === 'int64' || primitive === 'uint64') return /^-?\d+$/.test(text ?? '') ? BigInt(text!) : 0n;
	const value = Number(text ?? 0);
	return Number.isNaN(value) ? 0 : value;
}

/** The values of an array or a sequence, without their number. */
interface ManyPart {
	readonly write: (writer: CdrWriter, values: ArrayLike<unknown>) => void;
	readonly read: (reader: CdrReader, count: number) => unknown;
	readonly initial: (count: number) => unknown;
}

function listPart(one: Part): ManyPart {
	return {
		write(writer, values) {
			for (let i = 0; i < values.length; i++) one.write(writer, values[i]);
		},
		read(reader, count) {
			// every value has a byte, so a lie about their number ends soon
			if (count > reader.remaining) throw new CdrError(`${count} values in ${reader.remaining} bytes`);
			const values: unknown[] = [];
			for (let i = 0; i < count; i++) values.push(one.read(reader));
			return values;
		},
		initial: (count) => Array.from({ length: count }, () => one.initial()),
	};
}

const TYPED_ARRAYS = {
	int8: Int8Array,
	uint8: Uint8Array,
	byte: Uint8Array,
	int16: Int16Array,
	uint16: Uint16Array,
	int32: Int32Array,
	uint32: Uint32Array,
	float32: Float32Array,
	float64: Float64Array,
} as const;

function numbersPart(primitive: PrimitiveName, one: Part): ManyPart | undefined {
	if (!Object.hasOwn(TYPED_ARRAYS, primitive)) return undefined;
	const TypedArray = TYPED_ARRAYS[primitive as keyof typeof TYPED_ARRAYS];
	const { size } = PRIMITIVES[primitive];
	return {
		write(writer, values) {
			if (values instanceof TypedArray) writer.numbers(values);
			else for (let i = 0; i < values.length; i++) one.write(writer, values[i]);
		},
		read(reader, count) {
			if (count * size > reader.remaining) throw new CdrError(`${count} numbers in ${reader.remaining} bytes`);
			if (reader.isLittle) return new TypedArray(reader.block(count, size));
			const values = new TypedArray(count);
			for (let i = 0; i < count; i++) values[i] = one.read(reader) as number;
			return values;
		},
		initial: (count) => new TypedArray(count),
	};
}

function fixed({ name }: MessageField, many: ManyPart, size: number): Part {
	return {
		write(writer, value) {
			const values = value as ArrayLike<unknown>;
			if (values.length !== size) throw new UsageRangeError(`'${name}' has ${values.length} values, expected ${size}`);
			many.write(writer, values);
		},
		read: (reader) => many.read(reader, size),
		initial: () => many.initial(size),
	};
}

function counted({ name }: MessageField, many: ManyPart, most: number): Part {
	return {
		write(writer, value) {
			const values = value as ArrayLike<unknown>;
			if (values.length > most)
				throw new UsageRangeError(`'${name}' has ${values.length} values, expected at most ${most}`);
			writer.uint32(values.length);
			many.write(writer, values);
		},
		read: (reader) => many.read(reader, reader.uint32()),
		initial: () => many.initial(0),
	};
}
