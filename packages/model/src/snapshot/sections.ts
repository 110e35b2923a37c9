import { ContentHash } from './content-hash.ts';

/** Numbers of a snapshot. */
export type SectionArray = Float64Array | Float32Array | Int32Array | Uint32Array | Uint8Array;

/** What a snapshot is made of: plain facts, and arrays by name. */
export interface Sections {
	readonly kind: 'model' | 'state';
	readonly facts: { readonly [name: string]: unknown };
	readonly arrays: ReadonlyMap<string, SectionArray>;
}

/** Version of the layout. */
const VERSION = 1;
const MAGIC = 'MWSNAP01';
const TYPES = { f64: Float64Array, f32: Float32Array, i32: Int32Array, u32: Uint32Array, u8: Uint8Array } as const;
type SectionType = keyof typeof TYPES;

/** A snapshot as JSON can hold it. */
export interface SnapshotJson {
	readonly format: 'manyworlds-snapshot';
	readonly version: number;
	readonly kind: Sections['kind'];
	/** Sixteen hexadecimal digits over everything else. */
	readonly hash: string;
	readonly facts: { readonly [name: string]: unknown };
	/** Numbers by name; those that JSON lacks are the texts `inf`, `-inf`, `nan` and `-0`. */
	readonly arrays: {
		readonly [name: string]: { readonly type: string; readonly values: readonly (number | string)[] };
	};
}

/** The hash of facts and arrays, whatever the order in which they were collected. */
export function hashSections({ kind, facts, arrays }: Sections): string {
	const hash = new ContentHash();
	hash.text(kind);
	hash.text(canonical(facts));
	for (const name of [...arrays.keys()].sort()) {
		hash.text(name);
		hash.text(typeOf(arrays.get(name)!));
		hash.numbers(arrays.get(name)!);
	}
	return hash.digits();
}

/** Sections as an object that JSON keeps exactly. */
export function toJson(sections: Sections): SnapshotJson {
	return {
		format: 'manyworlds-snapshot',
		version: VERSION,
		kind: sections.kind,
		hash: hashSections(sections),
		facts: sections.facts,
		arrays: Object.fromEntries(
			[...sections.arrays].map(([name, values]) => [
				name,
				{ type: typeOf(values), values: Array.from(values, toJsonNumber) },
			]),
		),
	};
}

/** Sections of parsed JSON; a text tells what is wrong with it. */
export function fromJson(json: unknown): Sections | string {
	if (!isRecord(json) || json.format !== 'manyworlds-snapshot') return "the JSON has no format 'manyworlds-snapshot'";
	if (json.version !== VERSION) return `the snapshot has version ${String(json.version)}, expected ${VERSION}`;
	if (json.kind !== 'model' && json.kind !== 'state')
		return `the snapshot is of kind ${String(json.kind)}, expected model or state`;
	if (!isRecord(json.facts) || !isRecord(json.arrays)) return 'the snapshot lacks facts or arrays';
	const arrays = new Map<string, SectionArray>();
	for (const [name, entry] of Object.entries(json.arrays)) {
		if (!isRecord(entry) || !isSectionType(entry.type) || !Array.isArray(entry.values))
			return `array '${name}' is not a list of numbers with a type`;
		const values = new TYPES[entry.type](entry.values.length);
		for (let i = 0; i < values.length; i++) {
			const number = fromJsonNumber(entry.values[i]);
			if (number === undefined)
				return `array '${name}' holds ${JSON.stringify(entry.values[i])} at ${i}, expected a number`;
			values[i] = number;
		}
		arrays.set(name, values);
	}
	return verified({ kind: json.kind, facts: json.facts, arrays }, json.hash);
}

/** Little-endian bytes: eight of magic, the size of a JSON head, the head, then the arrays, each aligned to eight bytes. */
export function toBytes(sections: Sections): Uint8Array {
	let size = 0;
	const table = [...sections.arrays].map(([name, values]) => {
		const entry = { name, type: typeOf(values), count: values.length, offset: size };
		size += padded(values.byteLength);
		return entry;
	});
	const head = new TextEncoder().encode(
		JSON.stringify({
			version: VERSION,
			kind: sections.kind,
			hash: hashSections(sections),
			facts: sections.facts,
			arrays: table,
		}),
	);
	const start = padded(MAGIC.length + 4 + head.length);
	const bytes = new Uint8Array(start + size);
	for (let i = 0; i < MAGIC.length; i++) bytes[i] = MAGIC.charCodeAt(i);
	new DataView(bytes.buffer).setUint32(MAGIC.length, head.length, true);
	bytes.set(head, MAGIC.length + 4);
	for (const { name, offset } of table) {
		const values = sections.arrays.get(name)!;
		bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), start + offset);
	}
	return bytes;
}

