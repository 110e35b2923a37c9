import { join } from 'node:path';
import type { RunningSite } from '@manyworlds/node';
import { modelOf, type OpenedModel, openAsset } from 'manyworlds';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
	buildSite,
	type Folder,
	ROBOTS,
	readFolder,
	serve,
	startBrowser,
	ViewerPage,
} from '../../packages/viewer/test/open-page.ts';
import { decodePicture } from '../../packages/viewer/test/picture-difference.ts';
import { coverageFault, projectLinks } from '../suites/viewer-goldens/link-map.ts';
import { observeRobot, type ShownRobot } from '../suites/viewer-goldens/observe-robot.ts';
import { overlayFault } from '../suites/viewer-goldens/overlay-numbers.ts';
import { pictureFault } from '../suites/viewer-goldens/picture-fault.ts';

const browser = await startBrowser();
if (typeof browser === 'string') console.warn(`viewer goldens skipped: chromium does not start: ${browser}`);

const INERTIAL =
	'<inertial><origin xyz="0 0.01 0.02"/><mass value="2"/><inertia ixx="0.02" ixy="0.001" ixz="0" iyy="0.03" iyz="0" izz="0.04"/></inertial>';
/** A metre high, with a part of two centimetres at its end. */
const ROBOT = `<robot name="reed">
	<link name="base">${INERTIAL}<visual><geometry><box size="0.4 0.3 0.1"/></geometry><material name="a"><color rgba="0.2 0.4 0.8 1"/></material></visual>
		<collision><geometry><box size="0.4 0.3 0.1"/></geometry></collision></link>
	<link name="arm">${INERTIAL}<visual><origin xyz="0 0 0.4"/><geometry><cylinder radius="0.05" length="0.8"/></geometry><material name="b"><color rgba="0.8 0.3 0.2 1"/></material></visual>
		<collision><origin xyz="0 0 0.4"/><geometry><cylinder radius="0.05" length="0.8"/></geometry></collision></link>
	<link name="tip">${INERTIAL}<visual><geometry><box size="0.02 0.02 0.02"/></geometry><material name="c"><color rgba="0.9 0.8 0.1 1"/></material></visual>
		<collision><geometry><sphere radius="0.015"/></geometry></collision></link>
	<joint name="swing" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="0 0 0.05"/><axis xyz="0.6 0 0.8"/><limit lower="-0.5" upper="1.25" effort="1" velocity="1"/></joint>
	<joint name="reach" type="prismatic"><parent link="arm"/><child link="tip"/><origin xyz="0.1 0 0.8"/><axis xyz="1 0 0"/><limit lower="-0.02" upper="0.1" effort="1" velocity="1"/></joint>
</robot>`;

