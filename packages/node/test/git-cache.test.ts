import { execFileSync, spawn } from 'node:child_process';
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { GitSource } from '@manyworlds/scene';
import { displayRepo, refuseGitSource } from '@manyworlds/scene/internal';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GitCache, type GitCheckoutResult } from '../src/git-cache.ts';
import { repoKey, sparseFolders } from '../src/git-folders.ts';
import { temporaryFolder } from './temporary-folder.ts';

const HASH = '261cd1f429619d8ef4f546bd788ab9dea906b5e1';
const GOOD: GitSource = { repo: 'https://example.org/robots.git', rev: HASH, path: 'arm/arm.usda' };

describe('refuseGitSource', () => {
	it.each([
		['an https address', {}],
		['an ssh address', { repo: 'ssh://git@example.org:22/robots.git' }],
		['the short form of ssh', { repo: 'git@example.org:team/robots.git' }],
		['a local folder', { repo: '/data/robots' }],
		['a tag with slashes', { rev: 'release/v1.0-rc.1' }],
		['the whole repository', { sparse: ['.'] }],
		['folders with a slash at the end', { sparse: ['arm/meshes/'] }],
	])('accepts %s', (_, change) => {
		expect(refuseGitSource({ ...GOOD, ...change })).toBeUndefined();
	});

	it.each<[string, Partial<GitSource>, string]>([
		['an option as address', { repo: '--upload-pack=touch x' }, 'starts with a dash'],
		['an option as host', { repo: 'ssh://-oProxyCommand=touch/x' }, 'host starts with a dash'],
		['an option as host of the short form', { repo: 'git@-oProxyCommand=touch:x' }, 'host starts with a dash'],
		['a remote helper', { repo: 'ext::sh -c touch% x' }, 'remote helpers are not used'],
		['plain http', { repo: 'http://example.org/robots.git' }, 'protocol http is not used'],
		['an address of several lines', { repo: 'https://example.org/\nx' }, 'control character'],
		['no address', { repo: ' ' }, 'repo is empty'],
		['the folder above the cache', { repo: '..' }, 'no name of its own'],
		['an option as revision', { rev: '--exec=touch' }, "rev is '--exec=touch'"],
		['a revision that leads out of the cache', { rev: '../../x' }, "rev is '../../x'"],
		['a revision that is an expression', { rev: 'HEAD@{1}' }, 'expected the hash of a commit'],
		['no revision', { rev: '' }, 'rev is empty'],
		['an absolute path', { path: '/etc/passwd' }, 'it is absolute'],
		['a path with a drive', { path: 'C:/x' }, 'it is absolute'],
		['a path that leads out', { path: 'arm/../../x' }, 'leads out of the repository'],
		['the folder of git', { path: 'arm/.GIT/config' }, "git's own folder"],
		['an option as path', { path: '-x' }, 'starts with a dash'],
		['no path', { path: '' }, 'path is empty'],
		['a folder that leads out', { sparse: ['arm', '../x'] }, "sparse is '../x'"],
		['an option as folder', { sparse: ['--stdin'] }, 'starts with a dash'],
	])('refuses %s', (_, change, reason) => {
		expect(refuseGitSource({ ...GOOD, ...change })?.message).toContain(reason);
	});
});

it('names folders of the cache as the reference does', () => {
	expect(repoKey('https://github.com/newton-physics/newton-assets.git')).toBe(
		'https_github.com_newton-physics_newton-assets.git',
	);
	expect(repoKey('://')).toBe('repo');
});

it('checks out the folders that are given and the one of the file', () => {
	expect(sparseFolders({ ...GOOD, sparse: ['arm/meshes/', 'arm', '.'] })).toEqual(['arm/meshes', 'arm']);
	expect(sparseFolders({ ...GOOD, path: 'arm.usda' })).toEqual([]);
});

it('shows no password', () => {
	expect(displayRepo('https://me:secret@example.org/x.git')).toBe('https://me:…@example.org/x.git');
});

const hasGit = ((): boolean => {
	try {
		execFileSync('git', ['--version']);
		return true;
	} catch {
		return false;
	}
})();
if (!hasGit) console.log('skipped: the program git is not installed, so no repository can be made');

