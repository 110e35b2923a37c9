import { cosine, sine } from '@manyworlds/core/internal';
import type { LossCode } from '../model/loss-codes.ts';
import type { GltfDocument, GltfObject } from './gltf-document.ts';
import type { GltfTextures, TexelSource } from './gltf-textures.ts';
import type { ImageInput, PreviewSurface, SurfaceInput } from './preview-surface.ts';
import type { PartNeeds, UvSet } from './usd-surface.ts';

/** What a mesh has that its material may read: primvars by name, with their constant value where they have one. */
export interface MaterialGround {
	readonly primvar: (name: string) => { readonly constant: readonly number[] | undefined } | undefined;
	readonly isDoubleSided: boolean;
	/** Its colour and opacity where no material says any. */
	readonly displayColor: string | undefined;
	readonly displayOpacity: string | undefined;
}

/** A material of the target, and what a mesh needs for it. */
export interface WrittenMaterial {
	readonly material: number;
	readonly needs: PartNeeds;
}

/** Tells what of a material is not as it was. */
export type MaterialLoss = (code: LossCode, message: string, isDropped?: boolean) => void;

type Input = Exclude<SurfaceInput, { kind: 'primvar' }> | { readonly kind: 'colors'; readonly name: string };

/** Coordinates as they are: 2 × 3, row by row. */
const IDENTITY = [1, 0, 0, 0, 1, 0];

/** What surfaces without a word about them have. */
const DEFAULTS: Readonly<Record<string, readonly number[]>> = {
	diffuseColor: [0.18, 0.18, 0.18],
	emissiveColor: [0, 0, 0],
	useSpecularWorkflow: [0],
	specularColor: [0, 0, 0],
	metallic: [0],
	roughness: [0.5],
	clearcoat: [0],
	clearcoatRoughness: [0.01],
	opacity: [1],
	opacityThreshold: [0],
	ior: [1.5],
	occlusion: [1],
};

/** Writes surfaces as materials of glTF, for the meshes that wear them. */
export class GltfMaterials {
	readonly #document: GltfDocument;
	readonly #textures: GltfTextures;

	constructor(document: GltfDocument, textures: GltfTextures) {
		this.#document = document;
		this.#textures = textures;
	}

	/** The material of a mesh without a surface: its own colour. */
	plain(name: string, ground: MaterialGround): WrittenMaterial {
		const color = ground.displayColor === undefined ? undefined : ground.primvar(ground.displayColor);
		const opacity = ground.displayOpacity === undefined ? undefined : ground.primvar(ground.displayOpacity);
		const rgb = color === undefined ? DEFAULTS['diffuseColor']! : (color.constant ?? [1, 1, 1]);
		const alpha = opacity === undefined ? 1 : (opacity.constant?.[0] ?? 1);
		const hasAlpha = alpha < 1 || (opacity !== undefined && opacity.constant === undefined);
		const factor = [unit(rgb[0]), unit(rgb[1] ?? rgb[0]), unit(rgb[2] ?? rgb[0]), unit(alpha)];
		return {
			material: this.#document.add('materials', {
				name,
				pbrMetallicRoughness: { baseColorFactor: factor, metallicFactor: 0, roughnessFactor: 0.5 },
				...(hasAlpha ? { alphaMode: 'BLEND' } : {}),
				...(ground.isDoubleSided ? { doubleSided: true } : {}),
			}),
			needs: {
				uvs: [],
				...(color !== undefined && color.constant === undefined ? { color: ground.displayColor! } : {}),
				...(opacity !== undefined && opacity.constant === undefined ? { opacity: ground.displayOpacity! } : {}),
			},
		};
	}

	/** The material of a surface on a mesh. */
	surface(
		name: string,
		surface: Extract<PreviewSurface, { inputs: unknown }>,
		ground: MaterialGround,
		lose: MaterialLoss,
	): WrittenMaterial {
		return new SurfaceWriter(this.#document, this.#textures, surface, ground, lose).write(name);
	}
}

function unit(value: number | undefined): number {
	return value === undefined || !Number.isFinite(value) ? 0 : Math.min(1, Math.max(0, value));
}

