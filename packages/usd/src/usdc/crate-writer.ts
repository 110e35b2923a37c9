import { type Report, UsageRangeError } from '@manyworlds/core';
import { createDiagnostic } from '../diagnostics.ts';
import type { LayerData } from '../sdf/layer-data.ts';
import type { ListOp } from '../sdf/list-op.ts';
import { MemoryData } from '../sdf/memory-data.ts';
import type { MetadataRegistry } from '../sdf/metadata-registry.ts';
import { Path, PathKind } from '../sdf/path.ts';
import { SpecType } from '../sdf/spec-type.ts';
import type { Payload, TimeSamples, Value } from '../sdf/value.ts';
import { T } from '../sdf/value-type.ts';
import { ByteSink, GATHERED_SIZE } from './byte-sink.ts';
import { CrateData } from './crate-data.ts';
import {
	BOOTSTRAP_SIZE,
	CRATE_IDENT,
	FIELD_SET_END,
	MAX_MINOR_VERSION,
	MIN_MINOR_VERSION,
	SECTION_NAME_SIZE,
} from './crate-format.ts';
import { unknownSections } from './crate-structure.ts';
import { CrateTables } from './crate-tables.ts';
import { WordTable } from './dedupe-tables.ts';
import { encodeTokens } from './encode-tokens.ts';
import type { PathWalk } from './path-table.ts';
import { UnwritableValue } from './unwritable-value.ts';
import { NeedsBaseFile, ValueWriter } from './value-writer.ts';

/** Options of {@link writeUsdc}. */
export interface WriteUsdcOptions {
	/** Lowest version to write, `0.4.0` to `0.16.0`; raised when a value needs more. */
	readonly version?: string;
	/** Name of the layer in diagnostics. */
	readonly file?: string;
	/** Takes what could not be written. */
	readonly report?: Report;
	/** Not used: crate files say the type of every value. All readers and writers take it. */
	readonly registry?: MetadataRegistry;
}

/** Values of {@link WriteUsdcOptions} that are used when absent. */
export const WRITE_USDC_DEFAULTS: { readonly version: string; readonly file: string } = { version: '0.8.0', file: '' };

/**
 * Writes layer data as a crate file. The same data gives the same bytes; the data is not changed. The result may be the
 * beginning of a larger buffer, as a copy of large files would cost as much as to make them.
 */
export function writeUsdc(data: LayerData, options: WriteUsdcOptions = {}): Uint8Array {
	return packCrate(data, options, false).take();
}

/**
 * The same file in pieces, to be written one after the other (`fs.writevSync`). Large arrays are pieces as they stand in the
 * data, without a copy, so the data must not change before all is written.
 */
export function writeUsdcPieces(data: LayerData, options: WriteUsdcOptions = {}): Uint8Array[] {
	return packCrate(data, options, true).takePieces();
}

function packCrate(data: LayerData, options: WriteUsdcOptions, gathers: boolean): ByteSink {
	const { version, file } = { ...WRITE_USDC_DEFAULTS, ...options };
	let minor = parseVersion(version);
	let base: CrateData | undefined;
	let isBaseLost = false;
	for (;;) {
		const writer = new CrateWriter(data, minor, base, isBaseLost, gathers);
		try {
			writer.packSpecs();
		} catch (error) {
			// Values of unknown type keep their meaning only with the indexes and offsets of their file.
			if (!(error instanceof NeedsBaseFile) || !(data instanceof CrateData)) throw error;
			if (hasAllPaths(data)) {
				base = data;
				minor = Math.max(minor, data.version.minor);
			} else {
				isBaseLost = true;
			}
			continue;
		}
		// Older versions store arrays and payloads in another way, so a raise from there means to start again.
		if (writer.neededMinor > minor && minor < FIRST_STABLE_MINOR) {
			minor = writer.neededMinor;
			continue;
		}
		if (options.report !== undefined) {
			for (const { message, path } of writer.problems) {
				options.report.add(createDiagnostic('USDC011', message, { file, prim: path.toString() }));
			}
		}
		return writer.finish(Math.max(minor, writer.neededMinor));
	}
}

/** From this version on, versions differ only in the types that they know. */
const FIRST_STABLE_MINOR = 8;

function parseVersion(text: string): number {
	const match = /^0\.(\d+)\.0$/.exec(text);
	const minor = match === null ? -1 : Number(match[1]);
	if (minor < MIN_MINOR_VERSION || minor > MAX_MINOR_VERSION) {
		throw new UsageRangeError(
			`version is '${text}', expected '0.${MIN_MINOR_VERSION}.0' to '0.${MAX_MINOR_VERSION}.0'`,
		);
	}
	return minor;
}

