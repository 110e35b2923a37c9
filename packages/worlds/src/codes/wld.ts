/** Codes of worlds: how they start, and the threads that step them, each with its usual severity. */
export const WLD_CODES = {
	WLD001: 'info',
	WLD002: 'info',
	WLD003: 'info',
	WLD004: 'warning',
	WLD005: 'warning',
	WLD020: 'error',
	WLD021: 'error',
	WLD022: 'error',
} as const;
