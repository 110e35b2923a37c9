import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AssetError, check, convert, fix, openAsset } from 'manyworlds';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../../../..');
const EGRET = join(ROOT, 'examples/robots/egret/egret.usda');
const PLOVER = join(ROOT, 'examples/robots/plover/urdf/plover.urdf');

describe('openAsset', () => {
	it('tells robots and scenes by what they are', async () => {
		const formats = await Promise.all(
			['robots/egret/egret.usda', 'robots/crane/crane.xml', 'scenes/shapes.yaml'].map(
				async (file) => (await openAsset(join(ROOT, 'examples', file))).format,
			),
		);
		expect(formats).toEqual(['usd', 'mjcf', 'scene']);
		expect((await openAsset(pathToFileURL(PLOVER))).format).toBe('urdf');
	});

	it('says why nothing can be opened', async () => {
		await expect(openAsset('nowhere.usda')).rejects.toThrow(/cannot open '.*nowhere.usda': there is no such file/);
		const files = { 'notes.txt': 'hello' };
		const told = openAsset({ files, entry: 'notes.txt' });
		await expect(told).rejects.toThrow("cannot tell what 'notes.txt' is, expected OpenUSD, URDF, MJCF, SDF or a scene");
		await expect(told).rejects.toMatchObject({ name: 'AssetError', code: 'OPEN001' });
	});
});

describe('check', () => {
	it('finds nothing in a good robot, whichever way it came', async () => {
		expect((await check(await openAsset(EGRET))).report.toArray()).toEqual([]);
	});

	it('names the line of a rule that is broken, and of what cannot be read', async () => {
		const text =
			'#usda 1.0\n(\n    defaultPrim = "robot"\n    metersPerUnit = 0.01\n)\ndef Xform "robot" {\n    int x = = 1\n}\n';
		const { report } = await check(await openAsset({ files: { 'a.usda': text }, entry: 'a.usda' }));
		const found = report.toArray().map(({ code, file, range }) => `${code} ${file}:${range?.start.line}`);
		expect(found).toContain('R1.1.1 a.usda:4');
		expect(found).toContain('USDA001 a.usda:7');
	});

	it('reports what importers find in other formats', async () => {
		const files = { 'a.urdf': '<robot name="a"><link name="b"/><joint name="j" type="hinge"/></robot>' };
		const { report } = await check(await openAsset({ files, entry: 'a.urdf' }));
		expect(report.toArray().map(({ code }) => code)).toContain('URDF002');
	});
});

describe('fix', () => {
	it('changes text in memory and leaves nothing to find', async () => {
		const text = readFileSync(EGRET, 'utf8').replace('metersPerUnit = 1', 'metersPerUnit = 1 # metres');
		const broken = text.replace(/kilogramsPerUnit = 1\n/, '\n');
		const layers = ['base', 'physics', 'ros', 'meshes'].flatMap((name) => {
			const file = `layers/${name}.usda`;
			try {
				return [[file, readFileSync(join(EGRET, '..', file))] as const];
			} catch {
				return [];
			}
		});
		const asset = await openAsset({
			files: new Map<string, string | Uint8Array>([['egret.usda', broken], ...layers]),
			entry: 'egret.usda',
		});
		const { files } = await fix(asset);
		const fixed = new TextDecoder().decode(files.find(({ identifier }) => identifier === 'egret.usda')!.bytes);
		expect(fixed).toContain('metersPerUnit = 1 # metres');
		expect(fixed).toContain('kilogramsPerUnit = 1');
	});

	it('refuses other formats', async () => {
		await expect(fix(await openAsset(PLOVER))).rejects.toThrow(AssetError);
	});
});

describe('convert', () => {
	it('writes USD and MJCF, and refuses what it cannot write', async () => {
		const asset = await openAsset(PLOVER);
		const { bytes } = await convert(asset, 'mjcf');
		expect(new TextDecoder().decode(bytes)).toContain('<mujoco');
		await expect(convert(asset, 'usda')).rejects.toThrow('only OpenUSD layers are written as usda');
		const crate = await convert(await openAsset(EGRET), 'usdc');
		expect(new TextDecoder().decode(crate.bytes.subarray(0, 8))).toBe('PXR-USDC');
	});
});

describe('files behind an address', () => {
	const server = createServer((request, response) => {
		try {
			response.end(readFileSync(join(ROOT, 'examples/robots', request.url!)));
		} catch {
			response.writeHead(404).end();
		}
	});
	beforeAll(() => new Promise<void>((done) => void server.listen(0, '127.0.0.1', done)));
	afterAll(() => new Promise((done) => server.close(done)));

	it('are loaded as composition asks for them, in every variant selection', async () => {
		const { port } = server.address() as AddressInfo;
		const asset = await openAsset(`http://127.0.0.1:${port}/egret/egret.usda`);
		const { report, selectionCount } = await check(asset);
		expect(report.toArray()).toEqual([]);
		expect(selectionCount).toBe((await check(await openAsset(EGRET))).selectionCount);
	});
});
