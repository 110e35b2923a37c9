import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Raster } from '@manyworlds/image';
import { hashState } from '@manyworlds/model';
import type { RunningSite } from '@manyworlds/node';
import { Layer, makeValue, readUsda, T, type Value, writeUsdc } from '@manyworlds/usd';
import { unzipSync } from 'fflate';
import { openAsset, Simulation } from 'manyworlds';
import type { Browser } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { LARGE_ROBOT } from './large-robot.ts';
import { type Folder, ISOLATED, ROBOTS, readFolder, startBrowser, ViewerPage } from './open-page.ts';
import { PageMemory } from './page-memory.ts';
import { decodePicture, differingShare } from './picture-difference.ts';
import { traceWork } from './trace-page.ts';
import { useViewer } from './use-viewer.ts';

const browser = await startBrowser();
if (typeof browser === 'string') console.warn(`viewer test skipped: chromium does not start: ${browser}`);

const ROBOT_FOLDERS: Readonly<Record<string, Folder>> = {
	egret: readFolder(join(ROBOTS, 'egret'), 'egret.usda'),
	heron: readFolder(join(ROBOTS, 'heron'), 'heron.usda'),
	crane: readFolder(join(ROBOTS, 'crane'), 'crane.xml'),
	plover: readFolder(join(ROBOTS, 'plover'), 'urdf/plover.urdf'),
};
const { egret: EGRET, crane: CRANE } = ROBOT_FOLDERS as Record<'egret' | 'crane', Folder>;
/** Twenty boxes that fall onto each other: more trees than the engine takes. */
const BOXES: Folder = { entry: 'boxes.xml', files: new Map([['boxes.xml', new TextEncoder().encode(boxes(20))]]) };
const GOLDEN = join(import.meta.dirname, 'golden');

