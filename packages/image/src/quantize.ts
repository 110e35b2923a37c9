import { fullScale, type Raster } from './raster.ts';

/** An image of 8 bits, and how to get from its numbers, after its curve is taken back, to those of the image that it was made of. */
export interface QuantizedImage {
	readonly raster: Raster & { readonly samples: Uint8Array };
	/** For each channel: number = scale × stored + bias. */
	readonly scale: readonly number[];
	readonly bias: readonly number[];
	/** Numbers that are none. */
	readonly invalid: number;
}

/** How an image is stored. */
export interface QuantizeOptions {
	/** Store colours on the curve of sRGB: twice as fine where it is dark. Alpha stays linear. */
	readonly isSrgb: boolean;
	/** Spread the numbers of each channel so that none is cut off. */
	readonly spreads: boolean;
}

/** Brings an image to 8 bits. Numbers from 0 to 1 stay what they are, to 1/510; others need `spreads`, or are cut off. */
export function quantize({ width, height, channels, samples }: Raster, options: QuantizeOptions): QuantizedImage {
	const full = fullScale(samples);
	const alpha = channels === 2 || channels === 4 ? channels - 1 : -1;
	const low = new Array<number>(channels).fill(0);
	const high = new Array<number>(channels).fill(1);
	let invalid = 0;
	if (samples instanceof Float32Array) {
		for (let i = 0; i < samples.length; i++) {
			const value = samples[i]!;
			const c = i % channels;
			if (!Number.isFinite(value)) invalid++;
			else if (options.spreads) {
				low[c] = Math.min(low[c]!, value);
				high[c] = Math.max(high[c]!, value);
			}
		}
	}
	const out = new Uint8Array(samples.length);
	for (let i = 0; i < samples.length; i++) {
		const c = i % channels;
		const value = samples[i]! / full;
		const part = Number.isFinite(value) ? (value - low[c]!) / (high[c]! - low[c]!) : 0;
		const unit = Math.min(1, Math.max(0, part));
		out[i] = Math.round(255 * (options.isSrgb && c !== alpha ? toSrgb(unit) : unit));
	}
	return {
		raster: { width, height, channels, samples: out },
		scale: high.map((value, c) => value - low[c]!),
		bias: low,
		invalid,
	};
}

/** The sRGB curve (IEC 61966-2-1), from 0 to 1. */
export function toSrgb(linear: number): number {
	return linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
}

/** The inverse of the sRGB curve. */
export function fromSrgb(stored: number): number {
	return stored <= 0.04045 ? stored / 12.92 : ((stored + 0.055) / 1.055) ** 2.4;
}

/** A grey image in three equal channels, alpha kept. */
export function inColour(image: Raster): Raster {
	const { width, height, channels, samples } = image;
	if (channels >= 3) return image;
	const now = channels === 1 ? 3 : 4;
	const count = width * height * now;
	const wide =
		samples instanceof Uint8Array
			? new Uint8Array(count)
			: samples instanceof Uint16Array
				? new Uint16Array(count)
				: new Float32Array(count);
	for (let i = 0; i < width * height; i++) {
		for (let c = 0; c < 3; c++) wide[i * now + c] = samples[i * channels]!;
		if (now === 4) wide[i * 4 + 3] = samples[i * 2 + 1]!;
	}
	return { width, height, channels: now, samples: wide };
}
