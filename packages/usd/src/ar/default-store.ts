import { Report } from '@manyworlds/core';
import { Layer } from '../sdf/layer.ts';
import { openPackaged } from '../usdz/open-packaged.ts';
import { joinPackageRelativePath, splitPackageRelativePathOuter } from '../usdz/package-path.ts';
import { readUsdz, type UsdzPackage } from '../usdz/read-usdz.ts';
import { AssetLocator, type LocatorOptions } from './asset-locator.ts';
import type { AssetFailure, AssetIdentity, AssetStore } from './asset-store.ts';
import type { ByteSource } from './byte-source.ts';
import { detectFormat } from './detect-format.ts';
import { hasContent, openOne } from './open-file.ts';

/** Options of a {@link DefaultStore}. @public */
export interface StoreOptions extends LocatorOptions {
	readonly source: ByteSource;
	/** Gets what is wrong with the files that are read. */
	readonly report?: Report;
	/** How messages name a file; by its identifier unless given. */
	readonly displayName?: (file: string) => string;
	/** What becomes of layers with errors: they are used as far as they could be read, or refused as OpenUSD does. */
	readonly brokenLayers?: 'use' | 'refuse';
}

/** Values of {@link StoreOptions} that are used when absent. @public */
export const STORE_DEFAULTS: { readonly brokenLayers: 'use' } = { brokenLayers: 'use' };

/**
 * The store over any source of bytes: finds files as OpenUSD's default resolver does within the roots that the caller allows,
 * opens packages, and keeps each layer. Identifiers of members of packages are `package.usdz[member]`. @public
 */
export class DefaultStore implements AssetStore {
	readonly report: Report;
	readonly #source: ByteSource;
	readonly #locator: AssetLocator;
	readonly #displayName: (file: string) => string;
	readonly #refusesBroken: boolean;
	readonly #layers = new Map<string, Layer | AssetFailure>();
	/** What layers were read from, by their identifiers. */
	readonly #layerBytes = new Map<string, { readonly bytes: Uint8Array; readonly isText: boolean }>();
	readonly #packages = new Map<string, UsdzPackage>();
	/** Files that were loaded or given, by name. */
	readonly #loaded = new Map<string, Uint8Array | AssetFailure>();
	readonly #missing = new Set<string>();
	readonly #loading = new Map<string, Promise<void>>();

