import { encodePng, quantize, type Raster } from '@manyworlds/image';
import { type Layer, ListOp, makeValue, type Path, T, type Value } from '@manyworlds/usd';
import { relativeAssetPath } from '@manyworlds/usd/internal';
import type { RepCode } from '../../../diagnostics.ts';
import { type ImageValue, imagesOf, type NodeValue, samplerOf, UnknownNode } from '../../../shading/node-values.ts';
import { PREVIEW_TYPES } from '../../../shading/surface-inputs.ts';
import type { FixSession } from '../../engine/fix-session.ts';

/** Pixels of a side that a value is worked out at, when it needs none of its own. */
const BAKED_SIZE = 256;
const LARGEST_SIZE = 4096;
const COLOURS: ReadonlySet<string> = new Set(['diffuseColor', 'emissiveColor', 'specularColor']);

/** Where shaders of a material are written. */
export interface ShaderSite {
	readonly layer: Layer;
	/** The material as the layer names it. */
	readonly material: Path;
}

/** Writes inputs of a UsdPreviewSurface: constants, textures with their coordinates, and images of what is neither. */
export class PreviewWriter {
	readonly #session: FixSession;
	readonly #rule: RepCode;
	readonly #site: ShaderSite;
	readonly #rasters = new Map<string, Raster>();
	readonly #readers = new Map<string, Path>();
	readonly #textures = new Map<string, Path>();

	constructor(session: FixSession, rule: RepCode, site: ShaderSite) {
		this.#session = session;
		this.#rule = rule;
		this.#site = site;
	}

