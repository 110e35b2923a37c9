/** Codes of the compliance checker itself, each with its usual severity. */
export const CHK_CODES = {
	CHK001: 'info',
	CHK002: 'error',
	CHK003: 'error',
	CHK004: 'error',
	CHK005: 'info',
	CHK006: 'error',
} as const;
