import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { quote } from '@manyworlds/core';
import {
	type AssetContent,
	type AssetResolution,
	type AssetResolver,
	DefaultResolver,
	PackageMap,
} from '@manyworlds/usd';
import { toSlashes } from './command-context.ts';
import { FileBackend, type FileBackendOptions, OUTSIDE } from './file-backend.ts';
import { findPackage, type PackageSources } from './package-folders.ts';

/** Folders of a ROS package that hold robot descriptions; meshes are beside them. */
const DESCRIPTION_FOLDERS = new Set(['mjcf', 'model', 'models', 'robot', 'robots', 'urdf', 'urdfs', 'xacro', 'xml']);

/** Options of {@link RobotResolver}. */
export interface RobotResolverOptions extends FileBackendOptions {
	/** The file of the robot, as an absolute path. */
	readonly file: string;
	/** Further folders that may be read. */
	readonly roots: readonly string[];
	readonly packages: PackageSources;
}

/**
 * Files that a URDF or MJCF file refers to. Its folder may be read, its ROS package when there is a `package.xml` above it,
 * and the folder above one that is called `urdf` or likewise.
 */
export class RobotResolver implements AssetResolver {
	readonly #packages: PackageSources;
	readonly #known = new Map<string, string>();
	readonly #backend: FileBackend;
	#resolver: DefaultResolver;

	constructor(options: RobotResolverOptions) {
		const roots = [dirname(options.file), ...packageRoots(options.file), ...options.roots].map(toSlashes);
		this.#packages = options.packages;
		this.#backend = new FileBackend(roots, options);
		this.#resolver = this.#makeResolver();
	}

	/** Allows to read a folder and all below it. */
	allow(folder: string): void {
		const root = toSlashes(folder);
		if (this.#backend.roots.includes(root)) return;
		this.#backend.roots.push(root);
		this.#resolver = this.#makeResolver();
	}

	/** Whether there is a file that may be read. */
	exists(identifier: string): boolean {
		return this.#backend.exists(identifier);
	}

	resolve(assetPath: string, anchor: string): AssetResolution {
		const name = /^package:\/\/([^/\\]*)/i.exec(assetPath)?.[1];
		if (name !== undefined && !this.#known.has(name)) {
			const folder = findPackage(name, this.#packages);
			if (folder === undefined) {
				const refusal = `no ROS package ${quote(name)} is known; name its folder with --package ${name || 'NAME'}=DIR`;
				return { identifier: assetPath, refusal };
			}
			this.#known.set(name, toSlashes(folder));
			this.allow(folder);
		}
		const found = this.#resolver.resolve(assetPath, anchor);
		const isOutside = found.refusal !== undefined && /lies outside/.test(found.refusal);
		return isOutside ? { ...found, refusal: OUTSIDE } : found;
	}

	readSync(identifier: string): AssetContent {
		try {
			return this.#resolver.readSync(identifier) ?? { identifier, failure: '' };
		} catch (error) {
			return { identifier, failure: (error as Error).message };
		}
	}

	async read(identifier: string): Promise<AssetContent> {
		return this.readSync(identifier);
	}

	#makeResolver(): DefaultResolver {
		const packages = new PackageMap({ packages: this.#known });
		return new DefaultResolver({ backend: this.#backend, roots: this.#backend.roots, packages });
	}
}

/** Folders that belong to a robot besides its own: that of its ROS package, and the one above `urdf` or likewise. */
export function packageRoots(file: string): string[] {
	const folder = dirname(file);
	const roots = DESCRIPTION_FOLDERS.has(basename(folder).toLowerCase()) ? [dirname(folder)] : [];
	for (let at = folder; at !== dirname(at); at = dirname(at)) {
		if (existsSync(join(at, 'package.xml'))) return [...roots, at];
	}
	return roots;
}
