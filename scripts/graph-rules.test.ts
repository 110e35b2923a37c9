import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkFolders, checkPackage, FOLDER_ORDER, findCycles, importsOf, type PackageFacts } from './graph-rules.ts';
import { ROOT } from './source-files.ts';

const usd: PackageFacts = {
	name: 'usd',
	dependencies: new Set(['@manyworlds/core', 'fflate']),
	types: [],
	lib: ['ES2023'],
};

function check(text: string, path = 'packages/usd/src/a.ts', facts: PackageFacts = usd): string[] {
	return checkPackage(facts, [{ path, text }], new Set(['vitest']));
}

describe('imports', () => {
	test('of earlier packages, declared dependencies and own files are allowed', () => {
		expect(
			check("import { a } from '@manyworlds/core';\nimport { b } from 'fflate';\nimport c from './c.ts';"),
		).toEqual([]);
	});

	test.each([
		["import { a } from 'manyworlds';", 'does not stand before'],
		["import { a } from '@manyworlds/usd';", 'imports its own package'],
		["import { a } from '@manyworlds/core/src/report.ts';", 'reaches into another package'],
		["export * from '../../core/src/index.ts';", 'leaves packages/usd/src/'],
		["import type { Stats } from 'node:fs';", 'ties a platform-free package to Node'],
		["import fs from 'fs';", 'ties a platform-free package to Node'],
		["const fs = await import('node:fs');", 'ties a platform-free package to Node'],
		["import 'three';", 'not in the dependencies'],
		["import {\n\ta,\n\tb,\n} from 'vitest';", 'not in the dependencies'],
	])('%s is refused', (text, reason) => {
		expect(check(text)).toEqual([expect.stringContaining(reason)]);
	});

	test.each([
		['usd', 'sdf/a.ts', '../usda/b.ts'],
		['usd', 'usd/edit/a.ts', '../../inspect/b.ts'],
		['usd', 'ar/a.ts', '../convert/b.ts'],
		['rep158', 'rules/a.ts', '../fix/b.ts'],
		['rep158', 'fix/engine/a.ts', '../families/b.ts'],
		['mujoco', 'engine/a.ts', '../solver/b.ts'],
		['viewer', 'view/a.ts', '../panels/b.ts'],
	])('of packages/%s/src/%s from %s are refused: the folder stands later', (name, path, specifier) => {
		const facts = { ...usd, name };
		const text = `import type { b } from '${specifier}';`;
		expect(check(text, `packages/${name}/src/${path}`, facts)).toEqual([
			expect.stringContaining('does not stand before'),
		]);
	});

	test('of a folder that is not listed are refused, wherever it stands', () => {
		const refused = (folder: string) => [`packages/usd/src/${folder}: not in FOLDER_ORDER of scripts/graph-rules.ts`];
		expect(check('', 'packages/usd/src/common/a.ts')).toEqual(refused('common'));
		expect(check('', 'packages/usd/src/sdf/deep/a.ts')).toEqual(refused('sdf/deep'));
		expect(check('', 'packages/usd/src/codes/help/deep/a.ts')).toEqual(refused('codes/help/deep'));
		expect(check('', 'packages/usd/src/codes/help/a.ts')).toEqual([]);
	});

	test('that lead to a later folder through files beside the folders are refused', () => {
		const files = [
			{ path: 'packages/usd/src/sdf/a.ts', text: "import type { B } from '../b.ts';" },
			{ path: 'packages/usd/src/b.ts', text: "import { c } from './c.ts';" },
			{ path: 'packages/usd/src/c.ts', text: "import './pcp/d.ts';\nimport './text/e.ts';\nimport './sdf/f.ts';" },
		];
		expect(checkFolders('usd', files)).toEqual([
			`packages/usd/src/sdf: leads to pcp, which does not stand before it, by ${files.map(({ path }) => path).join(', ')}, packages/usd/src/pcp/d.ts`,
		]);
	});

	test('have an order of folders that are there', () => {
		const listed = Object.entries(FOLDER_ORDER).flatMap(([owner, folders]) => {
			const [name, ...within] = owner.split('/');
			return folders.map((folder) => ['packages', name!, 'src', ...within, folder].join('/'));
		});
		expect(listed.filter((folder) => !existsSync(join(ROOT, folder)))).toEqual([]);
	});

	test('of folders that stand before, of no folder, and in tests may point anywhere', () => {
		expect(
			check("import '../sdf/b.ts';\nimport '../open-layer.ts';\nimport './c.ts';", 'packages/usd/src/usda/a.ts'),
		).toEqual([]);
		expect(check("import './convert/b.ts';", 'packages/usd/src/open-layer.ts')).toEqual([]);
		expect(check("import '../src/convert/b.ts';", 'packages/usd/test/a.test.ts')).toEqual([]);
	});

	test('of Node are allowed in the package node', () => {
		expect(check("import { b } from 'node:fs';", 'packages/node/src/a.ts', { ...usd, name: 'node' })).toEqual([]);
	});

	test('of test tools and Node are allowed in tests', () => {
		const text = "import { a } from 'vitest';\nimport { b } from 'node:fs';\nimport { c } from '@manyworlds/usd';";
		expect(check(text, 'packages/usd/test/a.test.ts')).toEqual([]);
	});

	test('in comments and strings do not count', () => {
		expect(
			importsOf({ path: 'a.ts', text: "// import 'a';\n/* import 'b'; */\nimport 'c';\nf(['import', 'd']);" }),
		).toEqual([{ specifier: 'c', line: 3 }]);
	});
});

describe('platform freedom', () => {
	test.each([
		'process.exit();',
		'const b = Buffer.from([]);',
		'console.log(1);',
		'window.alert();',
		'globalThis.x = 1;',
		'eval("1");',
		'// @ts-expect-error',
		'/// <reference types="node" />',
	])('%s is refused', (text) => {
		expect(check(text)).toHaveLength(1);
	});

	test('names in comments and members of other objects are allowed', () => {
		expect(check('// process.exit() ends\nthis.process.run(); reprocess.x();')).toEqual([]);
		expect(check('function f(document: Tree) { return document.root; }\nconst window = 1; window.a;')).toEqual([]);
	});

	test('the compiler settings are checked', () => {
		expect(check('', undefined, { ...usd, types: ['node'] })).toHaveLength(1);
		expect(check('', undefined, { ...usd, lib: ['ES2023', 'DOM'] })).toHaveLength(1);
	});
});

test('a package outside the order is refused', () => {
	expect(check('', 'packages/other/src/a.ts', { ...usd, name: 'other' })).toHaveLength(1);
});

test('cycles of run-time imports are found, type imports ignored', () => {
	const file = (path: string, text: string) => ({ path, text });
	const cycle = [file('p/a.ts', "import { b } from './b.ts';"), file('p/b.ts', "export { a } from './a.ts';")];
	expect(findCycles(cycle)).toEqual(['import cycle: p/a.ts -> p/b.ts -> p/a.ts']);
	const types = [file('p/a.ts', "import { b } from './b.ts';"), file('p/b.ts', "import type { A } from './a.ts';")];
	expect(findCycles(types)).toEqual([]);
});
