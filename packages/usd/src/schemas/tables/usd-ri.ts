import type { SchemaLibrary } from '../schema-library.ts';

/** The schemas of UsdRi (OpenUSD 26.11). */
export const USD_RI: SchemaLibrary = {
	name: 'usdRi',
	typePrefix: 'UsdRi',
	identifierPrefix: 'Ri',
	table: `
single StatementsAPI
single RiMaterialAPI
	token outputs:ri:displacement | group="Outputs"
	token outputs:ri:surface | group="Outputs"
	token outputs:ri:volume | group="Outputs"
single RiSplineAPI
`,
};
