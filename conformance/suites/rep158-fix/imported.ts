import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { FixOptions } from '@manyworlds/rep158';
import {
	compareSnapshots,
	FIXERS,
	type Fixer,
	type PhysicsPart,
	type PhysicsSnapshot,
} from '@manyworlds/rep158/internal';
import { readJson } from '../../src/files.ts';
import type { Case, Group, Outcome, SuiteContext } from '../../src/suite.ts';
import { BROKEN_ENTRY, brokenRobot } from './broken-robots.ts';
import { folders, readAsset } from './case-folders.ts';
import { FIX_OPTIONS } from './fix-options.ts';
import { type AssetFiles, type FixedAsset, fixFiles } from './fixed-asset.ts';
import { importedModel } from './imported-model.ts';

/** Random robots that every family is tried on, and that all families together are tried on. */
const FAMILY_ROBOTS = 6;
const ROBOTS = 24;
const POSES = 50;
/** What is left of a number that a fix writes into an attribute of single precision, after sixteen roundings of 2⁻²⁴. */
const SINGLE = 1e-6;
const DOUBLE = 1e-9;

/** What fixes leave of the physics of an asset, as the importer sees it. */
export const imported: Group = {
	name: 'imported',
	description: `imported models before and after each family alone and all together; ${POSES} random poses`,
	tolerance:
		'masses, inertia tensors, joint frames, limits, drives, volumes and bounds of shapes, and forward kinematics agree to 1e-9 of their size, to 1e-6 where the fix writes attributes of single precision',
	timeLimit: 120,
	*cases({ dir }: SuiteContext): Iterable<Case> {
		for (const fixer of FIXERS) {
			const name = `${fixer.family} ${fixer.title}`;
			yield { name, run: () => runFamily(fixer, dir) };
		}
		for (let seed = 1; seed <= ROBOTS; seed++) {
			for (const unsafe of [false, true]) {
				const name = `robot ${String(seed).padStart(2, '0')}, ${unsafe ? 'all' : 'safe'} fixes`;
				yield { name, run: () => runRobot(seed, unsafe) };
			}
		}
	},
};

interface Trial {
	readonly name: string;
	readonly files: AssetFiles;
	readonly entry: string;
	readonly options: FixOptions;
	/** Whether it is a working robot, whose physics no family may change. */
	readonly isRobot?: boolean;
}

function runFamily(fixer: Fixer, dir: string): Outcome {
	let count = 0;
	for (const { name, files, entry, options, isRobot = false } of trials(fixer, dir)) {
		const fixed = fixFiles(files, entry, { ...options, only: [fixer.family], unsafe: fixer.safety === 'unsafe' });
		if (fixed.plan.items.length === 0) continue;
		count++;
		const difference = compareImports(files, fixed, entry, isRobot);
		if (difference !== undefined) return `${name}: ${difference}`;
	}
	return count === 0 ? 'it edits none of the assets' : undefined;
}

/** Assets that break rules of a family: those of the rules, those of its cases, and robots. */
function* trials({ family, rules }: Fixer, dir: string): Iterable<Trial> {
	const ofRules = resolve(import.meta.dirname, '../../data/rep158');
	for (const rule of rules) {
		for (const folder of folders(join(ofRules, rule))) {
			const name = `${rule}/${folder}`;
			yield { name, files: readAsset(join(ofRules, name)), entry: 'asset.usda', options: FIX_OPTIONS };
		}
	}
	for (const name of folders(dir)) {
		const file = join(dir, name, 'case.json');
		if (!existsSync(file)) continue;
		const { entry, options, families } = readJson(file) as {
			entry: string;
			options: FixOptions;
			families: readonly string[];
		};
		// a turned asset has another front
		if (!families.includes(family) || options.parameters?.forward !== undefined) continue;
		yield { name, files: readAsset(join(dir, name, 'before')), entry, options };
	}
	for (let seed = 1; seed <= FAMILY_ROBOTS; seed++) {
		yield { name: `robot ${seed}`, files: brokenRobot(seed), entry: BROKEN_ENTRY, options: FIX_OPTIONS, isRobot: true };
	}
}

function runRobot(seed: number, unsafe: boolean): Outcome {
	const files = brokenRobot(seed);
	const fixed = fixFiles(files, BROKEN_ENTRY, { ...FIX_OPTIONS, unsafe });
	const fault = fixed.report.toArray().find(({ code }) => code === 'FIX004' || code === 'FIX005');
	return fault?.message ?? compareImports(files, fixed, BROKEN_ENTRY, true);
}

