import { ByteReader, checkSize, type Raster, UnreadableImage } from '../raster.ts';

/** Decodes a BMP image: palettes, 16, 24 and 32 bits, with bit masks, and both run-length encodings. */
export function decodeBmp(bytes: Uint8Array): Raster {
	const reader = new ByteReader(bytes, 10);
	const offset = reader.u32();
	const headerSize = reader.u32();
	const isOld = headerSize === 12;
	const width = isOld ? reader.u16() : reader.i32();
	const lines = isOld ? reader.u16() : reader.i32();
	reader.u16();
	const bits = reader.u16();
	const compression = isOld ? 0 : reader.u32();
	const height = Math.abs(lines);
	checkSize(width, height);
	if (![0, 1, 2, 3, 6].includes(compression))
		throw new UnreadableImage(`holds another format (compression ${compression})`);
	const masks =
		compression === 3 || compression === 6 ? readMasks(bytes, headerSize, compression) : DEFAULT_MASKS[bits];
	// the first row is the lowest unless the height is negative
	const rowOf = (y: number): number => (lines < 0 ? y : height - 1 - y);
	if (bits > 8) {
		if (masks === undefined) throw new UnreadableImage(`has ${bits} bits for each pixel`);
		return decodeDirect(bytes, offset, width, height, bits, masks, rowOf);
	}
	if (bits !== 1 && bits !== 4 && bits !== 8) throw new UnreadableImage(`has ${bits} bits for each pixel`);
	const indices =
		compression === 1 || compression === 2
			? decodeRuns(bytes, offset, width, height, compression === 2)
			: decodeIndices(bytes, offset, width, height, bits);
	const entry = isOld ? 3 : 4;
	const palette = 14 + headerSize;
	const samples = new Uint8Array(width * height * 3);
	for (let y = 0; y < height; y++) {
		for (let x = 0; x < width; x++) {
			const colour = palette + entry * indices[y * width + x]!;
			const to = (rowOf(y) * width + x) * 3;
			for (let c = 0; c < 3; c++) samples[to + c] = bytes[colour + 2 - c] ?? 0;
		}
	}
	return { width, height, channels: 3, samples };
}

/** Bits of red, green, blue and alpha. */
type Masks = readonly [number, number, number, number];

const DEFAULT_MASKS: Readonly<Record<number, Masks>> = {
	16: [0x7c00, 0x03e0, 0x001f, 0],
	24: [0xff0000, 0xff00, 0xff, 0],
	32: [0xff0000, 0xff00, 0xff, 0],
};

function readMasks(bytes: Uint8Array, headerSize: number, compression: number): Masks {
	const reader = new ByteReader(bytes, 54);
	const masks = [reader.u32(), reader.u32(), reader.u32()] as const;
	return [...masks, headerSize >= 56 || compression === 6 ? reader.u32() : 0];
}

function decodeDirect(
	bytes: Uint8Array,
	offset: number,
	width: number,
	height: number,
	bits: number,
	masks: Masks,
	rowOf: (y: number) => number,
): Raster {
	const size = bits >> 3;
	const stride = Math.ceil((width * size) / 4) * 4;
	if (offset + stride * (height - 1) + width * size > bytes.length) throw new UnreadableImage('is cut off');
	const channels = masks[3] === 0 ? 3 : 4;
	const samples = new Uint8Array(width * height * channels);
	const shifts = masks.map((mask) => (mask === 0 ? 0 : Math.log2(mask & -mask) & 31));
	const tops = masks.map((mask, c) => (mask >>> shifts[c]!) >>> 0);
	const areBytes = shifts.slice(0, channels).every((shift, c) => shift % 8 === 0 && tops[c] === 255);
	for (let y = 0; y < height; y++) {
		for (let x = 0; x < width; x++) {
			const from = offset + y * stride + x * size;
			const to = (rowOf(y) * width + x) * channels;
			if (areBytes) {
				for (let c = 0; c < channels; c++) samples[to + c] = bytes[from + (shifts[c]! >> 3)]!;
				continue;
			}
			let value = 0;
			for (let i = 0; i < size; i++) value += bytes[from + i]! * 2 ** (8 * i);
			for (let c = 0; c < channels; c++) {
				const part = ((value & masks[c]!) >>> shifts[c]!) >>> 0;
				samples[to + c] = tops[c] === 0 ? 0 : Math.round((part * 255) / tops[c]!);
			}
		}
	}
	return { width, height, channels, samples };
}

function decodeIndices(bytes: Uint8Array, offset: number, width: number, height: number, bits: number): Uint8Array {
	const stride = Math.ceil((width * bits) / 32) * 4;
	if (offset + stride * (height - 1) + Math.ceil((width * bits) / 8) > bytes.length)
		throw new UnreadableImage('is cut off');
	const out = new Uint8Array(width * height);
	for (let y = 0; y < height; y++) {
		for (let x = 0; x < width; x++) {
			const bit = x * bits;
			out[y * width + x] = (bytes[offset + y * stride + (bit >> 3)]! >> (8 - bits - (bit & 7))) & (2 ** bits - 1);
		}
	}
	return out;
}

function decodeRuns(bytes: Uint8Array, offset: number, width: number, height: number, isHalf: boolean): Uint8Array {
	const reader = new ByteReader(bytes, offset);
	const out = new Uint8Array(width * height);
	let [x, y] = [0, 0];
	const put = (index: number): void => {
		if (x < width && y < height) out[y * width + x] = index;
		x++;
	};
	for (;;) {
		const count = reader.u8();
		const value = reader.u8();
		if (count > 0) {
			for (let i = 0; i < count; i++) put(isHalf ? (i % 2 === 0 ? value >> 4 : value & 15) : value);
		} else if (value === 0) {
			x = 0;
			y++;
		} else if (value === 1) return out;
		else if (value === 2) {
			x += reader.u8();
			y += reader.u8();
		} else {
			const size = isHalf ? Math.ceil(value / 2) : value;
			const data = reader.slice(size);
			for (let i = 0; i < value; i++) put(isHalf ? (i % 2 === 0 ? data[i >> 1]! >> 4 : data[i >> 1]! & 15) : data[i]!);
			if (size % 2 === 1) reader.u8();
		}
	}
}
