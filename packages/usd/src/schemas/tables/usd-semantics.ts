import type { SchemaLibrary } from '../schema-library.ts';

/** The schemas of UsdSemantics (OpenUSD 26.11). */
export const USD_SEMANTICS: SchemaLibrary = {
	name: 'usdSemantics',
	typePrefix: 'UsdSemantics',
	identifierPrefix: 'Semantics',
	table: `
multiple SemanticsLabelsAPI
	token[] semantics:labels:{} = []
`,
};
