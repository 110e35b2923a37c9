import type { ImageInfo } from './image-info.ts';

const HEADER = 18;
const FOOTER = 26;
const IMAGE_TYPES = new Set([1, 2, 3, 9, 10, 11]);
const PIXEL_BITS = new Set([8, 15, 16, 24, 32]);

/** What a TGA file tells. The format has no signature at its start: the footer, or a header that makes sense, must do. */
export function readTgaInfo(bytes: Uint8Array): ImageInfo | undefined {
	if (bytes.length < HEADER) return undefined;
	const mapType = bytes[1]!;
	const imageType = bytes[2]!;
	const width = bytes[12]! + 256 * bytes[13]!;
	const height = bytes[14]! + 256 * bytes[15]!;
	const bits = bytes[16]!;
	const isMapped = imageType === 1 || imageType === 9;
	const fits =
		mapType === (isMapped ? 1 : 0) && IMAGE_TYPES.has(imageType) && PIXEL_BITS.has(bits) && width > 0 && height > 0;
	if (!fits && !hasFooter(bytes)) return undefined;
	const alphaBits = bytes[17]! & 0x0f;
	const channels = imageType === 3 || imageType === 11 ? 1 : bits === 32 ? 4 : 3;
	return {
		format: 'tga',
		width,
		height,
		bitDepth: bits === 15 || bits === 16 ? 5 : 8,
		channels,
		hasAlpha: alphaBits > 0,
	};
}

function hasFooter(bytes: Uint8Array): boolean {
	const footer = 'TRUEVISION-XFILE.';
	const at = bytes.length - FOOTER + 8;
	return at > 0 && [...footer].every((letter, i) => bytes[at + i] === letter.charCodeAt(0));
}
