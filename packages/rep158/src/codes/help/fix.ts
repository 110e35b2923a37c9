import type { CodeHelp } from '@manyworlds/core/internal';
import type { FIX_CODES } from '../fix.ts';

/** What to do about the codes of the fixer. */
export const FIX_HELP: Readonly<Record<keyof typeof FIX_CODES, CodeHelp>> = {
	FIX001: {
		title: 'Cannot be put right',
		help: 'The asset breaks a rule in a way that no fix can put right without changing what it means; the message says why. Nothing was changed for it.',
	},
	FIX002: {
		title: 'A fix needs to be told something',
		help: 'A fix is possible but the asset does not say what the right value is. Give it with the option that the message names and run `manyworlds fix` again.',
	},
	FIX003: {
		title: 'About a fix',
		help: 'Something that was put right deserves a look: a value that engines read in different ways, a name that changed, a file that grew.',
	},
	FIX004: {
		title: 'A fix would have changed physics',
		help: 'After a family of fixes the asset would have weighed or moved otherwise than before, so its edits were taken back. The message has the first difference. Please report it with the asset if you can share it.',
	},
	FIX005: {
		title: 'A fix failed',
		help: 'A family of fixes ended with an internal error on this asset; its edits were taken back and the other families were applied. This is a fault in Manyworlds: please report it with the asset.',
	},
	FIX006: {
		title: 'Layer cannot be written',
		help: 'Fixes are written to the files of an asset. A layer inside a usdz package, or outside the folders that may be written, is left as it is; unpack or copy it first.',
	},
};
