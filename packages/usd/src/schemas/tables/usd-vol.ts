import type { SchemaLibrary } from '../schema-library.ts';

/** The schemas of UsdVol (OpenUSD 26.11). */
export const USD_VOL: SchemaLibrary = {
	name: 'usdVol',
	typePrefix: 'UsdVol',
	identifierPrefix: '',
	table: `
concrete Volume : Gprim
abstract VolumeFieldBase : Xformable
abstract FieldBase : VolumeFieldBase
abstract VolumeFieldAsset : FieldBase
	token fieldDataType
	int fieldIndex
	token fieldName
	asset filePath
	token vectorDataRoleHint = "None" <None Point Normal Vector Color>
abstract FieldAsset : VolumeFieldAsset
concrete Field3DAsset : FieldAsset
	token fieldDataType <half float double half3 float3 double3>
	token fieldPurpose
concrete OpenVDBAsset : FieldAsset
	token fieldClass <levelSet fogVolume staggered unknown>
	token fieldDataType <half float double int uint int64 half2 float2 double2 int2 half3 float3 double3 int3 matrix3d matrix4d quatd bool mask string>
concrete ParticleField : Gprim
single ParticleFieldPositionBaseAPI
single ParticleFieldPositionAttributeAPI + ParticleFieldPositionBaseAPI on ParticleField
	point3f[] positions
	point3h[] positionsh
single ParticleFieldOrientationAttributeAPI on ParticleField
	quatf[] orientations
	quath[] orientationsh
single ParticleFieldScaleAttributeAPI on ParticleField
	float3[] scales
	half3[] scalesh
single ParticleFieldOpacityAttributeAPI on ParticleField
	float[] opacities
	half[] opacitiesh
single ParticleFieldKernelBaseAPI
single ParticleFieldKernelGaussianEllipsoidAPI + ParticleFieldKernelBaseAPI on ParticleField
single ParticleFieldKernelGaussianSurfletAPI + ParticleFieldKernelBaseAPI on ParticleField
single ParticleFieldKernelConstantSurfletAPI + ParticleFieldKernelBaseAPI on ParticleField
single ParticleFieldRadianceBaseAPI
single ParticleFieldSphericalHarmonicsAttributeAPI + ParticleFieldRadianceBaseAPI on ParticleField
	float3[] radiance:sphericalHarmonicsCoefficients
	half3[] radiance:sphericalHarmonicsCoefficientsh
	uniform int radiance:sphericalHarmonicsDegree = 3
concrete ParticleField3DGaussianSplat : ParticleField + ParticleFieldPositionAttributeAPI ParticleFieldOrientationAttributeAPI ParticleFieldScaleAttributeAPI ParticleFieldOpacityAttributeAPI ParticleFieldKernelGaussianEllipsoidAPI ParticleFieldSphericalHarmonicsAttributeAPI
	uniform token projectionModeHint = "perspective" <perspective tangential>
	uniform token sortingModeHint = "zDepth" <zDepth cameraDistance rayHitDistance>
`,
};
