import { quote, Report } from '@manyworlds/core';
import { openPackaged } from '../usdz/open-packaged.ts';
import {
	isPackageRelativePath,
	joinPackageRelativePath,
	splitPackageRelativePathInner,
	splitPackageRelativePathOuter,
} from '../usdz/package-path.ts';
import { readUsdz, type UsdzPackage } from '../usdz/read-usdz.ts';
import type { AssetBackend } from './asset-backend.ts';
import { folderOf, isAbsoluteFile, isUri, joinFile } from './file-path.ts';
import { PackageMap, splitPackageUri } from './package-map.ts';

/** What an asset path stands for. */
export interface AssetResolution {
	/** The anchored path; two spellings of the same place give the same. */
	readonly identifier: string;
	/** Why nothing may be read there. */
	readonly refusal?: string;
}

/** Bytes of an asset, or why there are none. */
export type AssetContent =
	| { readonly identifier: string; readonly bytes: Uint8Array }
	| { readonly identifier: string; readonly failure: string };

/** Finds assets by path and reads them. */
export interface AssetResolver {
	/** What `assetPath` stands for when the asset `anchor` names it; '' for no asset. Reads nothing. */
	resolve(assetPath: string, anchor: string): AssetResolution;
	/** Reads at once; undefined when the backend cannot. A package gives its root layer, under that layer's identifier. */
	readSync(identifier: string): AssetContent | undefined;
	read(identifier: string): Promise<AssetContent>;
}

/** Options of a {@link DefaultResolver}. */
export interface ResolverOptions {
	readonly backend: AssetBackend;
	/**
	 * Folders that may be read, with all below them. `''` stands for relative names that do not leave their folder, and is
	 * all there is unless this says otherwise. Folders of packages given by `packages` may be read as well.
	 */
	readonly roots?: readonly string[];
	/** Folders in which paths without `./` are looked for when they are not beside the asset that names them. */
	readonly searchPaths?: readonly string[];
	readonly packages?: PackageMap;
	/** Addresses that may be read, with all that begin with them; none unless given. */
	readonly network?: readonly string[];
}

export const RESOLVER_DEFAULTS: { readonly roots: readonly string[] } = { roots: [''] };

/** Resolves paths as OpenUSD's default resolver does, within the roots that the caller allows. */
export class DefaultResolver implements AssetResolver {
	readonly #backend: AssetBackend;
	readonly #roots: readonly string[];
	readonly #searchPaths: readonly string[];
	readonly #packages: PackageMap;
	readonly #network: readonly string[];
	/** Folders of packages that were asked for; the caller named them. */
	readonly #packageRoots = new Set<string>();
	readonly #opened = new Map<string, UsdzPackage>();

	constructor(options: ResolverOptions) {
		this.#backend = options.backend;
		this.#roots = (options.roots ?? RESOLVER_DEFAULTS.roots).map((root) => (root === '' ? '' : joinFile('', root)));
		this.#searchPaths = options.searchPaths ?? [];
		this.#packages = options.packages ?? new PackageMap();
		this.#network = options.network ?? [];
	}

	resolve(assetPath: string, anchor: string): AssetResolution {
		if (assetPath === '') return { identifier: '', refusal: 'the path is empty' };
		if (assetPath.includes('\0')) return { identifier: '', refusal: 'the path holds a zero byte' };
		const [path, inner] = isPackageRelativePath(assetPath) ? splitPackageRelativePathOuter(assetPath) : [assetPath, ''];
		const place = this.#locate(path, anchor);
		if (inner === '' || place.refusal !== undefined) return place;
		const member = joinFile('', inner);
		return { identifier: joinPackageRelativePath(place.identifier, member) };
	}

	readSync(identifier: string): AssetContent | undefined {
		const refusal = this.#refusal(identifier);
		if (refusal !== undefined) return { identifier, failure: refusal };
		const [file, member] = splitPackageRelativePathOuter(identifier);
		const opened = this.#opened.get(file);
		if (opened !== undefined) return this.#fromPackage(opened, file, member);
		if (this.#backend.readSync === undefined) return undefined;
		return this.#content(identifier, this.#backend.readSync(file));
	}

	async read(identifier: string): Promise<AssetContent> {
		const now = this.readSync(identifier);
		if (now !== undefined) return now;
		const [file] = splitPackageRelativePathOuter(identifier);
		if (this.#backend.read === undefined) return { identifier, failure: 'nothing can be read here' };
		try {
			return this.#content(identifier, await this.#backend.read(file));
		} catch (error) {
			return { identifier, failure: error instanceof Error ? error.message : String(error) };
		}
	}

	#content(identifier: string, bytes: Uint8Array | undefined): AssetContent {
		const [file, member] = splitPackageRelativePathOuter(identifier);
		if (bytes === undefined) return { identifier, failure: '' };
		if (member === '' && !isZip(bytes)) return { identifier, bytes };
		const opened = readUsdz(bytes, { uri: file, report: new Report() });
		this.#opened.set(file, opened);
		return this.#fromPackage(opened, file, member);
	}

	/** A member of a package; the root layer when none is named. */
	#fromPackage(opened: UsdzPackage, file: string, member: string): AssetContent {
		const entry = member === '' ? opened.rootLayer : openPackaged(opened, member, { uri: file, report: new Report() });
		const identifier = member === '' ? file : joinPackageRelativePath(file, member);
		if (entry === undefined) return { identifier, failure: member === '' ? 'the package has no layer' : '' };
		if (member === '') return { identifier: joinPackageRelativePath(file, entry.name), bytes: entry.bytes };
		if (!isZip(entry.bytes)) return { identifier, bytes: entry.bytes };
		// a package inside the package: its root layer
		const inner = readUsdz(entry.bytes, { uri: identifier, report: new Report() }).rootLayer;
		if (inner === undefined) return { identifier, failure: 'the package has no layer' };
		return { identifier: joinPackageRelativePath(file, member, inner.name), bytes: inner.bytes };
	}

