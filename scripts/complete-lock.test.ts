import { expect, test } from 'vitest';
import { completeLock, type LockEntry, platformOf } from './complete-lock.ts';

test('platforms are read from package names', () => {
	expect(platformOf('@biomejs/cli-darwin-arm64')).toEqual({ cpu: ['arm64'], os: ['darwin'] });
	expect(platformOf('@rolldown/binding-linux-x64-musl')).toEqual({ cpu: ['x64'], os: ['linux'], libc: ['musl'] });
	expect(platformOf('@rolldown/binding-wasm32-wasi')).toEqual({ cpu: ['wasm32'] });
	expect(platformOf('fsevents')).toBeUndefined();
});

test('only missing platform packages are added, as optional', () => {
	const packages: Record<string, LockEntry> = {
		'node_modules/tool': {
			version: '1.0.0',
			dev: true,
			optionalDependencies: { 'tool-linux-x64': '1.0.0', 'tool-win32-x64': '1.0.0', other: '2.0.0' },
		},
		'node_modules/tool-linux-x64': { version: '1.0.0', integrity: 'sha512-x' },
	};
	expect(completeLock(packages)).toEqual(['tool-win32-x64']);
	expect(packages['node_modules/tool-win32-x64']).toEqual({
		version: '1.0.0',
		cpu: ['x64'],
		dev: true,
		optional: true,
		os: ['win32'],
	});
	expect(packages['node_modules/tool-linux-x64']).toEqual({ version: '1.0.0', integrity: 'sha512-x' });
	expect(completeLock(packages)).toEqual([]);
});
