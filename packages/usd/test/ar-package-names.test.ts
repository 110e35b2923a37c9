import { describe, expect, it } from 'vitest';
import { PackageMap } from '../src/ar/package-map.ts';

describe('PackageMap', () => {
	it('looks for packages below prefixes and folders, explicit ones first', () => {
		const map = new PackageMap({
			packages: { arm: '/robots/arm' },
			amentPrefixPath: '/opt/ros',
			rosPackagePath: '/ws/src',
		});
		expect(map.foldersOf('arm')).toEqual(['/robots/arm']);
		expect(map.foldersOf('base')).toEqual(['/opt/ros/share/base', '/ws/src/base']);
	});

	it('takes no dots for a name', () => {
		const map = new PackageMap({ amentPrefixPath: '/opt/ros', rosPackagePath: '/ws/src' });
		expect(map.foldersOf('..')).toEqual([]);
		expect(map.foldersOf('.')).toEqual([]);
	});
});
