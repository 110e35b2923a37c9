import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { flattenStage, Layer, SchemaRegistry, Stage } from '@manyworlds/usd';
import { compareStages, parseStageDump } from '../src/compare-stages.ts';
import { DiskStore } from '../src/disk-store.ts';
import { readJson } from '../src/files.ts';
import { isObject, type Json, type JsonObject, jsonDifferences } from '../src/json.ts';
import { dumpStage } from '../src/stage-dump.ts';
import type { Case, Group, Outcome, Suite, SuiteContext } from '../src/suite.ts';
import { loadClean, toText } from '../src/usd-io.ts';

/** Composed stages of real files. */
export const usdAssets: Suite = {
	name: 'usd/assets',
	description: 'index.json with files of the assets folder and their composed dumps by OpenUSD',
	defaultDir: 'oracle/golden/usd/assets',
	groups: [
		group('stages', 'every prim, property, value and built-in definition against its dump', check),
		group('flattened', 'the flattened stage, written and read again, composes to the same', checkFlattened),
	],
};

function group(name: string, description: string, run: (context: SuiteContext, entry: Entry) => Outcome): Group {
	return {
		name,
		description,
		tolerance: 'exact; interpolated quaternions 2e-7 (float), 1e-15 (double), 1e-3 (half)',
		timeLimit: 60,
		*cases(context: SuiteContext): Generator<Case> {
			const path = join(context.dir, 'index.json');
			if (!existsSync(path)) return;
			for (const entry of readJson(path) as unknown[]) {
				if (!isEntry(entry)) throw new TypeError(`${path}: an entry has no asset or no dump`);
				yield { name: entry.asset, run: () => run(context, entry) };
			}
		},
	};
}

interface Entry {
	readonly asset: string;
	readonly dump: string;
}

function isEntry(entry: unknown): entry is Entry & JsonObject {
	return isObject(entry) && typeof entry['asset'] === 'string' && typeof entry['dump'] === 'string';
}

function check(context: SuiteContext, { asset, dump }: Entry): Outcome {
	const file = resolve(context.assetsDir, asset);
	if (!existsSync(file)) return { skipped: `there is no file ${file}` };
	const expected = parseStageDump(readJson(join(context.dir, dump)));
	const store = new DiskStore();
	const stage = Stage.open(store.open(file), { store, schemas: SchemaRegistry.openUsd });
	const actual = dumpStage(stage, {
		folder: dirname(file),
		times: expected['times'] as number[],
		stacks: (expected['prims'] as JsonObject[]).some((prim) => prim['stack'] !== undefined),
		definitions: expected['definitions'] !== undefined,
	});
	const lines = compareStages(actual, expected);
	return lines.length === 0 ? undefined : lines.join('; ');
}

function checkFlattened(context: SuiteContext, { asset }: Entry): Outcome {
	const file = resolve(context.assetsDir, asset);
	if (!existsSync(file)) return { skipped: `there is no file ${file}` };
	const store = new DiskStore();
	const options = { store, schemas: SchemaRegistry.openUsd };
	const stage = Stage.open(store.open(file), options);
	const text = toText(flattenStage(stage).data);
	const name = join(dirname(file), 'flattened.usda');
	const flat = Stage.open(new Layer(name, loadClean(text, name)), options);
	const lines = jsonDifferences(contentOf(flat, dirname(file)), contentOf(stage, dirname(file)));
	return lines.length === 0 ? undefined : lines.join('; ');
}

/** What flattening must keep of the active prims, by path. */
function contentOf(stage: Stage, folder: string): JsonObject {
	const dump = dumpStage(stage, { folder, times: [0, 1.5, 10], stacks: false, definitions: false });
	const out: Record<string, Json> = {};
	for (const prim of dump['prims'] as JsonObject[]) {
		const path = prim['path'] as string;
		if (!(prim['flags'] as string[]).includes('active') || path.startsWith('/Flattened_Prototype_')) continue;
		out[path] = kept(Object.fromEntries(Object.entries(prim).filter(([key]) => !LOST.has(key))));
	}
	return out;
}

/** Arcs are gone, and lists of schemas are explicit, so that what comes with a type is not added to them again. */
const LOST: ReadonlySet<string> = new Set(['flags', 'sameAs', 'variantSets', 'variantSelections', 'apiSchemas']);

/** JSON without metadata that no registry knows, and with asset paths by the files they name. */
function kept(json: Json): Json {
	if (Array.isArray(json)) return json.map(kept);
	if (!isObject(json)) return json;
	if (typeof json['asset'] === 'string' && 'resolved' in json) return json['resolved'] ?? json['asset'];
	const entries = Object.entries(json).filter(([, value]) => !(isObject(value) && 'unregistered' in value));
	const out = Object.fromEntries(entries.map(([key, value]) => [key, kept(value)]));
	if (isObject(out['metadata']) && Object.keys(out['metadata']).length === 0) delete out['metadata'];
	return out;
}