describe.skipIf(typeof browser === 'string')('the viewer at its limits', () => {
	let server: RunningSite;
	let viewer: ViewerPage;
	useViewer(browser, (used) => {
		({ server, viewer } = used);
	});

	/** Ends a thread of the page as a crash does: without a word. */
	async function kill(name: string): Promise<void> {
		const worker = viewer.page.workers().find((one) => one.url().includes(name));
		// the thread is gone before it can answer
		void worker!.evaluate('self.close()').catch(() => undefined);
	}

	test('says that the thread that reads assets died, and goes on with the asset', async () => {
		await viewer.drop(EGRET);
		const { poses } = await viewer.probe();
		await kill('asset-worker');
		await viewer.until('window.manyworlds.problem?.includes("the thread that reads assets ended")');
		expect(await viewer.evaluate('window.manyworlds.problem')).toContain('the asset was opened again');
		const coordinate = await viewer.evaluate<number>(
			'window.manyworlds.asset.robot.joints.flatMap(({ freedoms }) => freedoms)[0].coordinate',
		);
		await viewer.evaluate(
			`(window.manyworlds.mover.setCoordinate(${coordinate}, 0.4), window.manyworlds.poser.settled())`,
		);
		expect((await viewer.probe()).poses).not.toEqual(poses);
		await viewer.evaluate('window.manyworlds.checker.check()');
		expect(await viewer.evaluate('window.manyworlds.checker.findings.length')).toBe(0);
	});

	test('says that the thread that simulates died, and starts another one', async () => {
		await viewer.drop(CRANE);
		await viewer.evaluate(
			'(async () => { await window.manyworlds.mover.simulate("sap", 1); window.manyworlds.player.play(); })()',
		);
		await viewer.until('window.manyworlds.player.frames.length > 2');
		await kill('simulation-worker');
		await viewer.until('window.manyworlds.player.problem?.includes("the thread that simulates ended")');
		expect(await viewer.evaluate('window.manyworlds.player.isStarted')).toBe(false);
		await viewer.evaluate(
			'(async () => { await window.manyworlds.mover.simulate("sap", 1); await window.manyworlds.player.step(10); })()',
		);
		expect(await viewer.evaluate('window.manyworlds.player.frame.steps')).toBe(10);
		expect(await viewer.evaluate('window.manyworlds.player.problem')).toBeUndefined();
		await viewer.evaluate('window.manyworlds.mover.stop()');
	});

	test('has the memory of the graphics card back after many assets were opened and closed', async () => {
		const info = '(window.manyworlds.probe.view.draw(), window.manyworlds.probe.view.info)';
		await viewer.drop(robotOf(0));
		await viewer.evaluate('window.manyworlds.opener.close()');
		const start = await viewer.evaluate<{ geometries: number; textures: number }>(info);
		let most = 0;
		// fifty of them on request: each is drawn by a program
		const count = process.env['MANYWORLDS_LONG'] === '1' ? 50 : 12;
		for (let i = 0; i < count; i++) {
			await viewer.drop(robotOf(i));
			await viewer.evaluate(
				'(() => { for (const name of ["colliders", "inertia", "masses", "frames", "joints"]) window.manyworlds.look.toggleOverlay(name); window.manyworlds.selection.select(1); })()',
			);
			most = Math.max(most, (await viewer.evaluate<{ geometries: number }>(info)).geometries);
			await viewer.evaluate(
				'(() => { for (const name of [...window.manyworlds.look.overlays]) window.manyworlds.look.toggleOverlay(name); return window.manyworlds.opener.close(); })()',
			);
		}
		const end = await viewer.evaluate<{ geometries: number; textures: number }>(info);
		expect(most).toBeGreaterThan(start.geometries);
		expect([end.geometries, end.textures]).toEqual([start.geometries, start.textures]);
	});

	// the browser's own tracing was seen to hang, once in many runs: a second try is in another page
	test('a robot of 50 MB opens from a cold start: boxes first, no long task, 2.5 times its memory, all of it given back', {
		retry: 1,
	}, async () => {
		const cold = await ViewerPage.open(browser as Browser, server.url);
		const memory = await PageMemory.of(cold);
		const empty = await memory.bytes();
		const size = await cold.evaluate<number>(`(() => {
			${LARGE_ROBOT}
			window.largeRobot = largeRobot(10, 105_000);
			return [...window.largeRobot.values()].reduce((sum, { length }) => sum + length, 0);
		})()`);
		const work = await traceWork(
			browser as Browser,
			cold,
			`(async () => {
				performance.mark('begin');
				await window.manyworlds.opener.openFiles(window.largeRobot, 'large.urdf');
				for (let i = 0; i < 20; i++) await new Promise(requestAnimationFrame);
				delete window.largeRobot;
				performance.mark('end');
			})()`,
		);
		expect((await cold.probe()).links.length).toBe(10);
		// times of processors: what a busy machine or a graphics card that is a program takes beside is not ours
		expect(work.tasks.length).toBeGreaterThan(10);
		expect(work.tasks[0]).toBeLessThan(50);
		expect(work.until('manyworlds boxes')).toBeLessThan(300);
		expect(size).toBeGreaterThan(50e6);
		const open = await memory.bytes();
		expect(open / size).toBeGreaterThan(1);
		expect(open / size).toBeLessThan(2.5);
		await cold.evaluate('window.manyworlds.opener.close()');
		const closed = await memory.bytes();
		// what stays is code that was loaded meanwhile
		expect(closed - empty).toBeLessThan(0.5 * size);
		await cold.evaluate(`(async () => {
			${LARGE_ROBOT}
			await window.manyworlds.opener.openFiles(largeRobot(10, 105_000), 'large.urdf');
			window.manyworlds.opener.close();
		})()`);
		expect(await memory.bytesBelow(closed + 0.1 * size)).toBeLessThan(closed + 0.1 * size);
		expect(cold.errors).toEqual([]);
		await cold.close();
	});

	// two minutes of a processor: four million triangles are drawn by a program
	test.runIf(process.env['MANYWORLDS_LARGE'] === '1')(
		'a robot of 50 MB of OpenUSD takes less than 2.5 times its memory, all of it given back',
		async () => {
			const cold = await ViewerPage.open(browser as Browser, server.url);
			const memory = await PageMemory.of(cold);
			const empty = await memory.bytes();
			const bytes = largeStage(10, 210_000);
			await cold.page.route('**/large.usdc', (route) => route.fulfill({ body: Buffer.from(bytes) }));
			const open = (): Promise<void> =>
				cold.evaluate(`(async () => {
				const bytes = new Uint8Array(await (await fetch('large.usdc')).arrayBuffer());
				await window.manyworlds.opener.openFiles(new Map([['large.usdc', bytes]]), 'large.usdc');
				for (let i = 0; i < 20; i++) await new Promise(requestAnimationFrame);
			})()`);
			await open();
			const { problem, links } = await cold.probe();
			expect([problem, links.length]).toEqual([undefined, 10]);
			expect(bytes.length).toBeGreaterThan(50e6);
			const opened = await memory.bytes();
			expect(opened / bytes.length).toBeGreaterThan(1);
			// page and thread have a copy each where they cannot share
			expect(opened / bytes.length).toBeLessThan(ISOLATED ? 2.5 : 3.5);
			await cold.evaluate('window.manyworlds.opener.close()');
			const closed = await memory.bytes();
			// what stays is code that was loaded meanwhile
			expect(closed - empty).toBeLessThan(0.5 * bytes.length);
			expect(cold.errors).toEqual([]);
			await cold.close();
		},
	);

	test('a binary layer that threads share is looked into, checked, written and simulated as others are', async () => {
		const bytes = largeStage(2, 30_000);
		await viewer.drop({ entry: 'shared.usdc', files: new Map([['shared.usdc', bytes]]) });
		const isShared = await viewer.evaluate<boolean>(
			'globalThis.SharedArrayBuffer !== undefined && window.manyworlds.files.get("shared.usdc").buffer instanceof SharedArrayBuffer',
		);
		expect(isShared).toBe(ISOLATED);
		expect((await viewer.probe()).links.length).toBe(2);
		const seen = await viewer.evaluate<Record<string, unknown>>(`(async () => {
			const { opener, checker } = window.manyworlds;
			const rows = await opener.session.properties('/robot/body0/mesh');
			await checker.check();
			const { files } = await opener.session.convert('urdf');
			const fixes = await opener.session.fix();
			const refusal = await opener.session
				.editProperty({ name: 'physics:mass', typeName: 'float', text: '2', target: { file: 'shared.usdc', prim: '/robot/body0' } })
				.then(() => '', ({ message }) => message);
			return {
				names: rows.map(({ name }) => name),
				findings: checker.findings.length,
				written: [...files.keys()].length,
				fixed: fixes.files.length,
				refusal,
			};
		})()`);
		expect(seen['names']).toContain('faceVertexIndices');
		expect(seen['findings']).toBeGreaterThan(0);
		expect(seen['written']).toBe(3);
		expect(seen['refusal']).toContain('is binary');
		const download = viewer.page.waitForEvent('download');
		await viewer.evaluate('window.manyworlds.exporter.downloadFiles()');
		const zip = unzipSync(readFileSync(await (await download).path()));
		expect(Buffer.compare(zip['shared.usdc']!, bytes)).toBe(0);
		await viewer.evaluate(
			`(async () => { await window.manyworlds.mover.simulate('sap', 1); await window.manyworlds.player.step(3); })()`,
		);
		expect(await viewer.evaluate('window.manyworlds.player.frame.steps')).toBe(3);
		await viewer.evaluate('window.manyworlds.mover.stop()');
	});

	test('rays, edges and a graphics card that lost everything find numbers that are packed', async () => {
		await viewer.drop({ entry: 'packed.usdc', files: new Map([['packed.usdc', largeStage(1, 20_000)]]) });
		const picture = async (): Promise<Raster> =>
			decodePicture(
				Uint8Array.from(
					await viewer.read<number[]>(
						'(async () => [...new Uint8Array(await (await window.manyworlds.probe.view.picture(320, 240)).arrayBuffer())])()',
					),
				),
			);
		const before = await picture();
		const look = `(async () => {
			const { view } = window.manyworlds.probe;
			for (let i = 0; i < 5; i++) await new Promise((resolve) => setTimeout(resolve, 20));
			const { clientWidth, clientHeight } = document.querySelector('canvas.picture');
			return view.pointOn(0, clientWidth / 2, clientHeight / 2)?.toArray();
		})()`;
		const point = await viewer.evaluate<number[]>(look);
		// on the surface, which is 9 to 11 cm from its middle
		expect(Math.hypot(...point)).toBeGreaterThan(0.085);
		expect(Math.hypot(...point)).toBeLessThan(0.115);
		await viewer.evaluate('window.manyworlds.probe.view.setLook("edges")');
		const edges = await picture();
		await viewer.evaluate('window.manyworlds.probe.view.setLook("plain")');
		expect(differingShare(before, edges)).toBeGreaterThan(0.01);
		await viewer.evaluate(`(async () => {
			const canvas = document.querySelector('canvas.picture');
			const context = canvas.getContext('webgl2').getExtension('WEBGL_lose_context');
			const lost = new Promise((resolve) => canvas.addEventListener('webglcontextlost', resolve, { once: true }));
			context.loseContext();
			await lost;
			const restored = new Promise((resolve) => canvas.addEventListener('webglcontextrestored', resolve, { once: true }));
			await new Promise((resolve) => setTimeout(resolve, 50));
			context.restoreContext();
			await restored;
		})()`);
		expect(differingShare(before, await picture())).toBeLessThan(0.001);
		expect(
			(await viewer.evaluate<[number, number][]>('[...window.manyworlds.probe.view.linkPixels()]'))[0]![1],
		).toBeGreaterThan(1000);
	});

	test('comes to the state of the command with many bodies, which are solved by blocks', async () => {
		const simulation = await Simulation.create(await openAsset(BOXES), { threads: 1 });
		expect(simulation.engine).toBe('wasm');
		await simulation.step(40);
		await viewer.drop(BOXES);
		const hash = await viewer.evaluate<string>(
			`(async () => { await window.manyworlds.mover.simulate('sap', 1); await window.manyworlds.player.step(40); return window.manyworlds.player.hash(); })()`,
		);
		expect(hash).toBe(hashState(simulation.state));
		await simulation.dispose();
		await viewer.evaluate('window.manyworlds.mover.stop()');
	});

	test.each(Object.keys(ROBOT_FOLDERS))('comes to the state of the command with %s', async (name) => {
		const folder = ROBOT_FOLDERS[name]!;
		const simulation = await Simulation.create(await openAsset(folder), { threads: 1 });
		await simulation.step(60);
		await viewer.drop(folder);
		const hash = await viewer.evaluate<string>(
			`(async () => { await window.manyworlds.mover.simulate('sap', 1); await window.manyworlds.player.step(60); return window.manyworlds.player.hash(); })()`,
		);
		expect(hash).toBe(hashState(simulation.state));
		await simulation.dispose();
		await viewer.evaluate('window.manyworlds.mover.stop()');
	});

	test.each(Object.keys(ROBOT_FOLDERS))('draws %s as it was drawn before, every link of it', async (name) => {
		const folder = ROBOT_FOLDERS[name]!;
		await viewer.drop(folder);
		await viewer.evaluate('window.manyworlds.look.setTheme("light")');
		const png = await viewer.read<number[]>(`(async () => {
			const { view } = window.manyworlds.probe;
			return [...new Uint8Array(await (await view.picture(320, 240)).arrayBuffer())];
		})()`);
		const pixels = new Map(
			await viewer.evaluate<[number, number][]>('[...window.manyworlds.probe.view.linkPixels(320, 240)]'),
		);
		const drawn = await viewer.evaluate<number[]>('[...new Set(window.manyworlds.probe.view.drawnLinks())]');
		expect(drawn.length).toBeGreaterThan(1);
		// links inside of others cannot be seen, most can
		expect(drawn.filter((link) => (pixels.get(link) ?? 0) > 0).length).toBeGreaterThanOrEqual(0.7 * drawn.length);
		const file = join(GOLDEN, `${name}.png`);
		if (process.env['UPDATE_GOLDEN'] === '1') {
			mkdirSync(GOLDEN, { recursive: true });
			writeFileSync(file, Uint8Array.from(png));
		}
		const share = differingShare(decodePicture(Uint8Array.from(png)), decodePicture(readFileSync(file)));
		expect(share).toBeLessThan(0.001);
	});
});

