import { Report } from '@manyworlds/core';
import { type Layer, type MemoryStore, Stage } from '@manyworlds/usd';
import { type FixOptions, type FixResult, fixAsset } from '../../src/fix/fix-asset.ts';
import { openAsset } from '../open-asset.ts';

/** Files of an asset by name, as text or bytes. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** An asset in memory, with layers of its own. */
export interface MemoryAsset {
	readonly root: Layer;
	readonly store: MemoryStore;
	readonly stage: Stage;
}

/** Opens an asset whose files lie in memory. */
export function openMemory(files: Files, root: string): MemoryAsset {
	const { layer, store } = openAsset(files, root);
	return { root: layer, store, stage: Stage.open(layer, { store }) };
}

/** What fixing files in memory gives: the files as they are afterwards, and what was said. */
export interface MemoryFix extends FixResult {
	readonly after: Files;
	readonly messages: readonly string[];
}

/** Fixes an asset in memory. */
export function fixMemory(files: Files, root: string, options: FixOptions = {}): MemoryFix {
	const report = new Report();
	const { root: layer, store } = openMemory(files, root);
	const result = fixAsset(layer, store, { ...options, report });
	const after: Record<string, string | Uint8Array> = { ...files };
	for (const { identifier, bytes, isText } of result.files) {
		after[store.name(identifier)] = isText ? new TextDecoder().decode(bytes) : bytes;
	}
	return { ...result, after, messages: report.toArray().map(({ code, message }) => `${code} ${message}`) };
}