interface Problem {
	readonly message: string;
	readonly path: Path;
}

/** Time samples that are written after everything else, so that samples can be stored by time. */
interface DeferredSamples {
	readonly name: string;
	readonly data: TimeSamples;
	readonly representations: Uint32Array;
	/** Place of the field in its set. */
	readonly place: number;
}

interface DeferredSpec {
	readonly path: Path;
	/** Index of the path. */
	readonly index: number;
	readonly type: SpecType;
	readonly fields: Uint32Array;
	readonly samples: readonly DeferredSamples[];
}

class CrateWriter {
	readonly #data: LayerData;
	readonly #sink: ByteSink;
	readonly #tables: CrateTables;
	readonly #values: ValueWriter;
	/** Name token and representation of each field. */
	readonly #fields = new WordTable();
	readonly #fieldSets = new WordTable();
	readonly #specPaths: number[] = [];
	readonly #specFieldSets: number[] = [];
	readonly #specTypes: number[] = [];
	readonly #deferred: DeferredSpec[] = [];
	readonly #words = new Uint32Array(3);
	/** Fields of the spec that is being packed. */
	#fieldSet = new Uint32Array(64);
	#fieldCount = 0;
	readonly problems: Problem[] = [];

	constructor(data: LayerData, minor: number, base: CrateData | undefined, isBaseLost: boolean, gathers: boolean) {
		this.#data = data;
		const isCrate = data instanceof CrateData;
		const bytes = isCrate ? (gathers ? 0 : data.bytes.length) : arrayBytes(data, gathers);
		this.#sink = new ByteSink(Math.ceil(1.1 * bytes) + 65536, gathers);
		if (base === undefined) {
			this.#sink.at = BOOTSTRAP_SIZE;
		} else {
			let end = base.bytes.length;
			for (const { start } of base.structure.sections) end = Math.min(end, start);
			this.#sink.raw(base.bytes.subarray(0, end));
		}
		this.#tables = new CrateTables(base?.structure);
		this.#values = new ValueWriter(
			this.#sink,
			this.#tables,
			minor,
			base !== undefined ? 'here' : isCrate && !isBaseLost ? 'elsewhere' : 'lost',
		);
	}

	get neededMinor(): number {
		return this.#values.neededMinor;
	}

	/** Writes all values: prims by path first, then properties by name, so that what is read together lies together. */
	packSpecs(): void {
		const data = this.#data;
		const table = this.#tables.paths;
		const { order, located } = this.#orderSpecs();
		for (let i = 0; i < order.length; i++) {
			const number = order[i]!;
			const path = table.paths[number]!;
			if (data instanceof CrateData) data.recall(path, located[number]!);
			this.#values.anchor = path;
			this.#packSpec(path, table.indexOf(number));
		}
		this.#packDeferred();
	}

	/** Numbers of the paths of specs: prims and variants in the order of the path tree, then properties by name. */
	#orderSpecs(): { readonly order: number[]; readonly located: number[] } {
		const table = this.#tables.paths;
		const baseCount = table.paths.length;
		/** For each number: where a crate has the spec, or 0; undefined for a path without spec. */
		const located: number[] = [];
		const data = this.#data;
		for (const path of data.paths()) located[table.number(path)] = data instanceof CrateData ? data.locate(path) : 0;

		const order: number[] = [];
		const properties = new Map<string, number[]>();
		const walk = table.sort(baseCount);
		for (let i = 0; i < walk.order.length; i++) {
			const number = walk.order[i]!;
			if (located[number] === undefined) continue;
			const path = table.paths[number]!;
			if (!path.isProperty) {
				order.push(number);
				continue;
			}
			const named = properties.get(path.name);
			if (named === undefined) properties.set(path.name, [number]);
			else named.push(number);
		}
		const names = [...properties.keys()].sort((a, b) => (a < b ? -1 : 1));
		for (const name of names) for (const number of properties.get(name)!) order.push(number);
		return { order, located };
	}

	#packSpec(path: Path, index: number): void {
		const data = this.#data;
		this.#fieldCount = 0;
		const samples: DeferredSamples[] = [];
		const spec = data instanceof MemoryData ? data.spec(path) : undefined;
		const type = spec === undefined ? data.specType(path) : spec.type;
		const names = spec === undefined ? data.fieldNames(path) : spec.names;
		for (let i = 0; i < names.length; i++) {
			const name = names[i]!;
			const value = spec === undefined ? data.field(path, name) : spec.get(name);
			if (value === undefined) continue;
			if (value.type === T.timeSamples) {
				const times = value.data as TimeSamples;
				const representations = new Uint32Array(times.times.length * 2);
				samples.push({ name, data: times, representations, place: this.#fieldCount });
				this.#addToSet(0);
			} else {
				this.#packField(path, name, value);
			}
		}
		// Targets and connections follow from the list-ops of their property: they are stored only if they say more.
		const isImplied = type === SpecType.relationshipTarget || type === SpecType.connection;
		if (this.#fieldCount === 0 && isImplied) return;
		this.#addToSet(FIELD_SET_END);
		if (samples.length === 0) this.#addSpec(index, type, this.#fieldSet, this.#fieldCount);
		else this.#deferred.push({ path, index, type, fields: this.#fieldSet.slice(0, this.#fieldCount), samples });
	}

	#addToSet(field: number): void {
		if (this.#fieldCount === this.#fieldSet.length) {
			const grown = new Uint32Array(this.#fieldCount * 2);
			grown.set(this.#fieldSet);
			this.#fieldSet = grown;
		}
		this.#fieldSet[this.#fieldCount++] = field;
	}

	#packField(path: Path, name: string, value: Value): void {
		try {
			if (name === 'payload' && value.type === T.payloadListOp) {
				this.#values.writePayloadField(value as Value<ListOp<Payload>>);
			} else {
				this.#values.write(value);
			}
			this.#addToSet(this.#addField(name));
		} catch (error) {
			if (!(error instanceof UnwritableValue)) throw error;
			this.problems.push({ message: `field '${name}' cannot be written: ${error.message}`, path });
		}
	}

	/** Number of the field with the representation that was given last. */
	#addField(name: string): number {
		const words = this.#words;
		words[0] = this.#tables.token(name);
		words[1] = this.#values.low;
		words[2] = this.#values.high;
		return this.#fields.add(words, 3);
	}

	#addSpec(pathIndex: number, type: SpecType, fields: Uint32Array, count: number): void {
		this.#specPaths.push(pathIndex);
		this.#specFieldSets.push(this.#fieldSets.start(this.#fieldSets.add(fields, count)));
		this.#specTypes.push(type);
	}

	/** Writes samples in the order of their times, so that those of one time lie together. */
	#packDeferred(): void {
		const byTime = new Map<number, (() => void)[]>();
		for (const { path, samples } of this.#deferred) {
			for (const one of samples) {
				const { times } = one.data;
				for (let at = 0; at < times.length; at++) {
					const pack = (): void => this.#packSample(path, one, at);
					const sameTime = byTime.get(times[at]!);
					if (sameTime === undefined) byTime.set(times[at]!, [pack]);
					else sameTime.push(pack);
				}
			}
		}
		for (const time of [...byTime.keys()].sort((a, b) => a - b)) for (const pack of byTime.get(time)!) pack();
		for (const { index, type, fields, samples } of this.#deferred) {
			for (const { name, data, representations, place } of samples) {
				this.#values.writeTimeSamples(data.times, representations);
				fields[place] = this.#addField(name);
			}
			this.#addSpec(index, type, fields, fields.length);
		}
	}

	#packSample(path: Path, samples: DeferredSamples, at: number): void {
		this.#values.anchor = path;
		try {
			this.#values.write(samples.data.valueAt(at));
		} catch (error) {
			if (!(error instanceof UnwritableValue)) throw error;
			const time = samples.data.times[at];
			this.problems.push({ message: `the sample at time ${time} cannot be written: ${error.message}`, path });
			this.#values.write({ type: T.valueBlock, data: null });
		}
		samples.representations[2 * at] = this.#values.low;
		samples.representations[2 * at + 1] = this.#values.high;
	}

	/** Writes the sections and the header. */
	finish(minor: number): ByteSink {
		const sink = this.#sink;
		const sections: { readonly name: string; readonly start: number; readonly size: number }[] = [];
		const section = (name: string, write: () => void): void => {
			const start = sink.offset;
			write();
			sections.push({ name, start, size: sink.offset - start });
		};
		const source = this.#data;
		if (source instanceof CrateData) {
			for (const { name, start, size } of unknownSections(source.structure)) {
				section(name, () => sink.raw(source.bytes.subarray(start, start + size)));
			}
		}
		// Elements of paths are tokens, so they come before the tokens are written.
		const paths = this.#encodePaths();
		section('TOKENS', () => this.#writeTokens());
		section('STRINGS', () => {
			sink.uint64(this.#tables.strings.length);
			sink.raw(Uint32Array.from(this.#tables.strings));
		});
		section('FIELDS', () => this.#writeFields());
		section('FIELDSETS', () => {
			sink.uint64(this.#fieldSets.length);
			this.#values.arrays.writeInts32(this.#fieldSets.words, this.#fieldSets.length);
		});
		section('PATHS', () => {
			sink.uint64(this.#tables.paths.paths.length);
			sink.uint64(paths.order.length);
			this.#values.arrays.writeInts32(paths.indexes, paths.order.length);
			this.#values.arrays.writeInts32(paths.elements, paths.order.length);
			this.#values.arrays.writeInts32(paths.jumps, paths.order.length);
		});
		section('SPECS', () => {
			sink.uint64(this.#specPaths.length);
			this.#writeInts(this.#specPaths);
			this.#writeInts(this.#specFieldSets);
			this.#writeInts(this.#specTypes);
		});

		const contentsAt = sink.offset;
		sink.uint64(sections.length);
		for (const { name, start, size } of sections) {
			sink.raw(paddedName(name));
			sink.uint64(start);
			sink.uint64(size);
		}
		const end = sink.at;
		sink.at = 0;
		sink.raw(new Uint8Array(BOOTSTRAP_SIZE));
		sink.at = 0;
		sink.raw(new TextEncoder().encode(CRATE_IDENT));
		sink.uint8(0);
		sink.uint8(minor);
		sink.at = 16;
		sink.uint64(contentsAt);
		sink.at = end;
		return sink;
	}

	#writeTokens(): void {
		const { tokens } = this.#tables;
		const bytes = encodeTokens(tokens);
		this.#sink.uint64(tokens.length);
		this.#sink.uint64(bytes.length);
		this.#values.arrays.writeCompressed(bytes, bytes.length);
	}

	#writeFields(): void {
		const { words, count } = this.#fields;
		const names = new Uint32Array(count);
		const representations = new Uint32Array(count * 2);
		for (let i = 0; i < count; i++) {
			names[i] = words[3 * i]!;
			representations[2 * i] = words[3 * i + 1]!;
			representations[2 * i + 1] = words[3 * i + 2]!;
		}
		this.#sink.uint64(count);
		this.#values.arrays.writeInts32(names, count);
		const bytes = new Uint8Array(representations.buffer);
		this.#values.arrays.writeCompressed(bytes, bytes.length);
	}

	#encodePaths(): PathWalk & { readonly elements: Int32Array; readonly indexes: Uint32Array } {
		const table = this.#tables.paths;
		const { paths } = table;
		const { order, jumps } = table.walk();
		const elements = new Int32Array(order.length);
		const indexes = new Uint32Array(order.length);
		for (let i = 0; i < order.length; i++) {
			const path = paths[order[i]!]!;
			const token = this.#tables.elementToken(path);
			indexes[i] = table.indexOf(order[i]!);
			elements[i] = path.kind === PathKind.property ? -token : token;
		}
		return { order, jumps, elements, indexes };
	}

	#writeInts(items: readonly number[]): void {
		this.#values.arrays.writeInts32(Uint32Array.from(items), items.length);
	}
}

/** Whether every path of a file could be built, so that it can be written with the same indexes. */
function hasAllPaths(data: CrateData): boolean {
	const { paths, pathOrder } = data.structure;
	const built = new Set(paths);
	built.delete(Path.empty);
	return built.size === pathOrder.length && paths.length <= built.size + 1;
}

/**
 * What the defaults of attributes take as arrays, nearly all of a large layer, less what is gathered: integers are compressed,
 * to half on average.
 */
function arrayBytes(data: LayerData, gathers: boolean): number {
	let bytes = 0;
	for (const path of data.paths()) {
		if (!path.isProperty) continue;
		const value = data.field(path, 'default')?.data;
		if (!ArrayBuffer.isView(value)) continue;
		if (value instanceof Int32Array) bytes += value.byteLength / 2;
		else if (!gathers || value.byteLength < GATHERED_SIZE) bytes += value.byteLength;
	}
	return bytes;
}

function paddedName(name: string): Uint8Array {
	const bytes = new Uint8Array(SECTION_NAME_SIZE);
	bytes.set(new TextEncoder().encode(name).subarray(0, SECTION_NAME_SIZE - 1));
	return bytes;
}