/** One surface on one mesh. */
class SurfaceWriter {
	readonly #document: GltfDocument;
	readonly #textures: GltfTextures;
	readonly #surface: Extract<PreviewSurface, { inputs: unknown }>;
	readonly #ground: MaterialGround;
	readonly #lose: MaterialLoss;
	readonly #uvs: UvSet[] = [];
	#color: string | undefined;
	#opacity: string | undefined;

	constructor(
		document: GltfDocument,
		textures: GltfTextures,
		surface: Extract<PreviewSurface, { inputs: unknown }>,
		ground: MaterialGround,
		lose: MaterialLoss,
	) {
		this.#document = document;
		this.#textures = textures;
		this.#surface = surface;
		this.#ground = ground;
		this.#lose = lose;
	}

	write(name: string): WrittenMaterial {
		for (const problem of this.#surface.problems) this.#lose('material-not-preview', problem);
		const isSpecular = this.#constant('useSpecularWorkflow') === 1;
		const extensions: GltfObject = {};
		const pbr: GltfObject = {};
		const alpha = this.#writeBase(pbr);
		this.#writeMetallicRoughness(pbr, isSpecular);
		const material: GltfObject = {
			name,
			pbrMetallicRoughness: pbr,
			...this.#normal(),
			...this.#occlusion(),
			...this.#emissive(extensions),
			...alpha,
			...(this.#ground.isDoubleSided ? { doubleSided: true } : {}),
		};
		this.#writeClearcoat(extensions);
		const ior = this.#ior();
		if (ior !== 1.5) extensions['KHR_materials_ior'] = { ior };
		if (isSpecular) this.#writeSpecular(extensions, ior);
		const displacement = this.#input('displacement', [0]);
		if (displacement.kind !== 'constant' || displacement.numbers[0] !== 0)
			this.#lose('displacement', 'the surface is not displaced');
		for (const extension of Object.keys(extensions)) this.#document.use(extension);
		if (Object.keys(extensions).length > 0) material['extensions'] = extensions;
		return {
			material: this.#document.add('materials', material),
			needs: {
				uvs: this.#uvs,
				...(this.#color === undefined ? {} : { color: this.#color }),
				...(this.#opacity === undefined ? {} : { opacity: this.#opacity }),
			},
		};
	}

	/** What an input is worth on this mesh: images that are the same all over are numbers. */
	#input(name: string, fallback: readonly number[] = DEFAULTS[name] ?? [0]): Input {
		const input = this.#surface.inputs.get(name);
		if (input === undefined) return { kind: 'constant', numbers: fallback };
		if (input.kind === 'primvar') {
			const found = this.#ground.primvar(input.name);
			if (found === undefined) return { kind: 'constant', numbers: input.fallback ?? fallback };
			return found.constant === undefined
				? { kind: 'colors', name: input.name }
				: { kind: 'constant', numbers: found.constant };
		}
		if (input.kind === 'constant') return input;
		const { image } = input;
		const refusal = this.#textures.refusal(image);
		if (refusal !== undefined) {
			this.#lose('texture-missing', `${refusal}; its fallback is used`);
			// the coordinates stay, for whoever has the image
			if (image.primvar !== undefined && this.#ground.primvar(image.primvar) !== undefined) this.#uvSet(image, true);
			return { kind: 'constant', numbers: image.channels.map((c) => image.fallback[c] ?? 0) };
		}
		if (image.primvar !== undefined && this.#ground.primvar(image.primvar) !== undefined) return input;
		// no coordinates: one texel for all
		const numbers = this.#textures.texel(image, isColor(name));
		return { kind: 'constant', numbers: numbers ?? image.channels.map((c) => image.fallback[c] ?? 0) };
	}

	#constant(name: string): number {
		const input = this.#input(name);
		if (input.kind === 'constant') return input.numbers[0] ?? DEFAULTS[name]![0]!;
		this.#lose(
			'material-not-preview',
			`${name} is an image or differs over the surface; it is taken as without a word`,
		);
		return DEFAULTS[name]![0]!;
	}

	/** Index of the coordinates of an image, moved as it reads them or as they are. */
	#uvSet({ primvar, matrix }: ImageInput, isBaked: boolean): number {
		const isMoved = isBaked && matrix.some((value, i) => value !== IDENTITY[i]);
		const set: UvSet = isMoved ? { primvar: primvar!, matrix } : { primvar: primvar! };
		const key = JSON.stringify(set);
		const known = this.#uvs.findIndex((other) => JSON.stringify(other) === key);
		return known < 0 ? this.#uvs.push(set) - 1 : known;
	}

	/** A texture for a slot of a material. */
	#slot(image: ImageInput, texture: number): GltfObject {
		const { turn, matrix } = image;
		// viewers disagree about turned coordinates that are scaled unevenly
		const isBaked =
			turn === undefined
				? matrix.some((value, i) => value !== IDENTITY[i])
				: turn.angle !== 0 && turn.scale[0] !== turn.scale[1];
		const texCoord = this.#uvSet(image, isBaked);
		const parts: GltfObject = { index: texture, ...(texCoord === 0 ? {} : { texCoord }) };
		if (turn === undefined || isBaked) return parts;
		const [sin, cos] = [sine(turn.angle), cosine(turn.angle)];
		const [sx, sy] = [turn.scale[0]!, turn.scale[1]!];
		const offset = [turn.offset[0]! - sin * sy, 1 - turn.offset[1]! - cos * sy];
		const transform: GltfObject = {
			...(offset.some((value) => value !== 0) ? { offset } : {}),
			...(turn.angle === 0 ? {} : { rotation: turn.angle }),
			...(sx === 1 && sy === 1 ? {} : { scale: [sx, sy] }),
		};
		if (Object.keys(transform).length === 0) return parts;
		this.#document.use('KHR_texture_transform');
		return { ...parts, extensions: { KHR_texture_transform: transform } };
	}

	/** Images that are read at the same places may become one. */
	#isAligned(a: ImageInput, b: ImageInput): boolean {
		return (
			a.primvar === b.primvar &&
			a.wrap[0] === b.wrap[0] &&
			a.wrap[1] === b.wrap[1] &&
			a.matrix.every((value, i) => value === b.matrix[i])
		);
	}

