import type { SchemaLibrary } from '../schema-library.ts';

/** The schemas of UsdProc (OpenUSD 26.11). */
export const USD_PROC: SchemaLibrary = {
	name: 'usdProc',
	typePrefix: 'UsdProc',
	identifierPrefix: '',
	table: `
concrete GenerativeProcedural : Boundable
	token proceduralSystem
`,
};
