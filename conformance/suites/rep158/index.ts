import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Diagnostic, Severity } from '@manyworlds/core';
import { checkAsset, RULES } from '@manyworlds/rep158';
import { REP_CODES } from '@manyworlds/rep158/internal';
import { readJson } from '../../src/files.ts';
import type { Case, Group, Outcome, Suite, SuiteContext } from '../../src/suite.ts';
import { AssetFolder } from './asset-folder.ts';

/** A finding that a case must give. */
interface ExpectedFinding {
	readonly rule: string;
	/** File, relative to the folder of the case. */
	readonly file: string;
	/** Line of a text file, from 1; absent for binary files. */
	readonly line?: number;
}

/**
 * Assets for the rules of REP 0158: `RULE/good…` must give nothing at warning or above and nothing of the rule at any level,
 * `RULE/bad…` exactly the findings of its `expected.json`. The root layer is `asset.usda`.
 */
export const rep158: Suite = {
	name: 'rep158',
	description: 'little assets that keep and break each rule of REP 0158',
	defaultDir: resolve(import.meta.dirname, '../../data/rep158'),
	groups: [makeGroup('good', 'assets that keep a rule'), makeGroup('bad', 'assets that break one rule')],
};

const ENTRY = 'asset.usda';
const GRAVE: readonly Severity[] = ['error', 'warning'];

function makeGroup(name: 'good' | 'bad', description: string): Group {
	return {
		name,
		description,
		tolerance: 'rules, files and lines are compared exactly',
		timeLimit: 20,
		*cases(context: SuiteContext): Iterable<Case> {
			if (name === 'good') context.log(stateCounts());
			for (const rule of folders(context.dir)) {
				for (const folder of folders(join(context.dir, rule))) {
					if (!folder.startsWith(name)) continue;
					const dir = join(context.dir, rule, folder);
					yield { name: `${rule}/${folder}`, run: () => runCase(dir, rule, name === 'bad') };
				}
			}
		},
	};
}

/** How many rules are held in which way, in one line. */
export function stateCounts(): string {
	const counts = new Map<string, number>();
	const count = (state: string): void => void counts.set(state, (counts.get(state) ?? 0) + 1);
	for (const rule of RULES) {
		if (rule.check === 'none') count('not checkable');
		else if (rule.check === 'behaviour') count(rule.heldBy === undefined ? 'behaviour without a test' : 'behaviour');
		else count(rule.check === 'static' ? 'checked' : 'heuristic');
	}
	const parts = ['checked', 'heuristic', 'behaviour', 'behaviour without a test', 'not checkable'].map(
		(state) => `${counts.get(state) ?? 0} ${state}`,
	);
	return `rep158: ${RULES.length} statements: ${parts.join(', ')}`;
}

function runCase(dir: string, rule: string, isBad: boolean): Outcome {
	if (!Object.hasOwn(REP_CODES, rule)) return `there is no rule ${rule}`;
	if (!existsSync(join(dir, ENTRY))) return `there is no ${ENTRY}`;
	return compareFindings(dir, rule, isBad, findAll(dir));
}

/** What the checker finds in the asset of a case, at every level. */
export function findAll(dir: string): Diagnostic[] {
	const source = new AssetFolder(dir);
	const { report } = checkAsset(source.open(ENTRY), source);
	return [...source.report.toArray(), ...report.toArray()];
}

/** Undefined if the findings are those that are written beside the asset. */
export function compareFindings(dir: string, rule: string, isBad: boolean, all: readonly Diagnostic[]): Outcome {
	const found = all.filter(({ code, severity }) => GRAVE.includes(severity) || code === rule);
	const expected = isBad ? readExpected(join(dir, 'expected.json')) : [];
	if (typeof expected === 'string') return expected;
	if (isBad && !expected.some((finding) => finding.rule === rule)) return `expected.json has no finding of ${rule}`;
	const surplus = found.map(describe);
	const missing: string[] = [];
	for (const finding of expected) {
		const at = surplus.indexOf(describeExpected(finding));
		if (at < 0) missing.push(describeExpected(finding));
		else surplus.splice(at, 1);
	}
	if (missing.length === 0 && surplus.length === 0) return undefined;
	const messages = found
		.filter((one) => surplus.includes(describe(one)))
		.map((one) => `${describe(one)} (${one.message})`);
	return [
		...(missing.length === 0 ? [] : [`not found: ${missing.join(', ')}`]),
		...(messages.length === 0 ? [] : [`not expected: ${messages.join(', ')}`]),
	].join('; ');
}

function readExpected(path: string): ExpectedFinding[] | string {
	if (!existsSync(path)) return 'there is no expected.json';
	const data = readJson(path) as { findings?: unknown };
	const unknown = Object.keys(data).find((key) => key !== 'findings');
	if (unknown !== undefined) return `expected.json has the unknown entry '${unknown}'`;
	if (!Array.isArray(data.findings) || data.findings.length === 0) return 'expected.json names no findings';
	return data.findings as ExpectedFinding[];
}

function describe({ code, file, range }: Diagnostic): string {
	return describeExpected({ rule: code, file: file ?? '', ...(range && { line: range.start.line }) });
}

function describeExpected({ rule, file, line }: ExpectedFinding): string {
	return line === undefined ? `${rule} in ${file}` : `${rule} at ${file}:${line}`;
}

function folders(dir: string): string[] {
	return readdirSync(dir)
		.filter((name) => statSync(join(dir, name)).isDirectory())
		.sort();
}