	/** The images of several inputs as one: those that are read elsewhere than the first are lost. */
	#aligned(inputs: readonly (readonly [string, Input])[]): ImageInput | undefined {
		let first: ImageInput | undefined;
		for (const [name, input] of inputs) {
			if (input.kind !== 'image') continue;
			if (first === undefined) first = input.image;
			else if (!this.#isAligned(first, input.image))
				this.#lose(
					'uv-set',
					`${name} is read at other coordinates than what it is stored with; those are used for both`,
				);
		}
		return first;
	}

	#writeBase(pbr: GltfObject): GltfObject {
		const diffuse = this.#input('diffuseColor');
		const opacity = this.#input('opacity');
		const threshold = this.#constant('opacityThreshold');
		const alpha = opacity.kind === 'constant' ? unit(opacity.numbers[0] ?? 1) : 1;
		const isVarying = opacity.kind !== 'constant';
		let mode: GltfObject = {};
		if (threshold > 0 && (isVarying || alpha < threshold)) mode = { alphaMode: 'MASK', alphaCutoff: unit(threshold) };
		else if (threshold <= 0 && (isVarying || alpha < 1)) mode = { alphaMode: 'BLEND' };
		if (mode['alphaMode'] === 'BLEND' && this.#surface.opacityMode === 'transparent')
			this.#lose('opacity-mode', 'what shines through is blended, its highlights with it');
		if (opacity.kind === 'colors') this.#opacity = opacity.name;
		if (diffuse.kind === 'colors') this.#color = diffuse.name;
		const isOpaque = mode['alphaMode'] === undefined;
		const rgb = diffuse.kind === 'constant' ? this.#clamped('diffuseColor', diffuse.numbers) : [1, 1, 1];
		const image = diffuse.kind === 'image' ? diffuse.image : undefined;
		const mask = opacity.kind === 'image' ? opacity.image : undefined;
		if (image === undefined && mask === undefined) {
			pbr['baseColorFactor'] = [...rgb, isOpaque ? 1 : alpha];
			return mode;
		}
		const first = this.#aligned([
			['diffuseColor', diffuse],
			['opacity', opacity],
		])!;
		const factors = image === undefined ? undefined : factorsOf(image, [0, 1, 2]);
		const isPlain =
			image !== undefined &&
			factors !== undefined &&
			this.#textures.isStored(image, true) &&
			(isOpaque || (mask === undefined ? !this.#textures.hasAlpha(image) : isAlphaOf(mask, image)));
		if (isPlain) {
			pbr['baseColorTexture'] = this.#slot(first, this.#textures.file(image, this.#name(image)));
			const factor = [...factors, isOpaque || mask !== undefined ? 1 : alpha];
			if (factor.some((value) => value !== 1)) pbr['baseColorFactor'] = factor;
			return mode;
		}
		const colors: TexelSource[] = [0, 1, 2].map((k) =>
			image === undefined ? { constant: rgb[k]! } : { image, channel: channelAt(image, k), isColor: true },
		);
		const masks: TexelSource[] = isOpaque
			? []
			: [mask === undefined ? { constant: 1 } : { image: mask, channel: channelAt(mask, 0), isColor: false }];
		const { texture } = this.#textures.baked([...colors, ...masks], 'sRGB', first, this.#name(first));
		pbr['baseColorTexture'] = this.#slot(first, texture);
		if (!isOpaque && mask === undefined && alpha !== 1) pbr['baseColorFactor'] = [1, 1, 1, alpha];
		return mode;
	}

	#writeMetallicRoughness(pbr: GltfObject, isSpecular: boolean): void {
		const metallic: Input = isSpecular ? { kind: 'constant', numbers: [0] } : this.#scalar('metallic');
		const roughness = this.#scalar('roughness');
		const number = (input: Input): number => (input.kind === 'constant' ? unit(input.numbers[0]) : 1);
		if (metallic.kind !== 'image' && roughness.kind !== 'image') {
			pbr['metallicFactor'] = number(metallic);
			pbr['roughnessFactor'] = number(roughness);
			return;
		}
		const first = this.#aligned([
			['metallic', metallic],
			['roughness', roughness],
		])!;
		/** The factor with which a file gives an input in the channel that glTF reads; undefined when it does not. */
		const direct = (input: Input, channel: number): number | undefined => {
			if (input.kind === 'constant') return input.numbers[0] === 0 ? 0 : undefined;
			if (input.kind !== 'image' || input.image.file !== first.file || channelAt(input.image, 0) !== channel)
				return undefined;
			return this.#textures.isStored(input.image, false) ? factorsOf(input.image, [channel])?.[0] : undefined;
		};
		const [m, r] = [direct(metallic, 2), direct(roughness, 1)];
		if (m !== undefined && r !== undefined) {
			pbr['metallicRoughnessTexture'] = this.#slot(first, this.#textures.file(first, this.#name(first)));
			pbr['metallicFactor'] = m;
			pbr['roughnessFactor'] = r;
			return;
		}
		const source = (input: Input): TexelSource =>
			input.kind === 'image'
				? { image: input.image, channel: channelAt(input.image, 0), isColor: false }
				: { constant: number(input) };
		const { texture } = this.#textures.baked(
			[{ constant: 1 }, source(roughness), source(metallic)],
			'raw',
			first,
			this.#name(first),
		);
		pbr['metallicRoughnessTexture'] = this.#slot(first, texture);
	}

	/** An input of one number; colours of vertices cannot give it. */
	#scalar(name: string): Input {
		const input = this.#input(name);
		if (input.kind !== 'colors') return input;
		this.#lose('material-not-preview', `${name} differs over the surface by '${input.name}', which glTF cannot read`);
		return { kind: 'constant', numbers: DEFAULTS[name] ?? [0] };
	}

	#normal(): GltfObject {
		const input = this.#input('normal', [0, 0, 1]);
		if (input.kind !== 'image') return {};
		const { image } = input;
		const isUsual = image.channels.length >= 3 && image.channels[0] === 0;
		// a normal map without scale and bias is meant to have them
		const [scale, bias] = image.isScaled
			? [image.scale, image.bias]
			: [
					[2, 2, 2, 1],
					[-1, -1, -1, 0],
				];
		if (!image.isScaled)
			this.#lose('material-not-preview', 'the normal map has no scale and bias; those of one are used');
		const k = scale[0]! / 2;
		const isPlain =
			isUsual &&
			this.#textures.isStored(image, false) &&
			scale[0] === scale[1] &&
			near(bias[0]!, -k) &&
			near(bias[1]!, -k) &&
			near(scale[2]!, 2) &&
			near(bias[2]!, -1);
		if (isPlain) {
			const slot = this.#slot(image, this.#textures.file(image, this.#name(image)));
			return { normalTexture: near(k, 1) ? slot : { ...slot, scale: k } };
		}
		const own = { ...image, scale, bias };
		const sources = [0, 1, 2].map((c): TexelSource => ({ image: own, channel: channelAt(own, c), isColor: false }));
		const { texture } = this.#textures.baked(sources, 'normal', image, this.#name(image));
		return { normalTexture: this.#slot(image, texture) };
	}

	#occlusion(): GltfObject {
		const input = this.#scalar('occlusion');
		if (input.kind !== 'image') {
			if (input.kind === 'constant' && input.numbers[0] !== 1)
				this.#lose('occlusion-constant', 'occlusion that is the same all over has no place in glTF');
			return {};
		}
		const { image } = input;
		const channel = channelAt(image, 0);
		const [k, b] = [image.scale[channel] ?? 1, image.bias[channel] ?? 0];
		if (channel === 0 && this.#textures.isStored(image, false) && near(k + b, 1) && k >= 0 && k <= 1) {
			const slot = this.#slot(image, this.#textures.file(image, this.#name(image)));
			return { occlusionTexture: k === 1 ? slot : { ...slot, strength: k } };
		}
		return { occlusionTexture: this.#slot(image, this.#single(image, 0)) };
	}

	/** A texture with one channel of an image where glTF reads it. */
	#single(image: ImageInput, channel: 0 | 1): number {
		const source: TexelSource = { image, channel: channelAt(image, 0), isColor: false };
		const sources =
			channel === 0 ? [source, { constant: 1 }, { constant: 1 }] : [{ constant: 1 }, source, { constant: 1 }];
		return this.#textures.baked(sources, 'raw', image, this.#name(image)).texture;
	}

	#emissive(extensions: GltfObject): GltfObject {
		const input = this.#input('emissiveColor');
		if (input.kind === 'colors') {
			this.#lose(
				'material-not-preview',
				`emissiveColor differs over the surface by '${input.name}', which glTF cannot read`,
			);
			return {};
		}
		const strengthen = (strength: number): void => {
			if (strength > 1) extensions['KHR_materials_emissive_strength'] = { emissiveStrength: strength };
		};
		if (input.kind === 'constant') {
			const rgb = [0, 1, 2].map((k) => Math.max(0, finite(input.numbers[k] ?? input.numbers[0] ?? 0)));
			const most = Math.max(1, ...rgb);
			strengthen(most);
			return rgb.some((value) => value > 0) ? { emissiveFactor: rgb.map((value) => value / most) } : {};
		}
		const { image } = input;
		const scales = [0, 1, 2].map((k) => image.scale[channelAt(image, k)] ?? 1);
		const isPlain =
			image.channels.length >= 3 &&
			this.#textures.isStored(image, true) &&
			image.bias.slice(0, 3).every((value) => value === 0) &&
			scales.every((value) => value >= 0);
		if (isPlain) {
			const most = Math.max(1, ...scales);
			strengthen(most);
			const emissiveTexture = this.#slot(image, this.#textures.file(image, this.#name(image)));
			return { emissiveFactor: scales.map((value) => value / most), emissiveTexture };
		}
		const sources = [0, 1, 2].map((k): TexelSource => ({ image, channel: channelAt(image, k), isColor: true }));
		const { texture, most } = this.#textures.baked(sources, 'sRGB', image, this.#name(image), true);
		strengthen(most);
		return { emissiveFactor: [1, 1, 1], emissiveTexture: this.#slot(image, texture) };
	}

	#writeClearcoat(extensions: GltfObject): void {
		const coat = this.#scalar('clearcoat');
		const rough = this.#scalar('clearcoatRoughness');
		if (coat.kind === 'constant' && !(coat.numbers[0]! > 0)) return;
		const out: GltfObject = {};
		const put = (input: Input, name: string, channel: 0 | 1): void => {
			if (input.kind !== 'image') {
				out[`${name}Factor`] = input.kind === 'constant' ? unit(input.numbers[0]) : 1;
				return;
			}
			const { image } = input;
			const factor = factorsOf(image, [channel])?.[0];
			if (channelAt(image, 0) === channel && this.#textures.isStored(image, false) && factor !== undefined) {
				out[`${name}Factor`] = factor;
				out[`${name}Texture`] = this.#slot(image, this.#textures.file(image, this.#name(image)));
			} else {
				out[`${name}Factor`] = 1;
				out[`${name}Texture`] = this.#slot(image, this.#single(image, channel));
			}
		};
		put(coat, 'clearcoat', 0);
		put(rough, 'clearcoatRoughness', 1);
		extensions['KHR_materials_clearcoat'] = out;
	}

	/** 0 stands for a perfect mirror; else there is nothing below 1. */
	#ior(): number {
		const ior = this.#constant('ior');
		return !Number.isFinite(ior) ? 1.5 : ior === 0 ? 0 : Math.max(1, ior);
	}

	/** Reflectance at normal incidence: that of the index of refraction times a colour, which may be more than 1. */
	#writeSpecular(extensions: GltfObject, ior: number): void {
		const reflected = ((ior - 1) / (ior + 1)) ** 2;
		if (reflected < 1e-6) {
			this.#lose('specular-baked', `a surface with an index of refraction of ${ior} reflects nothing in glTF`);
			return;
		}
		const input = this.#input('specularColor');
		if (input.kind === 'colors') {
			this.#lose('specular-baked', `specularColor differs over the surface by '${input.name}', which glTF cannot read`);
			return;
		}
		if (input.kind === 'constant') {
			const factor = [0, 1, 2].map((k) => unit(input.numbers[k] ?? input.numbers[0]) / reflected);
			extensions['KHR_materials_specular'] = { specularColorFactor: factor };
			return;
		}
		const { image } = input;
		const sources = [0, 1, 2].map((k): TexelSource => ({ image, channel: channelAt(image, k), isColor: true }));
		const { texture } = this.#textures.baked(sources, 'sRGB', image, this.#name(image));
		extensions['KHR_materials_specular'] = {
			specularColorFactor: [1 / reflected, 1 / reflected, 1 / reflected],
			specularColorTexture: this.#slot(image, texture),
		};
	}

	#clamped(name: string, numbers: readonly number[]): number[] {
		const rgb = [0, 1, 2].map((k) => numbers[k] ?? numbers[0] ?? 0);
		if (rgb.some((value) => value > 1.001))
			this.#lose('material-not-preview', `${name} (${rgb.join(', ')}) is brighter than white; glTF ends at 1`);
		return rgb.map(unit);
	}

	#name({ address }: ImageInput): string {
		return (address.split(/[/\\[\]]/).findLast((part) => part !== '') ?? 'image').replace(/\.[^.]*$/, '');
	}
}

