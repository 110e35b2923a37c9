/** Programs of packages in Chromium and in Node: both come to the same. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { type Layer, MemoryStore, Stage, XformCache } from '@manyworlds/usd';
import { computePurposeInfo, traverse } from '@manyworlds/usd/internal';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { convert, cornerText, type Seen } from '../../packages/convert/test/browser/program.ts';
import { type Outcome, runWorlds } from '../../packages/mujoco/test/browser/program.ts';
import { type Results as Checked, runProgram as runCheck } from '../../packages/rep158/test/browser/program.ts';
import { type Drawn, drawAndRun } from '../../packages/sweep/test/browser/program.ts';
import { PENDULUM_URDF } from '../../packages/sweep/test/plans.ts';
import { type Results as Read, runProgram as runUsd } from '../../packages/usd/test/browser/program.ts';
import { BrowserPrograms, startPlainBrowser } from '../src/browser-programs.ts';

const ROOT = join(import.meta.dirname, '../..');
const ROBOTS = join(ROOT, 'examples/robots');
const EGRET = join(ROBOTS, 'egret');
/** A robot without findings, one with a scaled link, one with a texture in the wrong format. */
const ASSETS = [
	'examples/robots/egret/egret.usda',
	'conformance/data/rep158/R1.1.10/bad/asset.usda',
	'conformance/data/rep158/R3.2.1/bad/asset.usda',
	'conformance/data/rep158/R3.4.6/bad/asset.usda',
];
const [CONVERT, MUJOCO, REP158, SWEEP, USD] = ['convert', 'mujoco', 'rep158', 'sweep', 'usd'].map(
	(name) => `packages/${name}/test/browser/program`,
) as [string, string, string, string, string];
const WORKER = 'packages/mujoco/test/browser/world-worker';

const started = await startPlainBrowser();
if (typeof started === 'string') console.warn(`browser test skipped: chromium does not start: ${started}`);

