import { quote, type Report } from '@manyworlds/core';
import { createDiagnostic, type UsdCode } from '../diagnostics.ts';
import type { Path } from '../sdf/path.ts';
import { decodeBytes } from '../usda/string-escapes.ts';
import { readCompressedBytes, readCompressedInts32, SCRATCH, type Scratch } from './compressed-ints.ts';
import { CrateCursor } from './crate-cursor.ts';
import { CrateFault } from './crate-fault.ts';
import {
	BOOTSTRAP_SIZE,
	CRATE_IDENT,
	type CrateVersion,
	FIELD_SET_END,
	formatCrateVersion,
	KNOWN_SECTIONS,
	type KnownSection,
	MAX_MINOR_VERSION,
	MIN_MINOR_VERSION,
	SECTION_ENTRY_SIZE,
	SECTION_NAME_SIZE,
} from './crate-format.ts';
import { type CrateLimits, crateLimits } from './crate-limits.ts';
import { buildPaths, PathFaults, uniqueRun } from './crate-paths.ts';

/** An entry of the table of contents. */
export interface CrateSection {
	readonly name: string;
	readonly start: number;
	readonly size: number;
}

/** Everything in a crate file except its values. */
export interface CrateStructure {
	readonly version: CrateVersion;
	readonly sections: readonly CrateSection[];
	readonly tokens: readonly string[];
	/** Token of each string. */
	readonly strings: Uint32Array;
	readonly paths: readonly Path[];
	/** Indexes of `paths`, each after its parent. */
	readonly pathOrder: Uint32Array;
	/** Token of the name of each field. */
	readonly fieldNames: Uint32Array;
	/** Value representations of fields: low and high word in turn. */
	readonly fieldReps: Uint32Array;
	/** Runs of field indexes, each ended by `FIELD_SET_END`. */
	readonly fieldSets: Uint32Array;
	readonly specPaths: Uint32Array;
	/** Where in `fieldSets` the fields of each spec begin. */
	readonly specFieldSets: Uint32Array;
	readonly specTypes: Uint32Array;
}

/** Reports problems of a crate file. */
export class CrateReporter {
	readonly #report: Report;
	readonly #file: string;

	constructor(report: Report, file: string) {
		this.#report = report;
		this.#file = file;
	}

