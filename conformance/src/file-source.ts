import { existsSync, readFileSync, statSync } from 'node:fs';
import { posix, resolve } from 'node:path';
import { Report } from '@manyworlds/core';
import {
	type AssetIdentity,
	type AssetSource,
	isPackageRelativePath,
	joinPackageRelativePath,
	Layer,
	type LayerFailure,
	openFile,
	openPackaged,
	readUsdz,
	splitPackageRelativePathOuter,
	type UsdzPackage,
} from '@manyworlds/usd';

/** Layers and other files on disk, found as OpenUSD's default resolver finds them without search paths. */
export class FileSource implements AssetSource {
	readonly #layers = new Map<string, Layer | LayerFailure>();
	readonly #packages = new Map<string, UsdzPackage>();

	/** The layer of a file; throws when it cannot be read at all. */
	open(file: string): Layer {
		const found = this.layer(resolve(file));
		if (found instanceof Layer) return found;
		throw new Error(`${file}: ${found.failure}`);
	}

	identify(assetPath: string, anchor: Layer): AssetIdentity {
		const [outer, inner] = splitPackageRelativePathOuter(anchor.identifier);
		const isRelative = assetPath.startsWith('./') || assetPath.startsWith('../');
		if (posix.isAbsolute(assetPath)) return { identifier: posix.normalize(assetPath) };
		if (inner !== '') {
			const member = posix.join(posix.dirname(inner), assetPath);
			const identifier = joinPackageRelativePath(outer, member);
			if (isRelative || this.resolve(identifier) !== undefined) return { identifier };
		}
		const anchored = posix.join(posix.dirname(outer), assetPath);
		return { identifier: isRelative || this.resolve(anchored) !== undefined ? anchored : assetPath };
	}

	layer(identifier: string): Layer | LayerFailure {
		let found = this.#layers.get(identifier);
		if (found === undefined) {
			found = this.#read(identifier);
			this.#layers.set(identifier, found);
		}
		return found;
	}

	resolve(identifier: string): string | undefined {
		if (!posix.isAbsolute(identifier)) return undefined;
		const [outer, inner] = splitPackageRelativePathOuter(identifier);
		if (!existsSync(outer) || !statSync(outer).isFile()) return undefined;
		if (inner === '') return identifier;
		return openPackaged(this.#package(outer), inner, { uri: outer }) === undefined ? undefined : identifier;
	}

	#read(identifier: string): Layer | LayerFailure {
		if (this.resolve(identifier) === undefined) return { failure: '' };
		const [outer] = splitPackageRelativePathOuter(identifier);
		const report = new Report();
		const opened = openFile(new Uint8Array(readFileSync(outer)), { file: identifier, report });
		const error = report.toArray().find(({ severity }) => severity === 'error');
		if (opened.layer === undefined || error !== undefined) return { failure: error?.message ?? 'no layer' };
		// the root layer of a package is named by the member it is
		const name = opened.member !== undefined && !isPackageRelativePath(identifier) ? opened.layer.file : identifier;
		return new Layer(name, opened.layer.data);
	}

	#package(file: string): UsdzPackage {
		let found = this.#packages.get(file);
		if (found === undefined) {
			found = readUsdz(new Uint8Array(readFileSync(file)), { uri: file });
			this.#packages.set(file, found);
		}
		return found;
	}
}
