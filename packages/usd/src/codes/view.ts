/** Codes of the views on prims: transforms, geometry, materials, physics, each with its usual severity. */
export const VIEW_CODES = {
	VIEW001: 'warning',
	VIEW002: 'warning',
	VIEW003: 'warning',
	VIEW004: 'warning',
} as const;
