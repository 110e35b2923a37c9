/** Codes of the ROS runtime, each with its usual severity. */
export const RT_CODES = {
	RT001: 'warning',
	RT002: 'warning',
	RT003: 'error',
	RT004: 'info',
	RT005: 'error',
} as const;
