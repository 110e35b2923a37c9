import { unzlibSync } from 'fflate';
import { checkSize, type Raster, UnreadableImage } from '../raster.ts';

/** Samples per pixel by colour type: grey, RGB, palette, grey with alpha, RGB with alpha. */
const CHANNELS: Readonly<Record<number, 1 | 2 | 3 | 4>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
/** Adam7: first column and row, steps. */
const PASSES = [
	[0, 0, 8, 8],
	[4, 0, 8, 8],
	[0, 4, 4, 8],
	[2, 0, 4, 4],
	[0, 2, 2, 4],
	[1, 0, 2, 2],
	[0, 1, 1, 2],
] as const;

/** Decodes a PNG image of any depth and colour type, interlaced or not (PNG 1.2). Less than 8 bits become 8; palettes colours. */
export function decodePng(bytes: Uint8Array): Raster {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (bytes.length < 33) throw new UnreadableImage('is cut off');
	const width = view.getUint32(16);
	const height = view.getUint32(20);
	const depth = bytes[24]!;
	const colourType = bytes[25]!;
	const channels = CHANNELS[colourType];
	checkSize(width, height);
	if (channels === undefined || ![1, 2, 4, 8, 16].includes(depth))
		throw new UnreadableImage(`has the colour type ${colourType} with ${depth} bits`);
	const { data, palette, transparency } = readChunks(bytes, view);
	const rows = inflate(data);
	const raw = depth === 16 ? new Uint16Array(width * height * channels) : new Uint8Array(width * height * channels);
	let at = 0;
	for (const [x0, y0, dx, dy] of bytes[28] === 0 ? [[0, 0, 1, 1] as const] : PASSES) {
		const columns = Math.max(0, Math.ceil((width - x0) / dx));
		const lines = Math.max(0, Math.ceil((height - y0) / dy));
		if (columns === 0 || lines === 0) continue;
		const stride = Math.ceil((columns * channels * depth) / 8);
		if (at + (stride + 1) * lines > rows.length) throw new UnreadableImage('is cut off');
		unfilter(rows, at, lines, stride, Math.max(1, (channels * depth) >> 3));
		for (let y = 0; y < lines; y++) {
			const row = at + y * (stride + 1) + 1;
			// whole bytes that follow each other are most images
			if (depth === 8 && dx === 1) {
				raw.set(rows.subarray(row, row + stride), (y0 + y * dy) * width * channels);
				continue;
			}
			for (let x = 0; x < columns; x++) {
				const to = ((y0 + y * dy) * width + x0 + x * dx) * channels;
				for (let c = 0; c < channels; c++) raw[to + c] = readSample(rows, row, x * channels + c, depth);
			}
		}
		at += (stride + 1) * lines;
	}
	if (colourType === 3) return withPalette(raw, width, height, palette, transparency);
	if (depth < 8) {
		const factor = 255 / (2 ** depth - 1);
		const key = transparency === undefined ? undefined : transparency[1]!;
		const grey = keyed({ width, height, channels, samples: raw }, key === undefined ? undefined : [key]);
		const { samples } = grey;
		for (let i = 0; i < samples.length; i += grey.channels) samples[i] = samples[i]! * factor;
		return grey;
	}
	if (transparency === undefined || channels % 2 === 0) return { width, height, channels, samples: raw };
	const key = Array.from({ length: channels }, (_, c) => transparency[2 * c]! * 256 + transparency[2 * c + 1]!);
	return keyed({ width, height, channels, samples: raw }, key);
}

function readChunks(
	bytes: Uint8Array,
	view: DataView,
): { data: Uint8Array[]; palette: Uint8Array | undefined; transparency: Uint8Array | undefined } {
	const data: Uint8Array[] = [];
	let palette: Uint8Array | undefined;
	let transparency: Uint8Array | undefined;
	for (let at = 8; at + 12 <= bytes.length; ) {
		const end = at + 8 + view.getUint32(at);
		if (end + 4 > bytes.length) break;
		const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
		const content = bytes.subarray(at + 8, end);
		if (name === 'IDAT') data.push(content);
		else if (name === 'PLTE') palette = content;
		else if (name === 'tRNS') transparency = content;
		else if (name === 'IEND') break;
		at = end + 4;
	}
	return { data, palette, transparency };
}

