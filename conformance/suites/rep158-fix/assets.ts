import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { compareSnapshots, FIXERS, takeSnapshot } from '@manyworlds/rep158/internal';
import { Path, Stage } from '@manyworlds/usd';
import { caseName, readBytes, walkFiles } from '../../src/files.ts';
import type { Case, Group, Outcome, SuiteContext } from '../../src/suite.ts';
import { type AssetFiles, fixFiles, openFiles } from './fixed-asset.ts';
import { compareImports } from './imported.ts';

/** Robots that converters made, put right with safe fixes: what they weigh and how they move stays what it was. */
export const robots: Group = {
	name: 'robots',
	description: 'robots of converters below usd-converted of the assets, fixed with safe fixes and with all of them',
	tolerance:
		'masses, inertia tensors, joint frames, limits, drives, friction and bounds of shapes agree to 1e-7 of their size on the stage; imported models as in the group imported',
	timeLimit: 240,
	*cases({ assetsDir }: SuiteContext): Iterable<Case> {
		const dir = join(assetsDir, 'usd-converted');
		if (!existsSync(dir)) return;
		for (const name of readdirSync(dir).sort()) {
			const folder = join(dir, name);
			if (!statSync(folder).isDirectory()) continue;
			yield { name, run: () => runRobot(folder, false) };
			yield { name: `${name}, all fixes`, run: () => runRobot(folder, true) };
		}
	},
};

function runRobot(dir: string, unsafe: boolean): Outcome {
	const entry = readdirSync(dir).find((name) => name.endsWith('.usda'));
	if (entry === undefined) return { skipped: 'it has no usda file' };
	const before: AssetFiles = new Map(Array.from(walkFiles(dir), (path) => [caseName(dir, path), readBytes(path)]));
	const options = { unsafe, parameters: { version: '1.0.0' } };
	const fixed = fixFiles(before, entry, options);
	const { files: after, report, changed, plan, moved } = fixed;
	const fault = report.toArray().find(({ code }) => code === 'FIX004' || code === 'FIX005');
	if (fault !== undefined) return fault.message;
	if (changed.length === 0) return 'nothing was fixed';
	// a mass that somebody has to say is one that nobody said before
	const families = new Set(plan.items.map(({ family }) => family));
	const except = FIXERS.filter(({ family }) => families.has(family)).flatMap(({ changes }) => changes ?? []);
	const [difference] = compareSnapshots(snapshot(before, entry, moved), snapshot(after, entry), {
		except,
		tolerance: 1e-7,
	});
	if (difference !== undefined) return difference;
	// a body that nobody gave a mass: F14 weighs the hulls of its colliders, as UsdPhysics does, the importer the meshes, as Newton does
	const weighed = plan.items
		.filter(({ family, path }) => family === 'F14' && path.endsWith('.physics:mass'))
		.map(({ path }) => `<${path.slice(0, path.lastIndexOf('.'))}> `);
	const isCompared = (key: string): boolean =>
		!weighed.some((start) => key === `${start}mass` || key === `${start}inertia`);
	const imported = compareImports(before, fixed, entry, true, isCompared);
	if (imported !== undefined) return `imported: ${imported}`;
	const [item] = fixFiles(after, entry, options).plan.items;
	return item === undefined ? undefined : `a second fix edits ${item.path} in ${item.layer} (${item.family})`;
}

function snapshot(
	files: AssetFiles,
	entry: string,
	moves: ReadonlyMap<string, string> = new Map(),
): ReturnType<typeof takeSnapshot> {
	const { layer, store } = openFiles(files, entry);
	const moved = new Map([...moves].map(([from, to]) => [Path.parse(from)!, Path.parse(to)!]));
	return takeSnapshot(Stage.open(layer, { store }), { moved });
}
