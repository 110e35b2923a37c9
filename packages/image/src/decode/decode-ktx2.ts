import { unzlibSync } from 'fflate';
import { ByteReader, checkSize, type Raster, UnreadableImage } from '../raster.ts';

/** Vulkan formats of whole bytes: channels, and whether blue comes first. */
const FORMATS: Readonly<Record<number, { channels: Raster['channels']; isBgr?: true }>> = {
	9: { channels: 1 },
	15: { channels: 1 },
	16: { channels: 2 },
	22: { channels: 2 },
	23: { channels: 3 },
	29: { channels: 3 },
	30: { channels: 3, isBgr: true },
	36: { channels: 3, isBgr: true },
	37: { channels: 4 },
	43: { channels: 4 },
	44: { channels: 4, isBgr: true },
	50: { channels: 4, isBgr: true },
};

/** Decodes the largest level of a KTX2 texture whose pixels are whole bytes, plain or deflated; block-compressed ones are not read. */
export function decodeKtx2(bytes: Uint8Array): Raster {
	const reader = new ByteReader(bytes, 12);
	const format = reader.u32();
	reader.u32();
	const width = reader.u32();
	const height = reader.u32();
	const depth = reader.u32();
	const layers = reader.u32();
	const faces = reader.u32();
	reader.u32();
	const scheme = reader.u32();
	checkSize(width, height);
	if (depth > 1 || layers > 1 || faces > 1) throw new UnreadableImage('has several layers, faces or slices');
	const kind = FORMATS[format];
	if (kind === undefined)
		throw new UnreadableImage(
			format === 0 ? 'is supercompressed for GPUs (Basis Universal)' : `has the Vulkan format ${format}`,
		);
	if (scheme !== 0 && scheme !== 3)
		throw new UnreadableImage(`is supercompressed by ${SCHEMES[scheme] ?? `scheme ${scheme}`}`);
	reader.at = 80;
	const offset = reader.u64();
	const length = reader.u64();
	reader.at = offset;
	const data = scheme === 3 ? inflate(reader.slice(length)) : reader.slice(length);
	const count = width * height * kind.channels;
	if (data.length < count) throw new UnreadableImage('is cut off');
	const samples = data.slice(0, count);
	if (kind.isBgr) {
		for (let i = 0; i < count; i += kind.channels) [samples[i], samples[i + 2]] = [samples[i + 2]!, samples[i]!];
	}
	return { width, height, channels: kind.channels, samples };
}

const SCHEMES: Readonly<Record<number, string>> = { 1: 'BasisLZ', 2: 'Zstandard' };

function inflate(data: Uint8Array): Uint8Array {
	try {
		return unzlibSync(data);
	} catch {
		throw new UnreadableImage('has compressed data that cannot be read');
	}
}
