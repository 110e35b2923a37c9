import { TextInterner } from './text-interner.ts';

/**
 * Words that the grammar reserves: none of them can be a type, a metadata name or an unquoted value. Property names and
 * dictionary keys may be keywords. The order fixes their numbers in a fresh interner.
 */
const KEYWORDS = [
	'add',
	'append',
	'delete',
	'prepend',
	'reorder',
	'def',
	'over',
	'class',
	'custom',
	'uniform',
	'varying',
	'config',
	'rel',
	'variantSet',
	'nameChildren',
	'properties',
	'rootPrims',
	'timeSamples',
	'connect',
	'spline',
	'default',
	'None',
	'AnimationBlock',
	'doc',
	'kind',
	'references',
	'payload',
	'inherits',
	'specializes',
	'variants',
	'variantSets',
	'relocates',
	'permission',
	'symmetryFunction',
	'symmetryArguments',
	'customData',
	'prefixSubstitutions',
	'suffixSubstitutions',
	'displayUnit',
	'subLayers',
	'offset',
	'scale',
	'dictionary',
	'bezier',
	'hermite',
	'none',
	'held',
	'linear',
	'curve',
	'sloped',
	'loop',
	'repeat',
	'reset',
	'oscillate',
	'pre',
	'post',
] as const;

/** Words with a meaning in one place only; elsewhere they are ordinary names. */
const CONTEXT_WORDS = ['inf', 'nan', 'edit', 'mapper', 'autoEase', 'marker'] as const;

type Word = (typeof KEYWORDS)[number] | (typeof CONTEXT_WORDS)[number];

/** Numbers that {@link keywordInterner} gives to the words of the grammar. */
export const W: Readonly<Record<Word, number>> = Object.freeze(
	Object.fromEntries([...KEYWORDS, ...CONTEXT_WORDS].map((word, number) => [word, number])),
) as Readonly<Record<Word, number>>;

/** Words with a number below this are reserved. */
export const RESERVED_COUNT: number = KEYWORDS.length;

/** Numbers below this are list-op words. */
export const LIST_OP_COUNT = 5;

/** A fresh interner that gives the words of the grammar the numbers in {@link W}. */
export function keywordInterner(): TextInterner {
	return new TextInterner(SEED);
}

const SEED: TextInterner = seededInterner();

function seededInterner(): TextInterner {
	const interner = new TextInterner();
	const encoder = new TextEncoder();
	for (const word of [...KEYWORDS, ...CONTEXT_WORDS]) {
		const bytes = encoder.encode(word);
		interner.intern(bytes, 0, bytes.length);
	}
	return interner;
}
