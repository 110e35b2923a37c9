/** Codes of conversions, each with its usual severity. */
export const CNV_CODES = {
	CNV001: 'warning',
	CNV002: 'warning',
	CNV003: 'error',
	CNV004: 'warning',
	CNV005: 'info',
	CNV006: 'info',
	CNV007: 'warning',
	CNV008: 'warning',
	CNV009: 'error',
	CNV010: 'info',
	CNV011: 'warning',
} as const;
