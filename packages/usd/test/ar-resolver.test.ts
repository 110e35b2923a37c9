import { describe, expect, it } from 'vitest';
import {
	DefaultResolver,
	FetchBackend,
	isLayerFailure,
	LayerRegistry,
	MemoryBackend,
	PackageMap,
	type ResolverOptions,
	writeUsdz,
} from '../src/index.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function resolver(names: readonly string[], options: Partial<ResolverOptions> = {}): DefaultResolver {
	const backend = new MemoryBackend(names.map((name) => [name, bytes('#usda 1.0\n')] as const));
	return new DefaultResolver({ backend, ...options });
}

describe('DefaultResolver', () => {
	it('anchors paths to the asset that names them', () => {
		const ar = resolver([]);
		expect(ar.resolve('./b.usda', 'dir/a.usda')).toEqual({ identifier: 'dir/b.usda' });
		expect(ar.resolve('../x/b.usda', 'dir/a.usda')).toEqual({ identifier: 'x/b.usda' });
		expect(ar.resolve('sub/b.usda', 'dir/a.usda')).toEqual({ identifier: 'dir/sub/b.usda' });
		expect(ar.resolve('sub\\b.usda', 'dir/a.usda')).toEqual({ identifier: 'dir/sub/b.usda' });
		expect(ar.resolve('my%20file.usda', '').identifier).toBe('my%20file.usda');
	});

	it('looks for plain names in search paths when they are not beside', () => {
		const ar = resolver(['dir/a.usda', 'lib/b.usda', 'lib/a.usda'], { searchPaths: ['lib'] });
		expect(ar.resolve('a.usda', 'dir/x.usda').identifier).toBe('dir/a.usda');
		expect(ar.resolve('b.usda', 'dir/x.usda').identifier).toBe('lib/b.usda');
		expect(ar.resolve('./b.usda', 'dir/x.usda').identifier).toBe('dir/b.usda');
		expect(ar.resolve('c.usda', 'dir/x.usda').identifier).toBe('dir/c.usda');
	});

	it('refuses what lies outside the roots', () => {
		const ar = resolver(['a.usda'], { roots: ['/work/robot'] });
		expect(ar.resolve('./b.usda', '/work/robot/a.usda').refusal).toBeUndefined();
		for (const path of [
			'../../etc/passwd',
			'/etc/passwd',
			'../robot2/a.usda',
			'/work/robot/../../x',
			'C:\\x',
			'file:///etc/passwd',
		]) {
			expect(ar.resolve(path, '/work/robot/a.usda').refusal, path).toBeDefined();
		}
		expect(resolver([]).resolve('../a.usda', 'b.usda').refusal).toBeDefined();
		expect(ar.readSync('/etc/passwd')).toMatchObject({ failure: expect.stringContaining('outside') });
	});

	it('reads addresses only when asked to', () => {
		const closed = resolver([]);
		expect(closed.resolve('https://example.com/a.usda', '').refusal).toContain('address');
		const ar = resolver([], { network: ['https://example.com/robots'] });
		expect(ar.resolve('https://example.com/robots/a.usda', '').refusal).toBeUndefined();
		expect(ar.resolve('./b.usda', 'https://example.com/robots/x/a.usda')).toEqual({
			identifier: 'https://example.com/robots/x/b.usda',
		});
		expect(ar.resolve('../../b.usda', 'https://example.com/robots/x/a.usda').refusal).toBeDefined();
		expect(ar.resolve('https://example.com/robots2/a.usda', '').refusal).toBeDefined();
	});

	it('finds ROS packages by map, AMENT_PREFIX_PATH and ROS_PACKAGE_PATH', () => {
		const packages = new PackageMap({
			packages: { arm: '/src/arm' },
			amentPrefixPath: '/opt/ros:/home/ws',
			rosPackagePath: '/cat/src:/cat/leg',
		});
		const names = ['/home/ws/share/hand/m.usda', '/cat/leg/m.usda', '/src/arm/m.usda'];
		const ar = resolver(names, { packages });
		expect(ar.resolve('package://arm/m.usda', '')).toEqual({ identifier: '/src/arm/m.usda' });
		expect(ar.resolve('package://hand/m.usda', '')).toEqual({ identifier: '/home/ws/share/hand/m.usda' });
		expect(ar.resolve('package://leg/m.usda', '')).toEqual({ identifier: '/cat/leg/m.usda' });
		expect(ar.resolve('package://arm/../x', '').refusal).toContain('leads out');
		expect(resolver([]).resolve('package://arm/m.usda', '').refusal).toContain('package map');
	});

	it('opens packages, their root layers and members, and stays inside', () => {
		const package_ = writeUsdz([
			{ name: 'root.usda', bytes: bytes('#usda 1.0\ndef "A" (references = @./parts/b.usda@</B>) {\n}\n') },
			{ name: 'parts/b.usda', bytes: bytes('#usda 1.0\ndef "B" {\n}\n') },
		]);
		const ar = new DefaultResolver({ backend: new MemoryBackend([['r.usdz', package_]]) });
		expect(ar.readSync('r.usdz')).toMatchObject({ identifier: 'r.usdz[root.usda]' });
		expect(ar.resolve('./parts/b.usda', 'r.usdz[root.usda]')).toEqual({ identifier: 'r.usdz[parts/b.usda]' });
		expect(ar.resolve('parts/b.usda', 'r.usdz[parts/c.usda]').identifier).toBe('r.usdz[parts/b.usda]');
		expect(ar.resolve('../../x.usda', 'r.usdz[parts/b.usda]').refusal).toContain('out of the package');
		expect(ar.readSync('r.usdz[none.usda]')).toEqual({ identifier: 'r.usdz[none.usda]', failure: '' });
		const registry = new LayerRegistry({ resolver: ar });
		expect(registry.openSync('r.usdz')).toBe(registry.openSync('r.usdz[root.usda]'));
	});

	it('gives the same layers later as at once', async () => {
		const fetched: string[] = [];
		const backend = new FetchBackend(async (url) => {
			fetched.push(url);
			const isThere = url.endsWith('a.usda');
			return {
				ok: isThere,
				status: isThere ? 200 : 404,
				arrayBuffer: async () => bytes('#usda 1.0\n').buffer as ArrayBuffer,
			};
		}, 'https://host/dir');
		const registry = new LayerRegistry({ resolver: new DefaultResolver({ backend }) });
		expect(registry.layer('a.usda')).toBeUndefined();
		const layer = await registry.load('a.usda');
		expect(isLayerFailure(layer)).toBe(false);
		expect(registry.layer('a.usda')).toBe(layer);
		expect(await registry.load('none.usda')).toEqual({ failure: '' });
		expect(fetched).toEqual(['https://host/dir/a.usda', 'https://host/dir/none.usda']);
	});
});
