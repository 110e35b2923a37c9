import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LayerData } from '@manyworlds/usd';
import type { SweepItem, SweepRunner, SweepTask } from '../harness/task.ts';
import { decodeEverything, parseLayer } from '../peers/manyworlds.ts';
import { countThreeSpecs, isCrate, parseWithThree, type ThreeLayer } from '../peers/three.ts';

const ASSETS = fileURLToPath(new URL('../../../shared/assets', import.meta.url));

/** Every USD file of the shared assets, by us and by three: whole texts parsed, crates with every field decoded. */
export function assetSweep(name: string): SweepTask {
	const contents = new Map<string, Uint8Array>();
	return {
		kind: 'sweep',
		name,
		title: 'parse each USD file of ../shared/assets from memory, every value decoded',
		unavailable: () => (existsSync(ASSETS) ? undefined : '../shared/assets is not there'),
		items: () => assetFiles(contents),
		contenders: [
			{ name: 'manyworlds', prepare: () => ownRunner(contents) },
			{ name: 'three', prepare: () => threeRunner(contents) },
		],
	};
}

function assetFiles(contents: Map<string, Uint8Array>): SweepItem[] {
	const items: SweepItem[] = [];
	for (const entry of readdirSync(ASSETS, { recursive: true, withFileTypes: true })) {
		if (!entry.isFile() || !/\.usd[ac]?$/.test(entry.name)) continue;
		const path = join(entry.parentPath, entry.name);
		const bytes = readFileSync(path);
		const item = relative(ASSETS, path);
		contents.set(item, bytes);
		items.push({ name: item, group: isCrate(bytes) ? 'usdc' : 'usda', megabytes: bytes.byteLength / 1e6 });
	}
	return items.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function ownRunner(contents: ReadonlyMap<string, Uint8Array>): SweepRunner {
	return {
		run: (item) => {
			const layer = parseLayer(contents.get(item.name)!, item.name);
			// a text is decoded when it is parsed
			if (item.group === 'usdc') decodeEverything(layer);
			return layer;
		},
		check: (_item, result) => {
			if (decodeEverything(result as LayerData) === 0) throw new Error('found nothing in the file');
		},
	};
}

function threeRunner(contents: ReadonlyMap<string, Uint8Array>): SweepRunner {
	return {
		run: (item) => parseWithThree(contents.get(item.name)!),
		check: (_item, result) => {
			countThreeSpecs(result as ThreeLayer);
		},
	};
}
