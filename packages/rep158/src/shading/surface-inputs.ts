import { type Prim, T } from '@manyworlds/usd';
import { dataOf, inputValue, shaderId } from '@manyworlds/usd/internal';
import { numbersOf } from '../asset/read-values.ts';
import { combine, type NodeValue, nodeValue, sized, UnknownNode } from './node-values.ts';

/** Inputs of a UsdPreviewSurface that another surface comes to. */
export interface SurfaceInputs {
	readonly inputs: ReadonlyMap<string, NodeValue>;
	/** Inputs of the other surface that have no counterpart and are not what they are without a word. */
	readonly left: readonly string[];
}

/** Types of the inputs of UsdPreviewSurface. */
export const PREVIEW_TYPES: Readonly<Record<string, 'color3f' | 'float' | 'normal3f' | 'int'>> = {
	diffuseColor: 'color3f',
	emissiveColor: 'color3f',
	specularColor: 'color3f',
	useSpecularWorkflow: 'int',
	metallic: 'float',
	roughness: 'float',
	clearcoat: 'float',
	clearcoatRoughness: 'float',
	opacity: 'float',
	opacityThreshold: 'float',
	ior: 'float',
	normal: 'normal3f',
	displacement: 'float',
	occlusion: 'float',
};

/** The surface that a shader describes in the terms of UsdPreviewSurface; undefined for shaders without a translation. */
export function surfaceInputs(shader: Prim): SurfaceInputs | undefined {
	const id = shaderId(shader);
	if (id !== undefined) {
		const table = MATERIALX[id];
		return table === undefined ? undefined : fromTable(shader, table);
	}
	const name = mdlName(shader);
	return name !== undefined && /^OmniPBR(?:_Opacity|_ClearCoat)?$/.test(name) ? fromOmniPbr(shader) : undefined;
}

/** The name of an MDL material: of its sub-identifier, or of its file. */
export function mdlName(shader: Prim): string | undefined {
	const own = dataOf(shader.attribute('info:mdl:sourceAsset:subIdentifier').get(), T.token);
	if (own !== undefined && own !== '') return own;
	const file = dataOf(shader.attribute('info:mdl:sourceAsset').get(), T.asset);
	return /([^/\\]+)\.mdl$/.exec(file ?? '')?.[1];
}

/** A product of inputs, with what they are without a word, and what becomes of their numbers. */
type Factors = readonly (readonly [input: string, fallback: readonly number[], of?: (x: number) => number])[];

/** Luminances of lamps say nothing about colours on a screen; surfaces that shine at all show theirs. */
function isOn(luminance: number): number {
	return luminance > 0 ? 1 : 0;
}

interface SurfaceTable {
	readonly [input: string]: Factors;
}

/** Surfaces of MaterialX 1.39: inputs of UsdPreviewSurface as products of theirs. */
const MATERIALX: Readonly<Record<string, SurfaceTable>> = {
	ND_standard_surface_surfaceshader: {
		diffuseColor: [
			['base', [1]],
			['base_color', [0.8, 0.8, 0.8]],
		],
		metallic: [['metalness', [0]]],
		roughness: [['specular_roughness', [0.2]]],
		ior: [['specular_IOR', [1.5]]],
		clearcoat: [['coat', [0]]],
		clearcoatRoughness: [['coat_roughness', [0.1]]],
		emissiveColor: [
			['emission', [0]],
			['emission_color', [1, 1, 1]],
		],
		opacity: [['opacity', [1, 1, 1]]],
		normal: [['normal', []]],
	},
	ND_open_pbr_surface_surfaceshader: {
		diffuseColor: [
			['base_weight', [1]],
			['base_color', [0.8, 0.8, 0.8]],
		],
		metallic: [['base_metalness', [0]]],
		roughness: [['specular_roughness', [0.3]]],
		ior: [['specular_ior', [1.5]]],
		clearcoat: [['coat_weight', [0]]],
		clearcoatRoughness: [['coat_roughness', [0]]],
		emissiveColor: [
			['emission_luminance', [0], isOn],
			['emission_color', [1, 1, 1]],
		],
		opacity: [['geometry_opacity', [1]]],
		normal: [['geometry_normal', []]],
	},
	ND_gltf_pbr_surfaceshader: {
		diffuseColor: [['base_color', [1, 1, 1]]],
		metallic: [['metallic', [1]]],
		roughness: [['roughness', [1]]],
		ior: [['ior', [1.5]]],
		clearcoat: [['clearcoat', [0]]],
		clearcoatRoughness: [['clearcoat_roughness', [0]]],
		emissiveColor: [
			['emissive_strength', [1]],
			['emissive', [0, 0, 0]],
		],
		opacity: [['alpha', [1]]],
		occlusion: [['occlusion', [1]]],
		normal: [['normal', []]],
	},
	ND_UsdPreviewSurface_surfaceshader: Object.fromEntries(
		Object.entries({
			diffuseColor: [0.18, 0.18, 0.18],
			emissiveColor: [0, 0, 0],
			specularColor: [0, 0, 0],
			useSpecularWorkflow: [0],
			metallic: [0],
			roughness: [0.5],
			clearcoat: [0],
			clearcoatRoughness: [0.01],
			opacity: [1],
			opacityThreshold: [0],
			ior: [1.5],
			normal: [],
			displacement: [0],
			occlusion: [1],
		}).map(([name, fallback]) => [name, [[name, fallback]]]),
	),
};

