import type { ImageDecoder } from './decode-image.ts';
import { checkSize, UnreadableImage } from './raster.ts';

/** The part of the Emscripten module that is used; its own declarations need the DOM. */
type DecoderFactory = (options: { readonly noInitialRun: true; readonly wasmBinary?: Uint8Array }) => Promise<{
	decode(bytes: Uint8Array): Picture | null | undefined;
}>;

interface Picture {
	readonly width: number;
	readonly height: number;
	readonly data: Uint8ClampedArray;
}

/**
 * Loads libwebp's decoder, for images with and without losses. In Node its WebAssembly has to be given as bytes
 * (`@jsquash/webp/codec/dec/webp_dec.wasm`); a page finds it beside the module.
 *
 * ```ts
 * const webp = await loadWebp();
 * decodeImage(bytes, { codecs: { webp } });
 * ```
 * @public
 */
export async function loadWebp(wasm?: Uint8Array): Promise<ImageDecoder> {
	const { default: createDecoder } = await import('@jsquash/webp/codec/dec/webp_dec.js');
	const decoder = await (createDecoder as unknown as DecoderFactory)({
		noInitialRun: true,
		...(wasm !== undefined && { wasmBinary: wasm }),
	});
	return (bytes) => {
		const image = decoder.decode(bytes);
		if (image === null || image === undefined) throw new UnreadableImage('is damaged');
		const { width, height, data } = image;
		checkSize(width, height);
		return withoutIdleAlpha(width, height, new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
	};
}

/** The decoder always gives alpha; an image without transparency has three channels. */
function withoutIdleAlpha(width: number, height: number, rgba: Uint8Array): ReturnType<ImageDecoder> {
	const count = width * height;
	for (let i = 0; i < count; i++) if (rgba[4 * i + 3] !== 255) return { width, height, channels: 4, samples: rgba };
	const samples = new Uint8Array(3 * count);
	for (let i = 0; i < count; i++) {
		samples[3 * i] = rgba[4 * i]!;
		samples[3 * i + 1] = rgba[4 * i + 1]!;
		samples[3 * i + 2] = rgba[4 * i + 2]!;
	}
	return { width, height, channels: 3, samples };
}
