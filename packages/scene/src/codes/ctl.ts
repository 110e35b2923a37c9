/** Codes of control sequences that scenes play, each with its usual severity. */
export const CTL_CODES = {
	CTL001: 'error',
	CTL002: 'error',
	CTL003: 'error',
	CTL004: 'warning',
} as const;
