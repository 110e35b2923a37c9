import { describe, expect, it } from 'vitest';
import {
	FetchStore,
	isAssetFailure,
	type Layer,
	MemoryStore,
	PackageMap,
	Stage,
	whenLoaded,
	writeUsdz,
} from '../src/index.ts';
import type { LocatorOptions } from '../src/internal.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function storeOf(names: readonly string[], options: LocatorOptions = {}): MemoryStore {
	return new MemoryStore(new Map(names.map((name) => [name, '#usda 1.0\n'])), options);
}

describe('an asset store', () => {
	it('anchors paths to the asset that names them', () => {
		const ar = storeOf([]);
		expect(ar.identify('./b.usda', 'dir/a.usda')).toEqual({ identifier: 'dir/b.usda' });
		expect(ar.identify('../x/b.usda', 'dir/a.usda')).toEqual({ identifier: 'x/b.usda' });
		expect(ar.identify('sub/b.usda', 'dir/a.usda')).toEqual({ identifier: 'dir/sub/b.usda' });
		expect(ar.identify('sub\\b.usda', 'dir/a.usda')).toEqual({ identifier: 'dir/sub/b.usda' });
		expect(ar.identify('my%20file.usda', '').identifier).toBe('my%20file.usda');
	});

	it('looks for plain names in search paths when they are not beside', () => {
		const ar = storeOf(['dir/a.usda', 'lib/b.usda', 'lib/a.usda'], { searchPaths: ['lib'] });
		expect(ar.identify('a.usda', 'dir/x.usda').identifier).toBe('dir/a.usda');
		expect(ar.identify('b.usda', 'dir/x.usda').identifier).toBe('lib/b.usda');
		expect(ar.identify('./b.usda', 'dir/x.usda').identifier).toBe('dir/b.usda');
		expect(ar.identify('c.usda', 'dir/x.usda').identifier).toBe('dir/c.usda');
	});

	it('refuses what lies outside the roots', () => {
		const ar = storeOf(['a.usda'], { roots: ['/work/robot'] });
		expect(ar.identify('./b.usda', '/work/robot/a.usda').refusal).toBeUndefined();
		for (const path of [
			'../../etc/passwd',
			'/etc/passwd',
			'../robot2/a.usda',
			'/work/robot/../../x',
			'C:\\x',
			'file:///etc/passwd',
		]) {
			expect(ar.identify(path, '/work/robot/a.usda').refusal, path).toBeDefined();
		}
		expect(storeOf([]).identify('../a.usda', 'b.usda').refusal).toBeDefined();
		for (const found of [ar.bytes('/etc/passwd'), ar.layer('/etc/passwd')]) {
			expect(found).toMatchObject({ failure: expect.stringContaining('outside') });
		}
		expect(ar.exists('/etc/passwd')).toBe(false);
	});

	it('reads addresses only when asked to', () => {
		const closed = storeOf([]);
		expect(closed.identify('https://example.com/a.usda', '').refusal).toContain('address');
		const ar = storeOf([], { network: ['https://example.com/robots'] });
		expect(ar.identify('https://example.com/robots/a.usda', '').refusal).toBeUndefined();
		expect(ar.identify('./b.usda', 'https://example.com/robots/x/a.usda')).toEqual({
			identifier: 'https://example.com/robots/x/b.usda',
		});
		expect(ar.identify('../../b.usda', 'https://example.com/robots/x/a.usda').refusal).toBeDefined();
		expect(ar.identify('https://example.com/robots2/a.usda', '').refusal).toBeDefined();
	});

	it('finds ROS packages by map, AMENT_PREFIX_PATH and ROS_PACKAGE_PATH', () => {
		const packages = new PackageMap({
			packages: { arm: '/src/arm' },
			amentPrefixPath: '/opt/ros:/home/ws',
			rosPackagePath: '/cat/src:/cat/leg',
		});
		const names = ['/home/ws/share/hand/m.usda', '/cat/leg/m.usda', '/src/arm/m.usda'];
		const ar = storeOf(names, { packages });
		expect(ar.identify('package://arm/m.usda', '')).toEqual({ identifier: '/src/arm/m.usda' });
		expect(ar.identify('package://hand/m.usda', '')).toEqual({ identifier: '/home/ws/share/hand/m.usda' });
		expect(ar.identify('package://leg/m.usda', '')).toEqual({ identifier: '/cat/leg/m.usda' });
		expect(ar.identify('package://arm/../x', '').refusal).toContain('leads out');
		expect(storeOf([]).identify('package://arm/m.usda', '').refusal).toContain("no ROS package 'arm' is known");
	});

	it('opens packages, their root layers and members, and stays inside', () => {
		const package_ = writeUsdz([
			{ name: 'root.usda', bytes: bytes('#usda 1.0\ndef "A" (references = @./parts/b.usda@</B>) {\n}\n') },
			{ name: 'parts/b.usda', bytes: bytes('#usda 1.0\ndef "B" {\n}\n') },
		]);
		const ar = new MemoryStore({ 'r.usdz': package_ });
		expect(ar.layer('r.usdz')).toMatchObject({ identifier: 'r.usdz[root.usda]' });
		expect(ar.bytes('r.usdz')).toBe(package_);
		expect(ar.identify('./parts/b.usda', 'r.usdz[root.usda]')).toEqual({ identifier: 'r.usdz[parts/b.usda]' });
		expect(ar.identify('parts/b.usda', 'r.usdz[parts/c.usda]').identifier).toBe('r.usdz[parts/b.usda]');
		expect(ar.identify('../../x.usda', 'r.usdz[parts/b.usda]').refusal).toContain('out of the package');
		expect(ar.bytes('r.usdz[none.usda]')).toEqual({ failure: '' });
		expect([ar.exists('r.usdz[none.usda]'), ar.exists('r.usdz[parts/b.usda]')]).toEqual([false, true]);
		expect(ar.open('r.usdz')).toBe(ar.open('r.usdz[root.usda]'));
	});

	it('leaves a plain name that is nowhere as it is, as OpenUSD does', () => {
		const ar = storeOf(['/robot/a.usda'], { roots: ['/robot'] });
		expect(ar.identify('b.usda', '/robot/a.usda')).toEqual({ identifier: 'b.usda' });
		expect(ar.identify('./b.usda', '/robot/a.usda')).toEqual({ identifier: '/robot/b.usda' });
		expect(ar.layer('b.usda')).toEqual({ failure: '' });
	});

	it('names files as it is told to, and gives the text of text layers only', () => {
		const store = new MemoryStore(
			{ '/robot/a.usda': '#usda 1.0\ndef "A" {\n}\n', '/robot/a.png': 'png' },
			{ roots: ['/robot'], displayName: (file) => file.replace('/robot/', '') },
		);
		store.layer('/robot/a.usda');
		expect(store.name('/robot/a.usda')).toBe('a.usda');
		expect(store.name('/robot/a.usdz[b/c.usda]')).toBe('a.usdz[b/c.usda]');
		expect(store.text('/robot/a.usda')).toEqual(bytes('#usda 1.0\ndef "A" {\n}\n'));
		expect(store.text('/robot/a.png')).toBeUndefined();
		expect(store.bytes('/robot/a.png')).toEqual(bytes('png'));
	});

	it('reads a file anew after it was replaced', () => {
		const store = new MemoryStore({ 'a.usda': '#usda 1.0\ndef "A" {\n}\n' });
		const before = store.layer('a.usda');
		store.set('a.usda', '#usda 1.0\ndef "B" {\n}\n');
		expect(store.layer('a.usda')).not.toBe(before);
		expect(Stage.open(store.layer('a.usda') as Layer, { store }).prim('/B')).toBeDefined();
	});
});

