export { type PolygonState, type PolygonTriangulation, triangulatePolygon } from './geometry/triangulate-polygon.ts';
export { readDae } from './read/dae.ts';
export { readGltf } from './read/gltf.ts';
export { type MeshFile, type MeshFormat, READ_MESH_DEFAULTS, type ReadMeshOptions } from './read/mesh-file.ts';
export { readObj } from './read/obj.ts';
export { detectMeshFormat, readMesh } from './read/read-mesh.ts';
export { readStl } from './read/stl.ts';
export { WELD_DEFAULTS, type WeldOptions, type WeldResult, weldVertices } from './topology/weld-vertices.ts';
export { flipMesh, mergeMeshes, scaleMesh, transformMesh, translateMesh } from './transform-mesh.ts';
export {
	checkTriangleMesh,
	createTriangleMesh,
	type MaterialGroup,
	MeshDataError,
	type TriangleMesh,
	type TriangleMeshInput,
	triangleCount,
	vertexCount,
} from './triangle-mesh.ts';
