import { readFileSync, realpathSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { createDiagnostic, quote, Report } from '@manyworlds/core';
import {
	type AssetIdentity,
	type AssetSource,
	detectFormat,
	joinPackageRelativePath,
	Layer,
	type LayerData,
	type LayerFailure,
	openFile,
	openPackaged,
	readUsda,
	readUsdc,
	readUsdz,
	splitPackageRelativePathInner,
	splitPackageRelativePathOuter,
	type UsdzPackage,
} from '@manyworlds/usd';
import { toSlashes } from './command-context.ts';
import { findPackage, type PackageSources } from './package-folders.ts';

/** Options of {@link FileSource}. */
export interface FileSourceOptions {
	/** Folders below which files may be read, as absolute paths. */
	readonly roots: readonly string[];
	readonly packages: PackageSources;
	/** How messages name a file. */
	readonly display: (file: string) => string;
	/** Takes what is wrong with the layers that are read. */
	readonly report: Report;
	/** Told about each file before it is read. */
	readonly onRead?: (file: string, size: number) => void;
}

/**
 * Layers and other files on disk. Nothing outside the allowed folders is read, links included, and nothing from a network. Identifiers are
 * absolute paths with forward slashes; members of packages are `package.usdz[member]`.
 */
export class FileSource implements AssetSource {
	readonly #options: FileSourceOptions;
	readonly #roots: string[];
	readonly #layers = new Map<string, Layer | LayerFailure>();
	readonly #packages = new Map<string, UsdzPackage>();
	readonly #texts = new Map<Layer, Uint8Array>();
	readonly #packageFolders = new Map<string, string | undefined>();

	constructor(options: FileSourceOptions) {
		this.#options = options;
		this.#roots = options.roots.map(normalize);
	}

	/** The bytes of a text layer, for places in it. */
	text(layer: Layer): Uint8Array | undefined {
		return this.#texts.get(layer);
	}

	/** How messages name a layer. */
	name(layer: Layer): string {
		return this.#display(layer.identifier);
	}

	identify(assetPath: string, anchor: Layer): AssetIdentity {
		const scheme = /^([A-Za-z][A-Za-z0-9+.-]+):/.exec(assetPath)?.[1]?.toLowerCase();
		if (scheme === 'package') return this.#identifyPackage(assetPath);
		if (scheme !== undefined) {
			return { identifier: assetPath, refusal: `it is on a network (${scheme}:), which is not used` };
		}
		const path = toSlashes(assetPath);
		if (posix.isAbsolute(path)) return this.#allow(posix.normalize(path));
		const isRelative = path.startsWith('./') || path.startsWith('../');
		// the innermost package that the layer is in is where its relative paths start
		const [container, member] = splitPackageRelativePathInner(anchor.identifier);
		if (member !== '') {
			const inside = posix.join(posix.dirname(member), path);
			if (inside.startsWith('../')) {
				const identifier = joinPackageRelativePath(container, inside);
				return { identifier, refusal: 'it leads out of the package' };
			}
			const identifier = joinPackageRelativePath(container, inside);
			if (isRelative || this.resolve(identifier) !== undefined) return { identifier };
		}
		const [outer] = splitPackageRelativePathOuter(anchor.identifier);
		const anchored = posix.join(posix.dirname(outer), path);
		if (isRelative || this.resolve(anchored) !== undefined) return this.#allow(anchored);
		return { identifier: path };
	}

	layer(identifier: string): Layer | LayerFailure {
		let found = this.#layers.get(identifier);
		if (found === undefined) {
			found = this.#read(identifier);
			this.#layers.set(identifier, found);
			// the root layer of a package has the name of its member too
			if (found instanceof Layer) this.#layers.set(found.identifier, found);
		}
		return found;
	}

	resolve(identifier: string): string | undefined {
		if (!posix.isAbsolute(identifier)) return undefined;
		const [outer, inner] = splitPackageRelativePathOuter(identifier);
		if (this.#refusal(outer) !== undefined || this.#sizeOf(outer) === undefined) return undefined;
		if (inner === '') return identifier;
		const container = this.#package(outer);
		return container !== undefined && openPackaged(container, inner) !== undefined ? identifier : undefined;
	}

	#identifyPackage(assetPath: string): AssetIdentity {
		const [, name = '', rest = ''] = /^package:\/\/([^/]*)\/?(.*)$/i.exec(assetPath) ?? [];
		if (!this.#packageFolders.has(name)) {
			const found = findPackage(name, this.#options.packages);
			this.#packageFolders.set(name, found);
			if (found !== undefined) this.#roots.push(normalize(found));
		}
		const folder = this.#packageFolders.get(name);
		if (folder === undefined) {
			const refusal = `no ROS package ${quote(name)} is known; name its folder with --package ${name || 'NAME'}=DIR`;
			return { identifier: assetPath, refusal };
		}
		const root = normalize(folder);
		const identifier = posix.join(root, rest);
		if (!isBelow(root, identifier)) return { identifier, refusal: `it leads out of the package ${quote(name)}` };
		return this.#allow(identifier);
	}

	#allow(identifier: string): AssetIdentity {
		const [outer] = splitPackageRelativePathOuter(identifier);
		if (this.#roots.some((root) => isBelow(root, outer))) return { identifier };
		return { identifier, refusal: OUTSIDE };
	}

	/** Why a file may not be read; links count by where they lead. */
	#refusal(file: string): string | undefined {
		const roots = this.#roots;
		if (!roots.some((root) => isBelow(root, file))) return OUTSIDE;
		const real = realPath(file);
		if (real === undefined) return undefined;
		return roots.some((root) => isBelow(realPath(root) ?? root, real)) ? undefined : OUTSIDE;
	}

	#read(identifier: string): Layer | LayerFailure {
		if (!posix.isAbsolute(identifier)) return { failure: '' };
		const [outer, inner] = splitPackageRelativePathOuter(identifier);
		const refusal = this.#refusal(outer);
		if (refusal !== undefined) return { failure: refusal };
		const size = this.#sizeOf(outer);
		if (size === undefined) return { failure: '' };
		try {
			const container = inner === '' ? undefined : this.#package(outer);
			if (container !== undefined) return this.#readMember(container, outer, inner);
			this.#options.onRead?.(outer, size);
			return this.parse(readFileSync(outer), identifier);
		} catch (error) {
			return { failure: (error as Error).message };
		}
	}

	/** Makes a layer of the bytes of a file; of its root layer when it is a package. */
	parse(bytes: Uint8Array, identifier: string): Layer | LayerFailure {
		if (detectFormat(bytes) === 'usdz') {
			const container = readUsdz(bytes, { uri: this.#display(identifier), report: this.#options.report });
			this.#packages.set(identifier, container);
			const member = container.rootLayer;
			if (member === undefined) return { failure: 'the package has no layer in it' };
			return this.layer(joinPackageRelativePath(identifier, member.name));
		}
		const report = new Report();
		const { layer } = openFile(bytes, { file: this.#display(identifier), report });
		return this.#finish(identifier, layer?.data, bytes, report);
	}

	#readMember(container: UsdzPackage, outer: string, inner: string): Layer | LayerFailure {
		const report = new Report();
		const identifier = joinPackageRelativePath(outer, inner);
		const entry = openPackaged(container, inner, { uri: this.#display(outer), report });
		if (entry === undefined) return { failure: 'there is no such file in the package' };
		const { bytes } = entry;
		const uri = this.#display(identifier);
		const format = detectFormat(bytes);
		if (format === 'usdz') {
			const root = readUsdz(bytes, { uri, report }).rootLayer;
			if (root === undefined) return { failure: 'the package has no layer in it' };
			return this.layer(joinPackageRelativePath(identifier, root.name));
		}
		if (format !== 'usda' && format !== 'usdc') return { failure: 'it holds neither usda text nor a crate' };
		const data = format === 'usda' ? readUsda(bytes, { uri, report }) : readUsdc(bytes, { uri, report });
		return this.#finish(identifier, data, bytes, report);
	}

	#finish(identifier: string, data: LayerData | undefined, bytes: Uint8Array, report: Report): Layer | LayerFailure {
		if (data === undefined) return { failure: report.toArray()[0]?.message ?? 'it is no layer' };
		this.#options.report.addAll(report);
		const layer = new Layer(identifier, data);
		this.#layers.set(identifier, layer);
		if (detectFormat(bytes) !== 'usdc') this.#texts.set(layer, bytes);
		return layer;
	}

	#package(file: string): UsdzPackage | undefined {
		let found = this.#packages.get(file);
		if (found === undefined && this.#refusal(file) === undefined && this.#sizeOf(file) !== undefined) {
			try {
				found = readUsdz(readFileSync(file), { uri: this.#display(file), report: this.#options.report });
			} catch (error) {
				const message = `${quote(this.#display(file))} cannot be read: ${(error as Error).message}`;
				this.#options.report.add(createDiagnostic('CLI003', message, { file: this.#display(file) }));
				return undefined;
			}
			this.#packages.set(file, found);
		}
		return found;
	}

	#display(identifier: string): string {
		const [outer, inner] = splitPackageRelativePathOuter(identifier);
		return joinPackageRelativePath(this.#options.display(outer), inner);
	}

	#sizeOf(file: string): number | undefined {
		try {
			const stats = statSync(file, { throwIfNoEntry: false });
			return stats?.isFile() ? stats.size : undefined;
		} catch {
			return undefined;
		}
	}
}

const OUTSIDE = 'it lies outside of the folders that may be read; --root DIR allows one more';

function normalize(folder: string): string {
	return posix.normalize(toSlashes(folder)).replace(/(?<=.)\/$/, '');
}

function isBelow(folder: string, file: string): boolean {
	return file === folder || file.startsWith(folder === '/' ? '/' : `${folder}/`);
}

function realPath(path: string): string | undefined {
	try {
		return toSlashes(realpathSync(path));
	} catch {
		return undefined;
	}
}