function fromTable(shader: Prim, table: SurfaceTable): SurfaceInputs {
	const inputs = new Map<string, NodeValue>();
	const used = new Set<string>();
	for (const [name, factors] of Object.entries(table)) {
		const size = sizeOfInput(name);
		const values = factors.flatMap(([input, fallback, of]): NodeValue[] => {
			used.add(input);
			const value = nodeValue(shader.attribute(`inputs:${input}`));
			if (value !== undefined) return [of === undefined ? value : combine([sized(value, 1)], 1, (x) => of(x!))];
			return fallback.length === 0 ? [] : [{ kind: 'constant', numbers: fallback }];
		});
		if (values.length === 0) continue;
		inputs.set(
			name,
			combine(
				values.map((value) => (name === 'opacity' ? grey(value) : sized(value, size))),
				size,
				(...x) => x.reduce((a, b) => a * b, 1),
			),
		);
	}
	const mask = shaderId(shader) === 'ND_gltf_pbr_surfaceshader' ? inputValue(shader, 'alpha_mode')?.data : undefined;
	if (mask === 0) inputs.delete('opacity');
	if (mask === 1) {
		const cutoff = numbersOf(inputValue(shader, 'alpha_cutoff'))?.[0] ?? 0.5;
		inputs.set('opacityThreshold', { kind: 'constant', numbers: [cutoff] });
	}
	for (const name of ['alpha_mode', 'alpha_cutoff']) used.add(name);
	return { inputs, left: leftInputs(shader, used) };
}

function sizeOfInput(name: string): number {
	const type = PREVIEW_TYPES[name];
	return type === 'color3f' || type === 'normal3f' ? 3 : 1;
}

/** The mean of colours that stand for one number. */
function grey(value: NodeValue): NodeValue {
	if (value.kind !== 'constant') return sized(value, 1);
	const { numbers } = value;
	return { kind: 'constant', numbers: [numbers.reduce((a, b) => a + b, 0) / numbers.length] };
}

/** Authored inputs that a translation does not use. */
function leftInputs(shader: Prim, used: ReadonlySet<string>): string[] {
	return shader
		.authoredPropertyNames()
		.filter((name) => name.startsWith('inputs:'))
		.map((name) => name.slice('inputs:'.length))
		.filter((name) => !used.has(name) && !isNothing(shader, name))
		.sort();
}

/** Whether an input is switched off: zero, false or black, unconnected. */
function isNothing(shader: Prim, name: string): boolean {
	const attribute = shader.attribute(`inputs:${name}`);
	if (attribute.connections().length > 0) return false;
	const value = attribute.get();
	if (value?.data === false || value?.data === '') return true;
	return numbersOf(value)?.every((x) => x === 0) ?? false;
}

/** Inputs of OmniPBR that matter only where others are switched on, or that textures are read with. */
const OMNI_PBR_QUIET: readonly string[] = [
	'ORM_texture',
	'ao_texture',
	'diffuse_color_constant',
	'emissive_color',
	'emissive_color_texture',
	'metallic_texture',
	'opacity_constant',
	'opacity_texture',
	'opacity_threshold',
	'enable_opacity_texture',
	'reflectionroughness_texture',
	'texture_rotate',
	'texture_scale',
	'texture_translate',
];