	/** Makes sure that everything can be written, before anything is. Throws {@link UnknownNode} otherwise. */
	prepare(values: Iterable<NodeValue>): void {
		for (const value of values) if (this.#isBaked(value)) for (const image of imagesOf(value)) this.#raster(image);
	}

	/** Writes one input of a shader of the layer. */
	write(shader: Path, name: string, value: NodeValue): void {
		const type = PREVIEW_TYPES[name] ?? 'float';
		const { layer } = this.#site;
		const input = shader.appendProperty(`inputs:${name}`);
		const source = value.kind === 'constant' ? undefined : this.#source(name, value);
		this.#session.edit(this.#rule, layer, () => {
			if (!layer.has(input)) layer.createAttribute(input, type);
			if (value.kind === 'constant') {
				layer.eraseField(input, 'connectionPaths');
				layer.setField(input, 'default', constantValue(type, value.numbers));
			} else layer.setField(input, 'connectionPaths', connection(source!));
		});
	}

	/** Whether no single texture gives a value. */
	#isBaked(value: NodeValue): boolean {
		return value.kind === 'computed' || (value.kind === 'image' && outputOf(value.image) === undefined);
	}

	#source(name: string, value: NodeValue): Path {
		if (value.kind === 'image') {
			const output = outputOf(value.image);
			if (output !== undefined) return this.#texture(name, value.image, output);
		}
		return this.#bake(name, value);
	}

	#texture(name: string, image: ImageValue, output: string): Path {
		const { layer } = this.#site;
		const identifier = this.#session.store.identify(image.assetPath, image.anchor.identifier).identifier;
		const assetPath = relativeAssetPath(layer.identifier, identifier, image.assetPath);
		const [scale, bias] = [perChannel(image.channels, image.scale, 1), perChannel(image.channels, image.bias, 0)];
		const key = JSON.stringify([identifier, image.space, scale, bias, image.tiling, image.offset, image.rotation]);
		let shader = this.#textures.get(key);
		if (shader === undefined) {
			shader = this.#makeTexture(name, assetPath, image.space, scale, bias, image);
			this.#textures.set(key, shader);
		}
		const port = shader.appendProperty(`outputs:${output}`);
		this.#session.edit(this.#rule, layer, () => {
			if (!layer.has(port)) layer.createAttribute(port, output === 'rgb' ? 'float3' : 'float');
		});
		return port;
	}

	#makeTexture(
		name: string,
		assetPath: string,
		space: ImageValue['space'],
		scale: readonly number[],
		bias: readonly number[],
		image: Pick<ImageValue, 'primvar' | 'tiling' | 'offset' | 'rotation' | 'wrap'>,
	): Path {
		const st = this.#coordinates(name, image);
		return this.#makeShader(`${name}_texture`, 'UsdUVTexture', (put) => {
			put('file', 'asset', makeValue(T.asset, assetPath) as Value);
			if (space !== 'auto') put('sourceColorSpace', 'token', makeValue(T.token, space) as Value);
			put('st', 'float2', connection(st));
			if (scale.some((x) => x !== 1)) put('scale', 'float4', makeValue(T.float4, Float32Array.from(scale)) as Value);
			if (bias.some((x) => x !== 0)) put('bias', 'float4', makeValue(T.float4, Float32Array.from(bias)) as Value);
			put('wrapS', 'token', makeValue(T.token, image.wrap[0]) as Value);
			put('wrapT', 'token', makeValue(T.token, image.wrap[1]) as Value);
		});
	}

	/** The output that texture coordinates come from. */
	#coordinates(
		name: string,
		{ primvar, tiling, offset, rotation }: Pick<ImageValue, 'primvar' | 'tiling' | 'offset' | 'rotation'>,
	): Path {
		let reader = this.#readers.get(primvar);
		if (reader === undefined) {
			reader = this.#makeShader(`${primvar}_reader`, 'UsdPrimvarReader_float2', (put) => {
				put('varname', 'string', makeValue(T.string, primvar) as Value);
			});
			this.#addOutput(reader, 'result', 'float2');
			this.#readers.set(primvar, reader);
		}
		const result = reader.appendProperty('outputs:result');
		if ([...tiling, 1 + offset[0], 1 + offset[1], 1 + rotation].every((x) => x === 1)) return result;
		const transform = this.#makeShader(`${name}_transform`, 'UsdTransform2d', (put) => {
			put('in', 'float2', connection(result));
			put('rotation', 'float', makeValue(T.float, Math.fround(rotation)) as Value);
			put('scale', 'float2', makeValue(T.float2, Float32Array.from(tiling)) as Value);
			put('translation', 'float2', makeValue(T.float2, Float32Array.from(offset)) as Value);
		});
		this.#addOutput(transform, 'result', 'float2');
		return transform.appendProperty('outputs:result');
	}

	#addOutput(shader: Path, name: string, type: string): void {
		const { layer } = this.#site;
		this.#session.edit(this.#rule, layer, () => layer.createAttribute(shader.appendProperty(`outputs:${name}`), type));
	}

	/** Makes a shader below the material, under a name that is free. */
	#makeShader(wish: string, id: string, fill: (put: (name: string, type: string, value: Value) => void) => void): Path {
		const { layer, material } = this.#site;
		let path = material.appendChild(wish);
		for (let i = 2; layer.has(path); i++) path = material.appendChild(`${wish}_${i}`);
		this.#session.edit(this.#rule, layer, () => makeShader(layer, path, id, fill));
		return path;
	}

	/** Works a value out over the unit square and writes it as an image. */
	#bake(name: string, value: NodeValue): Path {
		const { layer, material } = this.#site;
		const rasters = imagesOf(value).map((image) => this.#raster(image));
		const side = (of: 'width' | 'height'): number =>
			Math.min(LARGEST_SIZE, rasters.length === 0 ? BAKED_SIZE : Math.max(...rasters.map((raster) => raster[of])));
		const [width, height] = [side('width'), side('height')];
		const sample = samplerOf(value);
		const channels = name === 'normal' || COLOURS.has(name) ? 3 : 1;
		const samples = new Float32Array(width * height * channels);
		const read = (image: ImageValue): Raster => this.#raster(image);
		for (let y = 0; y < height; y++) {
			for (let x = 0; x < width; x++) {
				const numbers = sample((x + 0.5) / width, 1 - (y + 0.5) / height, read);
				for (let c = 0; c < channels; c++) samples[(y * width + x) * channels + c] = numbers[c] ?? numbers[0] ?? 0;
			}
		}
		const isSrgb = COLOURS.has(name);
		const quantized = quantize({ width, height, channels, samples }, { isSrgb, spreads: true });
		const file = this.#freeFile(`./textures/${material.name}_${name}`);
		this.#session.writeFile(this.#rule, file, layer, encodePng(quantized.raster, isSrgb));
		const four = (values: readonly number[], alpha: number): number[] =>
			channels === 3 ? [...values, alpha] : [values[0]!, values[0]!, values[0]!, alpha];
		const shader = this.#makeTexture(
			name,
			file,
			isSrgb ? 'sRGB' : 'raw',
			four(quantized.scale, 1),
			four(quantized.bias, 0),
			{
				primvar: 'st',
				tiling: [1, 1],
				offset: [0, 0],
				rotation: 0,
				wrap: ['repeat', 'repeat'],
			},
		);
		const output = channels === 3 ? 'rgb' : 'r';
		this.#addOutput(shader, output, channels === 3 ? 'float3' : 'float');
		const note = `${name} was worked out at ${width} × ${height} points and written to '${file}'`;
		this.#session.note(this.#rule, note, { prim: material, layer });
		return shader.appendProperty(`outputs:${output}`);
	}

	#freeFile(stem: string): string {
		for (let i = 1; ; i++) {
			const path = `${stem}${i === 1 ? '' : `_${i}`}.png`;
			if (this.#session.readFile(this.#session.placeOf(path, this.#site.layer)) === undefined) return path;
		}
	}

	#raster(image: ImageValue): Raster {
		const { identifier } = this.#session.store.identify(image.assetPath, image.anchor.identifier);
		let raster = this.#rasters.get(identifier);
		if (raster === undefined) {
			const bytes = this.#session.readFile(identifier);
			if (bytes === undefined) throw new UnknownNode(`the image '${image.assetPath}' is not there`);
			const decoded = this.#session.decodeImage(bytes);
			if ('reason' in decoded) throw new UnknownNode(`the image '${image.assetPath}' ${decoded.reason}`);
			raster = decoded.raster;
			this.#rasters.set(identifier, raster);
		}
		return raster;
	}
}

