import type { PixelRow } from './upsampled-rows.ts';

/** What the components of an image are; CMYK is stored upside down by programs of Adobe. */
export type JpegColors = 'grey' | 'RGB' | 'YCbCr' | 'CMYK' | 'Adobe CMYK' | 'Adobe YCCK';

/** Writes a row of pixels, three numbers each, or one for grey. */
export function putPixels(
	out: Uint8Array,
	at: number,
	width: number,
	rows: readonly PixelRow[],
	colors: JpegColors,
): void {
	if (colors === 'grey') {
		const [{ samples, at: from }] = rows as [PixelRow];
		out.set(samples.subarray(from, from + width), at);
	} else if (colors === 'RGB') putRgb(out, at, width, rows);
	else if (colors === 'YCbCr') putYcc(out, at, width, rows);
	else putInks(out, at, width, rows, colors);
}

function putRgb(out: Uint8Array, at: number, width: number, rows: readonly PixelRow[]): void {
	for (const [c, { samples, at: from }] of rows.slice(0, 3).entries()) {
		for (let x = 0, to = at + c; x < width; x++, to += 3) out[to] = samples[from + x]!;
	}
}

/** YCbCr as JFIF has it, in whole numbers with 16 bits behind the point, as libjpeg computes it (`jdcolor.c`). */
function putYcc(out: Uint8Array, at: number, width: number, rows: readonly PixelRow[]): void {
	const [luma, blues, reds] = rows as [PixelRow, PixelRow, PixelRow];
	const [y, cb, cr] = [luma.samples, blues.samples, reds.samples];
	const [atY, atCb, atCr] = [luma.at, blues.at, reds.at];
	for (let x = 0, to = at; x < width; x++, to += 3) {
		const light = y[atY + x]!;
		const b = cb[atCb + x]! - 128;
		const r = cr[atCr + x]! - 128;
		const red = light + ((91881 * r + 32768) >> 16);
		const green = light + ((32768 - 22554 * b - 46802 * r) >> 16);
		const blue = light + ((116130 * b + 32768) >> 16);
		// most colours need no clamping, which one test tells
		if (((red | green | blue) & ~255) === 0) {
			out[to] = red;
			out[to + 1] = green;
			out[to + 2] = blue;
		} else {
			out[to] = clamped(red);
			out[to + 1] = clamped(green);
			out[to + 2] = clamped(blue);
		}
	}
}

function clamped(value: number): number {
	return Math.min(255, Math.max(0, value));
}

/** Light that four inks leave. */
function putInks(out: Uint8Array, at: number, width: number, rows: readonly PixelRow[], colors: JpegColors): void {
	// YCCK is what three inks would be as light
	if (colors === 'Adobe YCCK') putYcc(out, at, width, rows);
	else putRgb(out, at, width, rows);
	const black = rows[3]!;
	const isUpsideDown = colors === 'Adobe CMYK';
	for (let x = 0; x < width; x++) {
		const k = black.samples[black.at + x]!;
		const rest = colors === 'CMYK' ? 255 - k : k;
		for (let to = at + 3 * x; to < at + 3 * x + 3; to++) {
			out[to] = Math.round(((isUpsideDown ? out[to]! : 255 - out[to]!) * rest) / 255);
		}
	}
}
