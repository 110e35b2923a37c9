import { quote } from '@manyworlds/core';
import {
	isPackageRelativePath,
	joinPackageRelativePath,
	splitPackageRelativePathInner,
	splitPackageRelativePathOuter,
} from '../usdz/package-path.ts';
import type { AssetIdentity } from './asset-store.ts';
import { folderOf, isAbsoluteFile, isUri, joinFile } from './file-path.ts';
import { PackageMap, splitPackageUri } from './package-map.ts';

/** Where files may be looked for. @public */
export interface LocatorOptions {
	/**
	 * Folders that may be read, with all below them. `''` stands for relative names that do not leave their folder, and is
	 * all there is unless this says otherwise. Folders of packages given by `packages` may be read as well.
	 */
	readonly roots?: readonly string[];
	/** Folders in which paths without `./` are looked for when they are not beside the asset that names them. */
	readonly searchPaths?: readonly string[];
	/** Finds the folders of ROS packages. */
	readonly packages?: Pick<PackageMap, 'foldersOf'>;
	/** Addresses that may be read, with all that begin with them; none unless given. */
	readonly network?: readonly string[];
	/** What refusals add, such as the option that allows more. */
	readonly hints?: { readonly outside?: string; readonly unknownPackage?: (name: string) => string };
}

export const LOCATOR_DEFAULTS: { readonly roots: readonly string[] } = { roots: [''] };

/** Finds what asset paths stand for as OpenUSD's default resolver does, within the roots that the caller allows. */
export class AssetLocator {
	readonly #roots: Set<string>;
	readonly #searchPaths: readonly string[];
	readonly #packages: Pick<PackageMap, 'foldersOf'>;
	readonly #network: readonly string[];
	readonly #hints: NonNullable<LocatorOptions['hints']>;
	readonly #exists: (identifier: string) => boolean | undefined;
	readonly #onAllow: (folder: string) => void;

	constructor(
		options: LocatorOptions,
		files: {
			readonly exists: (identifier: string) => boolean | undefined;
			readonly onAllow: (folder: string) => void;
		},
	) {
		this.#roots = new Set((options.roots ?? LOCATOR_DEFAULTS.roots).map(normalRoot));
		this.#searchPaths = options.searchPaths ?? [];
		this.#packages = options.packages ?? new PackageMap();
		this.#network = options.network ?? [];
		this.#hints = options.hints ?? {};
		this.#exists = files.exists;
		this.#onAllow = files.onAllow;
	}

