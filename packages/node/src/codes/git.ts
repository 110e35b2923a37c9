/** Codes of assets that come from git repositories, each with its usual severity. */
export const GIT_CODES = {
	GIT001: 'error',
	GIT002: 'error',
	GIT003: 'error',
	GIT004: 'error',
	GIT005: 'error',
	GIT006: 'error',
} as const;
