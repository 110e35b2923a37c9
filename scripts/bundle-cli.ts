/** Puts the compiled command into a few files in `packages/manyworlds/bundle`: node loads those several times faster than all modules one by one. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile, type Plugin, type PluginBuild } from 'esbuild';
import { ROOT } from './source-files.ts';

const CLI = join(ROOT, 'packages/manyworlds');
/** Beside `dist`, so that what modules find relative to themselves is found from here too. */
const OUTPUT = join(CLI, 'bundle');

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

/** What CommonJS files have for `import.meta.url`. */
const COMMON_JS = {
	format: 'cjs',
	define: { 'import.meta.url': 'bundleUrl' },
	banner: { js: "const bundleUrl = require('node:url').pathToFileURL(__filename).href;" },
} as const satisfies BuildOptions;

rmSync(OUTPUT, { recursive: true, force: true });
const outputs = await Promise.all([
	build({
		...common,
		entryPoints: [
			'command/main',
			'command/check/check-worker',
			'command/check/parse-config',
			'command/check/try-fixes',
			'command/sweep/sweep-thread',
			'threads/world-worker',
		].map((name) => join(CLI, `dist/${name}.js`)),
		entryNames: '[name]',
		splitting: true,
		// these bring files of their own
		external: ['@mujoco/mujoco', '@jsquash/webp', '@foxglove/wasm-zstd'],
	}),
	bundleStart(),
]);
const sizes = outputs.flatMap(({ metafile }) => Object.values(metafile.outputs).map(({ bytes }) => bytes));
console.log(
	`packages/manyworlds/bundle: ${sizes.length} files, ${(sizes.reduce((a, b) => a + b, 0) / 1e6).toFixed(1)} MB`,
);

/**
 * The file that Node starts with, and what editors and hooks start often, checking and the language server, as one file each with
 * a hash in its name. All are CommonJS: the compiled code of such a file can be kept, and Node loads it quicker.
 */
async function bundleStart(): Promise<{ readonly metafile: Metafile }> {
	const checks = await bundleAlone('check', [{ name: 'fixes apart', setup: setFixesApart }]);
	const editor = await bundleAlone('lsp', []);
	const start = await build({
		...common,
		...COMMON_JS,
		entryPoints: [join(CLI, 'dist/command/bin.js')],
		outExtension: { '.js': '.cjs' },
		plugins: [
			{
				name: 'commands apart',
				setup: (build) => setCommandsApart(build, { 'check-main': checks.file, 'lsp-main': editor.file }),
			},
		],
	});
	return { metafile: { inputs: {}, outputs: { ...checks.outputs, ...editor.outputs, ...start.metafile.outputs } } };
}

/** One command in a file of its own. */
async function bundleAlone(
	command: string,
	plugins: readonly Plugin[],
): Promise<{ readonly file: string; readonly outputs: Metafile['outputs'] }> {
	const { outputFiles, metafile } = await build({
		...common,
		...COMMON_JS,
		write: false,
		entryPoints: [join(CLI, `dist/command/${command}-main.js`)],
		entryNames: '[name]-[hash]',
		outExtension: { '.js': '.cjs' },
		external: ['@mujoco/mujoco', '@jsquash/webp', '@foxglove/wasm-zstd'],
		plugins: [
			{ name: 'without other commands', setup: (build) => leaveOutCommands(build, command) },
			{ name: 'libraries apart', setup: setLibrariesApart },
			...plugins,
		],
	});
	const { path, text } = outputFiles[0]!;
	mkdirSync(OUTPUT, { recursive: true });
	writeFileSync(path, wrapCompiled(text));
	return { file: basename(path), outputs: metafile.outputs };
}

/** A bundle as `loadCompiled` takes it, in ASCII. What is outside of it is loaded by who loads the bundle, under a name that no module has. */
function wrapCompiled(text: string): string {
	const bundle = text
		.replaceAll(/\bimport\((?=["'])/g, 'importModule$(')
		// left over in regular expressions
		.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
	return `(function (module, require, __filename, importModule$) {${bundle}\n})`;
}

/** The start loads commands that are alone by `loadCompiled` and all else by the modules that were split. */
function setCommandsApart({ onResolve, onLoad }: PluginBuild, files: Readonly<Record<string, string>>): void {
	onResolve({ filter: /^\.\/main\.js$/ }, ({ path }) => ({ path, external: true }));
	onLoad({ filter: /[\\/](?:check|lsp)-main\.js$/ }, ({ path }) => ({
		contents: `import { loadCompiled } from './load-compiled.js';
export const main = loadCompiled(new URL('./${files[basename(path, '.js')]}', import.meta.url));`,
		resolveDir: dirname(path),
	}));
}

/** Commands that the entry is not for, and the reading of configurations, which not all checks need, have no place in its files. */
function leaveOutCommands({ onResolve }: PluginBuild, command: string): void {
	onResolve({ filter: /^\.\/parse-config\.js$/ }, ({ path }) => ({ path, external: true }));
	onResolve({ filter: /^\.\/commands\/.*-command\.js$/ }, ({ kind, path }) =>
		kind === 'dynamic-import' && path !== `./commands/${command}-command.js` ? { path, external: true } : undefined,
	);
}

/**
 * Libraries that most checks do not use are made when they are: what deflates makes its tables, and what reads arguments asks Node
 * for processes.
 */
function setLibrariesApart({ onResolve, onLoad }: PluginBuild): void {
	const library = dirname(fileURLToPath(import.meta.resolve('fflate/browser')));
	onResolve({ filter: /^fflate$/ }, ({ path }) => ({ path, namespace: 'late' }));
	onResolve({ filter: /^node:child_process$/ }, ({ importer, path }) =>
		importer.includes('commander') ? { path, namespace: 'late' } : undefined,
	);
	onLoad({ filter: /^fflate$/, namespace: 'late' }, () => ({
		contents: `const late = () => require('./browser.js');
export const unzlibSync = (...args) => late().unzlibSync(...args);
export const zlibSync = (...args) => late().zlibSync(...args);
export function Inflate(...args) { return new (late().Inflate)(...args); }`,
		resolveDir: library,
	}));
	onLoad({ filter: /^node:child_process$/, namespace: 'late' }, ({ path }) => ({
		contents: `exports.spawn = (...args) => process.getBuiltinModule('${path}').spawn(...args);`,
	}));
}

/**
 * Modules go where everything that imports them is, and the entries of `rep158` import fixes that checks do not use. Nothing but
 * the trial of fixes may lead to them.
 */
function setFixesApart({ onResolve }: PluginBuild): void {
	const rules = join(ROOT, 'packages/rep158/dist');
	onResolve({ filter: /^\.\/fix\// }, ({ importer, path }) =>
		dirname(importer) === rules ? { path, external: true, sideEffects: false } : undefined,
	);
	onResolve({ filter: /^@manyworlds\/rep158(?:\/internal)?$/ }, ({ importer }) =>
		basename(importer) === 'try-fixes.js' ? { path: join(rules, 'fix/offer-fixes.js') } : undefined,
	);
}
