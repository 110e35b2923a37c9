/** Codes of errors thrown for wrong use of the libraries, and of broken invariants inside them; each entry is a `CodeInfo`. */
export const API_CODES = {
	API001: {
		title: 'Argument of the wrong kind',
		severity: 'error',
		help: 'A function of the library was called with an argument that its type does not allow. This is a fault in the calling program, not in an asset.',
	},
	API002: {
		title: 'Argument out of range',
		severity: 'error',
		help: 'A number, index or name given to a function of the library lies outside what it accepts. The message says the value and the bounds.',
	},
	API003: {
		title: 'Operation not possible in this state',
		severity: 'error',
		help: 'The object cannot do this now: it is read-only, closed, or belongs to something else. The message says which.',
	},
	API004: {
		title: 'Internal error',
		severity: 'error',
		help: 'An invariant of the library does not hold. This is a fault in Manyworlds; please report it with the input that provoked it.',
	},
} as const;
