import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningSite } from '@manyworlds/node';
import { serveSite } from '@manyworlds/node/internal';
import { offerAsset } from 'manyworlds/internal';
import type { Browser } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { bundledCommand } from './bundled-command.ts';
import { ROBOTS, ROOT, readFolder, startBrowser, ViewerPage } from './open-page.ts';
import { useViewer } from './use-viewer.ts';

const browser = await startBrowser();
if (typeof browser === 'string') console.warn(`viewer test skipped: chromium does not start: ${browser}`);

const EGRET = readFolder(join(ROBOTS, 'egret'), 'egret.usda');
const HERON = readFolder(join(ROBOTS, 'heron'), 'heron.usda');
const CRANE = readFolder(join(ROBOTS, 'crane'), 'crane.xml');
const PLOVER = readFolder(join(ROBOTS, 'plover'), 'urdf/plover.urdf');

const INERTIAL =
	'<inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>';
/** A post with a lidar half a metre up, and a wall two metres before it. */
const GUARD = `<robot name="guard">
	<link name="world"/>
	<link name="post">${INERTIAL}<collision><geometry><cylinder radius="0.05" length="0.1"/></geometry></collision></link>
	<link name="wall">${INERTIAL}<collision><geometry><box size="0.2 2 1.4"/></geometry></collision></link>
	<joint name="stand" type="fixed"><parent link="world"/><child link="post"/></joint>
	<joint name="rail" type="prismatic"><parent link="world"/><child link="wall"/><origin xyz="2 0 0.8"/><axis xyz="0 1 0"/><limit lower="0" upper="0" effort="1" velocity="1"/></joint>
	<gazebo reference="post"><sensor name="eyes" type="gpu_lidar"><pose>0 0 0.5 0 0 0</pose><update_rate>20</update_rate><lidar><scan><horizontal><samples>91</samples><min_angle>-0.6</min_angle><max_angle>0.6</max_angle></horizontal></scan><range><min>0.1</min><max>8</max></range></lidar></sensor></gazebo>
</robot>`;

