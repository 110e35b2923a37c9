/** Codes of SDF documents and their import, each with its usual severity. */
export const SDF_CODES = {
	SDF001: 'error',
	SDF002: 'error',
	SDF003: 'error',
	SDF004: 'error',
	SDF005: 'error',
	SDF006: 'error',
	SDF007: 'error',
	SDF008: 'info',
	SDF009: 'error',
	SDF010: 'error',
	SDF011: 'warning',
	SDF012: 'warning',
	SDF013: 'warning',
	SDF014: 'info',
	SDF015: 'warning',
} as const;
