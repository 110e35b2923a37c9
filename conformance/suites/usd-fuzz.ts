import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { flattenStage, SchemaRegistry, Stage, writeUsda } from '@manyworlds/usd';
import { compareStages, parseStageDump } from '../src/compare-stages.ts';
import { DiskStore } from '../src/disk-store.ts';
import { firstExisting, readJson } from '../src/files.ts';
import { dumpStage } from '../src/stage-dump.ts';
import type { Case, Group, Outcome, Suite, SuiteContext } from '../src/suite.ts';

/** Random scenes with the answers of OpenUSD. */
export const usdFuzz: Suite = {
	name: 'usd/fuzz',
	description: 'SEED/root.usda with case.json, expected.json[.gz], flatten.usda[.gz] as usd_fuzz.py writes them',
	defaultDir: 'oracle/golden/usd/fuzz',
	groups: [
		group('stage', 'expected', 'the composed stage with prim stacks against its dump', checkLoaded),
		group('unloaded', 'expected_unloaded', 'the same without payloads', checkUnloaded),
		group('flatten', 'flatten', 'text of the flattened stage', checkFlattened),
	],
};

/** Scenes with splines and durations. */
export const usdFuzzExtra: Suite = { ...usdFuzz, name: 'usd/fuzz-extra', defaultDir: 'oracle/golden/usd/fuzz-extra' };

/** Compositions without an end, which OpenUSD does not return from. */
export const usdEndless: Suite = {
	name: 'usd/endless',
	description: 'root layers whose composition never ends by itself',
	defaultDir: 'oracle/golden/usd/endless',
	groups: [
		{
			name: 'finishes',
			description: 'the stage opens and reports that something was cut off',
			tolerance: 'at least one composition error',
			timeLimit: 20,
			*cases(context: SuiteContext): Generator<Case> {
				yield {
					name: 'root.usda',
					run: () => {
						const store = new DiskStore();
						const stage = Stage.open(store.open(join(context.dir, 'root.usda')), { store });
						return stage.errors().length === 0 ? 'no error is reported' : undefined;
					},
				};
			},
		},
	],
};

interface FuzzCase {
	readonly folder: string;
	readonly times: readonly number[];
	readonly variantFallbacks: ReadonlyMap<string, readonly string[]>;
}

function group(name: string, file: string, description: string, check: (fuzzCase: FuzzCase) => Outcome): Group {
	return {
		name,
		description,
		tolerance: 'exact; interpolated quaternions 2e-7 (float), 1e-15 (double), 1e-3 (half); values of splines 2e-12',
		timeLimit: 20,
		*cases(context: SuiteContext): Generator<Case> {
			for (const seed of readdirSync(context.dir).sort()) {
				const folder = resolve(context.dir, seed);
				if (!existsSync(join(folder, 'case.json')) || expectedFile(folder, file) === undefined) continue;
				yield { name: seed, run: () => check(readCase(folder)) };
			}
		},
	};
}

function readCase(folder: string): FuzzCase {
	const json = readJson(join(folder, 'case.json')) as { times: number[]; variantFallbacks: Record<string, string[]> };
	return { folder, times: json.times, variantFallbacks: new Map(Object.entries(json.variantFallbacks ?? {})) };
}

function expectedFile(folder: string, stem: string): string | undefined {
	const ending = stem === 'flatten' ? 'usda' : 'json';
	return firstExisting([join(folder, `${stem}.${ending}`), join(folder, `${stem}.${ending}.gz`)]);
}

function openCase(fuzzCase: FuzzCase, load: 'all' | 'none'): Stage {
	const store = new DiskStore();
	return Stage.open(store.open(join(fuzzCase.folder, 'root.usda')), {
		store,
		load,
		variantFallbacks: fuzzCase.variantFallbacks,
		schemas: SchemaRegistry.openUsd,
	});
}

function checkLoaded(fuzzCase: FuzzCase): Outcome {
	return checkDump(fuzzCase, 'all', 'expected');
}

function checkUnloaded(fuzzCase: FuzzCase): Outcome {
	return checkDump(fuzzCase, 'none', 'expected_unloaded');
}

function checkDump(fuzzCase: FuzzCase, load: 'all' | 'none', file: string): Outcome {
	const { folder, times } = fuzzCase;
	const expected = parseStageDump(readJson(expectedFile(folder, file)!));
	const actual = dumpStage(openCase(fuzzCase, load), { folder, times, stacks: true, definitions: false });
	const lines = compareStages(actual, expected);
	return lines.length === 0 ? undefined : lines.join('; ');
}

function checkFlattened(fuzzCase: FuzzCase): Outcome {
	const { folder } = fuzzCase;
	const file = expectedFile(folder, 'flatten')!;
	const bytes = readFileSync(file);
	const expected = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
	const text = Buffer.from(writeUsda(flattenStage(openCase(fuzzCase, 'all')).data)).toString('utf8');
	const actual = `${text.replaceAll(`${folder}/`, '/ROOT/').trimEnd()}\n`;
	if (actual === expected) return undefined;
	const ours = actual.split('\n');
	const theirs = expected.split('\n');
	// values of the attribute whose samples the line belongs to
	let block = '';
	let isSame: SameNumber | undefined;
	for (let i = 0; i < Math.max(ours.length, theirs.length); i++) {
		const line = theirs[i] ?? '';
		const tolerant = LENIENT.find(([type]) => type.test(line))?.[1];
		if (tolerant !== undefined) {
			isSame = tolerant;
			block = line.endsWith('{') ? line.slice(0, line.search(/\S/)) : '';
		}
		const isLenient = tolerant !== undefined || block !== '';
		if (ours[i] !== line && !(isLenient && sameLine(ours[i] ?? '', line, isSame!))) {
			return `line ${i + 1}: '${ours[i] ?? ''}', expected '${line}'`;
		}
		if (line === `${block}}`) block = '';
	}
	return undefined;
}

const NUMBER = /-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/g;

type SameNumber = (ours: number, theirs: number) => boolean;

/** OpenUSD writes time codes with six digits, our text keeps what they are; interpolated quaternions as in {@link compareStages}. */
const LENIENT: readonly (readonly [type: RegExp, isSame: SameNumber])[] = [
	[/\b(?:timecode|duration)\b/, (ours, theirs) => Number(ours.toPrecision(6)) === theirs],
	[/\bquatf\b/, within(2e-7)],
	[/\bquatd\b/, within(1e-15)],
	[/\bquath\b/, within(1e-3)],
];

function within(tolerance: number): SameNumber {
	return (ours, theirs) => Math.abs(ours - theirs) <= tolerance;
}

/** Whether two lines differ in nothing but numbers that are as good as equal. */
function sameLine(ours: string, theirs: string, isSame: SameNumber): boolean {
	if (ours.replace(NUMBER, '#') !== theirs.replace(NUMBER, '#')) return false;
	const expected = theirs.match(NUMBER) ?? [];
	return (ours.match(NUMBER) ?? []).every((number, i) => number === expected[i] || isSame(+number, +expected[i]!));
}
