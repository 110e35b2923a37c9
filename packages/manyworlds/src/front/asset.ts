import { readXml } from '@manyworlds/core/internal';
import { type AssetFormat, detectAssetFormat } from '@manyworlds/import';
import type { GitCheckout } from '@manyworlds/scene';
import { type AssetStore, isAssetFailure, type MemoryFiles, MemoryStore, PackageMap } from '@manyworlds/usd';
import { openFiles } from '#platform';
import { AssetError } from './asset-error.ts';
import { isSceneFile } from './is-scene-file.ts';

/** Where an asset is: a path or an address, or files in memory of which one is the asset. @public */
export type AssetInput = string | URL | AssetFiles;

/** A folder in memory. @public */
export interface AssetFiles {
	/** Bytes or texts by name, as the files refer to each other. */
	readonly files: MemoryFiles;
	/** Name of the file that is meant. */
	readonly entry: string;
}

/** Options of {@link openAsset}. @public */
export interface OpenAssetOptions {
	/** Folders that may be read besides that of the file, its ROS package and, for scenes, the working directory. */
	readonly roots?: readonly string[];
	/** Folders of ROS packages by name, for `package://` paths. */
	readonly packages?: Readonly<Record<string, string>>;
}

/** A robot or a scene, and where its files are. @public */
export interface Asset {
	readonly store: AssetStore;
	/** The file, as the store names it. */
	readonly identifier: string;
	/** The file, as messages name it. */
	readonly name: string;
	readonly format: AssetFormat | 'scene';
	/** Fetches what a scene takes from git, where that can be done. */
	readonly checkout?: GitCheckout;
}

/** Files, and which of them is meant; what a platform makes of a path or an address. */
export interface OpenedFiles {
	readonly store: AssetStore;
	readonly identifier: string;
	readonly checkout?: GitCheckout;
}

/**
 * Opens a robot (OpenUSD, URDF, MJCF, SDF; told by its content) or a scene (YAML, JSON). Nothing is checked yet but that the
 * file is there and what it is: rejects with an {@link AssetError} otherwise.
 *
 * ```ts
 * await openAsset('robots/arm.urdf'); // a path in Node, an address in a page
 * await openAsset(new URL('https://example.org/arm.usdz'));
 * await openAsset({ files: { 'arm.urdf': text, 'meshes/link.stl': bytes }, entry: 'arm.urdf' });
 * ```
 * @public
 */
export async function openAsset(input: AssetInput, options: OpenAssetOptions = {}): Promise<Asset> {
	const { store, identifier, checkout } = isFiles(input) ? inMemory(input, options) : openFiles(input, options);
	await store.load(identifier);
	const name = store.name(identifier);
	const content = store.bytes(identifier) ?? { failure: 'it was not loaded' };
	if (isAssetFailure(content)) {
		const reason = content.failure === '' ? 'there is no such file' : content.failure;
		throw new AssetError('OPEN001', `cannot open '${name}': ${reason}`, store.report);
	}
	const format = isSceneFile(identifier) ? 'scene' : detectAssetFormat(content, identifier);
	if (format === undefined) {
		const expected = 'expected OpenUSD, URDF, MJCF, SDF or a scene in YAML or JSON';
		throw new AssetError('OPEN001', `cannot tell what '${name}' is, ${expected}`, store.report);
	}
	return { store, identifier, name, format, ...(checkout && { checkout }) };
}

function isFiles(input: AssetInput): input is AssetFiles {
	return typeof input === 'object' && 'files' in input;
}

function inMemory({ files, entry }: AssetFiles, { packages = {} }: OpenAssetOptions): OpenedFiles {
	const store = new MemoryStore(files, {
		packages: new PackageMap({ packages: { ...packagesIn(files), ...packages } }),
	});
	return { store, identifier: store.identify(entry, '').identifier };
}

/** Folders of the ROS packages among files, by the name that their `package.xml` has. */
function packagesIn(files: MemoryFiles): Record<string, string> {
	const found: Record<string, string> = {};
	const entries: Iterable<readonly [string, string | Uint8Array]> =
		files instanceof Map ? files : Object.entries(files);
	for (const [path, content] of entries) {
		if (!/(^|\/)package\.xml$/.test(path)) continue;
		const { root } = readXml(content);
		const name =
			root?.name === 'package' ? root.children.find((child) => child.name === 'name')?.text.trim() : undefined;
		if (name !== undefined && name !== '') found[name] ??= path.slice(0, -'package.xml'.length).replace(/\/$/, '');
	}
	return found;
}
