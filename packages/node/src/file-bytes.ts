import { readFileSync, realpathSync, statSync } from 'node:fs';
import { type ByteSource, outsideRefusal } from '@manyworlds/usd/internal';
import type { FileStoreOptions } from './file-store.ts';
import { toSlashes } from './slashes.ts';

/** What {@link FileBytes} takes of the options of a store. */
type FileBytesOptions = Pick<FileStoreOptions, 'onRead' | 'hints'>;

/** Files on disk, by absolute path. A link counts by where it leads: out of the roots it is not followed. */
export class FileBytes implements ByteSource {
	readonly #roots: string[];
	readonly #options: FileBytesOptions;
	readonly #realRoots = new Map<string, string>();

	constructor(roots: readonly string[], options: FileBytesOptions = {}) {
		this.#roots = [...roots];
		this.#options = options;
	}

	allow(folder: string): void {
		this.#roots.push(folder);
	}

	exists(name: string): boolean {
		return this.#leadsInside(name) && sizeOf(name) !== undefined;
	}

	/** Throws when the operating system refuses, or a link leads out of the roots. */
	readSync(name: string): Uint8Array | undefined {
		if (!this.#leadsInside(name)) throw new Error(outsideRefusal(this.#options.hints));
		const size = sizeOf(name);
		if (size === undefined) return undefined;
		this.#options.onRead?.(name, size);
		return readFileSync(name);
	}

	#leadsInside(name: string): boolean {
		const real = realPath(name);
		// what is not there leads nowhere
		if (real === undefined) return true;
		return this.#roots.some((root) => isBelow(this.#realRoot(root), real));
	}

	#realRoot(root: string): string {
		let real = this.#realRoots.get(root);
		if (real === undefined) {
			real = realPath(root) ?? root;
			this.#realRoots.set(root, real);
		}
		return real;
	}
}

function isBelow(folder: string, file: string): boolean {
	return file === folder || file.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

function realPath(path: string): string | undefined {
	try {
		return toSlashes(realpathSync.native(path));
	} catch {
		return undefined;
	}
}

/** Bytes of a regular file; undefined for anything else, such as a folder or a device. */
function sizeOf(file: string): number | undefined {
	try {
		const stats = statSync(file, { throwIfNoEntry: false });
		return stats?.isFile() ? stats.size : undefined;
	} catch {
		return undefined;
	}
}
