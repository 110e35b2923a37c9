/** Codes of schema declarations and of schemas put together, each with its usual severity. */
export const SCH_CODES = {
	SCH001: 'warning',
	SCH002: 'info',
	SCH003: 'warning',
	SCH004: 'warning',
	SCH005: 'warning',
} as const;
