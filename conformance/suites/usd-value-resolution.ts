import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SchemaRegistry, Stage } from '@manyworlds/usd';
import { compareStages, parseStageDump } from '../src/compare-stages.ts';
import { DiskStore } from '../src/disk-store.ts';
import { readJson } from '../src/files.ts';
import { dumpStage } from '../src/stage-dump.ts';
import type { Case, Outcome, Suite, SuiteContext } from '../src/suite.ts';

/** Dumps that usd_dump.py (OpenUSD 26.11) made of the stages, by file; the suite itself comes without expected values. */
const GOLDEN: string = fileURLToPath(new URL('../golden/aousd-value-resolution.json', import.meta.url));

/** AOUSD's stages for value resolution: defaults, fallbacks, time samples, value clips. */
export const usdValueResolution: Suite = {
	name: 'usd/value-resolution',
	description: 'stages of the AOUSD value resolution suite, text and crate twins',
	defaultDir: 'conformance/aousd/value_resolution',
	groups: [
		{
			name: 'stages',
			description: 'every value at fourteen times, with its source, against OpenUSD',
			tolerance: 'exact',
			timeLimit: 20,
			*cases(context: SuiteContext): Generator<Case> {
				for (const [name, golden] of Object.entries(readJson(GOLDEN) as Record<string, unknown>)) {
					yield { name, run: () => check(join(context.dir, name), golden) };
				}
			},
		},
	],
};

function check(file: string, golden: unknown): Outcome {
	if (!existsSync(file)) return { skipped: `there is no file ${file}` };
	const expected = parseStageDump(golden);
	const store = new DiskStore();
	const stage = Stage.open(store.open(file), { store, schemas: SchemaRegistry.openUsd });
	const times = expected['times'] as number[];
	const actual = dumpStage(stage, { folder: dirname(file), times, stacks: true, definitions: false });
	const lines = compareStages(actual, expected);
	return lines.length === 0 ? undefined : lines.join('; ');
}
