import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { ImageDecoder } from '@manyworlds/image';
import { loadWebp } from '@manyworlds/image/webp';

/** The WebP decoder, with its WebAssembly read from the installed package. */
export function loadWebpCodec(): Promise<ImageDecoder> {
	return loadWebp(readFileSync(createRequire(import.meta.url).resolve('@jsquash/webp/codec/dec/webp_dec.wasm')));
}
