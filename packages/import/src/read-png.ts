import { unzlibSync } from 'fflate';

/** A grey image, row by row from the top, from 0 (black) to 1 (white). */
export interface GreyImage {
	readonly width: number;
	readonly height: number;
	readonly values: Float64Array;
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** Samples per pixel by colour type: grey, RGB, palette, grey with alpha, RGB with alpha. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const MOST_PIXELS = 1e8;

/** The brightness of a PNG image; undefined when the bytes are none, or are interlaced. */
export function readPngLuminance(bytes: Uint8Array): GreyImage | undefined {
	if (bytes.length < 45 || SIGNATURE.some((byte, i) => bytes[i] !== byte)) return undefined;
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const width = view.getUint32(16);
	const height = view.getUint32(20);
	const depth = bytes[24]!;
	const channels = CHANNELS[bytes[25]!];
	const isInterlaced = bytes[28] !== 0;
	if (channels === undefined || isInterlaced || width * height > MOST_PIXELS || width * height === 0) return undefined;
	const data: Uint8Array[] = [];
	let palette: Uint8Array | undefined;
	for (let at = 8; at + 12 <= bytes.length; ) {
		const length = view.getUint32(at);
		const end = at + 8 + length;
		if (end + 4 > bytes.length) break;
		const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
		if (name === 'IDAT') data.push(bytes.subarray(at + 8, end));
		else if (name === 'PLTE') palette = bytes.subarray(at + 8, end);
		else if (name === 'IEND') break;
		at = end + 4;
	}
	const rows = inflate(data);
	const stride = Math.ceil((width * channels * depth) / 8);
	if (rows === undefined || rows.length < (stride + 1) * height) return undefined;
	const step = Math.max(1, (channels * depth) >> 3);
	if (!unfilter(rows, height, stride, step)) return undefined;
	const values = new Float64Array(width * height);
	const most = 2 ** depth - 1;
	for (let y = 0; y < height; y++) {
		const row = y * (stride + 1) + 1;
		for (let x = 0; x < width; x++) {
			const sample = (channel: number): number => sampleAt(rows, row, x * channels + channel, depth);
			values[y * width + x] = greyOf(sample, bytes[25]!, most, palette);
		}
	}
	return { width, height, values };
}

function greyOf(
	sample: (channel: number) => number,
	type: number,
	most: number,
	palette: Uint8Array | undefined,
): number {
	if (type === 3) {
		const at = 3 * sample(0);
		return luminance(palette?.[at] ?? 0, palette?.[at + 1] ?? 0, palette?.[at + 2] ?? 0) / 255;
	}
	return type === 2 || type === 6 ? luminance(sample(0), sample(1), sample(2)) / most : sample(0) / most;
}

/** ITU-R 601 brightness, a whole number as common image libraries have it. */
function luminance(red: number, green: number, blue: number): number {
	return Math.floor((red * 19595 + green * 38470 + blue * 7471 + 32768) / 65536);
}

function inflate(parts: readonly Uint8Array[]): Uint8Array | undefined {
	const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
	let at = 0;
	for (const part of parts) {
		joined.set(part, at);
		at += part.length;
	}
	try {
		return unzlibSync(joined);
	} catch {
		return undefined;
	}
}

function sampleAt(rows: Uint8Array, row: number, index: number, depth: number): number {
	if (depth === 8) return rows[row + index]!;
	if (depth === 16) return rows[row + 2 * index]! * 256 + rows[row + 2 * index + 1]!;
	const bit = index * depth;
	return (rows[row + (bit >> 3)]! >> (8 - depth - (bit & 7))) & (2 ** depth - 1);
}

/** Takes back the filters of PNG 1.2 section 6; false for one that does not exist. */
function unfilter(rows: Uint8Array, height: number, stride: number, step: number): boolean {
	for (let y = 0; y < height; y++) {
		const start = y * (stride + 1) + 1;
		const filter = rows[start - 1]!;
		if (filter > 4) return false;
		for (let i = 0; i < stride; i++) {
			const left = i >= step ? rows[start + i - step]! : 0;
			const up = y > 0 ? rows[start + i - stride - 1]! : 0;
			const corner = i >= step && y > 0 ? rows[start + i - stride - 1 - step]! : 0;
			const guess =
				filter === 1
					? left
					: filter === 2
						? up
						: filter === 3
							? (left + up) >> 1
							: filter === 4
								? paeth(left, up, corner)
								: 0;
			rows[start + i] = (rows[start + i]! + guess) & 255;
		}
	}
	return true;
}

function paeth(left: number, up: number, corner: number): number {
	const guess = left + up - corner;
	const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
	if (a <= b && a <= c) return left;
	return b <= c ? up : corner;
}
