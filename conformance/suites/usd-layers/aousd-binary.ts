import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compareDumps, parseLayerDump } from '../../src/compare-dumps.ts';
import { readBytes, readJson } from '../../src/files.ts';
import { compareWithGolden } from '../../src/golden-layer.ts';
import { canonicalJson, isObject, type Json } from '../../src/json.ts';
import { dumpLayer, type LayerDump } from '../../src/layer-dump.ts';
import { goldenOf, listLayers } from '../../src/layer-files.ts';
import { crateThroughText } from '../../src/round-trips.ts';
import type { Case, Group, Outcome, SuiteContext } from '../../src/suite.ts';
import { describe, firstError, loadClean, loadLayer, toCrate } from '../../src/usd-io.ts';

/** Crates against what they hold, and written again. */
export const aousdBinary: Group = {
	name: 'aousd/binary',
	description:
		'crates (.usdc, or any with a JSON file): every spec and field against the JSON file, or golden/aousd-binary.json by content; written again as crate and through text',
	tolerance: 'exact',
	timeLimit: 30,
	*cases(context: SuiteContext): Generator<Case> {
		for (const layer of listLayers(context.dir)) {
			if (layer.kind !== 'crate') continue;
			const golden = goldenOf(layer.path);
			if (golden === undefined && extname(layer.path) !== '.usdc') continue;
			yield { name: layer.name, run: () => checkCrate(layer.path, golden) };
		}
	},
};

function checkCrate(path: string, golden: string | undefined): Outcome {
	const bytes = readBytes(path);
	const layer = loadLayer(bytes, path);
	const error = firstError(layer.report);
	if (error !== undefined) return describe(error);
	const dump = dumpLayer(layer.data);
	const content = golden === undefined ? compareWithOwn(dump, bytes) : compareWithGolden(layer, golden);
	if (content !== undefined) return content;
	const again = compareDumps(dumpLayer(loadClean(toCrate(layer.data), `${path} (written)`)), dump);
	if (again.length > 0) return `written as crate: ${again.join('; ')}`;
	return crateThroughText(layer.data, path);
}

/** Answers of usd-core 26.11 for the published files, by the hash of the file; the large one as a digest. */
function compareWithOwn(dump: LayerDump, bytes: Uint8Array): Outcome {
	const answers = readJson(fileURLToPath(new URL('../../golden/aousd-binary.json', import.meta.url)));
	const answer = isObject(answers) ? answers[createHash('sha256').update(bytes).digest('hex')] : undefined;
	if (answer === undefined) return undefined;
	if (isObject(answer) && typeof answer['digest'] === 'string') {
		const digest = createHash('sha256')
			.update(canonicalJson(dump.specs as unknown as Json))
			.digest('hex');
		if (digest === answer['digest']) return undefined;
		return `digest of ${dump.specs.length} specs is ${digest}, expected ${answer['digest']} of ${String(answer['count'])} specs`;
	}
	const lines = compareDumps(dump, parseLayerDump(answer));
	return lines.length === 0 ? undefined : lines.join('; ');
}
