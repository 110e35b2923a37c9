/** Codes of the command `manyworlds`, each with its usual severity. */
export const CLI_CODES = {
	CLI001: 'error',
	CLI002: 'error',
	CLI003: 'error',
	CLI004: 'error',
	CLI005: 'error',
	CLI006: 'error',
	CLI007: 'warning',
	CLI009: 'error',
	CLI010: 'error',
	CLI011: 'error',
	CLI012: 'error',
	CLI013: 'error',
	CLI020: 'error',
	CLI021: 'warning',
	CLI023: 'error',
	CLI024: 'error',
} as const;