	constructor(options: StoreOptions) {
		this.report = options.report ?? new Report();
		this.#source = options.source;
		this.#displayName = options.displayName ?? ((file) => file);
		this.#refusesBroken = (options.brokenLayers ?? STORE_DEFAULTS.brokenLayers) === 'refuse';
		this.#locator = new AssetLocator(options, {
			exists: (identifier) => this.exists(identifier),
			onAllow: (folder) => this.#source.allow?.(folder),
		});
	}

	/** Allows to read a folder and all below it. */
	allow(folder: string): void {
		this.#locator.allow(folder);
	}

	/** Takes the content of a file that was read elsewhere. */
	give(identifier: string, bytes: Uint8Array): void {
		this.#loaded.set(identifier, bytes);
	}

	/** Opens the layer that a path stands for. */
	open(path: string): Layer | AssetFailure {
		const { identifier, refusal } = this.identify(path, '');
		if (refusal !== undefined) return { failure: refusal };
		return this.layer(identifier) ?? { failure: 'it is not loaded yet' };
	}

	identify(assetPath: string, anchor: string): AssetIdentity {
		return this.#locator.identify(assetPath, anchor);
	}

	exists(identifier: string): boolean | undefined {
		if (this.#locator.refusal(identifier) !== undefined) return false;
		const [file, member] = splitPackageRelativePathOuter(identifier);
		const loaded = this.#loaded.get(file);
		if (member === '') return loaded === undefined ? this.#source.exists?.(file) : !('failure' in loaded);
		if (this.#packages.get(file) === undefined && this.#source.exists?.(file) === false) return false;
		const found = this.bytes(identifier);
		return found && !('failure' in found);
	}

	layer(identifier: string): Layer | AssetFailure | undefined {
		const known = this.#layers.get(identifier);
		if (known !== undefined) return known;
		const content = this.#layerContent(identifier);
		if (content === undefined) return undefined;
		// a package and its root layer are one layer
		const found = 'failure' in content ? content : (this.#layers.get(content.identifier) ?? this.#parse(content));
		this.#layers.set(identifier, found);
		return found;
	}

	bytes(identifier: string): Uint8Array | AssetFailure | undefined {
		const known = this.#layerBytes.get(identifier);
		if (known !== undefined) return known.bytes;
		const refusal = this.#locator.refusal(identifier);
		if (refusal !== undefined) return { failure: refusal };
		const [file, member] = splitPackageRelativePathOuter(identifier);
		if (member === '') return this.#read(file);
		const opened = this.#package(file);
		if (opened === undefined || 'failure' in opened) return opened;
		const found = openPackaged(opened, member, { file, report: new Report() })?.bytes;
		return found ?? { failure: opened.isCutOff ? 'the package is cut off before it' : '' };
	}

	text(identifier: string): Uint8Array | undefined {
		const known = this.#layerBytes.get(identifier);
		return known?.isText ? known.bytes : undefined;
	}

	name(identifier: string): string {
		const [outer, inner] = splitPackageRelativePathOuter(identifier);
		return joinPackageRelativePath(this.#displayName(outer), inner);
	}

	missing(): readonly string[] {
		return [...this.#missing];
	}

	load(identifier: string): Promise<void> {
		const [file] = splitPackageRelativePathOuter(identifier);
		if (this.#loaded.has(file) || this.#source.readSync !== undefined) return Promise.resolve();
		let loading = this.#loading.get(file);
		if (loading === undefined) {
			loading = this.#load(file);
			this.#loading.set(file, loading);
		}
		return loading;
	}

	/** Takes what is wrong with a layer or package that was just read. */
	protected take(_identifier: string, found: Report): void {
		this.report.addAll(found);
	}

	/** Reads a file anew when it is asked for next. */
	protected forget(file: string): void {
		this.#loaded.delete(file);
		this.#packages.delete(file);
		const isOfFile = (identifier: string): boolean => splitPackageRelativePathOuter(identifier)[0] === file;
		for (const identifier of this.#layers.keys()) if (isOfFile(identifier)) this.#layers.delete(identifier);
		for (const identifier of this.#layerBytes.keys()) if (isOfFile(identifier)) this.#layerBytes.delete(identifier);
	}

	async #load(file: string): Promise<void> {
		const failure = this.#locator.refusal(file);
		let found: Uint8Array | AssetFailure;
		try {
			found = failure === undefined ? ((await this.#source.read?.(file)) ?? { failure: '' }) : { failure };
		} catch (error) {
			found = { failure: error instanceof Error ? error.message : String(error) };
		}
		this.#loaded.set(file, found);
		this.#missing.delete(file);
		this.#loading.delete(file);
	}

	/** A whole file; undefined, and missing from now on, when it can only be had later. */
	#read(file: string): Uint8Array | AssetFailure | undefined {
		const loaded = this.#loaded.get(file);
		if (loaded !== undefined) return loaded;
		if (this.#source.readSync === undefined) {
			this.#missing.add(file);
			return undefined;
		}
		try {
			return this.#source.readSync(file) ?? { failure: '' };
		} catch (error) {
			return { failure: error instanceof Error ? error.message : String(error) };
		}
	}

	#package(file: string): UsdzPackage | AssetFailure | undefined {
		const known = this.#packages.get(file);
		if (known !== undefined) return known;
		const bytes = this.#read(file);
		if (bytes === undefined || 'failure' in bytes) return bytes;
		const report = new Report();
		const opened = readUsdz(bytes, { file: this.name(file), report });
		// members that cannot be read are missed where they are named; that there is no list of them is missed nowhere
		if (opened.isCutOff) {
			const faults = new Report();
			for (const one of report.toArray()) if (one.severity === 'error') faults.add(one);
			this.take(file, faults);
		}
		this.#packages.set(file, opened);
		return opened;
	}

	/** What a layer is read from: the file, or the root layer of a package or of a package inside of it. */
	#layerContent(asked: string): { readonly identifier: string; readonly bytes: Uint8Array } | AssetFailure | undefined {
		const [file, member] = splitPackageRelativePathOuter(asked);
		const found = this.bytes(asked);
		if (found === undefined || 'failure' in found) return found;
		if (detectFormat(found) !== 'usdz') return { identifier: asked, bytes: found };
		const opened =
			member === '' ? this.#package(file) : readUsdz(found, { file: this.name(asked), report: new Report() });
		if (opened === undefined || 'failure' in opened) return opened;
		const { rootLayer } = opened;
		if (rootLayer === undefined) return { failure: 'the package has no layer' };
		const identifier = joinPackageRelativePath(file, ...(member === '' ? [] : [member]), rootLayer.name);
		return { identifier, bytes: rootLayer.bytes };
	}

	#parse({ identifier, bytes }: { readonly identifier: string; readonly bytes: Uint8Array }): Layer | AssetFailure {
		const report = new Report();
		const opened = openOne(bytes, this.name(identifier), report);
		const error = report.toArray().find(({ severity }) => severity === 'error');
		if (opened !== undefined) this.take(identifier, report);
		const isUsable = error === undefined || (!this.#refusesBroken && opened !== undefined && hasContent(opened.data));
		if (opened === undefined || !isUsable) {
			const failed = { failure: error?.message ?? 'it is no layer' };
			this.#layers.set(identifier, failed);
			return failed;
		}
		const layer = new Layer(identifier, opened.data);
		this.#layerBytes.set(identifier, { bytes, isText: opened.format === 'usda' });
		this.#layers.set(identifier, layer);
		return layer;
	}
}
