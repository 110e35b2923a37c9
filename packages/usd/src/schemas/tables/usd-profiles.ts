import type { SchemaLibrary } from '../schema-library.ts';

/** The schemas of UsdProfiles (OpenUSD 26.11). */
export const USD_PROFILES: SchemaLibrary = {
	name: 'usdProfiles',
	typePrefix: 'UsdProfiles',
	identifierPrefix: '',
	table: `
single ClaimsAPI
`,
};