/** OmniPBR of the MDL modules of Omniverse, whose inputs are constants and files. */
function fromOmniPbr(shader: Prim): SurfaceInputs {
	const used = new Set<string>();
	const read = (name: string): ReturnType<typeof inputValue> => {
		used.add(name);
		return inputValue(shader, name);
	};
	const number = (name: string, fallback: number): number => numbersOf(read(name))?.[0] ?? fallback;
	const colour = (name: string, fallback: readonly number[]): readonly number[] => {
		const numbers = numbersOf(read(name));
		return numbers === undefined ? fallback : [...numbers];
	};
	const flag = (name: string, fallback: boolean): boolean => {
		const data = read(name)?.data;
		return typeof data === 'boolean' ? data : typeof data === 'number' ? data !== 0 : fallback;
	};
	const constant = (...numbers: number[]): NodeValue => ({ kind: 'constant', numbers });
	const times = (value: NodeValue, factor: readonly number[]): NodeValue => {
		const size =
			value.kind === 'constant'
				? value.numbers.length
				: value.kind === 'image'
					? value.image.channels.length
					: value.size;
		return combine([value, sized(constant(...factor), size)], size, (a, b) => a! * b!);
	};
	const blend = (value: NodeValue | undefined, fixed: number, influence: number): NodeValue => {
		if (value === undefined || influence === 0) return constant(fixed);
		return combine([value], 1, (x) => fixed * (1 - influence) + x! * influence);
	};
	const texture = (name: string, channels: readonly number[]): NodeValue | undefined => {
		used.add(name);
		return mdlTexture(shader, name, channels);
	};
	const inputs = new Map<string, NodeValue>();
	const tint = colour('diffuse_tint', [1, 1, 1]);
	const diffuse = texture('diffuse_texture', [0, 1, 2]);
	const brightness = number('albedo_brightness', 1);
	const base = diffuse ?? constant(...colour('diffuse_color_constant', [0.2, 0.2, 0.2]));
	inputs.set(
		'diffuseColor',
		times(
			base,
			tint.map((x) => x * brightness),
		),
	);
	const isPacked = flag('enable_ORM_texture', false);
	const packed = isPacked ? texture('ORM_texture', [0, 1, 2]) : undefined;
	const part = (channel: number): NodeValue | undefined =>
		packed?.kind === 'image'
			? { kind: 'image', image: { ...packed.image, channels: [channel], scale: [1], bias: [0] } }
			: undefined;
	const roughness = packed === undefined ? texture('reflectionroughness_texture', [0]) : part(1);
	const metallic = packed === undefined ? texture('metallic_texture', [0]) : part(2);
	const occlusion = packed === undefined ? texture('ao_texture', [0]) : part(0);
	const all = packed === undefined ? 0 : 1;
	inputs.set(
		'roughness',
		blend(
			roughness,
			number('reflection_roughness_constant', 0.5),
			number('reflection_roughness_texture_influence', all),
		),
	);
	inputs.set('metallic', blend(metallic, number('metallic_constant', 0), number('metallic_texture_influence', all)));
	if (occlusion !== undefined) inputs.set('occlusion', occlusion);
	const normal = texture('normalmap_texture', [0, 1, 2]);
	if (normal !== undefined)
		inputs.set(
			'normal',
			combine([normal], 3, (x) => 2 * x! - 1),
		);
	if (flag('enable_emission', false)) {
		const emissive = texture('emissive_color_texture', [0, 1, 2]);
		inputs.set('emissiveColor', emissive ?? constant(...colour('emissive_color', [1, 0.1, 0.1])));
	} else used.add('emissive_intensity');
	if (flag('enable_opacity', false)) {
		const opacity = flag('enable_opacity_texture', false) ? texture('opacity_texture', [0]) : undefined;
		inputs.set('opacity', times(opacity ?? constant(1), [number('opacity_constant', 1)]));
		const threshold = number('opacity_threshold', 0);
		if (threshold > 0) inputs.set('opacityThreshold', constant(threshold));
	}
	if (flag('enable_clearcoat', false)) {
		inputs.set('clearcoat', constant(number('clearcoat_weight', 1)));
		inputs.set('clearcoatRoughness', constant(number('clearcoat_reflection_roughness', 0)));
	}
	for (const name of OMNI_PBR_QUIET) used.add(name);
	return { inputs, left: leftInputs(shader, used) };
}

/** A file of an MDL material with the transform that it is read with. */
function mdlTexture(shader: Prim, name: string, channels: readonly number[]): NodeValue | undefined {
	const attribute = shader.attribute(`inputs:${name}`);
	const value = inputValue(shader, name);
	const assetPath = dataOf(value, T.asset);
	if (assetPath === undefined || assetPath === '') return undefined;
	const site = attribute.resolveInfo('default').site;
	if (site === undefined) throw new UnknownNode(`the file of ${name} comes from elsewhere`);
	const space = dataOf(attribute.metadata('colorSpace'), T.token);
	const two = (of: string, fallback: number): [number, number] => {
		const numbers = numbersOf(inputValue(shader, of));
		return [numbers?.[0] ?? fallback, numbers?.[1] ?? fallback];
	};
	const isColour = /diffuse|emissive/.test(name);
	return {
		kind: 'image',
		image: {
			assetPath,
			anchor: site.layer,
			space: space === 'sRGB' || space === 'raw' ? space : isColour ? 'auto' : 'raw',
			channels,
			scale: channels.map(() => 1),
			bias: channels.map(() => 0),
			primvar: 'st',
			tiling: two('texture_scale', 1),
			offset: two('texture_translate', 0),
			rotation: numbersOf(inputValue(shader, 'texture_rotate'))?.[0] ?? 0,
			wrap: ['repeat', 'repeat'],
		},
	};
}
