import { createHash } from 'node:crypto';
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';

const ROOT = join(import.meta.dirname, '../../..');
const PROGRAMS = join(ROOT, 'examples/programs');

/** Milliseconds for which sources count as unchanged: looking at all of them takes longer than a short test. */
const FRESH = 20_000;
let known: { readonly folder: string; readonly until: number } | undefined;

/** What processes and threads start with, by the name that it has in the bundle. */
const ENTRIES: Readonly<Record<string, string>> = {
	bin: 'packages/manyworlds/src/command/bin.ts',
	'check-worker': 'packages/manyworlds/src/command/check/check-worker.ts',
	'sweep-thread': 'packages/manyworlds/src/command/sweep/sweep-thread.ts',
	'world-worker': 'packages/manyworlds/src/threads/world-worker.ts',
	'faulty-world-worker': 'packages/manyworlds/test/faulty-world-worker.ts',
};

/**
 * The folder where the sources lie in few files, each entry by its name with `.js`, programs as `program-NAME.js`: processes and
 * threads start many times faster from it than from source. It is made once for all test files, and again when a source changed.
 */
export function bundleSources(): string {
	if (known === undefined || performance.now() > known.until) {
		known = { folder: makeBundle(), until: performance.now() + FRESH };
	}
	return known.folder;
}

function makeBundle(): string {
	const cache = join(ROOT, 'node_modules/.cache/manyworlds-sources');
	const name = sourceStamp();
	const folder = join(cache, name);
	if (!existsSync(folder)) {
		mkdirSync(cache, { recursive: true });
		// younger ones may be in use by a run that began before a source changed
		for (const old of readdirSync(cache).map((one) => join(cache, one))) {
			if (statSync(old).mtimeMs < Date.now() - 3_600_000) rmSync(old, { recursive: true, force: true });
		}
		const made = mkdtempSync(join(cache, 'building-'));
		bundleInto(made);
		try {
			renameSync(made, folder);
		} catch (error) {
			// another test file was quicker
			rmSync(made, { recursive: true, force: true });
			if (!existsSync(folder)) throw error;
		}
	}
	return join(folder, 'bundle');
}

/** The file of an entry of {@link bundleSources}. */
export function bundledFile(entry: string): string {
	return join(bundleSources(), `${entry}.js`);
}

/** The module of an entry, for threads. */
export function bundledModule(entry: string): URL {
	return pathToFileURL(bundledFile(entry));
}

function bundleInto(folder: string): void {
	// what modules find relative to themselves
	copyFileSync(join(ROOT, 'packages/manyworlds/package.json'), join(folder, 'package.json'));
	symlinkSync(join(ROOT, 'examples/robots'), join(folder, 'robots'));
	const programs = readdirSync(PROGRAMS).filter((file) => file.endsWith('.ts'));
	buildSync({
		entryPoints: [
			...Object.entries(ENTRIES).map(([out, file]) => ({ in: join(ROOT, file), out })),
			...programs.map((file) => ({ in: join(PROGRAMS, file), out: `program-${basename(file, '.ts')}` })),
		],
		outdir: join(folder, 'bundle'),
		bundle: true,
		splitting: true,
		format: 'esm',
		platform: 'node',
		target: 'node20',
		conditions: ['@manyworlds/source'],
		// these bring files of their own
		external: ['@mujoco/mujoco', '@jsquash/webp', '@foxglove/wasm-zstd'],
		// modules of dependencies that are no ES modules ask for those of Node
		banner: {
			js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
		},
		logLevel: 'error',
	});
}

/** Changes with every file that the bundle is made from. */
function sourceStamp(): string {
	const digest = createHash('sha256');
	const packages = readdirSync(join(ROOT, 'packages')).sort();
	const folders = [...packages.map((name) => join(ROOT, 'packages', name, 'src')), PROGRAMS, import.meta.dirname];
	for (const folder of folders) {
		for (const path of (readdirSync(folder, { recursive: true }) as string[]).sort()) {
			const { mtimeMs, size } = statSync(join(folder, path));
			digest.update(`${folder}/${path} ${mtimeMs} ${size}\n`);
		}
	}
	const { mtimeMs } = statSync(join(ROOT, 'package-lock.json'));
	digest.update(String(mtimeMs));
	return digest.digest('hex').slice(0, 16);
}
