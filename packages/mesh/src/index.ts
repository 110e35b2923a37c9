export { type AxisAlignedBox, axisAlignedBox } from './bounds/axis-aligned-box.ts';
export { type BoundingSphere, boundingSphere } from './bounds/bounding-sphere.ts';
export { type OrientedBox, orientedBox } from './bounds/oriented-box.ts';
export { TriangleBvh } from './bvh/triangle-bvh.ts';
export { createHeightfield, type Heightfield } from './create/create-heightfield.ts';
export {
	createBox,
	createCapsule,
	createCone,
	createCylinder,
	createEllipsoid,
	createPlane,
	createSphere,
	createTorus,
	ROUND_DEFAULTS,
	type RoundOptions,
} from './create/create-shapes.ts';
export {
	type ConvexDecomposition,
	DECOMPOSE_DEFAULTS,
	type DecomposeOptions,
	decomposeConvex,
} from './decompose/convex-decomposition.ts';
export { CONVEX_HULL_DEFAULTS, type ConvexHull, type ConvexHullOptions, convexHull } from './hull/convex-hull.ts';
export { combineMasses, type MassProperties, placeMass, scaleMass } from './mass/mass-properties.ts';
export {
	type ShellMassOptions,
	type SolidMass,
	type SolidMassOptions,
	shellMass,
	solidMass,
	surfaceArea,
} from './mass/mesh-mass.ts';
export {
	PRIMITIVE_MASS_DEFAULTS,
	type PrimitiveMassOptions,
	type PrimitiveShape,
	primitiveMass,
} from './mass/primitive-mass.ts';
export type { MeshFile, MeshFormat, MeshMaterial, ReadMeshOptions } from './read/mesh-file.ts';
export { readMesh } from './read/read-mesh.ts';
export { type SimplifyOptions, type SimplifyResult, simplifyMesh } from './simplify/simplify-mesh.ts';
export { connectedComponents, splitComponents } from './topology/connected-components.ts';
export { type MeshEdge, type MeshTopology, meshTopology } from './topology/mesh-topology.ts';
export {
	findSelfIntersections,
	SELF_INTERSECTION_DEFAULTS,
	type SelfIntersection,
	type SelfIntersectionOptions,
} from './topology/self-intersections.ts';
export type { ContactKind } from './topology/triangle-contacts.ts';
export { WELD_DEFAULTS, type WeldOptions, type WeldResult, weldVertices } from './topology/weld-vertices.ts';
export { mergeMeshes } from './transform-mesh.ts';
export { type MaterialGroup, MeshDataError, type TriangleMesh } from './triangle-mesh.ts';
