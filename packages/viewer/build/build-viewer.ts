import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build as bundle, type Plugin } from 'esbuild';
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
	await buildAlone(folder);
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

/** Replaces modules in a page of one file by others. */
const ALONE: Plugin = {
	name: 'alone',
	setup: (own) => {
		const src = join(ROOT, 'packages/viewer/src');
		own.onResolve({ filter: /\/threads\.ts$/ }, ({ importer }) =>
			importer.startsWith(src) ? { path: join(src, 'alone/alone-threads.ts') } : undefined,
		);
		own.onResolve({ filter: /^@mujoco\/mujoco$/ }, () => ({ path: join(src, 'alone/no-mujoco.ts') }));
		// what Node has for itself is never reached in pages
		own.onResolve({ filter: /^node:/ }, ({ path }) => ({ path, external: true }));
	},
};

/** Writes the page of one file, without a robot: the application and its threads, packed, and what unpacks them. */
async function buildAlone(folder: string): Promise<void> {
	const text = async (entry: string): Promise<string> => {
		const { outputFiles } = await bundle({
			entryPoints: [join(ROOT, 'packages/viewer/src', entry)],
			bundle: true,
			minify: true,
			write: false,
			format: 'iife',
			target: 'es2022',
			conditions: ['@manyworlds/source', 'module', 'browser', 'import', 'default'],
			mainFields: ['browser', 'module', 'main'],
			loader: { '.wasm': 'dataurl' },
			plugins: [ALONE],
			// where modules are is asked by what only Node and the site with its chunks do
			define: { 'import.meta.url': 'undefined' },
			logLevel: 'error',
		});
		return outputFiles[0]!.text.replaceAll('</script', '<\\/script');
	};
	const packed = (code: string): string => gzipSync(code, { level: 9 }).toString('base64');
	const style = await bundle({
		entryPoints: [join(ROOT, 'packages/viewer/src/style.css')],
		minify: true,
		write: false,
		logLevel: 'error',
	});
	const policy =
		"default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob: data:; worker-src blob:; style-src 'unsafe-inline'; img-src blob: data:; media-src blob:; connect-src ws: wss: blob: data:";
	const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>Manyworlds</title>
<link rel="icon" href="data:,">
<style>${style.outputFiles[0]!.text}</style>
</head>
<body>
<div id="app"></div>
<!--manyworlds-asset-->
<script type="text/plain" id="manyworlds-page">${packed(await text('main.ts'))}</script>
<script type="text/plain" id="manyworlds-thread">${packed(await text('alone/alone-worker.ts'))}</script>
<script type="module">${await text('alone/unpack.ts')}</script>
</body>
</html>
`;
	writeFileSync(join(folder, 'alone.html'), page);
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
