import { Inflate } from 'fflate';

/** Deflate makes at most 1032 bytes of one. */
const LARGEST_RATIO = 1032;
/** Input is handed over in pieces of this size, so that a bomb is noticed before it has gone off. */
const PIECE = 1 << 14;

/** Expands deflated `bytes` to exactly `size` bytes. Gives a sentence saying why not when that fails. */
export function inflateMember(bytes: Uint8Array, size: number): Uint8Array | string {
	if (size > bytes.length * LARGEST_RATIO + 64) {
		return `${bytes.length} compressed bytes cannot expand to the ${size} bytes that the directory names`;
	}
	const out = new Uint8Array(size);
	let length = 0;
	let isTooLong = false;
	try {
		const inflate = new Inflate((chunk) => {
			if (length + chunk.length > size) isTooLong = true;
			else out.set(chunk, length);
			length += chunk.length;
		});
		for (let at = 0; at < bytes.length && !isTooLong; at += PIECE) {
			const next = Math.min(at + PIECE, bytes.length);
			inflate.push(bytes.subarray(at, next), next === bytes.length);
		}
	} catch (error) {
		return `the compressed data is damaged (${error instanceof Error ? error.message : 'unknown fault'})`;
	}
	if (isTooLong) return `the compressed data expands to more than the ${size} bytes that the directory names`;
	if (length < size) return `the compressed data expands to ${length} bytes, the directory names ${size}`;
	return out;
}
