import { posix } from 'node:path';
import { quote, Report } from '@manyworlds/core';
import {
	type AssetContent,
	type AssetIdentity,
	type AssetSource,
	DefaultResolver,
	isPackageRelativePath,
	joinPackageRelativePath,
	Layer,
	type LayerFailure,
	openOne,
	PackageMap,
	splitPackageRelativePathOuter,
} from '@manyworlds/usd';
import { toSlashes } from './command-context.ts';
import { FileBackend, type FileBackendOptions, OUTSIDE } from './file-backend.ts';
import { findPackage, type PackageSources } from './package-folders.ts';

/** Options of {@link FileSource}. */
export interface FileSourceOptions extends FileBackendOptions {
	/** Folders below which files may be read, as absolute paths. */
	readonly roots: readonly string[];
	readonly packages: PackageSources;
	/** How messages name a file. */
	readonly display: (file: string) => string;
	/** Takes what is wrong with the layers that are read. */
	readonly report: Report;
}

/**
 * Layers and other files on disk, for a stage. Nothing outside the allowed folders is read, and nothing from a network.
 * Identifiers are absolute paths with forward slashes; members of packages are `package.usdz[member]`.
 */
export class FileSource implements AssetSource {
	readonly #options: FileSourceOptions;
	readonly #backend: FileBackend;
	readonly #resolver: DefaultResolver;
	/** Folders of the ROS packages that paths have named so far. */
	readonly #rosPackages = new Map<string, string>();
	readonly #layers = new Map<string, Layer | LayerFailure>();
	readonly #texts = new Map<Layer, Uint8Array>();
	readonly #bytes = new Map<Layer, Uint8Array>();

	constructor(options: FileSourceOptions) {
		this.#options = options;
		const roots = options.roots.map((root) => posix.normalize(toSlashes(root)).replace(/(?<=.)\/$/, ''));
		this.#backend = new FileBackend(roots, options);
		const packages = new PackageMap({ packages: this.#rosPackages });
		this.#resolver = new DefaultResolver({ backend: this.#backend, roots, packages });
	}

	/** The bytes of a text layer, for places in it. */
	text(layer: Layer): Uint8Array | undefined {
		return this.#texts.get(layer);
	}

	/** The bytes that a layer was read from, whatever its format. */
	bytesOf(layer: Layer): Uint8Array | undefined {
		return this.#bytes.get(layer);
	}

	/** The bytes of a file that is no layer; undefined when it cannot be read. */
	readFile(identifier: string): Uint8Array | undefined {
		const content = this.#read(identifier);
		return 'bytes' in content ? content.bytes : undefined;
	}

	/** How messages name a layer. */
	name(layer: Layer): string {
		return this.#display(layer.identifier);
	}

	identify(assetPath: string, anchor: Layer): AssetIdentity {
		const scheme = /^([A-Za-z][A-Za-z0-9+.-]+):/.exec(assetPath)?.[1]?.toLowerCase();
		if (scheme === 'package') return this.#identifyRosPackage(assetPath, anchor);
		if (scheme !== undefined) {
			return { identifier: assetPath, refusal: `it is an address (${scheme}:), and addresses are not read` };
		}
		const { identifier, refusal } = this.#resolver.resolve(assetPath, anchor.identifier);
		if (refusal !== undefined) {
			const isInside = identifier === '' || isPackageRelativePath(identifier);
			return { identifier, refusal: isInside ? refusal : OUTSIDE };
		}
		// a path that would be searched for and is nowhere stays as it is
		if (/^(?:\.\.?)?\//.test(assetPath) || this.resolve(identifier) !== undefined) return { identifier };
		return { identifier: assetPath };
	}

	layer(identifier: string): Layer | LayerFailure {
		let found = this.#layers.get(identifier);
		if (found === undefined) {
			found = this.#open(this.#read(identifier));
			this.#layers.set(identifier, found);
		}
		return found;
	}

	resolve(identifier: string): string | undefined {
		if (!posix.isAbsolute(identifier)) return undefined;
		const [outer, inner] = splitPackageRelativePathOuter(identifier);
		if (inner === '') return this.#backend.exists(outer) ? identifier : undefined;
		return 'bytes' in this.#read(identifier) ? identifier : undefined;
	}

	#read(identifier: string): AssetContent {
		if (!posix.isAbsolute(identifier)) return { identifier, failure: '' };
		try {
			return this.#resolver.readSync(identifier)!;
		} catch (error) {
			return { identifier, failure: (error as Error).message };
		}
	}

	/** Makes a layer of what was read. One with mistakes is used as far as it could be read; the report has them. */
	#open(content: AssetContent): Layer | LayerFailure {
		if ('failure' in content) return content;
		const { identifier, bytes } = content;
		// the root layer of a package has the name of its member too
		const known = this.#layers.get(identifier);
		if (known !== undefined) return known;
		const report = new Report();
		const opened = openOne(bytes, this.#display(identifier), report);
		if (opened === undefined) return { failure: report.toArray()[0]?.message ?? 'it is no layer' };
		this.#options.report.addAll(report);
		const layer = new Layer(identifier, opened.data);
		this.#bytes.set(layer, bytes);
		if (opened.format === 'usda') this.#texts.set(layer, bytes);
		this.#layers.set(identifier, layer);
		return layer;
	}

	#identifyRosPackage(assetPath: string, anchor: Layer): AssetIdentity {
		const name = /^package:\/\/([^/\\]*)/i.exec(assetPath)?.[1] ?? '';
		if (!this.#rosPackages.has(name)) {
			const folder = findPackage(name, this.#options.packages);
			if (folder === undefined) {
				const refusal = `no ROS package ${quote(name)} is known; name its folder with --package ${name || 'NAME'}=DIR`;
				return { identifier: assetPath, refusal };
			}
			this.#rosPackages.set(name, toSlashes(folder));
			this.#backend.roots.push(toSlashes(folder));
		}
		return this.#resolver.resolve(assetPath, anchor.identifier);
	}

	#display(identifier: string): string {
		const [outer, inner] = splitPackageRelativePathOuter(identifier);
		return joinPackageRelativePath(this.#options.display(outer), inner);
	}
}
