import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from './open-page.ts';

/** The command in one file, which starts many times faster than from source; `remove` takes it away. */
export async function bundledCommand(): Promise<{ readonly file: string; readonly remove: () => void }> {
	// below the repository, where it finds what is not in the file
	const folder = mkdtempSync(join(ROOT, 'node_modules/.cache/manyworlds-command-'));
	copyFileSync(join(ROOT, 'packages/manyworlds/package.json'), join(folder, 'package.json'));
	const file = join(folder, 'bundle/bin.js');
	await build({
		entryPoints: [join(ROOT, 'packages/manyworlds/src/command/bin.ts')],
		outdir: join(folder, 'bundle'),
		bundle: true,
		splitting: true,
		format: 'esm',
		platform: 'node',
		target: 'node20',
		conditions: ['@manyworlds/source'],
		external: ['@mujoco/mujoco', '@jsquash/webp', '@foxglove/wasm-zstd'],
		banner: {
			js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
		},
		logLevel: 'error',
	});
	return { file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
