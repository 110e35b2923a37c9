import { decodeBmp } from './decode/decode-bmp.ts';
import { decodeExr } from './decode/decode-exr.ts';
import { decodeHdr } from './decode/decode-hdr.ts';
import { decodeJpeg } from './decode/decode-jpeg.ts';
import { decodeKtx2 } from './decode/decode-ktx2.ts';
import { decodePng } from './decode/decode-png.ts';
import { decodeTga } from './decode/decode-tga.ts';
import { decodeTiff } from './decode/decode-tiff.ts';
import { IMAGE_FORMAT_NAMES, type ImageFormat, readImageInfo } from './info/image-info.ts';
import { type Raster, UnreadableImage } from './raster.ts';

/** Turns the bytes of a format into pixels; throws {@link UnreadableImage} for what it does not read. @public */
export type ImageDecoder = (bytes: Uint8Array) => Raster;

/** Decoders that are too heavy to be there always: WebP, by `loadWebp` of `@manyworlds/image/webp`. @public */
export interface ImageCodecs {
	readonly webp?: ImageDecoder;
}

/** Options of {@link decodeImage}. @public */
export interface DecodeImageOptions {
	readonly codecs?: ImageCodecs;
}

/** An image and the format that it was in; or why it cannot be decoded, as the end of a sentence about it. @public */
export type DecodedImage = { readonly raster: Raster; readonly format: ImageFormat } | { readonly reason: string };

const DECODERS: Partial<Readonly<Record<ImageFormat, ImageDecoder>>> = {
	png: decodePng,
	jpeg: decodeJpeg,
	bmp: decodeBmp,
	tga: decodeTga,
	tiff: decodeTiff,
	exr: decodeExr,
	hdr: decodeHdr,
	ktx2: decodeKtx2,
};

/** Decodes an image by what its bytes are, whatever the file is called. @public */
export function decodeImage(bytes: Uint8Array, options: DecodeImageOptions = {}): DecodedImage {
	const format = readImageInfo(bytes)?.format;
	if (format === undefined) return { reason: 'is no image' };
	const decode = format === 'webp' ? options.codecs?.webp : DECODERS[format];
	if (decode === undefined && format === 'webp') return { reason: 'is WebP, and no codec for it was loaded' };
	if (decode === undefined) return { reason: `is ${IMAGE_FORMAT_NAMES[format]}, which is not decoded here` };
	try {
		return { raster: decode(bytes), format };
	} catch (error) {
		if (error instanceof UnreadableImage) return { reason: `(${IMAGE_FORMAT_NAMES[format]}) ${error.message}` };
		// offsets of broken files lead anywhere
		if (error instanceof RangeError) return { reason: `(${IMAGE_FORMAT_NAMES[format]}) is damaged` };
		throw error;
	}
}
