/**
 * Frames in a stream of bytes, for protocols with other programs: the length of what follows (32 bits, little-endian), a kind (one
 * byte), three bytes of nothing, then the contents.
 */

/** Bytes before the contents of a frame. */
export const FRAME_HEAD = 8;

/** A frame with its contents in parts; numbers are little-endian and of 64 bits. */
export function byteFrame(kind: number, parts: readonly (Float64Array | Uint8Array)[]): Uint8Array {
	let size = FRAME_HEAD;
	for (const part of parts) size += part.byteLength;
	const bytes = new Uint8Array(size);
	const view = new DataView(bytes.buffer);
	view.setUint32(0, size - 4, true);
	bytes[4] = kind;
	let at = FRAME_HEAD;
	for (const part of parts) {
		if (part instanceof Uint8Array || IS_LITTLE_ENDIAN)
			bytes.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), at);
		else for (let i = 0; i < part.length; i++) view.setFloat64(at + 8 * i, part[i]!, true);
		at += part.byteLength;
	}
	return bytes;
}

const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** A frame that has arrived. */
export interface ByteFrame {
	readonly kind: number;
	readonly contents: DataView;
}

/** Puts frames together from pieces of a stream. */
export class ByteFrameReader {
	readonly #most: number;
	readonly #head = new Uint8Array(FRAME_HEAD);
	#headSize = 0;
	#contents: Uint8Array | undefined;
	#filled = 0;

	/** `most` is the length of the longest frame that is taken, without the four bytes of its length. */
	constructor(most: number) {
		this.#most = most;
	}

	/** Takes a piece; gives the frames that are whole. Throws for a frame that is too long or too short: the stream is lost. */
	push(piece: Uint8Array): ByteFrame[] {
		const frames: ByteFrame[] = [];
		let at = 0;
		while (at < piece.length || this.#contents?.length === this.#filled) {
			if (this.#contents === undefined) {
				const count = Math.min(FRAME_HEAD - this.#headSize, piece.length - at);
				this.#head.set(piece.subarray(at, at + count), this.#headSize);
				this.#headSize += count;
				at += count;
				if (this.#headSize < FRAME_HEAD) break;
				this.#contents = new Uint8Array(this.#lengthOf());
				this.#filled = 0;
			}
			const count = Math.min(this.#contents.length - this.#filled, piece.length - at);
			this.#contents.set(piece.subarray(at, at + count), this.#filled);
			this.#filled += count;
			at += count;
			if (this.#filled < this.#contents.length) break;
			frames.push({ kind: this.#head[4]!, contents: new DataView(this.#contents.buffer) });
			this.#contents = undefined;
			this.#headSize = 0;
		}
		return frames;
	}

	/** Length of the contents that the head announces. */
	#lengthOf(): number {
		const length = new DataView(this.#head.buffer).getUint32(0, true);
		if (length < FRAME_HEAD - 4 || length > this.#most)
			throw new RangeError(`a frame has ${length} bytes, expected ${FRAME_HEAD - 4} to ${this.#most}`);
		return length + 4 - FRAME_HEAD;
	}
}
