import type { GltfDocument, GltfObject } from './gltf-document.ts';
import type { SurfaceMesh } from './surface-mesh.ts';

/** Triangles with one material. */
export interface MeshPart {
	readonly mesh: SurfaceMesh;
	readonly material: number;
	/** Materials in the variants of the document, in their order; none when it has no variants. */
	readonly mappings?: readonly number[];
}

/** Index of a mesh; the same triangles with the same materials are one mesh, whatever it is called. */
export function addMesh(document: GltfDocument, name: string, parts: readonly MeshPart[]): number {
	const primitives = parts.map(({ mesh, material, mappings = [] }): GltfObject => {
		const { positions, indices, normals, uvs, colors } = mesh;
		const attributes: GltfObject = { POSITION: document.addFloats(positions, 3, { bounds: true }) };
		if (normals !== undefined) attributes['NORMAL'] = document.addFloats(normals, 3);
		for (const [set, data] of uvs.entries()) attributes[`TEXCOORD_${set}`] = document.addFloats(data, 2);
		if (colors !== undefined) attributes['COLOR_0'] = document.addFloats(colors.data, colors.width);
		const corners = document.addIndices(indices, positions.length / 3);
		return { attributes, indices: corners, material, ...variantMappings(document, material, mappings) };
	});
	return document.addMesh(name, primitives);
}

/** Which material a part wears in which variants, where it is not always the same one. */
function variantMappings(document: GltfDocument, material: number, mappings: readonly number[]): GltfObject {
	if (mappings.every((own) => own === material)) return {};
	document.use('KHR_materials_variants');
	const variantsOf = new Map<number, number[]>();
	for (const [variant, own] of mappings.entries()) variantsOf.set(own, [...(variantsOf.get(own) ?? []), variant]);
	const list = [...variantsOf].map(([own, variants]) => ({ material: own, variants }));
	return { extensions: { KHR_materials_variants: { mappings: list } } };
}
