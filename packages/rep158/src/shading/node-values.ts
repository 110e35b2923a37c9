import { fromSrgb, type Raster } from '@manyworlds/image';
import { fullScale } from '@manyworlds/image/internal';
import { type Attribute, type Layer, type Prim, T, type Value } from '@manyworlds/usd';
import { dataOf, inputValue, shaderId, valueProducers } from '@manyworlds/usd/internal';
import { numbersOf } from '../asset/read-values.ts';

/** An image that a node reads, and what is done to its numbers. */
export interface ImageValue {
	readonly assetPath: string;
	/** The layer that the path is relative to. */
	readonly anchor: Layer;
	readonly space: 'auto' | 'raw' | 'sRGB';
	/** Channels of the image that the components are, 0 to 3. */
	readonly channels: readonly number[];
	/** Component = scale × channel + bias. */
	readonly scale: readonly number[];
	readonly bias: readonly number[];
	/** Primvar that it is read at, and how often it repeats there. */
	readonly primvar: string;
	readonly tiling: readonly [number, number];
	readonly offset: readonly [number, number];
	/** Counterclockwise, degrees. */
	readonly rotation: number;
	readonly wrap: readonly [string, string];
}

/**
 * What an input of a shader is worth: the same everywhere, an image with at most one factor and summand for each channel, or something
 * that has to be worked out for each point of the unit square.
 */
export type NodeValue =
	| { readonly kind: 'constant'; readonly numbers: readonly number[] }
	| { readonly kind: 'image'; readonly image: ImageValue }
	| { readonly kind: 'computed'; readonly size: number; readonly images: readonly ImageValue[]; readonly at: Sampler };

/** Works out a value at a point of the unit square, v upwards, with the images that it needs. */
export type Sampler = (u: number, v: number, read: (image: ImageValue) => Raster) => readonly number[];

/** Thrown where a network does something that is not evaluated; the message completes "…". */
export class UnknownNode extends Error {}

/** The value of an input, through connections. */
export function nodeValue(input: Attribute, depth = 0): NodeValue | undefined {
	const [producer] = valueProducers(input);
	if (producer === undefined) return undefined;
	if (depth > DEEPEST) throw new UnknownNode('its nodes go round in a circle, or too deep');
	if (producer.name.startsWith('outputs:'))
		return outputValue(producer.prim, producer.name.slice('outputs:'.length), depth + 1);
	const numbers = numbersOf(producer.get());
	return numbers === undefined ? undefined : { kind: 'constant', numbers: [...numbers] };
}

const DEEPEST = 64;

function outputValue(node: Prim, output: string, depth: number): NodeValue {
	const id = shaderId(node) ?? '';
	if (id === 'UsdUVTexture') return channelsOf(previewImage(node), output);
	const [, name, type] = /^ND_(\w+?)_((?:float|color[34]|vector[234]|boolean|integer)\w*)$/.exec(id) ?? [];
	if (name === undefined || type === undefined) {
		const what = id === '' ? `<${node.path}>, which has no info:id` : `the node '${id}'`;
		throw new UnknownNode(`${what} is not evaluated`);
	}
	return mtlxValue(node, name, type, output, depth);
}

function channelsOf(image: ImageValue, output: string): NodeValue {
	const channels = { rgb: [0, 1, 2], rgba: [0, 1, 2, 3], r: [0], g: [1], b: [2], a: [3] }[output];
	if (channels === undefined) throw new UnknownNode(`a texture has no output '${output}'`);
	return { kind: 'image', image: pick(image, channels) };
}

/** An image of other components, counted from those that it has. */
function pick(image: ImageValue, components: readonly number[]): ImageValue {
	return {
		...image,
		channels: components.map((c) => image.channels[c] ?? c),
		scale: components.map((c) => image.scale[c] ?? 1),
		bias: components.map((c) => image.bias[c] ?? 0),
	};
}

