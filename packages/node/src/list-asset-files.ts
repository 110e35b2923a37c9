import { type Dirent, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { toSlashes } from './slashes.ts';

/** Kinds of files that robots are made of. */
const KINDS =
	/\.(usd|usda|usdc|usdz|urdf|xacro|srdf|sdf|world|xml|mjcf|config|yaml|yml|json|obj|mtl|stl|dae|gltf|glb|bin|ply|msh|skn|png|jpg|jpeg|bmp|tga|tif|tiff|webp|exr|hdr|ktx|ktx2|npy|csv)$/i;

/** Most files that are listed, and folders that are no part of assets. */
const MOST_FILES = 5000;
const PASSED_OVER: ReadonlySet<string> = new Set(['node_modules', '.git', '__pycache__', '.venv']);

/** Files below a folder that an asset may be made of, relative to it with forward slashes, in order; links are not followed. @public */
export function listAssetFiles(
	folder: string,
	most: number = MOST_FILES,
): { readonly files: string[]; readonly isCut: boolean } {
	const files: string[] = [];
	const open = [folder];
	for (let next = open.pop(); next !== undefined; next = open.pop()) {
		for (const entry of entriesOf(next)) {
			const path = join(next, entry.name);
			if (entry.isDirectory() && !PASSED_OVER.has(entry.name)) open.push(path);
			else if (entry.isFile() && KINDS.test(entry.name)) {
				if (files.length >= most) return { files: files.sort(), isCut: true };
				files.push(toSlashes(relative(folder, path)));
			}
		}
	}
	return { files: files.sort(), isCut: false };
}

/** What is in a folder; nothing where it cannot be read. */
function entriesOf(folder: string): Dirent[] {
	try {
		return readdirSync(folder, { withFileTypes: true });
	} catch {
		return [];
	}
}