	add(code: UsdCode, message: string, byteOffset: number, prim?: Path): void {
		const place = { file: this.#file, byteOffset };
		this.#report.add(createDiagnostic(code, message, prim === undefined ? place : { ...place, prim: prim.toString() }));
	}
}

/** Whether the bytes begin like a crate file. */
export function isCrate(bytes: Uint8Array): boolean {
	if (bytes.length < CRATE_IDENT.length) return false;
	for (let i = 0; i < CRATE_IDENT.length; i++) if (bytes[i] !== CRATE_IDENT.charCodeAt(i)) return false;
	return true;
}

/**
 * Reads the structural sections. Whatever part is damaged is reported and reads as empty, so that the rest can be used;
 * the result is undefined only when the file is not a crate of a supported version.
 */
export function readStructure(bytes: Uint8Array, reporter: CrateReporter): CrateStructure | undefined {
	const cursor = new CrateCursor(bytes);
	const version = readVersion(bytes, reporter);
	if (version === undefined) return undefined;
	const scratch = SCRATCH;
	const limits = crateLimits(bytes.length);
	const sections = attempt<CrateSection[]>(reporter, [], () => readSections(cursor, reporter));
	const section = <R>(name: KnownSection, empty: R, read: () => R): R => {
		const entry = sections.find((candidate) => candidate.name === name);
		if (entry === undefined) {
			reporter.add('USDC005', `the file has no section ${name}, expected one of each kind`, BOOTSTRAP_SIZE);
			return empty;
		}
		return attempt(reporter, empty, () => {
			cursor.seek(entry.start);
			return read();
		});
	};

	const none = new Uint32Array(0);
	const tokens = section<readonly string[]>('TOKENS', [], () => readTokens(cursor, scratch, limits, reporter));
	const strings = section('STRINGS', none, () => readStrings(cursor));
	const fields = section('FIELDS', { names: none, reps: none }, () => readFields(cursor, scratch, limits));
	const fieldSets = section('FIELDSETS', none, () => {
		const at = cursor.at;
		const count = readCount(cursor, limits.items, 'the FIELDSETS section');
		return terminated(readInts(cursor, scratch, count, 'the FIELDSETS section'), at, reporter);
	});
	const noPaths: { paths: Path[]; order: Uint32Array } = { paths: [], order: none };
	const { paths, order } = section('PATHS', noPaths, () => readPaths(cursor, scratch, limits, tokens, reporter));
	const noSpecs = { paths: none, fieldSets: none, types: none };
	const specs = section('SPECS', noSpecs, () => readSpecs(cursor, scratch, paths.length, reporter));
	scratch.release();

	return {
		version,
		sections,
		tokens,
		strings,
		paths,
		pathOrder: order,
		fieldNames: fields.names,
		fieldReps: fields.reps,
		fieldSets,
		specPaths: specs.paths,
		specFieldSets: specs.fieldSets,
		specTypes: specs.types,
	};
}

function readVersion(bytes: Uint8Array, reporter: CrateReporter): CrateVersion | undefined {
	if (!isCrate(bytes)) {
		const found = quote(DECODER.decode(bytes.slice(0, CRATE_IDENT.length)));
		reporter.add('USDC001', `the file begins with ${found}, expected '${CRATE_IDENT}'`, 0);
		return undefined;
	}
	if (bytes.length < BOOTSTRAP_SIZE) {
		reporter.add(
			'USDC003',
			`the file has ${bytes.length} bytes, expected at least the ${BOOTSTRAP_SIZE} of a crate header`,
			bytes.length,
		);
		return undefined;
	}
	const version = { major: bytes[8]!, minor: bytes[9]!, patch: bytes[10]! };
	const { major, minor } = version;
	if (major !== 0 || minor < MIN_MINOR_VERSION || minor > MAX_MINOR_VERSION) {
		reporter.add(
			'USDC002',
			`the crate version is ${formatCrateVersion(version)}, expected 0.${MIN_MINOR_VERSION}.0 to 0.${MAX_MINOR_VERSION}.0`,
			8,
		);
		return undefined;
	}
	return version;
}

function readSections(cursor: CrateCursor, reporter: CrateReporter): CrateSection[] {
	cursor.seek(16);
	const start = cursor.int64();
	if (start < BOOTSTRAP_SIZE || start > cursor.size) {
		throw new CrateFault(`the table of contents is at offset ${start}, outside the file of ${cursor.size} bytes`, 16);
	}
	cursor.seek(start);
	const count = cursor.count64(SECTION_ENTRY_SIZE, 'the table of contents');
	const sections: CrateSection[] = [];
	for (let i = 0; i < count; i++) {
		const at = cursor.skip(SECTION_NAME_SIZE, 'a section name');
		const section = {
			name: sectionName(cursor.bytes, at),
			start: cursor.int64(),
			size: cursor.int64(),
		};
		if (!(section.start >= 0 && section.size >= 0 && section.start + section.size <= cursor.size)) {
			reporter.add(
				'USDC004',
				`section ${quote(section.name)} claims bytes ${section.start} to ${section.start + section.size} of a file of ${cursor.size} bytes`,
				at,
			);
			continue;
		}
		sections.push(section);
	}
	return sections;
}

function sectionName(bytes: Uint8Array, start: number): string {
	for (const name of KNOWN_SECTIONS) if (isNameAt(bytes, start, name)) return name;
	// a copy: browsers do not decode memory that threads share
	const name = bytes.slice(start, start + SECTION_NAME_SIZE);
	const end = name.indexOf(0);
	return DECODER.decode(end < 0 ? name : name.subarray(0, end));
}

/** Whether a name of a section stands at `start`, followed by a NUL. */
function isNameAt(bytes: Uint8Array, start: number, name: string): boolean {
	for (let i = 0; i < name.length; i++) if (bytes[start + i] !== name.charCodeAt(i)) return false;
	return bytes[start + name.length] === 0;
}

function readTokens(
	cursor: CrateCursor,
	scratch: Scratch,
	limits: CrateLimits,
	reporter: CrateReporter,
): readonly string[] {
	const at = cursor.at;
	const count = readCount(cursor, limits.items, 'the TOKENS section');
	const rawSize = cursor.uint64();
	if (rawSize > limits.tokenBytes || count > rawSize) {
		throw new CrateFault(`the TOKENS section claims ${count} tokens in ${rawSize} bytes`, at);
	}
	const { bytes, size } = readCompressedBytes(cursor, scratch, rawSize, 'the TOKENS section');
	if (size !== rawSize) {
		reporter.add('USDC004', `the TOKENS section holds ${size} bytes of text, expected ${rawSize}`, at);
	}
	if (size > limits.items) {
		let ends = 0;
		for (let i = 0; i < size; i++) if (bytes[i] === 0) ends++;
		if (ends > limits.items) throw new CrateFault(`the TOKENS section holds ${ends} tokens, expected ${count}`, at);
	}
	const text = decodeUtf8(bytes.subarray(0, size), at, reporter);
	const tokens = text.split('\0');
	// The last token ends in a NUL as well.
	if (tokens[tokens.length - 1] === '') tokens.pop();
	if (tokens.length !== count) {
		reporter.add('USDC004', `the TOKENS section holds ${tokens.length} tokens, expected ${count}`, at);
		while (tokens.length < count && tokens.length < size) tokens.push('');
		tokens.length = Math.min(count, tokens.length);
	}
	return tokens;
}

// making a decoder costs more than reading a small file
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });
const STRICT_DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** NUL bytes occur in UTF-8 only as themselves, so all tokens are decoded at once. */
function decodeUtf8(bytes: Uint8Array, at: number, reporter: CrateReporter): string {
	try {
		return STRICT_DECODER.decode(bytes);
	} catch {
		reporter.add('USDC006', 'some tokens are not valid UTF-8; the bad bytes read as U+DC80 to U+DCFF', at);
		return decodeBytes(bytes, DECODER);
	}
}

