import type { SchemaLibrary } from '../schema-library.ts';

/** The schemas of UsdUI (OpenUSD 26.11). */
export const USD_UI: SchemaLibrary = {
	name: 'usdUI',
	typePrefix: 'UsdUI',
	identifierPrefix: '',
	table: `
single NodeGraphNodeAPI
	uniform color3f ui:nodegraph:node:displayColor
	uniform string ui:nodegraph:node:docURI
	uniform token ui:nodegraph:node:expansionState <open closed minimized>
	uniform asset ui:nodegraph:node:icon
	uniform float2 ui:nodegraph:node:pos
	uniform float2 ui:nodegraph:node:size
	uniform int ui:nodegraph:node:stackingOrder
single SceneGraphPrimAPI
	uniform token ui:displayGroup
	uniform token ui:displayName
concrete Backdrop
	uniform token ui:description
multiple AccessibilityAPI
	string accessibility:{}:description
	string accessibility:{}:label
	token accessibility:{}:priority = "standard" <low standard high>
`,
};
