import type { SchemaLibrary } from '../schema-library.ts';

/** The schemas of UsdSkel (OpenUSD 26.11). */
export const USD_SKEL: SchemaLibrary = {
	name: 'usdSkel',
	typePrefix: 'UsdSkel',
	identifierPrefix: 'Skel',
	table: `
concrete SkelRoot : Boundable
concrete Skeleton : Boundable @UsdSkelSkeleton
	uniform matrix4d[] bindTransforms
	uniform token[] jointNames
	uniform token[] joints
	uniform matrix4d[] restTransforms
concrete SkelAnimation
	uniform token[] blendShapes
	float[] blendShapeWeights
	uniform token[] joints
	quatf[] rotations
	half3[] scales
	float3[] translations
single SkelBindingAPI
	matrix4d primvars:skel:geomBindTransform
	int[] primvars:skel:jointIndices
	float[] primvars:skel:jointWeights
	uniform token primvars:skel:skinningMethod = "classicLinear" <classicLinear dualQuaternion>
	rel skel:animationSource
	uniform token[] skel:blendShapes
	rel skel:blendShapeTargets
	uniform token[] skel:joints
	rel skel:skeleton
concrete BlendShape
	uniform vector3f[] normalOffsets
	uniform vector3f[] offsets
	uniform int[] pointIndices
`,
};
