import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { ArticulatedDynamics, hashState } from '@manyworlds/model';
import type { RunningSite } from '@manyworlds/node';
import { CollisionGeometry } from '@manyworlds/sim/internal';
import { zipSync } from 'fflate';
import { check, convert, modelOf, openAsset, Simulation } from 'manyworlds';
import type { Browser } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import {
	type Folder,
	ISOLATED,
	ROBOTS,
	ROOT,
	readFolder,
	SETTINGS,
	serve,
	startBrowser,
	ViewerPage,
} from './open-page.ts';
import { useViewer } from './use-viewer.ts';

const browser = await startBrowser();
if (typeof browser === 'string') console.warn(`viewer test skipped: chromium does not start: ${browser}`);

const EGRET = readFolder(join(ROBOTS, 'egret'), 'egret.usda');
const HERON = readFolder(join(ROBOTS, 'heron'), 'heron.usda');
const CRANE = readFolder(join(ROBOTS, 'crane'), 'crane.xml');
const PLOVER = readFolder(join(ROBOTS, 'plover'), 'urdf/plover.urdf');

/** Servers pack harder, which takes twenty times as long. */
const QUICK = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

describe.skipIf(typeof browser === 'string')('the viewer', () => {
	let site: string;
	let server: RunningSite;
	let viewer: ViewerPage;
	useViewer(browser, (used) => {
		({ site, server, viewer } = used);
	});

	test('loads in 350 kB and asks for no wasm', async () => {
		const html = readFileSync(join(site, 'index.html'), 'utf8');
		const first = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map((match) => match[1]!);
		expect(first.length).toBeGreaterThan(1);
		const size = first.reduce((sum, file) => sum + brotliCompressSync(readFileSync(join(site, file)), QUICK).length, 0);
		expect(size).toBeLessThan(350_000);
		const asked = await viewer.evaluate<string[]>('performance.getEntriesByType("resource").map(({ name }) => name)');
		expect(asked.filter((name) => /wasm|worker|mujoco/.test(name))).toEqual([]);
		expect(readdirSync(join(site, 'assets')).some((name) => name.endsWith('.wasm'))).toBe(true);
	});

	test.each([
		['OpenUSD', EGRET],
		['URDF', PLOVER],
		['MJCF', CRANE],
	])('shows the links of %s where forward kinematics has them', async (_, folder) => {
		await viewer.drop(folder);
		const { problem, poses, links } = await viewer.probe();
		expect(problem).toBeUndefined();
		const simulation = await simulationOf(folder);
		expect(links).toEqual(simulation.model.bodyLabels);
		expectClose(poses, simulation.bodyPoses, 1e-5);
		await simulation.dispose();
	});

	test('draws every link that has something to see', async () => {
		await viewer.drop(EGRET);
		const seen = await viewer.evaluate<[number, number][]>('[...window.manyworlds.probe.view.linkPixels(160, 120)]');
		const counts = new Map(seen);
		// base, head, left and right wheel
		for (const link of [0, 1, 2, 3]) expect(counts.get(link) ?? 0).toBeGreaterThan(5);
	});

	test('has the same poses for one robot in three formats', async () => {
		const crane = await openAsset(CRANE);
		const poses: Map<string, number[]>[] = [];
		for (const [format, extension] of [
			['mjcf', 'xml'],
			['urdf', 'urdf'],
			['rep', 'usda'],
		] as const) {
			const { bytes, files } = await convert(crane, format, { base: 'fixed' });
			const entry = `crane.${extension}`;
			await viewer.drop({ entry, files: new Map([[entry, bytes], ...files]) });
			expect((await viewer.probe()).problem).toBeUndefined();
			await viewer.evaluate('(window.manyworlds.poser.go("zero"), window.manyworlds.poser.settled())');
			const { links, poses: all } = await viewer.probe();
			poses.push(new Map(links.map((label, i) => [label.split('/').at(-1)!, all.slice(7 * i, 7 * i + 7)])));
		}
		const [first, ...others] = poses as [Map<string, number[]>, ...Map<string, number[]>[]];
		const names = [...first.keys()].filter((name) => others.every((other) => other.has(name)));
		expect(names.length).toBeGreaterThanOrEqual(2);
		for (const other of others) {
			for (const name of names) expectClose(other.get(name)!.slice(0, 3), first.get(name)!.slice(0, 3), 1e-5);
		}
	});

	test('moves links when a slider is moved, and followers with their leaders', async () => {
		await viewer.drop(PLOVER);
		const { model, start } = await modelOf(await openAsset(PLOVER));
		const [follower, leader] = [model.constraintMimicJoint0[0]!, model.constraintMimicJoint1[0]!];
		const name = model.jointLabels[leader]!.split('/').at(-1)!;
		const before = await viewer.evaluate<number[]>('[...window.manyworlds.coordinates]');
		await viewer.page.getByRole('slider', { name, exact: true }).focus();
		await viewer.page.keyboard.press('PageUp');
		await viewer.until(
			`window.manyworlds.coordinates[${model.jointQStart[follower]}] !== ${before[model.jointQStart[follower]!]}`,
		);
		const coordinates = await viewer.evaluate<number[]>('[...window.manyworlds.coordinates]');
		const led = coordinates[model.jointQStart[leader]!]!;
		expect(led).not.toBe(before[model.jointQStart[leader]!]);
		expect(coordinates[model.jointQStart[follower]!]).toBeCloseTo(
			model.constraintMimicCoef0[0]! + model.constraintMimicCoef1[0]! * led,
			12,
		);
		start.jointQ.set(coordinates);
		new ArticulatedDynamics(model).forwardKinematics(start);
		expectClose((await viewer.probe()).poses, start.bodyQ, 1e-5);
	});

	test('draws colliders as the solver has them', async () => {
		await viewer.drop(PLOVER);
		const drawn = await viewer.read<number[][]>(
			'(window.manyworlds.look.toggleOverlay("colliders"), window.manyworlds.probe.overlays.cornersOf("colliders").map((corners) => [...corners]))',
		);
		await viewer.evaluate('window.manyworlds.look.toggleOverlay("colliders")');
		const simulation = await simulationOf(PLOVER);
		const { model, bodyPoses } = simulation;
		const geometry = new CollisionGeometry(model);
		const hulls = geometry.hulls.flatMap((hull, shape) => (hull === undefined ? [] : [{ hull, shape }]));
		const { transformMultiply, transformPoint } = await import('@manyworlds/core/internal');
		for (const { hull, shape } of hulls) {
			const body = model.shapeBody[shape]!;
			const pose = new Float64Array(7);
			transformMultiply(
				pose,
				bodyPoses.subarray(7 * body, 7 * body + 7),
				model.shapeTransform.subarray(7 * shape, 7 * shape + 7),
			);
			const point = new Float64Array(3);
			transformPoint(point, pose, hull.vertices.subarray(0, 3));
			const isDrawn = drawn.some((corners) => {
				for (let i = 0; i < corners.length; i += 3) {
					if (Math.hypot(corners[i]! - point[0]!, corners[i + 1]! - point[1]!, corners[i + 2]! - point[2]!) < 1e-5) {
						return corners.length === hull.vertices.length;
					}
				}
				return false;
			});
			expect(isDrawn).toBe(true);
		}
		expect(drawn.length).toBe(
			model.shapeFlags.filter((flags, shape) => (flags & 2) !== 0 && model.shapeType[shape] !== 1).length,
		);
		await simulation.dispose();
	});

	test('finds what the command finds, fixes it, and takes the fix back byte by byte', async () => {
		await viewer.drop(HERON);
		await viewer.page.getByRole('tab', { name: 'Findings' }).click();
		await viewer.page.getByRole('button', { name: 'Check', exact: true }).click();
		await viewer.until('window.manyworlds.checker.findings !== undefined && window.manyworlds.busy === undefined');
		const found = await viewer.evaluate<[string, string, number][]>(
			'window.manyworlds.checker.findings.map(({ code, file, range }) => [code, file, range?.start.line ?? 0])',
		);
		const { report } = await check(await openAsset(HERON));
		expect(found).toEqual(report.toArray().map(({ code, file, range }) => [code, file, range?.start.line ?? 0]));
		expect(found.length).toBeGreaterThan(5);

		await viewer.page.locator('.finding').first().click();
		await viewer.until('window.manyworlds.texts.current !== undefined');
		const { path, line } = await viewer.evaluate<{ path: string; line: number }>('window.manyworlds.texts.current');
		expect([path, line]).toEqual(found[0]!.slice(1));

		const filesText = `Object.fromEntries([...window.manyworlds.files].map(([path, bytes]) => [path, Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')]))`;
		const before = await viewer.evaluate<Record<string, string>>(filesText);
		await viewer.page.getByRole('tab', { name: 'Findings' }).click();
		await viewer.page.getByRole('button', { name: 'All fixes' }).click();
		await viewer.page.getByRole('button', { name: 'Apply' }).click();
		await viewer.until(`window.manyworlds.busy === undefined && window.manyworlds.edits.canUndo`);
		await viewer.until(`window.manyworlds.checker.findings.length < ${found.length}`);
		const after = await viewer.evaluate<Record<string, string>>(filesText);
		expect(after).not.toEqual(before);
		const left = await viewer.evaluate<string[]>('window.manyworlds.checker.findings.map(({ code }) => code)');
		const fixed = new Map(
			Object.entries(after).map(([name, text]) => [name, new Uint8Array(Buffer.from(text, 'latin1'))]),
		);
		const again = await check(await openAsset({ files: fixed, entry: HERON.entry }));
		expect(left).toEqual(again.report.toArray().map(({ code }) => code));

		await viewer.page.getByRole('button', { name: 'Undo' }).click();
		await viewer.until(
			`window.manyworlds.checker.findings.length === ${found.length} && window.manyworlds.busy === undefined`,
		);
		expect(await viewer.evaluate(filesText)).toEqual(before);
	});

	test.each(['sap', 'mujoco'] as const)(
		'comes to the state of the command with %s, with and without shared memory',
		async (solver) => {
			const simulation = await simulationOf(CRANE, solver);
			await simulation.step(250);
			const expected = hashState(simulation.state);
			await simulation.dispose();
			const open = await serve(site, false);
			const plain = await ViewerPage.open(browser as Browser, open.url);
			try {
				for (const page of [viewer, plain]) {
					await page.drop(CRANE);
					const hash = await page.evaluate<string>(
						`(async () => { await window.manyworlds.mover.simulate('${solver}', 1); await window.manyworlds.player.step(250); return window.manyworlds.player.hash(); })()`,
					);
					expect((await page.probe()).problem).toBeUndefined();
					expect(hash).toBe(expected);
					await page.evaluate('window.manyworlds.mover.stop()');
				}
				expect(await viewer.evaluate('crossOriginIsolated')).toBe(ISOLATED);
				expect(await plain.evaluate('crossOriginIsolated')).toBe(false);
				expect(plain.errors).toEqual([]);
			} finally {
				await plain.close();
				await open.close();
			}
		},
	);

	test('draws a thousand worlds with as many calls as ten', async () => {
		await viewer.drop(EGRET);
		const calls: number[] = [];
		for (const worlds of [10, 1000]) {
			await viewer.evaluate(`window.manyworlds.mover.simulate('sap', ${worlds})`);
			calls.push(
				await viewer.evaluate('(window.manyworlds.probe.view.draw(), window.manyworlds.probe.view.info.calls)'),
			);
			expect((await viewer.probe()).poses.length).toBe(worlds * 4 * 7);
		}
		await viewer.evaluate('window.manyworlds.mover.stop()');
		expect(calls[1]).toBe(calls[0]);
		expect(calls[1]).toBeLessThanOrEqual(40);
	});

	test('draws worlds over each other or apart', async () => {
		await viewer.drop(CRANE);
		await viewer.evaluate('window.manyworlds.mover.simulate("sap", 4)');
		const extent = (spread: number): Promise<number> =>
			viewer.evaluate(`(window.manyworlds.mover.setSpread(${spread}), window.manyworlds.probe.view.extent())`);
		const over = await extent(0);
		expect(await extent(1)).toBeGreaterThan(1.3 * over);
		expect(await extent(3)).toBeGreaterThan(2.5 * over);
		await viewer.evaluate('(window.manyworlds.mover.setSpread(1), window.manyworlds.mover.stop())');
	});

	test('goes back in time', async () => {
		await viewer.drop(CRANE);
		await viewer.evaluate(
			'(async () => { await window.manyworlds.mover.simulate("sap", 1); for (let i = 0; i < 5; i++) await window.manyworlds.player.step(20); })()',
		);
		const last = (await viewer.probe()).poses;
		await viewer.evaluate('window.manyworlds.player.seek(2)');
		const { poses } = await viewer.probe();
		expect(poses).not.toEqual(last);
		const simulation = await simulationOf(CRANE);
		await simulation.step(40);
		expectClose(poses, simulation.bodyPoses, 1e-6);
		await simulation.dispose();
		await viewer.evaluate('window.manyworlds.mover.stop()');
	});

	test('pulls a link by a force and shows both solvers beside each other', async () => {
		await viewer.drop(CRANE);
		const pulled = await viewer.evaluate<{ force: number; moved: number; still: number }>(`(async () => {
			const app = window.manyworlds;
			await app.mover.simulate('sap', 1);
			await app.player.step(50);
			const start = [...app.probe.poses];
			app.player.pull(1, [0, 0, 0], [start[7] + 0.2, start[8] + 0.2, start[9] + 0.2]);
			await app.player.step(50);
			const force = app.player.frame.pull;
			const moved = Math.hypot(...[7, 8, 9].map((i) => app.probe.poses[i] - start[i]));
			app.player.release();
			await app.player.step(1);
			return { force, moved, still: app.player.frame.pull };
		})()`);
		expect(pulled.force).toBeGreaterThan(0.1);
		expect(pulled.moved).toBeGreaterThan(1e-3);
		expect(pulled.still).toBe(0);
		const both = await viewer.evaluate<{ difference: number; numbers: number }>(`(async () => {
			const app = window.manyworlds;
			await app.mover.simulate('both', 1);
			await app.player.step(20);
			return { difference: app.player.frame.difference, numbers: app.probe.poses.length };
		})()`);
		const links = (await viewer.probe()).links.length;
		expect(both.numbers).toBe(2 * 7 * links);
		expect(both.difference).toBeGreaterThan(0);
		expect(both.difference).toBeLessThan(0.05);
		await viewer.evaluate('window.manyworlds.mover.stop()');
	});

	test('is an element of another page', async () => {
		const context = await (browser as Browser).newContext(SETTINGS);
		const page = await context.newPage();
		const text = `<!doctype html><script type="module" src="${server.url}viewer-element.js"></script>
			<manyworlds-viewer style="height:300px" src="examples/crane/crane.xml" overlay="frames"></manyworlds-viewer>`;
		await page.route('**/around.html', (route) => route.fulfill({ contentType: 'text/html', body: text }));
		await page.goto(`${server.url}around.html`);
		const opened = await page.evaluate(`new Promise((resolve) => {
			document.querySelector('manyworlds-viewer').addEventListener('opened', ({ detail }) => resolve(detail));
		})`);
		expect(opened).toMatchObject({ kind: 'opened', name: 'crane.xml' });
		const inside = page.frames()[1]!;
		for (let i = 0; i < 100 && (await inside.evaluate('window.manyworlds.look.overlays.size')) === 0; i++)
			await page.waitForTimeout(30);
		expect(await inside.evaluate('[...window.manyworlds.look.overlays]')).toEqual(['frames']);
		await context.close();
	});

	test('comes back to what its address says', async () => {
		await viewer.page.goto(`${server.url}?folder=examples/egret/list.json#overlay=frames&tab=export`);
		await viewer.start();
		await viewer.until('window.manyworlds.asset !== undefined && window.manyworlds.look.overlays.has("frames")');
		expect(await viewer.evaluate('window.manyworlds.look.tab')).toBe('export');
		await viewer.evaluate('window.manyworlds.selection.select(2)');
		await viewer.until('location.hash.includes("link=")');
		await viewer.page.goto(server.url);
		await viewer.start();
	});

	test('selects another variant', async () => {
		await viewer.drop(HERON);
		const before = (await viewer.probe()).links.length;
		const prim = await viewer.evaluate<string>(
			'window.manyworlds.asset.variants.find(({ set }) => set === "gripper").prim',
		);
		await viewer.evaluate(`window.manyworlds.opener.chooseVariant(${JSON.stringify(prim)}, 'gripper', 'none')`);
		const { links, problem } = await viewer.probe();
		expect(problem).toBeUndefined();
		expect(links.length).toBeLessThan(before);
	});

	test('starts a simulation that runs again with the variant that is selected', async () => {
		await viewer.drop(HERON);
		const choose = (prim: string, variant: string): string =>
			`window.manyworlds.opener.chooseVariant(${JSON.stringify(prim)}, 'gripper', '${variant}')`;
		const prim = await viewer.evaluate<string>(
			'window.manyworlds.asset.variants.find(({ set }) => set === "gripper").prim',
		);
		const before = (await viewer.probe()).links.length;
		await viewer.evaluate("window.manyworlds.mover.simulate('sap', 2)");
		await viewer.evaluate('window.manyworlds.player.play()');
		await viewer.until('window.manyworlds.player.frames.length > 3');
		// the second choice comes before the first is there
		const selected = await viewer.evaluate<string>(
			'window.manyworlds.asset.variants.find(({ set }) => set === "gripper").selected',
		);
		await viewer.evaluate(`Promise.all([${choose(prim, selected)}, ${choose(prim, 'none')}])`);
		await viewer.until('window.manyworlds.player.isPlaying && window.manyworlds.player.frames.length > 3');
		const { links, problem } = await viewer.probe();
		expect(problem).toBeUndefined();
		expect(links.length).toBeLessThan(before);
		const { worlds, poses } = await viewer.evaluate<{ worlds: number; poses: number }>(
			'({ worlds: window.manyworlds.player.worlds, poses: window.manyworlds.player.frames.at(-1).poses.length })',
		);
		expect([worlds, poses]).toEqual([2, 2 * 7 * links.length]);
		await viewer.evaluate('window.manyworlds.mover.stop()');
	});

	test('refuses hostile archives and goes on', async () => {
		const bytes = zipSync({ '../../evil.usda': new TextEncoder().encode('#usda 1.0\n') });
		await viewer.page.setInputFiles('#open-files', {
			name: 'evil.zip',
			mimeType: 'application/zip',
			buffer: Buffer.from(bytes),
		});
		await viewer.until('window.manyworlds.problem !== undefined');
		expect((await viewer.probe()).problem).toContain("'../../evil.usda' leads out of the folder");
		const bomb = zipSync({ 'big.usda': new Uint8Array(20_000_000) });
		await viewer.page.setInputFiles('#open-files', {
			name: 'bomb.zip',
			mimeType: 'application/zip',
			buffer: Buffer.from(bomb),
		});
		await viewer.until('window.manyworlds.problem?.includes("grows from")');
		await viewer.page.setInputFiles('#open-files', {
			name: 'broken.usda',
			mimeType: 'text/plain',
			buffer: Buffer.from('#usda 1.0\ndef Xform "a" {'),
		});
		await viewer.until('window.manyworlds.asset?.entry === "broken.usda" && window.manyworlds.busy === undefined');
		expect(await viewer.evaluate<number>('window.manyworlds.asset.findings.length')).toBeGreaterThan(0);
	});

	test('runs no script that a texture brings, and shows the robot', async () => {
		const script =
			'<svg xmlns="http://www.w3.org/2000/svg" onload="window.hacked = 1"><script>window.hacked = 1</script></svg>';
		for (const name of ['evil.svg', 'evil.png']) {
			const stage = `#usda 1.0
( defaultPrim = "robot"
  upAxis = "Z"
  metersPerUnit = 1 )
def Xform "robot" (prepend apiSchemas = ["PhysicsRigidBodyAPI"])
{
	def Mesh "plate" (prepend apiSchemas = ["MaterialBindingAPI"])
	{
		int[] faceVertexCounts = [3]
		int[] faceVertexIndices = [0, 1, 2]
		point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
		texCoord2f[] primvars:st = [(0, 0), (1, 0), (0, 1)] (interpolation = "vertex")
		rel material:binding = </robot/paint>
	}
	def Material "paint"
	{
		token outputs:surface.connect = </robot/paint/surface.outputs:surface>
		def Shader "surface"
		{
			uniform token info:id = "UsdPreviewSurface"
			color3f inputs:diffuseColor.connect = </robot/paint/image.outputs:rgb>
			token outputs:surface
		}
		def Shader "image"
		{
			uniform token info:id = "UsdUVTexture"
			asset inputs:file = @${name}@
			float3 outputs:rgb
		}
	}
}
`;
			const text = new TextEncoder();
			await viewer.drop({
				entry: 'robot.usda',
				files: new Map([
					['robot.usda', text.encode(stage)],
					[name, text.encode(script)],
				]),
			});
			const { problem, links } = await viewer.probe();
			expect([problem, links.length]).toEqual([undefined, 1]);
			const told = await viewer.evaluate<string>('JSON.stringify(window.manyworlds.asset.findings)');
			expect(told).toContain(name);
			expect(await viewer.evaluate('window.hacked === undefined')).toBe(true);
		}
	});

	test('says what is wrong with files of noise, one after the other, and opens the next robot', async () => {
		const noise = Uint8Array.from({ length: 4000 }, (_, i) => (i * 7919 + (i >> 3) * 104729) & 255);
		for (const extension of ['usda', 'usdc', 'usd', 'usdz', 'urdf', 'xml', 'mjcf', 'sdf', 'yaml', 'json']) {
			const entry = `noise.${extension}`;
			await viewer.drop({ entry, files: new Map([[entry, noise]]) });
			const told = await viewer.evaluate<boolean>(
				'window.manyworlds.busy === undefined && (window.manyworlds.problem !== undefined || window.manyworlds.asset.findings.length > 0)',
			);
			expect([extension, told]).toEqual([extension, true]);
		}
		await viewer.drop(CRANE);
		expect((await viewer.probe()).problem).toBeUndefined();
	});

	test('draws again after the graphics card was lost', async () => {
		await viewer.drop(EGRET);
		const before = await viewer.evaluate<[number, number][]>('[...window.manyworlds.probe.view.linkPixels(80, 60)]');
		await viewer.evaluate(`(async () => {
			const canvas = document.querySelector('canvas.picture');
			const context = canvas.getContext('webgl2').getExtension('WEBGL_lose_context');
			const heard = (kind) => new Promise((resolve) => canvas.addEventListener(kind, resolve, { once: true }));
			const lost = heard('webglcontextlost');
			context.loseContext();
			await lost;
			await new Promise((resolve) => setTimeout(resolve, 50));
			const restored = heard('webglcontextrestored');
			context.restoreContext();
			await restored;
			await new Promise((resolve) => setTimeout(resolve, 50));
		})()`);
		viewer.errors.splice(0);
		const after = await viewer.evaluate<[number, number][]>('[...window.manyworlds.probe.view.linkPixels(80, 60)]');
		// the same links; how large they are depends on whether the camera had come to rest
		const links = (seen: readonly [number, number][]): number[] => seen.map(([link]) => link).sort();
		expect(after.length).toBeGreaterThan(2);
		expect(links(after)).toEqual(links(before));
	});

	test('opens a usdz that is dropped', async () => {
		const { bytes } = await convert(await openAsset(EGRET), 'usdz');
		await viewer.evaluate(`(() => {
			const data = new DataTransfer();
			const bytes = Uint8Array.from(atob('${Buffer.from(bytes).toString('base64')}'), (c) => c.charCodeAt(0));
			data.items.add(new File([bytes], 'egret.usdz'));
			document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
		})()`);
		await viewer.until('window.manyworlds.asset?.entry === "egret.usdz" && window.manyworlds.busy === undefined');
		const { problem, links, poses } = await viewer.probe();
		expect(problem).toBeUndefined();
		const simulation = await simulationOf(EGRET);
		expect(links).toEqual(simulation.model.bodyLabels);
		expectClose(poses, simulation.bodyPoses, 1e-5);
		expect(await viewer.evaluate('window.manyworlds.probe.view.linkPixels(80, 60).size')).toBeGreaterThan(2);
		expect(await viewer.evaluate('window.manyworlds.asset.prims.length')).toBeGreaterThan(10);
		await simulation.dispose();
	});

	test('opens a zip with a folder in it', async () => {
		const bytes = zipSync(Object.fromEntries([...PLOVER.files].map(([path, content]) => [`plover/${path}`, content])));
		await viewer.page.setInputFiles('#open-files', {
			name: 'plover.zip',
			mimeType: 'application/zip',
			buffer: Buffer.from(bytes),
		});
		await viewer.until(
			'window.manyworlds.asset?.entry === "plover/urdf/plover.urdf" && window.manyworlds.busy === undefined',
		);
		expect(await viewer.evaluate('window.manyworlds.asset.missing')).toEqual([]);
	});

	test('gives the memory of the graphics card back', async () => {
		await viewer.drop(EGRET);
		const counts: number[] = [];
		for (let i = 0; i < 6; i++) {
			await viewer.drop(i % 2 === 0 ? CRANE : EGRET);
			if (i % 2 === 0) continue;
			counts.push(
				await viewer.evaluate('(window.manyworlds.probe.view.draw(), window.manyworlds.probe.view.info.geometries)'),
			);
		}
		expect(new Set(counts).size).toBe(1);
	});

	test('has no fault that axe finds, in both themes', async () => {
		await viewer.drop(HERON);
		const axe = readFileSync(join(ROOT, 'node_modules/axe-core/axe.min.js'), 'utf8');
		await viewer.evaluate(axe);
		await viewer.evaluate('window.manyworlds.mover.simulate("sap", 2)');
		await viewer.evaluate('window.manyworlds.player.step(2)');
		for (const theme of ['light', 'dark']) {
			await viewer.evaluate(`window.manyworlds.look.setTheme('${theme}')`);
			// themes differ in colours only
			const rules = theme === 'light' ? '{}' : "{ runOnly: ['color-contrast'] }";
			for (const tab of ['joints', 'properties', 'findings', 'simulate', 'text', 'export']) {
				await viewer.evaluate(`window.manyworlds.look.setTab('${tab}')`);
				await viewer.page.waitForTimeout(60);
				const found = await viewer.evaluate<string[]>(
					`axe.run(${rules}).then(({ violations }) => violations.map(({ id, nodes }) => id + " " + nodes[0].html.slice(0, 120)))`,
				);
				expect(found).toEqual([]);
			}
		}
		await viewer.evaluate('window.manyworlds.mover.stop()');
	});

	test('starts, opens an example and simulates it without a network', async () => {
		const context = await (browser as Browser).newContext({ ...SETTINGS, serviceWorkers: 'allow' });
		const own = await serve(site);
		const page = await ViewerPage.in(context, own.url);
		await page.until('navigator.serviceWorker.controller !== null');
		await page.evaluate(`fetch('examples/crane/list.json').then(() => fetch('examples/crane/crane.xml'))`);
		await own.close();
		await page.page.reload();
		await page.start();
		await page.page.getByRole('button', { name: 'Crane' }).click();
		await page.until('window.manyworlds.asset !== undefined && window.manyworlds.busy === undefined');
		const hash = await page.evaluate<string>(
			`(async () => { await window.manyworlds.mover.simulate('sap', 1); await window.manyworlds.player.step(50); return window.manyworlds.player.hash(); })()`,
		);
		const simulation = await simulationOf(CRANE);
		await simulation.step(50);
		expect(hash).toBe(hashState(simulation.state));
		await simulation.dispose();
		await context.close();
	});

	test('can be used by keyboard alone: open, pose, simulate, export', async () => {
		const { page } = viewer;
		await page.goto('about:blank');
		await page.goto(server.url);
		await viewer.start();
		await tabTo(viewer, 'Crane');
		await page.keyboard.press('Enter');
		await viewer.until('window.manyworlds.asset !== undefined && window.manyworlds.busy === undefined');
		await tabTo(viewer, 'Joints');
		await page.keyboard.press('ArrowRight');
		await page.keyboard.press('ArrowRight');
		await page.keyboard.press('ArrowRight');
		// the panel follows in the next frame; the one before has a button of the same name
		await viewer.until('document.getElementById("tab-simulate").ariaSelected === "true"');
		expect(await viewer.evaluate('window.manyworlds.look.tab')).toBe('simulate');
		await tabTo(viewer, 'Start');
		await page.keyboard.press('Enter');
		await viewer.until('window.manyworlds.player.frames.length > 2');
		await tabTo(viewer, 'Pause');
		await page.keyboard.press('Enter');
		expect(await viewer.evaluate('window.manyworlds.player.isPlaying')).toBe(false);
		await viewer.evaluate('document.getElementById("tab-simulate").focus()');
		await page.keyboard.press('ArrowRight');
		await page.keyboard.press('ArrowRight');
		await tabTo(viewer, 'URDF with meshes');
		const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
		expect(file.suggestedFilename()).toMatch(/^crane\.(urdf|zip)$/);
	});
});

/** Presses Tab until what has the focus says a text. */
async function tabTo(viewer: ViewerPage, text: string): Promise<void> {
	for (let i = 0; i < 80; i++) {
		await viewer.page.keyboard.press('Tab');
		const focused = await viewer.evaluate<string>('document.activeElement?.textContent?.trim() ?? ""');
		if (focused.startsWith(text)) return;
	}
	throw new Error(`nothing that says '${text}' can be reached by Tab`);
}

async function simulationOf(folder: Folder, solver: 'sap' | 'mujoco' = 'sap'): Promise<Simulation> {
	return Simulation.create(await openAsset(folder), { solver, threads: 1 });
}

function expectClose(actual: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number): void {
	expect(actual.length).toBe(expected.length);
	for (let i = 0; i < actual.length; i++) expect(Math.abs(actual[i]! - expected[i]!)).toBeLessThanOrEqual(tolerance);
}
