import type { SchemaLibrary } from '../schema-library.ts';

/** The schemas of OpenUSD's core (26.11): typed and API bases, models, clips, collections, colour spaces. */
export const USD_CORE: SchemaLibrary = {
	name: 'usd',
	typePrefix: 'Usd',
	identifierPrefix: '',
	table: `
base Typed : SchemaBase
base APISchemaBase : SchemaBase
nonApplied ModelAPI
single ColorSpaceAPI
	uniform token colorSpace:name
multiple ColorSpaceDefinitionAPI
	float2 colorSpaceDefinition:{}:blueChroma = (0, 0)
	float colorSpaceDefinition:{}:gamma = 1
	float2 colorSpaceDefinition:{}:greenChroma = (0, 1)
	float colorSpaceDefinition:{}:linearBias = 0
	uniform token colorSpaceDefinition:{}:name = "custom"
	float2 colorSpaceDefinition:{}:redChroma = (1, 0)
	float2 colorSpaceDefinition:{}:whitePoint = (0.33333334, 0.33333334)
multiple CollectionAPI
	uniform opaque collection:{}
	rel collection:{}:excludes
	uniform token collection:{}:expansionRule = "expandPrims" <explicitOnly expandPrims expandPrimsAndProperties>
	uniform bool collection:{}:includeRoot
	rel collection:{}:includes
	uniform pathExpression collection:{}:membershipExpression
	uniform token collection:{}:mode = "automatic" <automatic relationship expression>
nonApplied ClipsAPI
base SchemaBase : -
`,
};
