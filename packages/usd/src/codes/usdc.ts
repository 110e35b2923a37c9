/** Codes of the crate (binary) reader and writer, each with its usual severity. */
export const USDC_CODES = {
	USDC001: 'error',
	USDC002: 'error',
	USDC003: 'error',
	USDC004: 'error',
	USDC005: 'error',
	USDC006: 'warning',
	USDC007: 'error',
	USDC008: 'error',
	USDC009: 'error',
	USDC010: 'warning',
	USDC011: 'error',
} as const;