describe.skipIf(typeof browser === 'string')('working in the viewer', () => {
	let site: string;
	let server: RunningSite;
	let viewer: ViewerPage;
	useViewer(browser, (used) => {
		({ site, server, viewer } = used);
	});

	test('draws the ground below a robot about the origin, and where a simulation has it while one runs', async () => {
		const floating = `<robot name="hover"><link name="trunk">${INERTIAL}<visual><geometry><box size="0.4 0.4 1"/></geometry></visual><collision><geometry><box size="0.4 0.4 1"/></geometry></collision></link></robot>`;
		await viewer.drop({ entry: 'hover.urdf', files: new Map([['hover.urdf', new TextEncoder().encode(floating)]]) });
		const height = 'window.manyworlds.probe.view.groundHeight';
		expect(await viewer.evaluate<number>(height)).toBeCloseTo(-0.5, 4);
		const told = await viewer.evaluate<[number, number]>(`(async () => {
			const app = window.manyworlds;
			await app.mover.simulate('sap', 1);
			return [${height}, app.probe.poses[2]];
		})()`);
		// a robot that the simulation puts onto the ground is half its height above it; one that it holds stays
		expect(told[0]).toBeCloseTo(told[1] - 0.5, 2);
		await viewer.evaluate('window.manyworlds.mover.stop()');
		expect(await viewer.evaluate<number>(height)).toBeCloseTo(-0.5, 4);
		await viewer.drop(HERON);
		expect(await viewer.evaluate<number>(height)).toBe(0);
	});

	test('shows the text of the file that was opened when one looks at texts first', async () => {
		await viewer.drop(PLOVER);
		await viewer.page.getByRole('tab', { name: 'Text' }).click();
		await viewer.until(`document.querySelector('textarea.text')?.value.includes('<robot')`);
		expect(await viewer.evaluate<string>('window.manyworlds.texts.current.path')).toBe('urdf/plover.urdf');
		await viewer.page.getByRole('tab', { name: 'Joints' }).click();
	});

	test.each(['sap', 'mujoco'] as const)('draws forces of contacts of %s as long as they are strong', async (solver) => {
		await viewer.drop(EGRET);
		const { forces, lines, mass, length } = await viewer.evaluate<{
			forces: number[];
			lines: number[];
			mass: number;
			length: number;
		}>(`(async () => {
			const app = window.manyworlds;
			await app.mover.simulate('${solver}', 1);
			await app.player.step(700);
			if (!app.look.overlays.has('contacts')) app.look.toggleOverlay('contacts');
			const mass = app.asset.robot.links.reduce((sum, link) => sum + link.mass, 0);
			return { forces: [...app.player.frame.contacts], lines: [...app.probe.overlays.linesOf('contacts')], mass, length: app.probe.overlays.meterOfNewton };
		})()`);
		let lift = 0;
		for (let at = 0; at < forces.length; at += 6) {
			lift += forces[at + 5]!;
			// five lines for an arrow, the first one its shaft
			const shaft = lines.slice(5 * at, 5 * at + 6);
			for (let k = 0; k < 3; k++) {
				expect(Math.abs(shaft[k]! - forces[at + k]!)).toBeLessThan(1e-5);
				expect(Math.abs(shaft[3 + k]! - shaft[k]! - length * forces[at + 3 + k]!)).toBeLessThan(1e-4);
			}
		}
		expect(lines.length).toBe(5 * forces.length);
		expect(Math.abs(lift - 9.81 * mass)).toBeLessThan(0.03 * 9.81 * mass);
		await viewer.evaluate('(window.manyworlds.look.toggleOverlay("contacts"), window.manyworlds.mover.stop())');
	});

	test('takes payloads away and draws other purposes by its switches', async () => {
		await viewer.drop(HERON);
		const triangles = '(window.manyworlds.probe.view.draw(), window.manyworlds.probe.view.info.triangles)';
		const plain = await viewer.evaluate<number>(triangles);
		const payload = await viewer.evaluate<string>('window.manyworlds.asset.payloads[0].prim');
		await viewer.page.getByText('Payloads and purposes').click();
		const box = viewer.page.getByRole('checkbox', { name: `Payload of ${payload}`, exact: true });
		await box.click();
		await viewer.until(`window.manyworlds.busy === undefined && ${triangles} < ${plain}`);
		await box.click();
		await viewer.until(`window.manyworlds.busy === undefined && ${triangles} === ${plain}`);
		await viewer.page.getByRole('checkbox', { name: 'guide' }).click();
		await viewer.until(
			'window.manyworlds.busy === undefined && window.manyworlds.opener.choices.purposes.length === 2',
		);
		expect(await viewer.evaluate<number>(triangles)).toBeGreaterThan(plain);
		expect((await viewer.probe()).problem).toBeUndefined();
	});

	test('drags a link by its joints with the mouse, and moves it by keys', async () => {
		await viewer.drop(CRANE);
		const { page } = viewer;
		const place = await viewer.evaluate<{ x: number; y: number; link: number }>(`(() => {
			const { view } = window.manyworlds.probe;
			const canvas = document.querySelector('canvas.picture');
			const { left, top } = canvas.getBoundingClientRect();
			const links = window.manyworlds.asset.robot.links.length;
			for (let y = 8; y < canvas.clientHeight; y += 16) for (let x = 8; x < canvas.clientWidth; x += 16) {
				const link = view.pick(x, y);
				if (link === links - 1) return { x: left + x, y: top + y, link };
			}
		})()`);
		const before = (await viewer.probe()).poses.slice(7 * place.link, 7 * place.link + 3);
		await page.keyboard.down('Shift');
		await page.mouse.move(place.x, place.y);
		await page.mouse.down();
		await page.mouse.move(place.x + 15, place.y + 25, { steps: 4 });
		await page.mouse.up();
		await page.keyboard.up('Shift');
		await viewer.evaluate('window.manyworlds.poser.settled()');
		const dragged = (await viewer.probe()).poses.slice(7 * place.link, 7 * place.link + 7);
		expect(Math.hypot(...before.map((value, k) => value - dragged[k]!))).toBeGreaterThan(0.01);
		const freedoms = await viewer.evaluate<{ lower: number; upper: number; value: number }[]>(
			'window.manyworlds.asset.robot.joints.flatMap(({ freedoms }) => freedoms).map(({ lower, upper, coordinate }) => ({ lower: lower ?? -Infinity, upper: upper ?? Infinity, value: window.manyworlds.coordinates[coordinate] }))',
		);
		for (const { lower, upper, value } of freedoms) {
			expect(value).toBeGreaterThanOrEqual(lower);
			expect(value).toBeLessThanOrEqual(upper);
		}
		await page.locator('canvas.picture').focus();
		await page.keyboard.press('Shift+PageUp');
		await viewer.evaluate('window.manyworlds.poser.settled()');
		expect((await viewer.probe()).poses[7 * place.link + 2]).not.toBe(dragged[2]);
	});

	test('keeps poses by name in the address and goes back to them', async () => {
		await viewer.page.goto(`${server.url}?folder=examples/crane/list.json`);
		await viewer.start();
		await viewer.until('window.manyworlds.asset !== undefined && window.manyworlds.busy === undefined');
		const { page } = viewer;
		await page.getByRole('button', { name: 'Random' }).click();
		await viewer.evaluate('window.manyworlds.poser.settled()');
		const kept = await viewer.evaluate<number[]>('[...window.manyworlds.coordinates]');
		await page.getByLabel('Name of the pose').fill('up');
		await page.getByRole('button', { name: 'Keep' }).click();
		await viewer.until('location.hash.includes("pose=up")');
		await page.getByRole('button', { name: 'Zero' }).click();
		await viewer.evaluate('window.manyworlds.poser.settled()');
		await page.getByRole('button', { name: 'up', exact: true }).click();
		await viewer.until(`Math.abs(window.manyworlds.coordinates[0] - ${kept[0]}) < 1e-12`);
		const address = page.url();
		await page.goto('about:blank');
		await page.goto(address);
		await viewer.start();
		await viewer.until(`window.manyworlds.poser.saved.has('up')`);
		await viewer.evaluate('window.manyworlds.poser.settled()');
		const again = await viewer.evaluate<number[]>('[...window.manyworlds.coordinates]');
		for (const [i, value] of kept.entries()) expect(Math.abs(again[i]! - value)).toBeLessThan(1e-6);
		await page.goto(server.url);
		await viewer.start();
	});

	test('sets a value in a layer, and takes it back byte by byte', async () => {
		await viewer.drop(HERON);
		const { page } = viewer;
		await viewer.evaluate('(window.manyworlds.selection.select(0), window.manyworlds.look.setTab("properties"))');
		await viewer.until('window.manyworlds.selection.properties.some(({ name }) => name === "physics:mass")');
		await page.locator('summary', { hasText: 'physics:mass' }).first().click();
		const field = page.getByLabel('Value of physics:mass', { exact: true });
		await field.fill('7.5');
		await field.press('Enter');
		await viewer.until('window.manyworlds.asset.robot.links[0].mass === 7.5 && window.manyworlds.busy === undefined');
		expect(await viewer.evaluate('window.manyworlds.edits.changedCount')).toBe(1);
		await field.fill('heavy');
		await field.press('Enter');
		await viewer.until('window.manyworlds.problem !== undefined');
		expect(await viewer.evaluate('window.manyworlds.problem')).toContain("'heavy' is not a value of type float");
		await viewer.evaluate('window.manyworlds.edits.undo()');
		expect(await viewer.evaluate('window.manyworlds.edits.changes().size')).toBe(0);
	});

	test('tells what is typed wrong, what stands at the cursor, and goes to definitions, by the language server', async () => {
		await viewer.drop(HERON);
		const { page } = viewer;
		await viewer.evaluate('window.manyworlds.texts.open("layers/physics.usda")');
		const area = page.getByLabel('Text of layers/physics.usda');
		await area.waitFor();
		const element = `document.querySelector('textarea[aria-label="Text of layers/physics.usda"]')`;
		await viewer.evaluate(`{
			const at = ${element}.value.indexOf('</heron/surfaces/plastic>') + 20;
			${element}.setSelectionRange(at, at);
			${element}.dispatchEvent(new Event('click'));
		}`);
		// a busy machine takes its time to start the server
		await page.locator('.about', { hasText: 'def Material /heron/surfaces/plastic' }).waitFor({ timeout: 200_000 });
		await area.press('F12');
		await viewer.until('window.manyworlds.texts.current.line > 500');
		await viewer.evaluate(`{
			${element}.value = ${element}.value.replace('float physics:mass = 14', 'float physics:mass = oops');
			${element}.dispatchEvent(new Event('input'));
		}`);
		await page.locator('.findings .message', { hasText: 'oops' }).first().waitFor({ timeout: 200_000 });
		await viewer.until('window.manyworlds.busy === undefined');
		await viewer.evaluate('window.manyworlds.edits.undo()');
	});

	test('writes changes back to the folder that was opened', async () => {
		const { page } = viewer;
		const list = [...PLOVER.files].map(([path, bytes]) => [path, Buffer.from(bytes).toString('base64')]);
		// the origin's own file system has the handles that a chosen folder has
		await viewer.evaluate(`(async () => {
			const root = await (await navigator.storage.getDirectory()).getDirectoryHandle('plover', { create: true });
			for (const [path, text] of ${JSON.stringify(list)}) {
				let folder = root;
				const parts = path.split('/');
				const name = parts.pop();
				for (const part of parts) folder = await folder.getDirectoryHandle(part, { create: true });
				const stream = await (await folder.getFileHandle(name, { create: true })).createWritable();
				await stream.write(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)));
				await stream.close();
			}
			window.showDirectoryPicker = async () => root;
			window.manyworlds.onChange();
		})()`);
		await page.getByRole('button', { name: 'Edit folder' }).click();
		await viewer.until('window.manyworlds.edits.folder !== undefined && window.manyworlds.busy === undefined');
		expect(await viewer.evaluate('window.manyworlds.asset.missing')).toEqual([]);
		await viewer.evaluate(`(async () => {
			await window.manyworlds.texts.open('urdf/plover.urdf');
			window.manyworlds.texts.edit(window.manyworlds.texts.current.content.replace('<robot', '<!-- seen --><robot'));
		})()`);
		await viewer.until('window.manyworlds.edits.changedCount === 1 && window.manyworlds.busy === undefined');
		await viewer.evaluate('window.manyworlds.look.setTab("findings")');
		await page.getByRole('button', { name: 'Save to folder' }).click();
		await viewer.until('window.manyworlds.edits.changedCount === 0 && window.manyworlds.busy === undefined');
		const text = await viewer.evaluate<string>(`(async () => {
			const root = await (await navigator.storage.getDirectory()).getDirectoryHandle('plover');
			const folder = await root.getDirectoryHandle('urdf');
			return (await (await folder.getFileHandle('plover.urdf')).getFile()).text();
		})()`);
		expect(text).toContain('<!-- seen --><robot');
		expect(text.replace('<!-- seen -->', '')).toBe(Buffer.from(PLOVER.files.get('urdf/plover.urdf')!).toString());
	});

	test('finds files that are missing in another folder', async () => {
		const files = new Map([...PLOVER.files].filter(([path]) => path.startsWith('urdf/')));
		await viewer.drop({ files, entry: PLOVER.entry });
		expect(await viewer.evaluate('window.manyworlds.asset.missing.length')).toBeGreaterThan(0);
		const found = await viewer.evaluate<number>(`(async () => {
			const text = ${JSON.stringify(Buffer.from(PLOVER.files.get('meshes/finger.stl')!).toString('base64'))};
			const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
			return window.manyworlds.edits.addMissing(new Map([['elsewhere/finger.stl', bytes], ['elsewhere/other.stl', bytes]]));
		})()`);
		expect(found).toBe(1);
		await viewer.until('window.manyworlds.busy === undefined && window.manyworlds.asset.missing.length === 0');
	});

	test('follows files that change on disk', async () => {
		const folder = mkdtempSync(join(tmpdir(), 'manyworlds-watched-'));
		const file = join(folder, 'crane.xml');
		const text = Buffer.from(CRANE.files.get('crane.xml')!).toString();
		writeFileSync(file, text);
		const asset = offerAsset(file, true);
		const own = await serveSite({ site, find: asset.find });
		const page = await ViewerPage.open(browser as Browser, `${own.url}?folder=${asset.list}&watch`);
		try {
			await page.until('window.manyworlds.asset !== undefined && window.manyworlds.busy === undefined');
			const before = (await page.probe()).links;
			const links = text.replace(
				'</worldbody>',
				'<body name="more"><joint type="slide"/><geom size="0.05"/></body></worldbody>',
			);
			writeFileSync(file, links);
			await page.until(`window.manyworlds.asset.robot?.links.length === ${before.length + 1}`);
			writeFileSync(file, '<mujoco><nonsense');
			await page.until('window.manyworlds.problem !== undefined || window.manyworlds.asset.findings.length > 0');
			writeFileSync(file, text);
			await page.until(
				`window.manyworlds.problem === undefined && window.manyworlds.asset.robot?.links.length === ${before.length}`,
			);
			expect(page.errors).toEqual([]);
		} finally {
			await page.close();
			await own.close();
			rmSync(folder, { recursive: true, force: true });
		}
	});

	test('plays a recording and goes back in it', async () => {
		await viewer.drop(CRANE);
		const joint = await viewer.evaluate<{ label: string; coordinate: number }>(
			'window.manyworlds.asset.robot.joints.filter(({ freedoms }) => freedoms.length === 1).map(({ label, freedoms }) => ({ label, coordinate: freedoms[0].coordinate }))[0]',
		);
		const csv = `time [s],${joint.label} [rad]\n0,0\n0.05,0.1\n0.1,0.2\n`;
		await viewer.page.setInputFiles('#open-files', { name: 'run.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
		await viewer.until('window.manyworlds.player.source === "run.csv" && window.manyworlds.busy === undefined');
		expect(await viewer.evaluate('window.manyworlds.player.frames.length')).toBe(3);
		await viewer.page.getByRole('button', { name: 'Play' }).click();
		await viewer.until('window.manyworlds.player.shown === 2 && !window.manyworlds.player.isPlaying');
		expect(await viewer.evaluate(`window.manyworlds.coordinates[${joint.coordinate}]`)).toBeCloseTo(0.2, 12);
		await viewer.evaluate('window.manyworlds.player.seek(1)');
		expect(await viewer.evaluate(`window.manyworlds.coordinates[${joint.coordinate}]`)).toBeCloseTo(0.1, 12);
		await viewer.evaluate('window.manyworlds.mover.stop()');
	});

	/** Serves a robot to Foxglove while something is done with its address. */
	async function withServed(file: string, work: (address: string) => Promise<void>): Promise<void> {
		const args = ['serve', file, '--foxglove', '0', '--no-rtps'];
		const command = await bundledCommand();
		const child = spawn(process.execPath, [command.file, ...args], { cwd: ROOT });
		try {
			await work(
				await new Promise<string>((resolve, reject) => {
					let told = '';
					child.stdout.on('data', (data) => {
						told += data;
						const found = /ws:\/\/[^\s,;]+/.exec(told);
						if (found !== null) resolve(found[0]);
					});
					child.on('exit', () => reject(new Error(`the server ended: ${told}`)));
				}),
			);
		} finally {
			child.kill();
			command.remove();
		}
	}

	test('shows a robot that a Foxglove server tells of', async () => {
		await withServed(join(ROBOTS, 'egret/egret.usda'), async (address) => {
			await viewer.drop(EGRET);
			await viewer.evaluate('window.manyworlds.look.setTab("simulate")');
			await viewer.page.getByText('Recordings, sweeps and live robots').click();
			await viewer.page.getByLabel('Foxglove server').fill(address);
			await viewer.page.getByRole('button', { name: 'Connect', exact: true }).click();
			await viewer.until('window.manyworlds.player.frames.length > 3');
			const { poses, links } = await viewer.probe();
			const base = links.findIndex((label) => label.endsWith('base_link'));
			// it has settled on its wheels, near where it starts
			expect(Math.abs(poses[7 * base + 2]! - 0.08)).toBeLessThan(0.01);
			expect(await viewer.evaluate('window.manyworlds.mover.isConnected')).toBe(true);
			await viewer.page.getByRole('button', { name: 'Disconnect' }).click();
			await viewer.until('!window.manyworlds.mover.isConnected');
			expect((await viewer.probe()).problem).toBeUndefined();
		});
		await viewer.evaluate('window.manyworlds.mover.connect("ws://127.0.0.1:9")');
		await viewer.until('window.manyworlds.problem?.includes("there is no Foxglove server")');
		viewer.errors.splice(0);
		await viewer.evaluate('window.manyworlds.mover.stop()');
	});

	test('shows what the lidar of a live robot sees', async () => {
		const folder = mkdtempSync(join(tmpdir(), 'manyworlds-lidar-'));
		writeFileSync(join(folder, 'guard.urdf'), GUARD);
		await withServed(join(folder, 'guard.urdf'), async (address) => {
			await viewer.drop({ entry: 'guard.urdf', files: new Map([['guard.urdf', new TextEncoder().encode(GUARD)]]) });
			await viewer.evaluate(`window.manyworlds.mover.connect(${JSON.stringify(address)})`);
			await viewer.until('window.manyworlds.player.frames.at(-1)?.points.length > 0');
			const points = await viewer.read<number[]>('window.manyworlds.player.frames.at(-1).points');
			// the near side of the wall, from one edge to the other
			const sides: number[] = [];
			for (let i = 0; i < points.length; i += 3) {
				expect(points[i]).toBeCloseTo(1.9, 2);
				expect(points[i + 2]).toBeCloseTo(0.5, 3);
				sides.push(points[i + 1]!);
			}
			expect(Math.min(...sides)).toBeLessThan(-0.8);
			expect(Math.max(...sides)).toBeGreaterThan(0.8);
			await viewer.evaluate('window.manyworlds.look.toggleOverlay("sensors")');
			await viewer.evaluate('window.manyworlds.mover.stop()');
			await viewer.evaluate('window.manyworlds.look.toggleOverlay("sensors")');
		});
		rmSync(folder, { recursive: true });
	});

	test.each([
		[360, 740],
		[768, 1024],
	])('has no button over the picture and nothing beside the page at %i pixels', async (width, height) => {
		const before = viewer.page.viewportSize()!;
		await viewer.drop(EGRET);
		await viewer.page.setViewportSize({ width, height });
		const { bars, picture, wide, tabs } = await viewer.evaluate<{
			bars: { bottom: number };
			picture: { top: number; width: number; height: number };
			wide: number;
			tabs: { top: number; bottom: number };
		}>(`(() => {
			const box = (name) => document.querySelector(name).getBoundingClientRect().toJSON();
			return { bars: box('.picture-bars'), picture: box('.picture'), tabs: box('.tabs'), wide: document.documentElement.scrollWidth };
		})()`);
		expect(picture.top).toBeGreaterThanOrEqual(bars.bottom);
		expect(picture.height).toBeGreaterThan(150);
		expect(picture.width).toBe(width);
		expect(wide).toBe(width);
		expect(tabs.bottom).toBeLessThan(height);
		await viewer.page.setViewportSize(before);
	});

	test('looks from sides, at a cut, and measures', async () => {
		await viewer.drop(EGRET);
		const { page } = viewer;
		const looks: Record<string, number[]> = {
			front: [-1, 0, 0],
			back: [1, 0, 0],
			left: [0, -1, 0],
			right: [0, 1, 0],
			top: [0, 0, -1],
			below: [0, 0, 1],
		};
		const direction = 'window.manyworlds.probe.view.direction.toArray()';
		for (const [name, expected] of Object.entries(looks)) {
			await page.getByLabel('Look from').selectOption(name);
			const found = await viewer.evaluate<number[]>(direction);
			for (let k = 0; k < 3; k++) expect([name, Math.abs(found[k]! - expected[k]!) < 1e-3]).toEqual([name, true]);
		}
		await page.getByLabel('Look from').selectOption('aslant');
		const pixels = 'new Map(window.manyworlds.probe.view.linkPixels(160, 120)).values().reduce((a, b) => a + b)';
		const whole = await viewer.evaluate<number>(pixels);
		await page.getByLabel('Cut', { exact: true }).selectOption('z');
		expect(await viewer.evaluate<number>(pixels)).toBeLessThan(whole);
		await page.getByLabel('Cut', { exact: true }).selectOption('');
		expect(await viewer.evaluate<number>(pixels)).toBe(whole);
		await page.getByRole('button', { name: 'Measure' }).click();
		const canvas = (await page.locator('canvas.picture').boundingBox())!;
		const places = await viewer.evaluate<[number, number][]>(`(() => {
			const { view } = window.manyworlds.probe;
			const canvas = document.querySelector('canvas.picture');
			const { left, top } = canvas.getBoundingClientRect();
			const found = [];
			// buttons lie over the picture
			const isFree = (x, y) => document.elementFromPoint(left + x, top + y) === canvas;
			for (let y = 50; y < canvas.clientHeight && found.length < 2; y += 20) for (let x = 20; x < canvas.clientWidth && found.length < 2; x += 20) {
				if (isFree(x, y) && view.pick(x, y) >= 0) found.push([x, y]);
			}
			return found;
		})()`);
		for (const [x, y] of places) await page.mouse.click(canvas.x + x, canvas.y + y);
		await viewer.until('/^[0-9.]+ m/.test(window.manyworlds.tools.measured)');
		const measured = await viewer.evaluate<string>('window.manyworlds.tools.measured');
		expect(Number.parseFloat(measured)).toBeGreaterThan(0.001);
		expect(Number.parseFloat(measured)).toBeLessThan(1);
		await page.getByRole('button', { name: 'Measure' }).click();
	});

	test('draws what sensors look at and what the robot stands on', async () => {
		await viewer.drop(EGRET);
		const lines = (name: string): Promise<number> =>
			viewer.evaluate(`(() => {
				const app = window.manyworlds;
				if (!app.look.overlays.has('${name}')) app.look.toggleOverlay('${name}');
				return app.probe.overlays.linesOf('${name}').length / 6;
			})()`);
		// a frustum has ten lines, the fan of a lidar 49
		expect(await lines('sensors')).toBeGreaterThanOrEqual(59);
		const [eye, corner] = await viewer.evaluate<[number, number]>(`(() => {
			const { overlays } = window.manyworlds.probe;
			const lines = overlays.linesOf('sensors');
			const camera = window.manyworlds.asset.robot.sensors.findIndex(({ kind }) => kind === 'camera');
			// what comes before the camera has the lines of a fan or of axes
			const before = window.manyworlds.asset.robot.sensors.slice(0, camera).reduce((sum, { kind }) => sum + (kind === 'lidar' ? 49 : kind === 'camera' ? 10 : 3), 0);
			return [lines[6 * before], lines[6 * before + 3]];
		})()`);
		// its camera looks ahead, along x
		expect(corner).toBeGreaterThan(eye);
		const free = await lines('support');
		await viewer.evaluate(
			'(async () => { await window.manyworlds.mover.simulate("sap", 1); await window.manyworlds.player.step(300); })()',
		);
		const standing = await lines('support');
		expect(standing).toBeGreaterThan(free);
		await viewer.evaluate(
			'(window.manyworlds.look.toggleOverlay("sensors"), window.manyworlds.look.toggleOverlay("support"), window.manyworlds.mover.stop())',
		);
	});

	test('gives up what is being opened when it is told to', async () => {
		await viewer.drop(CRANE);
		// pressed as soon as it is there: the robot may be quick
		await viewer.evaluate(`(async () => {
			void window.manyworlds.opener.openFolder('examples/heron/list.json', 'Heron');
			for (;;) {
				await new Promise(requestAnimationFrame);
				const button = document.querySelector('.status button');
				if (button === null || !window.manyworlds.busy?.startsWith('opening')) continue;
				button.click();
				break;
			}
		})()`);
		await viewer.until('window.manyworlds.asset === undefined && window.manyworlds.busy === undefined');
		await viewer.drop(CRANE);
		expect((await viewer.probe()).links.length).toBeGreaterThan(1);
	});
});
