/** Puts the compiled command into a few files in `packages/manyworlds/bundle`: node loads those several times faster than all modules one by one. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type BuildOptions, build, type Metafile, type PluginBuild } from 'esbuild';
import { ROOT } from './source-files.ts';

const CLI = join(ROOT, 'packages/manyworlds');
/** Beside `dist`, so that what modules find relative to themselves is found from here too. */
const OUTPUT = join(CLI, 'bundle');

/** Entries that are bundled by themselves. */
const ALONE = 'check-main';

const common = {
	outdir: OUTPUT,
	bundle: true,
	metafile: true,
	format: 'esm',
	platform: 'node',
	target: 'node20',
	// less to read; names stay, for stack traces
	minifyWhitespace: true,
	minifySyntax: true,
	// modules of dependencies that are no ES modules ask for those of Node
	banner: {
		js: "import { createRequire as makeRequire } from 'node:module';\nconst require = makeRequire(import.meta.url);",
	},
	logLevel: 'error',
} as const satisfies BuildOptions;

rmSync(OUTPUT, { recursive: true, force: true });
const outputs = await Promise.all([
	build({
		...common,
		entryPoints: [
			'command/bin',
			'command/check/check-worker',
			'command/check/parse-config',
			'command/check/try-fixes',
			'threads/world-worker',
		].map((name) => join(CLI, `dist/${name}.js`)),
		entryNames: '[name]',
		splitting: true,
		// MuJoCo brings a file of its own
		external: ['@mujoco/mujoco', '@jsquash/webp', `./${ALONE}.js`],
	}),
	bundleAlone(),
]);
const sizes = outputs.flatMap(({ metafile }) => Object.values(metafile.outputs).map(({ bytes }) => bytes));
console.log(
	`packages/manyworlds/bundle: ${sizes.length} files, ${(sizes.reduce((a, b) => a + b, 0) / 1e6).toFixed(1)} MB`,
);

/** The entry as one CommonJS file, whose compiled code can be kept, with a hash in its name; and a module that loads it. */
async function bundleAlone(): Promise<{ readonly metafile: Metafile }> {
	const { banner: _, outdir, ...rest } = common;
	const { metafile, outputFiles } = await build({
		...rest,
		outdir,
		write: false,
		format: 'cjs',
		entryPoints: [join(CLI, `dist/command/${ALONE}.js`)],
		entryNames: '[name]-[hash]',
		outExtension: { '.js': '.cjs' },
		define: { 'import.meta.url': 'bundleUrl' },
		banner: { js: "const bundleUrl = require('node:url').pathToFileURL(__filename).href;" },
		external: ['@mujoco/mujoco', '@jsquash/webp'],
		plugins: [
			{ name: 'without other commands', setup: leaveOutCommands },
			{ name: 'fixes apart', setup: setFixesApart },
		],
	});
	const { path, text } = outputFiles[0]!;
	mkdirSync(OUTPUT, { recursive: true });
	// what is outside of the bundle is loaded by who loads the bundle
	writeFileSync(path, text.replaceAll(/\bimport\((?=["'])/g, 'load('));
	const contents = `import { loadCompiled } from './load-compiled.js';
export const main = loadCompiled(new URL('./${basename(path)}', import.meta.url));`;
	await build({
		...rest,
		outfile: join(OUTPUT, `${ALONE}.js`),
		stdin: { contents, resolveDir: join(CLI, 'dist/command') },
	});
	return { metafile };
}

/** Commands that the entry is not for, and the reading of configurations, which not all checks need, have no place in its files. */
function leaveOutCommands({ onResolve }: PluginBuild): void {
	onResolve({ filter: /^\.\/parse-config\.js$/ }, ({ path }) => ({ path, external: true }));
	onResolve({ filter: /^\.\/commands\/.*-command\.js$/ }, ({ kind, path }) =>
		kind === 'dynamic-import' && path !== './commands/check-command.js' ? { path, external: true } : undefined,
	);
}

/**
 * Modules go where everything that imports them is, and the index of `rep158` imports fixes that checks do not use. Nothing but
 * the trial of fixes may lead to them.
 */
function setFixesApart({ onResolve }: PluginBuild): void {
	const rules = join(ROOT, 'packages/rep158/dist');
	onResolve({ filter: /^\.\/fix\// }, ({ importer, path }) =>
		dirname(importer) === rules ? { path, external: true, sideEffects: false } : undefined,
	);
	onResolve({ filter: /^@manyworlds\/rep158$/ }, ({ importer }) =>
		basename(importer) === 'try-fixes.js' ? { path: join(rules, 'fix/offer-fixes.js') } : undefined,
	);
}
