import {
	type DecodedImage,
	decodeImage,
	encodePng,
	fromSrgb,
	type Raster,
	readImageInfo,
	toSrgb,
} from '@manyworlds/image';
import { fullScale, readRasterShape } from '@manyworlds/image/internal';
import type { AssetStore } from '@manyworlds/usd';
import type { ConversionLedger } from '../model/conversion-ledger.ts';
import type { GltfDocument } from './gltf-document.ts';
import type { ImageInput } from './preview-surface.ts';

/** What one channel of a baked image is made of. */
export type TexelSource =
	| { readonly constant: number }
	| { readonly image: ImageInput; readonly channel: number; readonly isColor: boolean };

/** A file that a surface reads. */
interface SourceImage {
	readonly index: number;
	readonly bytes: Uint8Array;
	readonly mimeType: string | undefined;
	readonly channels: number;
	/** Its pixels; worked out when they are asked for first, which they are not where the file is passed on as it is. */
	readonly raster: () => Raster | undefined;
	readonly refusal: string | undefined;
}

const WRAPS: Readonly<Record<string, number>> = { repeat: 10497, mirror: 33648, clamp: 33071, black: 33071 };
const REPEAT = 10497;
const LINEAR = 9729;
const LINEAR_MIPMAP_LINEAR = 9987;

/** Images of a target: files as they are where glTF reads them so, new ones where it does not. */
export class GltfTextures {
	readonly #document: GltfDocument;
	readonly #store: AssetStore;
	readonly #ledger: ConversionLedger;
	readonly #sources = new Map<string, SourceImage>();
	readonly #baked = new Map<string, { texture: number; most: number }>();

	constructor(document: GltfDocument, store: AssetStore, ledger: ConversionLedger) {
		this.#document = document;
		this.#store = store;
		this.#ledger = ledger;
	}

	/** Why an image cannot be used; undefined when it can. */
	refusal(image: ImageInput): string | undefined {
		return this.#source(image).refusal;
	}

	/** Whether glTF reads the file of an image as the image is meant: a format it knows, colours on the curve of sRGB, data as they are. */
	isStored(image: ImageInput, isColor: boolean): boolean {
		const source = this.#source(image);
		return source.mimeType !== undefined && isOnCurve(image, source.channels, isColor) === isColor;
	}

	/** Whether a file has alpha. */
	hasAlpha(image: ImageInput): boolean {
		return this.#source(image).channels % 2 === 0;
	}

	/** Index of a texture of the file of an image. */
	file(image: ImageInput, name: string): number {
		const { bytes, mimeType } = this.#source(image);
		return this.#texture(this.#document.addImage(bytes, mimeType!, name), image);
	}

	/** What an image gives where it has no coordinates. */
	texel(image: ImageInput, isColor: boolean): readonly number[] | undefined {
		const source = this.#source(image);
		const raster = source.raster();
		if (raster === undefined) return undefined;
		const [u, v] = image.at;
		const [a, b, c, d, e, f] = image.matrix as [number, number, number, number, number, number];
		const at = sampler(raster, image.wrap);
		return image.channels.map((channel) =>
			channelValue(image, raster, channel, isColor, (k) => at(a * u + b * v + c, 1 - (d * u + e * v + f), k)),
		);
	}

