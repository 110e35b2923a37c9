/** Codes of the command `manyworlds`; each entry is a `CodeInfo`. */
export const CLI_CODES = {
	CLI001: {
		title: 'File not found',
		severity: 'error',
		help: 'No file has this name. Paths are taken relative to the working directory.',
	},
} as const;
