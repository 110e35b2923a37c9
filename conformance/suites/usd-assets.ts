import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { SchemaRegistry, Stage } from '@manyworlds/usd';
import { compareStages, parseStageDump } from '../src/compare-stages.ts';
import { FileSource } from '../src/file-source.ts';
import { readJson } from '../src/files.ts';
import { isObject, type JsonObject } from '../src/json.ts';
import { dumpStage } from '../src/stage-dump.ts';
import type { Case, Outcome, Suite, SuiteContext } from '../src/suite.ts';

/** Composed stages of real files. */
export const usdAssets: Suite = {
	name: 'usd/assets',
	description: 'index.json with files of the assets folder and their composed dumps by OpenUSD',
	defaultDir: 'oracle/golden/usd/assets',
	groups: [
		{
			name: 'stages',
			description: 'every prim, property, value and built-in definition against its dump',
			tolerance: 'exact; interpolated quaternions 2e-7 (float), 1e-15 (double), 1e-3 (half)',
			timeLimit: 60,
			*cases(context: SuiteContext): Generator<Case> {
				const path = join(context.dir, 'index.json');
				if (!existsSync(path)) return;
				for (const entry of readJson(path) as unknown[]) {
					if (!isEntry(entry)) throw new TypeError(`${path}: an entry has no asset or no dump`);
					yield { name: entry.asset, run: () => check(context, entry) };
				}
			},
		},
	],
};

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
	const source = new FileSource();
	const stage = Stage.open(source.open(file), { source, schemas: SchemaRegistry.openUsd });
	const actual = dumpStage(stage, {
		folder: dirname(file),
		times: expected['times'] as number[],
		stacks: (expected['prims'] as JsonObject[]).some((prim) => prim['stack'] !== undefined),
		definitions: expected['definitions'] !== undefined,
	});
	const lines = compareStages(actual, expected);
	return lines.length === 0 ? undefined : lines.join('; ');
}
