import { zlibSync } from 'fflate';
import { crc32 } from '../crc32.ts';
import { predict } from '../decode/decode-png.ts';
import type { Raster } from '../raster.ts';

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const COLOUR_TYPES = { 1: 0, 2: 4, 3: 2, 4: 6 } as const;

/**
 * Encodes an image of 8 bits as PNG, with a chunk `sRGB` when its numbers are of that curve. The same pixels give the same bytes.
 * @public
 */
export function encodePng(image: Raster & { readonly samples: Uint8Array }, isSrgb = false): Uint8Array {
	const { width, height, channels } = image;
	const header = new Uint8Array(13);
	const view = new DataView(header.buffer);
	view.setUint32(0, width);
	view.setUint32(4, height);
	header[8] = 8;
	header[9] = COLOUR_TYPES[channels];
	const chunks = [
		Uint8Array.from(SIGNATURE),
		chunk('IHDR', header),
		// rendering intent: perceptual
		...(isSrgb ? [chunk('sRGB', new Uint8Array(1))] : []),
		chunk('IDAT', zlibSync(filteredRows(image), { level: 9 })),
		chunk('IEND', new Uint8Array(0)),
	];
	const out = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
	let at = 0;
	for (const part of chunks) {
		out.set(part, at);
		at += part.length;
	}
	return out;
}

/** Rows with the filter of each that leaves the smallest numbers, as PNG 1.2 section 9.6 advises. */
function filteredRows({ width, height, channels, samples }: Raster): Uint8Array {
	const stride = width * channels;
	const rows = new Uint8Array((stride + 1) * height);
	const tries = Array.from({ length: 5 }, () => new Uint8Array(stride));
	for (let y = 0; y < height; y++) {
		const start = y * stride;
		let best = 0;
		let least = Number.POSITIVE_INFINITY;
		for (let filter = 0; filter < 5; filter++) {
			const line = tries[filter]!;
			let sum = 0;
			for (let i = 0; i < stride; i++) {
				const left = i >= channels ? samples[start + i - channels]! : 0;
				const up = y > 0 ? samples[start + i - stride]! : 0;
				const corner = i >= channels && y > 0 ? samples[start + i - stride - channels]! : 0;
				const value = (samples[start + i]! - predict(filter, left, up, corner)) & 255;
				line[i] = value;
				sum += value < 128 ? value : 256 - value;
			}
			if (sum < least) {
				least = sum;
				best = filter;
			}
		}
		rows[y * (stride + 1)] = best;
		rows.set(tries[best]!, y * (stride + 1) + 1);
	}
	return rows;
}

function chunk(name: string, data: Uint8Array): Uint8Array {
	const out = new Uint8Array(12 + data.length);
	const view = new DataView(out.buffer);
	view.setUint32(0, data.length);
	for (let i = 0; i < 4; i++) out[4 + i] = name.charCodeAt(i);
	out.set(data, 8);
	view.setUint32(8 + data.length, crc32(out.subarray(4, 8 + data.length)));
	return out;
}
