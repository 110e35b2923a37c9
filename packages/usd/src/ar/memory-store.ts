import type { Layer } from '../sdf/layer.ts';
import type { AssetFailure } from './asset-store.ts';
import { DefaultStore, type StoreOptions } from './default-store.ts';
import { isAbsoluteFile, joinFile } from './file-path.ts';

/** Files by name, as bytes or as text. @public */
export type MemoryFiles = Readonly<Record<string, string | Uint8Array>> | ReadonlyMap<string, string | Uint8Array>;

/** Options of a {@link MemoryStore}. @public */
export interface MemoryStoreOptions extends Omit<StoreOptions, 'source'> {
	/** Absolute folder that the files are in: identifiers begin with it, messages leave it out. Without one, names are identifiers. */
	readonly folder?: string;
}

/**
 * A store of files in memory.
 *
 * ```ts
 * const store = new MemoryStore({ 'robot.usda': text, 'meshes/arm.stl': bytes });
 * const layer = store.open('robot.usda');
 * ```
 * @public
 */
export class MemoryStore extends DefaultStore {
	readonly #files: Map<string, Uint8Array>;
	readonly #folder: string;

	constructor(files: MemoryFiles = {}, options: MemoryStoreOptions = {}) {
		const { folder = '', ...rest } = options;
		const entries: Iterable<readonly [string, string | Uint8Array]> =
			files instanceof Map ? files : Object.entries(files);
		const content = new Map<string, Uint8Array>();
		for (const [name, data] of entries) content.set(joinFile(folder, name), toBytes(data));
		const prefix = folder.endsWith('/') ? folder : `${folder}/`;
		super({
			...(folder !== '' && {
				roots: [folder],
				displayName: (file: string) => (file.startsWith(prefix) ? file.slice(prefix.length) : file),
			}),
			...rest,
			source: { exists: (name) => content.has(name), readSync: (name) => content.get(name) },
		});
		this.#files = content;
		this.#folder = folder;
	}

	override open(path: string): Layer | AssetFailure {
		return super.open(isAbsoluteFile(path) ? path : joinFile(this.#folder, path));
	}

	/** Adds or replaces a file. A layer that was read from it before stays as it is where it is in use. */
	set(name: string, data: string | Uint8Array): void {
		const file = joinFile(this.#folder, name);
		this.#files.set(file, toBytes(data));
		this.forget(file);
	}
}

function toBytes(data: string | Uint8Array): Uint8Array {
	return typeof data === 'string' ? new TextEncoder().encode(data) : data;
}
