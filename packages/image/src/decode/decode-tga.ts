import { ByteReader, checkSize, type Raster, UnreadableImage } from '../raster.ts';

/** Decodes a TGA image: colour-mapped, true-colour and grey, plain or run-length encoded. */
export function decodeTga(bytes: Uint8Array): Raster {
	const reader = new ByteReader(bytes);
	const idLength = reader.u8();
	const hasMap = reader.u8() === 1;
	const type = reader.u8();
	const mapStart = reader.u16();
	const mapLength = reader.u16();
	const mapBits = reader.u8();
	reader.at = 12;
	const width = reader.u16();
	const height = reader.u16();
	const bits = reader.u8();
	const descriptor = reader.u8();
	checkSize(width, height);
	reader.at = 18 + idLength;
	const map = hasMap ? reader.slice(mapLength * Math.ceil(mapBits / 8)) : undefined;
	const kind = type & 7;
	const size = Math.ceil(bits / 8);
	const data = type >= 8 ? unpackRuns(reader, width * height, size) : reader.slice(width * height * size);
	if (kind === 1 && map === undefined) throw new UnreadableImage('has no colour map');
	const colourBits = kind === 1 ? mapBits : bits;
	// only the attribute bits that the descriptor counts are alpha
	const alphaBits = descriptor & 15;
	const channels = kind === 3 ? (size === 2 ? 2 : 1) : colourBits === 32 && alphaBits > 0 ? 4 : 3;
	const samples = new Uint8Array(width * height * channels);
	const isTopDown = (descriptor & 0x20) !== 0;
	const isRightToLeft = (descriptor & 0x10) !== 0;
	for (let y = 0; y < height; y++) {
		for (let x = 0; x < width; x++) {
			const row = isTopDown ? y : height - 1 - y;
			const column = isRightToLeft ? width - 1 - x : x;
			const to = (row * width + column) * channels;
			const from = (y * width + x) * size;
			if (kind === 3) for (let c = 0; c < channels; c++) samples[to + c] = data[from + c]!;
			else if (kind === 1) {
				const index = (size === 2 ? data[from]! + 256 * data[from + 1]! : data[from]!) - mapStart;
				putColour(samples, to, channels, map!, index * Math.ceil(mapBits / 8), mapBits);
			} else putColour(samples, to, channels, data, from, bits);
		}
	}
	return { width, height, channels, samples };
}

function putColour(
	samples: Uint8Array,
	to: number,
	channels: number,
	data: Uint8Array,
	from: number,
	bits: number,
): void {
	if (bits === 15 || bits === 16) {
		const value = (data[from] ?? 0) + 256 * (data[from + 1] ?? 0);
		for (let c = 0; c < 3; c++) samples[to + c] = Math.round((((value >> (10 - 5 * c)) & 31) * 255) / 31);
		return;
	}
	if (bits !== 24 && bits !== 32) throw new UnreadableImage(`has ${bits} bits for each pixel`);
	for (let c = 0; c < 3; c++) samples[to + c] = data[from + 2 - c] ?? 0;
	if (channels === 4) samples[to + 3] = data[from + 3] ?? 255;
}

function unpackRuns(reader: ByteReader, pixels: number, size: number): Uint8Array {
	const out = new Uint8Array(pixels * size);
	for (let at = 0; at < out.length; ) {
		const head = reader.u8();
		const count = (head & 127) + 1;
		if (head < 128) {
			const part = reader.slice(Math.min(count * size, out.length - at));
			out.set(part, at);
			at += part.length;
			continue;
		}
		const pixel = reader.slice(size);
		for (let i = 0; i < count && at < out.length; i++, at += size) out.set(pixel, at);
	}
	return out;
}
