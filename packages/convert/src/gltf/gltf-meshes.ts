import { cosine, sine } from '@manyworlds/core/internal';
import type { GltfDocument, GltfObject } from './gltf-document.ts';
import type { SurfaceMesh } from './surface-mesh.ts';
import { type TangentSpace, withTangents } from './tangents.ts';

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
		const whole = ready(document, mesh, [material, ...mappings]);
		const { positions, indices, normals, tangents, uvs, colors, others = [] } = whole;
		const attributes: GltfObject = { POSITION: document.addFloats(positions, 3, { bounds: true }) };
		if (normals !== undefined) attributes['NORMAL'] = document.addFloats(normals, 3);
		if (tangents !== undefined) attributes['TANGENT'] = document.addFloats(tangents, 4);
		for (const [set, data] of uvs.entries()) attributes[`TEXCOORD_${set}`] = document.addFloats(data, 2);
		if (colors !== undefined) attributes['COLOR_0'] = document.addFloats(colors.data, colors.width);
		for (const { name: own, data, width } of others) attributes[own] = document.addFloats(data, width as 1 | 2 | 3 | 4);
		const corners = document.addIndices(indices, positions.length / 3);
		return { attributes, indices: corners, material, ...variantMappings(document, material, mappings) };
	});
	return document.addMesh(name, primitives);
}

/** A mesh with all that its materials need: tangents, where one of them has a normal map. */
function ready(document: GltfDocument, mesh: SurfaceMesh, materials: readonly number[]): SurfaceMesh {
	const space = materials.map((index) => tangentSpace(document.material(index))).find((found) => found !== undefined);
	if (space === undefined) return mesh;
	const key = JSON.stringify(space);
	let made = document.tangents.get(mesh);
	if (made === undefined) {
		made = new Map();
		document.tangents.set(mesh, made);
	}
	let found = made.get(key);
	if (found === undefined) {
		found = withTangents(mesh, space);
		made.set(key, found);
	}
	return found;
}

/** Where the normal map of a material lies; undefined when it has none. */
function tangentSpace(material: GltfObject): TangentSpace | undefined {
	const map = material['normalTexture'] as NormalTexture | undefined;
	if (map === undefined) return undefined;
	const { offset = [0, 0], rotation = 0, scale = [1, 1] } = map.extensions?.KHR_texture_transform ?? {};
	const [c, s] = [cosine(rotation), sine(rotation)];
	const isPlain = rotation === 0 && scale.every((factor) => factor > 0);
	const matrix = [c * scale[0]!, s * scale[1]!, offset[0]!, -s * scale[0]!, c * scale[1]!, offset[1]!];
	// moving and stretching coordinates the same way everywhere turns no tangent
	return { uvSet: map.texCoord ?? 0, ...(isPlain ? {} : { matrix }) };
}

/** A slot of a material as {@link GltfMaterials} writes it. */
interface NormalTexture {
	readonly texCoord?: number;
	readonly extensions?: {
		readonly KHR_texture_transform?: {
			readonly offset?: readonly number[];
			readonly rotation?: number;
			readonly scale?: readonly number[];
		};
	};
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
