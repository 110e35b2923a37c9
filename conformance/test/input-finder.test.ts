import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { InputFinder } from '../src/input-finder.ts';

let root = '';
beforeAll(() => {
	root = mkdtempSync(join(tmpdir(), 'manyworlds-inputs-'));
	for (const file of ['cases/a.usda', 'assets/x/robot.usda', 'assets/y/arm/robot.usda', 'assets/z/lamp.usda']) {
		mkdirSync(join(root, file, '..'), { recursive: true });
		writeFileSync(join(root, file), '');
	}
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('looks beside the case, then below the assets by path, then for the one that ends with it', () => {
	const finder = new InputFinder(join(root, 'assets'));
	const beside = join(root, 'cases');
	expect(finder.find('a.usda', beside)).toEqual({ path: join(beside, 'a.usda') });
	expect(finder.find('x/robot.usda', beside)).toEqual({ path: join(root, 'assets/x/robot.usda') });
	expect(finder.find('arm/robot.usda', beside)).toEqual({ path: join(root, 'assets/y/arm/robot.usda') });
	expect(finder.find('./lamp.usda', beside)).toEqual({ path: join(root, 'assets/z/lamp.usda') });
});

test('several files or none are a problem, said in words', () => {
	const finder = new InputFinder(join(root, 'assets'));
	expect(finder.find('robot.usda', root)).toEqual({ problem: expect.stringContaining('2 files') });
	expect(finder.find('amp.usda', root)).toEqual({ problem: expect.stringContaining('no file') });
});
