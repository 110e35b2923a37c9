import { Report } from '@manyworlds/core';
import { DefaultResolver, isLayerFailure, type Layer, LayerRegistry, MemoryBackend, Stage } from '@manyworlds/usd';
import { type FixOptions, type FixResult, fixAsset } from '../../src/fix/fix-asset.ts';
import type { FixSource } from '../../src/fix/fix-session.ts';

/** Files of an asset by name, as text or bytes. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** An asset in memory, with layers of its own. */
export interface MemoryAsset {
	readonly root: Layer;
	readonly source: FixSource;
	readonly stage: Stage;
}

/** Opens an asset whose files lie in memory. */
export function openMemory(files: Files, root: string): MemoryAsset {
	const content = new Map(
		Object.entries(files).map(([name, data]) => [
			`/asset/${name}`,
			typeof data === 'string' ? new TextEncoder().encode(data) : data,
		]),
	);
	const resolver = new DefaultResolver({ backend: new MemoryBackend(content), roots: ['/asset'] });
	const registry = new LayerRegistry({ resolver });
	const layer = registry.openSync(`/asset/${root}`);
	if (isLayerFailure(layer)) throw new Error(layer.failure);
	const source: FixSource = {
		identify: (path, anchor) => registry.identify(path, anchor),
		layer: (identifier) => registry.layer(identifier),
		resolve: (identifier) => (content.has(identifier) ? identifier : undefined),
		bytesOf: (asked) => registry.bytesOf(asked),
		readFile: (identifier) => content.get(identifier),
	};
	return { root: layer, source, stage: Stage.open(layer, { source }) };
}

/** What fixing files in memory gives: the files as they are afterwards, and what was said. */
export interface MemoryFix extends FixResult {
	readonly after: Files;
	readonly messages: readonly string[];
}

/** Fixes an asset in memory. */
export function fixMemory(files: Files, root: string, options: FixOptions = {}): MemoryFix {
	const report = new Report();
	const { root: layer, source } = openMemory(files, root);
	const result = fixAsset(layer, source, {
		...options,
		report,
		nameOf: (identifier) => identifier.replace('/asset/', ''),
	});
	const after: Record<string, string | Uint8Array> = { ...files };
	for (const { identifier, bytes, isText } of result.files) {
		after[identifier.replace('/asset/', '')] = isText ? new TextDecoder().decode(bytes) : bytes;
	}
	return { ...result, after, messages: report.toArray().map(({ code, message }) => `${code} ${message}`) };
}
