/** Codes of URDF documents and their import, each with its usual severity. */
export const URDF_CODES = {
	URDF001: 'error',
	URDF002: 'error',
	URDF003: 'error',
	URDF004: 'error',
	URDF005: 'error',
	URDF006: 'error',
	URDF007: 'error',
	URDF008: 'info',
	URDF009: 'warning',
	URDF010: 'warning',
	URDF011: 'warning',
	URDF012: 'error',
} as const;
