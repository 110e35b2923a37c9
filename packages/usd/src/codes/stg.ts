/** Codes of the stage: value resolution, clips, editing, each with its usual severity. */
export const STG_CODES = {
	STG001: 'warning',
	STG002: 'warning',
	STG003: 'warning',
	STG004: 'warning',
	STG005: 'info',
	STG006: 'warning',
} as const;
