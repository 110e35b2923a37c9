import { Report } from '@manyworlds/core';
import { type MjcfFileContent, readMjcf } from '@manyworlds/formats';
import { orientationQuaternion, segmentFrame, zAxisQuaternion } from '@manyworlds/formats/internal';
import { describe, expect, test } from 'vitest';

/** Reads a model from texts by name; `main.xml` is the main one. */
function read(files: Readonly<Record<string, string>>, report: Report = new Report()): ReturnType<typeof readMjcf> {
	const load = (path: string, from: string): MjcfFileContent => {
		const folder = from.includes('/') ? from.slice(0, from.lastIndexOf('/') + 1) : '';
		const file = folder + path;
		const content = files[file];
		return content === undefined ? { file, failure: '' } : { file, content };
	};
	return readMjcf(files['main.xml']!, { file: 'main.xml', report, load });
}

const codes = (report: Report): string[] => report.toArray().map(({ code }) => code);

describe('MJCF documents', () => {
	test('an include gives way to the content of its file, at its place', () => {
		const report = new Report();
		const document = read(
			{
				'main.xml':
					'<mujoco><worldbody><body name="a"/><include file="parts/b.xml"/><body name="c"/></worldbody></mujoco>',
				'parts/b.xml': '<mujoco><include file="deep.xml"/><body name="b"/></mujoco>',
				'parts/deep.xml': '<x><body name="d"/></x>',
			},
			report,
		);
		const bodies = document.sections('worldbody')[0]!.childrenNamed('body');
		expect(bodies.map((body) => body.ownName)).toEqual(['a', 'd', 'b', 'c']);
		expect(bodies[1]!.location.file).toBe('parts/deep.xml');
		expect(document.files).toEqual(['main.xml', 'parts/b.xml', 'parts/deep.xml']);
		expect(report.size).toBe(0);
	});

	test('a nested include may also be named from the main file', () => {
		const report = new Report();
		const document = read(
			{
				'main.xml': '<mujoco><include file="parts/b.xml"/></mujoco>',
				'parts/b.xml': '<x><include file="parts/c.xml"/></x>',
				'parts/c.xml': '<x><worldbody/></x>',
			},
			report,
		);
		expect(document.sections('worldbody')).toHaveLength(1);
		expect(report.size).toBe(0);
	});

	test('a file that includes itself is refused once, and the rest is read', () => {
		const report = new Report();
		const document = read(
			{
				'main.xml': '<mujoco>\n  <include file="b.xml"/>\n  <worldbody/>\n</mujoco>',
				'b.xml': '<x><include file="main.xml"/><asset/></x>',
			},
			report,
		);
		expect(codes(report)).toEqual(['MJCF003']);
		expect(report.toArray()[0]!.file).toBe('b.xml');
		expect(document.sections('asset')).toHaveLength(1);
		expect(document.sections('worldbody')).toHaveLength(1);
	});

	test('missing files, includes without a file and endless chains are reported where they stand', () => {
		const report = new Report();
		const chain = Object.fromEntries(
			Array.from({ length: 40 }, (_, i) => [`${i}.xml`, `<x><include file="${i + 1}.xml"/></x>`]),
		);
		read(
			{ 'main.xml': '<mujoco>\n<include file="no.xml"/>\n<include/>\n<include file="0.xml"/></mujoco>', ...chain },
			report,
		);
		const found = report.toArray();
		expect(found.map(({ code }) => code).sort()).toEqual(['MJCF002', 'MJCF002', 'MJCF004']);
		expect(found.find(({ message }) => message.includes('no.xml'))!.range!.start.line).toBe(2);
	});

	test('text without a place cannot include by a relative path', () => {
		const report = new Report();
		readMjcf('<mujoco><include file="a.xml"/></mujoco>', { report, load: (file) => ({ file, content: '<x/>' }) });
		expect(codes(report)).toEqual(['MJCF002']);
	});

	test('classes inherit, and a named class replaces the one around it', () => {
		const document = read({
			'main.xml': `<mujoco><default><geom rgba="1 0 0 1" density="5"/>
				<default class="a"><geom density="6"/><default class="b"><geom margin="1"/></default></default>
				<default class="c"><geom friction="2"/></default></default>
				<worldbody><geom class="b" margin="3"/><geom class="nowhere"/></worldbody></mujoco>`,
		});
		const [first, second] = document.sections('worldbody')[0]!.children;
		const values = document.attributesOf(first!, 'c');
		expect(values.get('density')).toMatchObject({ text: '6', fromClass: 'a' });
		expect(values.get('margin')).toMatchObject({ text: '3' });
		expect(values.get('margin')!.fromClass).toBeUndefined();
		expect(values.get('rgba')!.fromClass).toBe('main');
		expect(values.has('friction')).toBe(false);
		expect(document.attributesOf(second!, 'c').get('friction')!.text).toBe('2');
	});

	test('later compiler elements count, bad settings are reported', () => {
		const report = new Report();
		const document = read(
			{
				'main.xml':
					'<mujoco><compiler angle="radian" eulerseq="zyx"/><compiler angle="degree" eulerseq="abc" boundmass="x" inertiagrouprange="2 4"/></mujoco>',
			},
			report,
		);
		expect(document.compiler).toMatchObject({ degree: true, eulerSequence: 'xyz', inertiaGroupRange: [2, 4] });
		expect(codes(report)).toEqual(['MJCF006', 'MJCF006']);
	});

	test('assets are looked for by the folders of their own file, then by those of the model', () => {
		const document = read({
			'main.xml': '<mujoco><compiler meshdir="m" strippath="true"/><include file="sub/b.xml"/></mujoco>',
			'sub/b.xml': '<x><compiler assetdir="own"/><asset><mesh file="x/y.stl"/></asset></x>',
		});
		const mesh = document.sections('asset')[0]!.children[0]!;
		const value = document.attributesOf(mesh).get('file')!;
		expect(document.assetPlaces(value, 'mesh')).toEqual([
			{ path: 'own/x/y.stl', from: 'sub/b.xml' },
			{ path: 'm/y.stl', from: 'main.xml' },
			{ path: 'm/y.stl', from: 'sub/b.xml' },
		]);
	});

	test('replications are copies with numbered names, and cannot explode', () => {
		const report = new Report();
		const document = read(
			{
				'main.xml':
					'<mujoco><worldbody><replicate count="2" sep="-"><replicate count="11"><geom name="g"/></replicate></replicate></worldbody></mujoco>',
			},
			report,
		);
		const names = [...document.elements()].flatMap((element) => (element.name === 'geom' ? [element.ownName] : []));
		expect(names).toHaveLength(22);
		expect(names[0]).toBe('g00-0');
		expect(names[21]).toBe('g10-1');
		const nested = '<replicate count="1000">'.repeat(6) + '</replicate>'.repeat(6);
		const bomb = readMjcf(`<mujoco><worldbody>${nested}</worldbody></mujoco>`, { report, maxElements: 5000 });
		expect([...bomb.elements()].length).toBeLessThan(6000);
		expect(codes(report)).toContain('MJCF023');
	});

	test('something else than MJCF is told', () => {
		const report = new Report();
		expect(readMjcf('<robot/>', { report }).root).toBeUndefined();
		expect(readMjcf('', { report }).root).toBeUndefined();
		expect(codes(report)).toEqual(['MJCF001', 'XML001']);
	});
});

