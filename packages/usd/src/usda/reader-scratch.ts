import type { AttributeType } from '../sdf/attribute-type.ts';
import type { Path } from '../sdf/path.ts';
import type { Value } from '../sdf/value.ts';
import { keywordInterner } from './keywords.ts';
import { NumberParser } from './number-parser.ts';
import type { TextInterner } from './text-interner.ts';

/** Texts after which an interner is not used for another layer. */
const MOST_TEXTS = 4096;
/** Bytes of those texts. */
const MOST_BYTES = 1 << 16;
/** Components of the longest array whose room is kept. */
const MOST_REALS = 1 << 16;

/**
 * What reading a text needs besides the text and the layer: tables that are costly to make and hold nothing of a layer. Layers
 * of one asset are many and small and use the same names, so one reading hands it to the next, names included.
 */
export class ReaderScratch {
	readonly interner: TextInterner = keywordInterner();
	readonly numbers: NumberParser = new NumberParser();
	/** Room for the components of an array. */
	reals: Float64Array = new Float64Array(256);
	/** What was made of interned texts before, by their number. */
	readonly tokens: (Value | undefined)[] = [];
	readonly types: (AttributeType | null | undefined)[] = [];
	/** Paths of this reading, which must not be kept alive. */
	readonly paths: (Path | undefined)[] = [];
	readonly usedPaths: number[] = [];
}

let spare: ReaderScratch | undefined;

/** Takes the scratch that the last reading left, or makes one. Readings inside each other get different ones. */
export function takeScratch(): ReaderScratch {
	const taken = spare ?? new ReaderScratch();
	spare = undefined;
	return taken;
}

/** Leaves the scratch to the next reading, unless it has grown large. */
export function leaveScratch(scratch: ReaderScratch): void {
	const { interner, paths, usedPaths } = scratch;
	if (interner.strings.length > MOST_TEXTS || interner.byteLength > MOST_BYTES) return;
	if (scratch.reals.length > MOST_REALS) return;
	for (const number of usedPaths) paths[number] = undefined;
	usedPaths.length = 0;
	spare = scratch;
}
