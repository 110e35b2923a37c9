import { baseName, joinFile } from './file-path.ts';

/** How `package://name/file` finds the folder of a ROS package. */
export interface PackageMapOptions {
	/** Folders of packages by name; these win. */
	readonly packages?: Readonly<Record<string, string>> | ReadonlyMap<string, string>;
	/** Value of AMENT_PREFIX_PATH: install prefixes, with packages below `share`. */
	readonly amentPrefixPath?: string;
	/** Value of ROS_PACKAGE_PATH: packages, or folders of packages. */
	readonly rosPackagePath?: string;
	/** What separates the folders of a path variable: `:`, or `;` on Windows. */
	readonly separator?: string;
}

/** Options of a package map that are used when absent. */
export const PACKAGE_MAP_DEFAULTS: { readonly separator: string } = { separator: ':' };

/** Folders in which ROS packages are looked for. */
export class PackageMap {
	readonly #explicit: ReadonlyMap<string, string>;
	readonly #prefixes: readonly string[];
	readonly #folders: readonly string[];

	constructor(options: PackageMapOptions = {}) {
		const { packages = {} } = options;
		this.#explicit = packages instanceof Map ? packages : new Map(Object.entries(packages));
		const separator = options.separator ?? PACKAGE_MAP_DEFAULTS.separator;
		this.#prefixes = split(options.amentPrefixPath, separator);
		this.#folders = split(options.rosPackagePath, separator);
	}

	/** The folders that a package may be in, the best first. */
	foldersOf(name: string): string[] {
		const explicit = this.#explicit.get(name);
		if (explicit !== undefined) return [explicit];
		// ROS names begin with a letter; '.' and '..' would name the folders around the packages
		if (/^\.+$/.test(name)) return [];
		const folders = this.#prefixes.map((prefix) => joinFile(prefix, `share/${name}`));
		for (const folder of this.#folders) {
			folders.push(baseName(folder) === name ? folder : joinFile(folder, name));
		}
		return folders;
	}
}

/** The package and the file of `package://name/file`; undefined for other paths. */
export function splitPackageUri(path: string): readonly [name: string, file: string] | undefined {
	const match = /^package:\/\/([^/\\]+)[/\\](.+)$/.exec(path);
	return match === null ? undefined : [match[1]!, match[2]!];
}

function split(value: string | undefined, separator: string): string[] {
	return (value ?? '').split(separator).flatMap((folder) => {
		const path = folder
			.trim()
			.replaceAll('\\', '/')
			.replace(/(.)\/+$/, '$1');
		return path === '' ? [] : [path];
	});
}
