/** Codes of errors thrown for wrong use of the libraries, and of broken invariants inside them, each with its usual severity. */
export const API_CODES = {
	API001: 'error',
	API002: 'error',
	API003: 'error',
	API004: 'error',
} as const;
