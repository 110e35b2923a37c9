import type { XmlElement } from '@manyworlds/core/internal';
import type { MeshMaterial } from './mesh-file.ts';

/** Materials of a COLLADA file by their id: the common profile of the effect that each instances. */
export function readDaeMaterials(root: XmlElement): Map<string, MeshMaterial> {
	const images = new Map<string, string>();
	for (const image of inLibraries(root, 'library_images', 'image')) {
		const from = image.child('init_from');
		const address = (from === undefined ? undefined : (from.child('ref')?.text ?? from.text))?.trim();
		if (address === undefined || address === '') continue;
		for (const name of ['id', 'name']) {
			const key = image.get(name);
			if (key !== undefined && !images.has(key)) images.set(key, address);
		}
	}
	const effects = new Map<string, MeshMaterial>();
	for (const effect of inLibraries(root, 'library_effects', 'effect')) {
		const id = effect.get('id');
		if (id !== undefined) effects.set(id, readEffect(effect, images));
	}
	const materials = new Map<string, MeshMaterial>();
	for (const material of inLibraries(root, 'library_materials', 'material')) {
		const id = material.get('id') ?? material.get('name');
		const url = material.child('instance_effect')?.get('url');
		const effect = url?.startsWith('#') ? effects.get(url.slice(1)) : undefined;
		if (id !== undefined && effect !== undefined) materials.set(id, effect);
	}
	return materials;
}

const SHADERS = ['phong', 'lambert', 'blinn', 'constant'];

function readEffect(effect: XmlElement, images: ReadonlyMap<string, string>): MeshMaterial {
	const profile = effect.child('profile_COMMON');
	const technique = profile?.child('technique');
	const shader = technique?.children.find((child) => SHADERS.includes(child.name));
	if (profile === undefined || shader === undefined) return {};
	const diffuse = shader.child('diffuse');
	const color = diffuse === undefined ? undefined : colorOf(diffuse);
	const sampler = diffuse?.child('texture')?.get('texture');
	const texture = sampler === undefined ? undefined : imageOf(profile, sampler, images);
	const specularElement = shader.child('specular');
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
	const parameters = new Map(profile.childrenNamed('newparam').map((one) => [one.get('sid') ?? '', one]));
	let name = sampler;
	const sampled = parameters.get(name)?.child('sampler2D');
	const image = sampled?.child('instance_image')?.get('url');
	if (image !== undefined) name = image.replace(/^#/, '');
	name = sampled?.child('source')?.text.trim() ?? name;
	const surface = parameters.get(name)?.child('surface');
	name = surface?.child('init_from')?.text.trim() ?? name;
	return images.get(name) ?? images.get(name.replace(/^#/, ''));
}

function colorOf(element: XmlElement): [number, number, number] | undefined {
	const words = element.child('color')?.text.trim().split(/\s+/).map(Number) ?? [];
	const [r, g, b] = words;
	if (r === undefined || g === undefined || b === undefined || words.some((value) => !Number.isFinite(value)))
		return undefined;
	return [r, g, b];
}

function numberOf(shader: XmlElement, name: string): number | undefined {
	const element = shader.child(name);
	const text = element?.child('float')?.text.trim();
	const value = text === undefined || text === '' ? Number.NaN : Number(text);
	return Number.isFinite(value) ? value : undefined;
}

function inLibraries(root: XmlElement, library: string, name: string): XmlElement[] {
	return root.childrenNamed(library).flatMap((element) => element.childrenNamed(name));
}
