/** Pixels of an image, row by row from the top, channels side by side. @public */
export interface Raster {
	readonly width: number;
	readonly height: number;
	/** 1 grey, 2 grey and alpha, 3 red, green and blue, 4 with alpha. */
	readonly channels: 1 | 2 | 3 | 4;
	/** Whole numbers are parts of 255 or 65535; floats are what they are. */
	readonly samples: Uint8Array | Uint16Array | Float32Array;
}

/**
 * Thrown by decoders for what they do not read; the message completes the sentence "the image …".
 * @example
 * ```ts
 * if (bytes.length < 12) throw new UnreadableImage('is cut off');
 * ```
 * @public
 */
export class UnreadableImage extends Error {}

/** Most pixels of an image that is decoded. */
export const MOST_PIXELS: number = 1 << 27;

/** Makes sure that an image has pixels, and not too many of them. */
export function checkSize(width: number, height: number): void {
	if (!(width > 0 && height > 0)) throw new UnreadableImage(`is ${width} × ${height} pixels`);
	if (width * height > MOST_PIXELS)
		throw new UnreadableImage(`has ${width * height} pixels, more than ${MOST_PIXELS} are not read`);
}

/** The number that stands for 1. @public */
export function fullScale(samples: Raster['samples']): number {
	return samples instanceof Uint8Array ? 255 : samples instanceof Uint16Array ? 65535 : 1;
}

/** A number of an image, 1 for white. */
export function sampleAt({ samples }: Raster, index: number): number {
	return samples[index]! / fullScale(samples);
}

/** Reads bytes that must be there. */
export class ByteReader {
	readonly bytes: Uint8Array;
	readonly view: DataView;
	at: number;
	readonly #isLittle: boolean;

	constructor(bytes: Uint8Array, at = 0, isLittle = true) {
		this.bytes = bytes;
		this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
		this.at = at;
		this.#isLittle = isLittle;
	}

	#take(count: number): number {
		const from = this.at;
		if (from < 0 || from + count > this.bytes.length) throw new UnreadableImage('is cut off');
		this.at = from + count;
		return from;
	}

	u8(): number {
		return this.bytes[this.#take(1)]!;
	}

	u16(): number {
		return this.view.getUint16(this.#take(2), this.#isLittle);
	}

	u32(): number {
		return this.view.getUint32(this.#take(4), this.#isLittle);
	}

	i32(): number {
		return this.view.getInt32(this.#take(4), this.#isLittle);
	}

	f32(): number {
		return this.view.getFloat32(this.#take(4), this.#isLittle);
	}

	/** A 64-bit offset; files are smaller than 2^53 bytes. */
	u64(): number {
		const from = this.#take(8);
		const [low, high] = this.#isLittle ? [from, from + 4] : [from + 4, from];
		return this.view.getUint32(low, this.#isLittle) + this.view.getUint32(high, this.#isLittle) * 2 ** 32;
	}

	slice(count: number): Uint8Array {
		const from = this.#take(count);
		return this.bytes.subarray(from, from + count);
	}

	/** Text up to a zero byte. */
	text(): string {
		let text = '';
		for (let byte = this.u8(); byte !== 0; byte = this.u8()) text += String.fromCharCode(byte);
		return text;
	}
}
