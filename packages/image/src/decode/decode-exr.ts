import { halfToNumber } from '@manyworlds/core/internal';
import { unzlibSync } from 'fflate';
import { ByteReader, checkSize, type Raster, UnreadableImage } from '../raster.ts';

const COMPRESSIONS = ['none', 'RLE', 'ZIPS', 'ZIP', 'PIZ', 'PXR24', 'B44', 'B44A', 'DWAA', 'DWAB'] as const;
/** Lines that are compressed together. */
const LINES = [1, 1, 1, 16] as const;

interface Channel {
	readonly name: string;
	/** 0 whole number, 1 half, 2 float. */
	readonly type: number;
}

/** Decodes the R, G, B, A or Y channels of a single-part scan-line OpenEXR image that is not compressed, or by RLE, ZIPS or ZIP. */
export function decodeExr(bytes: Uint8Array): Raster {
	const reader = new ByteReader(bytes, 4);
	const version = reader.u32();
	if ((version & 0x200) !== 0) throw new UnreadableImage('is stored in tiles');
	if ((version & 0x1800) !== 0) throw new UnreadableImage('has several parts or deep data');
	let channels: Channel[] = [];
	let compression = 0;
	let window = [0, 0, -1, -1];
	for (let name = reader.text(); name !== ''; name = reader.text()) {
		reader.text();
		const size = reader.u32();
		const end = reader.at + size;
		if (name === 'channels') channels = readChannels(reader, end);
		else if (name === 'compression') compression = reader.u8();
		else if (name === 'dataWindow') window = [reader.i32(), reader.i32(), reader.i32(), reader.i32()];
		reader.at = end;
	}
	const perBlock = LINES[compression];
	if (perBlock === undefined) throw new UnreadableImage(`is compressed by ${COMPRESSIONS[compression] ?? compression}`);
	const width = window[2]! - window[0]! + 1;
	const height = window[3]! - window[1]! + 1;
	checkSize(width, height);
	const wanted = wantedChannels(channels);
	const samples = new Float32Array(width * height * wanted.length);
	const stride = channels.reduce((sum, { type }) => sum + (type === 1 ? 2 : 4) * width, 0);
	const blocks = Math.ceil(height / perBlock);
	const offsets = Array.from({ length: blocks }, () => reader.u64());
	for (const offset of offsets) {
		reader.at = offset;
		const y0 = reader.i32() - window[1]!;
		const packed = reader.slice(reader.u32());
		const lines = Math.min(perBlock, height - y0);
		if (y0 < 0 || lines <= 0) throw new UnreadableImage('has lines outside of its window');
		const data = unpack(packed, compression, stride * lines);
		const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
		for (let y = 0; y < lines; y++) {
			let at = y * stride;
			for (const { name, type } of channels) {
				const size = type === 1 ? 2 : 4;
				const place = wanted.indexOf(name);
				for (let x = 0; x < width && place >= 0; x++) {
					const from = at + x * size;
					const value =
						type === 1
							? halfToNumber(view.getUint16(from, true))
							: type === 2
								? view.getFloat32(from, true)
								: view.getUint32(from, true);
					samples[((y0 + y) * width + x) * wanted.length + place] = value;
				}
				at += size * width;
			}
		}
	}
	return { width, height, channels: wanted.length as Raster['channels'], samples };
}

function readChannels(reader: ByteReader, end: number): Channel[] {
	const channels: Channel[] = [];
	while (reader.at < end) {
		const name = reader.text();
		if (name === '') break;
		const type = reader.u32();
		reader.u32();
		if (reader.u32() !== 1 || reader.u32() !== 1)
			throw new UnreadableImage(`has the channel '${name}' at a lower resolution`);
		channels.push({ name, type });
	}
	return channels;
}

/** The channels that make a picture, in the order of a raster. */
function wantedChannels(channels: readonly Channel[]): string[] {
	const names = new Set(channels.map(({ name }) => name));
	const colours = names.has('R') && names.has('G') && names.has('B') ? ['R', 'G', 'B'] : undefined;
	const grey = names.has('Y')
		? ['Y']
		: names.has('R')
			? ['R']
			: channels.length === 1
				? [channels[0]!.name]
				: undefined;
	const found = colours ?? grey;
	if (found === undefined)
		throw new UnreadableImage(`has the channels ${[...names].join(', ')}, and neither R, G, B nor Y`);
	return names.has('A') && found[0] !== 'A' ? [...found, 'A'] : found;
}

function unpack(packed: Uint8Array, compression: number, length: number): Uint8Array {
	// what would not get smaller is stored as it is
	if (compression === 0 || packed.length === length) return packed;
	let data: Uint8Array;
	try {
		data = compression === 1 ? unpackRuns(packed, length) : unzlibSync(packed);
	} catch {
		throw new UnreadableImage('has compressed data that cannot be read');
	}
	if (data.length < length) throw new UnreadableImage('is cut off');
	for (let i = 1; i < length; i++) data[i] = (data[i]! + data[i - 1]! - 128) & 255;
	// even bytes stand in the first half, odd ones in the second
	const out = new Uint8Array(length);
	const half = (length + 1) >> 1;
	for (let i = 0; i < length; i++) out[i] = data[(i >> 1) + (i & 1 ? half : 0)]!;
	return out;
}

function unpackRuns(packed: Uint8Array, length: number): Uint8Array {
	const out = new Uint8Array(length);
	let to = 0;
	for (let at = 0; at < packed.length && to < length; ) {
		const count = (packed[at++]! << 24) >> 24;
		if (count < 0) {
			out.set(packed.subarray(at, at - count), to);
			at -= count;
			to -= count;
		} else {
			out.fill(packed[at++] ?? 0, to, to + count + 1);
			to += count + 1;
		}
	}
	return out;
}
