/**
 * Small random scenes that are dense in arcs, with the prim indexes and targets of OpenUSD 26.11, node by node: `oracle/small_scenes.py` made them
 * and says how the file is written. Scenes are left out where the two keep other nodes without specs.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { CompositionCache } from '@manyworlds/usd';
import { afterAll, expect, it } from 'vitest';
import { FileSource } from '../src/file-source.ts';
import { dumpNodes } from './node-dump.ts';

const folder = mkdtempSync(join(tmpdir(), 'scenes-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = resolve(import.meta.dirname, '../data/small-scenes.txt.gz');
const scenes = gunzipSync(readFileSync(file)).toString('utf8').split(/^## /m).slice(1);

/** The parts of a scene after their headings: layers, and the answer. */
function partsOf(scene: string): Map<string, string> {
	const parts = new Map<string, string>();
	for (const part of scene.split(/^--- /m).slice(1)) {
		const end = part.indexOf('\n');
		parts.set(part.slice(0, end), part.slice(end + 1));
	}
	return parts;
}

it.each(scenes.map((scene) => [scene.slice(0, scene.indexOf('\n')), scene] as const))('scene %s', (seed, scene) => {
	const dir = join(folder, seed);
	mkdirSync(dir, { recursive: true });
	const parts = partsOf(scene);
	for (const [name, text] of parts) if (name.endsWith('.usda')) writeFileSync(join(dir, name), text);
	const source = new FileSource();
	const cache = new CompositionCache({ rootLayer: source.open(join(dir, 'root.usda')), source });
	expect(dumpNodes(cache, dir, { withTargets: true })).toBe(parts.get('(answer)'));
});
