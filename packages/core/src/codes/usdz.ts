/** Codes of the package (zip) reader and writer; each entry is a `CodeInfo`. */
export const USDZ_CODES = {
	USDZ001: {
		title: 'Not a usdz package',
		severity: 'error',
		help: 'The file has no zip directory, so no member can be found in it. It may be truncated, or not a zip file at all.',
	},
} as const;
