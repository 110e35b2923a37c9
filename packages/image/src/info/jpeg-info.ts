import type { ImageInfo } from './image-info.ts';

/** What the frame header of a JPEG file tells. */
export function readJpegInfo(bytes: Uint8Array): ImageInfo {
	for (let at = 2; at + 4 <= bytes.length; ) {
		if (bytes[at] !== 0xff) break;
		const marker = bytes[at + 1]!;
		if (marker === 0xff) {
			at++;
			continue;
		}
		// markers without a segment
		if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {
			at += 2;
			continue;
		}
		if (marker === 0xd9 || marker === 0xda) break;
		// a frame: SOF0 to SOF15 without the tables DHT, JPG and DAC among them
		const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
		if (isFrame && at + 10 <= bytes.length) {
			return {
				format: 'jpeg',
				bitDepth: bytes[at + 4]!,
				height: bytes[at + 5]! * 256 + bytes[at + 6]!,
				width: bytes[at + 7]! * 256 + bytes[at + 8]!,
				channels: bytes[at + 9]!,
				hasAlpha: false,
			};
		}
		at += 2 + bytes[at + 2]! * 256 + bytes[at + 3]!;
	}
	return { format: 'jpeg', hasAlpha: false };
}