describe('a layer with errors', () => {
	const BROKEN = '#usda 1.0\ndef "A" {\n    double x = \n}\ndef "B" {\n}\n';

	it('is used as far as it could be read, and the report has the errors', () => {
		const store = new MemoryStore({ 'a.usda': BROKEN }, { displayName: (file) => `robots/${file}` });
		const layer = store.layer('a.usda') as Layer;
		expect([...layer.data.paths()].map(String)).toContain('/B');
		expect(store.layer('a.usda')).toBe(layer);
		expect(store.report.toArray()).toMatchObject([{ severity: 'error', file: 'robots/a.usda' }]);
	});

	it('is refused when asked to, as OpenUSD does', () => {
		const store = new MemoryStore({ 'a.usda': BROKEN }, { brokenLayers: 'refuse' });
		const found = store.layer('a.usda');
		expect(found).toEqual({ failure: store.report.toArray()[0]!.message });
	});

	it.each([
		['a text that is no layer', 'nothing'],
		['a layer that breaks off before its first prim', '#usda 1.0\ndef'],
		['an empty file', ''],
		['a picture', new Uint8Array([0x89, 0x50, 0x4e, 0x47])],
	])('is a failure when nothing of it could be read: %s', (_, content) => {
		const store = new MemoryStore({ 'a.usda': content });
		expect(store.layer('a.usda')).toMatchObject({ failure: expect.stringMatching(/./) });
	});
});