	/** Allows to read a folder and all below it. */
	allow(folder: string): void {
		const root = normalRoot(folder);
		if (this.#roots.has(root)) return;
		this.#roots.add(root);
		this.#onAllow(root);
	}

	identify(assetPath: string, anchor: string): AssetIdentity {
		if (assetPath === '') return { identifier: '', refusal: 'the path is empty' };
		if (assetPath.includes('\0')) return { identifier: '', refusal: 'the path holds a zero byte' };
		const [path, inner] = isPackageRelativePath(assetPath) ? splitPackageRelativePathOuter(assetPath) : [assetPath, ''];
		const place = this.#locate(path, anchor);
		if (place.refusal !== undefined) return place;
		const identifier = inner === '' ? place.identifier : joinPackageRelativePath(place.identifier, joinFile('', inner));
		// a path that would be searched for and is nowhere stays as it is
		const isSearched = isAbsoluteFile(identifier) && !/^(?:\.\.?)?[/\\]|^[A-Za-z][A-Za-z0-9+.-]*:/.test(assetPath);
		return isSearched && this.#exists(identifier) === false ? { identifier: assetPath } : { identifier };
	}

	/** Why a place may not be read, '' when there is nothing; undefined when it may. */
	refusal(identifier: string): string | undefined {
		const [file] = splitPackageRelativePathOuter(identifier);
		if (isUri(file)) {
			if (this.#network.some((prefix) => isBelowAddress(prefix, file))) return undefined;
			if (this.#network.length > 0) return 'it lies outside of the addresses that may be read';
			const scheme = file.slice(0, file.indexOf(':') + 1).toLowerCase();
			return `it is an address (${scheme}), and addresses are not read`;
		}
		for (const root of this.#roots) if (isWithin(root, file)) return undefined;
		// only roots say what a relative name is relative to
		if (!isAbsoluteFile(file) && !this.#roots.has('')) return '';
		return outsideRefusal(this.#hints);
	}

	/** Anchors a path without member. */
	#locate(assetPath: string, anchor: string): AssetIdentity {
		if (/^package:\/\//i.test(assetPath)) return this.#inRosPackage(assetPath);
		if (isUri(assetPath)) return this.#checked(fromFileUri(assetPath));
		const path = assetPath.replaceAll('\\', '/');
		if (isPackageRelativePath(anchor)) return this.#insidePackage(path, anchor);
		if (isUri(anchor)) return this.#checked(joinAddress(anchor, path));
		if (isAbsoluteFile(path)) return this.#checked(joinFile('', path));
		const beside = joinFile(folderOf(anchor), path);
		const isRelative = path.startsWith('./') || path.startsWith('../');
		if (isRelative || this.#searchPaths.length === 0 || this.#exists(beside) !== false) return this.#checked(beside);
		for (const folder of this.#searchPaths) {
			const candidate = joinFile(folder, path);
			if (this.refusal(candidate) === undefined && this.#exists(candidate) !== false) return this.#checked(candidate);
		}
		return this.#checked(beside);
	}

	/** Paths authored in a member of a package lead to members of it. */
	#insidePackage(path: string, anchor: string): AssetIdentity {
		const [file, member] = splitPackageRelativePathInner(anchor);
		const identify = (name: string): string => joinPackageRelativePath(file, name);
		if (isAbsoluteFile(path)) return this.#checked(joinFile('', path));
		const name = joinFile(folderOf(member), path);
		if (name === '..' || name.startsWith('../')) {
			return { identifier: identify(name), refusal: `the path leads out of the package ${quote(file)}` };
		}
		// names without './' may also be meant from the root of the package
		if (!/^\.\.?\//.test(path) && name !== path && this.#exists(identify(name)) === false) {
			const fromRoot = identify(joinFile('', path));
			if (this.#exists(fromRoot) === true) return this.#checked(fromRoot);
		}
		return this.#checked(identify(name));
	}

	#inRosPackage(assetPath: string): AssetIdentity {
		const [name, file] = splitPackageUri(assetPath) ?? [/^package:\/\/([^/\\]*)/i.exec(assetPath)![1]!, ''];
		const folders = name === '' ? [] : this.#packages.foldersOf(name);
		if (folders.length === 0) {
			const hint = this.#hints.unknownPackage?.(name) ?? '';
			return { identifier: assetPath, refusal: `no ROS package ${quote(name)} is known${hint}` };
		}
		const relative = joinFile('', file.replaceAll('\\', '/'));
		if (relative.startsWith('..') || isAbsoluteFile(relative)) {
			return { identifier: assetPath, refusal: `the path leads out of the package ${quote(name)}` };
		}
		for (const folder of folders) {
			// the caller named the folders of packages, so they may be read
			this.allow(folder);
			const candidate = joinFile(normalRoot(folder), relative);
			if (this.#exists(candidate) !== false) return this.#checked(candidate);
		}
		return this.#checked(joinFile(normalRoot(folders[0]!), relative));
	}

	#checked(identifier: string): AssetIdentity {
		const refusal = this.refusal(identifier);
		return refusal === undefined ? { identifier } : { identifier, refusal };
	}
}

/** Why a file may not be read that is in none of the roots, or that a link leads out of them. @public */
export function outsideRefusal(hints: LocatorOptions['hints'] = {}): string {
	return `it lies outside of the folders that may be read${hints.outside ?? ''}`;
}

function normalRoot(folder: string): string {
	return folder === '' ? '' : joinFile('', folder.replaceAll('\\', '/'));
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
