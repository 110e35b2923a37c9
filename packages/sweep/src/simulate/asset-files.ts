import { sha256Hex } from '@manyworlds/core/internal';
import { type AssetStore, isAssetFailure } from '@manyworlds/usd';
import { listAssetPaths, splitPackageRelativePathOuter } from '@manyworlds/usd/internal';
import { hashTree, type TreeFile } from '../runs/run-key.ts';

/** The files of an asset. */
export interface AssetFiles {
	/** Folder that all of them are in, as the store names it. */
	readonly root: string;
	/** The asset below that folder. */
	readonly entry: string;
	readonly files: readonly (TreeFile & { readonly size: number })[];
	/** Hash of all of it. */
	readonly tree: string;
}

/** A store that remembers which files were read. */
export function recordingStore(store: AssetStore, read: Set<string>): AssetStore {
	return {
		report: store.report,
		identify: (assetPath, anchor) => store.identify(assetPath, anchor),
		exists: (identifier) => store.exists(identifier),
		layer: (identifier) => {
			read.add(identifier);
			return store.layer(identifier);
		},
		bytes: (identifier) => {
			read.add(identifier);
			return store.bytes(identifier);
		},
		text: (identifier) => store.text(identifier),
		name: (identifier) => store.name(identifier),
		missing: () => store.missing(),
		load: (identifier) => store.load(identifier),
	};
}

/**
 * All files that an asset is made of: those that were read, and those that layers of OpenUSD name in any variant. What is
 * named and not there is left out.
 */
export function collectAssetFiles(store: AssetStore, identifier: string, read: Iterable<string>): AssetFiles {
	const files = new Map<string, TreeFile & { readonly size: number }>();
	const pending = [identifier, ...read];
	const seen = new Set<string>();
	for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
		if (seen.has(next)) continue;
		seen.add(next);
		const [outer] = splitPackageRelativePathOuter(next);
		const bytes = store.bytes(outer);
		if (bytes === undefined || isAssetFailure(bytes)) continue;
		if (!files.has(outer)) files.set(outer, { path: outer, hash: sha256Hex(bytes), size: bytes.length });
		if (!/\.usd[acz]?(?:\]|$)/i.test(next)) continue;
		const layer = store.layer(next);
		if (layer === undefined || isAssetFailure(layer)) continue;
		for (const { assetPath } of listAssetPaths(layer.data)) {
			const named = store.identify(assetPath, next);
			if (named.refusal === undefined) pending.push(named.identifier);
		}
	}
	const root = commonFolder([...files.keys()]);
	const below = (file: string): string => file.slice(root.length);
	const tree = [...files.values()]
		.map((file) => ({ ...file, path: below(file.path) }))
		.sort((a, b) => (a.path < b.path ? -1 : 1));
	return { root, entry: below(identifier), files: tree, tree: hashTree(below(identifier), tree) };
}

/** The folder that all files are in, with a slash at its end. */
function commonFolder(files: readonly string[]): string {
	const folders = files.map((file) => file.slice(0, file.lastIndexOf('/') + 1));
	let common = folders[0] ?? '';
	for (const folder of folders)
		while (!folder.startsWith(common)) common = common.slice(0, common.lastIndexOf('/', common.length - 2) + 1);
	return common;
}
