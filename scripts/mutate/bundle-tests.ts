import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { instrument, type NumberedMutant } from './instrument.ts';

/** A test file that was bundled. */
export interface BundledTest {
	/** Path from the root. */
	readonly source: string;
	/** Address of the module to load. */
	readonly url: string;
	/** Source files that it reaches, as paths from the root. */
	readonly inputs: ReadonlySet<string>;
}

export interface Bundle {
	readonly worker: string;
	readonly tests: readonly BundledTest[];
}

/** What test files need that one process with one copy of the sources cannot give. */
const OUTSIDE =
	/^(node:child_process|node:worker_threads|playwright-core|esbuild|@sparticuz\/chromium|vite|vitest\/.*)$/;

/** Bundles test files over instrumented sources. Modules are shared between the files, so that one process loads each once. */
export async function bundleTests(
	root: string,
	files: readonly string[],
	mutants: readonly NumberedMutant[],
): Promise<Bundle> {
	const byFile = new Map<string, NumberedMutant[]>();
	for (const mutant of mutants) byFile.set(mutant.file, [...(byFile.get(mutant.file) ?? []), mutant]);
	const outdir = join(root, '.mutate');
	const { metafile } = await build({
		absWorkingDir: root,
		entryPoints: [...files, 'scripts/mutate/harness/worker.ts'],
		outdir,
		outbase: root,
		outExtension: { '.js': '.mjs' },
		bundle: true,
		splitting: true,
		metafile: true,
		format: 'esm',
		platform: 'node',
		target: 'node20',
		conditions: ['@manyworlds/source'],
		external: [
			'@mujoco/mujoco',
			'@foxglove/wasm-zstd',
			'playwright-core',
			'@sparticuz/chromium',
			'esbuild',
			'vite',
			'tsx',
			'fast-check',
			'@vitest/expect',
			'vitest/node',
		],
		plugins: [sources(root, byFile)],
		// modules of dependencies that are no ES modules ask for those of Node
		banner: {
			js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
		},
		logLevel: 'error',
	});
	const tests: BundledTest[] = [];
	const { inputs: graph } = metafile;
	for (const [output, { entryPoint }] of Object.entries(metafile.outputs)) {
		if (entryPoint === undefined || entryPoint.endsWith('harness/worker.ts')) continue;
		const inputs = new Set<string>();
		const open = [entryPoint];
		for (let path = open.pop(); path !== undefined; path = open.pop()) {
			if (inputs.has(path)) continue;
			inputs.add(path);
			for (const { path: next } of graph[path]?.imports ?? []) open.push(next);
		}
		tests.push({ source: entryPoint, url: pathToFileURL(join(root, output)).href, inputs });
	}
	return {
		worker: join(outdir, 'scripts/mutate/harness/worker.mjs'),
		tests: tests.sort((a, b) => (a.source < b.source ? -1 : 1)),
	};
}

/** Whether a test needs processes, threads, bundlers or a browser, which know nothing of the switch. */
export function needsOutside({ inputs }: BundledTest): boolean {
	for (const input of inputs) if (OUTSIDE.test(input)) return true;
	return false;
}

function sources(root: string, byFile: ReadonlyMap<string, readonly NumberedMutant[]>): Plugin {
	return {
		name: 'sources',
		setup({ onLoad, onResolve }) {
			onResolve({ filter: /^vitest$/ }, () => ({ path: join(root, 'scripts/mutate/harness/test-api.ts') }));
			onLoad({ filter: /\.ts$/ }, ({ path }) => {
				const file = relative(root, path);
				const text = readFileSync(path, 'utf8');
				const mutants = byFile.get(file);
				const contents = mutants === undefined ? text : instrument(text, mutants);
				// what a module finds relative to itself is found from the copy of the tree
				const placed = contents
					.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
					.replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
					.replaceAll('import.meta.filename', JSON.stringify(path));
				return { contents: placed, loader: 'ts', resolveDir: dirname(path) };
			});
		},
	};
}
