/** Codes of finding assets, each with its usual severity. */
export const ASSET_CODES = {
	ASSET001: 'error',
} as const;
