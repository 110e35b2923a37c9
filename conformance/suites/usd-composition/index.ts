import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { CompositionCache, isLayerFailure, type Layer, type Path } from '@manyworlds/usd';
import { caseName, walkFiles } from '../../src/files.ts';
import type { Case, Group, Outcome, Suite, SuiteContext } from '../../src/suite.ts';
import { textDifference } from '../../src/text-difference.ts';
import { dumpScene } from './dump-scene.ts';
import { SceneSource } from './scene-source.ts';

/** The text layers of a scene, which the dumps were made from. */
const text: Group = compositionGroup(
	'aousd/text',
	'the composition of a scene in text layers prints as in its pcp.txt',
	(folder) => (existsSync(join(folder, 'usda')) ? join(folder, 'usda') : folder),
);

/** The same scenes in crate layers. */
const crate: Group = compositionGroup(
	'aousd/crate',
	'the same with the crate layers of the scene',
	(folder) => folder,
);

/** Composition of scenes, prim by prim. */
export const usdComposition: Suite = {
	name: 'usd/composition',
	description: 'AOUSD composition dumps: stacks, children, offsets, selections, targets, errors',
	defaultDir: 'conformance/aousd/composition/tests/assets',
	groups: [text, crate],
};

function compositionGroup(name: string, description: string, layersOf: (folder: string) => string): Group {
	return {
		name,
		description,
		tolerance: 'byte for byte, errors included',
		timeLimit: 10,
		*cases(context: SuiteContext): Generator<Case> {
			for (const path of walkFiles(context.dir)) {
				if (basename(path) !== 'pcp.txt') continue;
				const folder = dirname(path);
				yield { name: caseName(context.dir, folder), run: () => runScene(path, layersOf(folder)) };
			}
		},
	};
}

function runScene(dumpFile: string, folder: string): Outcome {
	const expected = readFileSync(dumpFile, 'utf8');
	const header = /^(?:Loading session @(.*)@\n\n)?Loading @(.*)@\n\n/.exec(expected);
	if (header === null) return 'the dump does not begin with the name of its root layer';
	const [head, sessionName, rootName] = header;
	const source = new SceneSource();
	const root = source.layer(join(folder, basename(rootName!)));
	if (isLayerFailure(root)) return `root layer: ${root.failure || 'there is no such file'}`;
	const session = sessionName === undefined ? undefined : source.layer(join(folder, basename(sessionName)));
	if (session !== undefined && isLayerFailure(session)) return `session layer: ${session.failure}`;
	// payloads are loaded as the walk over the prims gets there
	const loaded = new Set<Path>();
	const cache = new CompositionCache({
		rootLayer: root,
		sessionLayer: session,
		source,
		variantFallbacks: new Map([['standin', ['render']]]),
		includesPayload: (path) => loaded.has(path),
	});
	const label = (layer: Layer): string => relative(dirname(root.identifier), layer.identifier);
	const prefix = dirname(rootName!);
	const identifier = (layer: Layer): string => join(prefix, label(layer));
	const actual = head + dumpScene(cache, { label, identifier }, (path) => loaded.add(path));
	return textDifference(Buffer.from(actual), Buffer.from(expected));
}
