import { readdirSync, statSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';

/** Where ROS packages are looked for. */
export interface PackageSources {
	/** Folders by package name; these win. */
	readonly map: ReadonlyMap<string, string>;
	/** Install prefixes (ROS 2): the package `robot` is in `PREFIX/share/robot`. */
	readonly amentPrefixes: readonly string[];
	/** Source folders (ROS 1) that hold packages, themselves or one or two levels below. */
	readonly rosFolders: readonly string[];
}

/** The sources that the environment names, with packages that the user gave by hand. */
export function packageSources(
	map: ReadonlyMap<string, string>,
	env: Readonly<Record<string, string | undefined>>,
): PackageSources {
	return { map, amentPrefixes: folders(env['AMENT_PREFIX_PATH']), rosFolders: folders(env['ROS_PACKAGE_PATH']) };
}

/** The folder of a ROS package; undefined when there is none. */
export function findPackage(name: string, sources: PackageSources): string | undefined {
	const given = sources.map.get(name);
	if (given !== undefined) return given;
	// the name is a single part of a path, never a way out of the folders that are searched
	if (!/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(name)) return undefined;
	for (const prefix of sources.amentPrefixes) {
		const folder = join(prefix, 'share', name);
		if (isFolder(folder)) return folder;
	}
	for (const folder of sources.rosFolders) {
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
