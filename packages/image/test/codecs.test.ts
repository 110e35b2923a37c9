import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { zlibSync } from 'fflate';
import { describe, expect, it, test } from 'vitest';
import { crc32 } from '../src/crc32.ts';
import { decodeHdr } from '../src/decode/decode-hdr.ts';
import { decodeImage } from '../src/decode-image.ts';
import { encodeHdr } from '../src/encode/encode-hdr.ts';
import { encodePng } from '../src/encode/encode-png.ts';
import { fromSrgb, quantize, toSrgb } from '../src/quantize.ts';
import type { Raster } from '../src/raster.ts';
import { readRasterShape } from '../src/raster-shape.ts';
import { loadWebp } from '../src/webp.ts';
import { EXACT, LOSSY, LOSSY_WEBP } from './encoded-images.ts';

const wasm = createRequire(import.meta.url).resolve('@jsquash/webp/codec/dec/webp_dec.wasm');
const webp = await loadWebp(readFileSync(wasm));

function fromBase64(text: string): Uint8Array {
	return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

function decode(bytes: Uint8Array): Raster {
	const image = decodeImage(bytes, { codecs: { webp } });
	if ('reason' in image) throw new Error(image.reason);
	return image.raster;
}

function reasonOf(bytes: Uint8Array): string {
	const image = decodeImage(bytes);
	return 'reason' in image ? image.reason : '';
}

/** Bytes of numbers and texts, little-endian; `[4, n]` is n in 4 bytes. */
function bytesOf(...parts: (string | readonly [size: number, value: number] | Uint8Array)[]): Uint8Array {
	const out: number[] = [];
	for (const part of parts) {
		if (typeof part === 'string') for (const letter of part) out.push(letter.charCodeAt(0));
		else if (part instanceof Uint8Array) out.push(...part);
		else for (let i = 0; i < part[0]; i++) out.push(Math.floor(part[1] / 2 ** (8 * i)) & 255);
	}
	return Uint8Array.from(out);
}

describe('decoders', () => {
	test.each(Object.keys(EXACT))('read every pixel of %s', (name) => {
		const { width, height, channels, samples } = decode(fromBase64(EXACT[name]!));
		expect([width, height]).toEqual([5, 4]);
		expect(channels).toBe(name.includes('alpha') || name.includes('deflate') ? 4 : 3);
		for (let y = 0; y < 4; y++) {
			for (let x = 0; x < 5; x++) {
				const pixel = [60 * x, 80 * y, 15 * (x + 3 * y), 255 - 50 * x].slice(0, channels);
				expect([...samples.slice((5 * y + x) * channels, (5 * y + x + 1) * channels)]).toEqual(pixel);
			}
		}
	});

	const NEAR: Readonly<Record<string, string>> = { ...LOSSY, 'webp 4:2:0': LOSSY_WEBP };

	test.each(Object.keys(NEAR))('read %s as near as it was compressed', (name) => {
		const { width, height, samples } = decode(fromBase64(NEAR[name]!));
		expect([width, height]).toEqual([21, 18]);
		let worst = 0;
		for (let i = 0; i < 21 * 18; i++) {
			const pixel = [12 * (i % 21), 14 * Math.floor(i / 21), 128];
			for (let c = 0; c < 3; c++) worst = Math.max(worst, Math.abs(samples[3 * i + c]! - pixel[c]!));
		}
		expect(worst).toBeLessThanOrEqual(name.includes('4:2:0') || name.includes('progressive') ? 18 : 5);
	});

	it('read OpenEXR, deflated or not, half or float', () => {
		const header = (compression: number): Uint8Array =>
			bytesOf(
				[4, 20000630],
				[4, 2],
				'channels\0chlist\0',
				[4, 55],
				...['B\0', 'G\0', 'R\0'].flatMap((name, i) => [name, [4, i === 1 ? 2 : 1], [4, 0], [4, 1], [4, 1]] as const),
				[1, 0],
				'compression\0compression\0',
				[4, 1],
				[1, compression],
				'dataWindow\0box2i\0',
				[4, 16],
				[4, 5],
				[4, 7],
				[4, 6],
				[4, 7],
				[1, 0],
			);
		// halves 1, 2 | floats 0.5, -4 | halves 0.25, 3
		const row = bytesOf([2, 0x3c00], [2, 0x4000], [4, 0x3f000000], [4, 0xc0800000], [2, 0x3400], [2, 0x4200]);
		const expected = [0.25, 0.5, 1, 3, -4, 2];
		const plain = header(0);
		const file = bytesOf(plain, [8, plain.length + 8], [4, 7], [4, row.length], row);
		expect(decode(file)).toEqual({ width: 2, height: 1, channels: 3, samples: Float32Array.from(expected) });
		const halves = Uint8Array.from([...row.filter((_, i) => i % 2 === 0), ...row.filter((_, i) => i % 2 === 1)]);
		const steps = halves.map((byte, i) => (i === 0 ? byte : byte - halves[i - 1]! + 128));
		const packed = zlibSync(steps);
		// deflated data must be shorter to count as such, which so few bytes never are
		expect(packed.length).toBeGreaterThan(row.length);
		const zipped = header(2);
		const deflated = bytesOf(zipped, [8, zipped.length + 8], [4, 7], [4, packed.length], packed);
		expect(decode(deflated).samples).toEqual(Float32Array.from(expected));
		expect(reasonOf(bytesOf(header(4), [8, 0]))).toBe('(OpenEXR) is compressed by PIZ');
	});

	it('read KTX2 of whole bytes', () => {
		const head = (format: number): Uint8Array =>
			bytesOf(
				Uint8Array.of(0xab, 0x4b, 0x54, 0x58, 0x20, 0x32, 0x30, 0xbb, 0x0d, 0x0a, 0x1a, 0x0a),
				[4, format],
				[4, 1],
				[4, 2],
				[4, 1],
				[4, 0],
				[4, 0],
				[4, 1],
				[4, 1],
				[4, 0],
				new Uint8Array(32),
				[8, 104],
				[8, 8],
				[8, 8],
			);
		expect(decode(bytesOf(head(50), Uint8Array.of(3, 2, 1, 255, 6, 5, 4, 0))).samples).toEqual(
			Uint8Array.of(1, 2, 3, 255, 4, 5, 6, 0),
		);
		expect(reasonOf(head(0))).toContain('Basis Universal');
	});

	it('read interlaced PNG and PNG of few bits', () => {
		// 3 × 2 pixels of 4 bits, Adam7: the first pass has one pixel, the sixth the other columns, the seventh the second row
		const passes = Uint8Array.of(0, 0x10, 0, 0x20, 0, 0x30, 0, 0x45, 0x60);
		const header = bytesOf('\x00\x00\x00\x03\x00\x00\x00\x02', [1, 4], [1, 0], [1, 0], [1, 0], [1, 1]);
		const chunk = (name: string, data: Uint8Array): Uint8Array =>
			bytesOf(Uint8Array.of(0, 0, data.length >> 8, data.length & 255), name, data, new Uint8Array(4));
		const file = bytesOf(
			Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
			chunk('IHDR', header),
			chunk('IDAT', zlibSync(passes)),
			chunk('IEND', new Uint8Array(0)),
		);
		const { samples } = decode(file);
		expect([...samples]).toEqual([17, 51, 34, 68, 85, 102]);
	});

	it('are foretold for PNG whose checksums hold', () => {
		for (const name of ['png', 'png palette']) {
			const bytes = fromBase64(EXACT[name]!);
			expect(readRasterShape(bytes)).toEqual({ width: 5, height: 4, channels: 3, isEightBit: true });
			const damaged = bytes.with(-20, bytes.at(-20)! ^ 1);
			expect(readRasterShape(damaged)).toBeUndefined();
			expect(readRasterShape(bytes.subarray(0, -12))).toBeUndefined();
		}
		const deep = encodePng({ width: 1, height: 1, channels: 2, samples: Uint8Array.of(1, 2) });
		deep[24] = 16;
		new DataView(deep.buffer).setUint32(29, crc32(deep.subarray(12, 29)));
		expect(readRasterShape(deep)).toEqual({ width: 1, height: 1, channels: 2, isEightBit: false });
		expect(readRasterShape(fromBase64(EXACT['bmp']!))).toBeUndefined();
	});

	it('say what they do not read, and end on anything', () => {
		expect(reasonOf(fromBase64(LOSSY_WEBP))).toBe('is WebP, and no codec for it was loaded');
		expect(reasonOf(new TextEncoder().encode('no picture at all'))).toBe('is no image');
		fc.assert(
			fc.property(
				fc.constantFrom(...Object.values(EXACT), ...Object.values(LOSSY)),
				fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { maxLength: 6 }),
				fc.nat(400),
				(text, changes, cut) => {
					const bytes = fromBase64(text);
					for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
					decodeImage(bytes.subarray(0, Math.max(1, bytes.length - cut)));
				},
			),
			{ numRuns: 300 },
		);
	});
});

