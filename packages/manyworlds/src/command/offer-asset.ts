import { dirname, join, relative, resolve } from 'node:path';
import { listAssetFiles, robotFolders, type ServeSiteOptions } from '@manyworlds/node';
import { toSlashes } from '@manyworlds/node/internal';
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

/** Offers the folder of an asset, or that of its ROS package: the files that assets are made of, and nothing else. */
export function offerAsset(path: string): OfferedAsset {
	const folders = isSceneFile(path) ? [dirname(path)] : [dirname(path), ...robotFolders(path)];
	const root = folders.map((folder) => resolve(folder)).reduce((a, b) => (b.length < a.length ? b : a));
	const { files, isCut } = listAssetFiles(root);
	const entry = toSlashes(relative(root, path));
	const offered = new Set([...files, entry]);
	const text = JSON.stringify({ entry, files: [...offered].sort() });
	return {
		root,
		list: `${ASSET}list.json`,
		isCut,
		find: (asked) => {
			if (!asked.startsWith(ASSET)) return undefined;
			const name = asked.slice(ASSET.length);
			if (name === 'list.json') return { text, type: 'application/json' };
			return offered.has(name) ? { file: join(root, name) } : undefined;
		},
	};
}
