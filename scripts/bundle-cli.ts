/** Puts the compiled command into a few files in `packages/cli/bundle`: node loads those several times faster than all modules one by one. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from './source-files.ts';

const CLI = join(ROOT, 'packages/cli');
/** Beside `dist`, so that what modules find relative to themselves is found from here too. */
const OUTPUT = join(CLI, 'bundle');

rmSync(OUTPUT, { recursive: true, force: true });
const { metafile } = await build({
	// modules that threads run are found beside the code that starts them
	entryPoints: ['bin.js', 'check/check-worker.js', 'run/world-worker.js'].map((file) => join(CLI, 'dist', file)),
	entryNames: '[name]',
	outdir: OUTPUT,
	bundle: true,
	splitting: true,
	metafile: true,
	format: 'esm',
	platform: 'node',
	target: 'node20',
	// it brings a file of its own
	external: ['@mujoco/mujoco'],
	// modules of dependencies that are no ES modules ask for those of Node
	banner: {
		js: "import { createRequire as makeRequire } from 'node:module';\nconst require = makeRequire(import.meta.url);",
	},
	logLevel: 'error',
});
const sizes = Object.values(metafile.outputs).map(({ bytes }) => bytes);
console.log(`packages/cli/bundle: ${sizes.length} files, ${(sizes.reduce((a, b) => a + b, 0) / 1e6).toFixed(1)} MB`);
