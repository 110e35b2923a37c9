import type { LayerData } from '@manyworlds/usd';
import { aousdDifferences } from './aousd-json.ts';
import { compareDumps, isLayerDump, parseLayerDump } from './compare-dumps.ts';
import { readJson } from './files.ts';
import { dumpLayer } from './layer-dump.ts';
import type { Outcome } from './suite.ts';
import type { LoadedLayer } from './usd-io.ts';

/** Compares a layer with a golden file, which is a layer dump of the oracle or AOUSD JSON. */
export function compareWithGolden(layer: LoadedLayer, golden: string): Outcome {
	const json = readJson(golden);
	const lines = isLayerDump(json) ? dumpDifferences(layer.data, json) : aousdDifferences(layer, json);
	return lines.length === 0 ? undefined : lines.join('; ');
}

function dumpDifferences(data: LayerData, json: unknown): string[] {
	return compareDumps(dumpLayer(data), parseLayerDump(json));
}
