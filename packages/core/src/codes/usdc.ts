/** Codes of the crate (binary) reader and writer; each entry is a `CodeInfo`. */
export const USDC_CODES = {
	USDC001: {
		title: 'Not a crate file',
		severity: 'error',
		help: 'The file does not begin with the eight bytes `PXR-USDC`, so it is not a binary USD layer. Check that the extension matches the content.',
	},
} as const;
