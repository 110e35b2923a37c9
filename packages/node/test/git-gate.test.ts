import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type GitSource, loadSceneText } from '@manyworlds/scene';
import { expect, it } from 'vitest';
import { GitCache } from '../src/index.ts';
import { temporaryFolder } from './temporary-folder.ts';

const GOOD: GitSource = { repo: 'https://example.org/robots.git', rev: 'v1', path: 'arm/arm.urdf' };

const REFUSED: readonly Partial<GitSource>[] = [
	{ repo: 'http://example.org/robots.git' },
	{ repo: 'ftp://example.org/robots.git' },
	{ repo: '--upload-pack=touch x' },
	{ repo: 'ssh://-oProxyCommand=touch/x' },
	{ repo: 'git@-oProxyCommand=touch:x' },
	{ repo: 'ext::sh -c touch% x' },
	{ repo: 'https://example.org/\nx' },
	{ repo: '..' },
	{ rev: 'HEAD~1' },
	{ rev: 'HEAD^' },
	{ rev: 'HEAD@{1}' },
	{ rev: '--exec=touch' },
	{ rev: 'main..other' },
	{ rev: 'a.lock' },
	{ path: '/etc/passwd' },
	{ path: 'C:/x' },
	{ path: 'arm/../../x' },
	{ path: 'arm\\x' },
	{ path: 'arm/"x"' },
	{ path: 'arm/.GIT/config' },
	{ path: 'arm/-x' },
	{ sparse: ['arm', '../x'] },
	{ sparse: ['--stdin'] },
];

it.each(REFUSED)('scenes and checkouts refuse %j', (change) => {
	const source = { ...GOOD, ...change };
	const folder = temporaryFolder();
	const cache = new GitCache({ env: { PATH: '', SAP_WARP_ASSET_CACHE: folder }, cwd: folder });
	expect(cache.checkout(source)).toMatchObject({ code: 'GIT001' });
	expect(existsSync(join(folder, 'git'))).toBe(false);

	let asked = 0;
	const scene = JSON.stringify({ assets: [{ id: 'a', type: 'urdf', source: { git: source } }] });
	const { report } = loadSceneText(scene, { checkout: () => ({ failure: `${++asked}` }) });
	expect(report.toArray().map(({ code }) => code)).toContain('SCN032');
	expect(asked).toBe(0);
});

it('scenes and checkouts accept the rest', () => {
	const folder = temporaryFolder();
	const cache = new GitCache({ env: { PATH: '', SAP_WARP_ASSET_CACHE: folder }, cwd: folder });
	expect(cache.checkout(GOOD)).toMatchObject({ code: 'GIT002' });
	const asked: GitSource[] = [];
	const scene = JSON.stringify({ assets: [{ id: 'a', type: 'urdf', source: { git: GOOD } }] });
	loadSceneText(scene, {
		checkout: (source) => {
			asked.push(source);
			return { failure: '' };
		},
	});
	expect(asked).toEqual([{ ...GOOD, sparse: ['arm'] }]);
});
