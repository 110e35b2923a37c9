/** Codes of the stage: value resolution, clips, editing; each entry is a `CodeInfo`. */
export const STG_CODES = {
	STG001: {
		title: 'Value clips cannot be used',
		severity: 'warning',
		help: 'The `clips` of a prim contradict themselves: a clip number that does not exist, two clips active at one time, a prim path that is not absolute. Values come from the other opinions, as if there were no clips.',
	},
} as const;
