import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SchemaRegistry, Stage } from '@manyworlds/usd';
import { compareViews } from '../src/compare-views.ts';
import { DiskStore } from '../src/disk-store.ts';
import { readJson } from '../src/files.ts';
import { isObject, type JsonObject } from '../src/json.ts';
import type { Case, Outcome, Suite, SuiteContext } from '../src/suite.ts';
import { dumpViews } from '../src/views-dump.ts';

/** Transforms, bounds, materials, primvars and physics of real files. */
export const usdViews: Suite = {
	name: 'usd/views',
	description:
		'index.json with files of the assets folder and what OpenUSD makes of them, as `npm run oracle -- usd/views --out DIR` writes it',
	defaultDir: 'oracle/golden/usd/views',
	groups: [
		{
			name: 'stages',
			description: 'world transforms, bounds, visibility, purpose, bound materials, primvars, physics descriptors',
			tolerance: 'numbers 1e-9, those of physics 2e-6, both relative and at least absolute; all else exact',
			timeLimit: 60,
			*cases(context: SuiteContext): Generator<Case> {
				const index = join(context.dir, 'index.json');
				if (!existsSync(index)) return;
				for (const entry of readJson(index) as unknown[]) {
					if (!isEntry(entry)) throw new TypeError(`${index}: an entry has no asset or no answer`);
					yield { name: entry.asset, run: () => check(context, entry) };
				}
			},
		},
	],
};

interface Entry {
	readonly asset: string;
	readonly answer: string;
}

function isEntry(entry: unknown): entry is Entry & JsonObject {
	return isObject(entry) && typeof entry['asset'] === 'string' && typeof entry['answer'] === 'string';
}

function check(context: SuiteContext, { asset, answer }: Entry): Outcome {
	const file = resolve(context.assetsDir, asset);
	if (!existsSync(file)) return { skipped: `there is no file ${file}` };
	const expected = readJson(join(context.dir, answer)) as JsonObject;
	const { lines } = compareViews(viewsOf(file, expected['times'] as number[]), expected);
	return lines.length === 0 ? undefined : lines.join('; ');
}

/** What our views make of a file. */
export function viewsOf(file: string, times: readonly number[]): JsonObject {
	const store = new DiskStore();
	return dumpViews(Stage.open(store.open(file), { store, schemas: SchemaRegistry.openUsd }), times);
}
