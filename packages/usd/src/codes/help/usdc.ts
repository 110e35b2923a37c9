import type { CodeHelp } from '@manyworlds/core/internal';
import type { USDC_CODES } from '../usdc.ts';

/** What to do about the codes of the crate (binary) reader and writer. */
export const USDC_HELP: Readonly<Record<keyof typeof USDC_CODES, CodeHelp>> = {
	USDC001: {
		title: 'Not a crate file',
		help: 'The file does not begin with the eight bytes `PXR-USDC`, so it is not a binary USD layer. Check that the extension matches the content.',
	},
	USDC002: {
		title: 'Unsupported crate version',
		help: 'Crate files of versions 0.4.0 to 0.16.0 can be read. Older ones were written before 2016 and must be converted with an old OpenUSD; newer ones need a newer Manyworlds, or an export as text or as an older crate version.',
	},
	USDC003: {
		title: 'Truncated crate header',
		help: 'The file begins like a crate but ends within its header. It was cut off while it was written or copied: get it again from its source.',
	},
	USDC004: {
		title: 'Damaged crate section',
		help: 'A part of the file that holds its structure (tokens, strings, fields, field sets, paths or specs) contradicts itself or the size of the file, or claims more than a file of its size can soundly hold. What the part describes is missing from the layer; all else is read. The file was cut off or changed: get it again from its source.',
	},
	USDC005: {
		title: 'Missing crate section',
		help: 'The table of contents names no section of this kind, but every crate file has all six. The file was cut off or changed: get it again from its source.',
	},
	USDC006: {
		title: 'Text that is not UTF-8',
		help: 'Names and texts in USD files are UTF-8. Bytes that are not are kept as the characters U+DC80 to U+DCFF and written again as they were, but other tools may not accept them. Convert the text in the program that wrote the file.',
	},
	USDC007: {
		title: 'Damaged path',
		help: 'A path of the file cannot be built: its element is no name, or the tree of paths contradicts itself. The path and all below it are missing from the layer.',
	},
	USDC008: {
		title: 'Damaged spec',
		help: 'A spec of the file refers to a path, field set or field that does not exist, has an unknown kind, or is there twice; or a field has no name, or is in its field set twice. It is left out of the layer.',
	},
	USDC009: {
		title: 'Undecodable crate value',
		help: 'The bytes of a value contradict themselves or the size of the file, or unpack to far more than a file of its size can soundly hold (the reader takes another limit as an option). The field reads as if it had no value; all others are not affected.',
	},
	USDC010: {
		title: 'Unknown crate value type',
		help: 'The value has a type number that this version does not know. It is kept as it is and written back by the crate writer, but nothing else can use it.',
	},
	USDC011: {
		title: 'Value that a crate file cannot hold',
		help: 'The crate format has no way to store a value of this type at this place, so the written file lacks the field. Store it as another type, or write text.',
	},
};
