import type { Path } from './path.ts';
import type { SpecType } from './spec-type.ts';
import type { Value } from './value.ts';

/** Where something was written: byte offsets into the text of a layer. */
export interface SourceRange {
	readonly start: number;
	readonly end: number;
}

/** Where a field was written: the whole statement and its value. */
export interface FieldSource extends SourceRange {
	readonly valueStart: number;
	readonly valueEnd: number;
}

/** Where a spec was written. Offsets are -1 for parts that are not there. */
export interface SpecSource extends SourceRange {
	readonly nameStart: number;
	/** The parentheses around metadata. */
	readonly metadataOpen: number;
	readonly metadataClose: number;
	/** The braces around the body. */
	readonly bodyOpen: number;
	readonly bodyClose: number;
}

/**
 * The content of one layer: specs by path, each with a type and named fields. Text, crate and memory layers all look
 * like this. Reading never fails: what could not be decoded was reported when it was found and reads as undefined.
 */
export interface LayerData {
	readonly specCount: number;
	has(path: Path): boolean;
	/** `SpecType.unknown` when there is no spec. */
	specType(path: Path): SpecType;
	/** Names of the fields of a spec in stored order; none when there is no spec. */
	fieldNames(path: Path): readonly string[];
	field(path: Path, name: string): Value | undefined;
	/** Every spec once, each after its parent. */
	paths(): Iterable<Path>;

	/** Adds a spec without fields, or changes the type of one. Children fields are the caller's business. */
	createSpec(path: Path, type: SpecType): void;
	/** Removes a spec; those below it stay. */
	eraseSpec(path: Path): void;
	/** Sets a field of an existing spec. */
	setField(path: Path, name: string, value: Value): void;
	eraseField(path: Path, name: string): void;

	/** Where the spec was written, if it came from text. */
	specSource(path: Path): SpecSource | undefined;
	/** Where the field was written, if it came from text and was not implied. */
	fieldSource(path: Path, name: string): FieldSource | undefined;
}
