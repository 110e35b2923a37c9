import {
	closeSync,
	fsync,
	fsyncSync,
	linkSync,
	mkdirSync,
	openSync,
	readFileSync,
	renameSync,
	rmSync,
	unlinkSync,
	writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

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
	return putInPlace(temporary, path, sync);
}

/** Files that are written at once: each needs a descriptor until it is on the disk. */
const MOST_AT_ONCE = 64;
const syncLater = promisify(fsync);

/**
 * Does the same for many files, and waits for the disk once for all of them: it makes files last together in little more time than one.
 * The folders must be there.
 */
export async function commitFiles(
	files: readonly { readonly path: string; readonly bytes: Uint8Array }[],
	temporaryFolder: string,
	sync: (folder: string) => void,
): Promise<(Uint8Array | undefined)[]> {
	const known: (Uint8Array | undefined)[] = [];
	for (let first = 0; first < files.length; first += MOST_AT_ONCE) {
		const some = files.slice(first, first + MOST_AT_ONCE);
		const opened: { readonly temporary: string; readonly descriptor: number }[] = [];
		try {
			for (const { bytes } of some) {
				const temporary = join(temporaryFolder, uniqueName());
				const descriptor = openSync(temporary, 'wx');
				opened.push({ temporary, descriptor });
				writeWhole(descriptor, bytes);
			}
			// none is closed before all have answered
			const synced = await Promise.allSettled(opened.map(({ descriptor }) => syncLater(descriptor)));
			for (const one of synced) if (one.status === 'rejected') throw one.reason;
		} catch (error) {
			for (const { temporary } of opened) rmSync(temporary, { force: true });
			throw error;
		} finally {
			for (const { descriptor } of opened) closeSync(descriptor);
		}
		for (const [i, { path }] of some.entries()) known.push(putInPlace(opened[i]!.temporary, path, sync));
	}
	return known;
}

/** Gives a file its name, unless there is one with that name: then its bytes are given. The temporary name is gone in any case. */
function putInPlace(temporary: string, path: string, sync: (folder: string) => void): Uint8Array | undefined {
	try {
		linkSync(temporary, path);
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		// file systems without hard links: the last one wins, with the same bytes
		if (code === 'EPERM' || code === 'ENOTSUP' || code === 'EOPNOTSUPP' || code === 'ENOSYS') {
			renameSync(temporary, path);
			sync(dirname(path));
			return undefined;
		}
		rmSync(temporary, { force: true });
		if (code !== 'EEXIST') throw error;
		return readFileSync(path);
	}
	unlinkSync(temporary);
	sync(dirname(path));
	return undefined;
}

function writeWhole(descriptor: number, bytes: Uint8Array): void {
	for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
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
		writeWhole(descriptor, bytes);
		fsyncSync(descriptor);
	} catch (error) {
		rmSync(path, { force: true });
		throw error;
	} finally {
		closeSync(descriptor);
	}
}

/** Makes the names of new files in many folders last, waiting for the disk once. */
export async function syncFolders(folders: Iterable<string>): Promise<void> {
	const waiting = [...folders];
	const work = async (): Promise<void> => {
		for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
			let descriptor: number | undefined;
			try {
				descriptor = openSync(folder, 'r');
				await syncLater(descriptor);
			} catch (error) {
				if (!cannotSync(error)) throw error;
			} finally {
				if (descriptor !== undefined) closeSync(descriptor);
			}
		}
	};
	await Promise.all(Array.from({ length: MOST_AT_ONCE }, work));
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
		if (!cannotSync(error)) throw error;
	}
}

function cannotSync(error: unknown): boolean {
	return ['EINVAL', 'EPERM', 'EISDIR', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '');
}
