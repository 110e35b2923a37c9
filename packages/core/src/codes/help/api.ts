import type { CodeHelp } from '../../code-help.ts';
import type { API_CODES } from '../api.ts';

/** What to do about the codes of errors thrown for wrong use of the libraries, and of broken invariants inside them. */
export const API_HELP: Readonly<Record<keyof typeof API_CODES, CodeHelp>> = {
	API001: {
		title: 'Argument of the wrong kind',
		help: 'A function of the library was called with an argument that its type does not allow. This is a fault in the calling program, not in an asset.',
	},
	API002: {
		title: 'Argument out of range',
		help: 'A number, index or name given to a function of the library lies outside what it accepts. The message says the value and the bounds.',
	},
	API003: {
		title: 'Operation not possible in this state',
		help: 'The object cannot do this now: it is read-only, closed, or belongs to something else. The message says which.',
	},
	API004: {
		title: 'Internal error',
		help: 'An invariant of the library does not hold. This is a fault in Manyworlds; please report it with the input that provoked it.',
	},
};
