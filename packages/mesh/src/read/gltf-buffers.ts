import { quote } from '@manyworlds/core';
import type { MeshCode } from '../diagnostics.ts';
import { asIndex, asList, asObject, asText, type JsonObject } from './json-value.ts';
import type { MeshReadContext } from './mesh-file.ts';

const COMPONENT_BYTES: Readonly<Record<number, number>> = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 };
const WIDTHS: Readonly<Record<string, number>> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT2: 4, MAT3: 9, MAT4: 16 };
const COMPRESSION = ['EXT_meshopt_compression', 'KHR_meshopt_compression', 'MESHOPT_compression'];
/** Most elements of an accessor without a buffer view, which costs no bytes in the file. */
const MOST_ZEROS = 1 << 26;

/** Buffers, views and accessors of a glTF document. */
export class GltfBuffers {
	readonly #context: MeshReadContext;
	readonly #json: JsonObject;
	readonly #binary: Uint8Array | undefined;
	readonly #buffers = new Map<number, Uint8Array | undefined>();
	readonly #accessors = new Map<number, Float64Array | undefined>();

	constructor(context: MeshReadContext, json: JsonObject, binary: Uint8Array | undefined) {
		this.#context = context;
		this.#json = json;
		this.#binary = binary;
	}

	/** Reports about a part of the document, named by its JSON pointer. */
	add(code: MeshCode, message: string, pointer: string): void {
		this.#context.add(code, `${pointer}: ${message}`, { data: { pointer } });
	}

