import { quote, type Report, SourceText } from '@manyworlds/core';
import { EXCERPT_WIDTH } from '@manyworlds/core/internal';
import { createDiagnostic, USD_CODES, type UsdCode } from '../diagnostics.ts';
import { type AttributeType, findAttributeType } from '../sdf/attribute-type.ts';
import { MemoryData, type Spec } from '../sdf/memory-data.ts';
import type { MetadataRegistry } from '../sdf/metadata-registry.ts';
import { Path } from '../sdf/path.ts';
import { SourceRanges } from '../sdf/source-ranges.ts';
import { SpecType } from '../sdf/spec-type.ts';
import { makeValue, type Value } from '../sdf/value.ts';
import { T } from '../sdf/value-type.ts';
import { ByteLexer } from './byte-lexer.ts';
import { leaveScratch, type ReaderScratch } from './reader-scratch.ts';
import { RepeatedValues } from './repeated-values.ts';
import { UsdaFault } from './usda-fault.ts';

/** Most levels of nested dictionaries, lists or tuples in one value. */
export const MAX_VALUE_DEPTH = 1000;

/** After so many statements with mistakes nothing more is read. */
const MAX_LEFT_STATEMENTS = 10_000;

/** Bytes of a path that are looked up instead of read again. */
const PATH_INTERN_LIMIT = 160;

/** What the functions that read the parts of a layer share: the text, the place in it and the layer that is filled. */
export class ParserState extends ByteLexer {
	data: MemoryData;
	readonly ranges: SourceRanges;
	readonly report: Report;
	readonly registry: MetadataRegistry;
	readonly #text: Uint8Array;
	readonly #file: string | undefined;
	readonly #scratch: ReaderScratch;
	#source: SourceText | undefined;
	#repeated: RepeatedValues | undefined;
	/** Number of diagnostics so far, kept in the report or not. */
	diagnosticCount = 0;
	#leftStatements = 0;
	/** The spec that is being read. */
	path: Path = Path.root;
	spec: Spec;
	/** Components of the array that is being read; grows as needed and is used again. */
	reals: Float64Array;

	/** `scratch` belongs to this parser until {@link leave}. */
	constructor(
		text: Uint8Array,
		file: string | undefined,
		report: Report,
		registry: MetadataRegistry,
		scratch: ReaderScratch,
	) {
		super(text, scratch.interner, scratch.numbers);
		this.#text = text;
		this.#file = file;
		this.#scratch = scratch;
		this.reals = scratch.reals;
		this.ranges = new SourceRanges();
		this.data = new MemoryData(this.ranges);
		this.report = report;
		this.registry = registry;
		this.spec = this.data.addSpec(Path.root, SpecType.pseudoRoot);
	}

	/** Ends the use of the scratch. */
	leave(): void {
		this.#scratch.reals = this.reals;
		leaveScratch(this.#scratch);
	}

	/** Values that were read before. */
	get repeated(): RepeatedValues {
		this.#repeated ??= new RepeatedValues(this);
		return this.#repeated;
	}

	/** Puts a mistake that a statement was left for into the report. */
	reportFault(fault: UsdaFault): void {
		this.#add(fault.code, fault.message, fault.start, fault.end, fault.path);
	}

	override fail(code: UsdCode, message: string, start: number = this.pos, end: number = start + 1): never {
		throw new UsdaFault(code, message, start, end, this.path);
	}

	/** Counts a statement that was left; true when there were so many that reading on makes no sense. */
	isHopeless(start: number): boolean {
		if (++this.#leftStatements < MAX_LEFT_STATEMENTS) return false;
		this.pos = this.length;
		this.addError('USDA064', `${MAX_LEFT_STATEMENTS} statements have mistakes, the rest is not read`, start, start + 1);
		return true;
	}

	/** Reports an error without leaving the statement. */
	addError(code: UsdCode, message: string, start: number, end: number): void {
		this.#add(code, message, start, end);
	}

	/** Reports something that does not stop the statement from being read. */
	warn(code: UsdCode, message: string, start: number, end: number): void {
		this.#add(code, message, start, end);
	}

	#add(code: UsdCode, message: string, start: number, end: number, path: Path = this.path): void {
		this.diagnosticCount++;
		const severity = USD_CODES[code];
		if (this.report.isFull(severity)) {
			this.report.count(severity);
			return;
		}
		this.#source ??= new SourceText(this.#text, this.#file);
		const place = this.#source.locate(start, this.#endOnLine(start, end));
		this.report.add(createDiagnostic(code, message, { ...place, prim: path.toString() }));
	}

	/** The end of what is wrong, at most as far as its line and an excerpt go. */
	#endOnLine(start: number, end: number): number {
		const limit = Math.min(end, this.length, start + 4 * EXCERPT_WIDTH);
		let at = start;
		while (at < limit && this.bytes[at] !== 0x0a && this.bytes[at] !== 0x0d) at++;
		return at;
	}

	override onRawBytes(start: number, end: number): void {
		this.warn('USDA069', 'escapes spell bytes that are not valid UTF-8', start, end);
	}

	/** Sets a field of the current spec and says where it was written. */
	setField(name: string, number: number, value: Value, start: number, valueStart: number): void {
		this.spec.set(name, value);
		this.ranges.addField(number, start, valueStart, this.pos, this.pos);
	}

	/** Sets a field of the current spec whose name is not one of the fixed ones. */
	setNamedField(name: string, value: Value, start: number, valueStart: number): void {
		this.setField(name, this.ranges.fieldNumber(name), value, start, valueStart);
	}

	/** A token value with the text of an interned number. */
	token(number: number): Value {
		const { tokens } = this.#scratch;
		reach(tokens, number);
		return (tokens[number] ??= makeValue(T.token, this.text(number)));
	}

	/** The attribute type that an interned number names, null for one that nobody defines. */
	attributeType(number: number): AttributeType | null {
		const { types } = this.#scratch;
		reach(types, number);
		const known = types[number];
		if (known !== undefined) return known;
		const type = findAttributeType(this.text(number)) ?? null;
		types[number] = type;
		return type;
	}

	/** Reads a path in angle brackets. `<>` gives the empty path. */
	pathReference(): Path {
		const { bytes } = this;
		const start = this.pos;
		this.expect(0x3c);
		let end = start + 1;
		while (bytes[end] !== 0x3e) {
			const byte = bytes[end]!;
			if (byte === 0x0a || byte === 0x0d || (byte === 0 && end >= this.length)) {
				this.fail('USDA008', "path that begins with '<' has no '>' on its line", start, end);
			}
			end++;
		}
		this.pos = end + 1;
		if (end === start + 1) return Path.empty;
		if (end - start > PATH_INTERN_LIMIT) return this.#parsePath(this.slice(start + 1, end), start, end + 1);
		const number = this.interner.intern(bytes, start + 1, end);
		const { paths, usedPaths } = this.#scratch;
		reach(paths, number);
		let path = paths[number];
		if (path === undefined) {
			path = this.#parsePath(this.text(number), start, end + 1);
			paths[number] = path;
			usedPaths.push(number);
		}
		return path;
	}

	#parsePath(text: string, start: number, end: number): Path {
		const path = Path.parse(text);
		if (path === undefined) {
			this.fail('USDA024', `${quote(text)} is not a valid path`, start, end);
		}
		return path;
	}
}

/** Makes a list long enough for an index without leaving holes, which would make it slow. */
function reach(list: unknown[], index: number): void {
	while (list.length <= index) list.push(undefined);
}
