/** Codes of the XML reader under URDF and MJCF, each with its usual severity. */
export const XML_CODES = {
	XML001: 'error',
	XML002: 'error',
	XML003: 'error',
	XML004: 'warning',
} as const;
