import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { afterAll } from 'vitest';
import { ROOT } from './run-cli.ts';

/** Puts a worker's module into one file: several threads start faster from it than from source. It is removed after the tests. */
export function bundleWorker(module: string): URL {
	// below node_modules, so that packages that stay outside are found
	const cache = join(ROOT, 'node_modules/.cache');
	mkdirSync(cache, { recursive: true });
	const folder = mkdtempSync(join(cache, 'manyworlds-'));
	afterAll(() => rmSync(folder, { recursive: true, force: true }));
	const outfile = join(folder, 'worker.mjs');
	buildSync({
		entryPoints: [module],
		outfile,
		bundle: true,
		format: 'esm',
		platform: 'node',
		target: 'node20',
		conditions: ['@manyworlds/source'],
		external: ['@mujoco/mujoco', '@foxglove/wasm-zstd'],
		// modules of dependencies that are no ES modules ask for those of Node
		banner: {
			js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
		},
	});
	return pathToFileURL(outfile);
}