describe.skipIf(typeof started === 'string')('in a browser', () => {
	const browser = started as Browser;
	let programs: BrowserPrograms;
	beforeAll(async () => {
		programs = await BrowserPrograms.serve([CONVERT, MUJOCO, REP158, SWEEP, USD, WORKER]);
	});
	afterAll(async () => {
		await browser.close();
		await programs?.close();
	});

	test('usda, usdc and usdz are read, edited and written to the same bytes as in Node', async () => {
		const names = filesBelow(join(ROBOTS, 'heron'), ROBOTS);
		const expected = await runUsd(
			Object.fromEntries(names.map((name) => [name, new Uint8Array(readFileSync(join(ROBOTS, name)))])),
		);
		const { found, faults } = await programs.call<Read>(browser, USD, 'runInPage', [names]);
		expect(faults).toEqual([]);
		expect(found).toEqual(expected);
		expect(Object.keys(found).length).toBeGreaterThan(3 * names.filter((name) => name.endsWith('.usda')).length);
		for (const [name, result] of Object.entries(found)) {
			if (/from crate|content/.test(name)) expect(result, name).toMatch(/^0 differences/);
		}
		expect(found['bad text']).toMatch(/^USDA/);
		expect(found['findings']).toBe('0');
	});

	test('assets are checked and fixed as in Node', async () => {
		const names = ASSETS.flatMap((asset) => filesBelow(join(ROOT, asset, '..'), ROOT)).filter(
			(name) => !name.endsWith('.json'),
		);
		const files = Object.fromEntries(names.map((name) => [name, new Uint8Array(readFileSync(join(ROOT, name)))]));
		const { found, faults } = await programs.call<Checked>(browser, REP158, 'runInPage', [names, ASSETS]);
		expect(faults).toEqual([]);
		expect(found).toEqual(runCheck(files, ASSETS));
		expect(found[`${ASSETS[0]} findings`]).toBe('');
		for (const asset of ASSETS.slice(1)) {
			expect(found[`${asset} findings`]).toContain(asset.split('/')[3]);
		}
		expect(found['fixed']).toContain('.usda');
	});

	test.each(['sap', 'mujoco'])('worlds come to the same bits with workers as without, on %s', async (solver) => {
		const { found, faults } = await programs.call<[Outcome, Outcome]>(browser, MUJOCO, 'runInPage', [solver]);
		const [inline, threaded] = found;
		expect(faults).toEqual([]);
		expect([inline.workers, threaded.workers]).toEqual([0, 2]);
		expect(threaded).toEqual({ ...inline, workers: 2 });
		expect(inline.failedWorlds).toEqual([3]);
		const node = await runWorlds(solver, 0);
		for (const [i, value] of node.jointQ.entries()) expect(inline.jointQ[i]).toBeCloseTo(value, 9);
	});

	test('runs of a sweep are drawn, simulated and tabled to the same bytes as in Node, and the report draws itself', async () => {
		const expected = await drawAndRun(PENDULUM_URDF);
		expect(expected.results).toHaveLength(12);
		const { found, faults } = await programs.call<Drawn>(
			browser,
			SWEEP,
			'drawAndRun',
			[PENDULUM_URDF],
			async (page) => {
				await page.setContent(expected.report);
				// something of another colour than the ground is on every canvas
				const painted = await page.evaluate<number[]>(
					"[...document.querySelectorAll('canvas')].map((one) => new Set(new Uint32Array(one.getContext('2d').getImageData(0, 0, one.width, one.height).data.buffer)).size)",
				);
				expect(painted.length).toBeGreaterThan(3);
				expect(Math.min(...painted)).toBeGreaterThan(3);
			},
		);
		expect(found).toEqual(expected);
		expect(faults).toEqual([]);
	});

	describe('a robot as GLB', () => {
		const files = Object.fromEntries(
			filesBelow(EGRET, EGRET).map((name) => [name, readFileSync(join(EGRET, name)).toString('base64')]),
		);
		let seen: Seen;
		beforeAll(async () => {
			const { found, faults } = await programs.call<Seen>(browser, CONVERT, 'seeInPage', [files, 'egret.usda']);
			expect(faults).toEqual([]);
			seen = found;
		});

		test('has the bytes that it has in Node', () => {
			const own = convert(files, 'egret.usda');
			expect(Buffer.from(seen.bytes).equals(Buffer.from(own))).toBe(true);
		});

		test('has its corners in three.js where the stage has them', () => {
			expect(seen.corners).toEqual(stageCorners(files));
		});

		test('has the scenes and the animation that were asked for', () => {
			expect(seen.scenes).toHaveLength(2);
			expect(seen.animations).toBe(1);
		});
	});
});

/** Files below a folder, by their paths from another one. */
function filesBelow(folder: string, from: string): string[] {
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => relative(from, join(entry.parentPath, entry.name)).split(sep).join('/'))
		.sort();
}

/** Corners of the meshes that a stage shows, with Y up as in glTF. */
function stageCorners(files: Readonly<Record<string, string>>): string[] {
	const store = new MemoryStore(
		Object.fromEntries(
			Object.entries(files).map(([name, text]) => [name, new Uint8Array(Buffer.from(text, 'base64'))]),
		),
	);
	const stage = Stage.open(store.layer(store.identify('egret.usda', '').identifier) as Layer, { store });
	const transforms = new XformCache();
	const corners = new Set<string>();
	for (const prim of traverse(stage.pseudoRoot, { instanceProxies: true })) {
		if (prim.typeName !== 'Mesh' || computePurposeInfo(prim).purpose !== 'default') continue;
		const points = prim.attribute('points').get()!.data as Float32Array;
		const used = new Set(prim.attribute('faceVertexIndices').get()!.data as Int32Array);
		const m = transforms.worldTransform(prim);
		for (const i of used) {
			const [x, y, z] = [points[3 * i]!, points[3 * i + 1]!, points[3 * i + 2]!];
			const at = [0, 1, 2].map((k) => x * m[k]! + y * m[4 + k]! + z * m[8 + k]! + m[12 + k]!) as [
				number,
				number,
				number,
			];
			corners.add(cornerText(at[0], at[2], -at[1]));
		}
	}
	return [...corners].sort();
}
