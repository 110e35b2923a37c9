import { asIndex, asList, asNumbers, asObject, asText, type JsonObject } from './json-value.ts';
import type { MeshMaterial } from './mesh-file.ts';

/** Metallic-roughness materials of a glTF file by their name, or `material N` without one. */
export function readGltfMaterials(json: JsonObject): Map<string, MeshMaterial> {
	const materials = new Map<string, MeshMaterial>();
	for (const [i, item] of asList(json['materials']).entries()) {
		const material = asObject(item);
		const name = asText(material?.['name']) ?? `material ${i}`;
		const pbr = asObject(material?.['pbrMetallicRoughness']);
		if (materials.has(name)) continue;
		const [r = 1, g = 1, b = 1] = asNumbers(pbr?.['baseColorFactor'], 4) ?? [];
		const [metallic = 1] = asNumbers([pbr?.['metallicFactor']], 1) ?? [];
		const [roughness = 1] = asNumbers([pbr?.['roughnessFactor']], 1) ?? [];
		const image = imageOf(json, asIndex(asObject(pbr?.['baseColorTexture'])?.['index']));
		materials.set(name, {
			color: [r, g, b],
			metallic,
			roughness,
			...(image === undefined ? {} : { texture: image }),
		});
	}
	return materials;
}

/** Address of the image of a texture; images inside of the file have none. */
function imageOf(json: JsonObject, texture: number | undefined): string | undefined {
	if (texture === undefined) return undefined;
	const source = asIndex(asObject(asList(json['textures'])[texture])?.['source']);
	const uri = source === undefined ? undefined : asText(asObject(asList(json['images'])[source])?.['uri']);
	return uri === undefined || uri.startsWith('data:') ? undefined : decodeAddress(uri);
}

function decodeAddress(uri: string): string {
	try {
		return decodeURIComponent(uri);
	} catch {
		// a percent sign that codes nothing stands for itself
		return uri;
	}
}
