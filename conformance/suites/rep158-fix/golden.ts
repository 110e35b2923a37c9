import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { FixFamily, FixOptions } from '@manyworlds/rep158';
import { chooseTimes, compareSnapshots, FIXERS, sampledAttributes, takeSnapshot } from '@manyworlds/rep158/internal';
import { Stage } from '@manyworlds/usd';
import { caseName, readBytes, readJson, walkFiles } from '../../src/files.ts';
import type { Case, Group, Outcome, SuiteContext } from '../../src/suite.ts';
import { type AssetFiles, countFindings, fixFiles, openFiles } from './fixed-asset.ts';

/** `case.json`: what is fixed, and what must come of it. */
interface CaseFile {
	readonly entry: string;
	readonly options: FixOptions & { readonly only?: readonly FixFamily[] };
	/** Families that edit something, in order. */
	readonly families: readonly string[];
	/** Rules that are broken before and silent after. */
	readonly silent: readonly string[];
	/** Notes: kind and rule. */
	readonly notes: readonly string[];
}

const FIELDS: readonly string[] = ['entry', 'options', 'families', 'silent', 'notes'];

/** Assets with what fixes make of them: `before`, `after` (every file), `case.json`. */
export const golden: Group = {
	name: 'cases',
	description: 'assets with the exact files that fixes make of them',
	tolerance: 'files are compared byte by byte; masses, joints and shapes to 1e-6 unless the family is about them',
	timeLimit: 30,
	*cases({ dir }: SuiteContext): Iterable<Case> {
		for (const name of readdirSync(dir).sort()) {
			const folder = join(dir, name);
			if (statSync(folder).isDirectory()) yield { name, run: () => runCase(folder) };
		}
	},
};

function runCase(folder: string): Outcome {
	if (!existsSync(join(folder, 'case.json'))) return 'there is no case.json';
	const file = readJson(join(folder, 'case.json')) as CaseFile;
	const strange = Object.keys(file).find((key) => !FIELDS.includes(key));
	if (strange !== undefined) return `case.json has the unknown entry '${strange}'`;
	const before = readFolder(join(folder, 'before'));
	const expected = readFolder(join(folder, 'after'));
	const fixed = fixFiles(before, file.entry, file.options);
	const difference = compareFiles(expected, fixed.files);
	if (difference !== undefined) return difference;
	const families = [...new Set(fixed.plan.items.map(({ family }) => family))];
	if (families.join() !== file.families.join()) return `families ${families.join()}, expected ${file.families.join()}`;
	const notes = fixed.plan.notes.map(({ kind, rule }) => `${kind} ${rule}`);
	if (notes.join() !== file.notes.join()) return `notes ${notes.join()}, expected ${file.notes.join()}`;
	const again = fixFiles(fixed.files, file.entry, file.options);
	if (again.plan.items.length > 0) return `a second fix edits ${again.plan.items[0]!.path}`;
	return checkRules(before, fixed.files, file) ?? checkPhysics(before, fixed.files, file);
}

function checkRules(before: AssetFiles, after: AssetFiles, { entry, silent }: CaseFile): string | undefined {
	const old = countFindings(before, entry);
	const now = countFindings(after, entry);
	for (const rule of silent) {
		if (!old.has(rule)) return `${rule} is not broken before`;
		if (now.has(rule)) return `${rule} is still broken`;
	}
	const worse = [...now].find(([rule, count]) => count > (old.get(rule) ?? 0));
	return worse === undefined ? undefined : `${worse[0]} is found ${worse[1]} times, it was ${old.get(worse[0]) ?? 0}`;
}

/** Physics is what it was, apart from what the families of the case are about. */
function checkPhysics(
	before: AssetFiles,
	after: AssetFiles,
	{ entry, families, options }: CaseFile,
): string | undefined {
	// a turned asset has another front
	if (options.parameters?.forward !== undefined) return undefined;
	const except = FIXERS.filter(({ family }) => families.includes(family)).flatMap(({ changes }) => changes ?? []);
	if (families.includes('F27')) return undefined;
	const open = (files: AssetFiles): Stage => {
		const { layer, store } = openFiles(files, entry);
		return Stage.open(layer, { store });
	};
	const times = chooseTimes(sampledAttributes(open(before)));
	const snapshot = (files: AssetFiles): ReturnType<typeof takeSnapshot> => takeSnapshot(open(files), { times });
	return compareSnapshots(snapshot(before), snapshot(after), { except, tolerance: 1e-6 })[0];
}

function compareFiles(expected: AssetFiles, found: AssetFiles): string | undefined {
	for (const name of new Set([...expected.keys(), ...found.keys()])) {
		const [a, b] = [expected.get(name), found.get(name)];
		if (a === undefined) return `${name} is made, which the case does not have`;
		if (b === undefined) return `${name} is not made`;
		if (a.length === b.length && a.every((byte, i) => byte === b[i])) continue;
		const [old, now] = [a, b].map((bytes) => new TextDecoder().decode(bytes).split('\n'));
		const line = old!.findIndex((text, i) => text !== now![i]);
		return `${name}:${line + 1} is '${now![line] ?? ''}', expected '${old![line] ?? ''}'`;
	}
	return undefined;
}

function readFolder(dir: string): AssetFiles {
	return new Map(Array.from(walkFiles(dir), (path) => [caseName(dir, path), readBytes(path)]));
}
