import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningSite } from '../src/index.ts';
import { serveSite } from '../src/internal.ts';
import { listAssetFiles } from '../src/list-asset-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'manyworlds-site-'));
const site = join(folder, 'site');
mkdirSync(join(site, 'assets'), { recursive: true });
writeFileSync(join(site, 'index.html'), '<!doctype html>');
writeFileSync(join(site, 'assets/a.js'), 'export {};');
writeFileSync(join(folder, 'secret.txt'), 'secret');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Asks without what a browser would put right. */
function ask(url: string, path: string, options: { method?: string; host?: string } = {}) {
	const { port, host } = new URL(url);
	return new Promise<{ status: number; headers: Record<string, unknown>; body: string }>((resolve, reject) => {
		const asked = request(
			{ host: '127.0.0.1', port, path, method: options.method ?? 'GET', headers: { host: options.host ?? host } },
			(answer) => {
				let body = '';
				answer.on('data', (data) => {
					body += data;
				});
				answer.on('end', () => resolve({ status: answer.statusCode!, headers: answer.headers, body }));
			},
		);
		asked.on('error', reject);
		asked.end();
	});
}

describe('a served site', () => {
	let running: RunningSite;
	beforeAll(async () => {
		running = await serveSite({
			site,
			find: (path) =>
				path === 'asset/list.json'
					? { text: '{}', type: 'application/json' }
					: path === 'asset/secret.txt'
						? { file: join(folder, 'secret.txt') }
						: undefined,
		});
	});
	afterAll(() => running.close());

	it('gives pages with the headers that let threads share memory', async () => {
		const { status, headers, body } = await ask(running.url, '/');
		expect([status, body]).toEqual([200, '<!doctype html>']);
		expect(headers).toMatchObject({
			'content-type': 'text/html; charset=utf-8',
			'cross-origin-opener-policy': 'same-origin',
			'cross-origin-embedder-policy': 'require-corp',
			'cross-origin-resource-policy': 'same-origin',
		});
		expect((await ask(running.url, '/assets/a.js')).headers['content-type']).toBe('text/javascript; charset=utf-8');
	});

	it.each([
		'/../secret.txt',
		'/%2e%2e/secret.txt',
		'/..%2fsecret.txt',
		'/assets/../../secret.txt',
		'/nothing.js',
		'/assets',
	])('has no %s', async (path) => {
		const { status, body } = await ask(running.url, path);
		expect(status).toBe(404);
		expect(body).not.toContain('secret\n');
	});

	it('gives what else is offered', async () => {
		expect((await ask(running.url, '/asset/list.json')).body).toBe('{}');
		expect((await ask(running.url, '/asset/secret.txt')).body).toBe('secret');
	});

	it('refuses other hosts, other methods and broken addresses', async () => {
		expect((await ask(running.url, '/', { host: 'evil.example' })).status).toBe(403);
		expect((await ask(running.url, '/', { host: 'localhost:1' })).status).toBe(200);
		expect((await ask(running.url, '/', { method: 'POST' })).status).toBe(405);
		expect((await ask(running.url, '/%00')).status).toBe(400);
		expect((await ask(running.url, '/%zz')).status).toBe(400);
		expect((await ask(running.url, '/', { method: 'HEAD' })).body).toBe('');
	});

	it('rejects when the port is taken, and goes without isolation on request', async () => {
		const port = Number(new URL(running.url).port);
		await expect(serveSite({ site, port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
		const plain = await serveSite({ site, isolated: false });
		expect((await ask(plain.url, '/')).headers['cross-origin-opener-policy']).toBeUndefined();
		await plain.close();
	});
});

it('lists files of assets in order, follows no links and stops at its limit', () => {
	const root = join(folder, 'robot');
	mkdirSync(join(root, 'meshes'), { recursive: true });
	mkdirSync(join(root, 'node_modules'), { recursive: true });
	for (const name of ['b.urdf', 'meshes/a.stl', 'notes.txt', 'node_modules/x.urdf', 'a.usda'])
		writeFileSync(join(root, name), '');
	symlinkSync(folder, join(root, 'loop'));
	expect(listAssetFiles(root)).toEqual({ files: ['a.usda', 'b.urdf', 'meshes/a.stl'], isCut: false });
	expect(listAssetFiles(root, 2)).toMatchObject({ isCut: true });
	expect(listAssetFiles(join(root, 'absent'))).toEqual({ files: [], isCut: false });
});
