import { IMAGE_FORMAT_NAMES, type ImageFormat, readImageInfo } from '../image-info.ts';
import { decodeBmp } from './decode-bmp.ts';
import { decodeExr } from './decode-exr.ts';
import { decodeHdr } from './decode-hdr.ts';
import { decodeJpeg } from './decode-jpeg.ts';
import { decodeKtx2 } from './decode-ktx2.ts';
import { decodePng } from './decode-png.ts';
import { decodeTga } from './decode-tga.ts';
import { decodeTiff } from './decode-tiff.ts';
import { decodeWebp } from './decode-webp.ts';
import { type Raster, UnreadableImage } from './raster.ts';

/** An image and the format that it was in; or why it cannot be decoded, as the end of a sentence about it. */
export type DecodedImage = { readonly raster: Raster; readonly format: ImageFormat } | { readonly reason: string };

const DECODERS: Partial<Readonly<Record<ImageFormat, (bytes: Uint8Array) => Raster>>> = {
	png: decodePng,
	jpeg: decodeJpeg,
	bmp: decodeBmp,
	tga: decodeTga,
	tiff: decodeTiff,
	exr: decodeExr,
	hdr: decodeHdr,
	ktx2: decodeKtx2,
	webp: decodeWebp,
};

/** Decodes an image by what its bytes are. */
export function decodeImage(bytes: Uint8Array): DecodedImage {
	const format = readImageInfo(bytes)?.format;
	if (format === undefined) return { reason: 'is no image' };
	const decode = DECODERS[format];
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