/** A binary layer with so many bodies, each with a mesh of so many points that have normals. */
function largeStage(bodies: number, points: number): Uint8Array {
	const parts = Array.from(
		{ length: bodies },
		(_, body) => `def Xform "body${body}" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"])
{
	float physics:mass = 1
	def Mesh "mesh"
	{
		point3f[] points
		normal3f[] normals
		int[] faceVertexCounts
		int[] faceVertexIndices
	}
}
`,
	);
	const text = `#usda 1.0
(
	defaultPrim = "robot"
	upAxis = "Z"
	metersPerUnit = 1
)
def Xform "robot"
{
${parts.join('')}}
`;
	const layer = new Layer('large.usdc', readUsda(new TextEncoder().encode(text)));
	const side = Math.ceil(Math.sqrt(points));
	for (let body = 0; body < bodies; body++) {
		const positions = new Float32Array(3 * side * side);
		const normals = new Float32Array(3 * side * side);
		for (let v = 0, at = 0; v < side; v++) {
			for (let u = 0; u < side; u++, at += 3) {
				// equal arrays would be written once
				const [a, b] = [(2 * Math.PI * u) / side + 0.01 * body, (Math.PI * v) / side];
				const normal = [Math.sin(b) * Math.cos(a), Math.sin(b) * Math.sin(a), Math.cos(b)];
				normals.set(normal, at);
				positions.set(
					normal.map((value, k) => 0.1 * value * (1 + 0.1 * Math.sin(9 * a + body)) + (k === 2 ? 0.25 * body : 0)),
					at,
				);
			}
		}
		const quads = (side - 1) * (side - 1);
		const indices = new Int32Array(4 * quads);
		for (let v = 0, at = 0; v + 1 < side; v++) {
			for (let u = 0; u + 1 < side; u++, at += 4) {
				const corner = v * side + u;
				indices.set([corner, corner + side, corner + side + 1, corner + 1], at);
			}
		}
		const set = (name: string, value: Value): void =>
			layer.setField(`/robot/body${body}/mesh.${name}`, 'default', value);
		set('points', makeValue(T.float3.array, positions) as Value);
		set('normals', makeValue(T.float3.array, normals) as Value);
		set('faceVertexCounts', makeValue(T.int.array, new Int32Array(quads).fill(4)) as Value);
		set('faceVertexIndices', makeValue(T.int.array, indices) as Value);
	}
	return writeUsdc(layer.data);
}

