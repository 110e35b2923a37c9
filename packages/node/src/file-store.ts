import { resolve } from 'node:path';
import { DefaultStore, type StoreOptions } from '@manyworlds/usd';
import { FileBytes } from './file-bytes.ts';
import { toSlashes } from './slashes.ts';

/** Options of a {@link FileStore}. @public */
export interface FileStoreOptions extends Omit<StoreOptions, 'source' | 'network'> {
	/** Folders below which files may be read. */
	readonly roots: readonly string[];
	/** Told about each file before it is read, with its size in bytes. */
	readonly onRead?: (file: string, size: number) => void;
}

/**
 * A store of files on disk. Nothing outside the allowed folders is read, whatever links lead to, and nothing from a network.
 * Identifiers are absolute paths with forward slashes.
 *
 * ```ts
 * const store = new FileStore({ roots: ['/robots'], packages: new RosPackages({ env: process.env }) });
 * const layer = store.open('/robots/arm.usda');
 * ```
 * @public
 */
export class FileStore extends DefaultStore {
	constructor(options: FileStoreOptions) {
		const roots = options.roots.map((root) => toSlashes(resolve(root)));
		super({ ...options, roots, source: new FileBytes(roots, options) });
	}
}
