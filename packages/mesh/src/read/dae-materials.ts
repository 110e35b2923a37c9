import type { MeshMaterial } from './mesh-file.ts';
import { childNamed, childrenNamed, type XmlElement } from './xml-tree.ts';

/** Materials of a COLLADA file by their id: the common profile of the effect that each instances. */
export function readDaeMaterials(root: XmlElement): Map<string, MeshMaterial> {
	const images = new Map<string, string>();
	for (const image of inLibraries(root, 'library_images', 'image')) {
		const from = childNamed(image, 'init_from');
		const address = (from === undefined ? undefined : (childNamed(from, 'ref')?.text ?? from.text))?.trim();
		if (address === undefined || address === '') continue;
		for (const name of ['id', 'name']) {
			const key = image.attributes.get(name);
			if (key !== undefined && !images.has(key)) images.set(key, address);
		}
	}
	const effects = new Map<string, MeshMaterial>();
	for (const effect of inLibraries(root, 'library_effects', 'effect')) {
		const id = effect.attributes.get('id');
		if (id !== undefined) effects.set(id, readEffect(effect, images));
	}
	const materials = new Map<string, MeshMaterial>();
	for (const material of inLibraries(root, 'library_materials', 'material')) {
		const id = material.attributes.get('id') ?? material.attributes.get('name');
		const url = childNamed(material, 'instance_effect')?.attributes.get('url');
		const effect = url?.startsWith('#') ? effects.get(url.slice(1)) : undefined;
		if (id !== undefined && effect !== undefined) materials.set(id, effect);
	}
	return materials;
}

const SHADERS = ['phong', 'lambert', 'blinn', 'constant'];

function readEffect(effect: XmlElement, images: ReadonlyMap<string, string>): MeshMaterial {
	const profile = childNamed(effect, 'profile_COMMON');
	const technique = profile === undefined ? undefined : childNamed(profile, 'technique');
	const shader = technique?.children.find((child) => SHADERS.includes(child.name));
	if (profile === undefined || shader === undefined) return {};
	const diffuse = childNamed(shader, 'diffuse');
	const color = diffuse === undefined ? undefined : colorOf(diffuse);
	const sampler = diffuse === undefined ? undefined : childNamed(diffuse, 'texture')?.attributes.get('texture');
	const texture = sampler === undefined ? undefined : imageOf(profile, sampler, images);
	const specularElement = childNamed(shader, 'specular');
	const specular = specularElement === undefined ? undefined : colorOf(specularElement);
	const reflectivity = numberOf(shader, 'reflectivity');
	const shininess = numberOf(shader, 'shininess');
	return {
		...(color === undefined ? {} : { color }),
		...(specular === undefined ? {} : { specular }),
		...(reflectivity === undefined ? {} : { reflectivity }),
		...(shininess === undefined ? {} : { shininess }),
		...(texture === undefined ? {} : { texture }),
	};
}

/** The address of the image behind a sampler, its surface and their parameters. */
function imageOf(profile: XmlElement, sampler: string, images: ReadonlyMap<string, string>): string | undefined {
	const parameters = new Map(childrenNamed(profile, 'newparam').map((one) => [one.attributes.get('sid') ?? '', one]));
	let name = sampler;
	const sampled = parameters.get(name) === undefined ? undefined : childNamed(parameters.get(name)!, 'sampler2D');
	const image = sampled === undefined ? undefined : childNamed(sampled, 'instance_image')?.attributes.get('url');
	if (image !== undefined) name = image.replace(/^#/, '');
	name = (sampled === undefined ? undefined : childNamed(sampled, 'source')?.text.trim()) ?? name;
	const surface = parameters.get(name) === undefined ? undefined : childNamed(parameters.get(name)!, 'surface');
	name = (surface === undefined ? undefined : childNamed(surface, 'init_from')?.text.trim()) ?? name;
	return images.get(name) ?? images.get(name.replace(/^#/, ''));
}

function colorOf(element: XmlElement): [number, number, number] | undefined {
	const words = childNamed(element, 'color')?.text.trim().split(/\s+/).map(Number) ?? [];
	const [r, g, b] = words;
	if (r === undefined || g === undefined || b === undefined || words.some((value) => !Number.isFinite(value)))
		return undefined;
	return [r, g, b];
}

function numberOf(shader: XmlElement, name: string): number | undefined {
	const element = childNamed(shader, name);
	const text = element === undefined ? undefined : childNamed(element, 'float')?.text.trim();
	const value = text === undefined || text === '' ? Number.NaN : Number(text);
	return Number.isFinite(value) ? value : undefined;
}

function inLibraries(root: XmlElement, library: string, name: string): XmlElement[] {
	return childrenNamed(root, library).flatMap((element) => childrenNamed(element, name));
}