function readStrings(cursor: CrateCursor): Uint32Array {
	const count = cursor.count64(4, 'the STRINGS section');
	const strings = new Uint32Array(count);
	for (let i = 0; i < count; i++) strings[i] = cursor.uint32();
	return strings;
}

/** A count of items that are compressed, so that the size of the file bounds it only loosely. */
function readCount(cursor: CrateCursor, limit: number, what: string): number {
	const at = cursor.at;
	const count = cursor.uint64();
	if (count > limit) {
		throw new CrateFault(`${what} claims ${count} items, more than the ${limit} allowed for a file of this size`, at);
	}
	return count;
}

function readInts(cursor: CrateCursor, scratch: Scratch, count: number, what: string): Uint32Array {
	return readCompressedInts32(cursor, scratch, count, (length) => new Uint32Array(length), what);
}

function readFields(
	cursor: CrateCursor,
	scratch: Scratch,
	limits: CrateLimits,
): { names: Uint32Array; reps: Uint32Array } {
	const at = cursor.at;
	const count = readCount(cursor, limits.items, 'the FIELDS section');
	const names = readInts(cursor, scratch, count, 'the FIELDS section');
	const { bytes, size } = readCompressedBytes(cursor, scratch, count * 8, 'the FIELDS section');
	if (size !== count * 8) {
		throw new CrateFault(`the FIELDS section holds ${size} bytes of values, expected ${count * 8}`, at);
	}
	const reps = new Uint32Array(count * 2);
	new Uint8Array(reps.buffer).set(bytes.length === size ? bytes : bytes.subarray(0, size));
	return { names, reps };
}

