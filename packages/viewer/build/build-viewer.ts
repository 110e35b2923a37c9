import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build as bundle } from 'esbuild';
import { build, type InlineConfig } from 'vite';

const ROOT = join(import.meta.dirname, '../../..');

/** Robots that come with the viewer, and which of their files is meant. */
const EXAMPLES: Readonly<Record<string, string>> = {
	heron: 'heron.usda',
	egret: 'egret.usda',
	crane: 'crane.xml',
	plover: 'urdf/plover.urdf',
};

/** Where the command looks for the viewer. */
export const VIEWER_FOLDER: string = join(ROOT, 'packages/manyworlds/site');

/** Builds the web application from source into a folder, with the examples beside it. */
export async function buildViewer(folder: string = VIEWER_FOLDER, settings: InlineConfig = {}): Promise<void> {
	const conditions = ['@manyworlds/source', 'module', 'browser', 'import', 'default'];
	await build({
		root: join(ROOT, 'packages/viewer'),
		configFile: false,
		logLevel: 'error',
		base: './',
		resolve: { conditions },
		worker: { format: 'es', rolldownOptions: { experimental: { chunkOptimization: false } } },
		build: { outDir: folder, emptyOutDir: true, target: 'es2022', chunkSizeWarningLimit: 20_000 },
		...settings,
	});
	await bundle({
		entryPoints: [join(ROOT, 'packages/viewer/src/viewer-element.ts')],
		outfile: join(folder, 'viewer-element.js'),
		bundle: true,
		minify: true,
		format: 'esm',
		target: 'es2022',
		logLevel: 'error',
	});
	await buildOffline(folder);
	for (const [name, entry] of Object.entries(EXAMPLES))
		copyExample(join(ROOT, 'examples/robots', name), entry, join(folder, 'examples', name));
}

/** Writes the worker that keeps the site, with the names of its files; what is large and seldom used is kept when it was used. */
async function buildOffline(folder: string): Promise<void> {
	const names = readdirSync(join(folder, 'assets')).sort();
	const digest = createHash('sha256');
	for (const name of names) digest.update(readFileSync(join(folder, 'assets', name)));
	const kept = names.filter((name) => !/\.wasm$|^mujoco/.test(name)).map((name) => `assets/${name}`);
	await bundle({
		entryPoints: [join(ROOT, 'packages/viewer/src/offline-worker.ts')],
		outfile: join(folder, 'offline.js'),
		bundle: true,
		minify: true,
		format: 'iife',
		target: 'es2022',
		define: {
			SITE_FILES: JSON.stringify(['./', ...kept]),
			SITE_VERSION: JSON.stringify(`manyworlds-${digest.digest('hex').slice(0, 12)}`),
		},
		logLevel: 'error',
	});
}

/** Copies a robot and lists its files beside it. */
function copyExample(from: string, entry: string, to: string): void {
	mkdirSync(to, { recursive: true });
	cpSync(from, to, { recursive: true });
	const files = readdirSync(from, { recursive: true, withFileTypes: true })
		.filter((file) => file.isFile())
		.map((file) => relative(from, join(file.parentPath, file.name)).replaceAll('\\', '/'))
		.sort();
	writeFileSync(join(to, 'list.json'), `${JSON.stringify({ entry, files })}\n`);
}
