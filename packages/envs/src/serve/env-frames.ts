/**
 * Messages between an environment and a program that learns, over any stream of bytes. A frame is its length without these four bytes
 * (32 bits), its kind (one byte), three bytes of nothing and its contents; numbers are little-endian, arrays follow each other
 * without gaps, those of bytes last.
 */

/** Kinds of frames. */
export const FrameKind = {
	/** To the program: JSON that tells the spaces, see `EnvHello`. */
	HELLO: 1,
	/** To the environment: a seed (64-bit float, not a number for none), then a byte for each world that begins anew, or nothing for all. */
	RESET: 2,
	/** To the environment: actions. */
	STEP: 3,
	/** To the program: observations. */
	OBSERVATIONS: 4,
	/** To the program: observations, rewards, last observations and sums of rewards of episodes that ended; then terminated, truncated. */
	STEPPED: 5,
	/** To the program: a sentence. */
	ERROR: 6,
	/** To the environment: the end. */
	CLOSE: 7,
} as const;
export type FrameKind = (typeof FrameKind)[keyof typeof FrameKind];

/** Bytes before the contents of a frame. */
export const FRAME_HEAD = 8;

/** Version of the frames. */
export const FRAME_VERSION = 1;

/** A frame of arrays one after the other. */
export function frameOf(kind: FrameKind, parts: readonly (Float64Array | Uint8Array)[]): Uint8Array {
	let size = FRAME_HEAD;
	for (const part of parts) size += part.byteLength;
	const bytes = new Uint8Array(size);
	const view = new DataView(bytes.buffer);
	view.setUint32(0, size - 4, true);
	bytes[4] = kind;
	let at = FRAME_HEAD;
	for (const part of parts) {
		if (part instanceof Uint8Array) bytes.set(part, at);
		else for (let i = 0; i < part.length; i++) view.setFloat64(at + 8 * i, part[i]!, true);
		at += part.byteLength;
	}
	return bytes;
}

/** A frame of text. */
export function textFrame(kind: FrameKind, text: string): Uint8Array {
	return frameOf(kind, [new TextEncoder().encode(text)]);
}

/** A frame that has arrived. */
export interface Frame {
	readonly kind: number;
	readonly contents: DataView;
}

/** Puts frames together from pieces of a stream. */
export class FrameReader {
	#bytes: Uint8Array = new Uint8Array(0);
	readonly #most: number;

	/** `most` is the length of the longest frame that is taken. */
	constructor(most: number) {
		this.#most = most;
	}

	/** Takes a piece; gives the frames that are whole. Throws for a frame that is too long or too short: the stream is lost. */
	push(piece: Uint8Array): Frame[] {
		const joined = new Uint8Array(this.#bytes.length + piece.length);
		joined.set(this.#bytes);
		joined.set(piece, this.#bytes.length);
		const frames: Frame[] = [];
		let at = 0;
		while (joined.length - at >= FRAME_HEAD) {
			const view = new DataView(joined.buffer, at);
			const length = view.getUint32(0, true);
			if (length < FRAME_HEAD - 4 || length > this.#most)
				throw new RangeError(`a frame has ${length} bytes, expected ${FRAME_HEAD - 4} to ${this.#most}`);
			if (joined.length - at < 4 + length) break;
			frames.push({
				kind: joined[at + 4]!,
				contents: new DataView(joined.buffer, at + FRAME_HEAD, length + 4 - FRAME_HEAD),
			});
			at += 4 + length;
		}
		this.#bytes = joined.subarray(at);
		return frames;
	}
}