	/**
	 * Index of a texture that is worked out texel by texel, at the size of the largest image. Normals are made of unit length. With
	 * `spreads` numbers beyond 1 are divided by the largest, `most`; otherwise they end at 1.
	 */
	baked(
		sources: readonly TexelSource[],
		store: 'sRGB' | 'raw' | 'normal',
		like: ImageInput,
		name: string,
		spreads = false,
	): { texture: number; most: number } {
		const key = JSON.stringify([sources, store, like.wrap, spreads]);
		const known = this.#baked.get(key);
		if (known !== undefined) return known;
		const images = sources.flatMap((source) => ('image' in source ? [this.#source(source.image)] : []));
		const rasters = images.flatMap((source) => source.raster() ?? []);
		const width = Math.max(1, ...rasters.map((raster) => raster.width));
		const height = Math.max(1, ...rasters.map((raster) => raster.height));
		const channels = sources.length as 3 | 4;
		const values = new Float32Array(width * height * channels);
		for (const [k, source] of sources.entries()) this.#fill(values, source, k, channels, width, height);
		for (const { index } of new Set(images)) {
			this.#ledger.approximate('texture', index, 'texture-reencoded', 'the image is written anew, as glTF reads it');
		}
		let most = 1;
		if (spreads) for (let i = 0; i < values.length; i++) most = Math.max(most, values[i]!);
		const samples = new Uint8Array(values.length);
		for (let i = 0; i < values.length; i += channels) {
			const length = store === 'normal' ? Math.hypot(values[i]!, values[i + 1]!, values[i + 2]!) : 1;
			for (let k = 0; k < channels; k++) {
				const value = values[i + k]!;
				const part = store === 'normal' ? (length > 0 ? value / length / 2 + 0.5 : k === 2 ? 1 : 0.5) : value / most;
				const clamped = Math.min(1, Math.max(0, part));
				samples[i + k] = Math.round(255 * (store === 'sRGB' && k < 3 ? toSrgb(clamped) : clamped));
			}
		}
		const png = encodePng({ width, height, channels, samples });
		const texture = this.#texture(this.#document.addImage(png, 'image/png', name), like);
		const made = { texture, most };
		this.#baked.set(key, made);
		return made;
	}

	#fill(out: Float32Array, source: TexelSource, k: number, channels: number, width: number, height: number): void {
		if ('constant' in source) {
			for (let i = k; i < out.length; i += channels) out[i] = source.constant;
			return;
		}
		const { image, channel, isColor } = source;
		const raster = this.#source(image).raster();
		if (raster === undefined) {
			for (let i = k; i < out.length; i += channels) out[i] = image.fallback[channel] ?? 0;
			return;
		}
		const isSame = raster.width === width && raster.height === height;
		const at = sampler(raster, image.wrap);
		const full = fullScale(raster.samples);
		for (let y = 0; y < height; y++) {
			for (let x = 0; x < width; x++) {
				const texel = (y * width + x) * raster.channels;
				out[(y * width + x) * channels + k] = channelValue(image, raster, channel, isColor, (c) =>
					isSame ? raster.samples[texel + c]! / full : at((x + 0.5) / width, (y + 0.5) / height, c),
				);
			}
		}
	}

	#source(image: ImageInput): SourceImage {
		const key = image.file ?? `no file ${image.address}`;
		const known = this.#sources.get(key);
		if (known !== undefined) return known;
		const index = this.#sources.size;
		this.#ledger.enter('texture', index, image.address);
		const source = this.#open(image, index);
		if (source.refusal !== undefined) {
			const code = image.address.includes('<UDIM>') ? 'udim' : 'texture-missing';
			this.#ledger.drop('texture', index, code, source.refusal);
		}
		this.#sources.set(key, source);
		return source;
	}

	#open({ file, address }: ImageInput, index: number): SourceImage {
		const bytes = file === undefined ? undefined : this.#store.bytes(file);
		const refuse = (why: string): SourceImage => ({ ...NOTHING, index, refusal: `the image '${address}' ${why}` });
		if (address.includes('<UDIM>')) return refuse('is one for each tile, which glTF does not have');
		if (!(bytes instanceof Uint8Array)) return refuse('is not there');
		const foretold = readRasterShape(bytes);
		let decoded: DecodedImage | undefined;
		const raster = (): Raster | undefined => {
			if (decoded === undefined) {
				decoded = decodeImage(bytes);
				// what looks whole may still have pixels that cannot be read
				if ('reason' in decoded && foretold !== undefined)
					this.#ledger.drop('texture', index, 'texture-missing', `the image '${address}' ${decoded.reason}`);
			}
			return 'raster' in decoded ? decoded.raster : undefined;
		};
		const shape = foretold ?? shapeOf(raster());
		if (shape === undefined) return refuse((decoded as { readonly reason: string }).reason);
		const format = readImageInfo(bytes)?.format;
		const mimeType = format === 'png' && shape.isEightBit ? 'image/png' : format === 'jpeg' ? 'image/jpeg' : undefined;
		const stored = mimeType === 'image/png' ? withoutProfiles(bytes) : bytes;
		return { index, bytes: stored, mimeType, channels: shape.channels, raster, refusal: undefined };
	}

