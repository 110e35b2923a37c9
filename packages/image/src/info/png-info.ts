import type { ImageInfo } from './image-info.ts';

const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 3, 4: 2, 6: 4 };

/** What the header of a PNG file tells; palettes count as three channels of 8 bits, a `tRNS` chunk as alpha. */
export function readPngInfo(bytes: Uint8Array): ImageInfo {
	if (bytes.length < 26) return { format: 'png' };
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const colourType = bytes[25]!;
	const isPalette = colourType === 3;
	const isTransparent = hasChunkBeforeData(bytes, view, 'tRNS');
	const channels = (CHANNELS[colourType] ?? 0) + (isTransparent ? 1 : 0);
	return {
		format: 'png',
		width: view.getUint32(16),
		height: view.getUint32(20),
		bitDepth: isPalette ? 8 : bytes[24]!,
		channels,
		hasAlpha: colourType === 4 || colourType === 6 || isTransparent,
	};
}

function hasChunkBeforeData(bytes: Uint8Array, view: DataView, wanted: string): boolean {
	for (let at = 8; at + 8 <= bytes.length; ) {
		const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
		if (name === wanted) return true;
		if (name === 'IDAT' || name === 'IEND') return false;
		at += 12 + view.getUint32(at);
	}
	return false;
}
