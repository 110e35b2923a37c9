/**
 * Installs the packed packages into a project outside of the repository, as a user would, and uses them: types under two
 * module resolutions without `skipLibCheck`, bundles for browsers by esbuild and vite, the command, a program, a page.
 */
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { createServer, build as viteBuild } from 'vite';
import { publishedPackages, ROOT } from '../source-files.ts';
import { checkPacked } from './check-packed.ts';
import { openPage } from './open-page.ts';

const project = mkdtempSync(join(tmpdir(), 'manyworlds-consumer-'));
const failures: string[] = [];
let passed = 0;

/** Runs a step; what it throws is counted and the rest goes on. */
async function step(name: string, work: () => unknown): Promise<void> {
	try {
		await work();
		passed++;
		console.log(`ok ${name}`);
	} catch (error) {
		failures.push(name);
		const { stdout, message } = error as Error & { readonly stdout?: unknown };
		console.log(`not ok ${name}: ${message}\n${String(stdout ?? '').slice(0, 4000)}`);
	}
}

function run(command: string, args: readonly string[], cwd = project): string {
	return execFileSync(command, [...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

function same(found: unknown, expected: unknown): void {
	const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
	if (a !== b) throw new Error(`found ${a}, expected ${b}`);
}

const tsc = join(ROOT, 'node_modules/.bin/tsc');
run('npm', ['run', '--silent', 'build'], ROOT);
const tarballs = join(project, 'tarballs');
mkdirSync(tarballs);
const workspaces = publishedPackages().flatMap((folder) => ['--workspace', folder]);
run('npm', ['pack', '--silent', ...workspaces, '--pack-destination', tarballs], ROOT);
const packed = readdirSync(tarballs).map((file) => join(tarballs, file));
await step('contents of the packages', () => same(packed.flatMap(checkPacked), []));

cpSync(join(import.meta.dirname, 'project'), project, { recursive: true });
cpSync(join(ROOT, 'examples/robots'), join(project, 'robots'), { recursive: true });
const nodeTypes = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).devDependencies['@types/node'] as string;
await step('install', () =>
	run('npm', ['install', '--no-audit', '--no-fund', '--silent', `@types/node@${nodeTypes}`, ...packed]),
);
await step('types, nodenext', () => run(tsc, ['-p', 'tsconfig.nodenext.json']));
await step('types, bundler', () => run(tsc, ['-p', 'tsconfig.bundler.json']));
await step('program', () => {
	const output = run(process.execPath, ['out/program.js']);
	same(output.trim().split('\n'), ['usd 0 errors', '8 worlds, 7 numbers a pose']);
});
await step('command', () => {
	const version = JSON.parse(readFileSync(join(ROOT, 'packages/manyworlds/package.json'), 'utf8')).version as string;
	same(run('npx', ['manyworlds', '--version']).trim(), version);
	run('npx', ['manyworlds', 'check', 'robots/egret/egret.usda']);
});
await step('viewer', async () => {
	const page = await new Promise<string>((resolve, reject) => {
		const child = spawn('npx', ['manyworlds', 'view', 'robots/egret/egret.usda'], { cwd: project, detached: true });
		child.stdout.once('data', (line: Buffer) => {
			fetch(String(line).trim())
				.then((answer) => answer.text())
				.then(resolve, reject)
				// npx has started another process
				.finally(() => process.kill(-child.pid!, 'SIGTERM'));
		});
		child.once('exit', (code) => reject(new Error(`the command ended with ${code}`)));
	});
	same([page.includes('<title>Manyworlds</title>')], [true]);
});
await step('bundle by esbuild', () =>
	build({
		entryPoints: [join(project, 'page.ts')],
		outdir: join(project, 'esbuild'),
		bundle: true,
		splitting: true,
		format: 'esm',
		logLevel: 'error',
	}),
);
await step('sizes of small parts', async () => {
	for (const [name, most] of Object.entries({ Path: 10_000, readUsda: 130_000 })) {
		const stdin = { contents: `export { ${name} } from '@manyworlds/usd';`, resolveDir: project };
		const { outputFiles } = await build({ stdin, bundle: true, minify: true, write: false, format: 'esm' });
		const { length } = outputFiles[0]!.contents;
		if (length > most) throw new Error(`${name} is ${length} bytes, expected no more than ${most}`);
	}
});
const folder = join(project, 'robots/egret');
const files = Object.fromEntries(
	readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((name) => /\.\w+$/.test(name))
		.map((name) => [name, readFileSync(join(folder, name), 'base64')]),
);
const expected = { errors: 0, poses: 7 };
await step('page of esbuild', async () => same(await openPage(join(project, 'esbuild'), 'page.js', files), expected));
await step('bundle by vite', async () => {
	writeFileSync(join(project, 'index.html'), '<!doctype html><script type="module" src="/page.ts"></script>');
	await viteBuild({ root: project, logLevel: 'error', build: { outDir: 'vite', minify: false } });
});
await step('page of vite', async () => {
	const assets = join(project, 'vite/assets');
	const entry = readdirSync(assets).find((file) => /^index-.*\.js$/.test(file))!;
	same(await openPage(join(project, 'vite'), `assets/${entry}`, files), expected);
});
await step('server of vite', async () => {
	const server = await createServer({ root: project, logLevel: 'error', server: { port: 0, host: '127.0.0.1' } });
	await server.listen();
	try {
		same(await openPage(server.resolvedUrls!.local[0]!, 'page.ts', files), expected);
	} finally {
		await server.close();
	}
});
rmSync(project, { recursive: true, force: true });
console.log(`${passed} passed, ${failures.length} failed`);
process.exit(failures.length > 0 ? 1 : 0);
