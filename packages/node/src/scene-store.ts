import { isAbsolute, join, resolve } from 'node:path';
import type { AssetIdentity } from '@manyworlds/usd';
import { FileStore, type FileStoreOptions } from './file-store.ts';
import { robotFolders } from './robot-folders.ts';
import { toSlashes } from './slashes.ts';

/** Options of a {@link SceneStore}. @public */
export interface SceneStoreOptions extends Omit<FileStoreOptions, 'roots'> {
	/** The file of the scene. */
	readonly file: string;
	/** Working directory. */
	readonly cwd: string;
	/** Further folders that may be read. */
	readonly roots?: readonly string[];
}

/**
 * Files that a scene refers to, and those that its assets refer to. Paths in the scene are relative to it, or to the working
 * directory where there is nothing beside the scene. Both folders may be read, checkouts, and the ROS packages of assets. @public
 */
export class SceneStore extends FileStore {
	readonly #scene: string;
	readonly #cwd: string;

	constructor(options: SceneStoreOptions) {
		const scene = resolve(options.file);
		super({ ...options, roots: [...robotFolders(scene), options.cwd, ...(options.roots ?? [])] });
		this.#scene = toSlashes(scene);
		this.#cwd = options.cwd;
	}

	override identify(assetPath: string, anchor: string): AssetIdentity {
		const beside = super.identify(assetPath, anchor);
		if (anchor !== this.#scene) return beside;
		const isThere = (found: AssetIdentity): boolean =>
			found.refusal === undefined && this.exists(found.identifier) === true;
		const isRelative = !isAbsolute(assetPath) && !/^[A-Za-z][\w+.-]+:/.test(assetPath);
		const fromCwd = isRelative && !isThere(beside) ? super.identify(toSlashes(join(this.#cwd, assetPath)), '') : beside;
		const chosen = isThere(fromCwd) ? fromCwd : beside;
		if (isThere(chosen)) for (const folder of robotFolders(chosen.identifier)) this.allow(folder);
		return chosen;
	}
}