describe('a store that loads', () => {
	const TEXTS: Readonly<Record<string, string>> = {
		'a.usda': '#usda 1.0\ndef "A" (references = @./parts/b.usda@</B>) {\n}\n',
		'parts/b.usda': '#usda 1.0\ndef "B" {\n    def "C" {\n    }\n}\n',
	};
	const open = (fetched: string[] = []): FetchStore =>
		new FetchStore(
			async (url) => {
				fetched.push(url);
				const text = TEXTS[url.replace('https://host/dir/', '')];
				const status = url.includes('down') ? 500 : text === undefined ? 404 : 200;
				return { ok: status === 200, status, arrayBuffer: async () => bytes(text ?? '').buffer as ArrayBuffer };
			},
			{ base: 'https://host/dir' },
		);

	it('gives the same layers later as at once', async () => {
		const fetched: string[] = [];
		const store = open(fetched);
		expect([store.layer('a.usda'), store.exists('a.usda')]).toEqual([undefined, undefined]);
		expect(store.missing()).toEqual(['a.usda']);
		await Promise.all([store.load('a.usda'), store.load('a.usda')]);
		const layer = store.layer('a.usda') as Layer;
		expect(isAssetFailure(layer)).toBe(false);
		expect([store.layer('a.usda') === layer, store.exists('a.usda')]).toEqual([true, true]);
		await store.load('none.usda');
		expect([store.layer('none.usda'), store.exists('none.usda')]).toEqual([{ failure: '' }, false]);
		await store.load('down.usda');
		expect(store.bytes('down.usda')).toEqual({ failure: 'the server answered 500' });
		expect(fetched).toEqual(['a.usda', 'none.usda', 'down.usda'].map((name) => `https://host/dir/${name}`));
		expect(store.missing()).toEqual([]);
	});

	it('composes when the work is repeated until nothing is missing', async () => {
		const store = open();
		const stage = await whenLoaded(store, () => {
			const layer = store.open('a.usda');
			return isAssetFailure(layer) ? undefined : Stage.open(layer, { store });
		});
		expect(stage?.prim('/A/C')).toBeDefined();
		expect(stage?.errors()).toEqual([]);
		const again = await Stage.openAsync(store.layer('a.usda') as Layer, { store });
		expect(again.prim('/A/C')).toBeDefined();
	});

	it('reads nothing that may not be read', async () => {
		const fetched: string[] = [];
		const store = open(fetched);
		await store.load('https://elsewhere/a.usda');
		await store.load('../a.usda');
		expect(fetched).toEqual([]);
		expect(store.bytes('https://elsewhere/a.usda')).toMatchObject({ failure: expect.stringContaining('address') });
	});
});
