import type { CodeHelp } from '@manyworlds/core/internal';
import type { OPEN_CODES } from '../open.ts';

/** What to do about the codes of the functions that most people need. */
export const OPEN_HELP: Readonly<Record<keyof typeof OPEN_CODES, CodeHelp>> = {
	OPEN001: {
		title: 'Asset cannot be opened',
		help: 'There is no such file, it may not be read, or it is neither a robot nor a scene. The message says which. A path is seen from the working directory in Node and is an address in a page.',
	},
	OPEN002: {
		title: 'Asset cannot be used',
		help: 'The file was found, but nothing in it can be checked, fixed, converted or simulated as asked. The report of the error has what was found in the file.',
	},
};
