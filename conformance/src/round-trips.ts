import { type LayerData, T } from '@manyworlds/usd';
import type { MetadataRegistry } from '@manyworlds/usd/internal';
import { valueIs } from '@manyworlds/usd/internal';
import { compareDumps } from './compare-dumps.ts';
import { dumpLayer } from './layer-dump.ts';
import type { Outcome } from './suite.ts';
import { textDifference } from './text-difference.ts';
import { withoutTextLosses } from './text-losses.ts';
import { loadClean, toCrate, toText } from './usd-io.ts';

/** Text to crate to text: the two texts must be the same bytes, and the crate must hold the same specs in the same order. */
export function textThroughCrate(data: LayerData, name: string, registry?: MetadataRegistry): Outcome {
	if (holdsPath(data)) return mustRefuse(data);
	const before = toText(data);
	const crate = loadClean(toCrate(data), `${name} (as crate)`, registry);
	const lines = compareDumps(dumpLayer(crate), dumpLayer(data));
	if (lines.length > 0) return `crate: ${lines.join('; ')}`;
	const drift = textDifference(toText(crate), before);
	return drift === undefined ? undefined : `text after crate: ${drift}`;
}

/**
 * Crate to text to crate: the two crates must hold the same specs, up to what text cannot hold. Text sorts properties
 * and variants by name.
 */
export function crateThroughText(data: LayerData, name: string, registry?: MetadataRegistry): Outcome {
	const text = loadClean(toText(data), `${name} (as text)`, registry);
	const crate = loadClean(toCrate(text), `${name} (as text, as crate)`, registry);
	const lines = compareDumps(withoutTextLosses(dumpLayer(crate)), withoutTextLosses(dumpLayer(data)), { order: 'any' });
	return lines.length === 0 ? undefined : `through text: ${lines.join('; ')}`;
}

/** Whether a field is a single path: the crate format has no type for it, and OpenUSD refuses to write one. */
function holdsPath(data: LayerData): boolean {
	for (const path of data.paths()) {
		if (data.fieldNames(path).some((name) => valueIs(data.field(path, name), T.path))) return true;
	}
	return false;
}

function mustRefuse(data: LayerData): Outcome {
	try {
		toCrate(data);
	} catch {
		return undefined;
	}
	return 'a path was written as crate without a diagnostic, although the format has no type for it';
}
