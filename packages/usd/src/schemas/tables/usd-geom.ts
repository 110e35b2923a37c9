import type { SchemaLibrary } from '../schema-library.ts';

/** The schemas of UsdGeom (OpenUSD 26.11). */
export const USD_GEOM: SchemaLibrary = {
	name: 'usdGeom',
	typePrefix: 'UsdGeom',
	identifierPrefix: '',
	table: `
abstract Imageable
	rel proxyPrim
	uniform token purpose = "default" <default render proxy guide>
	token visibility = "inherited" <inherited invisible>
single VisibilityAPI on Imageable
	uniform token guideVisibility = "invisible" <inherited invisible visible>
	uniform token proxyVisibility = "inherited" <inherited invisible visible>
	uniform token renderVisibility = "inherited" <inherited invisible visible>
nonApplied PrimvarsAPI
abstract Xformable : Imageable
	uniform token[] xformOpOrder
concrete Scope : Imageable
concrete Xform : Xformable
abstract Boundable : Xformable
	float3[] extent
abstract Gprim : Boundable
	uniform bool doubleSided = false
	uniform token orientation = "rightHanded" <rightHanded leftHanded>
	color3f[] primvars:displayColor
	float[] primvars:displayOpacity
concrete Cube : Gprim
	float3[] extent = [(-1, -1, -1), (1, 1, 1)]
	double size = 2
concrete Sphere : Gprim
	float3[] extent = [(-1, -1, -1), (1, 1, 1)]
	double radius = 1
concrete Cylinder : Gprim
	uniform token axis = "Z" <X Y Z>
	float3[] extent = [(-1, -1, -1), (1, 1, 1)]
	double height = 2
	double radius = 1
concrete Capsule : Gprim
	uniform token axis = "Z" <X Y Z>
	float3[] extent = [(-0.5, -0.5, -1), (0.5, 0.5, 1)]
	double height = 1
	double radius = 0.5
concrete Cone : Gprim
	uniform token axis = "Z" <X Y Z>
	float3[] extent = [(-1, -1, -1), (1, 1, 1)]
	double height = 2
	double radius = 1
concrete Cylinder_1 : Gprim
	uniform token axis = "Z" <X Y Z>
	float3[] extent = [(-1, -1, -1), (1, 1, 1)]
	double height = 2
	double radiusBottom = 1
	double radiusTop = 1
concrete Capsule_1 : Gprim
	uniform token axis = "Z" <X Y Z>
	float3[] extent = [(-0.5, -0.5, -1), (0.5, 0.5, 1)]
	double height = 1
	double radiusBottom = 0.5
	double radiusTop = 0.5
concrete Plane : Gprim
	uniform token axis = "Z" <X Y Z>
	uniform bool doubleSided = true
	float3[] extent = [(-1, -1, 0), (1, 1, 0)]
	double length = 2
	double width = 2
abstract PointBased : Gprim
	vector3f[] accelerations
	normal3f[] normals
	point3f[] points
	vector3f[] velocities
concrete Mesh : PointBased
	int[] cornerIndices = []
	float[] cornerSharpnesses = []
	int[] creaseIndices = []
	int[] creaseLengths = []
	float[] creaseSharpnesses = []
	token faceVaryingLinearInterpolation = "cornersPlus1" <none cornersOnly cornersPlus1 cornersPlus2 boundaries all>
	int[] faceVertexCounts
	int[] faceVertexIndices
	int[] holeIndices = []
	token interpolateBoundary = "edgeAndCorner" <none edgeOnly edgeAndCorner>
	uniform token subdivisionScheme = "catmullClark" <catmullClark loop bilinear none>
	token triangleSubdivisionRule = "catmullClark" <catmullClark smooth>
concrete TetMesh : PointBased
	int3[] surfaceFaceVertexIndices
	int4[] tetVertexIndices
concrete GeomSubset @UsdGeomSubset
	uniform token elementType = "face" <face point edge segment tetrahedron>
	uniform token familyName = ""
	int[] indices = []
concrete NurbsPatch : PointBased
	double[] pointWeights
	int[] trimCurve:counts
	double[] trimCurve:knots
	int[] trimCurve:orders
	double3[] trimCurve:points
	double2[] trimCurve:ranges
	int[] trimCurve:vertexCounts
	uniform token uForm = "open" <open closed periodic>
	double[] uKnots
	int uOrder
	double2 uRange
	int uVertexCount
	uniform token vForm = "open" <open closed periodic>
	double[] vKnots
	int vOrder
	double2 vRange
	int vVertexCount
abstract Curves : PointBased
	int[] curveVertexCounts
	float[] widths
concrete BasisCurves : Curves
	uniform token basis = "bezier" <bezier bspline catmullRom>
	uniform token type = "cubic" <linear cubic>
	uniform token wrap = "nonperiodic" <nonperiodic periodic pinned>
concrete NurbsCurves : Curves
	double[] knots
	int[] order = []
	double[] pointWeights
	double2[] ranges
concrete Points : PointBased
	int64[] ids
	float[] widths
concrete PointInstancer : Boundable
	vector3f[] accelerations
	vector3f[] angularVelocities
	int64[] ids
	int64[] invisibleIds = []
	quath[] orientations
	quatf[] orientationsf
	point3f[] positions
	int[] protoIndices
	rel prototypes
	float3[] scales
	vector3f[] velocities
concrete Camera : Xformable
	float4[] clippingPlanes = []
	float2 clippingRange = (1, 1000000)
	float exposure = 0
	float exposure:fStop = 1
	float exposure:iso = 100
	float exposure:responsivity = 1
	float exposure:time = 1
	float focalLength = 50
	float focusDistance = 0
	float fStop = 0
	float horizontalAperture = 20.955
	float horizontalApertureOffset = 0
	token projection = "perspective" <perspective orthographic>
	double shutter:close = 0
	double shutter:open = 0
	uniform token stereoRole = "mono" <mono left right>
	float verticalAperture = 15.2908
	float verticalApertureOffset = 0
single GeomModelAPI @UsdGeomModelAPI
	uniform bool model:applyDrawMode = false
	uniform token model:cardGeometry = "cross" <cross box fromTexture>
	asset model:cardTextureXNeg
	asset model:cardTextureXPos
	asset model:cardTextureYNeg
	asset model:cardTextureYPos
	asset model:cardTextureZNeg
	asset model:cardTextureZPos
	uniform token model:cardVisibility = "inherited" <full simple inherited>
	uniform token model:drawMode = "inherited" <origin bounds cards default inherited>
	uniform float3 model:drawModeColor = (0.18, 0.18, 0.18)
single MotionAPI
	float motion:blurScale = 1
	int motion:nonlinearSampleCount = 3
	float motion:velocityScale = 1
nonApplied XformCommonAPI
concrete HermiteCurves : Curves
	vector3f[] tangents = []
multiple BackPlateAPI
	asset backPlate:{}:alpha:image = @@
	float backPlate:{}:depth:cameraSpaceOffset = 0
	asset backPlate:{}:depth:image = @@
	float backPlate:{}:depth:minOffset = 0
	float backPlate:{}:depth:normalizingFactor = 1
	asset backPlate:{}:image = @@
	float3 backPlate:{}:luma:offset = (0, 0, 0)
	float3 backPlate:{}:luma:power = (1, 1, 1)
	float3 backPlate:{}:luma:slope = (1, 1, 1)
	token backPlate:{}:plateVisibility = "solo" <all solo mute>
	float3 backPlate:{}:rotateXYZ:tweak = (0, 0, 0)
	float2 backPlate:{}:scale:tweak = (1, 1)
	float3 backPlate:{}:translate:tweak = (0, 0, 0)
`,
};