	/** Numbers of an accessor, packed, normalised integers as fractions; undefined and reported when it is damaged. */
	accessor(index: unknown, width: number, pointer: string): Float64Array | undefined {
		const number = asIndex(index);
		const accessor = number === undefined ? undefined : asObject(asList(this.#json['accessors'])[number]);
		if (number === undefined || accessor === undefined) {
			this.add('MESH014', `accessor ${JSON.stringify(index)} does not exist`, pointer);
			return undefined;
		}
		const type = asText(accessor['type']) ?? '';
		if (WIDTHS[type] !== width) {
			this.add(
				'MESH017',
				`the accessor has the type ${quote(type)}, expected ${width} numbers`,
				`/accessors/${number}`,
			);
			return undefined;
		}
		if (!this.#accessors.has(number)) this.#accessors.set(number, this.#read(accessor, width, `/accessors/${number}`));
		return this.#accessors.get(number);
	}

	#read(accessor: JsonObject, width: number, pointer: string): Float64Array | undefined {
		const count = asIndex(accessor['count']);
		const type = asIndex(accessor['componentType']) ?? 0;
		if (count === undefined || COMPONENT_BYTES[type] === undefined) {
			this.add('MESH017', 'count or componentType is missing or unknown', pointer);
			return undefined;
		}
		const isNormalized = accessor['normalized'] === true;
		let out: Float64Array | undefined;
		if (accessor['bufferView'] === undefined) {
			if (count * width > MOST_ZEROS) {
				this.add('MESH017', `the accessor has ${count} elements and no buffer view`, pointer);
				return undefined;
			}
			out = new Float64Array(count * width);
		} else {
			const offset = asIndex(accessor['byteOffset'] ?? 0);
			out = this.#gather({ view: accessor['bufferView'], offset, type, width, count, isNormalized, pointer });
		}
		const sparse = asObject(accessor['sparse']);
		if (out !== undefined && sparse !== undefined) {
			return this.#applySparse(out, sparse, { type, width, count, isNormalized, pointer });
		}
		return out;
	}

	#applySparse(out: Float64Array, sparse: JsonObject, base: Omit<Gather, 'view' | 'offset'>): Float64Array | undefined {
		const count = asIndex(sparse['count']);
		const indices = asObject(sparse['indices']);
		const values = asObject(sparse['values']);
		if (count === undefined || indices === undefined || values === undefined) {
			this.add('MESH017', 'sparse has no count, indices or values', base.pointer);
			return undefined;
		}
		const indexType = asIndex(indices['componentType']) ?? 0;
		const pointer = `${base.pointer}/sparse`;
		const places = this.#gather({
			view: indices['bufferView'],
			offset: asIndex(indices['byteOffset'] ?? 0),
			type: indexType,
			width: 1,
			count,
			isNormalized: false,
			pointer,
		});
		const offset = asIndex(values['byteOffset'] ?? 0);
		const given = this.#gather({ ...base, view: values['bufferView'], offset, count, pointer });
		if (places === undefined || given === undefined) return undefined;
		for (let i = 0; i < count; i++) {
			const place = places[i]!;
			if (place >= base.count) {
				this.add('MESH004', `sparse index ${place} of ${base.count} elements`, pointer);
				return undefined;
			}
			for (let k = 0; k < base.width; k++) out[place * base.width + k] = given[i * base.width + k]!;
		}
		return out;
	}

	#gather(request: Gather): Float64Array | undefined {
		const { type, width, count, isNormalized, pointer } = request;
		const size = COMPONENT_BYTES[type];
		const found = this.#view(request.view, pointer);
		if (found === undefined) return undefined;
		const stride = found.stride ?? (size ?? 0) * width;
		const offset = request.offset ?? -1;
		const needed = count === 0 ? 0 : offset + stride * (count - 1) + (size ?? 0) * width;
		if (size === undefined || offset < 0 || needed > found.bytes.length) {
			this.add('MESH017', `the accessor needs ${needed} bytes, its buffer view has ${found.bytes.length}`, pointer);
			return undefined;
		}
		const { bytes } = found;
		const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
		const out = new Float64Array(count * width);
		const read = readerOf(view, type);
		const [scale, least] = isNormalized
			? (NORMALIZED[type] ?? [1, Number.NEGATIVE_INFINITY])
			: [1, Number.NEGATIVE_INFINITY];
		for (let i = 0; i < count; i++) {
			for (let k = 0; k < width; k++)
				out[i * width + k] = Math.max(read(offset + i * stride + k * size) / scale, least);
		}
		return out;
	}

	#view(
		index: unknown,
		pointer: string,
	): { readonly bytes: Uint8Array; readonly stride: number | undefined } | undefined {
		const number = asIndex(index);
		const view = number === undefined ? undefined : asObject(asList(this.#json['bufferViews'])[number]);
		if (view === undefined) {
			this.add('MESH014', `buffer view ${JSON.stringify(index)} does not exist`, pointer);
			return undefined;
		}
		const extensions = asObject(view['extensions']) ?? {};
		const compression = COMPRESSION.find((name) => extensions[name] !== undefined);
		if (compression !== undefined) {
			this.add('MESH019', `the buffer view is compressed by ${compression}`, `/bufferViews/${number}`);
			return undefined;
		}
		const buffer = this.#buffer(asIndex(view['buffer']), `/bufferViews/${number}`);
		if (buffer === undefined) return undefined;
		const offset = asIndex(view['byteOffset'] ?? 0) ?? -1;
		const length = asIndex(view['byteLength']) ?? -1;
		if (offset < 0 || length < 0 || offset + length > buffer.length) {
			this.add(
				'MESH017',
				`the view spans bytes ${offset} to ${offset + length} of ${buffer.length}`,
				`/bufferViews/${number}`,
			);
			return undefined;
		}
		return { bytes: buffer.subarray(offset, offset + length), stride: asIndex(view['byteStride']) };
	}

	#buffer(number: number | undefined, pointer: string): Uint8Array | undefined {
		if (number === undefined) {
			this.add('MESH014', 'the view names no buffer', pointer);
			return undefined;
		}
		if (!this.#buffers.has(number)) this.#buffers.set(number, this.#loadBuffer(number));
		return this.#buffers.get(number);
	}

	#loadBuffer(number: number): Uint8Array | undefined {
		const pointer = `/buffers/${number}`;
		const buffer = asObject(asList(this.#json['buffers'])[number]);
		if (buffer === undefined) {
			this.add('MESH014', 'the buffer does not exist', pointer);
			return undefined;
		}
		const uri = asText(buffer['uri']);
		if (uri === undefined) {
			if (number === 0 && this.#binary !== undefined) return this.#binary;
			this.add('MESH018', 'the buffer has no uri and the file has no binary chunk for it', pointer);
			return undefined;
		}
		const data = uri.startsWith('data:') ? decodeDataUri(uri) : this.#context.options.external?.(decodeUri(uri));
		if (data === undefined) {
			const reason = uri.startsWith('data:') ? 'its data is not base64' : 'it was not given';
			this.add('MESH018', `buffer ${quote(uri)} cannot be read: ${reason}`, pointer);
		}
		const stated = asIndex(buffer['byteLength']);
		if (data !== undefined && stated !== undefined && data.length < stated) {
			this.add('MESH010', `the buffer states ${stated} bytes and has ${data.length}`, pointer);
		}
		return data;
	}
}

interface Gather {
	readonly view: unknown;
	readonly offset: number | undefined;
	readonly type: number;
	readonly width: number;
	readonly count: number;
	readonly isNormalized: boolean;
	readonly pointer: string;
}

// divisor and least value of normalised integers (glTF 2.0, 3.11)
const NORMALIZED: Readonly<Record<number, readonly [number, number]>> = {
	5120: [127, -1],
	5121: [255, 0],
	5122: [32767, -1],
	5123: [65535, 0],
};

function readerOf(view: DataView, type: number): (at: number) => number {
	switch (type) {
		case 5120:
			return (at) => view.getInt8(at);
		case 5121:
			return (at) => view.getUint8(at);
		case 5122:
			return (at) => view.getInt16(at, true);
		case 5123:
			return (at) => view.getUint16(at, true);
		case 5125:
			return (at) => view.getUint32(at, true);
		default:
			return (at) => view.getFloat32(at, true);
	}
}

function decodeUri(uri: string): string {
	try {
		return decodeURIComponent(uri);
	} catch {
		return uri;
	}
}

/** Bytes of a base64 data URI; undefined when it is not one. */
export function decodeDataUri(uri: string): Uint8Array | undefined {
	const comma = uri.indexOf(',');
	if (comma < 0 || !/;base64$/i.test(uri.slice(0, comma))) return undefined;
	let end = uri.length;
	while (end > comma + 1 && uri[end - 1] === '=') end--;
	const count = end - comma - 1;
	const out = new Uint8Array(Math.floor((count * 3) / 4));
	let bits = 0;
	let held = 0;
	let at = 0;
	for (let i = comma + 1; i < end; i++) {
		const value = base64Value(uri.charCodeAt(i));
		if (value < 0) return undefined;
		bits = ((bits << 6) | value) & 0xffff;
		held += 6;
		if (held >= 8) {
			held -= 8;
			out[at++] = (bits >> held) & 0xff;
		}
	}
	return out;
}

function base64Value(code: number): number {
	if (code >= 0x41 && code <= 0x5a) return code - 0x41;
	if (code >= 0x61 && code <= 0x7a) return code - 0x61 + 26;
	if (code >= 0x30 && code <= 0x39) return code - 0x30 + 52;
	if (code === 0x2b || code === 0x2d) return 62;
	if (code === 0x2f || code === 0x5f) return 63;
	return -1;
}
