import { dirname, isAbsolute, join } from 'node:path';
import type { AssetContent, AssetResolution, AssetResolver } from '@manyworlds/usd';
import { toSlashes } from '../command-context.ts';
import { packageRoots, RobotResolver, type RobotResolverOptions } from '../robot-resolver.ts';

/** Options of {@link SceneResolver}; `file` is that of the scene. */
export interface SceneResolverOptions extends RobotResolverOptions {
	/** Working directory. */
	readonly cwd: string;
}

/**
 * Files that a scene refers to, and those that its assets refer to. Paths in the scene are relative to it, or to the working
 * directory where there is nothing beside the scene. Both folders may be read, checkouts, and the ROS packages of assets.
 */
export class SceneResolver implements AssetResolver {
	readonly #files: RobotResolver;
	readonly #scene: string;
	readonly #cwd: string;

	constructor(options: SceneResolverOptions) {
		this.#scene = toSlashes(options.file);
		this.#cwd = toSlashes(options.cwd);
		this.#files = new RobotResolver({ ...options, roots: [options.cwd, ...options.roots] });
	}

	/** Allows to read a folder and all below it. */
	allow(folder: string): void {
		this.#files.allow(folder);
	}

	resolve(assetPath: string, anchor: string): AssetResolution {
		const found = this.#files.resolve(assetPath, anchor);
		if (anchor !== this.#scene) return found;
		const isThere = found.refusal === undefined && this.#files.exists(found.identifier);
		const isRelative = !isAbsolute(assetPath) && !/^[A-Za-z][\w+.-]+:/.test(assetPath);
		const fromCwd = isThere || !isRelative ? found : this.#files.resolve(join(this.#cwd, assetPath), '');
		const chosen = fromCwd.refusal === undefined && this.#files.exists(fromCwd.identifier) ? fromCwd : found;
		if (chosen.refusal === undefined) {
			for (const folder of [dirname(chosen.identifier), ...packageRoots(chosen.identifier)]) this.allow(folder);
		}
		return chosen;
	}

	readSync(identifier: string): AssetContent {
		return this.#files.readSync(identifier);
	}

	async read(identifier: string): Promise<AssetContent> {
		return this.readSync(identifier);
	}
}
