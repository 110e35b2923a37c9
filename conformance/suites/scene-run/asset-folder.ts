import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { LoadSceneOptions } from '@manyworlds/scene';
import { DefaultResolver } from '@manyworlds/usd';

/** Folders below the assets folder that stand in for those that scenes of SAP Warp name (oracle/sap-warp/README.md). */
const STAND_INS: Readonly<Record<string, string>> = {
	anybotics_anymal_c: 'anymal_c',
	'newton/examples/assets': 'newton-examples',
	'assets/robot': 'sap-robots',
	control: 'sap-control',
};

/**
 * Options that find the files of a scene: beside it, below the assets folder under the same path, or in the folder that
 * stands in for that of the path. Repositories are looked for the same way and nothing is fetched. Files that are nowhere
 * are added to `missing`.
 */
export function sceneAssets(assetsDir: string, missing: string[]): Pick<LoadSceneOptions, 'resolver' | 'checkout'> {
	const backend = {
		exists: (file: string): boolean => isFile(file),
		readSync: (file: string): Uint8Array | undefined => (isFile(file) ? readFileSync(file) : undefined),
	};
	const disk = new DefaultResolver({ backend, roots: ['/'] });
	const find = (path: string): string | undefined => {
		const clean = path.replace(/^(?:\.\.?\/)+/, '');
		const places = [clean];
		for (const [folder, standIn] of Object.entries(STAND_INS))
			if (clean.startsWith(`${folder}/`)) places.push(standIn + clean.slice(folder.length));
		return places.map((place) => join(assetsDir, place)).find(isFile);
	};
	return {
		resolver: {
			resolve: (assetPath, anchor) => {
				const found = disk.resolve(assetPath, anchor);
				if (found.refusal !== undefined || isFile(found.identifier)) return found;
				const own = assetPath.startsWith(`${assetsDir}/`) ? assetPath.slice(assetsDir.length + 1) : assetPath;
				const file = find(own);
				if (file !== undefined) return disk.resolve(file, '');
				// what an asset itself refers to is its own affair
				if (own !== assetPath || /\.(?:ya?ml|json)$/.test(anchor)) missing.push(own);
				return found;
			},
			readSync: (identifier) => disk.readSync(identifier),
			read: (identifier) => disk.read(identifier),
		},
		checkout: () => ({ folder: assetsDir }),
	};
}

function isFile(path: string): boolean {
	return existsSync(path) && statSync(path).isFile();
}
