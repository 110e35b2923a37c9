import { statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { ServeSiteOptions } from '@manyworlds/node';
import { listAssetFiles, robotFolders, toSlashes } from '@manyworlds/node/internal';
import { isSceneFile } from '../front/is-scene-file.ts';

/** Where a page asks for the files of an asset. */
const ASSET = 'asset/';

/** A folder of an asset that is offered to a page. */
export interface OfferedAsset {
	/** The folder. */
	readonly root: string;
	/** Where the page finds the list of its files. */
	readonly list: string;
	/** Whether the folder has more files than are offered. */
	readonly isCut: boolean;
	readonly find: NonNullable<ServeSiteOptions['find']>;
}

/**
 * Offers the folder of an asset, or that of its ROS package: the files that assets are made of, and nothing else. A folder that is
 * watched is listed anew each time, with a stamp for each file that changes with it.
 */
export function offerAsset(path: string, isWatched = false): OfferedAsset {
	const folders = isSceneFile(path) ? [dirname(path)] : [dirname(path), ...robotFolders(path)];
	const root = folders.map((folder) => resolve(folder)).reduce((a, b) => (b.length < a.length ? b : a));
	const entry = toSlashes(relative(root, path));
	const listed = listAssetFiles(root);
	let offered = new Set([...listed.files, entry]);
	const list = (): string => {
		if (isWatched) offered = new Set([...listAssetFiles(root).files, entry]);
		const files = [...offered].sort();
		const stamps = isWatched ? { stamps: files.map((file) => stampOf(join(root, file))) } : {};
		return JSON.stringify({ entry, files, ...stamps });
	};
	return {
		root,
		list: `${ASSET}list.json`,
		isCut: listed.isCut,
		find: (asked) => {
			if (!asked.startsWith(ASSET)) return undefined;
			const name = asked.slice(ASSET.length);
			if (name === 'list.json') return { text: list(), type: 'application/json' };
			return offered.has(name) ? { file: join(root, name) } : undefined;
		},
	};
}

/** Changes when a file does; '' for one that is not there. */
function stampOf(file: string): string {
	const stats = statSync(file, { throwIfNoEntry: false });
	return stats === undefined ? '' : `${stats.mtimeMs} ${stats.size}`;
}
