/** Codes of the functions that most people need, each with its usual severity. */
export const OPEN_CODES = {
	OPEN001: 'error',
	OPEN002: 'error',
} as const;
