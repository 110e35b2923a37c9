import { readdirSync, statSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { toSlashes } from './slashes.ts';

/** Options of {@link RosPackages}. @public */
export interface RosPackagesOptions {
	/** Folders by package name; these win. */
	readonly folders?: ReadonlyMap<string, string>;
	/** Folders that hold packages, themselves or one or two levels below; they are looked at before the environment. */
	readonly holders?: readonly string[];
	/** Environment: `AMENT_PREFIX_PATH` has install prefixes (ROS 2), `ROS_PACKAGE_PATH` source folders (ROS 1). */
	readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Finds the folders of ROS packages on disk. @public */
export class RosPackages {
	readonly #given: ReadonlyMap<string, string>;
	/** The package `robot` is in `PREFIX/share/robot`. */
	readonly #amentPrefixes: readonly string[];
	/** Hold packages, themselves or one or two levels below: those that were given, and those of the environment. */
	readonly #holders: readonly string[];
	readonly #rosFolders: readonly string[];

	constructor({ folders: given = new Map(), holders = [], env = {} }: RosPackagesOptions = {}) {
		this.#given = given;
		this.#amentPrefixes = folders(env['AMENT_PREFIX_PATH']);
		this.#holders = holders;
		this.#rosFolders = folders(env['ROS_PACKAGE_PATH']);
	}

	/** The folder of a package; none when it is not known. */
	foldersOf(name: string): string[] {
		const found = this.#find(name);
		return found === undefined ? [] : [toSlashes(found)];
	}

	#find(name: string): string | undefined {
		const given = this.#given.get(name);
		if (given !== undefined) return given;
		// the name is a single part of a path, never a way out of the folders that are searched
		if (!/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(name)) return undefined;
		const held = findBelow(this.#holders, name);
		if (held !== undefined) return held;
		for (const prefix of this.#amentPrefixes) {
			const folder = join(prefix, 'share', name);
			if (isFolder(folder)) return folder;
		}
		return findBelow(this.#rosFolders, name);
	}
}

/** The folder of a package among folders that hold packages. */
function findBelow(holders: readonly string[], name: string): string | undefined {
	for (const folder of holders) {
		const candidates = [
			...(basename(folder) === name ? [folder] : []),
			join(folder, name),
			...subfolders(folder).map((below) => join(folder, below, name)),
		];
		const found = candidates.find(isFolder);
		if (found !== undefined) return found;
	}
	return undefined;
}

function folders(list: string | undefined): string[] {
	return (list ?? '').split(delimiter).filter((folder) => folder !== '');
}

function isFolder(path: string): boolean {
	try {
		return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
	} catch {
		return false;
	}
}

function subfolders(folder: string): string[] {
	try {
		return readdirSync(folder, { withFileTypes: true })
			.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
			.map((entry) => entry.name)
			.sort();
	} catch {
		return [];
	}
}
