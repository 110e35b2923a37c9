import { Report } from '@manyworlds/core';
import { checkAsset, type FixOptions, type FixPlan, type FixSource, fixAsset } from '@manyworlds/rep158';
import { DefaultResolver, isLayerFailure, type Layer, LayerRegistry, MemoryBackend } from '@manyworlds/usd';

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

const ROOT = '/asset/';

/** Opens an asset in memory, with layers of its own. */
export function openFiles(files: AssetFiles, entry: string): { layer: Layer; source: FixSource } {
	const content = new Map([...files].map(([name, bytes]) => [ROOT + name, bytes]));
	const resolver = new DefaultResolver({ backend: new MemoryBackend(content), roots: ['/asset'] });
	const registry = new LayerRegistry({ resolver });
	const layer = registry.openSync(ROOT + entry);
	if (isLayerFailure(layer)) throw new Error(`${entry}: ${layer.failure}`);
	const source: FixSource = {
		identify: (path, anchor) => registry.identify(path, anchor),
		layer: (identifier) => registry.layer(identifier),
		resolve: (identifier) => (content.has(identifier) ? identifier : undefined),
		bytesOf: (asked) => registry.bytesOf(asked),
		readFile: (identifier) => content.get(identifier),
	};
	return { layer, source };
}

/** Fixes an asset in memory. */
export function fixFiles(files: AssetFiles, entry: string, options: FixOptions): FixedAsset {
	const report = new Report();
	const { layer, source } = openFiles(files, entry);
	const result = fixAsset(layer, source, { ...options, report, nameOf: shortName });
	const after = new Map(files);
	for (const { identifier, bytes } of result.files) after.set(shortName(identifier), bytes);
	return {
		files: after,
		changed: result.files.map(({ identifier }) => shortName(identifier)),
		plan: result.plan,
		moved: result.moved,
		report,
	};
}

/** Numbers of findings by rule. */
export function countFindings(files: AssetFiles, entry: string): Map<string, number> {
	const { layer, source } = openFiles(files, entry);
	const { report } = checkAsset(layer, {
		...source,
		read: (identifier) => source.readFile?.(identifier),
		text: (asked) => source.bytesOf(asked),
		name: (asked) => shortName(asked.identifier),
	});
	const counts = new Map<string, number>();
	for (const { code } of report.toArray()) counts.set(code, (counts.get(code) ?? 0) + 1);
	return counts;
}

function shortName(identifier: string): string {
	return identifier.startsWith(ROOT) ? identifier.slice(ROOT.length) : identifier;
}