function previewImage(node: Prim): ImageValue {
	const space = textOf(inputValue(node, 'sourceColorSpace'));
	const four = (name: string, fallback: number): number[] => [
		...(numbersOf(inputValue(node, name)) ?? [fallback, fallback, fallback, fallback]),
	];
	const { assetPath, anchor } = fileOf(node);
	return {
		assetPath,
		anchor,
		space: space === 'raw' || space === 'sRGB' ? space : 'auto',
		channels: [0, 1, 2, 3],
		scale: four('scale', 1),
		bias: four('bias', 0),
		primvar: primvarOf(node),
		tiling: [1, 1],
		offset: [0, 0],
		rotation: 0,
		wrap: [textOf(inputValue(node, 'wrapS')) ?? 'useMetadata', textOf(inputValue(node, 'wrapT')) ?? 'useMetadata'],
	};
}

/** The primvar that a texture is read at. */
function primvarOf(texture: Prim): string {
	const [producer] = valueProducers(texture.attribute('inputs:st'), { shaderOutputsOnly: true });
	if (producer === undefined) return 'st';
	const id = shaderId(producer.prim);
	if (id !== 'UsdPrimvarReader_float2') throw new UnknownNode(`texture coordinates of '${id ?? ''}' are not evaluated`);
	return textOf(inputValue(producer.prim, 'varname')) ?? 'st';
}

function textOf(value: Value | undefined): string | undefined {
	return dataOf(value, T.token) ?? dataOf(value, T.string);
}

function fileOf(node: Prim): { assetPath: string; anchor: Layer; colorSpace: string | undefined } {
	const [file] = valueProducers(node.attribute('inputs:file'));
	const site = file?.resolveInfo('default').site;
	const assetPath = file === undefined ? undefined : dataOf(file.get(), T.asset);
	if (file === undefined || site === undefined || assetPath === undefined || assetPath === '')
		throw new UnknownNode(`<${node.path}> names no image`);
	return { assetPath, anchor: site.layer, colorSpace: textOf(file.metadata('colorSpace')) };
}

/** Sizes of MaterialX types. */
function sizeOf(type: string): number {
	const [digit] = /\d/.exec(type) ?? [];
	return digit === undefined ? 1 : Number(digit);
}

function constant(...numbers: number[]): NodeValue {
	return { kind: 'constant', numbers };
}

/** Inputs of nodes that work on each component by itself, with what they are without a word. */
const COMPONENTWISE: Readonly<
	Record<string, { readonly inputs: readonly (readonly [string, number])[]; readonly of: (...x: number[]) => number }>
> = {
	add: {
		inputs: [
			['in1', 0],
			['in2', 0],
		],
		of: (a, b) => a! + b!,
	},
	subtract: {
		inputs: [
			['in1', 0],
			['in2', 0],
		],
		of: (a, b) => a! - b!,
	},
	multiply: {
		inputs: [
			['in1', 0],
			['in2', 1],
		],
		of: (a, b) => a! * b!,
	},
	divide: {
		inputs: [
			['in1', 0],
			['in2', 1],
		],
		of: (a, b) => a! / b!,
	},
	power: {
		inputs: [
			['in1', 0],
			['in2', 1],
		],
		of: (a, b) => a! ** b!,
	},
	min: {
		inputs: [
			['in1', 0],
			['in2', 0],
		],
		of: (a, b) => Math.min(a!, b!),
	},
	max: {
		inputs: [
			['in1', 0],
			['in2', 0],
		],
		of: (a, b) => Math.max(a!, b!),
	},
	absval: { inputs: [['in', 0]], of: (a) => Math.abs(a!) },
	floor: { inputs: [['in', 0]], of: (a) => Math.floor(a!) },
	ceil: { inputs: [['in', 0]], of: (a) => Math.ceil(a!) },
	sqrt: { inputs: [['in', 0]], of: (a) => Math.sqrt(Math.max(0, a!)) },
	invert: {
		inputs: [
			['in', 0],
			['amount', 1],
		],
		of: (a, amount) => amount! - a!,
	},
	clamp: {
		inputs: [
			['in', 0],
			['low', 0],
			['high', 1],
		],
		of: (a, low, high) => Math.min(high!, Math.max(low!, a!)),
	},
	mix: {
		inputs: [
			['fg', 0],
			['bg', 0],
			['mix', 0],
		],
		of: (fg, bg, mix) => fg! * mix! + bg! * (1 - mix!),
	},
	remap: {
		inputs: [
			['in', 0],
			['inlow', 0],
			['inhigh', 1],
			['outlow', 0],
			['outhigh', 1],
		],
		of: (a, inlow, inhigh, outlow, outhigh) => outlow! + ((a! - inlow!) * (outhigh! - outlow!)) / (inhigh! - inlow!),
	},
	smoothstep: {
		inputs: [
			['in', 0],
			['low', 0],
			['high', 1],
		],
		of: (a, low, high) => {
			const t = Math.min(1, Math.max(0, (a! - low!) / (high! - low!)));
			return t * t * (3 - 2 * t);
		},
	},
};

