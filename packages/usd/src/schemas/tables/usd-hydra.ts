import type { SchemaLibrary } from '../schema-library.ts';

/** The schemas of UsdHydra (OpenUSD 26.11). */
export const USD_HYDRA: SchemaLibrary = {
	name: 'usdHydra',
	typePrefix: 'UsdHydra',
	identifierPrefix: 'Hydra',
	table: `
single HydraGenerativeProceduralAPI on GenerativeProcedural
	token primvars:hdGp:proceduralType
	token proceduralSystem = "hydraGenerativeProcedural"
single HydraRenderPassAPI on RenderPass
	uniform token hydra:rendererName
single HydraPrimAPI
	uniform bool hydra:expandInstances = false
`,
};
