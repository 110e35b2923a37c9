/** Attributes of shapes of UsdGeom that hold their arrays. */
export const SHAPE_ARRAYS: ReadonlySet<string> = new Set([
	'points',
	'normals',
	'velocities',
	'accelerations',
	'faceVertexCounts',
	'faceVertexIndices',
	'holeIndices',
	'cornerIndices',
	'cornerSharpnesses',
	'creaseIndices',
	'creaseLengths',
	'creaseSharpnesses',
	'curveVertexCounts',
	'knots',
	'tetVertexIndices',
	'surfaceFaceVertexIndices',
]);