function mtlxValue(node: Prim, name: string, type: string, output: string, depth: number): NodeValue {
	const size = sizeOf(type);
	const input = (of: string, fallback: number, count = size): NodeValue =>
		sized(nodeValue(node.attribute(`inputs:${of}`), depth) ?? constant(fallback), count);
	const rule = COMPONENTWISE[name];
	if (rule !== undefined) {
		return combine(
			rule.inputs.map(([of, fallback]) => input(of, fallback)),
			size,
			rule.of,
		);
	}
	switch (name) {
		case 'constant':
			return input('value', 0);
		case 'dot':
			return input('in', 0);
		case 'convert':
			return sized(
				nodeValue(node.attribute('inputs:in'), depth) ?? constant(0),
				sizeOf(type.split('_').at(-1) ?? type),
			);
		case 'image':
		case 'tiledimage':
			return mtlxImage(node, name, type, size);
		case 'extract': {
			const index = numbersOf(inputValue(node, 'index'))?.[0] ?? 0;
			return component(nodeValue(node.attribute('inputs:in'), depth) ?? constant(0), index);
		}
		case 'separate2':
		case 'separate3':
		case 'separate4': {
			const index = { outx: 0, outr: 0, outy: 1, outg: 1, outz: 2, outb: 2, outw: 3, outa: 3 }[output];
			return component(nodeValue(node.attribute('inputs:in'), depth) ?? constant(0), index ?? 0);
		}
		case 'combine2':
		case 'combine3':
		case 'combine4': {
			const count = Number(name.at(-1));
			const parts = Array.from({ length: count }, (_, i) => input(`in${i + 1}`, 0, 1));
			return stack(parts);
		}
		case 'ramplr':
		case 'ramptb': {
			const isAcross = name === 'ramplr';
			const [from, to] = isAcross ? (['valuel', 'valuer'] as const) : (['valueb', 'valuet'] as const);
			const along = position(isAcross ? 0 : 1);
			return combine([input(from, 0), input(to, 0), sized(along, size)], size, (a, b, t) => a! + (b! - a!) * t!);
		}
		case 'splitlr':
		case 'splittb': {
			const isAcross = name === 'splitlr';
			const [from, to] = isAcross ? (['valuel', 'valuer'] as const) : (['valueb', 'valuet'] as const);
			const along = position(isAcross ? 0 : 1);
			const parts = [input(from, 0), input(to, 0), input('center', 0.5), sized(along, size)];
			return combine(parts, size, (a, b, centre, t) => (t! < centre! ? a! : b!));
		}
		case 'checkerboard': {
			const tiling = numbersOf(inputValue(node, 'uvtiling')) ?? [8, 8];
			const [first, second] = [input('color1', 1, 3), input('color2', 0, 3)];
			const places = [sized(position(0), 3), sized(position(1), 3)];
			return combine([first, second, ...places], 3, (a, b, u, v) =>
				(Math.floor(u! * tiling[0]!) + Math.floor(v! * tiling[1]!)) % 2 === 0 ? b! : a!,
			);
		}
		default:
			throw new UnknownNode(`the node 'ND_${name}_${type}' is not evaluated`);
	}
}

/** The texture coordinate in one direction. */
function position(axis: 0 | 1): NodeValue {
	return { kind: 'computed', size: 1, images: [], at: (u, v) => [axis === 0 ? u : v] };
}

