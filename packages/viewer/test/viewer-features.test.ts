import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { hashState } from '@manyworlds/model';
import type { RunningSite } from '@manyworlds/node';
import { readPlan } from '@manyworlds/sweep';
import { Expansion } from '@manyworlds/sweep/internal';
import { openAsset, Simulation, type SimulationOptions } from 'manyworlds';
import { main } from 'manyworlds/internal';
import type { Browser } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { type Folder, ROBOTS, ROOT, readFolder, SETTINGS, startBrowser, ViewerPage } from './open-page.ts';
import { useViewer } from './use-viewer.ts';

const browser = await startBrowser();
if (typeof browser === 'string') console.warn(`viewer test skipped: chromium does not start: ${browser}`);

const EGRET = readFolder(join(ROBOTS, 'egret'), 'egret.usda');
const HERON = readFolder(join(ROBOTS, 'heron'), 'heron.usda');
const CRANE = readFolder(join(ROBOTS, 'crane'), 'crane.xml');

const INERTIAL =
	'<inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>';
/** Two equal boxes, the second one two metres behind the first. */
const PAIR = file(
	'pair.urdf',
	`<robot name="pair">
	<link name="near">${INERTIAL}<visual><geometry><box size="0.4 0.4 0.4"/></geometry></visual></link>
	<link name="far">${INERTIAL}<visual><geometry><box size="0.4 0.4 0.4"/></geometry></visual></link>
	<joint name="rail" type="prismatic"><parent link="near"/><child link="far"/><origin xyz="-2 1 0"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
</robot>`,
);
/** A chain with a drive; the first and the last link are told not to collide. */
const CHAIN = file(
	'chain.xml',
	`<mujoco><worldbody>
	<body name="a" pos="0 0 1"><joint name="first" axis="0 1 0"/><geom type="box" size="0.1 0.05 0.05"/>
		<body name="b" pos="0.3 0 0"><joint name="second" axis="0 1 0"/><geom type="box" size="0.1 0.05 0.05"/>
			<body name="c" pos="0.3 0 0"><joint name="third" axis="0 1 0"/><geom type="box" size="0.1 0.05 0.05"/></body>
		</body>
	</body>
	<body name="d" pos="0 1 1"><freejoint/><geom type="sphere" size="0.1"/></body>
</worldbody>
<contact><exclude body1="a" body2="c"/></contact>
<actuator><position joint="second" kp="40" kv="4"/></actuator></mujoco>`,
);