describe('orientations', () => {
	const settings = { degree: true, eulerSequence: 'xyz' };
	const close = (actual: Float64Array | undefined, expected: readonly number[]): void => {
		expect(actual).toBeDefined();
		expected.forEach((value, i) => {
			expect(actual![i]).toBeCloseTo(value, 14);
		});
	};
	const half = Math.SQRT1_2;

	test('all five forms give the same quarter turn about z', () => {
		const expected = [0, 0, half, half];
		close(orientationQuaternion('quat', Float64Array.of(2, 0, 0, 2), settings), expected);
		close(orientationQuaternion('axisangle', Float64Array.of(0, 0, 3, 90), settings), expected);
		close(orientationQuaternion('euler', Float64Array.of(0, 0, 90), settings), expected);
		close(orientationQuaternion('xyaxes', Float64Array.of(0, 2, 0, -3, 1, 0), settings), expected);
		close(orientationQuaternion('zaxis', Float64Array.of(0, 0, 4), settings), [0, 0, 0, 1]);
	});

	test('upper-case axes of a sequence stay with the parent', () => {
		const angles = Float64Array.of(90, 90, 0);
		close(orientationQuaternion('euler', angles, settings), [0.5, 0.5, 0.5, 0.5]);
		close(orientationQuaternion('euler', angles, { degree: true, eulerSequence: 'XYZ' }), [0.5, 0.5, -0.5, 0.5]);
	});

	test('numbers that stand for no rotation give none', () => {
		expect(orientationQuaternion('quat', new Float64Array(4), settings)).toBeUndefined();
		expect(orientationQuaternion('axisangle', Float64Array.of(0, 0, 0, 1), settings)).toBeUndefined();
		expect(orientationQuaternion('xyaxes', Float64Array.of(1, 0, 0, 2, 0, 0), settings)).toBeUndefined();
		expect(orientationQuaternion('zaxis', new Float64Array(3), settings)).toBeUndefined();
		expect(orientationQuaternion('euler', new Float64Array(2), settings)).toBeUndefined();
	});

	test('a segment points from its second point to its first', () => {
		const frame = segmentFrame(Float64Array.of(0, 0, 1, 0, 0, 3))!;
		expect(Array.from(frame.position)).toEqual([0, 0, 2]);
		expect(frame.halfLength).toBe(1);
		close(frame.rotation, [1, 0, 0, 0]);
		expect(segmentFrame(new Float64Array(6))).toBeUndefined();
		close(zAxisQuaternion([1, 0, 0]), [0, half, 0, half]);
	});
});
