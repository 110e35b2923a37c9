import { describe, expect, it } from 'vitest';
import { readImageInfo } from '../src/info/image-info.ts';

const text = (word: string): number[] => [...word].map((letter) => letter.charCodeAt(0));
const bytes = (...parts: (number | number[])[]): Uint8Array => Uint8Array.from(parts.flat());
const zeros = (count: number): number[] => new Array<number>(count).fill(0);

function png(depth: number, colourType: number, ...chunks: number[][]): Uint8Array {
	const header = [0, 0, 0, 13, ...text('IHDR'), 0, 0, 0, 4, 0, 0, 0, 2, depth, colourType, 0, 0, 0, 0, 0, 0, 0];
	return bytes([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10], header, ...chunks, [0, 0, 0, 0, ...text('IDAT'), 0, 0, 0, 0]);
}

const TRANSPARENCY = [0, 0, 0, 1, ...text('tRNS'), 0, 0, 0, 0, 0];

describe('readImageInfo', () => {
	it('reads depth, channels and alpha of PNG', () => {
		expect(readImageInfo(png(8, 2))).toEqual({
			format: 'png',
			width: 4,
			height: 2,
			bitDepth: 8,
			channels: 3,
			hasAlpha: false,
		});
		expect(readImageInfo(png(16, 6))).toMatchObject({ bitDepth: 16, channels: 4, hasAlpha: true });
		expect(readImageInfo(png(4, 3))).toMatchObject({ bitDepth: 8, channels: 3, hasAlpha: false });
		expect(readImageInfo(png(8, 3, TRANSPARENCY))).toMatchObject({ channels: 4, hasAlpha: true });
	});

	it('finds the frame of JPEG behind other segments', () => {
		const application = [0xff, 0xe0, 0, 6, 1, 2, 3, 4];
		const frame = [0xff, 0xc2, 0, 17, 8, 0, 16, 1, 0, 3, ...zeros(9)];
		expect(readImageInfo(bytes([0xff, 0xd8], application, frame))).toEqual({
			format: 'jpeg',
			bitDepth: 8,
			height: 16,
			width: 256,
			channels: 3,
			hasAlpha: false,
		});
		expect(readImageInfo(bytes([0xff, 0xd8], [0xff, 0xc1, 0, 17, 12, 0, 1, 0, 1, 1]))).toMatchObject({ bitDepth: 12 });
		expect(readImageInfo(bytes([0xff, 0xd8, 0xff, 0xe0, 0xff, 0xff]))).toEqual({ format: 'jpeg', hasAlpha: false });
	});

	it.each([
		['ktx2', bytes([0xab, 0x4b, 0x54, 0x58, 0x20, 0x32, 0x30, 0xbb, 13, 10, 26, 10], zeros(20))],
		['ktx', bytes([0xab, 0x4b, 0x54, 0x58, 0x20, 0x31, 0x31, 0xbb, 13, 10, 26, 10])],
		['exr', bytes([0x76, 0x2f, 0x31, 0x01, 2, 0, 0, 0])],
		['hdr', bytes(text('#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n'))],
		['hdr', bytes(text('#?RGBE\n'))],
		['webp', bytes(text('RIFF'), zeros(4), text('WEBPVP8L'), zeros(20))],
		['bmp', bytes(text('BM'), zeros(12), [40, 0, 0, 0], zeros(8), [1, 0, 24, 0])],
		['tga', bytes([0, 0, 2], zeros(9), [4, 0, 4, 0, 24, 0], zeros(48))],
		['dds', bytes(text('DDS '), zeros(8))],
		['gif', bytes(text('GIF89a'))],
		['psd', bytes(text('8BPS'))],
		['avif', bytes([0, 0, 0, 28], text('ftypavif'))],
		['jpeg2000', bytes([0, 0, 0, 12], text('jP  '), [13, 10])],
		['jpegxl', bytes([0xff, 0x0a, 0])],
	])('knows %s by its signature', (format, content) => {
		expect(readImageInfo(content)?.format).toBe(format);
	});

	it('reads the samples of TIFF in both byte orders', () => {
		const entry = (tag: number, value: number): number[] => [tag & 255, tag >> 8, 3, 0, 1, 0, 0, 0, value, 0, 0, 0];
		const little = bytes(text('II'), [42, 0, 8, 0, 0, 0], [2, 0], entry(258, 16), entry(277, 1), zeros(4));
		expect(readImageInfo(little)).toMatchObject({ format: 'tiff', bitDepth: 16, channels: 1, hasAlpha: false });
		const big = bytes(text('MM'), [0, 42, 0, 0, 0, 8], [0, 1], [1, 2, 0, 3, 0, 0, 0, 1, 0, 32, 0, 0], zeros(4));
		expect(readImageInfo(big)).toMatchObject({ format: 'tiff', bitDepth: 32 });
	});

	it('gives nothing for other files and survives files that are cut off', () => {
		expect(readImageInfo(bytes())).toBeUndefined();
		expect(readImageInfo(bytes(text('#usda 1.0\ndef Xform "a" {}\n')))).toBeUndefined();
		expect(readImageInfo(bytes(text('BMW is no image, whatever its first letters')))).toBeUndefined();
		const whole = png(8, 3, TRANSPARENCY);
		for (let length = 8; length < whole.length; length++) {
			expect(readImageInfo(whole.subarray(0, length))?.format).toBe('png');
		}
		for (let length = 4; length < 12; length++) {
			expect(readImageInfo(bytes(text('II'), [42, 0, 8, 0, 0, 0, 1, 0]).subarray(0, length))?.format).toBe('tiff');
		}
	});
});