function inflate(parts: readonly Uint8Array[]): Uint8Array {
	const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
	let at = 0;
	for (const part of parts) {
		joined.set(part, at);
		at += part.length;
	}
	try {
		return unzlibSync(joined);
	} catch {
		throw new UnreadableImage('has compressed data that cannot be read');
	}
}

function readSample(rows: Uint8Array, row: number, index: number, depth: number): number {
	if (depth === 8) return rows[row + index]!;
	if (depth === 16) return rows[row + 2 * index]! * 256 + rows[row + 2 * index + 1]!;
	const bit = index * depth;
	return (rows[row + (bit >> 3)]! >> (8 - depth - (bit & 7))) & (2 ** depth - 1);
}

/** Takes back the filters of PNG 1.2 section 6. */
function unfilter(rows: Uint8Array, from: number, lines: number, stride: number, step: number): void {
	for (let y = 0; y < lines; y++) {
		const start = from + y * (stride + 1) + 1;
		const filter = rows[start - 1]!;
		if (filter > 4) throw new UnreadableImage(`has the row filter ${filter}, which PNG does not have`);
		if (filter === 0) continue;
		const above = y > 0 ? start - stride - 1 : -1;
		for (let i = 0; i < stride; i++) {
			const left = i >= step ? rows[start + i - step]! : 0;
			const up = above >= 0 ? rows[above + i]! : 0;
			const corner = i >= step && above >= 0 ? rows[above + i - step]! : 0;
			rows[start + i] = (rows[start + i]! + predict(filter, left, up, corner)) & 255;
		}
	}
}

/** What a PNG filter expects a byte to be. */
export function predict(filter: number, left: number, up: number, corner: number): number {
	if (filter === 1) return left;
	if (filter === 2) return up;
	if (filter === 3) return (left + up) >> 1;
	if (filter === 0) return 0;
	// distances of the guess left + up - corner
	const a = Math.abs(up - corner);
	const b = Math.abs(left - corner);
	const c = Math.abs(left + up - 2 * corner);
	if (a <= b && a <= c) return left;
	return b <= c ? up : corner;
}

function withPalette(
	indices: Uint8Array | Uint16Array,
	width: number,
	height: number,
	palette: Uint8Array | undefined,
	transparency: Uint8Array | undefined,
): Raster {
	if (palette === undefined) throw new UnreadableImage('has no palette');
	const channels = transparency === undefined ? 3 : 4;
	const samples = new Uint8Array(width * height * channels);
	for (let i = 0; i < indices.length; i++) {
		const index = indices[i]!;
		for (let c = 0; c < 3; c++) samples[i * channels + c] = palette[3 * index + c] ?? 0;
		if (channels === 4) samples[i * 4 + 3] = transparency![index] ?? 255;
	}
	return { width, height, channels, samples };
}

/** Adds an alpha channel that is 0 where pixels have the colour that means nothing. */
function keyed(image: Raster, key: readonly number[] | undefined): Raster {
	if (key === undefined) return image;
	const { width, height, channels, samples } = image;
	const wide = samples instanceof Uint16Array;
	const full = wide ? 65535 : 255;
	const out = wide ? new Uint16Array(width * height * (channels + 1)) : new Uint8Array(width * height * (channels + 1));
	for (let i = 0; i < width * height; i++) {
		let isKey = true;
		for (let c = 0; c < channels; c++) {
			const value = samples[i * channels + c]!;
			out[i * (channels + 1) + c] = value;
			isKey &&= value === key[c];
		}
		out[i * (channels + 1) + channels] = isKey ? 0 : full;
	}
	return { width, height, channels: (channels + 1) as 2 | 4, samples: out };
}
