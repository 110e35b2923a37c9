import {
	closeSync,
	fsyncSync,
	linkSync,
	mkdirSync,
	openSync,
	readFileSync,
	renameSync,
	rmSync,
	writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';

let count = 0;

/** A name that no other process uses, on this machine or another. */
export function uniqueName(): string {
	return `${hostname()}-${process.pid}-${process.hrtime.bigint().toString(36)}-${count++}`;
}

/**
 * Writes a file that nobody has written yet: under a temporary name, to the disk, then to its place in one step. Gives the bytes that
 * are there already, if there are. `sync` may make the names of many files last together. An interruption at any moment leaves the whole file or none.
 */
export function commitFile(
	path: string,
	bytes: Uint8Array,
	temporaryFolder: string,
	sync: (folder: string) => void = syncFolder,
): Uint8Array | undefined {
	mkdirSync(dirname(path), { recursive: true });
	const temporary = join(temporaryFolder, uniqueName());
	writeDurably(temporary, bytes);
	try {
		try {
			linkSync(temporary, path);
		} catch (error) {
			const { code } = error as NodeJS.ErrnoException;
			if (code === 'EEXIST') return readFileSync(path);
			// file systems without hard links: the last one wins, with the same bytes
			if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP' && code !== 'ENOSYS') throw error;
			renameSync(temporary, path);
		}
	} finally {
		rmSync(temporary, { force: true });
	}
	sync(dirname(path));
	return undefined;
}

/** Puts bytes in the place of a file in one step. */
export function replaceFile(path: string, bytes: Uint8Array, temporaryFolder: string): void {
	mkdirSync(dirname(path), { recursive: true });
	const temporary = join(temporaryFolder, uniqueName());
	writeDurably(temporary, bytes);
	try {
		renameSync(temporary, path);
	} catch (error) {
		rmSync(temporary, { force: true });
		throw error;
	}
	syncFolder(dirname(path));
}

/** Puts a file that is written whole in the place of another, after it is on the disk. */
export function placeFile(from: string, to: string): void {
	const descriptor = openSync(from, 'r+');
	try {
		fsyncSync(descriptor);
	} finally {
		closeSync(descriptor);
	}
	renameSync(from, to);
	syncFolder(dirname(to));
}

function writeDurably(path: string, bytes: Uint8Array): void {
	mkdirSync(dirname(path), { recursive: true });
	const descriptor = openSync(path, 'wx');
	try {
		for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
		fsyncSync(descriptor);
	} catch (error) {
		rmSync(path, { force: true });
		throw error;
	} finally {
		closeSync(descriptor);
	}
}

/** Makes the name of a new file last; file systems that cannot do that for folders are left alone. */
export function syncFolder(folder: string): void {
	try {
		const descriptor = openSync(folder, 'r');
		try {
			fsyncSync(descriptor);
		} finally {
			closeSync(descriptor);
		}
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		if (code !== 'EINVAL' && code !== 'EPERM' && code !== 'EISDIR' && code !== 'EACCES') throw error;
	}
}
