import { type AssetStore, isAssetFailure } from '@manyworlds/usd';
import { listAssetPaths } from '@manyworlds/usd/internal';

/** Options of {@link entryFiles}. @public */
export interface EntryFilesOptions {
	/** Identifiers of files that are assets whatever leads to them. */
	readonly named?: ReadonlySet<string>;
	/** Told about each file that is looked at. */
	readonly onFile?: (identifier: string) => void;
}

/** Values of {@link EntryFilesOptions} that are used when absent. @public */
export const ENTRY_FILES_DEFAULTS: Required<EntryFilesOptions> = { named: new Set(), onFile: () => {} };

/**
 * Of a set of files, those that are assets by themselves: no other one leads to them by sublayers or arcs, in whatever variant. Of
 * files that lead to each other in a circle all are.
 *
 * ```ts
 * for (const file of entryFiles(['/robots/arm.usda', '/robots/hand.usda'], store)) checkAsset(store.layer(file) as Layer, store);
 * ```
 * @public
 */
export function entryFiles(
	files: readonly string[],
	store: Pick<AssetStore, 'identify' | 'layer'>,
	options: EntryFilesOptions = {},
): string[] {
	const { named, onFile } = { ...ENTRY_FILES_DEFAULTS, ...options };
	if (files.every((file) => named.has(file))) return [...files];
	const targets = new Map<string, readonly string[]>();
	const targetsOf = (file: string): readonly string[] => {
		let found = targets.get(file);
		if (found === undefined) {
			onFile(file);
			found = referredFiles(file, store);
			targets.set(file, found);
		}
		return found;
	};
	const reached = new Map(files.map((file) => [file, reachedFrom(file, targetsOf)]));
	const parts = new Set<string>();
	for (const [file, others] of reached) {
		for (const other of others) if (reached.get(other)?.has(file) === false) parts.add(other);
	}
	return files.filter((file) => named.has(file) || !parts.has(file));
}

/** All files that one leads to. */
function reachedFrom(file: string, targetsOf: (file: string) => readonly string[]): Set<string> {
	const reached = new Set<string>();
	const pending = [file];
	for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
		for (const target of targetsOf(next)) {
			if (reached.has(target)) continue;
			reached.add(target);
			pending.push(target);
		}
	}
	return reached;
}

/** The files that the arcs and sublayers of a layer name. */
function referredFiles(file: string, store: Pick<AssetStore, 'identify' | 'layer'>): string[] {
	const layer = store.layer(file);
	if (layer === undefined || isAssetFailure(layer)) return [];
	const found = new Set<string>();
	for (const { assetPath, kind } of listAssetPaths(layer.data)) {
		if (kind === 'asset' || assetPath === '') continue;
		found.add(store.identify(assetPath, layer.identifier).identifier);
	}
	return [...found];
}
