import { existsSync } from 'node:fs';
import { dirname, posix } from 'node:path';
import { Report } from '@manyworlds/core';
import type { FixFamily } from '@manyworlds/rep158';
import { FIXERS } from '@manyworlds/rep158/internal';
import { listAssetPaths, openOne } from '@manyworlds/usd/internal';
import { caseName, readBytes, walkFiles } from '../../src/files.ts';
import { listLayers } from '../../src/layer-files.ts';
import { type AssetFiles, type FixedAsset, fixFiles } from './fixed-asset.ts';

/** A USD file of the assets with the files around it. */
export interface AssetTrial {
	/** Path below the folder of assets. */
	readonly name: string;
	/** Name of the file among `files`. */
	readonly entry: string;
	/** Files of the folder that it is in. */
	readonly files: AssetFiles;
	/** Whether no other file there refers to it. */
	readonly isAsset: boolean;
}

/** Every USD file below a folder. */
export function* listTrials(dir: string): Iterable<AssetTrial> {
	const paths = existsSync(dir) ? listLayers(dir).map(({ path }) => path) : [];
	const used = new Set(paths.flatMap((path) => [...referredFiles(path)]));
	let folder: { dir: string; files: AssetFiles } | undefined;
	for (const path of paths) {
		if (folder?.dir !== dirname(path)) folder = { dir: dirname(path), files: readFolder(dirname(path)) };
		const { files } = folder;
		yield { name: caseName(dir, path), entry: caseName(folder.dir, path), files, isAsset: !used.has(path) };
	}
}

/** Fixes a file, perhaps without one family; versions are all that fixes are told. */
export function fixTrial({ files, entry }: AssetTrial, unsafe: boolean, without?: FixFamily): FixedAsset {
	const only = without && { only: FIXERS.map(({ family }) => family).filter((family) => family !== without) };
	return fixFiles(files, entry, { unsafe, parameters: { version: '1.0.0' }, ...only });
}

function* referredFiles(path: string): Iterable<string> {
	const opened = openOne(readBytes(path), path, new Report({ cap: 0 }));
	if (opened === undefined) return;
	for (const { assetPath, kind } of listAssetPaths(opened.data)) {
		const target = posix.resolve(posix.dirname(path), assetPath);
		if (kind !== 'asset' && assetPath !== '' && target !== path) yield target;
	}
}

function readFolder(dir: string): AssetFiles {
	return new Map(Array.from(walkFiles(dir), (path) => [caseName(dir, path), readBytes(path)]));
}
