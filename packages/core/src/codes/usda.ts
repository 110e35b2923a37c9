/** Codes of the text format reader and writer; each entry is a `CodeInfo`. */
export const USDA_CODES = {
	USDA001: {
		title: 'Syntax error',
		severity: 'error',
		help: 'The text is not valid usda at this place. The message says what was found and what the grammar allows there. Reading goes on at the next statement, so later errors are reported too.',
		bad: '#usda 1.0\ndef Xform "Robot" {\n    double x = \n}\n',
		good: '#usda 1.0\ndef Xform "Robot" {\n    double x = 1\n}\n',
	},
} as const;
