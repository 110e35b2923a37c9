import type { McapCompressor } from '@manyworlds/ros';

/** Level that recordings are compressed with: that of Zstandard's own tool. */
const LEVEL = 3;

/** Compression of recordings with Zstandard, which is loaded when it is asked for first. */
export async function loadZstd(): Promise<McapCompressor> {
	const { default: zstd } = await import('@foxglove/wasm-zstd');
	await zstd.isLoaded;
	return { name: 'zstd', compress: (bytes) => Uint8Array.from(zstd.compress(bytes, LEVEL)) };
}
