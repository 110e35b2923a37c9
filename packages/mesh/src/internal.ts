export { triangulatePolygon } from './geometry/triangulate-polygon.ts';
export { mergeHullFaces } from './hull/hull-faces.ts';
export { estimateMeshBounds } from './read/mesh-bounds.ts';
export type { MeshMaterial } from './read/mesh-file.ts';
export { Subdivision, type SubdivisionCage } from './subdivide/subdivision.ts';