/**
 * The first difference of the models that an asset imports to before and after a fix. `isRobot` leaves out nothing but bodies without substance that
 * became frames; other assets may change in what the families are about.
 */
export function compareImports(
	before: AssetFiles,
	fixed: FixedAsset,
	entry: string,
	isRobot: boolean,
	isCompared: (key: string) => boolean = () => true,
): string | undefined {
	const families = new Set(fixed.plan.items.map(({ family }) => family));
	const changed = new Set<PhysicsPart>(
		FIXERS.filter(({ family }) => families.has(family)).flatMap(({ changes }) => changes ?? []),
	);
	const except: PhysicsPart[] = isRobot ? [...movedAway(families)] : [...changed];
	// a tree with another root or other joints moves otherwise
	const isMoving = !except.some((part) => MOVING.includes(part));
	if (except.includes('joints') || scalesLimits(fixed)) except.push('limits');
	if (except.includes('joints')) except.push('articulations');
	// the importer makes a shape of each subset of faces
	if (families.has('F33')) except.push('geometry');
	const poses = isMoving ? POSES : 0;
	const is = importedModel(...withOverlays(fixed, entry), { poses });
	const was = importedModel(before, entry, { poses, moved: fixed.moved });
	const expected = isRobot && families.has('F16') ? withoutVanished(was, is) : was;
	// F18 lets a concave mesh collide as its hull, and what was made of several parts as one
	const isChosen = (key: string): boolean =>
		isCompared(key) && (isRobot || !families.has('F18') || !/ (?:volume|bounds)$/.test(key));
	const chosen = [expected, is].map((entries) => new Map([...entries].filter(([key]) => isChosen(key))));
	return compareSnapshots(chosen[0]!, chosen[1]!, { except, tolerance: writesSingles(fixed) ? SINGLE : DOUBLE })[0];
}

/** What a family is about that moves an asset as a whole. */
function movedAway(families: ReadonlySet<string>): readonly PhysicsPart[] {
	return families.has('F8') ? (FIXERS.find(({ family }) => family === 'F8')!.changes ?? []) : [];
}

const MOVING: readonly PhysicsPart[] = ['bodies', 'joints', 'articulations', 'mass'];

/** What is known, without bodies and joints that are no longer there. */
function withoutVanished(before: PhysicsSnapshot, after: PhysicsSnapshot): PhysicsSnapshot {
	const pathOf = (key: string): string => key.slice(0, key.indexOf('>'));
	const present = new Set(Array.from(after.keys(), pathOf));
	return new Map([...before].filter(([key, { part }]) => !MOVING.includes(part) || present.has(pathOf(key))));
}

/**
 * What the importer reads of Newton and MuJoCo stands in entries of their own when a fix takes it out of the asset. Gives the files with an entry that
 * has both where there are both, and its name.
 */
function withOverlays({ files }: FixedAsset, entry: string): readonly [files: AssetFiles, entry: string] {
	const own = ['newton', 'mujoco']
		.map((vendor) => entry.replace(/(\.\w+)$/, `_${vendor}$1`))
		.filter((at) => files.has(at));
	if (own.length < 2) return [files, own[0] ?? entry];
	const all = entry.replace(/(\.\w+)$/, '_vendors$1');
	const text = new TextDecoder().decode(files.get(own[0]!));
	const layers = own.map((at) => `@./${at.split('/').at(-1)}@`).join(', ');
	const joined = text.replace(/subLayers = \[[^\]]*\]/, `subLayers = [${layers}]`);
	return [new Map([...files, [all, new TextEncoder().encode(joined)]]), all];
}

/** F2 takes the scale of a body to apply to the distances that its joints slide, and says so; the importer reads them as they stand. */
function scalesLimits({ plan }: FixedAsset): boolean {
	return plan.items.some(({ path, family }) => family === 'F2' && /\.physics:(?:lower|upper)Limit$/.test(path));
}

/** Whether a fix wrote numbers of physics or shapes, which schemas store in single precision. */
function writesSingles({ plan }: FixedAsset): boolean {
	return plan.items.some(({ path, before, after }) => SINGLES.test(path) && /\d/.test(`${before ?? ''}${after ?? ''}`));
}

const SINGLES = /\.(?:physics|drive|limit|ext_physics|newton)\b[\w:]*$|\.(?:points|extent|normals)$/;
