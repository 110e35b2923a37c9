import type { Layer, Value } from '@manyworlds/usd';
import { type AssetPathUse, listAssetPaths, mapAssetPaths, valuesEqual } from '@manyworlds/usd/internal';
import type { RepCode } from '../../diagnostics.ts';
import type { FixSession } from '../engine/fix-session.ts';

/** Lets a layer name other files: `map` gives the new path for each one that it names. */
export function renameFiles(
	session: FixSession,
	rule: RepCode,
	layer: Layer,
	map: (use: AssetPathUse) => string,
): void {
	if (listAssetPaths(layer.data).every((use) => map(use) === use.assetPath)) return;
	session.edit(rule, layer, () => {
		const before = new Map<string, Value>();
		const uses = listAssetPaths(layer.data).filter((use) => map(use) !== use.assetPath);
		const fields = new Map(uses.map((use) => [`${use.path}\n${use.field}`, use]));
		for (const [key, { path, field }] of fields) {
			const value = layer.field(path, field);
			if (value !== undefined) before.set(key, value);
		}
		mapAssetPaths(layer.data, map);
		// what was written beside the layer is written again through it, so that everybody is told
		for (const [key, { path, field }] of fields) {
			const after = layer.field(path, field);
			const old = before.get(key);
			if (after === undefined || old === undefined || valuesEqual(after, old)) continue;
			layer.data.setField(path, field, old);
			layer.setField(path, field, after);
		}
	});
}
