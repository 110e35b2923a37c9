import { createHash } from 'node:crypto';
import { describe, expect, it, test } from 'vitest';
import { decodeImage } from '../src/decode-image.ts';
import type { Raster } from '../src/raster.ts';
import { readRasterShape } from '../src/raster-shape.ts';
import { JPEGS } from './jpeg-images.ts';

function bytesOf(name: string): Uint8Array {
	return Uint8Array.from(atob(JPEGS[name]!.bytes), (letter) => letter.charCodeAt(0));
}

function decode(bytes: Uint8Array): Raster {
	const image = decodeImage(bytes);
	if ('reason' in image) throw new Error(image.reason);
	return image.raster;
}

function pixels({ samples }: Raster): string {
	return createHash('sha256').update(samples).digest('hex');
}

/** A copy with a marker's first byte found and what follows it changed. */
function changed(bytes: Uint8Array, marker: number, change: (segment: Uint8Array) => void): Uint8Array {
	const out = bytes.slice();
	const at = out.findIndex((byte, i) => byte === 0xff && out[i + 1] === marker);
	change(out.subarray(at));
	return out;
}

describe('JPEG', () => {
	test.each(Object.keys(JPEGS))('%s has the pixels of libjpeg', (name) => {
		expect(pixels(decode(bytesOf(name)))).toBe(JPEGS[name]!.pixels);
	});

	it('is damaged by fewer bytes only where they are', () => {
		const whole = decode(bytesOf('4:2:0'));
		const bytes = bytesOf('4:2:0');
		const cut = decode(bytes.subarray(0, bytes.length - 40));
		expect([...cut.samples.subarray(0, 24)]).toEqual([...whole.samples.subarray(0, 24)]);
		expect(pixels(cut)).not.toBe(pixels(whole));
	});

	it('goes on behind a restart marker after damage', () => {
		const whole = decode(bytesOf('restarts'));
		const damaged = changed(bytesOf('restarts'), 0xd0, (segment) => segment.fill(0, 2, 6));
		const { samples } = decode(damaged);
		// the last of two by two units is as it was
		for (let x = 17; x < 21; x++) {
			const at = 3 * (21 * 17 + x);
			expect([...samples.subarray(at, at + 3)]).toEqual([...whole.samples.subarray(at, at + 3)]);
		}
	});

	it('says what it misses', () => {
		const reason = (bytes: Uint8Array): string => {
			const image = decodeImage(bytes);
			return 'reason' in image ? image.reason : '';
		};
		const without = (marker: number): Uint8Array =>
			changed(bytesOf('grey'), marker, (segment) => segment.fill(0xfe, 1, 2));
		expect(reason(without(0xdb))).toBe('(JPEG) has a component without its quantization table');
		expect(reason(without(0xc4))).toBe('(JPEG) has a scan without its Huffman table');
		expect(reason(changed(bytesOf('grey'), 0xc0, (segment) => segment.fill(0xc9, 1, 2)))).toBe(
			'(JPEG) is arithmetic or hierarchical JPEG',
		);
	});
});

describe('the shape of a raster', () => {
	test.each(Object.keys(JPEGS))('is told of %s without its pixels', (name) => {
		const { width, height, channels } = decode(bytesOf(name));
		expect(readRasterShape(bytesOf(name))).toEqual({ width, height, channels, isEightBit: true });
	});

	it('is not told of what does not hold together', () => {
		const bytes = bytesOf('progressive 4:2:0');
		expect(readRasterShape(bytes.subarray(0, bytes.length - 2))).toBeUndefined();
		for (const marker of [0xdb, 0xc4, 0xc2, 0xda]) {
			expect(readRasterShape(changed(bytes, marker, (segment) => segment.fill(0xfe, 1, 2)))).toBeUndefined();
		}
		expect(readRasterShape(changed(bytes, 0xc2, (segment) => segment.fill(12, 4, 5)))).toBeUndefined();
		expect(readRasterShape(changed(bytes, 0xc2, (segment) => segment.fill(0, 5, 7)))).toBeUndefined();
	});
});
