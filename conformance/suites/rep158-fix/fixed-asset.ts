import { Report } from '@manyworlds/core';
import { checkAsset, type FixOptions, fixAsset } from '@manyworlds/rep158';
import type { FixPlan } from '@manyworlds/rep158/internal';
import { isAssetFailure, type Layer, MemoryStore } from '@manyworlds/usd';

/** Files of an asset by name. */
export type AssetFiles = ReadonlyMap<string, Uint8Array>;

/** What fixing an asset in memory gives. */
export interface FixedAsset {
	readonly files: AssetFiles;
	readonly changed: readonly string[];
	readonly plan: FixPlan;
	/** Where prims went. */
	readonly moved: ReadonlyMap<string, string>;
	readonly report: Report;
}

/** Opens an asset in memory, with layers of its own. */
export function openFiles(files: AssetFiles, entry: string): { layer: Layer; store: MemoryStore } {
	const store = new MemoryStore(files, { folder: '/asset' });
	const layer = store.open(entry);
	if (isAssetFailure(layer)) throw new Error(`${entry}: ${layer.failure}`);
	return { layer, store };
}

/** Fixes an asset in memory. */
export function fixFiles(files: AssetFiles, entry: string, options: FixOptions): FixedAsset {
	const report = new Report();
	const { layer, store } = openFiles(files, entry);
	const result = fixAsset(layer, store, { ...options, report });
	const after = new Map(files);
	for (const { identifier, bytes } of result.files) after.set(store.name(identifier), bytes);
	return {
		files: after,
		changed: result.files.map(({ identifier }) => store.name(identifier)),
		plan: result.plan,
		moved: result.moved,
		report,
	};
}

/** Numbers of findings by rule. */
export function countFindings(files: AssetFiles, entry: string): Map<string, number> {
	const { layer, store } = openFiles(files, entry);
	const { report } = checkAsset(layer, store);
	const counts = new Map<string, number>();
	for (const { code } of report.toArray()) counts.set(code, (counts.get(code) ?? 0) + 1);
	return counts;
}
