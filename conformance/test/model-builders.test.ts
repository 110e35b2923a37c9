import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readJson } from '../src/files.ts';
import { InputFinder } from '../src/input-finder.ts';
import type { Json } from '../src/json.ts';
import { modelBuilders } from '../suites/model-builders/index.ts';
import { change, somePlaces } from './change-json.ts';

const GOLDEN = resolve(import.meta.dirname, '../../../shared/oracle/golden/newton-builders');
const hasGolden = existsSync(GOLDEN);
if (!hasGolden) console.log(`model/builders: changed programs are not tested, there is no folder ${GOLDEN}`);
const folder = mkdtempSync(join(tmpdir(), 'model-builders-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Edit = (file: { program: never; expected: never } & Record<string, Json>) => void;

/** Groups that complain about a golden file after an edit. */
function complaints(source: string, name: string, edit: Edit): string[] {
	const file = readJson(join(GOLDEN, source)) as Parameters<Edit>[0];
	edit(file);
	return complaintsAbout(file, name);
}

function complaintsAbout(file: Json, name: string): string[] {
	return modelBuilders.groups.filter(complainsAbout(file, name)).map((group) => group.name);
}

/** Tells whether a group complains about a file. */
function complainsAbout(file: Json, name: string): (group: (typeof modelBuilders.groups)[number]) => boolean {
	const dir = join(folder, name);
	mkdirSync(dir);
	writeFileSync(join(dir, 'program.json'), JSON.stringify(file));
	const context = { dir, assetsDir: dir, inputs: new InputFinder(dir), log: () => {} };
	return (group) => {
		const [found] = [...group.cases(context)];
		try {
			return typeof found!.run() === 'string';
		} catch {
			return true;
		}
	};
}

/** One program of each theme (seed modulo 12), with every known fault, and one that is refused but dumped. */
const OF_EACH_THEME = [12, 73, 50, 123, 64, 41, 114, 67, 92, 105, 118, 107];

describe.skipIf(!hasGolden)('suite model/builders', () => {
	const source = hasGolden ? readdirSync(GOLDEN).find((file) => file === 'seed-8.json.gz')! : '';
	const cases: Record<string, [edit: (it: never) => void, groups: string[]]> = {
		nothing: [() => {}, []],
		'a number of an array': [
			(it: { expected: { model: { arrays: Record<string, { data: number[] }> } } }) =>
				void (it.expected.model.arrays.joint_X_p!.data[0]! += 0.01),
			['arrays'],
		],
		'a world': [
			(it: { expected: { model: { arrays: Record<string, { data: number[] }> } } }) =>
				void (it.expected.model.arrays.body_world!.data[0] = 1),
			['arrays'],
		],
		'a label': [
			(it: { expected: { model: { labels: Record<string, string[]> } } }) =>
				void (it.expected.model.labels.body![1] = 'other'),
			['names'],
		],
		'an outcome': [
			(it: { expected: { outcomes: { results: { result: number }[] }[] } }) =>
				void (it.expected.outcomes[0]!.results[1]!.result = 7),
			['outcomes'],
		],
		'a filter pair': [
			(it: { expected: { model: { filter_pairs: number[][] } } }) => void it.expected.model.filter_pairs.push([0, 1]),
			['interpreter'],
		],
		'an attribute': [
			(it: { expected: { model: { custom_attributes: Record<string, { values: { data: number[] } }> } } }) =>
				void (it.expected.model.custom_attributes['mujoco:equality_constraint_body1']!.values.data[1] = 2),
			['attributes'],
		],
		'a pose of forward kinematics': [
			(it: { expected: { model: { fk: { body_q: { data: number[] } } } } }) =>
				void (it.expected.model.fk.body_q.data[8]! += 0.01),
			['kinematics'],
		],
		'a mesh': [
			(it: { expected: { model: { geometry: { objects: { vertices: { sha256: string } }[] } } } }) =>
				void (it.expected.model.geometry.objects[0]!.vertices.sha256 = 'x'),
			['names'],
		],
	};
	for (const [name, [edit, groups]] of Object.entries(cases)) {
		test(`after a change of ${name}: ${groups.join(', ') || 'no'} complaints`, () => {
			const found = complaints(source, name.replaceAll(' ', '-'), edit as never);
			for (const group of groups) expect(found).toContain(group);
			if (groups.length === 0) expect(found).toEqual([]);
		});
	}

	test('an unknown field fails every group', () => {
		const found = complaints(
			source,
			'unknown',
			(it) => void ((it as unknown as { expected: Record<string, Json> }).expected.novelty = 1),
		);
		expect(found).toEqual(modelBuilders.groups.map((group) => group.name));
	});

	test.each(OF_EACH_THEME)('whatever changes in what is expected of seed %i is noticed', (seed) => {
		const text = JSON.stringify(readJson(join(GOLDEN, `seed-${seed}.json.gz`)));
		// texts of messages are the reference's own business
		const draw = { count: 8, seed, isFree: (path: readonly unknown[]) => path.includes('message') };
		const unnoticed = somePlaces((JSON.parse(text) as { expected: Json }).expected, ['expected'], draw).filter(
			(path, i) => {
				const file = JSON.parse(text) as Json;
				change(file, path);
				return !modelBuilders.groups.some(complainsAbout(file, `seed-${seed}-${i}`));
			},
		);
		expect(unnoticed).toEqual([]);
	});
});
