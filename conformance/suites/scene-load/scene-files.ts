import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { LoadSceneOptions } from '@manyworlds/scene';
import { withIdentify } from '@manyworlds/usd/internal';
import { DiskStore } from '../../src/disk-store.ts';
import type { InputFinder } from '../../src/input-finder.ts';

/**
 * Options that find the files of a scene. Paths are tried as they are, relative to the scene; what is not there is looked for
 * below the assets folder by ever shorter ends of its path. Git sources are looked for the same way, and nothing is fetched.
 */
export function sceneFiles(inputs: InputFinder): Pick<LoadSceneOptions, 'store' | 'checkout'> {
	const disk = new DiskStore();
	return {
		store: withIdentify(disk, (assetPath, anchor) => {
			const found = disk.identify(assetPath, anchor);
			if (found.refusal !== undefined || existsSync(found.identifier)) return found;
			const path = byEnd(inputs, assetPath);
			return path === undefined ? found : disk.identify(path, '');
		}),
		checkout: ({ repo, rev, path }) => {
			const file = byEnd(inputs, path);
			if (file === undefined) return { failure: `${repo}@${rev}:${path} is not below the assets folder` };
			return { folder: dirname(file), path: file.slice(dirname(file).length + 1) };
		},
	};
}

/** The file whose path ends with the longest end of `path`; among several, the one that shares most words with it. */
function byEnd(inputs: InputFinder, path: string): string | undefined {
	const parts = path.split('/').filter((part) => part !== '' && part !== '.' && part !== '..');
	for (let i = 0; i < parts.length; i++) {
		const matches = inputs.endingWith(parts.slice(i).join('/'));
		const scores = matches.map((match) => words(match).filter((word) => words(path).includes(word)).length);
		const best = Math.max(...scores);
		const chosen = matches.filter((_, k) => scores[k] === best);
		if (chosen.length === 1) return chosen[0];
	}
	return undefined;
}

function words(path: string): string[] {
	return path.split(/[/_.-]+/).filter((word) => word !== '');
}
