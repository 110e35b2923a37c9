import type { SchemaLibrary } from '../schema-library.ts';

/** The schemas of UsdShade (OpenUSD 26.11). */
export const USD_SHADE: SchemaLibrary = {
	name: 'usdShade',
	typePrefix: 'UsdShade',
	identifierPrefix: '',
	table: `
concrete NodeGraph
concrete Material : NodeGraph
	token outputs:displacement | group="Outputs"
	token outputs:surface | group="Outputs"
	token outputs:volume | group="Outputs"
concrete Shader + NodeDefAPI
single NodeDefAPI
	uniform token info:id
	uniform token info:implementationSource = "id" <id sourceAsset sourceCode>
nonApplied ConnectableAPI
single MaterialBindingAPI
multiple CoordSysAPI
	rel coordSys:{}:binding
`,
};
