import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { compareSnapshots, FIXERS, takeSnapshot } from '@manyworlds/rep158';
import { Stage } from '@manyworlds/usd';
import { caseName, readBytes, walkFiles } from '../../src/files.ts';
import type { Case, Group, Outcome, SuiteContext } from '../../src/suite.ts';
import { type AssetFiles, fixFiles, openFiles } from './fixed-asset.ts';

/** Robots that converters made, put right with safe fixes: what they weigh and how they move stays what it was. */
export const robots: Group = {
	name: 'robots',
	description: 'robots of converters below usd-converted of the assets, fixed with safe fixes',
	tolerance:
		'masses, inertia tensors, joint frames, limits, drives, friction and bounds of shapes agree to 1e-7 of their size',
	timeLimit: 240,
	*cases({ assetsDir }: SuiteContext): Iterable<Case> {
		const dir = join(assetsDir, 'usd-converted');
		if (!existsSync(dir)) return;
		for (const name of readdirSync(dir).sort()) {
			const folder = join(dir, name);
			if (statSync(folder).isDirectory()) yield { name, run: () => runRobot(folder) };
		}
	},
};

function runRobot(dir: string): Outcome {
	const entry = readdirSync(dir).find((name) => name.endsWith('.usda'));
	if (entry === undefined) return { skipped: 'it has no usda file' };
	const before: AssetFiles = new Map(Array.from(walkFiles(dir), (path) => [caseName(dir, path), readBytes(path)]));
	const { files: after, report, changed, plan } = fixFiles(before, entry, { parameters: { version: '1.0.0' } });
	const fault = report.toArray().find(({ code }) => code === 'FIX004' || code === 'FIX005');
	if (fault !== undefined) return fault.message;
	if (changed.length === 0) return 'nothing was fixed';
	// a mass that somebody has to say is one that nobody said before
	const families = new Set(plan.items.map(({ family }) => family));
	const except = FIXERS.filter(({ family }) => families.has(family)).flatMap(({ changes }) => changes ?? []);
	const [difference] = compareSnapshots(snapshot(before, entry), snapshot(after, entry), { except, tolerance: 1e-7 });
	if (difference !== undefined) return difference;
	const [item] = fixFiles(after, entry, { parameters: { version: '1.0.0' } }).plan.items;
	return item === undefined ? undefined : `a second fix edits ${item.path} in ${item.layer} (${item.family})`;
}

function snapshot(files: AssetFiles, entry: string): ReturnType<typeof takeSnapshot> {
	const { layer, source } = openFiles(files, entry);
	return takeSnapshot(Stage.open(layer, { source }));
}
