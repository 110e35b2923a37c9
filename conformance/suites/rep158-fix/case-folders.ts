import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { caseName, readBytes, walkFiles } from '../../src/files.ts';
import type { AssetFiles } from './fixed-asset.ts';

/** The files below a folder, without what belongs to the case. */
export function readAsset(dir: string): AssetFiles {
	const files = new Map<string, Uint8Array>();
	for (const path of walkFiles(dir)) {
		const name = caseName(dir, path);
		if (name !== 'expected.json') files.set(name, readBytes(path));
	}
	return files;
}

/** Names of the folders in a folder, sorted; none when it is not there. */
export function folders(dir: string): string[] {
	if (!existsSync(dir)) return [];
	return readdirSync(dir)
		.filter((name) => statSync(join(dir, name)).isDirectory())
		.sort();
}