describe('encoders', () => {
	it('write PNG that reads as it was, the same bytes each time', () => {
		const rasters = fc
			.record({
				width: fc.integer({ min: 1, max: 9 }),
				height: fc.integer({ min: 1, max: 9 }),
				channels: fc.constantFrom(1, 2, 3, 4),
			})
			.chain(({ width, height, channels }) =>
				fc
					.uint8Array({ minLength: width * height * channels, maxLength: width * height * channels })
					.map((samples) => ({ width, height, channels, samples }) as Raster & { samples: Uint8Array }),
			);
		fc.assert(
			fc.property(rasters, fc.boolean(), (raster, isSrgb) => {
				const bytes = encodePng(raster, isSrgb);
				expect(decode(bytes)).toEqual(raster);
				expect(encodePng(raster, isSrgb)).toEqual(bytes);
			}),
			{ numRuns: 60 },
		);
	});

	it('write Radiance HDR to a part in 128', () => {
		const samples = Float32Array.of(0, 1, 1000, 1e-4, 2e-5, 3e-4, 0.5, 0.25, 0.125);
		const raster = { width: 3, height: 1, channels: 3, samples } as const;
		const read = decodeHdr(encodeHdr(raster)).samples;
		for (let i = 0; i < 9; i++) {
			const most = Math.max(...samples.slice(3 * Math.floor(i / 3), 3 * Math.floor(i / 3) + 3));
			expect(Math.abs(read[i]! - samples[i]!)).toBeLessThanOrEqual(most / 128);
		}
	});
});

describe('quantize', () => {
	it('keeps numbers to half a step, whatever their range', () => {
		const samples = Float32Array.of(-1, 0.5, 3, 1, 0, 0.25, -0.5, 1, 2, 0.75, -0.25, 0.5);
		const { raster, scale, bias } = quantize(
			{ width: 4, height: 1, channels: 3, samples },
			{ isSrgb: false, spreads: true },
		);
		for (let i = 0; i < 12; i++) {
			const read = (raster.samples[i]! / 255) * scale[i % 3]! + bias[i % 3]!;
			expect(Math.abs(read - samples[i]!)).toBeLessThanOrEqual(scale[i % 3]! / 510 + 1e-9);
		}
	});

	it('takes the sRGB curve there and back', () => {
		for (let i = 0; i <= 1000; i++) expect(fromSrgb(toSrgb(i / 1000))).toBeCloseTo(i / 1000, 9);
	});
});
