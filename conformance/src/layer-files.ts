import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { caseName, firstExisting, walkFiles } from './files.ts';

/** What a layer file holds, by its first bytes. */
export type LayerKind = 'text' | 'crate' | 'package';

/** A file that should be a layer. */
export interface LayerFile {
	readonly path: string;
	/** Path below the folder of the suite: the name of its case. */
	readonly name: string;
	readonly kind: LayerKind;
}

const LAYER_EXTENSIONS = new Set(['.usd', '.usda', '.usdc', '.usdz', '.sdf']);

/** Every layer file below a folder, in the order of their paths. */
export function listLayers(dir: string): readonly LayerFile[] {
	const layers: LayerFile[] = [];
	for (const path of walkFiles(dir)) {
		if (LAYER_EXTENSIONS.has(extname(path))) layers.push({ path, name: caseName(dir, path), kind: kindOf(path) });
	}
	return layers;
}

/** File name without folder and extension. */
export function stem(path: string): string {
	return basename(path, extname(path));
}

/**
 * The JSON that says what a layer holds: `NAME.json`, `NAME.EXT.json` or `baseline/NAME.json` in its folder, or
 * `baseline/NAME.json` beside its folder; each may be gzipped.
 */
export function goldenOf(layer: string): string | undefined {
	const dir = dirname(layer);
	const name = stem(layer);
	const places = [
		join(dir, name),
		layer,
		join(dir, 'baseline', name),
		join(dir, 'baseline', basename(layer)),
		join(dirname(dir), 'baseline', name),
	];
	return firstExisting(places.flatMap((place) => [`${place}.json`, `${place}.json.gz`]));
}

/** The folders whose text layers have the `testSdfParsing` format of OpenUSD: `_bad_` names, or a folder of re-writes. */
export function parsingFolders(dir: string): ReadonlySet<string> {
	const folders = new Set<string>();
	for (const layer of listLayers(dir)) {
		if (layer.kind !== 'text') continue;
		const folder = dirname(layer.path);
		if (BAD_NAME.test(basename(layer.path)) && basename(folder) !== 'baseline') folders.add(folder);
		if (basename(folder) === 'baseline' && existsSync(join(dirname(folder), basename(layer.path)))) {
			folders.add(dirname(folder));
		}
	}
	return folders;
}

/** Names of inputs that must be refused: on reading (`_bad_`), or at the latest on writing (`_badwrite_`). */
export const BAD_NAME = /_bad(write)?_/;

function kindOf(path: string): LayerKind {
	const start = Buffer.alloc(8);
	const file = openSync(path, 'r');
	try {
		readSync(file, start, 0, 8, 0);
	} finally {
		closeSync(file);
	}
	if (start.toString('latin1') === 'PXR-USDC') return 'crate';
	return start.readUInt32LE(0) === 0x04034b50 ? 'package' : 'text';
}