describe.skipIf(typeof browser === 'string')('features of the viewer', () => {
	let server: RunningSite;
	let viewer: ViewerPage;
	useViewer(browser, (used) => {
		({ server, viewer } = used);
	});

	/** Runs a script in the page, which has `app`. */
	function inPage<T>(script: string): Promise<T> {
		return viewer.evaluate<T>(`(async () => { const app = window.manyworlds; ${script} })()`);
	}

	/** Bytes of what a click on a button offers for download. */
	async function downloaded(button: string): Promise<{ readonly name: string; readonly path: string }> {
		const [found] = await Promise.all([
			viewer.page.waitForEvent('download'),
			viewer.page.getByRole('button', { name: button }).click(),
		]);
		return { name: found.suggestedFilename(), path: await found.path() };
	}

	test('shows things equally large however far they are, with parallel rays', async () => {
		await viewer.drop(PAIR);
		await viewer.page.getByLabel('Look from').selectOption('front');
		const sizes = async (): Promise<number[]> => {
			const counts = new Map(await inPage<[number, number][]>('return [...app.probe.view.linkPixels(320, 240)]'));
			return [0, 1].map((link) => counts.get(link) ?? 0);
		};
		const [near, far] = (await sizes()) as [number, number];
		expect(far).toBeLessThan(0.8 * near);
		await viewer.page.getByRole('button', { name: 'Parallel' }).click();
		const [nearer, farther] = (await sizes()) as [number, number];
		expect(Math.abs(nearer - farther)).toBeLessThan(0.03 * nearer);
		// what is in the middle, between the two, stays as large as it was
		expect(nearer).toBeGreaterThan(far);
		expect(nearer).toBeLessThan(near);
		await viewer.page.getByRole('button', { name: 'Parallel' }).click();
		const again = await sizes();
		for (const [i, size] of again.entries()) expect(Math.abs(size - [near, far][i]!)).toBeLessThan(0.03 * near);
	});

	test('looks through surfaces, at normals and at back faces', async () => {
		/** How many pixels of the canvas have the colour of back faces, and what all of them come to. */
		const look = (name: string): Promise<{ tinted: number; sum: number }> =>
			inPage(`
				app.tools.setLook('${name}');
				const bitmap = await createImageBitmap(await app.probe.view.screenshot());
				const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
				const context = canvas.getContext('2d');
				context.drawImage(bitmap, 0, 0);
				const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
				let [tinted, sum] = [0, 0];
				for (let i = 0; i < data.length; i += 4) {
					if (Math.abs(data[i] - 217) < 6 && Math.abs(data[i + 1] - 13) < 6 && Math.abs(data[i + 2] - 89) < 6) tinted++;
					sum += data[i] + 3 * data[i + 1] + 7 * data[i + 2];
				}
				return { tinted, sum };`);
		await viewer.drop(solid(false));
		const sums = [];
		for (const name of ['plain', 'edges', 'xray', 'normals']) sums.push((await look(name)).sum);
		expect(new Set(sums).size).toBe(4);
		expect((await look('backfaces')).tinted).toBe(0);
		await viewer.drop(solid(true));
		expect((await look('backfaces')).tinted).toBeGreaterThan(50);
		await inPage(`app.tools.setLook('plain')`);
	});

	test('draws boxes, drives, and which links never touch', async () => {
		await viewer.drop(CHAIN);
		const lines = (name: string): Promise<number[]> =>
			inPage(`if (!app.look.overlays.has('${name}')) app.look.toggleOverlay('${name}');
				return [...app.probe.overlays.linesOf('${name}')];`);
		const boxes = await lines('boxes');
		expect(boxes.length).toBe(4 * 12 * 6);
		// the first one is that of the first link: a metre up, a fifth of a metre long
		const corners = boxes.slice(0, 72);
		const along = (axis: number): number[] => corners.filter((_, i) => i % 3 === axis);
		expect(Math.min(...along(0))).toBeCloseTo(-0.1, 5);
		expect(Math.max(...along(0))).toBeCloseTo(0.1, 5);
		expect(Math.max(...along(2))).toBeCloseTo(1.05, 5);

		const { links, filtered } = await inPage<{ links: string[]; filtered: [number, number][] }>(
			'return { links: app.asset.robot.links.map(({ name }) => name), filtered: app.asset.robot.filtered };',
		);
		expect(filtered.map((pair) => pair.map((link) => links[link]).join(' '))).toEqual(['a b', 'a c', 'b c']);
		expect((await lines('filters')).length).toBe(3 * 6);
		await inPage(`app.selection.select(${links.indexOf('a')})`);
		expect((await lines('filters')).length).toBe(2 * 6);

		// two hands on the one joint that has a drive, on each other
		expect((await lines('drives')).length).toBe(2 * 6);
		const coordinate = await inPage<number>(
			`return app.asset.robot.joints.find(({ name }) => name === 'second').freedoms[0].coordinate`,
		);
		await inPage(`app.mover.setCoordinate(${coordinate}, 0.5); await app.poser.settled();`);
		const hands = await lines('drives');
		expect(hands.length).toBe((2 + Math.ceil((48 * 0.5) / (2 * Math.PI))) * 6);
		const way = (at: number): number[] => [0, 1, 2].map((k) => hands[at + 3 + k]! - hands[at + k]!);
		const [now, aim] = [way(0), way(6)];
		const cosine = now.reduce((sum, value, k) => sum + value * aim[k]!, 0) / (Math.hypot(...now) * Math.hypot(...aim));
		expect(Math.acos(cosine)).toBeCloseTo(0.5, 4);
		await inPage(`for (const name of [...app.look.overlays]) app.look.toggleOverlay(name)`);
	});

	test('simulates with another time step, gravity and ground, and else as the command does', async () => {
		await viewer.drop(EGRET);
		await inPage(`app.look.setTab('simulate')`);
		await viewer.page.getByText('Time step, gravity, ground').click();
		await viewer.page.getByLabel('Time step [ms]').fill('1');
		await viewer.page.getByLabel('Gravity [m/s²]').fill('-1.6');
		await viewer.page.getByLabel('Ground').selectOption('none');
		await viewer.page.getByRole('button', { name: 'Start', exact: true }).click();
		await viewer.until('window.manyworlds.player.frames.length > 1');
		const { dt, rate } = await inPage<{ dt: number; rate: number }>(`
			app.player.pause();
			await app.player.reset();
			await app.player.step(100);
			return { dt: app.player.dt, rate: app.player.frame.velocities[2] / app.player.frame.time };`);
		expect(dt).toBe(0.001);
		expect(rate).toBeCloseTo(-1.6, 6);
		for (const [wishes, options] of [
			['{}', {}],
			['{ dt: 0.001, ground: false }', { dt: 0.001, ground: false }],
		] as const) {
			const hash = await inPage(
				`await app.mover.simulate('sap', 1, ${wishes}); await app.player.step(80); return app.player.hash();`,
			);
			expect(hash).toBe(await hashOf(EGRET, 80, options));
		}
		await inPage('await app.mover.stop()');
	});

	test('plays the targets of a scene as the command does', async () => {
		const scenes = join(ROOT, 'examples');
		const files = readFolder(scenes, 'scenes/grip.yaml').files;
		const kept = new Map([...files].filter(([path]) => /^(scenes|robots\/plover|robots\/heron)\//.test(path)));
		await viewer.drop({ entry: 'scenes/grip.yaml', files: kept });
		const { hash, problem } = await inPage<{ hash: string; problem: string | undefined }>(
			`await app.mover.simulate('sap', 1); await app.player.step(120); return { hash: await app.player.hash(), problem: app.problem };`,
		);
		expect(problem).toBeUndefined();
		let told = '';
		const stdout = { write: (text: string | Uint8Array) => (told += text) };
		await main(['run', join(scenes, 'scenes/grip.yaml'), '--frames', '120', '--worlds', '1', '--json'], {
			stdout,
			stderr: { write: () => true },
			env: {},
			cwd: ROOT,
			now: () => 0,
		});
		expect(told).toContain(hash);
		await inPage('await app.mover.stop()');
	});

	test('starts again where it started, not where the robot has come to', async () => {
		await viewer.drop(CRANE);
		const [first, again] = await inPage<string[]>(`
			const run = async () => { await app.mover.simulate('sap', 1); await app.player.step(30); return app.player.hash(); };
			return [await run(), await run()];`);
		expect(again).toBe(first);
		await inPage('await app.mover.stop()');
	});

	test('plots what is asked for, and writes the table that the command writes', async () => {
		await viewer.drop(CRANE);
		await inPage(`app.look.setTab('simulate'); await app.mover.simulate('sap', 1);
			for (let i = 0; i < 6; i++) await app.player.step(10);`);
		const { page } = viewer;
		const elbow = await inPage<string>(`return app.asset.robot.joints.find(({ name }) => name === 'elbow').label`);
		for (const id of ['energy', 'contacts', 'force', `velocity ${elbow}`, `effort ${elbow}`])
			await page.getByLabel('Add a plot').selectOption(id);
		for (const name of [/^Energy/, /^Contacts/, /^Forces of contacts/, /^Velocity of elbow/, /^Effort of elbow/])
			await page.getByRole('img', { name }).waitFor();
		const folder = mkdtempSync(join(tmpdir(), 'manyworlds-csv-'));
		const stream = { write: () => true };
		const code = await main(['run', join(ROBOTS, 'crane/crane.xml'), '--frames', '60', '--record', 'run.csv'], {
			stdout: stream,
			stderr: stream,
			env: {},
			cwd: folder,
			now: () => 0,
		});
		expect(code).toBe(0);
		const { name, path } = await downloaded('Run as CSV');
		expect(name).toBe('crane.csv');
		expect(readFileSync(path, 'utf8')).toBe(readFileSync(join(folder, 'run.csv'), 'utf8'));
		rmSync(folder, { recursive: true });
		const plots = readFileSync((await downloaded('Plots as CSV')).path, 'utf8')
			.trim()
			.split('\n');
		expect(plots.length).toBe(1 + 7);
		expect(plots[0]).toMatch(/^time \[s\],.*Energy \[J\],Contacts,/);
		const speed = await inPage<number>(
			`return app.player.frame.velocities[app.asset.robot.joints.find(({ name }) => name === 'elbow').freedoms[0].dof]`,
		);
		expect(plots.at(-1)!.split(',').map(Number)).toContain(speed);
		await page.getByRole('button', { name: 'Remove Contacts' }).click();
		expect(await inPage('return app.look.plots.includes("contacts")')).toBe(false);
		// the joints tell how fast they are and how hard their drives work
		await inPage(`app.look.setPlots(['selected']); app.look.setTab('joints')`);
		expect(await page.locator('.readout').first().textContent()).toMatch(/°\/s/);
		await inPage('await app.mover.stop()');
	});

	test('drives work as hard as stiffness, damping and limits say', async () => {
		await viewer.drop(CHAIN);
		const { q, qd, effort, target } = await inPage<{ q: number; qd: number; effort: number; target: number }>(`
			await app.mover.simulate('sap', 1);
			await app.player.step(20);
			const { coordinate, dof } = app.asset.robot.joints.find(({ name }) => name === 'second').freedoms[0];
			const { coordinates, velocities, efforts, targets } = app.player.frame;
			return { q: coordinates[coordinate], qd: velocities[dof], effort: efforts[dof], target: targets[coordinate] };`);
		expect(Math.abs(q)).toBeGreaterThan(1e-3);
		expect(effort).toBeCloseTo(40 * (target - q) - 4 * qd, 9);
		await inPage('await app.mover.stop()');
	});

	test('tells worlds apart by colours, shows one alone, and runs of a sweep', async () => {
		await viewer.drop(CRANE);
		const plan = readFileSync(join(ROOT, 'examples/sweeps/crane.yaml'), 'utf8');
		await inPage(`app.look.setTab('simulate')`);
		await viewer.page.setInputFiles('#sweep', {
			name: 'crane.yaml',
			mimeType: 'text/yaml',
			buffer: Buffer.from(plan),
		});
		await viewer.until('window.manyworlds.player.sweep !== undefined && window.manyworlds.busy === undefined');
		const values = await inPage<number[][]>('return app.player.sweep.values');
		const runs = new Expansion(readPlan(plan).plan!).runs();
		expect(values.length).toBe(16);
		for (const row of values) expect(row).toEqual(runs.next().value!.values);
		await viewer.page.getByLabel('Colour by').selectOption('energy');
		await viewer.until('window.manyworlds.player.frame.worldNumbers?.length === 16');
		const colors = await inPage<{ numbers: number[]; colors: number[][]; alone: number; all: number; world: number }>(`
			const { view } = app.probe;
			const total = () => [...view.linkPixels(160, 120).values()].reduce((sum, count) => sum + count, 0);
			const all = total();
			app.mover.showOnly(5);
			for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
			const alone = total();
			const canvas = document.querySelector('canvas.picture');
			// it is in the middle, as it is the only one
			const { world } = view.pickWorld(canvas.clientWidth / 2, canvas.clientHeight / 2);
			app.mover.showOnly(undefined);
			return { numbers: [...app.player.frame.worldNumbers], colors: view.worldColors(), alone, all, world };`);
		// it is looked at from nearby
		expect(colors.alone).toBeGreaterThan(colors.all);
		expect(colors.world).toBe(5);
		// heavier cranes have more energy; the least is dark, the most is light
		const [least, most] = [Math.min(...colors.numbers), Math.max(...colors.numbers)];
		expect(most).toBeGreaterThan(least);
		const light = (world: number): number => colors.colors[world]!.reduce((sum, part) => sum + part, 0);
		expect(light(colors.numbers.indexOf(most))).toBeGreaterThan(2 * light(colors.numbers.indexOf(least)));
		await viewer.page.getByLabel('Colour by').selectOption('');
		await viewer.until('window.manyworlds.player.frame.worldNumbers === undefined');
		expect(await inPage('return app.probe.view.worldColors()')).toEqual([]);
		await inPage('await app.mover.stop()');
	});

	test('shows a range again and again, and two recordings beside each other', async () => {
		await viewer.drop(CRANE);
		const { label, coordinate } = await inPage<{ label: string; coordinate: number }>(
			`const { label, freedoms } = app.asset.robot.joints.find(({ freedoms }) => freedoms.length === 1);
			return { label, coordinate: freedoms[0].coordinate };`,
		);
		const csv = (scale: number): Buffer =>
			Buffer.from(
				`time [s],${label} [rad]\n${Array.from({ length: 7 }, (_, i) => `${i / 20},${(scale * i) / 10}`).join('\n')}\n`,
			);
		const { page } = viewer;
		await page.setInputFiles('#open-files', { name: 'one.csv', mimeType: 'text/csv', buffer: csv(1) });
		await viewer.until('window.manyworlds.player.source === "one.csv" && window.manyworlds.busy === undefined');
		await page.getByRole('button', { name: 'Loop' }).click();
		await inPage('app.player.seek(2)');
		await page.getByRole('button', { name: 'From here' }).click();
		await inPage('app.player.seek(4)');
		await page.getByRole('button', { name: 'To here' }).click();
		expect(await inPage('return app.player.loop')).toEqual([0.1, 0.2]);
		const seen = await inPage<number[]>(`
			const seen = [];
			app.player.play();
			for (const end = performance.now() + 20_000; performance.now() < end; ) {
				await new Promise(requestAnimationFrame);
				if (seen.at(-1) !== app.player.shown) seen.push(app.player.shown);
				// back at the start twice
				if (seen.filter((place, i) => place === 2 && seen[i - 1] > 2).length === 2) break;
			}
			app.player.pause();
			return seen;`);
		expect(seen.every((place) => place >= 2 && place <= 4)).toBe(true);
		expect(seen.filter((place, i) => place === 2 && seen[i - 1]! > 2).length).toBe(2);
		await inPage('app.player.setLoop(undefined)');
		await page.getByText('Recordings, sweeps and live robots').click();
		await page.setInputFiles('#compare', { name: 'two.csv', mimeType: 'text/csv', buffer: csv(2) });
		await viewer.until('window.manyworlds.player.compared === "two.csv" && window.manyworlds.busy === undefined');
		const { differences, numbers, q } = await inPage<{ differences: number[]; numbers: number; q: number }>(`
			app.player.seek(3);
			return { differences: app.player.frames.map(({ difference }) => difference), numbers: app.probe.poses.length, q: app.coordinates[${coordinate}] };`);
		expect(numbers).toBe(2 * 7 * (await viewer.probe()).links.length);
		expect(q).toBeCloseTo(0.3, 12);
		expect(differences[0]).toBe(0);
		for (let i = 1; i < differences.length; i++) expect(differences[i]).toBeGreaterThan(differences[i - 1]!);
		await page.getByRole('img', { name: /^Largest distance/ }).waitFor();
		await inPage('await app.mover.stop()');
	});

	test('opens a text that is pasted, and says what is none', async () => {
		const paste = (text: string): Promise<void> =>
			inPage(`
				const clipboardData = new DataTransfer();
				clipboardData.setData('text/plain', ${JSON.stringify(text)});
				document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));`);
		await paste(Buffer.from(PAIR.files.get('pair.urdf')!).toString());
		await viewer.until('window.manyworlds.asset?.entry === "pasted.urdf" && window.manyworlds.busy === undefined');
		expect((await viewer.probe()).links.length).toBe(2);
		await paste('hello');
		await viewer.until('window.manyworlds.problem?.includes("is no robot")');
		await inPage('app.status.dismiss()');
	});

	test('opens folders again that were open before', async () => {
		const text = Buffer.from(CRANE.files.get('crane.xml')!).toString('base64');
		// the origin's own file system has the handles that a chosen folder has
		await inPage(`
			const root = await (await navigator.storage.getDirectory()).getDirectoryHandle('recent-crane', { create: true });
			const stream = await (await root.getFileHandle('crane.xml', { create: true })).createWritable();
			await stream.write(Uint8Array.from(atob('${text}'), (c) => c.charCodeAt(0)));
			await stream.close();
			window.showDirectoryPicker = async () => root;
			app.onChange();`);
		await viewer.page.getByRole('button', { name: 'Edit folder' }).click();
		await viewer.until('window.manyworlds.opener.recent.entries.some(({ name }) => name === "recent-crane")');
		await viewer.page.goto('about:blank');
		await viewer.page.goto(server.url);
		await viewer.start();
		await viewer.page.getByRole('button', { name: 'recent-crane', exact: true }).click();
		await viewer.until('window.manyworlds.asset?.entry === "crane.xml" && window.manyworlds.busy === undefined');
		expect(await inPage('return app.edits.folder?.name')).toBe('recent-crane');
		await inPage('await app.opener.close()');
		await viewer.page.getByRole('button', { name: 'Forget recent-crane' }).click();
		await viewer.until('window.manyworlds.opener.recent.entries.length === 0');
	});

	test('makes a page of one file that needs no network and no server', async () => {
		await viewer.drop(EGRET);
		await inPage(`app.look.setTab('export')`);
		const { name, path } = await downloaded('Page of one file');
		expect(name).toBe('egret.html');
		const folder = mkdtempSync(join(tmpdir(), 'manyworlds-alone-'));
		const copy = join(folder, name);
		const bytes = readFileSync(path);
		expect(bytes.length).toBeLessThan(5e6);
		writeFileSync(copy, bytes);
		const context = await (browser as Browser).newContext({ ...SETTINGS, offline: true });
		const asked: string[] = [];
		context.on('request', (request) => asked.push(request.url()));
		const alone = await ViewerPage.in(context, pathToFileURL(copy).href);
		await alone.until('window.manyworlds.asset !== undefined && window.manyworlds.busy === undefined');
		const { poses, links, problem } = await alone.probe();
		expect(problem).toBeUndefined();
		expect([poses, links]).toEqual([(await viewer.probe()).poses, (await viewer.probe()).links]);
		const hash = await alone.evaluate<string>(
			`(async () => { const app = window.manyworlds; await app.mover.simulate('sap', 1); await app.player.step(40); return app.player.hash(); })()`,
		);
		expect(hash).toBe(await hashOf(EGRET, 40));
		await alone.evaluate('window.manyworlds.mover.simulate("mujoco", 1)');
		expect((await alone.probe()).problem).toContain('MuJoCo is not in a page of one file');
		expect(asked.filter((url) => !/^(file|blob|data):/.test(url))).toEqual([]);
		expect(alone.errors).toEqual([]);
		await alone.close();
		rmSync(folder, { recursive: true });
	});

	test.each(['WebM', 'MP4'])('takes a video as %s', async (kind) => {
		await viewer.drop(CRANE);
		await inPage(`app.look.setTab('export')`);
		await viewer.page.getByRole('button', { name: `Video as ${kind}` }).click();
		// a stream has pictures only of what changes
		await inPage(`for (let i = 0; i < 15; i++) {
			app.lookFrom(i % 2 === 0 ? 'front' : 'left');
			await new Promise((resolve) => setTimeout(resolve, 40));
		}`);
		const { name, path } = await downloaded('End the video');
		const bytes = readFileSync(path);
		expect(name).toBe(`robot.${kind.toLowerCase()}`);
		expect(kind === 'MP4' ? bytes.toString('latin1', 4, 8) : bytes.toString('hex', 0, 4)).toBe(
			kind === 'MP4' ? 'ftyp' : '1a45dfa3',
		);
		const { width, height } = await inPage<{ width: number; height: number }>(
			`const { width, height } = document.querySelector('canvas.picture'); return { width, height };`,
		);
		// in a page that may load videos
		const page = await viewer.page.context().newPage();
		const size = (await page.evaluate(`(async () => {
			const video = document.createElement('video');
			const bytes = Uint8Array.from(atob('${bytes.toString('base64')}'), (c) => c.charCodeAt(0));
			video.src = URL.createObjectURL(new Blob([bytes], { type: 'video/${kind.toLowerCase()}' }));
			await new Promise((resolve, reject) => {
				video.onloadeddata = resolve;
				video.onerror = () => reject(new Error(video.error.message));
			});
			return [video.videoWidth - ${width}, video.videoHeight - ${height}];
		})()`)) as number[];
		await page.close();
		// encoders may want even numbers
		for (const difference of size) expect(Math.abs(difference)).toBeLessThan(2);
	});

	test('plots values over time', async () => {
		await viewer.drop(
			file(
				'swing.usda',
				`#usda 1.0
(
	defaultPrim = "swing"
	upAxis = "Z"
	metersPerUnit = 1
)
def Xform "swing"
{
	double xformOp:rotateZ.timeSamples = { 0: 0, 20: 90, 40: 45 }
	double3 xformOp:translate.timeSamples = { 0: (0, 0, 1), 10: (1, 2, 3) }
	uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:rotateZ"]
	def Cube "cube" { double size = 1 }
}
`,
			),
		);
		await inPage(`await app.selection.selectPrim('/swing'); app.look.setTab('properties')`);
		await viewer.until('window.manyworlds.selection.properties.length > 0');
		const samples = await inPage<Record<string, unknown>>(
			'return Object.fromEntries(app.selection.properties.flatMap(({ name, samples }) => (samples ? [[name, samples]] : [])))',
		);
		expect(samples).toEqual({
			'xformOp:rotateZ': { times: [0, 20, 40], lines: [[0, 90, 45]] },
			'xformOp:translate': {
				times: [0, 10],
				lines: [
					[0, 1],
					[0, 2],
					[1, 3],
				],
			},
		});
		await viewer.page.locator('summary', { hasText: 'xformOp:translate' }).first().click();
		await viewer.page.getByRole('img', { name: 'xformOp:translate over time codes 0 to 10' }).waitFor();
	});

	test('finds a link in the picture also when it is selected', async () => {
		await viewer.drop(PAIR);
		const sizes = (link: number): Promise<[number, number][]> =>
			inPage(`app.selection.select(${link}); return [...app.probe.view.linkPixels(160, 120)].sort()`);
		expect(await sizes(0)).toEqual(await sizes(-1));
	});

	test('selects several rows by mouse and keyboard, and hides them', async () => {
		await viewer.drop(HERON);
		const { page } = viewer;
		const rows = page.locator('.tree .row');
		const names = (): Promise<string[]> =>
			inPage('return [...app.selection.links].map((link) => app.asset.robot.links[link].name)');
		await rows.nth(0).click();
		await rows.nth(3).click({ modifiers: ['Control'] });
		const order = await inPage<string[]>(
			'return [...document.querySelectorAll(".tree .row .name")].map(({ textContent }) => textContent)',
		);
		expect(await names()).toEqual([order[0], order[3]]);
		await rows.nth(1).click();
		await rows.nth(4).click({ modifiers: ['Shift'] });
		expect(await names()).toEqual(order.slice(1, 5));
		await page.locator('.tree').focus();
		await page.keyboard.press('Shift+ArrowDown');
		expect(await names()).toEqual(order.slice(1, 6));
		await page.keyboard.press('Shift+ArrowUp');
		expect(await names()).toEqual(order.slice(1, 5));
		// rows are drawn with the next frame
		await viewer.until('document.querySelectorAll(".row[aria-selected=true]").length === 4');
		expect(await inPage('return app.summary')).toContain('and 3 more');
		await rows.nth(0).click();
		const seen = (): Promise<number> =>
			inPage('return app.probe.view.linkPixels(160, 120).get(app.selection.link) ?? 0');
		expect(await seen()).toBeGreaterThan(20);
		await page.getByRole('button', { name: 'Hide' }).click();
		expect(await seen()).toBe(0);
		await page.getByRole('button', { name: 'Show all' }).click();
		expect(await seen()).toBeGreaterThan(20);
		await page.locator('.tree').focus();
		await page.keyboard.press('Control+a');
		expect((await names()).length).toBe(order.length);
		await inPage('app.selection.select(-1)');
	});

	test('shows what a fix changes of the picture before it is applied', async () => {
		const ghost = 'return [app.checker.hasGhost, app.probe.view.ghostPieces > 0]';
		await viewer.drop(HERON);
		await inPage('await app.checker.previewFixes(true)');
		// fixes of Heron change what it says, not what it looks like
		expect(await inPage('return app.checker.fixes.files.length')).toBeGreaterThan(0);
		expect(await inPage(ghost)).toEqual([false, false]);
		await inPage('app.checker.dismissFixes()');
		await viewer.drop(flipped());
		await inPage('await app.checker.previewFixes(true)');
		expect(await inPage(ghost)).toEqual([true, true]);
		await inPage('app.checker.dismissFixes()');
		expect(await inPage(ghost)).toEqual([false, false]);
	});
});

function file(entry: string, text: string): Folder {
	return { entry, files: new Map([[entry, new TextEncoder().encode(text)]]) };
}

async function hashOf(folder: Folder, steps: number, options: SimulationOptions = {}): Promise<string> {
	const simulation = await Simulation.create(await openAsset(folder), { threads: 1, ...options });
	await simulation.step(steps);
	const hash = hashState(simulation.state);
	await simulation.dispose();
	return hash;
}

const CUBE = [
	0, 1, 3, 3, 2, 0, 4, 6, 7, 7, 5, 4, 0, 4, 5, 5, 1, 0, 2, 3, 7, 7, 6, 2, 0, 2, 6, 6, 4, 0, 1, 5, 7, 7, 3, 1,
];

/** A cube of triangles, or one that is inside out. */
function solid(isInsideOut: boolean): Folder {
	const corner = (i: number): string => `vertex ${i & 1} ${(i >> 1) & 1} ${(i >> 2) & 1}`;
	const facets = Array.from({ length: 12 }, (_, face) => {
		const [a, b, c] = CUBE.slice(3 * face, 3 * face + 3) as [number, number, number];
		const corners = isInsideOut ? [a, b, c] : [a, c, b];
		return `facet normal 0 0 0\nouter loop\n${corners.map(corner).join('\n')}\nendloop\nendfacet`;
	});
	const robot = `<robot name="cube"><link name="cube">${INERTIAL}<visual><geometry><mesh filename="cube.stl"/></geometry></visual></link></robot>`;
	return {
		entry: 'cube.urdf',
		files: new Map(
			Object.entries({ 'cube.urdf': robot, 'cube.stl': `solid cube\n${facets.join('\n')}\nendsolid cube\n` }).map(
				([path, text]) => [path, new TextEncoder().encode(text)],
			),
		),
	};
}

/** A robot of OpenUSD with a mesh whose faces turn the wrong way. */
function flipped(): Folder {
	const points = Array.from({ length: 8 }, (_, i) => `(${i & 1}, ${(i >> 1) & 1}, ${(i >> 2) & 1})`).join(', ');
	const text = `#usda 1.0
(
	defaultPrim = "box"
	upAxis = "Z"
	metersPerUnit = 1
	kilogramsPerUnit = 1
)
def Xform "box" (
	kind = "component"
	prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]
)
{
	float physics:mass = 1
	def Mesh "cube"
	{
		uniform token subdivisionScheme = "none"
		int[] faceVertexCounts = [${new Array(12).fill(3).join(', ')}]
		int[] faceVertexIndices = [${CUBE.join(', ')}]
		point3f[] points = [${points}]
		float3[] extent = [(0, 0, 0), (1, 1, 1)]
	}
}
`;
	return file('box.usda', text);
}
