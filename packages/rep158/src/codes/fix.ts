/** Codes of the fixer, each with its usual severity. */
export const FIX_CODES = {
	FIX001: 'warning',
	FIX002: 'warning',
	FIX003: 'info',
	FIX004: 'warning',
	FIX005: 'error',
	FIX006: 'warning',
} as const;