/** Makes a shader with an identifier and inputs. */
export function makeShader(
	layer: Layer,
	path: Path,
	id: string,
	fill: (put: (name: string, type: string, value: Value) => void) => void,
): void {
	layer.createPrim(path, { specifier: 'def', typeName: 'Shader' });
	const info = path.appendProperty('info:id');
	layer.createAttribute(info, 'token', { variability: 'uniform' });
	layer.setField(info, 'default', makeValue(T.token, id) as Value);
	fill((name, type, value) => {
		const input = path.appendProperty(`inputs:${name}`);
		layer.createAttribute(input, type);
		layer.setField(input, value.type === (T.pathListOp as Value['type']) ? 'connectionPaths' : 'default', value);
	});
}

/** A connection to one attribute. */
export function connection(to: Path): Value {
	return makeValue(T.pathListOp, ListOp.explicit([to])) as Value;
}

/** The output of a texture that gives the components of an image. */
function outputOf({ channels }: ImageValue): string | undefined {
	return { '0,1,2': 'rgb', '0': 'r', '1': 'g', '2': 'b', '3': 'a' }[channels.join()];
}

/** Numbers of components, in the order of the channels of a texture. */
function perChannel(channels: readonly number[], numbers: readonly number[], fallback: number): number[] {
	const out = [fallback, fallback, fallback, fallback];
	channels.forEach((channel, c) => {
		out[channel] = numbers[c]!;
	});
	return out;
}

function constantValue(type: string, numbers: readonly number[]): Value {
	if (type === 'int') return makeValue(T.int, Math.round(numbers[0]!)) as Value;
	if (type === 'float') return makeValue(T.float, Math.fround(numbers[0]!)) as Value;
	return makeValue(T.float3, Float32Array.from(numbers)) as Value;
}
