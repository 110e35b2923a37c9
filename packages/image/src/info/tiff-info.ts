import type { ImageInfo } from './image-info.ts';

const WIDTH = 256;
const HEIGHT = 257;
const BITS_PER_SAMPLE = 258;
const SAMPLES_PER_PIXEL = 277;
const SHORT = 3;

/** What the first directory of a TIFF file tells. */
export function readTiffInfo(bytes: Uint8Array): ImageInfo {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const isLittle = bytes[0] === 0x49;
	const start = bytes.length < 8 ? bytes.length : view.getUint32(4, isLittle);
	if (start + 2 > bytes.length) return { format: 'tiff' };
	const count = view.getUint16(start, isLittle);
	const found = new Map<number, number>();
	for (let i = 0, at = start + 2; i < count && at + 12 <= bytes.length; i++, at += 12) {
		const tag = view.getUint16(at, isLittle);
		const isShort = view.getUint16(at + 2, isLittle) === SHORT;
		const values = view.getUint32(at + 4, isLittle);
		// more than four bytes of values lie elsewhere
		const isInline = values * (isShort ? 2 : 4) <= 4;
		const place = isInline ? at + 8 : view.getUint32(at + 8, isLittle);
		if (place + 4 > bytes.length) continue;
		found.set(tag, isShort ? view.getUint16(place, isLittle) : view.getUint32(place, isLittle));
	}
	const width = found.get(WIDTH);
	const height = found.get(HEIGHT);
	const channels = found.get(SAMPLES_PER_PIXEL) ?? 1;
	return {
		format: 'tiff',
		...(width !== undefined && { width }),
		...(height !== undefined && { height }),
		bitDepth: found.get(BITS_PER_SAMPLE) ?? 1,
		channels,
		hasAlpha: channels === 2 || channels === 4,
	};
}
