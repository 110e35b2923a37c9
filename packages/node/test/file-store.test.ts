import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isAssetFailure, Stage } from '@manyworlds/usd';
import { describe, expect, it } from 'vitest';
import { FileStore, RosPackages, SceneStore } from '../src/index.ts';
import { writeFileAtomically } from '../src/internal.ts';
import { robotFolders } from '../src/robot-folders.ts';
import { temporaryFolder } from './temporary-folder.ts';

function folderWith(files: Readonly<Record<string, string>>): string {
	const folder = temporaryFolder();
	for (const [name, text] of Object.entries(files)) {
		mkdirSync(dirname(join(folder, name)), { recursive: true });
		writeFileSync(join(folder, name), text);
	}
	return folder;
}

const PART = '#usda 1.0\ndef "B" {\n    def "C" {\n    }\n}\n';

describe('FileStore', () => {
	it('opens layers and the files that they name', () => {
		const folder = folderWith({
			'a.usda': '#usda 1.0\ndef "A" (references = @./parts/b.usda@</B>) {\n}\n',
			'parts/b.usda': PART,
		});
		const read: string[] = [];
		const store = new FileStore({ roots: [folder], onRead: (file) => read.push(file) });
		const layer = store.open(join(folder, 'a.usda'));
		if (isAssetFailure(layer)) throw new Error(layer.failure);
		expect(Stage.open(layer, { store }).prim('/A/C')).toBeDefined();
		expect(read).toEqual([join(folder, 'a.usda'), join(folder, 'parts/b.usda')]);
		expect(store.report.size).toBe(0);
	});

	it('reads nothing outside the roots, also not through links, until it is allowed', () => {
		const folder = folderWith({ 'in/a.usda': PART, 'out/b.usda': PART });
		symlinkSync('../out/b.usda', join(folder, 'in/link.usda'));
		const store = new FileStore({ roots: [join(folder, 'in')], hints: { outside: '; ask' } });
		const link = join(folder, 'in/link.usda');
		const outside = { failure: 'it lies outside of the folders that may be read; ask' };
		expect(store.bytes(link)).toEqual(outside);
		expect(store.bytes(join(folder, 'out/b.usda'))).toEqual(outside);
		expect(store.exists(link)).toBe(false);
		expect(store.identify('../out/b.usda', join(folder, 'in/a.usda')).refusal).toBe(outside.failure);
		store.allow(join(folder, 'out'));
		expect(store.bytes(link)).toBeInstanceOf(Uint8Array);
		expect(store.exists(link)).toBe(true);
	});

	it('finds ROS packages by name, prefix and source folder', () => {
		const folder = folderWith({
			'given/m.usda': PART,
			'install/share/hand/m.usda': PART,
			'src/stack/leg/m.usda': PART,
			'robot/a.usda': PART,
		});
		const packages = new RosPackages({
			folders: new Map([['arm', join(folder, 'given')]]),
			env: { AMENT_PREFIX_PATH: join(folder, 'install'), ROS_PACKAGE_PATH: join(folder, 'src') },
		});
		const store = new FileStore({ roots: [join(folder, 'robot')], packages });
		const anchor = join(folder, 'robot/a.usda');
		for (const [name, place] of [
			['arm', 'given'],
			['hand', 'install/share/hand'],
			['leg', 'src/stack/leg'],
		]) {
			const { identifier, refusal } = store.identify(`package://${name}/m.usda`, anchor);
			expect([identifier, refusal]).toEqual([join(folder, `${place}/m.usda`), undefined]);
			expect(store.exists(identifier)).toBe(true);
		}
		for (const path of ['package://none/m.usda', 'package://../m.usda', 'package://hand/../../x']) {
			expect(store.identify(path, anchor).refusal, path).toBeDefined();
		}
	});
});

it('a scene finds files beside it, then in the working directory, and what belongs to its robots', () => {
	const folder = folderWith({
		'scenes/s.yaml': '',
		'scenes/a.urdf': '',
		'a.urdf': '',
		'b.urdf': '',
		'pkg/package.xml': '',
		'pkg/urdf/c.urdf': '',
		'pkg/meshes/m.stl': '',
	});
	const scene = join(folder, 'scenes/s.yaml');
	const store = new SceneStore({ file: scene, cwd: folder });
	expect(store.identify('a.urdf', scene).identifier).toBe(join(folder, 'scenes/a.urdf'));
	expect(store.identify('b.urdf', scene).identifier).toBe(join(folder, 'b.urdf'));
	expect(store.identify('none.urdf', scene)).toEqual({ identifier: 'none.urdf' });
	expect(robotFolders(join(folder, 'pkg/urdf/c.urdf'))).toContain(join(folder, 'pkg'));
	const robot = store.identify('../pkg/urdf/c.urdf', scene).identifier;
	expect(store.exists(store.identify('../meshes/m.stl', robot).identifier)).toBe(true);
});

describe('writeFileAtomically', () => {
	it('replaces the file that a link leads to, keeps its mode, and leaves nothing behind', () => {
		const folder = folderWith({ 'a.txt': 'old' });
		chmodSync(join(folder, 'a.txt'), 0o640);
		symlinkSync('a.txt', join(folder, 'link.txt'));
		writeFileAtomically(join(folder, 'link.txt'), new TextEncoder().encode('new'));
		expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('new');
		expect(statSync(join(folder, 'a.txt')).mode & 0o777).toBe(0o640);
		expect(readdirSync(folder).sort()).toEqual(['a.txt', 'link.txt']);
	});

	it('makes folders, and refuses to replace one', () => {
		const folder = folderWith({});
		writeFileAtomically(join(folder, 'x/y.txt'), new Uint8Array(3));
		expect(statSync(join(folder, 'x/y.txt')).size).toBe(3);
		expect(() => writeFileAtomically(join(folder, 'x'), new Uint8Array(3))).toThrow('it is a folder');
		expect(readdirSync(folder)).toEqual(['x']);
	});
});