function boxes(count: number): string {
	const bodies = Array.from(
		{ length: count },
		(_, i) =>
			`<body pos="${0.13 * (i % 4)} ${0.04 * (i % 3)} ${0.06 + 0.11 * Math.floor(i / 4)}"><freejoint/><geom type="box" size="0.05 0.05 0.05" mass="1"/></body>`,
	);
	return `<mujoco><worldbody><geom type="plane" size="5 5 1"/>${bodies.join('')}</worldbody></mujoco>`;
}

/** A robot of a few links, another one for each number. */
function robotOf(seed: number): Folder {
	const shapes = ['<box size="0.2 0.1 0.1"/>', '<sphere radius="0.1"/>', '<cylinder radius="0.05" length="0.3"/>'];
	const count = 2 + (seed % 4);
	const links = Array.from({ length: count }, (_, i) => {
		const geometry = `<geometry>${shapes[(seed + i) % 3]}</geometry>`;
		return `<link name="l${i}"><inertial><mass value="1"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial>
			<visual>${geometry}<material name="m${i}"><color rgba="0.${i + 1} 0.5 0.${(seed % 8) + 1} 1"/></material></visual><collision>${geometry}</collision></link>`;
	});
	const joints = Array.from({ length: count - 1 }, (_, i) => {
		const limit = '<limit lower="-1" upper="1" effort="10" velocity="1"/>';
		return `<joint name="j${i}" type="revolute"><parent link="l${i}"/><child link="l${i + 1}"/><origin xyz="0 0 0.3"/><axis xyz="0 1 0"/>${limit}</joint>`;
	});
	const entry = `robot-${seed}.urdf`;
	const text = `<robot name="r${seed}">${links.join('')}${joints.join('')}</robot>`;
	return { entry, files: new Map([[entry, new TextEncoder().encode(text)]]) };
}