describe.skipIf(!hasGit)('GitCache', () => {
	const home = mkdtempSync(join(tmpdir(), 'manyworlds-git-'));
	const repo = join(home, 'robots');
	const env = { PATH: process.env['PATH'], HOME: home };
	let rev = '';

	const git = (...args: string[]): string =>
		execFileSync('git', ['-C', repo, '-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
			encoding: 'utf8',
			env: { ...env, GIT_CONFIG_NOSYSTEM: '1' },
			stdio: 'pipe',
		}).trim();
	const put = (file: string, text: string): void => {
		mkdirSync(dirname(join(repo, file)), { recursive: true });
		writeFileSync(join(repo, file), text);
	};
	const commit = (): string => {
		git('add', '--all');
		git('commit', '--quiet', '--message', 'robots');
		return git('rev-parse', 'HEAD');
	};

	beforeAll(() => {
		mkdirSync(repo);
		git('init', '--quiet');
		put('arm/arm.usda', '#usda 1.0\n');
		put('arm/meshes/link.obj', 'v 0 0 0\n');
		put('leg/leg.urdf', '<robot/>');
		put('readme.txt', 'robots');
		writeFileSync(join(home, 'secret'), 'outside of the repository');
		symlinkSync(join(home, 'secret'), join(repo, 'arm/out.usda'));
		symlinkSync('arm.usda', join(repo, 'arm/alias.usda'));
		rev = commit();
		git('tag', 'v1');
	});
	afterAll(() => rmSync(home, { recursive: true, force: true }));

	const cacheIn = (folder: string, more: Record<string, string> = {}): GitCache =>
		new GitCache({ env: { ...env, SAP_WARP_ASSET_CACHE: folder, ...more }, cwd: home });
	const source = (path: string, more: Partial<GitSource> = {}): GitSource => ({ repo, rev, path, ...more });
	const found = (checkout: GitCheckoutResult): { folder: string; file: string } => {
		if ('code' in checkout) throw new Error(`${checkout.code} ${checkout.message}`);
		return checkout;
	};

	it('checks out the named folders only, at the commit that was asked for', () => {
		const cache = cacheIn(temporaryFolder());
		const { folder, file } = found(cache.checkout(source('arm/arm.usda')));
		expect(folder).toBe(join(cache.root, 'git', repoKey(repo), rev));
		expect(readFileSync(file, 'utf8')).toBe('#usda 1.0\n');
		expect(existsSync(join(folder, 'arm/meshes/link.obj'))).toBe(true);
		expect(existsSync(join(folder, 'leg'))).toBe(false);
		expect(readdirSync(dirname(folder))).toEqual([rev]);
	});

	it('adds a second folder of the same revision and keeps the first', () => {
		const cache = cacheIn(temporaryFolder());
		const { file } = found(cache.checkout(source('arm/arm.usda')));
		expect(existsSync(found(cache.checkout(source('leg/leg.urdf'))).file)).toBe(true);
		expect(existsSync(file)).toBe(true);
	});

	it('adds folders that a second scene needs beside a file that is there, once', () => {
		const folder = temporaryFolder();
		const cache = cacheIn(folder);
		found(cache.checkout(source('readme.txt')));
		const wide = source('readme.txt', { sparse: ['leg', 'nowhere'] });
		const checkout = found(cache.checkout(wide));
		expect(existsSync(join(checkout.folder, 'leg/leg.urdf'))).toBe(true);
		// git is not asked again for a folder that the repository does not have
		expect(cacheIn(folder, { PATH: '' }).checkout(wide)).toEqual(checkout);
		found(cache.checkout(source('arm/meshes/link.obj')));
		found(cache.checkout(source('arm/arm.usda', { sparse: ['arm'] })));
		expect(readFileSync(join(checkout.folder, '.git/info/sparse-checkout'), 'utf8')).not.toContain('!/arm/*/');
	});

	it('takes tags, local folders relative to the working directory, and file addresses', () => {
		const cache = cacheIn(temporaryFolder());
		for (const named of [source('readme.txt', { rev: 'v1' }), source('readme.txt', { repo: 'robots' })])
			expect(readFileSync(found(cache.checkout(named)).file, 'utf8')).toBe('robots');
		const address = source('readme.txt', { repo: `file://${repo}` });
		expect(readFileSync(found(cache.checkout(address)).file, 'utf8')).toBe('robots');
	});

	it('uses what is cached without git and without a network', () => {
		const folder = temporaryFolder();
		found(cacheIn(folder).checkout(source('arm/arm.usda')));
		const cache = cacheIn(folder, { PATH: '', SAP_WARP_ASSET_OFFLINE: '1' });
		expect(existsSync(found(cache.checkout(source('arm/arm.usda'))).file)).toBe(true);
	});

	it('accepts a cache that was filled by hand', () => {
		const folder = temporaryFolder();
		const place = join(folder, 'git', repoKey(repo), rev, 'arm');
		mkdirSync(place, { recursive: true });
		writeFileSync(join(place, 'arm.usda'), 'by hand');
		const cache = cacheIn(folder, { SAP_WARP_ASSET_OFFLINE: 'yes' });
		expect(readFileSync(found(cache.checkout(source('arm/arm.usda'))).file, 'utf8')).toBe('by hand');
		const message = expect.stringContaining('was filled by hand');
		expect(cacheIn(folder).checkout(source('leg/leg.urdf'))).toEqual({ code: 'GIT005', message });
		expect(existsSync(join(place, 'arm.usda'))).toBe(true);
	});

	it('says which file is missing when it may not fetch', () => {
		const cache = cacheIn(temporaryFolder(), { SAP_WARP_ASSET_OFFLINE: 'true' });
		const message = expect.stringContaining(`robots@${rev}:arm/arm.usda' is not in the cache`);
		expect(cache.checkout(source('arm/arm.usda'))).toEqual({ code: 'GIT003', message });
		expect(existsSync(join(cache.root, 'git'))).toBe(false);
	});

	it('says that git is not installed', () => {
		const cache = cacheIn(temporaryFolder(), { PATH: '' });
		const message = expect.stringContaining('git is not installed');
		expect(cache.checkout(source('arm/arm.usda'))).toEqual({ code: 'GIT002', message });
	});

	it('says what git said about an unknown revision or repository, and leaves nothing behind', () => {
		const cache = cacheIn(temporaryFolder());
		const unknown = cache.checkout(source('arm/arm.usda', { rev: HASH }));
		expect(unknown).toEqual({ code: 'GIT004', message: expect.stringContaining(`robots@${HASH}' cannot be fetched`) });
		const short = cache.checkout(source('arm/arm.usda', { rev: rev.slice(0, 8) }));
		expect(short).toEqual({ code: 'GIT004', message: expect.stringContaining('all of its 40 digits') });
		const nowhere = cache.checkout(source('arm/arm.usda', { repo: join(home, 'nowhere') }));
		expect(nowhere).toEqual({ code: 'GIT004', message: expect.stringContaining('nowhere') });
		expect(readdirSync(join(cache.root, 'git', repoKey(repo)))).toEqual([]);
	});

	it('says that the revision has no such file', () => {
		const message = expect.stringContaining("has no file 'arm/none.usda'");
		expect(cacheIn(temporaryFolder()).checkout(source('arm/none.usda'))).toEqual({ code: 'GIT005', message });
	});

	it('follows a link inside of the repository and none that leads out of it', () => {
		const cache = cacheIn(temporaryFolder());
		expect(found(cache.checkout(source('arm/alias.usda'))).file).toContain('alias.usda');
		const message = expect.stringContaining("'arm/out.usda': a link leads it out of the repository");
		expect(cache.checkout(source('arm/out.usda'))).toEqual({ code: 'GIT001', message });
	});

	it('does not use a cached checkout of another commit', () => {
		const cache = cacheIn(temporaryFolder());
		const { folder } = found(cache.checkout(source('arm/arm.usda')));
		writeFileSync(join(folder, '.git/HEAD'), `${HASH}\n`);
		const message = expect.stringContaining(`is at '${HASH}', expected commit ${rev}`);
		expect(cache.checkout(source('arm/arm.usda'))).toEqual({ code: 'GIT006', message });
	});

	it('runs no hook, and follows no GIT_ variable', () => {
		const template = temporaryFolder();
		mkdirSync(join(template, 'hooks'));
		const trace = join(template, 'trace');
		writeFileSync(join(template, 'hooks/post-checkout'), `#!/bin/sh\ntouch ${trace}\n`, { mode: 0o755 });
		const cache = cacheIn(temporaryFolder(), {
			GIT_TEMPLATE_DIR: template,
			GIT_DIR: join(template, 'elsewhere'),
			GIT_CONFIG_COUNT: '1',
			GIT_CONFIG_KEY_0: 'core.hooksPath',
			GIT_CONFIG_VALUE_0: join(template, 'hooks'),
		});
		found(cache.checkout(source('arm/arm.usda')));
		expect(existsSync(trace)).toBe(false);
	});

	it('serves several processes at once', async () => {
		const folder = temporaryFolder();
		// processes start many times faster from one file than from source
		const module = join(folder, 'git-cache.mjs');
		buildSync({
			entryPoints: [join(import.meta.dirname, '../src/git-cache.ts')],
			outfile: module,
			bundle: true,
			format: 'esm',
			platform: 'node',
			target: 'node20',
			conditions: ['@manyworlds/source'],
			logLevel: 'error',
		});
		const script = (path: string): string =>
			`const { GitCache } = await import(${JSON.stringify(module)});
			const found = new GitCache({ env: process.env, cwd: '/' }).checkout(${JSON.stringify(source(path))});
			if ('code' in found) throw new Error(found.message);`;
		const flags = ['--input-type=module', '--eval'];
		const run = (path: string): Promise<string> =>
			new Promise((done) => {
				const options = { env: { ...env, SAP_WARP_ASSET_CACHE: folder }, cwd: join(import.meta.dirname, '../../..') };
				const child = spawn(process.execPath, [...flags, script(path)], options);
				let text = '';
				child.stderr.on('data', (chunk) => (text += chunk));
				child.on('close', (code) => done(code === 0 ? 'done' : text));
			});
		const paths = ['arm/arm.usda', 'leg/leg.urdf', 'arm/arm.usda'];
		expect(await Promise.all(paths.map(run))).toEqual(['done', 'done', 'done']);
		const place = join(folder, 'git', repoKey(repo));
		expect(readdirSync(place)).toEqual([rev]);
		for (const path of paths) expect(existsSync(join(place, rev, path))).toBe(true);
	});
});
