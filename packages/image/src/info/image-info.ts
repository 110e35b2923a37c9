import { readJpegInfo } from './jpeg-info.ts';
import { readPngInfo } from './png-info.ts';
import { readTgaInfo } from './tga-info.ts';
import { readTiffInfo } from './tiff-info.ts';

/** Image formats that are told apart by their bytes. @public */
export type ImageFormat =
	| 'png'
	| 'jpeg'
	| 'ktx2'
	| 'ktx'
	| 'exr'
	| 'tiff'
	| 'hdr'
	| 'webp'
	| 'bmp'
	| 'tga'
	| 'dds'
	| 'gif'
	| 'psd'
	| 'avif'
	| 'jpeg2000'
	| 'jpegxl';

/** What the bytes of an image file say. Numbers are absent when the header does not tell or is cut off. @public */
export interface ImageInfo {
	readonly format: ImageFormat;
	readonly width?: number;
	readonly height?: number;
	/** Bits of one sample of one channel. */
	readonly bitDepth?: number;
	readonly channels?: number;
	readonly hasAlpha?: boolean;
}

/** How formats are called in sentences. @public */
export const IMAGE_FORMAT_NAMES: Readonly<Record<ImageFormat, string>> = {
	png: 'PNG',
	jpeg: 'JPEG',
	ktx2: 'KTX2',
	ktx: 'KTX',
	exr: 'OpenEXR',
	tiff: 'TIFF',
	hdr: 'Radiance HDR',
	webp: 'WebP',
	bmp: 'BMP',
	tga: 'TGA',
	dds: 'DDS',
	gif: 'GIF',
	psd: 'Photoshop',
	avif: 'AVIF or HEIF',
	jpeg2000: 'JPEG 2000',
	jpegxl: 'JPEG XL',
};

/** The format of an image by its signature and what its header tells, whatever the file is called; undefined for anything else. @public */
export function readImageInfo(bytes: Uint8Array): ImageInfo | undefined {
	const starts = (signature: readonly number[], at = 0): boolean =>
		signature.every((byte, i) => bytes[at + i] === byte);
	const text = (word: string, at = 0): boolean =>
		starts(
			[...word].map((letter) => letter.charCodeAt(0)),
			at,
		);
	if (starts([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return readPngInfo(bytes);
	if (starts([0xff, 0xd8, 0xff])) return readJpegInfo(bytes);
	if (starts([0xab, 0x4b, 0x54, 0x58, 0x20, 0x32, 0x30, 0xbb])) return readKtx2(bytes);
	if (starts([0xab, 0x4b, 0x54, 0x58, 0x20, 0x31, 0x31, 0xbb])) return { format: 'ktx' };
	if (starts([0x76, 0x2f, 0x31, 0x01])) return { format: 'exr' };
	if (starts([0x49, 0x49, 0x2a, 0]) || starts([0x4d, 0x4d, 0, 0x2a])) return readTiffInfo(bytes);
	if (starts([0x49, 0x49, 0x2b, 0]) || starts([0x4d, 0x4d, 0, 0x2b])) return { format: 'tiff' };
	if (text('#?RADIANCE') || text('#?RGBE')) return { format: 'hdr', channels: 3, hasAlpha: false };
	if (text('RIFF') && text('WEBP', 8)) return readWebp(bytes);
	if (text('DDS ')) return { format: 'dds' };
	if (text('GIF87a') || text('GIF89a')) return { format: 'gif', bitDepth: 8 };
	if (text('8BPS')) return { format: 'psd' };
	if (text('ftyp', 4) && ['avif', 'avis', 'heic', 'heix', 'mif1', 'msf1'].some((brand) => text(brand, 8))) {
		return { format: 'avif' };
	}
	if (starts([0, 0, 0, 12, 0x6a, 0x50, 0x20, 0x20]) || starts([0xff, 0x4f, 0xff, 0x51])) return { format: 'jpeg2000' };
	if (starts([0xff, 0x0a]) || starts([0, 0, 0, 12, 0x4a, 0x58, 0x4c, 0x20])) return { format: 'jpegxl' };
	if (text('BM')) {
		const bmp = readBmp(bytes);
		if (bmp !== undefined) return bmp;
	}
	return readTgaInfo(bytes);
}

function readKtx2(bytes: Uint8Array): ImageInfo {
	if (bytes.length < 28) return { format: 'ktx2' };
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	return { format: 'ktx2', width: view.getUint32(20, true), height: view.getUint32(24, true) };
}

function readWebp(bytes: Uint8Array): ImageInfo {
	const chunk = String.fromCharCode(...bytes.subarray(12, 16));
	if (bytes.length < 30) return { format: 'webp', bitDepth: 8 };
	if (chunk === 'VP8X') {
		const width = 1 + bytes[24]! + 256 * bytes[25]! + 65536 * bytes[26]!;
		const height = 1 + bytes[27]! + 256 * bytes[28]! + 65536 * bytes[29]!;
		return { format: 'webp', bitDepth: 8, hasAlpha: (bytes[20]! & 0x10) !== 0, width, height };
	}
	if (chunk === 'VP8L') {
		const bits = bytes[21]! + 256 * bytes[22]! + 65536 * bytes[23]! + 16777216 * bytes[24]!;
		const width = 1 + (bits & 0x3fff);
		const height = 1 + ((bits >>> 14) & 0x3fff);
		return { format: 'webp', bitDepth: 8, hasAlpha: ((bits >>> 28) & 1) !== 0, width, height };
	}
	const width = (bytes[26]! | (bytes[27]! << 8)) & 0x3fff;
	const height = (bytes[28]! | (bytes[29]! << 8)) & 0x3fff;
	return { format: 'webp', bitDepth: 8, hasAlpha: false, width, height };
}

/** 'BM' alone is too little: the size of the second header must be one that exists. */
function readBmp(bytes: Uint8Array): ImageInfo | undefined {
	if (bytes.length < 30) return undefined;
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const headerSize = view.getUint32(14, true);
	if (![12, 40, 52, 56, 64, 108, 124].includes(headerSize)) return undefined;
	if (headerSize === 12) {
		return { format: 'bmp', bitDepth: 8, width: view.getUint16(18, true), height: view.getUint16(20, true) };
	}
	const bits = view.getUint16(28, true);
	return {
		format: 'bmp',
		bitDepth: bits === 16 ? 5 : 8,
		channels: bits === 32 ? 4 : 3,
		hasAlpha: bits === 32,
		width: Math.abs(view.getInt32(18, true)),
		height: Math.abs(view.getInt32(22, true)),
	};
}
