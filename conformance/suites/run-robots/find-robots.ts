import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Report } from '@manyworlds/core';
import { readMjcf } from '@manyworlds/formats';
import { type AssetFormat, detectAssetFormat } from '@manyworlds/import';
import { entryFiles } from '@manyworlds/rep158';
import { DiskStore } from '../../src/disk-store.ts';
import { caseName, walkFiles } from '../../src/files.ts';

/** A file that may be a robot. */
export interface RobotFile {
	/** Path below the folder of the suite. */
	readonly name: string;
	readonly path: string;
	readonly format: AssetFormat;
}

/** Folders of the default run: those of robots below a folder that has others too. */
const FOLDERS = ['assets', 'more'];

/**
 * Robots below a folder: URDF and MJCF files, and USD files that no other one is made of. SDF files are robots to be converted
 * only: `withSdf` asks for them.
 */
export function findRobots(dir: string, withSdf = false): RobotFile[] {
	const roots = FOLDERS.every((name) => existsSync(join(dir, name))) ? FOLDERS.map((name) => join(dir, name)) : [dir];
	const robots: RobotFile[] = [];
	const layers: string[] = [];
	for (const root of roots) {
		for (const path of walkFiles(root)) {
			if (/\.usd[acz]?$/.test(path)) layers.push(path);
			else if ((withSdf ? /\.(?:xml|urdf|mjcf|sdf|world)$/ : /\.(?:xml|urdf|mjcf)$/).test(path)) {
				const format = detectAssetFormat(new Uint8Array(readFileSync(path)), path);
				if (format !== undefined) robots.push({ name: caseName(dir, path), path, format });
			}
		}
	}
	const finder = new DiskStore();
	const entries = entryFiles(layers, {
		identify: (assetPath, anchor) => finder.identify(assetPath, anchor),
		layer: (file) => new DiskStore({ report: new Report({ cap: 0 }) }).layer(file),
	});
	for (const path of entries) robots.push({ name: caseName(dir, path), path, format: 'usd' });
	return robots.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Names of the keyframes of a robot, as the importer gives them. */
export function keyframesOf({ path, format }: RobotFile): string[] {
	if (format !== 'mjcf') return [];
	const document = readMjcf(new Uint8Array(readFileSync(path)), {
		file: path,
		report: new Report({ cap: 0 }),
		load: (name, from) => {
			const file = join(dirname(from), name);
			return existsSync(file) ? { file, content: new Uint8Array(readFileSync(file)) } : { file, failure: '' };
		},
	});
	return document
		.sections('keyframe')
		.flatMap((section) => section.childrenNamed('key'))
		.map((key, index) => key.get('name') ?? `${index}`);
}
