import { readFileSync, realpathSync, statSync } from 'node:fs';
import type { AssetBackend } from '@manyworlds/usd';
import { toSlashes } from './command-context.ts';

/** Says why a file may not be read, whatever its path looks like. */
export const OUTSIDE = 'it lies outside of the folders that may be read; --root DIR allows one more';

/** Options of {@link FileBackend}. */
export interface FileBackendOptions {
	/** Bytes of a file that was read before. */
	readonly given?: readonly [file: string, bytes: Uint8Array];
	/** Told about each file before it is read. */
	readonly onRead?: (file: string, size: number) => void;
}

/** Files on disk, by absolute path. A link counts by where it leads: out of the roots it is not followed. */
export class FileBackend implements AssetBackend {
	/** Folders below which files may be read. */
	readonly roots: string[];
	readonly #options: FileBackendOptions;
	readonly #realRoots = new Map<string, string>();

	constructor(roots: readonly string[], options: FileBackendOptions = {}) {
		this.roots = [...roots];
		this.#options = options;
	}

	exists(name: string): boolean {
		return this.#leadsInside(name) && sizeOf(name) !== undefined;
	}

	/** Throws when the operating system refuses, or a link leads out of the roots. */
	readSync(name: string): Uint8Array | undefined {
		if (!this.#leadsInside(name)) throw new Error(OUTSIDE);
		const size = sizeOf(name);
		if (size === undefined) return undefined;
		const { given, onRead } = this.#options;
		if (given?.[0] === name) return given[1];
		onRead?.(name, size);
		return readFileSync(name);
	}

	#leadsInside(name: string): boolean {
		const real = realPath(name);
		// what is not there leads nowhere
		if (real === undefined) return true;
		return this.roots.some((root) => isBelow(this.#realRoot(root), real));
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