	/** Anchors a path without member. */
	#locate(assetPath: string, anchor: string): AssetResolution {
		const inPackage = splitPackageUri(assetPath);
		if (inPackage !== undefined) return this.#inRosPackage(...inPackage, assetPath);
		if (isUri(assetPath)) return this.#checked(fromFileUri(assetPath));
		const path = assetPath.replaceAll('\\', '/');
		if (isPackageRelativePath(anchor)) return this.#insidePackage(path, anchor);
		if (isUri(anchor)) return this.#checked(joinAddress(anchor, path));
		if (isAbsoluteFile(path)) return this.#checked(joinFile('', path));
		const beside = joinFile(folderOf(anchor), path);
		const isRelative = path.startsWith('./') || path.startsWith('../');
		if (isRelative || this.#searchPaths.length === 0 || this.#exists(beside)) return this.#checked(beside);
		for (const folder of this.#searchPaths) {
			const candidate = joinFile(folder, path);
			if (this.#exists(candidate)) return this.#checked(candidate);
		}
		return this.#checked(beside);
	}

	/** Paths authored in a member of a package lead to members of it. */
	#insidePackage(path: string, anchor: string): AssetResolution {
		const [file, member] = splitPackageRelativePathInner(anchor);
		const identify = (name: string): string => joinPackageRelativePath(file, name);
		if (isAbsoluteFile(path)) return this.#checked(joinFile('', path));
		const name = joinFile(folderOf(member), path);
		if (name === '..' || name.startsWith('../')) {
			return { identifier: identify(name), refusal: `the path leads out of the package ${quote(file)}` };
		}
		// names without './' may also be meant from the root of the package
		if (!/^\.\.?\//.test(path) && name !== path) {
			const [outer, prefix] = splitPackageRelativePathOuter(file);
			const opened = prefix === '' ? this.#opened.get(outer) : undefined;
			if (opened !== undefined && opened.find(name) === undefined && opened.find(path) !== undefined) {
				return this.#checked(identify(joinFile('', path)));
			}
		}
		return this.#checked(identify(name));
	}

	#inRosPackage(name: string, file: string, assetPath: string): AssetResolution {
		const folders = this.#packages.foldersOf(name);
		if (folders.length === 0) {
			return { identifier: assetPath, refusal: `the package ${quote(name)} is not in the package map` };
		}
		const relative = joinFile('', file.replaceAll('\\', '/'));
		if (relative.startsWith('..') || isAbsoluteFile(relative)) {
			return { identifier: assetPath, refusal: `the path leads out of the package ${quote(name)}` };
		}
		const found = folders.find((folder) => this.#backend.exists?.(joinFile(folder, relative)) !== false) ?? folders[0]!;
		const root = joinFile('', found);
		this.#packageRoots.add(root);
		return this.#checked(joinFile(root, relative));
	}

	#exists(name: string): boolean {
		return this.#refusal(name) === undefined && this.#backend.exists?.(name) !== false;
	}

	#checked(identifier: string): AssetResolution {
		const refusal = this.#refusal(identifier);
		return refusal === undefined ? { identifier } : { identifier, refusal };
	}

	/** Why a place may not be read; undefined when it may. */
	#refusal(identifier: string): string | undefined {
		const [file] = splitPackageRelativePathOuter(identifier);
		if (isUri(file)) {
			if (this.#network.some((prefix) => isBelowAddress(prefix, file))) return undefined;
			return `${quote(file)} is an address, and reading addresses was not asked for`;
		}
		for (const root of this.#roots) if (isWithin(root, file)) return undefined;
		for (const root of this.#packageRoots) if (isWithin(root, file)) return undefined;
		return `${quote(file)} lies outside the folders that may be read`;
	}
}

function isWithin(root: string, file: string): boolean {
	if (/(?:^|\/)\.\.(?:\/|$)/.test(file)) return false;
	if (root === '') return !isAbsoluteFile(file);
	return file === root || file.startsWith(root.endsWith('/') ? root : `${root}/`);
}

function isBelowAddress(prefix: string, address: string): boolean {
	if (/(?:^|\/)\.\.(?:\/|$)/.test(address)) return false;
	return address === prefix || address.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`);
}

function fromFileUri(uri: string): string {
	const match = /^file:\/\/(?:localhost)?(\/.*)$/i.exec(uri);
	if (match === null) return normalAddress(uri);
	let path = match[1]!;
	try {
		path = decodeURIComponent(path);
	} catch {
		// a percent sign that codes nothing stands for itself
	}
	return joinFile('', path.replace(/^\/([A-Za-z]:)/, '$1'));
}

/** A path seen from the asset at an address. */
function joinAddress(anchor: string, path: string): string {
	const match = /^([A-Za-z][A-Za-z0-9+.-]+:\/\/[^/?#]*)([^?#]*)/.exec(anchor);
	if (match === null) return path;
	const [, origin, place] = match;
	const folder = isAbsoluteFile(path) ? '/' : folderOf(place === '' ? '/' : place!) || '/';
	return origin + joinFile(folder, path);
}

function normalAddress(uri: string): string {
	const match = /^([A-Za-z][A-Za-z0-9+.-]+:\/\/[^/?#]*)(\/[^?#]*)(.*)$/.exec(uri);
	return match === null ? uri : match[1] + joinFile('/', match[2]!) + match[3];
}

function isZip(bytes: Uint8Array): boolean {
	return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 0x03 && bytes[3] === 0x04;
}
