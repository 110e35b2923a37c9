export { triangulatePolygon } from './geometry/triangulate-polygon.ts';
export { mergeHullFaces } from './hull/hull-faces.ts';
export { inertiaAbout, multiplyDensity, zeroMass } from './mass/mass-properties.ts';
export { estimateMeshBounds } from './read/mesh-bounds.ts';
export type { MeshMaterial } from './read/mesh-file.ts';
export { detectMeshFormat } from './read/read-mesh.ts';
export { Subdivision, type SubdivisionCage } from './subdivide/subdivision.ts';
export { flipMesh, scaleMesh, transformMesh, translateMesh } from './transform-mesh.ts';
export { createTriangleMesh, triangleCount } from './triangle-mesh.ts';