/**
 * Sections of bytes; a text tells what is wrong with them. In place, the arrays are views of the bytes, which must begin at
 * a multiple of eight in their buffer.
 */
export function fromBytes(bytes: Uint8Array, isInPlace: boolean = false): Sections | string {
	if (isInPlace && bytes.byteOffset % 8 !== 0)
		return `the data begins at byte ${bytes.byteOffset} of its buffer, expected a multiple of 8`;
	if (!isSnapshotBytes(bytes)) return `the data does not begin with ${MAGIC}`;
	if (bytes.length < MAGIC.length + 4) return `the data ends after ${bytes.length} bytes, within its head`;
	const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(MAGIC.length, true);
	const start = padded(MAGIC.length + 4 + length);
	if (start > bytes.length) return `the data ends after ${bytes.length} bytes, its head needs ${start}`;
	// a copy: browsers decode no shared memory
	const head = parseHead(bytes.slice(MAGIC.length + 4, MAGIC.length + 4 + length));
	if (head === undefined) return 'the head of the snapshot is no JSON object';
	if (head.version !== VERSION) return `the snapshot has version ${String(head.version)}, expected ${VERSION}`;
	if (head.kind !== 'model' && head.kind !== 'state')
		return `the snapshot is of kind ${String(head.kind)}, expected model or state`;
	if (!isRecord(head.facts) || !Array.isArray(head.arrays)) return 'the snapshot lacks facts or arrays';
	const arrays = new Map<string, SectionArray>();
	for (const entry of head.arrays) {
		if (!isRecord(entry) || !isSectionType(entry.type) || typeof entry.name !== 'string')
			return 'an array of the snapshot has no name or type';
		const { name, count, offset } = entry;
		const size = Number(count) * TYPES[entry.type].BYTES_PER_ELEMENT;
		const at = start + Number(offset);
		if (!(Number.isInteger(size) && size >= 0 && Number.isInteger(at) && at >= start && at + size <= bytes.length)) {
			return `array '${name}' lies outside of the ${bytes.length} bytes`;
		}
		const own = isInPlace ? bytes.subarray(at, at + size) : bytes.slice(at, at + size);
		const View = TYPES[entry.type] as new (buffer: ArrayBufferLike, offset: number, count: number) => SectionArray;
		arrays.set(name, new View(own.buffer, own.byteOffset, Number(count)));
	}
	return verified({ kind: head.kind, facts: head.facts, arrays }, head.hash);
}

/** Whether bytes begin as those of a snapshot. */
export function isSnapshotBytes(bytes: Uint8Array): boolean {
	return bytes.length >= MAGIC.length && [...MAGIC].every((letter, i) => bytes[i] === letter.charCodeAt(0));
}

function verified(sections: Sections, hash: unknown): Sections | string {
	const actual = hashSections(sections);
	return actual === hash
		? sections
		: `the content has the hash ${actual}, the snapshot says ${String(hash)}: it was changed or cut`;
}

function parseHead(bytes: Uint8Array): Record<string, unknown> | undefined {
	try {
		const head: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
		return isRecord(head) ? head : undefined;
	} catch {
		return undefined;
	}
}

function typeOf(values: SectionArray): SectionType {
	return (Object.keys(TYPES) as SectionType[]).find((type) => values instanceof TYPES[type])!;
}

function isSectionType(type: unknown): type is SectionType {
	return typeof type === 'string' && Object.hasOwn(TYPES, type);
}

/** A number, or the text that stands for one that JSON lacks. */
export function toJsonNumber(value: number): number | string {
	if (Number.isFinite(value)) return Object.is(value, -0) ? '-0' : value;
	return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
}

const SPECIAL: Readonly<Record<string, number>> = {
	inf: Number.POSITIVE_INFINITY,
	'-inf': Number.NEGATIVE_INFINITY,
	nan: Number.NaN,
	'-0': -0,
};

/** The number that JSON holds; undefined when it holds something else. */
export function fromJsonNumber(value: unknown): number | undefined {
	if (typeof value === 'number') return value;
	return typeof value === 'string' && Object.hasOwn(SPECIAL, value) ? SPECIAL[value] : undefined;
}

/** JSON with sorted keys. */
function canonical(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
	if (!isRecord(value)) return JSON.stringify(value) ?? 'null';
	const keys = Object.keys(value).filter((key) => value[key] !== undefined);
	return `{${keys
		.sort()
		.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`)
		.join()}}`;
}

function padded(size: number): number {
	return Math.ceil(size / 8) * 8;
}

/** Whether a value is an object and neither null nor an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
