import { checkAsset, fixAsset } from '@manyworlds/rep158';
import { formatRulePage, rulePage } from '@manyworlds/rep158/codes';
import { openMemory } from '../fix/memory-asset.ts';
import { openAsset } from '../open-asset.ts';

/** Named results: plain facts, findings and what fixes write. */
export type Results = Record<string, string>;

/** Files by their path from the root of the repository. */
export type Files = Readonly<Record<string, Uint8Array>>;

/**
 * Checks every asset of a list and fixes the second one. Runs in Node and in a browser, which must agree.
 *
 * @param roots - root layers, as paths among the files
 */
export function runProgram(files: Files, roots: readonly string[]): Results {
	const results: Results = {};
	for (const root of roots) {
		const { name, own } = assetFiles(files, root);
		const { layer, store } = openAsset(own, name);
		const { report, primCount, selectionCount } = checkAsset(layer, store);
		results[root] = `${primCount} prims, ${selectionCount} selections, ${store.report.size} faults`;
		results[`${root} findings`] = report
			.toArray()
			.map((found) => `${found.code} ${found.file}:${found.range?.start.line} ${found.message}`)
			.join('\n');
	}
	const broken = assetFiles(files, roots[1]!);
	const asset = openMemory(broken.own, broken.name);
	const fixed = fixAsset(asset.root, asset.store, { unsafe: true });
	results['fixed'] = fixed.files.map(({ identifier, bytes }) => `${identifier} ${fingerprint(bytes)}`).join(', ');
	results['page'] = formatRulePage(rulePage('R1.1.7')!);
	return results;
}

/** Fetches the files and runs the program on them. */
export async function runInPage(names: readonly string[], roots: readonly string[]): Promise<Results> {
	const files: Record<string, Uint8Array> = {};
	for (const name of names) {
		const response = await fetch(`/${name}`);
		if (!response.ok) throw new Error(`${name}: status ${response.status}`);
		files[name] = new Uint8Array(await response.arrayBuffer());
	}
	return runProgram(files, roots);
}

/** The files in the folder of a root layer, by their paths from there. */
function assetFiles(files: Files, root: string): { name: string; own: Record<string, Uint8Array> } {
	const folder = root.slice(0, root.lastIndexOf('/') + 1);
	const own: Record<string, Uint8Array> = {};
	for (const [path, bytes] of Object.entries(files))
		if (path.startsWith(folder)) own[path.slice(folder.length)] = bytes;
	return { name: root.slice(folder.length), own };
}

/** FNV-1a of bytes. */
function fingerprint(bytes: Uint8Array): string {
	let hash = 0x811c9dc5;
	for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
	return `${bytes.length}:${(hash >>> 0).toString(16)}`;
}
