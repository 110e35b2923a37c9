import type { SchemaLibrary } from '../schema-library.ts';

/** The schemas of UsdRender (OpenUSD 26.11). */
export const USD_RENDER: SchemaLibrary = {
	name: 'usdRender',
	typePrefix: 'UsdRender',
	identifierPrefix: 'Render',
	table: `
abstract RenderSettingsBase
	uniform token aspectRatioConformPolicy = "expandAperture" <expandAperture cropAperture adjustApertureWidth adjustApertureHeight adjustPixelAspectRatio>
	rel camera
	uniform float4 dataWindowNDC = (0, 0, 1, 1)
	uniform bool disableDepthOfField = false
	uniform bool disableMotionBlur = false
	uniform bool instantaneousShutter = false
	uniform float pixelAspectRatio = 1
	uniform int2 resolution = (2048, 1080)
concrete RenderSettings : RenderSettingsBase
	uniform token[] includedPurposes = ["default", "render"]
	uniform token[] materialBindingPurposes = ["full", ""] <full preview "">
	rel products
	uniform token renderingColorSpace
concrete RenderVar
	uniform token dataType = "color3f"
	uniform string sourceName = ""
	uniform token sourceType = "raw" <raw primvar lpe intrinsic>
concrete RenderProduct : RenderSettingsBase
	rel orderedVars
	token productName = ""
	uniform token productType = "raster" <raster deepRaster>
concrete RenderPass + CollectionAPI:renderVisibility CollectionAPI:cameraVisibility CollectionAPI:prune CollectionAPI:matte
	override uniform bool collection:cameraVisibility:includeRoot = true
	override uniform bool collection:renderVisibility:includeRoot = true
	uniform string[] command
	uniform asset fileName
	rel inputPasses
	uniform token passType
	rel renderSource
`,
};