describe.skipIf(typeof browser === 'string')('goldens of the viewer', () => {
	let server: RunningSite;
	let page: ViewerPage;
	let golden: ShownRobot;
	let opened: OpenedModel;

	beforeAll(async () => {
		server = await serve(await buildSite());
		page = await ViewerPage.open(browser as Browser, server.url);
		golden = await look(folderOf(ROBOT));
		opened = await modelOf(await openAsset(folderOf(ROBOT)));
	});
	afterAll(async () => {
		await page?.close();
		await server?.close();
		if (typeof browser !== 'string') await browser.close();
	});

	async function look(folder: Folder): Promise<ShownRobot> {
		await page.drop(folder);
		return observeRobot(page);
	}

	/** What is found in a page that shows another robot than it should. */
	function faults(shown: ShownRobot): Record<'picture' | 'coverage' | 'overlays', string | undefined> {
		const { model, start } = opened;
		const nameOf = (link: number): string => shown.links[link]!.split('/').at(-1)!;
		return {
			picture: pictureFault(decodePicture(shown.picture), decodePicture(golden.picture), shown.map, nameOf),
			coverage: coverageFault(shown.map, projectLinks(model, start, shown.camera), nameOf),
			overlays: overlayFault(shown, model, start),
		};
	}

	it('finds the numbers of MJCF in the picture', async () => {
		const folder = readFolder(join(ROBOTS, 'crane'), 'crane.xml');
		const shown = await look(folder);
		const { model, start } = await modelOf(await openAsset(folder));
		expect(overlayFault(shown, model, start)).toBe(undefined);
		expect(shown.errors).toEqual([]);
	});

	it('finds nothing wrong with a robot that is drawn twice', async () => {
		expect(faults(await look(folderOf(ROBOT)))).toEqual({});
	});

	it.each([
		['OpenUSD', readFolder(join(ROBOTS, 'egret'), 'egret.usda')],
		['URDF with meshes', readFolder(join(ROBOTS, 'plover'), 'urdf/plover.urdf')],
	])('finds the links and the numbers of %s in the picture', async (_, folder) => {
		const shown = await look(folder);
		const { model, start } = await modelOf(await openAsset(folder));
		expect(coverageFault(shown.map, projectLinks(model, start, shown.camera), (link) => shown.links[link]!)).toBe(
			undefined,
		);
		expect(overlayFault(shown, model, start)).toBe(undefined);
		expect(shown.errors).toEqual([]);
	});

	it.each([
		['a link that moved by a centimetre', 'xyz="0.1 0 0.8"', 'xyz="0.1 0.01 0.8"', ['picture', 'coverage', 'overlays']],
		['a shape that is missing', /<visual><geometry><box size="0.02.*<\/visual>/, '', ['picture', 'coverage']],
		['another colour of a small part', '0.9 0.8 0.1 1', '0.9 0.6 0.1 1', ['picture']],
	] as const)('notices %s', async (_, from, to, expected) => {
		const text = ROBOT.replace(from, to);
		expect(text).not.toBe(ROBOT);
		const found = faults(await look(folderOf(text)));
		expect(Object.keys(found).filter((name) => found[name as 'picture'] !== undefined)).toEqual(expected);
	});

	it.each([
		['another lower limit', 'lower="-0.5"', 'lower="-0.501"'],
		['another upper limit', 'upper="1.25"', 'upper="1.251"'],
		['another limit of a slide', 'upper="0.1"', 'upper="0.1001"'],
		['an axis that leans', 'xyz="0.6 0 0.8"', 'xyz="0.6 0.001 0.8"'],
		['another centre of mass', 'xyz="0 0.01 0.02"', 'xyz="0 0.0101 0.02"'],
		['another inertia', 'ixy="0.001"', 'ixy="0.00101"'],
		['a larger collider', 'radius="0.015"', 'radius="0.0151"'],
	] as const)('notices %s', async (_, from, to) => {
		const text = ROBOT.replace(from, to);
		expect(text).not.toBe(ROBOT);
		expect(overlayFault(golden, opened.model, opened.start)).toBe(undefined);
		const { model, start } = await modelOf(await openAsset(folderOf(text)));
		expect(typeof overlayFault(golden, model, start)).toBe('string');
	});

	it('notices a picture without links, numbers that are none, and drawings that are missing', () => {
		const { model, start } = opened;
		const expected = projectLinks(model, start, golden.camera);
		expect(coverageFault(new Int32Array(expected.length).fill(-1), expected, String)).toMatch('0 is seen in 0 pixels');
		const nothing = new Int32Array(expected.length).fill(-1);
		expect(coverageFault(nothing, nothing, String)).toBe('no link is seen');
		for (const name of ['joints', 'masses', 'inertia', 'colliders'] as const) {
			const without = { ...golden, [name]: golden[name].slice(0, -6) };
			expect([name, typeof overlayFault(without, model, start)]).toEqual([name, 'string']);
			const first = golden[name].map((value) => (typeof value === 'number' ? Number.NaN : value.map(() => Number.NaN)));
			expect([name, typeof overlayFault({ ...golden, [name]: first }, model, start)]).toEqual([name, 'string']);
		}
	});
});

function folderOf(text: string): Folder {
	return { entry: 'reed.urdf', files: new Map([['reed.urdf', new TextEncoder().encode(text)]]) };
}