function isColor(name: string): boolean {
	return name === 'diffuseColor' || name === 'emissiveColor' || name === 'specularColor';
}

/** The channel of an image that component `k` of an input is. */
function channelAt({ channels }: ImageInput, k: number): number {
	return channels[Math.min(k, channels.length - 1)]!;
}

/** Factors that an image is multiplied by in some channels; undefined when that is not all that is done, or they leave 0 to 1. */
function factorsOf(image: ImageInput, channels: readonly number[]): number[] | undefined {
	if (image.channels.length === 1 && channels.length > 1) return undefined;
	const factors = channels.map((c) => image.scale[c] ?? 1);
	const isPure = channels.every((c) => (image.bias[c] ?? 0) === 0);
	return isPure && factors.every((value) => value >= 0 && value <= 1) ? factors : undefined;
}

/** Whether an opacity is the alpha of the same image as a colour, as it is. */
function isAlphaOf(mask: ImageInput, image: ImageInput): boolean {
	return (
		mask.file === image.file && channelAt(mask, 0) === 3 && (mask.scale[3] ?? 1) === 1 && (mask.bias[3] ?? 0) === 0
	);
}

function near(a: number, b: number): boolean {
	return Math.abs(a - b) <= 1e-6;
}

function finite(value: number): number {
	return Number.isFinite(value) ? value : 0;
}
