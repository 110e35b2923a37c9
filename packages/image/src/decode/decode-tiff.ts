import { unzlibSync } from 'fflate';
import { ByteReader, checkSize, type Raster, UnreadableImage } from '../raster.ts';

/** Bytes of one value by TIFF field type. */
const SIZES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8] as const;
const COMPRESSIONS: Readonly<Record<number, string>> = { 2: 'CCITT', 3: 'CCITT', 4: 'CCITT', 6: 'JPEG', 7: 'JPEG' };

/**
 * Decodes the first image of a TIFF file (TIFF 6.0): strips or tiles, interleaved or planar, 8 and 16 bits or 32-bit floats, plain,
 * PackBits, LZW or Deflate, with or without predictors.
 */
export function decodeTiff(bytes: Uint8Array): Raster {
	const isLittle = bytes[0] === 0x49;
	const head = new ByteReader(bytes, 2, isLittle);
	if (head.u16() !== 42) throw new UnreadableImage('is BigTIFF');
	const tags = readTags(bytes, head.u32(), isLittle);
	const one = (tag: number, fallback: number): number => tags.get(tag)?.[0] ?? fallback;
	const width = one(256, 0);
	const height = one(257, 0);
	checkSize(width, height);
	const bits = one(258, 1);
	const stored = one(277, 1);
	const format = one(339, 1);
	const photometric = one(262, 1);
	const isPlanar = one(284, 1) === 2;
	const isFloat = format === 3;
	if (!((format === 1 && (bits === 8 || bits === 16)) || (isFloat && bits === 32)))
		throw new UnreadableImage(`has ${bits}-bit samples of form ${format}`);
	if (![0, 1, 2, 3].includes(photometric)) throw new UnreadableImage(`has colours of kind ${photometric}`);
	const size = bits >> 3;
	const blocks = blockLayout(tags, width, height);
	const planes = isPlanar ? stored : 1;
	const perBlock = isPlanar ? 1 : stored;
	const raw = makeSamples(bits, isFloat, width * height * stored);
	blocks.offsets.forEach((offset, index) => {
		const inPlane = blocks.offsets.length / planes;
		const plane = Math.floor(index / inPlane);
		const place = index % inPlane;
		const x0 = (place % blocks.across) * blocks.width;
		const y0 = Math.floor(place / blocks.across) * blocks.height;
		const lines = blocks.isTiled ? blocks.height : Math.min(blocks.height, height - y0);
		const length = blocks.width * lines * perBlock * size;
		const data = unpack(bytes, offset, blocks.counts[index] ?? 0, one(259, 1), length);
		unpredict(data, one(317, 1), blocks.width, lines, perBlock, size, isLittle);
		const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
		// the predictor of floats leaves the highest byte first
		const little = one(317, 1) === 3 ? false : isLittle;
		for (let y = 0; y < lines && y0 + y < height; y++) {
			for (let x = 0; x < blocks.width && x0 + x < width; x++) {
				for (let c = 0; c < perBlock; c++) {
					const from = ((y * blocks.width + x) * perBlock + c) * size;
					const to = ((y0 + y) * width + x0 + x) * stored + (isPlanar ? plane : c);
					raw[to] = isFloat ? view.getFloat32(from, little) : size === 2 ? view.getUint16(from, little) : data[from]!;
				}
			}
		}
	});
	if (photometric === 3) return withMap(raw, width, height, tags.get(320));
	const full = bits === 8 ? 255 : 65535;
	if (photometric === 0 && !isFloat) for (let i = 0; i < raw.length; i += stored) raw[i] = full - raw[i]!;
	return trimmed(raw, width, height, stored, photometric === 2 ? 3 : 1, tags.get(338)?.[0]);
}

function makeSamples(bits: number, isFloat: boolean, count: number): Uint8Array | Uint16Array | Float32Array {
	return isFloat ? new Float32Array(count) : bits === 16 ? new Uint16Array(count) : new Uint8Array(count);
}

function readTags(bytes: Uint8Array, offset: number, isLittle: boolean): Map<number, number[]> {
	const reader = new ByteReader(bytes, offset, isLittle);
	const tags = new Map<number, number[]>();
	const count = reader.u16();
	for (let i = 0; i < count; i++) {
		reader.at = offset + 2 + 12 * i;
		const tag = reader.u16();
		const type = reader.u16();
		const length = reader.u32();
		const size = SIZES[type] ?? 0;
		if (size === 0 || length > bytes.length) continue;
		if (size * length > 4) reader.at = reader.u32();
		const values: number[] = [];
		for (let k = 0; k < length; k++) {
			if (type === 3) values.push(reader.u16());
			else if (type === 4) values.push(reader.u32());
			else if (size === 1) values.push(reader.u8());
			else break;
		}
		tags.set(tag, values);
	}
	return tags;
}

interface BlockLayout {
	readonly isTiled: boolean;
	readonly width: number;
	readonly height: number;
	readonly across: number;
	readonly offsets: readonly number[];
	readonly counts: readonly number[];
}

function blockLayout(tags: ReadonlyMap<number, number[]>, width: number, height: number): BlockLayout {
	const tileWidth = tags.get(322)?.[0];
	const tileHeight = tags.get(323)?.[0];
	if (tileWidth !== undefined && tileHeight !== undefined && tileWidth > 0 && tileHeight > 0) {
		return {
			isTiled: true,
			width: tileWidth,
			height: tileHeight,
			across: Math.ceil(width / tileWidth),
			offsets: tags.get(324) ?? [],
			counts: tags.get(325) ?? [],
		};
	}
	const lines = Math.min(tags.get(278)?.[0] ?? height, height);
	const offsets = tags.get(273) ?? [];
	return { isTiled: false, width, height: Math.max(1, lines), across: 1, offsets, counts: tags.get(279) ?? [] };
}