	#texture(image: number, { wrap }: ImageInput): number {
		const [wrapS, wrapT] = wrap.map((name) => WRAPS[name] ?? REPEAT) as [number, number];
		const sampler = this.#document.add('samplers', {
			magFilter: LINEAR,
			minFilter: LINEAR_MIPMAP_LINEAR,
			wrapS,
			wrapT,
		});
		return this.#document.add('textures', { sampler, source: image });
	}
}

const NOTHING: SourceImage = {
	index: 0,
	bytes: new Uint8Array(),
	mimeType: undefined,
	channels: 0,
	raster: () => undefined,
	refusal: undefined,
};

function shapeOf(raster: Raster | undefined): { readonly channels: number; readonly isEightBit: boolean } | undefined {
	return raster && { channels: raster.channels, isEightBit: raster.samples instanceof Uint8Array };
}

/** Chunks of a PNG that its pixels are made of. */
const PIXEL_CHUNKS: ReadonlySet<string> = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);

/** A PNG with its pixels alone: readers of glTF must not heed colour profiles, and warn about them. */
function withoutProfiles(png: Uint8Array): Uint8Array {
	const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
	const kept: Uint8Array[] = [png.subarray(0, 8)];
	for (let at = 8; at + 12 <= png.length; ) {
		const end = Math.min(png.length, at + 12 + view.getUint32(at));
		if (PIXEL_CHUNKS.has(String.fromCharCode(...png.subarray(at + 4, at + 8)))) kept.push(png.subarray(at, end));
		at = end;
	}
	const out = new Uint8Array(kept.reduce((sum, { length }) => sum + length, 0));
	let size = 0;
	for (const part of kept) {
		out.set(part, size);
		size += part.length;
	}
	return out;
}

/** Whether the numbers of an image are on the curve of sRGB. */
function isOnCurve({ space }: ImageInput, channels: number, isColor: boolean): boolean {
	return space === 'sRGB' || (space === 'auto' && isColor && channels >= 3);
}

/** A channel of an image with its curve, factor and summand; grey images are grey in all colours. */
function channelValue(
	image: ImageInput,
	raster: Raster,
	channel: number,
	isColor: boolean,
	at: (channel: number) => number,
): number {
	const { channels } = raster;
	const isAlpha = channel === 3;
	const stored = isAlpha ? (channels % 2 === 0 ? channels - 1 : -1) : channels < 3 ? 0 : channel;
	const raw = stored < 0 ? 1 : at(stored);
	const value = !isAlpha && isOnCurve(image, channels, isColor) ? fromSrgb(raw) : raw;
	return value * (image.scale[channel] ?? 1) + (image.bias[channel] ?? 0);
}

/** Reads between texels, v down. */
function sampler(
	{ width, height, channels, samples }: Raster,
	wrap: readonly [string, string],
): (u: number, v: number, channel: number) => number {
	const full = fullScale(samples);
	const wrapped = (i: number, size: number, mode: string): number => {
		if (mode === 'clamp' || mode === 'black') return Math.min(size - 1, Math.max(0, i));
		const turn = mode === 'mirror' ? 2 * size : size;
		const at = ((i % turn) + turn) % turn;
		return at >= size ? turn - 1 - at : at;
	};
	return (u, v, channel) => {
		const [x, y] = [u * width - 0.5, v * height - 0.5];
		const [left, top] = [Math.floor(x), Math.floor(y)];
		const [fx, fy] = [x - left, y - top];
		const texel = (i: number, j: number): number =>
			samples[(wrapped(j, height, wrap[1]) * width + wrapped(i, width, wrap[0])) * channels + channel]! / full;
		const above = texel(left, top) * (1 - fx) + texel(left + 1, top) * fx;
		const below = texel(left, top + 1) * (1 - fx) + texel(left + 1, top + 1) * fx;
		return above * (1 - fy) + below * fy;
	};
}
