import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Every file below a folder, as absolute paths, ordered by path with numbers compared as code units. */
export function* walkFiles(dir: string): Generator<string> {
	if (!existsSync(dir)) return;
	const entries = readdirSync(dir, { withFileTypes: true });
	entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
	for (const entry of entries) {
		const path = join(dir, entry.name);
		if (entry.isDirectory()) yield* walkFiles(path);
		else if (entry.isFile() || entry.isSymbolicLink()) yield path;
	}
}

/** Path below `dir` with forward slashes: the usual name of a case. */
export function caseName(dir: string, path: string): string {
	return relative(dir, path).split(sep).join('/');
}

/** Parsed JSON of a file; `.gz` files are unpacked first. Lines that begin with `#` are comments, as in plugInfo.json. */
export function readJson(path: string): unknown {
	const bytes = readFileSync(path);
	const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
	return JSON.parse(text.startsWith('#') ? text.replace(/^#.*$/gm, '') : text);
}

/** The first of the given paths that exists. */
export function firstExisting(paths: readonly string[]): string | undefined {
	return paths.find((path) => existsSync(path));
}

/** Bytes of a file in memory of their own, so that offsets in it are aligned as in the file. */
export function readBytes(path: string): Uint8Array<ArrayBuffer> {
	const bytes = readFileSync(path);
	const copy = new Uint8Array(bytes.length);
	copy.set(bytes);
	return copy;
}
