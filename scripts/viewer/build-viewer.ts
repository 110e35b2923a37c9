import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build, type InlineConfig } from 'vite';
import { ROOT } from '../source-files.ts';

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
		logLevel: 'warn',
		base: './',
		resolve: { conditions },
		worker: { format: 'es' },
		build: { outDir: folder, emptyOutDir: true, target: 'es2022', chunkSizeWarningLimit: 20_000 },
		...settings,
	});
	for (const [name, entry] of Object.entries(EXAMPLES))
		copyExample(join(ROOT, 'examples/robots', name), entry, join(folder, 'examples', name));
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
