import { importMjcf } from '@manyworlds/import';
import { ModelBuilder } from '@manyworlds/model';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { importText } from './support.ts';

const body = (content: string): string => `<worldbody><body name="b"><joint name="j"/>${content}</body></worldbody>`;

describe('bad MJCF', () => {
	test('a missing mesh is reported where it is named, and the rest is imported', () => {
		const { report, builder } = importText(
			`<mujoco>\n<asset>\n<mesh name="m" file="no.stl"/></asset>${body('<geom type="mesh" mesh="m"/><geom size="1"/>')}</mujoco>`,
		);
		const [fault] = report.toArray();
		expect(fault).toMatchObject({ code: 'MJCF010', severity: 'error', file: 'robot.xml' });
		expect(fault!.range!.start.line).toBe(3);
		expect(fault!.message).toContain("'no.stl'");
		expect(builder.shapeCount).toBe(1);
	});

	test('a negative fitscale threw an error', () => {
		const mesh = '<mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 0 3 2 1 2 3"/>';
		const { codes, builder } = importText(
			`<asset>${mesh}</asset>${body('<geom type="box" mesh="m" fitscale="-2"/><geom size="1"/>')}`,
		);
		expect(codes).toEqual(['MJCF006']);
		expect(builder.shapeCount).toBe(1);
	});

	test('a file that is no mesh is reported', () => {
		const { codes } = importText(`<asset><mesh name="m" file="m.stl"/></asset>${body('<geom mesh="m"/>')}`, {
			files: { 'm.stl': 'hello' },
		});
		expect(codes).toContain('MJCF010');
	});

	test('files outside of the allowed folders are refused', () => {
		const { codes, builder } = importText(
			`<asset><mesh name="m" file="../../etc/passwd"/></asset><include file="/etc/passwd"/>${body('<geom mesh="m"/><geom size="1"/>')}`,
		);
		expect(codes).toEqual(['MJCF010', 'MJCF002']);
		expect(builder.bodyCount).toBe(1);
	});

	test('an include cycle is refused, and what was there before it stays', () => {
		const { codes, builder } = importText(`<include file="a.xml"/>${body('<geom size="1"/>')}`, {
			files: { 'robot.xml': '<mujoco/>', 'a.xml': '<x><include file="robot.xml"/><include file="a.xml"/></x>' },
		});
		expect(codes).toEqual(['MJCF003', 'MJCF003']);
		expect(builder.bodyCount).toBe(1);
	});

	test('unknown classes keep the defaults around', () => {
		const { codes, builder } = importText(
			`<default><geom margin="0.5"/></default>${body('<geom class="nope" size="1"/>')}`,
		);
		expect(codes).toEqual(['MJCF005']);
		expect(builder.column('shapeMargin')[0]).toBe(0.5);
	});

	test.each([
		['NaN in a position', '<geom size="1" pos="0 nan 0"/>'],
		['infinity in a size', '<geom size="inf"/>'],
		['a word for a number', '<geom size="1" mass="heavy"/>'],
		['too few numbers', '<geom size="1" pos="1 2"/>'],
		['a rotation of length zero', '<geom size="1" quat="0 0 0 0"/>'],
		['a negative size', '<geom size="-1"/>'],
	])('%s is reported and the default taken', (_, geom) => {
		const { report, builder } = importText(body(`${geom}<geom name="good" size="1"/>`));
		expect(report.counts.error).toBeGreaterThan(0);
		expect(report.toArray().every(({ range }) => range !== undefined)).toBe(true);
		expect(builder.labels('shape')).toContain('worldbody/b/good');
		expect([...builder.column('shapeTransform'), ...builder.column('shapeScale')].every(Number.isFinite)).toBe(true);
	});

	test('a free joint below a body becomes a fixed one', () => {
		const { codes, builder } = importText(body('<geom size="1"/><body name="c"><freejoint/><geom size="1"/></body>'));
		expect(codes).toEqual(['MJCF011']);
		expect(builder.bodyCount).toBe(2);
	});

	test('bad inertials leave the body to its geoms', () => {
		for (const inertial of [
			'<inertial pos="0 0 0" mass="1"/>',
			'<inertial pos="0 0 0" mass="1" diaginertia="1 2"/>',
			'<inertial pos="0 0 0" mass="1" fullinertia="1 2 3"/>',
			'<inertial pos="0 0 0" mass="-1" diaginertia="1 1 1"/>',
		]) {
			expect(importText(body(`${inertial}<geom size="1"/>`)).codes).toContain('MJCF012');
		}
	});

	test('references to nothing leave out what refers, and nothing else', () => {
		const { report, builder } = importText(
			`${body('<geom name="g" size="1" material="none"/><site name="s"/>')}
			<actuator><motor joint="no"/><motor name="ok" joint="j"/><position site="no"/></actuator>
			<tendon><fixed name="t"><joint joint="no"/></fixed><spatial><site site="no"/></spatial></tendon>
			<equality><connect body1="b" body2="no" anchor="0 0 0"/><connect site1="s" site2="no"/><joint joint1="no"/></equality>
			<contact><pair geom1="g" geom2="no"/><exclude body1="b" body2="no"/></contact>`,
		);
		expect(report.counts.error).toBe(0);
		expect(report.toArray().filter(({ code }) => code === 'MJCF009').length).toBeGreaterThanOrEqual(10);
		expect(builder.rowCount('mujoco:actuator')).toBe(1);
		expect(builder.rowCount('mujoco:tendon')).toBe(0);
		expect(builder.rowCount('mujoco:pair')).toBe(0);
	});

	test.each([
		['vertex="0 0 0 1"', 'multiple of 3'],
		['vertex="0 0 0 1 0 0 0 1 0" face="0 1 9"', 'vertex 9'],
		['vertex="0 0 0 1 0 0 0 1 0" face="0 1"', 'multiple of 3'],
		['vertex="0 0 0 1 0 0 0 1 0" normal="1 0 0"', 'normal'],
		['vertex="0 0 0 1 0 0 0 1 0" refquat="0 0 0 0"', 'refquat'],
		['vertex="0 0 0 1 0 0 0 1 0" texcoord="0 0"', 'has 2 texcoord numbers, expected 6'],
		['vertex="0 0 0 1 0 0 0 one 0"', 'has vertex data that is not numbers'],
		...['face', 'normal', 'texcoord', 'refpos', 'refquat'].map((name) => [
			`vertex="0 0 0 1 0 0 0 1 0" ${name}="0 one 2"`,
			`has ${name} data that is not numbers`,
		]),
	] as [string, string][])('an inline mesh with %s is refused', (mesh, part) => {
		const { report, builder } = importText(
			`<asset><mesh name="m" ${mesh}/></asset>${body('<geom type="mesh" mesh="m"/><geom size="1"/>')}`,
		);
		expect(report.toArray().find(({ code }) => code === 'MJCF013')!.message).toContain(part);
		expect(builder.shapeCount).toBe(1);
	});

	test.each([
		['0 0', [...new ModelBuilder().gravity]],
		['0 0 -5 1', [0, 0, -5]],
		['0 0 -5 0 0 0', [0, 0, -5]],
	])('a gravity of %s is told; what there is too much of is left', (numbers, expected) => {
		const { codes, builder } = importText(`<option gravity="${numbers}"/>${body('<geom size="1"/>')}`);
		expect(codes).toHaveLength(1);
		expect([...builder.gravity]).toEqual(expected);
	});

	test('heightfields that do not fit are reported', () => {
		const { codes } = importText(
			'<asset><hfield name="h" nrow="2" ncol="2" size="1 1 1 1" elevation="1 2 3"/></asset><worldbody><geom type="hfield" hfield="h"/></worldbody>',
		);
		expect(codes).toEqual(['MJCF013']);
	});

	test('a large model is read in one go', () => {
		const geoms = Array.from({ length: 5000 }, (_, i) => `<geom name="g${i}" size="0.1" pos="${i} 0 0"/>`).join('');
		const { builder, codes } = importText(`<worldbody>${geoms}</worldbody>`);
		expect(builder.shapeCount).toBe(5000);
		expect(codes).toEqual([]);
	});

	test('elements nested beyond reason are cut', () => {
		const { report } = importText(`<worldbody>${'<body>'.repeat(2000)}${'</body>'.repeat(2000)}</worldbody>`);
		expect(report.counts.error).toBeGreaterThan(0);
	});

	test('no text makes the importer throw', () => {
		const names = ['body', 'geom', 'joint', 'site', 'frame', 'inertial', 'freejoint', 'replicate', 'mesh', 'position'];
		const sections = [
			'worldbody',
			'asset',
			'default',
			'actuator',
			'tendon',
			'equality',
			'contact',
			'keyframe',
			'compiler',
		];
		const attributes = [
			'name',
			'class',
			'type',
			'size',
			'pos',
			'quat',
			'range',
			'mesh',
			'vertex',
			'count',
			'joint',
			'mass',
		];
		const values = [
			'',
			'a',
			'0',
			'1 2 3',
			'-1',
			'nan',
			'1e400',
			'mesh',
			'box',
			'hinge',
			'free',
			'0 0 0 0',
			'true',
			'1 0 0 0 1 0 0 0 1',
		];
		const element = (tag: string, inner: string): fc.Arbitrary<string> =>
			fc
				.array(fc.tuple(fc.constantFrom(...attributes), fc.constantFrom(...values)), { maxLength: 3 })
				.map((pairs) => `<${tag} ${[...new Map(pairs)].map(([k, v]) => `${k}="${v}"`).join(' ')}>${inner}</${tag}>`);
		const leaf = fc.constantFrom(...names).chain((tag) => element(tag, ''));
		const inner = fc.array(leaf, { maxLength: 4 }).map((parts) => parts.join(''));
		const middle = inner.chain((text) => fc.constantFrom(...names).chain((tag) => element(tag, text)));
		const section = fc
			.tuple(fc.constantFrom(...sections), fc.array(middle, { maxLength: 3 }))
			.map(([tag, parts]) => `<${tag}>${parts.join('')}</${tag}>`);
		fc.assert(
			fc.property(fc.array(section, { maxLength: 4 }), fc.boolean(), (parts, newtonCompat) => {
				const { ledger } = importMjcf(`<mujoco>${parts.join('')}</mujoco>`, new ModelBuilder(), { newtonCompat });
				const { used, converted, kept, ignored, total } = ledger.totals();
				expect(used + converted + kept + ignored).toBe(total);
			}),
			{ seed: 7, numRuns: 300 },
		);
	});
});
