import {
	closeSync,
	fchmodSync,
	fsyncSync,
	mkdirSync,
	openSync,
	realpathSync,
	renameSync,
	rmSync,
	statSync,
	writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Writes a file under a temporary name beside its place and renames it, so that an interruption leaves the old content or the new,
 * never half. Folders that are missing are made; the mode of a file that is replaced stays; the file that a link leads to is
 * replaced, not the link. Pieces are written one after the other. Throws what the operating system says.
 */
export function writeFileAtomically(file: string, bytes: Uint8Array | readonly Uint8Array[]): void {
	const path = realPath(file);
	const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
	try {
		mkdirSync(dirname(path), { recursive: true });
		const old = statSync(path, { throwIfNoEntry: false });
		if (old?.isDirectory()) throw Object.assign(new Error('it is a folder'), { code: 'EISDIR' });
		writeThrough(temporary, bytes instanceof Uint8Array ? [bytes] : bytes, old?.mode);
		renameSync(temporary, path);
	} catch (error) {
		rmSync(temporary, { force: true });
		throw error;
	}
}

/** What an error of the file system means, in a few words. */
export function fileFault(error: unknown): string {
	const { code, message } = error as NodeJS.ErrnoException;
	const known: Readonly<Record<string, string>> = {
		EACCES: 'permission denied',
		EPERM: 'permission denied',
		EISDIR: 'it is a folder',
		ENOSPC: 'the disk is full',
		EROFS: 'the file system is read-only',
		ERR_FS_FILE_TOO_LARGE: 'it is larger than 2 GiB',
	};
	return known[code ?? ''] ?? message;
}

function realPath(path: string): string {
	try {
		return realpathSync(path);
	} catch {
		return path;
	}
}

function writeThrough(path: string, pieces: readonly Uint8Array[], mode: number | undefined): void {
	const descriptor = openSync(path, 'w');
	try {
		if (mode !== undefined) fchmodSync(descriptor, mode & 0o7777);
		for (const piece of pieces) {
			for (let at = 0; at < piece.length; ) at += writeSync(descriptor, piece, at);
		}
		fsyncSync(descriptor);
	} finally {
		closeSync(descriptor);
	}
}
