import type { SchemaLibrary } from '../schema-library.ts';

/** The schemas of UsdLux (OpenUSD 26.11). */
export const USD_LUX: SchemaLibrary = {
	name: 'usdLux',
	typePrefix: 'UsdLux',
	identifierPrefix: '',
	table: `
single LightAPI + CollectionAPI:lightLink CollectionAPI:shadowLink
	override uniform bool collection:lightLink:includeRoot = true
	override uniform bool collection:shadowLink:includeRoot = true
	color3f inputs:color = (1, 1, 1) | group="Basic"
	float inputs:colorTemperature = 6500 | group="Basic"
	float inputs:diffuse = 1 | group="Refine"
	bool inputs:enableColorTemperature = false | group="Basic"
	float inputs:exposure = 0 | group="Basic"
	float inputs:intensity = 1 | group="Basic"
	bool inputs:normalize = false | group="Advanced"
	float inputs:specular = 1 | group="Refine"
	rel light:filters
	uniform token light:materialSyncMode = "noMaterialResponse" <materialGlowTintsLight independent noMaterialResponse> | group="Geometry"
	uniform token light:shaderId = "" | group="Internal"
single MeshLightAPI + LightAPI
	override uniform token light:materialSyncMode = "materialGlowTintsLight"
	override uniform token light:shaderId = "MeshLight"
single VolumeLightAPI + LightAPI
	override uniform token light:materialSyncMode = "materialGlowTintsLight"
	override uniform token light:shaderId = "VolumeLight"
single LightListAPI
	rel lightList
	token lightList:cacheBehavior <consumeAndHalt consumeAndContinue ignore>
single ListAPI
	rel lightList
	token lightList:cacheBehavior <consumeAndHalt consumeAndContinue ignore>
single ShapingAPI
	float inputs:shaping:cone:angle = 90 | group="Shaping"
	float inputs:shaping:cone:softness = 0 | group="Shaping"
	float inputs:shaping:focus = 0 | group="Shaping"
	color3f inputs:shaping:focusTint = (0, 0, 0) | group="Shaping"
	float inputs:shaping:ies:angleScale = 0 | group="Shaping"
	asset inputs:shaping:ies:file | group="Shaping"
	bool inputs:shaping:ies:normalize = false | group="Shaping"
single ShadowAPI
	color3f inputs:shadow:color = (0, 0, 0) | group="Shadows"
	float inputs:shadow:distance = -1 | group="Shadows"
	bool inputs:shadow:enable = true | group="Shadows"
	float inputs:shadow:falloff = -1 | group="Shadows"
	float inputs:shadow:falloffGamma = 1 | group="Shadows"
concrete LightFilter : Xformable + CollectionAPI:filterLink
	override uniform bool collection:filterLink:includeRoot = true
	uniform token lightFilter:shaderId = "" | group="Internal"
abstract BoundableLightBase : Boundable + LightAPI
abstract NonboundableLightBase : Xformable + LightAPI
concrete DistantLight : NonboundableLightBase + LightAPI
	float inputs:angle = 0.53 | group="Basic"
	override float inputs:intensity = 50000
	override uniform token light:shaderId = "DistantLight"
concrete DiskLight : BoundableLightBase + LightAPI
	float inputs:radius = 0.5 | group="Geometry"
	override uniform token light:shaderId = "DiskLight"
concrete RectLight : BoundableLightBase + LightAPI
	float inputs:height = 1 | group="Geometry"
	asset inputs:texture:file | group="Basic"
	float inputs:width = 1 | group="Geometry"
	override uniform token light:shaderId = "RectLight"
concrete SphereLight : BoundableLightBase + LightAPI
	float inputs:radius = 0.5 | group="Geometry"
	override uniform token light:shaderId = "SphereLight"
	bool treatAsPoint = false | group="Advanced"
concrete CylinderLight : BoundableLightBase + LightAPI
	float inputs:length = 1 | group="Geometry"
	float inputs:radius = 0.5 | group="Geometry"
	override uniform token light:shaderId = "CylinderLight"
	bool treatAsLine = false | group="Advanced"
concrete GeometryLight : NonboundableLightBase + LightAPI
	rel geometry
	override uniform token light:shaderId = "GeometryLight"
concrete DomeLight : NonboundableLightBase + LightAPI
	float guideRadius = 100000 | group="Guides"
	asset inputs:texture:file | group="Basic"
	token inputs:texture:format = "automatic" <automatic latlong mirroredBall angular cubeMapVerticalCross> | group="Basic"
	override uniform token light:shaderId = "DomeLight"
	rel portals
concrete DomeLight_1 : NonboundableLightBase + LightAPI
	float guideRadius = 100000 | group="Guides"
	asset inputs:texture:file | group="Basic"
	token inputs:texture:format = "automatic" <automatic latlong mirroredBall angular cubeMapVerticalCross> | group="Basic"
	override uniform token light:shaderId = "DomeLight"
	uniform token poleAxis = "scene" <scene Y Z> | group="Advanced"
	rel portals
concrete PortalLight : BoundableLightBase + LightAPI
	float inputs:height = 1 | group="Geometry"
	float inputs:width = 1 | group="Geometry"
	override uniform token light:shaderId = "PortalLight"
concrete PluginLight : Xformable + NodeDefAPI LightAPI
concrete PluginLightFilter : LightFilter + NodeDefAPI CollectionAPI:filterLink
`,
};
