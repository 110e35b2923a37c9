import { decompress } from 'fzstd';

/** Chunks of recordings that are compressed, by the name of how: what readers of MCAP ask for. */
export const MCAP_DECOMPRESSORS: Readonly<Record<string, (bytes: Uint8Array, size: bigint) => Uint8Array>> = {
	zstd: (bytes, size) => checked(decompress(bytes), size),
	lz4: (bytes, size) => checked(decompressLz4(bytes, Number(size)), size),
};

/** The largest chunk that is taken [bytes]: a file may claim anything. */
const MOST_SIZE = 1 << 30;

function checked(bytes: Uint8Array, size: bigint): Uint8Array {
	if (BigInt(bytes.length) !== size) throw new Error(`a chunk has ${bytes.length} bytes, expected ${size}`);
	return bytes;
}

const LZ4_MAGIC = 0x184d2204;
/** Flags of a frame: checksums of blocks, the size of the content, a checksum behind it, the number of a dictionary. */
const Lz4Flag = { BLOCK_CHECKSUM: 0x10, CONTENT_SIZE: 0x08, CONTENT_CHECKSUM: 0x04, DICTIONARY: 0x01 } as const;

/** The content of LZ4 frames (LZ4 Frame Format 1.6.4), which has `size` bytes. Checksums are left to those of MCAP. */
export function decompressLz4(bytes: Uint8Array, size: number): Uint8Array {
	if (!(size >= 0 && size <= MOST_SIZE)) throw new Error(`a chunk of ${size} bytes is too large`);
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const out = new Uint8Array(size);
	let [at, end] = [0, 0];
	while (at + 7 <= bytes.length) {
		if (view.getUint32(at, true) !== LZ4_MAGIC) throw new Error('a chunk is no LZ4 frame');
		const flags = bytes[at + 4]!;
		if ((flags & Lz4Flag.DICTIONARY) !== 0) throw new Error('a chunk needs a dictionary');
		at += 7 + ((flags & Lz4Flag.CONTENT_SIZE) !== 0 ? 8 : 0);
		for (;;) {
			const stated = view.getUint32(at, true);
			at += 4;
			if (stated === 0) break;
			const length = stated & 0x7fffffff;
			if (at + length > bytes.length) throw new Error('a chunk ends too early');
			// the highest bit marks a block that is not compressed
			if (stated >>> 31 === 1) {
				if (end + length > size) throw new Error('a chunk is larger than it says');
				out.set(bytes.subarray(at, at + length), end);
				end += length;
			} else end = decompressBlock(bytes.subarray(at, at + length), out, end);
			at += length + ((flags & Lz4Flag.BLOCK_CHECKSUM) !== 0 ? 4 : 0);
		}
		if ((flags & Lz4Flag.CONTENT_CHECKSUM) !== 0) at += 4;
	}
	return out.subarray(0, end);
}

/** Puts the content of a block into `out` from `end` on; gives where it ends. */
function decompressBlock(block: Uint8Array, out: Uint8Array, end: number): number {
	let at = 0;
	const more = (length: number): number => {
		let sum = length;
		for (let byte = 255; byte === 255; ) {
			if (at >= block.length) throw new Error('a chunk ends too early');
			byte = block[at++]!;
			sum += byte;
		}
		return sum;
	};
	while (at < block.length) {
		const token = block[at++]!;
		const literals = token >> 4 === 15 ? more(15) : token >> 4;
		if (at + literals > block.length || end + literals > out.length) throw new Error('a chunk is larger than it says');
		out.set(block.subarray(at, at + literals), end);
		at += literals;
		end += literals;
		// the last sequence has nothing to copy
		if (at >= block.length) break;
		const distance = block[at]! | (block[at + 1]! << 8);
		at += 2;
		const length = 4 + ((token & 15) === 15 ? more(15) : token & 15);
		if (distance === 0 || distance > end || end + length > out.length) throw new Error('a chunk makes no sense');
		// what is copied may begin in what is being written
		for (let i = 0; i < length; i++) out[end + i] = out[end - distance + i]!;
		end += length;
	}
	return end;
}
