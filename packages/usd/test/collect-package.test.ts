import { Report } from '@manyworlds/core';
import { describe, expect, test } from 'vitest';
import { writeUsda } from '../src/index.ts';
import { collectPackage, type OpenedLayer, openFile } from '../src/internal.ts';

/** Packs `root` of a file system that is a table of texts. */
function pack(root: string, files: Readonly<Record<string, string>>) {
	const report = new Report();
	const encoder = new TextEncoder();
	const read = (path: string) => (files[path] === undefined ? undefined : encoder.encode(files[path]));
	const { layer } = openFile(read(root)!, { file: root, report });
	const write = (changed: OpenedLayer) => writeUsda(changed.data);
	const packed = collectPackage(layer!, root, read, { report, write });
	const texts = Object.fromEntries(packed.map(({ name, bytes }) => [name, new TextDecoder().decode(bytes)]));
	return { names: packed.map(({ name }) => name), texts, codes: report.toArray().map((found) => found.code) };
}

function layer(...arcs: string[]): string {
	return `#usda 1.0\n\ndef "a" (\n    references = [${arcs.map((arc) => `@${arc}@`).join(', ')}]\n)\n{\n}\n\n`;
}

function textures(...paths: string[]): string {
	const lines = paths.map((path, i) => `    asset file${i} = @${path}@\n`);
	return `#usda 1.0\n\ndef "a"\n{\n${lines.join('')}}\n\n`;
}

describe('a package', () => {
	test('holds what layers reach, the root first, as it is on disk', () => {
		const files = {
			'r/root.usda': layer('./parts/a.usda', 'parts/b.usda'),
			'r/parts/a.usda': textures('../tex/a.png'),
			'r/parts/b.usda': layer('./a.usda', '../root.usda'),
			'r/tex/a.png': 'png',
			'r/unused.usda': layer(),
		};
		const { names, texts, codes } = pack('r/root.usda', files);
		expect(names).toEqual(['root.usda', 'parts/a.usda', 'parts/b.usda', 'tex/a.png']);
		for (const name of names) expect(texts[name]).toBe(files[`r/${name}` as keyof typeof files]);
		expect(codes).toEqual([]);
	});

	test('takes in files from outside the folder and rewrites who names them', () => {
		const { names, texts, codes } = pack('r/root.usda', {
			'r/root.usda': layer('../shared/a.usda', './b.usda'),
			'r/b.usda': textures('/tex/t.png', '../other/t.png'),
			'shared/a.usda': textures('./t.png'),
			'shared/t.png': 'shared',
			'other/t.png': 'other',
			'/tex/t.png': 'absolute',
		});
		expect(names).toEqual([
			'root.usda',
			'external/a.usda',
			'b.usda',
			'external/t.png',
			'external/t_2.png',
			'external/t_3.png',
		]);
		expect(texts['root.usda']).toContain('@./external/a.usda@');
		expect(texts['root.usda']).toContain('@./b.usda@');
		// it lies beside its texture inside the package as well
		expect(texts['external/a.usda']).toContain('@./t.png@');
		expect(texts['external/t.png']).toBe('shared');
		expect(texts['b.usda']).toContain('file0 = @./external/t_2.png@');
		expect(texts['b.usda']).toContain('file1 = @./external/t_3.png@');
		expect(codes).toEqual([]);
	});

	test('takes all tiles of a texture', () => {
		const { names, texts } = pack('r/root.usda', {
			'r/root.usda': textures('./t.<UDIM>.png', '../u.<UDIM>.png'),
			'r/t.1001.png': '1',
			'r/t.1012.png': '2',
			'u.1002.png': '3',
		});
		expect(names).toEqual(['root.usda', 't.1001.png', 't.1012.png', 'external/u.1002.png']);
		expect(texts['root.usda']).toContain('@./t.<UDIM>.png@');
		expect(texts['root.usda']).toContain('@./external/u.<UDIM>.png@');
	});

	test('takes a package whose member is named, and ignores format arguments', () => {
		const { names, texts, codes } = pack('r/root.usda', {
			'r/root.usda': layer('./p.usdz[m.usda]', '../q.usda:SDF_FORMAT_ARGS:a=1', '../z.usdz[n.usda]'),
			'r/p.usdz': 'zip',
			'q.usda': layer(),
			'z.usdz': 'zip',
		});
		expect(names).toEqual(['root.usda', 'p.usdz', 'external/q.usda', 'external/z.usdz']);
		expect(texts['root.usda']).toContain('@./p.usdz[m.usda]@');
		expect(texts['root.usda']).toContain('@./external/q.usda:SDF_FORMAT_ARGS:a=1@');
		expect(texts['root.usda']).toContain('@./external/z.usdz[n.usda]@');
		expect(codes).toEqual([]);
	});

	test('keeps what it cannot take and says so', () => {
		const text = layer('./gone.usda', 'package://other/x.usda', '`"x.usda"`');
		const { names, texts, codes } = pack('root.usda', { 'root.usda': text });
		expect(names).toEqual(['root.usda']);
		expect(texts['root.usda']).toBe(text);
		expect(codes.sort()).toEqual(['PKG001', 'PKG002', 'PKG002']);
	});

	test('says that a texture has no tile and that clips are named by a pattern', () => {
		const clips =
			'clips = {\n        dictionary default = {\n            string templateAssetPath = "./c.###.usd"\n        }\n    }';
		const text = `#usda 1.0\ndef "a" (\n    ${clips}\n)\n{\n    asset file = @./t.<UDIM>.png@\n}\n`;
		expect(pack('root.usda', { 'root.usda': text }).codes.sort()).toEqual(['PKG001', 'PKG002']);
	});

	test('gives the root layer the extension of a layer', () => {
		expect(pack('robot.txt', { 'robot.txt': layer() }).names).toEqual(['robot.txt.usda']);
	});
});