function unpack(bytes: Uint8Array, offset: number, count: number, compression: number, length: number): Uint8Array {
	if (offset + count > bytes.length) throw new UnreadableImage('is cut off');
	const data = bytes.subarray(offset, offset + count);
	const out = new Uint8Array(length);
	if (compression === 1) out.set(data.subarray(0, length));
	else if (compression === 32773) unpackBits(data, out);
	else if (compression === 5) unpackLzw(data, out);
	else if (compression === 8 || compression === 32946) {
		try {
			out.set(unzlibSync(data).subarray(0, length));
		} catch {
			throw new UnreadableImage('has compressed data that cannot be read');
		}
	} else throw new UnreadableImage(`is compressed by ${COMPRESSIONS[compression] ?? `method ${compression}`}`);
	return out;
}

function unpackBits(data: Uint8Array, out: Uint8Array): void {
	let to = 0;
	for (let at = 0; at < data.length && to < out.length; ) {
		const head = data[at++]!;
		if (head < 128) {
			const part = data.subarray(at, at + Math.min(head + 1, out.length - to));
			out.set(part, to);
			to += head + 1;
			at += head + 1;
		} else if (head > 128) {
			out.fill(data[at++] ?? 0, to, to + 257 - head);
			to += 257 - head;
		}
	}
}

/** LZW of TIFF 6.0 section 13: codes of 9 to 12 bits, highest bit first, one wider a code early. */
function unpackLzw(data: Uint8Array, out: Uint8Array): void {
	const prefix = new Int32Array(4096);
	const last = new Uint8Array(4096);
	const lengths = new Uint16Array(4096);
	for (let i = 0; i < 256; i++) {
		last[i] = i;
		lengths[i] = 1;
	}
	let [next, width, before, to] = [258, 9, -1, 0];
	let [bits, held] = [0, 0];
	for (let at = 0; to < out.length; ) {
		while (held < width) {
			if (at >= data.length) return;
			bits = ((bits << 8) | data[at++]!) & 0xffffff;
			held += 8;
		}
		const code = (bits >> (held - width)) & (2 ** width - 1);
		held -= width;
		if (code === 257) return;
		if (code === 256) {
			[next, width, before] = [258, 9, -1];
			continue;
		}
		if (before >= 0 && next < 4096) {
			// a code that is only now made repeats its own first byte
			let first = code === next ? before : code;
			if (first >= next) throw new UnreadableImage('has compressed data that cannot be read');
			while (first >= 258) first = prefix[first]!;
			prefix[next] = before;
			last[next] = last[first]!;
			lengths[next] = lengths[before]! + 1;
			next++;
		}
		if (code >= next) throw new UnreadableImage('has compressed data that cannot be read');
		const length = lengths[code]!;
		for (let i = length - 1, at2 = code; i >= 0; i--) {
			if (to + i < out.length) out[to + i] = last[at2]!;
			at2 = prefix[at2]!;
		}
		to += length;
		before = code;
		if (next + 1 >= 2 ** width && width < 12) width++;
	}
}

function unpredict(
	data: Uint8Array,
	predictor: number,
	width: number,
	lines: number,
	channels: number,
	size: number,
	isLittle: boolean,
): void {
	if (predictor === 1) return;
	const stride = width * channels * size;
	if (predictor === 2 && size <= 2) {
		const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
		for (let y = 0; y < lines; y++) {
			for (let i = channels; i < width * channels; i++) {
				const at = y * stride + i * size;
				if (size === 1) data[at] = (data[at]! + data[at - channels]!) & 255;
				else view.setUint16(at, view.getUint16(at, isLittle) + view.getUint16(at - 2 * channels, isLittle), isLittle);
			}
		}
		return;
	}
	if (predictor !== 3) throw new UnreadableImage(`has the predictor ${predictor}`);
	// bytes of one significance together, each a difference to the one before
	const row = new Uint8Array(stride);
	for (let y = 0; y < lines; y++) {
		const at = y * stride;
		for (let i = channels; i < stride; i++) data[at + i] = (data[at + i]! + data[at + i - channels]!) & 255;
		row.set(data.subarray(at, at + stride));
		const count = width * channels;
		for (let i = 0; i < count; i++) for (let b = 0; b < size; b++) data[at + i * size + b] = row[b * count + i]!;
	}
}

function withMap(
	indices: ArrayLike<number>,
	width: number,
	height: number,
	map: readonly number[] | undefined,
): Raster {
	if (map === undefined) throw new UnreadableImage('has no colour map');
	const entries = map.length / 3;
	const samples = new Uint8Array(width * height * 3);
	for (let i = 0; i < indices.length; i++)
		for (let c = 0; c < 3; c++) samples[3 * i + c] = (map[c * entries + indices[i]!] ?? 0) >> 8;
	return { width, height, channels: 3, samples };
}

/** Leaves out samples that are neither colour nor alpha. */
function trimmed(
	raw: Uint8Array | Uint16Array | Float32Array,
	width: number,
	height: number,
	stored: number,
	colours: number,
	extra: number | undefined,
): Raster {
	const hasAlpha = stored > colours && (extra === 1 || extra === 2);
	const channels = Math.min(stored, colours + (hasAlpha ? 1 : 0)) as Raster['channels'];
	if (channels === stored) return { width, height, channels, samples: raw };
	const samples =
		raw instanceof Float32Array
			? new Float32Array(width * height * channels)
			: raw instanceof Uint16Array
				? new Uint16Array(width * height * channels)
				: new Uint8Array(width * height * channels);
	for (let i = 0; i < width * height; i++)
		for (let c = 0; c < channels; c++) samples[i * channels + c] = raw[i * stored + c]!;
	return { width, height, channels, samples };
}
