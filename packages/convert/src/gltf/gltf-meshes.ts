import type { GltfDocument, GltfObject } from './gltf-document.ts';
import type { SurfaceMesh } from './surface-mesh.ts';

/** Triangles with one material. */
export interface MeshPart {
	readonly mesh: SurfaceMesh;
	readonly material: number;
}

/** Index of a mesh; the same triangles with the same materials are one mesh, whatever it is called. */
export function addMesh(document: GltfDocument, name: string, parts: readonly MeshPart[]): number {
	const primitives = parts.map(({ mesh, material }): GltfObject => {
		const { positions, indices, normals, uvs, colors } = mesh;
		const attributes: GltfObject = { POSITION: document.addFloats(positions, 3, { bounds: true }) };
		if (normals !== undefined) attributes['NORMAL'] = document.addFloats(normals, 3);
		for (const [set, data] of uvs.entries()) attributes[`TEXCOORD_${set}`] = document.addFloats(data, 2);
		if (colors !== undefined) attributes['COLOR_0'] = document.addFloats(colors.data, colors.width);
		return { attributes, indices: document.addIndices(indices, positions.length / 3), material };
	});
	return document.addMesh(name, primitives);
}
