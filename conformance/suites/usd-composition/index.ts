import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { isAssetFailure, type Layer, type Path } from '@manyworlds/usd';
import { CompositionCache } from '@manyworlds/usd/internal';
import { DiskStore } from '../../src/disk-store.ts';
import { caseName, walkFiles } from '../../src/files.ts';
import type { Case, Group, Outcome, Suite, SuiteContext } from '../../src/suite.ts';
import { textDifference } from '../../src/text-difference.ts';
import { dumpScene } from './dump-scene.ts';

type FolderOf = (folder: string) => string;

/** The text layers of a scene, which the dumps were made from. */
const textFolder: FolderOf = (folder) => (existsSync(join(folder, 'usda')) ? join(folder, 'usda') : folder);

/** The crate layers of a scene. */
const crateFolder: FolderOf = (folder) => folder;

/** Composition of scenes, prim by prim. */
export const usdComposition: Suite = {
	name: 'usd/composition',
	description: 'AOUSD composition dumps: stacks, children, offsets, selections, targets, errors',
	defaultDir: 'conformance/aousd/composition/tests/assets',
	groups: [
		exactGroup('aousd/text', 'the composition of a scene in text layers prints as in its pcp.txt', textFolder),
		exactGroup('aousd/crate', 'the same with the crate layers of the scene', crateFolder),
		{
			name: 'aousd/loose',
			description:
				'dumps with output of OpenUSD itself in them: a root layer that its parser refuses is refused at the same line; ' +
				'without its warnings the rest is as printed',
			tolerance: 'line of the refusal; byte for byte without the lines of the warnings',
			timeLimit: 10,
			*cases(context: SuiteContext): Generator<Case> {
				for (const [name, dump, folder] of scenes(context)) {
					yield { name: `${name} text`, run: () => compareLoosely(dump, textFolder(folder)) };
					yield { name: `${name} crate`, run: () => compareLoosely(dump, crateFolder(folder)) };
				}
			},
		},
	],
};

function exactGroup(name: string, description: string, folderOf: FolderOf): Group {
	return {
		name,
		description,
		tolerance: 'byte for byte, errors included',
		timeLimit: 10,
		*cases(context: SuiteContext): Generator<Case> {
			for (const [scene, dump, folder] of scenes(context)) {
				yield { name: scene, run: () => compareExactly(dump, folderOf(folder)) };
			}
		},
	};
}

function* scenes(context: SuiteContext): Generator<[name: string, dump: string, folder: string]> {
	for (const path of walkFiles(context.dir)) {
		if (basename(path) !== 'pcp.txt') continue;
		yield [caseName(context.dir, dirname(path)), readFileSync(path, 'utf8'), dirname(path)];
	}
}

/** What OpenUSD prints between results and errors when it has something to say itself. */
const OWN_WORDS = /\n-{80}\n(?=Warning: |Traceback )/;

function compareExactly(dump: string, folder: string): Outcome {
	if (OWN_WORDS.test(dump)) return { excluded: 'the dump holds output of OpenUSD itself' };
	return compare(dump, folder);
}

function compareLoosely(dump: string, folder: string): Outcome {
	if (!OWN_WORDS.test(dump)) return { excluded: 'the dump is compared exactly' };
	if (!/^Traceback /m.test(dump)) return compare(dump.replace(OWN_WORDS, '\n').replace(/^Warning: .*\n/gm, ''), folder);
	const rootName = /^Loading @(.*)@$/m.exec(dump)?.[1] ?? '';
	const path = join(folder, basename(rootName));
	if (!existsSync(path)) return { excluded: 'the scene has no such layer' };
	const line = /:(\d+):\d+: [^\n]*\n'\s*$/.exec(dump)?.[1];
	const store = new DiskStore();
	const found = store.layer(path)!;
	if (!isAssetFailure(found)) return `the root layer was read, expected a refusal at line ${line}`;
	const error = store.report.toArray().find(({ severity }) => severity === 'error');
	const at = error?.range?.start.line;
	return String(at) === line ? undefined : `refused at line ${at} (${found.failure}), expected line ${line}`;
}

function compare(expected: string, folder: string): Outcome {
	const header = /^(?:Loading session @(.*)@\n\n)?Loading @(.*)@\n\n/.exec(expected);
	if (header === null) return 'the dump does not begin with the name of its root layer';
	const [head, sessionName, rootName] = header;
	const rootFile = join(folder, basename(rootName!));
	if (!existsSync(rootFile) && basename(dirname(rootFile)) !== 'usda' && existsSync(join(folder, 'usda'))) {
		return { excluded: 'the scene has text layers only' };
	}
	const store = new DiskStore();
	const root = store.layer(rootFile)!;
	if (isAssetFailure(root)) return `root layer: ${root.failure || 'there is no such file'}`;
	const session = sessionName === undefined ? undefined : store.layer(join(folder, basename(sessionName)));
	if (session !== undefined && isAssetFailure(session)) return `session layer: ${session.failure}`;
	// payloads are loaded as the walk over the prims gets there
	const loaded = new Set<Path>();
	const cache = new CompositionCache({
		rootLayer: root,
		sessionLayer: session,
		store,
		variantFallbacks: new Map([['standin', ['render']]]),
		includesPayload: (path) => loaded.has(path),
	});
	const label = (layer: Layer): string => relative(dirname(root.identifier), layer.identifier);
	const prefix = dirname(rootName!);
	const identifier = (layer: Layer): string => join(prefix, label(layer));
	const actual = head + dumpScene(cache, { label, identifier }, (path) => loaded.add(path));
	return textDifference(Buffer.from(actual), Buffer.from(expected));
}