function mtlxImage(node: Prim, name: string, type: string, size: number): NodeValue {
	if (node.attribute('inputs:texcoord').connections().length > 0) requirePlainCoordinates(node);
	const { assetPath, anchor, colorSpace } = fileOf(node);
	const isColour = type.startsWith('color');
	const space =
		colorSpace === 'srgb_texture' || colorSpace === 'sRGB'
			? 'sRGB'
			: colorSpace === undefined || colorSpace === 'auto'
				? isColour
					? 'auto'
					: 'raw'
				: 'raw';
	const two = (of: string, fallback: number): [number, number] => {
		const numbers = name === 'tiledimage' ? numbersOf(inputValue(node, of)) : undefined;
		return [numbers?.[0] ?? fallback, numbers?.[1] ?? fallback];
	};
	const [real, asked] = [two('realworldimagesize', 1), two('realworldtilesize', 1)];
	const [across, up] = two('uvtiling', 1);
	const wrap = (of: string): string => ADDRESS[textOf(inputValue(node, of)) ?? 'periodic'] ?? 'repeat';
	return {
		kind: 'image',
		image: {
			assetPath,
			anchor,
			space,
			channels: Array.from({ length: size }, (_, c) => c),
			scale: new Array<number>(size).fill(1),
			bias: new Array<number>(size).fill(0),
			primvar: 'st',
			tiling: [(across * asked[0]) / real[0], (up * asked[1]) / real[1]],
			offset: two('uvoffset', 0).map((x) => -x) as [number, number],
			rotation: 0,
			wrap: [wrap('uaddressmode'), wrap('vaddressmode')],
		},
	};
}

const ADDRESS: Readonly<Record<string, string>> = {
	periodic: 'repeat',
	clamp: 'clamp',
	mirror: 'mirror',
	constant: 'black',
};

function requirePlainCoordinates(node: Prim): void {
	for (const producer of valueProducers(node.attribute('inputs:texcoord'), { shaderOutputsOnly: true })) {
		const id = shaderId(producer.prim) ?? '';
		const isGeomprop = /^ND_geompropvalue_vector2$/.test(id);
		if (
			/^ND_texcoord_vector2$/.test(id) ||
			(isGeomprop && /^(?:st|UVMap)$/.test(textOf(inputValue(producer.prim, 'geomprop')) ?? ''))
		)
			continue;
		throw new UnknownNode(`texture coordinates of '${id}' are not evaluated`);
	}
}

/** A value with a number of components: one is repeated, too many are left out. */
export function sized(value: NodeValue, size: number): NodeValue {
	const places = (count: number): number[] =>
		Array.from({ length: size }, (_, c) => (count === 1 ? 0 : Math.min(c, count - 1)));
	if (value.kind === 'constant') {
		const { numbers } = value;
		return numbers.length === size ? value : constant(...places(numbers.length).map((c) => numbers[c]!));
	}
	if (value.kind === 'image') {
		const { image } = value;
		return image.channels.length === size
			? value
			: { kind: 'image', image: pick(image, places(image.channels.length)) };
	}
	if (value.size === size) return value;
	const list = places(value.size);
	return { ...value, size, at: (u, v, read) => list.map((c) => value.at(u, v, read)[c]!) };
}

function component(value: NodeValue, index: number): NodeValue {
	if (value.kind === 'constant') return constant(value.numbers[index] ?? 0);
	if (value.kind === 'image') return { kind: 'image', image: pick(value.image, [index]) };
	return { ...value, size: 1, at: (u, v, read) => [value.at(u, v, read)[index] ?? 0] };
}

function stack(parts: readonly NodeValue[]): NodeValue {
	if (parts.every((part) => part.kind === 'constant')) return constant(...parts.map(({ numbers }) => numbers[0]!));
	const samplers = parts.map(samplerOf);
	return {
		kind: 'computed',
		size: parts.length,
		images: parts.flatMap(imagesOf),
		at: (u, v, read) => samplers.map((at) => at(u, v, read)[0]!),
	};
}