/** Sections with fewer paths are read whole, however many of them repeat others. */
const MANY_PATHS = 1 << 16;

function readPaths(
	cursor: CrateCursor,
	scratch: Scratch,
	limits: CrateLimits,
	tokens: readonly string[],
	reporter: CrateReporter,
): { paths: Path[]; order: Uint32Array } {
	const at = cursor.at;
	const pathCount = readCount(cursor, limits.items, 'the PATHS section');
	const count = cursor.uint64();
	if (count > pathCount) {
		throw new CrateFault(`the PATHS section encodes ${count} paths but counts ${pathCount}`, at);
	}
	const encoded = readInts(cursor, scratch, count, 'the PATHS section');
	const indexes = encoded.length < MANY_PATHS ? encoded : encoded.subarray(0, uniqueRun(encoded, pathCount));
	const integers = (): Int32Array => new Int32Array(indexes.length);
	const elements = readCompressedInts32(cursor, scratch, count, integers, 'the PATHS section');
	const jumps = readCompressedInts32(cursor, scratch, count, integers, 'the PATHS section');
	// Only the empty path is counted without being encoded.
	if (pathCount > count + 1) {
		throw new CrateFault(`the PATHS section counts ${pathCount} paths but encodes ${count}`, at);
	}
	const faults = new PathFaults((item, message) => {
		reporter.add('USDC007', `${message} (item ${item} of the PATHS section)`, at);
	});
	if (indexes.length < count) faults.add(indexes.length, () => 'too many paths have the index of another');
	return { paths: buildPaths({ pathCount, indexes, elements, jumps }, tokens, faults), order: indexes };
}

function readSpecs(
	cursor: CrateCursor,
	scratch: Scratch,
	pathCount: number,
	reporter: CrateReporter,
): { paths: Uint32Array; fieldSets: Uint32Array; types: Uint32Array } {
	const at = cursor.at;
	const count = cursor.uint64();
	// Every spec has a path of its own. Of a section with more, as many are read as can be right.
	if (count > pathCount) {
		reporter.add('USDC008', `the SPECS section claims ${count} specs for ${pathCount} paths`, at);
	}
	const integers = (length: number): Uint32Array => new Uint32Array(Math.min(length, pathCount));
	const read = (): Uint32Array => readCompressedInts32(cursor, scratch, count, integers, 'the SPECS section');
	return { paths: read(), fieldSets: read(), types: read() };
}

/** Makes sure that the last field set ends, so that walks over field sets need no bounds check. */
function terminated(fieldSets: Uint32Array, at: number, reporter: CrateReporter): Uint32Array {
	if (fieldSets.length === 0 || fieldSets[fieldSets.length - 1] === FIELD_SET_END) return fieldSets;
	reporter.add('USDC004', 'the last field set of the FIELDSETS section has no end', at);
	const result = new Uint32Array(fieldSets.length + 1);
	result.set(fieldSets);
	result[fieldSets.length] = FIELD_SET_END;
	return result;
}

function attempt<R>(reporter: CrateReporter, fallback: R, read: () => R): R {
	try {
		return read();
	} catch (error) {
		if (!(error instanceof CrateFault)) throw error;
		reporter.add('USDC004', error.message, error.offset);
		return fallback;
	}
}

/** The structure of a file that holds nothing. */
export function emptyStructure(): CrateStructure {
	const none = new Uint32Array(0);
	return {
		version: { major: 0, minor: 8, patch: 0 },
		sections: [],
		tokens: [],
		strings: none,
		paths: [],
		pathOrder: none,
		fieldNames: none,
		fieldReps: none,
		fieldSets: none,
		specPaths: none,
		specFieldSets: none,
		specTypes: none,
	};
}

/** Sections that this version does not know, kept so that they can be written again. */
export function unknownSections(structure: CrateStructure): CrateSection[] {
	const known: readonly string[] = KNOWN_SECTIONS;
	return structure.sections.filter((section) => !known.includes(section.name));
}
