/** Codes of the layer data model (paths, values, list-ops, edits); each entry is a `CodeInfo`. */
export const SDF_CODES = {
	SDF001: {
		title: 'Invalid path',
		severity: 'error',
		help: 'The text is not a valid USD path. Prim names are identifiers; properties follow a dot, variant selections stand in braces, targets in brackets.',
		bad: '</Robot/2nd link>',
		good: '</Robot/link_2>',
		language: 'text',
	},
} as const;
