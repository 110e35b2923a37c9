export { triangulatePolygon } from './geometry/triangulate-polygon.ts';
export { estimateMeshBounds } from './read/mesh-bounds.ts';
export type { MeshFile, MeshFormat, MeshMaterial, ReadMeshOptions } from './read/mesh-file.ts';
export { Subdivision, type SubdivisionCage } from './subdivide/subdivision.ts';