/** Applies a function to each component; a factor and a summand of one image stay those of an image. */
export function combine(parts: readonly NodeValue[], size: number, of: (...x: number[]) => number): NodeValue {
	const constants = parts.map((part) => (part.kind === 'constant' ? part.numbers : undefined));
	if (constants.every((numbers) => numbers !== undefined)) {
		return constant(...Array.from({ length: size }, (_, c) => of(...constants.map((numbers) => numbers![c]!))));
	}
	const varying = parts.filter((part) => part.kind !== 'constant');
	const [only] = varying;
	if (varying.length === 1 && only!.kind === 'image') {
		const { image } = only!;
		const at = (c: number, x: number): number =>
			of(...parts.map((part) => (part.kind === 'constant' ? part.numbers[c]! : x)));
		const isAffine = Array.from({ length: size }, (_, c) => c).every((c) => {
			const [low, high] = [at(c, 0), at(c, 1)];
			return TESTS.every((x) => Math.abs(at(c, x) - (low + (high - low) * x)) <= 1e-12 * (1 + Math.abs(at(c, x))));
		});
		if (isAffine) {
			const slope = (c: number): number => at(c, 1) - at(c, 0);
			return {
				kind: 'image',
				image: {
					...image,
					scale: image.scale.map((scale, c) => scale * slope(c)),
					bias: image.bias.map((bias, c) => bias * slope(c) + at(c, 0)),
				},
			};
		}
	}
	const samplers = parts.map(samplerOf);
	return {
		kind: 'computed',
		size,
		images: parts.flatMap(imagesOf),
		at: (u, v, read) => {
			const values = samplers.map((sample) => sample(u, v, read));
			return Array.from({ length: size }, (_, c) => of(...values.map((numbers) => numbers[c]!)));
		},
	};
}

/** Numbers that a function is tried at: one that is straight there is straight. */
const TESTS = [-3.7, -1, -0.25, 0.1, 0.33, 0.5, 0.77, 2, 5.3] as const;

export function imagesOf(value: NodeValue): readonly ImageValue[] {
	return value.kind === 'image' ? [value.image] : value.kind === 'computed' ? value.images : [];
}

/** How a value is worked out at a point. */
export function samplerOf(value: NodeValue): Sampler {
	if (value.kind === 'constant') return () => value.numbers;
	if (value.kind === 'computed') return value.at;
	const { image } = value;
	return (u, v, read) => sampleImage(image, read(image), u, v);
}

/** Reads an image between its pixels. */
function sampleImage(image: ImageValue, raster: Raster, u: number, v: number): number[] {
	const { width, height, channels, samples } = raster;
	const full = fullScale(samples);
	const isSrgb = image.space === 'sRGB' || (image.space === 'auto' && full === 255 && channels >= 3);
	const angle = (image.rotation * Math.PI) / 180;
	const [a, b] = [u * image.tiling[0], v * image.tiling[1]];
	const s = a * Math.cos(angle) - b * Math.sin(angle) + image.offset[0];
	const t = a * Math.sin(angle) + b * Math.cos(angle) + image.offset[1];
	const [x, y] = [s * width - 0.5, (1 - t) * height - 0.5];
	const [x0, y0] = [Math.floor(x), Math.floor(y)];
	const pixel = (column: number, row: number, channel: number): number => {
		const at = wrapped(row, height, image.wrap[1]) * width + wrapped(column, width, image.wrap[0]);
		const number = samples[at * channels + channel]! / full;
		const isAlpha = channels % 2 === 0 && channel === channels - 1;
		return isSrgb && !isAlpha ? fromSrgb(number) : number;
	};
	return image.channels.map((asked, c) => {
		const channel = storedChannel(asked, channels);
		if (channel === undefined) return image.scale[c]! + image.bias[c]!;
		const upper = pixel(x0, y0, channel) * (1 - x + x0) + pixel(x0 + 1, y0, channel) * (x - x0);
		const lower = pixel(x0, y0 + 1, channel) * (1 - x + x0) + pixel(x0 + 1, y0 + 1, channel) * (x - x0);
		return image.scale[c]! * (upper * (1 - y + y0) + lower * (y - y0)) + image.bias[c]!;
	});
}

/** The channel of an image that stands for red, green, blue or alpha; without alpha an image is opaque. */
function storedChannel(asked: number, channels: number): number | undefined {
	if (asked === 3) return channels % 2 === 0 ? channels - 1 : undefined;
	return channels < 3 ? 0 : asked;
}

function wrapped(index: number, size: number, mode: string): number {
	if (mode === 'clamp' || mode === 'black') return Math.min(size - 1, Math.max(0, index));
	const period = mode === 'mirror' ? 2 * size : size;
	const place = ((index % period) + period) % period;
	return place < size ? place : period - 1 - place;
}
