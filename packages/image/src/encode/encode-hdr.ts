import type { Raster } from '../raster.ts';

/** Encodes linear colours as a Radiance HDR image, each pixel as it is (no runs). Negative numbers become 0. */
export function encodeHdr({ width, height, channels, samples }: Raster): Uint8Array {
	const header = new TextEncoder().encode(`#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y ${height} +X ${width}\n`);
	const out = new Uint8Array(header.length + 4 * width * height);
	out.set(header);
	for (let i = 0; i < width * height; i++) {
		const colour = [0, 1, 2].map((c) => Math.max(0, samples[i * channels + (channels < 3 ? 0 : c)]!) || 0);
		const most = Math.min(Math.max(...colour), MOST);
		if (most < LEAST) continue;
		const exponent = Math.floor(Math.log2(most)) + 1;
		const scale = 2 ** (8 - exponent);
		const to = header.length + 4 * i;
		for (let c = 0; c < 3; c++) out[to + c] = Math.min(255, Math.floor(Math.min(colour[c]!, MOST) * scale));
		out[to + 3] = exponent + 128;
	}
	return out;
}

/** What fits into the exponent. */
const MOST = 2 ** 127 * 0.99;
const LEAST = 1e-38;
