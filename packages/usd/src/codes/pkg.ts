/** Codes of dependencies between files and of packing them together, each with its usual severity. */
export const PKG_CODES = {
	PKG001: 'warning',
	PKG002: 'warning',
	PKG003: 'warning',
	PKG004: 'warning',
	PKG005: 'error',
	PKG006: 'info',
	PKG007: 'warning',
} as const;
