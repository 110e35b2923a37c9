import { nextTask } from '../next-task.ts';
import type { FolderFiles } from './folder-files.ts';

/** Bytes that are copied before the page may do something else. */
const PIECE = 4 * 2 ** 20;
/** Bytes from which on a file is shared: less is not worth a buffer of its own. */
const LEAST = 2 ** 20;

/** Copies of files that a thread can be given: large binary layers in memory that all threads share, where pages may have that. */
export async function* sharedFiles(files: FolderFiles): AsyncGenerator<readonly [string, Uint8Array]> {
	// pages that are not isolated from others have no such memory
	const canShare = globalThis.crossOriginIsolated && typeof SharedArrayBuffer === 'function';
	let copied = 0;
	for (const [path, bytes] of files) {
		if (isShared(bytes)) {
			yield [path, bytes];
			continue;
		}
		const copy = new Uint8Array(
			canShare && bytes.length >= LEAST && isCrate(bytes)
				? new SharedArrayBuffer(bytes.length)
				: new ArrayBuffer(bytes.length),
		);
		for (let at = 0; at < bytes.length; at += PIECE) {
			const piece = bytes.subarray(at, at + PIECE);
			copied += piece.length;
			if (copied > PIECE) {
				await nextTask();
				copied = piece.length;
			}
			copy.set(piece, at);
		}
		yield [path, copy];
	}
}

/** Whether bytes are in memory that threads share: they are given without a copy, and cannot be given away. */
export function isShared({ buffer }: Uint8Array): boolean {
	return typeof SharedArrayBuffer === 'function' && buffer instanceof SharedArrayBuffer;
}

/** Bytes in memory of this thread, for what takes no others: blobs and streams of files. */
export function unshared(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
	return (isShared(bytes) ? bytes.slice() : bytes) as Uint8Array<ArrayBuffer>;
}

/** Binary layers: no reader takes their bytes for text, which browsers do not decode where threads share it. */
function isCrate(bytes: Uint8Array): boolean {
	return [...'PXR-USDC'].every((letter, i) => bytes[i] === letter.charCodeAt(0));
}
