import type { SchemaLibrary } from '../schema-library.ts';

/** The schemas of UsdLod (OpenUSD 26.11). */
export const USD_LOD: SchemaLibrary = {
	name: 'usdLod',
	typePrefix: 'UsdLod',
	identifierPrefix: 'LOD',
	table: `
single LODRootAPI
	int lod:default:index = 0
	rel lod:heuristics
single LODOverrideAPI
	float lod:override:index = 0
	token lod:override:mode = "inherited" <inherited noOverride indexedLOD noLOD allLOD>
abstract LODHeuristic
	uniform token lod:domain
concrete LODDistanceHeuristic : LODHeuristic
	uniform float[] blendThresholds = []
	rel boundingVolume
	point3f center = (0, 0, 0)
	uniform float[] thresholds = []
concrete LODScreenSizeHeuristic : LODHeuristic
	uniform float[] blendThresholds = []
	rel boundingVolume
	float3[] extent = [(-1, -1, -1), (1, 1, 1)]
	uniform token projectionMethod = "projectedSphere" <projectedExtent projectedSphere>
	uniform float[] thresholds = []
`,
};
