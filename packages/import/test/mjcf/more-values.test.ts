import { encodePng } from '@manyworlds/image';
import { GeoType, type Heightfield, ModelBuilder, type ShapeMesh } from '@manyworlds/model';
import { MemoryStore } from '@manyworlds/usd';
import { describe, expect, test } from 'vitest';
import { importMjcf } from '../../src/index.ts';
import { compileMasks } from '../../src/mjcf/collision-masks.ts';
import { type Imported, importText, list } from './support.ts';

type Options = NonNullable<Parameters<typeof importText>[1]>;

const findings = ({ report }: Pick<Imported, 'report'>): string[] =>
	report.toArray().map(({ code, range, message }) => `${code} ${range?.start.line} ${message}`);
const values = (imported: Imported, name: string): number[] =>
	list(imported.builder.attributeValues(`mujoco:${name}`) as Float64Array);
const near = (found: ArrayLike<number>, expected: readonly number[], digits = 9): void => {
	expect(found.length).toBe(expected.length);
	for (const [i, value] of expected.entries()) expect(found[i], `number ${i}`).toBeCloseTo(value, digits);
};
const world = (content: string): string => `<worldbody>${content}</worldbody>`;

describe('heightfields', () => {
	const field = (attributes: string, files: Record<string, Uint8Array> = {}, options: Options = {}) => {
		const builder = new ModelBuilder();
		const text = `<mujoco><asset>\n<hfield name="h" ${attributes}/></asset>${world('<geom type="hfield" hfield="h"/><geom type="hfield" hfield="h"/>')}</mujoco>`;
		const result = importMjcf(text, builder, { store: new MemoryStore(files), file: 'r.xml', ...options });
		const shapes = list(builder.column('shapeType'));
		return {
			found: findings(result),
			shapes,
			field: shapes.length === 0 ? undefined : (builder.edits.shapeSource(0) as Heightfield),
			other: shapes.length === 0 ? undefined : builder.edits.shapeSource(1),
		};
	};
	const binary = (rows: number, columns: number, data: readonly number[], extra = 0): Uint8Array => {
		const bytes = new Uint8Array(8 + 4 * data.length + extra);
		const view = new DataView(bytes.buffer);
		view.setInt32(0, rows, true);
		view.setInt32(4, columns, true);
		for (const [i, value] of data.entries()) view.setFloat32(8 + 4 * i, value, true);
		return bytes;
	};

	test('are normed to 0 and 1, elevations of the file from the top', () => {
		const read = field('nrow="2" ncol="3" size="4 5 6 7" elevation="1 2 3 4 5 9"');
		expect(read.shapes).toEqual([GeoType.HFIELD, GeoType.HFIELD]);
		expect(read.other).toBe(read.field);
		expect(read.field).toMatchObject({ rows: 2, columns: 3, hx: 4, hy: 5, minZ: 0, maxZ: 6 });
		near(read.field!.data, [3 / 8, 4 / 8, 1, 0, 1 / 8, 2 / 8]);
		expect(field('nrow="2" ncol="2" size="4 5 6 7"', {}, { scale: 2 }).field).toMatchObject({
			hx: 8,
			hy: 10,
			maxZ: 12,
		});
		expect(list(field('nrow="2" ncol="2"').field!.data)).toEqual([0, 0, 0, 0]);
		expect(field('nrow="2" ncol="2"').field).toMatchObject({ hx: 1, hy: 1, maxZ: 1 });
		expect(field('nrow="2" ncol="2" size="4"').field).toMatchObject({ hx: 4, hy: 0, maxZ: 0 });
		expect(field('size="1 1 1 1"').field).toMatchObject({ rows: 100, columns: 100 });
		expect(list(field('nrow="1" ncol="2" elevation="3 3"').field!.data)).toEqual([0, 0]);
	});

	test('of files begin at the bottom', () => {
		const files = { 'h.bin': binary(2, 2, [1, 2, 3, 5]) };
		near(field('file="h.bin" size="1 1 1 1"', files).field!.data, [0, 0.25, 0.5, 1]);
		const bad = "MJCF010 2 file of hfield 'h' is 'h.bin', which holds no elevations that can be read";
		for (const bytes of [
			binary(2, 2, [1, 2, 3]),
			binary(2, 2, [1, 2, 3, 4], 1),
			binary(-2, -2, [1, 2, 3, 4]),
			binary(0, 4, []),
			binary(1, 2, [1, Number.NaN]),
			new Uint8Array(7),
			new Uint8Array(0),
		]) {
			const { found, shapes } = field('file="h.bin" size="1 1 1 1"', { 'h.bin': bytes });
			expect([found, shapes]).toEqual([[bad], []]);
		}
		expect(field('file="no.bin" size="1 1 1 1"').found).toEqual([
			"MJCF010 2 'no.bin' of <hfield> cannot be read: there is no such file",
		]);
	});

	test('of images are their brightness, the first row on top', () => {
		const image = (channels: 1 | 3 | 4, samples: readonly number[]): Uint8Array =>
			encodePng({ width: 2, height: 2, channels, samples: Uint8Array.from(samples) } as never);
		const grey = field('file="h.PNG" size="1 1 1 1"', { 'h.PNG': image(1, [0, 50, 100, 200]) });
		expect(grey.field).toMatchObject({ rows: 2, columns: 2 });
		near(grey.field!.data, [0.5, 1, 0, 0.25]);
		// luma of ITU-R 601, rounded: red 76, green 150, blue 29, white 255
		const colors = [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255];
		near(field('file="h.png" size="1 1 1 1"', { 'h.png': image(3, colors) }).field!.data, [
			0,
			1,
			(76 - 29) / 226,
			(150 - 29) / 226,
		]);
		expect(field('file="h.png" size="1 1 1 1"', { 'h.png': new Uint8Array(20) }).found).toEqual([
			"MJCF010 2 file of hfield 'h' is 'h.png', which holds no elevations that can be read",
		]);
	});

	test('without a grid are told of', () => {
		expect(field('nrow="0" ncol="3"')).toMatchObject({
			found: ["MJCF013 2 nrow of hfield 'h' is '0', with 3 columns makes no grid"],
			shapes: [],
		});
		expect(field('nrow="3" ncol="-1"').found).toEqual([
			"MJCF013 2 nrow of hfield 'h' is '3', with -1 columns makes no grid",
		]);
		expect(field('nrow="20000" ncol="20000"').shapes).toEqual([]);
		const short = field('nrow="2" ncol="2" elevation="0 1 2"');
		expect(short.found).toEqual(["MJCF013 2 nrow of hfield 'h' is '2', with 2 columns, but elevation has 3 numbers"]);
		expect(list(short.field!.data)).toEqual([0, 0, 0, 0]);
		expect(field('nrow="2" ncol="2" elevation="x"').found).toEqual([
			"MJCF013 2 nrow of hfield 'h' is '2', with 2 columns, but elevation has no numbers",
		]);
		expect(findings(importText(world('\n<geom type="hfield" hfield="no"/><geom name="g" type="hfield"/>')))).toEqual([
			"MJCF009 2 <geom> names the heightfield 'no', which the model does not have",
			"MJCF009 2 geom 'g' names the heightfield '', which the model does not have",
		]);
	});
});

describe('meshes of the asset section', () => {
	const TETRA = 'vertex="0 0 0 1 0 0 0 2 0 0 0 3" face="0 2 1 0 1 3 0 3 2 1 2 3"';
	const mesh = (
		attributes: string,
		options: Options = {},
		geom = '',
	): { found: string[]; mesh: ShapeMesh | undefined } & Imported => {
		const imported = importText(
			`<asset>\n<mesh ${attributes}/></asset>${world(`<body><geom type="mesh" mesh="m" ${geom}/></body>`)}`,
			options,
		);
		const { builder } = imported;
		return {
			...imported,
			found: findings(imported),
			mesh: builder.shapeCount === 0 ? undefined : (builder.edits.shapeSource(0) as ShapeMesh),
		};
	};

	test('that do not fit together are told of', () => {
		const lost = "MJCF009 1 <geom> names the mesh 'm', which the model does not have";
		const told = (attributes: string): string[] =>
			mesh(`name="m" ${attributes}`).found.filter((text) => !text.includes('names the mesh'));
		const text = (problem: string): string[] => [`MJCF013 2 name of mesh 'm' is 'm', ${problem}`];
		expect(mesh('name="m" vertex="0 0"').found).toContain(lost.replace(' 1 ', ' 2 '));
		expect(told('vertex="0 0 0 1"')).toEqual(text('has 4 vertex coordinates, expected a multiple of 3'));
		expect(told('vertex="0 0 0 1 0 0"')).toEqual(text('has 2 vertices, expected at least 3'));
		expect(told('vertex="a"')).toEqual(text('has vertex data that is not numbers'));
		expect(told(TETRA.replace('1 2 3"', '1 2"'))).toEqual(text('has 11 face indices, expected a multiple of 3'));
		expect(told(TETRA.replace('1 2 3"', '1 2 4"'))).toEqual(text('has a face with vertex 4, expected 0 to 3'));
		expect(told(TETRA.replace('1 2 3"', '1 2 -1"'))).toEqual(text('has a face with vertex -1, expected 0 to 3'));
		expect(told(TETRA.replace('1 2 3"', '1 2 1.5"'))).toEqual(text('has a face with vertex 1.5, expected 0 to 3'));
		expect(told(`${TETRA} normal="1 2 3"`)).toEqual(text('has 3 normal numbers, expected 12: 3 for each vertex'));
		expect(told(`${TETRA} texcoord="1 2 3"`)).toEqual(text('has 3 texcoord numbers, expected 8: 2 for each vertex'));
		expect(told(`${TETRA} refpos="1 2"`)).toEqual(text('has a refpos that is not 3 numbers'));
		expect(told(`${TETRA} refquat="1 2 3"`)).toEqual(text('has a refquat that is not 4 numbers'));
		expect(told(`${TETRA} refquat="0 0 0 0"`)).toEqual(text('has a refquat of length zero'));
		expect(told(TETRA)).toEqual([]);
		expect(mesh(TETRA).found[0]).toBe('MJCF013 2 a mesh with vertices has no name, expected one');
		expect(mesh('name="m"').found[0]).toBe("MJCF013 2 mesh 'm' has neither a file nor vertices");
		expect(mesh('name="m" builtin="sphere"').found[0]).toBe("MJCF008 2 mesh 'm' has neither a file nor vertices");
		expect(mesh(`name="m" ${TETRA} inertia="odd"`).found).toEqual([
			"MJCF006 2 inertia of mesh 'm' is 'odd', expected legacy, exact, convex, shell",
		]);
		expect(mesh(`name="m" ${TETRA} maxhullvert="5.5"`).found).toEqual([
			"MJCF006 2 maxhullvert of mesh 'm' is '5.5', expected a whole number",
		]);
	});

	test('are moved to their reference frame, then scaled', () => {
		const turned = mesh(
			`name="m" ${TETRA} refpos="1 0 0" refquat="1 0 0 1" scale="2 3 4" normal="1 0 0 1 0 0 1 0 0 0 0 2"`,
		);
		// a quarter about z takes x to y; seen from the frame x is -y
		near(
			turned.mesh!.vertices,
			[0, 3, 0, 0, 0, 0, 4, 3, 0, 0, 3, 12].map((x, i) => (i === 1 || i === 7 || i === 10 ? 3 : x)),
			6,
		);
		near(turned.mesh!.normals!, [0, -1, 0, 0, -1, 0, 0, -1, 0, 0, 0, 1]);
		const compat = mesh(`name="m" ${TETRA} refpos="1 0 0" refquat="2 0 0 2" scale="2 3 4"`, { newtonCompat: true });
		near(compat.mesh!.vertices, list(turned.mesh!.vertices), 5);
		const tilted = mesh(`name="m" ${TETRA} refpos="0.1 0.2 0.3" refquat="0.5 0.1 0.7 0.5"`);
		near(
			mesh(`name="m" ${TETRA} refpos="0.1 0.2 0.3" refquat="0.5 0.1 0.7 0.5"`, { newtonCompat: true }).mesh!.vertices,
			list(tilted.mesh!.vertices),
			6,
		);
		// distances stay
		const v = tilted.mesh!.vertices;
		expect(Math.hypot(v[3]! - v[0]!, v[4]! - v[1]!, v[5]! - v[2]!)).toBeCloseTo(1, 12);
	});

	test('without faces are their hull, with what belongs to its vertices', () => {
		const points = '0 0 0 1 0 0 0.1 0.1 0.1 0 2 0 0 0 3';
		const hull = mesh(
			`name="m" vertex="${points}" normal="1 0 0 0 1 0 0 0 1 1 0 0 0 1 0" texcoord="1 2 3 4 5 6 7 8 9 10"`,
		);
		const { vertices, normals, uvs, indices } = hull.mesh!;
		expect(vertices.length).toBe(12);
		expect(indices.length).toBe(12);
		const source = new Map([
			['0,0,0', [1, 0, 0, 1, 2]],
			['1,0,0', [0, 1, 0, 3, 4]],
			['0,2,0', [1, 0, 0, 7, 8]],
			['0,0,3', [0, 1, 0, 9, 10]],
		]);
		for (let i = 0; i < 4; i++) {
			const at = list(vertices.slice(3 * i, 3 * i + 3)).join();
			expect([...list(normals!.slice(3 * i, 3 * i + 3)), ...list(uvs!.slice(2 * i, 2 * i + 2))]).toEqual(
				source.get(at),
			);
		}
		const cube = Array.from({ length: 8 }, (_, i) => [i & 1, (i >> 1) & 1, i >> 2].join(' ')).join(' ');
		expect(mesh(`name="m" vertex="${cube}"`).mesh!.vertices.length).toBe(24);
		expect(mesh(`name="m" vertex="${cube}" maxhullvert="4"`).mesh!.vertices.length).toBe(12);
		expect(mesh(`name="m" vertex="${cube}" maxhullvert="3"`).mesh!.vertices.length).toBe(24);
	});

	test('weigh as MuJoCo means it', () => {
		const mass = (attributes: string, geom = '', options: Options = {}): number =>
			mesh(`name="m" ${TETRA} ${attributes}`, options, geom).builder.column('bodyMass')[0]!;
		expect(mass('')).toBeCloseTo(1000, 8);
		expect(mass('', 'density="5"')).toBeCloseTo(5, 10);
		expect(mass('', 'mass="7"')).toBeCloseTo(7, 12);
		expect(mass('', 'mass="0"')).toBe(0);
		expect(mass('', 'density="0"')).toBe(0);
		expect(mass('scale="2 2 2"')).toBeCloseTo(8000, 7);
		// a mirroring scale turns the triangles over
		expect(mass('scale="-1 1 1" inertia="exact"')).toBeCloseTo(1000, 8);
		expect(mass('', '', { scale: 2 })).toBeCloseTo(8000, 7);
		// the area of a shell: three right triangles and the slanted one
		const area = 1 + 1.5 + 3 + 3.5;
		expect(mass('', 'shellinertia="true" density="1"')).toBeCloseTo(area, 9);
		expect(mass('inertia="shell"', 'density="1"')).toBeCloseTo(area, 9);
		expect(mass('', '', { newtonCompat: true })).toBeCloseTo(1000, 3);
	});

	test('are found by the name of their file, and of two the last counts', () => {
		const files = { 'a.b.obj': 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n' };
		const named = importText(`<asset><mesh file="a.b.obj"/></asset>${world('<geom type="mesh" mesh="a.b"/>')}`, {
			files,
		});
		expect(findings(named)).toEqual([]);
		const twice = importText(
			`<asset>\n<mesh name="m" ${TETRA}/>\n<mesh name="m" ${TETRA} scale="2 2 2"/>\n<material name="w" rgba="1 0 0 1"/>\n<material name="w" rgba="0 1 0 0.5"/>\n<hfield name="h" nrow="2" ncol="2"/>\n<hfield name="h" nrow="3" ncol="3"/></asset>${world('<geom type="mesh" mesh="m" material="w"/>')}`,
		);
		expect(findings(twice)).toEqual([
			"MJCF017 3 the mesh 'm' is given twice; the last counts",
			"MJCF017 5 the material 'w' is given twice; the last counts",
			"MJCF017 7 the heightfield 'h' is given twice; the last counts",
		]);
		expect(list(twice.builder.column('shapeColor'))).toEqual([0, 1, 0]);
		expect(list(twice.builder.column('shapeOpacity'))).toEqual([0.5]);
		expect((twice.builder.edits.shapeSource(0) as ShapeMesh).vertices[3]).toBe(2);
	});

	test('have the materials that their files name', () => {
		const obj = 'mtllib m.mtl\nusemtl red\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n';
		const text = `<asset><mesh name="m" file="sub/m.obj"/></asset>${world('<geom type="mesh" mesh="m"/>')}`;
		const color = (files: Record<string, string>): unknown =>
			(importText(text, { files }).builder.edits.shapeSource(0) as ShapeMesh).color;
		expect(color({ 'sub/m.obj': obj, 'sub/m.mtl': 'newmtl red\nKd 1 0 0\n' })).toEqual([1, 0, 0]);
		expect(color({ 'sub/m.obj': obj })).toBeUndefined();
		expect(color({ 'sub/m.obj': obj.replace('m.mtl', '../../m.mtl') })).toBeUndefined();
	});

	test('cannot be read without a store, or while they are not loaded', () => {
		const text = `<mujoco><asset>\n<mesh name="m" file="m.obj"/></asset>${world('<geom type="mesh" mesh="m"/><geom type="mesh" mesh="m"/>')}</mujoco>`;
		const told = (store?: Parameters<typeof importMjcf>[2]): string[] =>
			findings(importMjcf(text, new ModelBuilder(), store));
		expect(told({ file: 'r.xml' })).toEqual([
			"MJCF010 2 'm.obj' of <mesh> cannot be read: other files cannot be read here",
		]);
		const identify = (path: string) => ({ identifier: path });
		expect(told({ store: { identify, bytes: () => undefined } })).toEqual([
			"MJCF010 2 'm.obj' of <mesh> cannot be read: it is not loaded yet",
		]);
		expect(told({ store: { identify, bytes: () => ({ failure: 'the disk is gone' }) } })).toEqual([
			"MJCF010 2 'm.obj' of <mesh> cannot be read: the disk is gone",
		]);
		expect(
			told({ store: { identify: () => ({ identifier: '', refusal: 'it is secret' }), bytes: () => undefined } }),
		).toEqual(["MJCF010 2 'm.obj' of <mesh> cannot be read: it is secret"]);
		const include = importMjcf('<mujoco>\n<include file="x.xml"/></mujoco>', new ModelBuilder(), {
			file: 'r.xml',
			store: { identify: () => ({ identifier: '', refusal: 'it is secret' }), bytes: () => undefined },
		});
		expect(findings(include)).toHaveLength(1);
		expect(findings(include)[0]).toContain('it is secret');
	});

	test('that are turned are fitted by boxes of the same inertia', () => {
		let state = 5;
		const next = (): number => {
			state = (Math.imul(state, 1103515245) + 12345) >>> 0;
			return (state >>> 8) / 2 ** 23 - 1;
		};
		for (let round = 0; round < 12; round++) {
			const points = Array.from({ length: 12 }, () => next() * 2)
				.map((x) => x.toFixed(3))
				.join(' ');
			const { builder } = importText(
				`<asset><mesh name="m" vertex="${points}" inertia="convex"/></asset>${world('<body><geom type="box" mesh="m"/></body><body><geom type="mesh" mesh="m"/></body>')}`,
			);
			const inertias = builder.column('bodyInertia');
			const masses = builder.column('bodyMass');
			const ratio = masses[0]! / masses[1]!;
			for (let i = 0; i < 9; i++)
				expect(inertias[i]! / ratio / inertias[9]!).toBeCloseTo(inertias[9 + i]! / inertias[9]!, 4);
			near(builder.column('bodyCom').slice(0, 3), list(builder.column('bodyCom').slice(3)), 5);
		}
	});

	test('are fitted by primitives', () => {
		const box = 'vertex="-1 -2 -3 1 -2 -3 -1 2 -3 1 2 -3 -1 -2 3 1 -2 3 -1 2 3 1 2 3"';
		const fit = (type: string, compiler = '', geom = '', options: Options = {}): number[] => {
			const { builder } = importText(
				`<compiler ${compiler}/><asset><mesh name="m" ${box} refpos="-5 0 0"/></asset>${world(`<geom type="${type}" mesh="m" ${geom}/>`)}`,
				options,
			);
			return list(builder.column('shapeScale'));
		};
		const bounds = 'fitaabb="true"';
		expect(fit('sphere', bounds)).toEqual([3, 0, 0]);
		expect(fit('capsule', bounds)).toEqual([2, 1, 0]);
		expect(fit('cylinder', bounds)).toEqual([2, 3, 0]);
		expect(fit('box', bounds)).toEqual([1, 2, 3]);
		expect(fit('ellipsoid', bounds)).toEqual([1, 2, 3]);
		expect(fit('box', bounds, 'fitscale="2"')).toEqual([2, 4, 6]);
		near(fit('sphere'), [2, 0, 0], 6);
		// half of the radius is taken off the length
		near(fit('capsule'), [1.5, 3 - 0.75, 0], 6);
		near(fit('cylinder'), [1.5, 3, 0], 6);
		near(fit('box'), [1, 2, 3], 6);
		near(fit('box', '', 'fitscale="2"'), [2, 4, 6], 6);
		near(fit('box', '', '', { newtonCompat: true }), [1, 2, 3], 5);
		const flat = importText(
			`<asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2"/></asset>${world('\n<geom type="box" mesh="m"/>')}`,
		);
		expect(findings(flat)).toEqual([
			"MJCF010 2 mesh of <geom> is 'm', which has no volume that a primitive could be fitted to",
		]);
		const low = importText(
			`<compiler fitaabb="true"/><asset><mesh name="m" vertex="0 0 0 2 0 0 0 4 0 0 0 1"/></asset>${world('<geom type="capsule" mesh="m"/>')}`,
		);
		expect(list(low.builder.column('shapeScale'))).toEqual([2, 0, 0]);
		expect(list(low.builder.column('shapeTransform').slice(0, 3))).toEqual([1, 2, 0.5]);
	});
});

describe('geoms', () => {
	test.each([
		['sphere', '2', [2, 0, 0]],
		['capsule', '2 3', [2, 3, 0]],
		['cylinder', '2 3', [2, 3, 0]],
		['ellipsoid', '2 3 4', [2, 3, 4]],
		['box', '2 3 4', [2, 3, 4]],
		['sphere', '2 9 9', [2, 0, 0]],
	])('of type %s with size %s', (type, size, expected) => {
		const { builder, codes } = importText(world(`<geom type="${type}" size="${size}"/>`));
		expect(codes).toEqual([]);
		expect(list(builder.column('shapeScale'))).toEqual(expected);
	});

	test('say what is wrong with their size', () => {
		const read = (attributes: string) => {
			const imported = importText(world(`\n<geom ${attributes}/>`));
			return [findings(imported), list(imported.builder.column('shapeScale'))];
		};
		expect(read('type="box" size="2"')).toEqual([
			["MJCF006 2 size of <geom> is '2', expected 3 numbers; the one counts for all"],
			[2, 2, 2],
		]);
		expect(read('type="capsule" size="2"')).toEqual([
			["MJCF006 2 size of <geom> is '2', expected 2 numbers; the one counts for all"],
			[2, 2, 0],
		]);
		expect(read('type="box" size="2 3"')).toEqual([["MJCF006 2 size of <geom> is '2 3', expected 3 numbers"], []]);
		expect(read('type="box"')).toEqual([
			['MJCF006 2 size of <geom>: there is none, expected one; the size is 1 m'],
			[1, 1, 1],
		]);
		expect(read('type="plane"')[0]).toEqual([]);
		expect(read('type="sphere" size="-1"')).toEqual([
			["MJCF006 2 size of <geom> is '-1', expected no negative number"],
			[],
		]);
		expect(read('type="sphere" size="x"')).toEqual([["MJCF006 2 size of <geom> is 'x', expected finite numbers"], []]);
		expect(read('type="sphere" size="1 2 3 4"')[0]).toEqual([
			"MJCF006 2 size of <geom> is '1 2 3 4', expected 1 to 3 numbers",
		]);
		expect(read('type="wedge" size="1"')).toEqual([
			[
				"MJCF006 2 type of <geom> is 'wedge', expected one of plane, hfield, sphere, capsule, ellipsoid, cylinder, box, mesh, sdf",
			],
			[],
		]);
	});

	test('lie along their end points', () => {
		const read = (attributes: string, options: Options = {}, frame = '') => {
			const imported = importText(world(`<frame ${frame}><geom ${attributes}/></frame>`), options);
			const { builder } = imported;
			return {
				found: findings(imported),
				size: list(builder.column('shapeScale')),
				pose: list(builder.column('shapeTransform')),
			};
		};
		const segment = 'fromto="1 0 0 1 0 4" size="0.5"';
		for (const [type, size] of [
			['capsule', [0.5, 2, 0]],
			['cylinder', [0.5, 2, 0]],
			['box', [0.5, 0.5, 2]],
			['ellipsoid', [0.5, 0.5, 2]],
		] as const) {
			const { size: found, pose } = read(`type="${type}" ${segment}`);
			expect(found).toEqual(size);
			near(pose.slice(0, 3), [1, 0, 2]);
			const scaled = read(`type="${type}" ${segment}`, { scale: 2 });
			expect(scaled.size).toEqual(size.map((x) => 2 * x));
			near(scaled.pose.slice(0, 3), [2, 0, 4]);
			near(read(`type="${type}" ${segment}`, {}, 'pos="0 0 1"').pose.slice(0, 3), [1, 0, 3]);
		}
		// Newton reads segments of capsules and cylinders only
		expect(read(`type="box" ${segment} pos="7 8 9"`, { newtonCompat: true })).toMatchObject({
			size: [0.5, 0.5, 0.5],
			pose: [7, 8, 9, 0, 0, 0, 1],
		});
		const compat = read(`type="capsule" ${segment}`, { newtonCompat: true }, 'pos="0 0 1" euler="0 90 0"');
		expect(compat.size).toEqual([0.5, 2, 0]);
		// a quarter about y takes z to x and x to -z
		near(compat.pose.slice(0, 3), [2, 0, 0]);
		const point = read('type="capsule" fromto="1 2 3 1 2 3" size="0.5"', { scale: 2 });
		expect(point.found).toEqual(["MJCF015 1 fromto of <geom> is '1 2 3 1 2 3', expected two different points"]);
		near(point.pose, [2, 4, 6, 0, 0, 0, 1]);
		expect(point.size).toEqual([1, 0, 0]);
		expect(read('type="capsule" fromto="1 2 3" size="0.5"').size).toEqual([]);
		expect(read(`type="sphere" ${segment} pos="7 8 9"`).pose.slice(0, 3)).toEqual([7, 8, 9]);
	});

	test('have a margin less the gap where the old meaning is asked for', () => {
		const read = (attributes: string, options: Options = {}) => {
			const imported = importText(world(`\n<geom name="g" size="1" ${attributes}/>`), options);
			return [findings(imported), imported.builder.column('shapeMargin')[0], imported.builder.column('shapeGap')[0]];
		};
		expect(read('margin="3" gap="1"')).toEqual([[], 3, 1]);
		expect(read('margin="3" gap="1"', { scale: 2 })).toEqual([[], 6, 2]);
		expect(read('margin="3" gap="1"', { legacyMarginGap: true })).toEqual([[], 2, 1]);
		expect(read('margin="3"', { legacyMarginGap: true }).slice(0, 2)).toEqual([[], 3]);
		expect(read('margin="1" gap="3"', { legacyMarginGap: true })).toEqual([
			["MJCF019 2 margin of geom 'worldbody/g' less its gap is -2 m, expected 0 or more"],
			-2,
			3,
		]);
	});

	test('have colours with an opacity from 0 to 1', () => {
		const read = (rgba: string) => {
			const imported = importText(world(`\n<geom size="1" rgba="${rgba}"/>`));
			return [
				findings(imported),
				list(imported.builder.column('shapeColor')),
				list(imported.builder.column('shapeOpacity')),
			];
		};
		expect(read('0.1 0.2 0.3 0.4')).toEqual([[], [0.1, 0.2, 0.3], [0.4]]);
		expect(read('0.1 0.2 0.3')).toEqual([[], [0.1, 0.2, 0.3], [1]]);
		expect(read('0.1 0.2 0.3 4')).toEqual([
			['MJCF019 2 opacity of <geom> is 4, expected 0 to 1; 1 is taken'],
			[0.1, 0.2, 0.3],
			[1],
		]);
		expect(read('0.1 0.2 0.3 -4')).toEqual([
			['MJCF019 2 opacity of <geom> is -4, expected 0 to 1; 0 is taken'],
			[0.1, 0.2, 0.3],
			[0],
		]);
		expect(findings(importText(world('\n<geom size="1" material="no"/>')))).toEqual([
			"MJCF009 2 material of <geom> is 'no', which the model does not have",
		]);
	});

	test('weigh only in the groups of the compiler', () => {
		const mass = (group: number): number =>
			importText(
				`<compiler inertiagrouprange="1 2"/>${world(`<body><geom size="1" mass="5" group="${group}"/></body>`)}`,
			).builder.column('bodyMass')[0]!;
		expect([0, 1, 2, 3].map(mass)).toEqual([0, 5, 5, 0]);
	});
});

describe('tendons and equalities', () => {
	const MODEL = `<worldbody><site name="s"/><geom name="g" size="1"/><geom name="x" size="1"/><site name="x"/><body name="a"><joint name="j-1"/><geom size="1"/><site name="t" pos="1 2 3" euler="0 0 90"/></body><body name="b" pos="1 0 0"><joint name="k" type="slide"/><geom size="1"/></body></worldbody>`;

	test('of a fixed tendon are its joints with their factors', () => {
		const imported = importText(
			`${MODEL}<tendon>\n<fixed name="one"><joint joint="j-1"/><joint joint="k" coef="-2"/></fixed>\n<fixed name="two"><joint joint="k" coef="3"/></fixed><fixed name="two"><joint joint="k"/></fixed>\n<fixed name="none"><joint joint="no"/></fixed></tendon>`,
		);
		expect(values(imported, 'tendon_joint')).toEqual([0, 1, 1, 1]);
		expect(values(imported, 'tendon_coef')).toEqual([1, -2, 3, 1]);
		expect(values(imported, 'tendon_joint_adr')).toEqual([0, 2, 3]);
		expect(values(imported, 'tendon_joint_num')).toEqual([2, 1, 1]);
		expect(imported.tendons).toEqual(
			new Map([
				['one', 0],
				['two', 2],
			]),
		);
		expect(findings(imported)).toEqual([
			"MJCF017 3 there are two tendons 'two'; references mean the last",
			"MJCF009 4 fixed 'none' has no joint of the model; it is left out",
			"MJCF009 4 joint of <joint> is 'no', expected a joint of the model",
		]);
		const merged = importText(
			`<worldbody><body><joint name="a"/><joint name="b"/><geom size="1"/></body></worldbody><tendon>\n<fixed><joint joint="a"/></fixed></tendon><equality>\n<joint joint1="b"/></equality>`,
			{ newtonCompat: true },
		);
		expect(findings(merged)).toEqual([
			"MJCF018 2 joint of <joint> is 'a', one of several joints that are one here: the tendon cannot tell which",
			"MJCF018 3 joint1 of <joint> is 'b', one of several joints that are one here: the constraint cannot tell which",
		]);
	});

	test('of a spatial tendon are its points', () => {
		const imported = importText(
			`${MODEL}<tendon><spatial name="p"><site site="s"/><geom geom="x"/><pulley divisor="2"/><pulley/><geom geom="g" sidesite="t"/><site site="x"/></spatial>\n<spatial name="q"><site site="no"/><bead/></spatial>\n<spatial name="r"><geom geom="g" sidesite="no"/></spatial></tendon>`,
		);
		const [s, g, x, xs, t] = ['s', 'g', 'x', 'x', 't'].map(
			(name, i) => (i === 0 || i > 2 ? imported.sites : imported.geoms).get(name)!,
		);
		expect(values(imported, 'tendon_wrap_type')).toEqual([0, 1, 2, 2, 1, 0, 1]);
		expect(values(imported, 'tendon_wrap_shape')).toEqual([s, x, -1, -1, g, xs, g]);
		expect(values(imported, 'tendon_wrap_sidesite')).toEqual([-1, -1, -1, -1, t, -1, -1]);
		expect(values(imported, 'tendon_wrap_prm')).toEqual([0, 0, 2, 0, 0, 0, 0]);
		expect(values(imported, 'tendon_wrap_num')).toEqual([6, 1]);
		expect(findings(imported)).toEqual([
			"MJCF009 2 spatial 'q' has no point of the model; it is left out",
			"MJCF009 2 site of <site> is 'no', which the model does not have, in spatial 'q'",
			"MJCF007 2 <bead> stands in spatial 'q', expected site, geom or pulley",
			"MJCF009 3 sidesite of <geom> is 'no', which the model does not have, in spatial 'r'",
		]);
	});

	test.each(['world', 'type', 'joint_adr', 'joint_num', 'wrap_adr', 'wrap_num', 'articulation'])(
		'tendons have their own %s, whatever their element says',
		(name) => {
			const fixed = (more: string): Imported =>
				importText(`${MODEL}<tendon><fixed name="t" ${more}><joint joint="k"/></fixed></tendon>`);
			expect(values(fixed(`${name}="7"`), `tendon_${name}`)).toEqual(values(fixed(''), `tendon_${name}`));
		},
	);

	test.each([
		['solref', '0.5 1 2'],
		['solimp', '0.1 0.2 0.3 0.4 0.5 0.6'],
		['polycoef', '1 2 3 4 5 6'],
	])('of tendons with too many numbers of %s are told', (name, numbers) => {
		const imported = importText(
			`${MODEL}<tendon><fixed name="t"><joint joint="k"/></fixed></tendon><equality>\n<tendon tendon1="t" ${name}="${numbers}"/></equality>`,
		);
		expect(findings(imported)).toHaveLength(1);
		expect(findings(imported)[0]).toContain(`2 ${name} of `);
	});

	test('of tendons have the defaults of equalities', () => {
		const imported = importText(
			`<default><equality solref="0.3 2"/></default>${MODEL}<tendon><fixed name="t"><joint joint="k"/></fixed></tendon><equality><tendon tendon1="t"/></equality>`,
		);
		near(values(imported, 'tendon_equality_solref'), [0.3, 2]);
	});

	test('of tendons have the numbers of the solver', () => {
		const tendons =
			'<tendon><fixed name="t1"><joint joint="k"/></fixed><fixed name="t2"><joint joint="k"/></fixed></tendon>';
		const imported = importText(
			`${MODEL}${tendons}<equality>\n<tendon name="e" tendon1="t1" tendon2="t2" polycoef="1 2" solref="0.5" solimp="0.1 0.2" active="false"/><tendon tendon1="t2"/>\n<tendon tendon2="t1"/><tendon tendon1="no"/><tendon tendon1="t1" tendon2="no"/></equality>`,
		);
		expect(values(imported, 'tendon_equality_tendon1')).toEqual([0, 1]);
		expect(values(imported, 'tendon_equality_tendon2')).toEqual([1, -1]);
		expect(values(imported, 'tendon_equality_polycoef')).toEqual([1, 2, 0, 0, 0, 0, 1, 0, 0, 0]);
		near(values(imported, 'tendon_equality_solref'), [0.5, 1, 0.02, 1]);
		near(values(imported, 'tendon_equality_solimp'), [0.1, 0.2, 0.001, 0.5, 2, 0.9, 0.95, 0.001, 0.5, 2]);
		expect(values(imported, 'tendon_equality_enabled')).toEqual([0, 1]);
		expect(findings(imported)).toEqual([
			'MJCF009 3 <tendon> names no tendon1',
			"MJCF009 3 tendon1 of <tendon> is 'no', which the model does not have; it is left out",
			"MJCF009 3 tendon2 of <tendon> is 'no', which the model does not have; it is left out",
		]);
		for (const options of [{ newtonCompat: true }, { skipEqualityConstraints: true }]) {
			expect(
				importText(`${MODEL}${tendons}<equality><tendon tendon1="t1"/></equality>`, options).builder.rowCount(
					'mujoco:tendon_equality',
				),
			).toBe(0);
		}
	});

	test('of tendons take a single coefficient as the offset', () => {
		const imported = importText(
			`${MODEL}<tendon><fixed name="t1"><joint joint="k"/></fixed></tendon><equality><tendon tendon1="t1" polycoef="0.25"/></equality>`,
		);
		expect(values(imported, 'tendon_equality_polycoef')).toEqual([0.25, 0, 0, 0, 0]);
		expect(findings(imported)).toEqual([]);
	});

	test('of bodies hold a point or a pose', () => {
		const hold = (text: string, options: Options = {}) => {
			const imported = importText(`${MODEL}<equality>\n${text}</equality>`, {
				convertMjcEqualityConstraints: false,
				...options,
			});
			const column = (name: 'Body1' | 'Body2' | 'Anchor' | 'Relpose' | 'Torquescale'): number[] =>
				list(imported.builder.column(`equalityConstraint${name}`));
			return { column, found: findings(imported), joints: imported.builder.jointCount };
		};
		const connect = hold('<connect body1="a" body2="b" anchor="1 2 3"/>', { scale: 2 });
		expect([connect.column('Body1'), connect.column('Body2'), connect.column('Anchor')]).toEqual([[0], [1], [2, 4, 6]]);
		expect(hold('<connect body1="a" anchor="1 2 3"/>').column('Body2')).toEqual([-1]);
		expect(hold('<connect body1="a" body2="world" anchor="1 2 3"/>').column('Body2')).toEqual([-1]);
		const weld = hold('<weld body1="a" body2="b" relpose="1 2 3 2 0 0 2" torquescale="5"/>', { scale: 2 });
		near(weld.column('Relpose'), [2, 4, 6, 0, 0, Math.SQRT1_2, Math.SQRT1_2]);
		expect(weld.column('Torquescale')).toEqual([5]);
		expect(
			hold('<weld body1="a" body2="b" relpose="1 2 3 2 0 0 2"/>', { scale: 2, newtonCompat: true }).column('Relpose'),
		).toEqual([1, 2, 3, 0, 0, 2, 2]);
		expect(hold('<weld body1="a" body2="b" relpose="1 2 3 0 0 0 0"/>').column('Relpose')).toEqual([
			1, 2, 3, 0, 0, 0, 0,
		]);
		expect(hold('<weld body1="a" body2="b"/>').column('Relpose')).toEqual([0, 1, 0, 0, 0, 0, 0]);
		expect(hold('<weld body1="a" body2="b"/>').column('Torquescale')).toEqual([1]);
		expect(hold('<connect body1="a" body2="b" anchor="0 0 0"/>').column('Torquescale')).toEqual([0]);
		// body 2 in body 1 when the site of the arm lies on that of the world
		const sites = hold('<weld site1="t" site2="s"/>');
		near(sites.column('Relpose'), [1, 2, 3, 0, 0, Math.SQRT1_2, Math.SQRT1_2]);
		expect([sites.column('Body1'), sites.column('Body2'), sites.column('Anchor')]).toEqual([[0], [-1], [0, 0, 0]]);
		near(hold('<connect site1="t" site2="s"/>').column('Anchor'), [1, 2, 3]);
		expect(hold('<connect body1="a"/>').found).toEqual([
			'MJCF009 2 <connect> has no anchor, expected the point that it holds',
		]);
		expect(hold('<weld body1="no" body2="b"/>').found).toEqual([
			"MJCF009 2 body1 of <weld> is 'no', which the model does not have; the world is taken",
		]);
		expect(hold('<weld site1="no" site2="s"/>').found).toEqual([
			"MJCF009 2 <weld> names the site 'no', which the model does not have",
		]);
		expect(hold('<weld site1="s"/>').found).toEqual(['MJCF009 2 <weld> has neither bodies nor site2']);
		expect(hold('<weld/>').found).toEqual(['MJCF009 2 <weld> has neither bodies nor site1']);
		const convert = { convertMjcEqualityConstraints: true };
		expect(hold('<weld body1="a" body2="a"/>', convert)).toMatchObject({
			found: ['MJCF009 2 <weld> holds a body to itself, expected two bodies'],
			joints: 2,
		});
		expect(hold('<weld body1="world" body2="world"/>', convert)).toMatchObject({
			found: ['MJCF009 2 <weld> holds no body, expected at least one'],
			joints: 2,
		});
		expect(hold('<weld body1="a" body2="b"/>', convert).joints).toBe(3);
	});

	test('of joints are polynomials, and mimic constraints where they can be', () => {
		const couple = (text: string, options: Options = {}) => {
			const imported = importText(`${MODEL}<equality>\n${text}</equality>`, options);
			return {
				found: findings(imported),
				coefficients: list(imported.builder.column('equalityConstraintPolycoef')),
				mimics: list(imported.builder.column('constraintMimicCoef1')),
			};
		};
		expect(couple('<joint joint1="j-1" joint2="k" polycoef="1 2"/>')).toEqual({
			found: [],
			coefficients: [1, 2, 0, 0, 0],
			mimics: [2],
		});
		expect(couple('<joint joint1="j-1" joint2="k"/>')).toEqual({
			found: [],
			coefficients: [0, 1, 0, 0, 0],
			mimics: [1],
		});
		expect(couple('<joint joint1="j-1"/>').mimics).toEqual([]);
		expect(couple('<joint joint1="k" joint2="k"/>').mimics).toEqual([]);
		expect(couple('<joint joint1="j-1" joint2="k"/>', { convertMjcEqualityConstraints: false }).mimics).toEqual([]);
		expect(couple('<joint name="e" joint1="j-1" joint2="k" polycoef="1 2 3"/>').found).toEqual([
			"MJCF018 2 polycoef of joint 'e' is '1 2 3', of which the mimic constraint 'e' has the first two; the rest is kept for MuJoCo",
		]);
		expect(couple('<joint joint1="j-1" joint2="k" polycoef="1 2 0 0 5"/>').found).toHaveLength(1);
		expect(couple('<joint joint2="k"/>')).toMatchObject({
			found: ['MJCF009 2 <joint> names no joint1'],
			coefficients: [],
		});
		expect(couple('<joint joint1="no" joint2="k"/>').found).toEqual([
			"MJCF009 2 joint1 of <joint> is 'no', which the model does not have",
		]);
	});
});

describe('masks', () => {
	/** Whether two shapes collide by groups and listed pairs, against the masks themselves. */
	const check = (
		types: readonly number[],
		affinities: readonly number[],
		filtered: [number, number][] = [],
	): number => {
		const { groups, excluded } = compileMasks(types, affinities, filtered);
		const meets = (a: number, b: number): boolean =>
			a > 0 ? b === a || b < 0 : a < 0 && (b > 0 || (b < 0 && b !== a));
		const listed = new Set(excluded.map(([a, b]) => `${a} ${b}`));
		expect(listed.size).toBe(excluded.length);
		for (const [a, b] of excluded) expect(a).toBeLessThan(b);
		for (let a = 0; a < types.length; a++) {
			for (let b = a + 1; b < types.length; b++) {
				const isFiltered = filtered.some(([x, y]) => (x === a && y === b) || (x === b && y === a));
				const wanted = (types[a]! & affinities[b]!) !== 0 || (types[b]! & affinities[a]!) !== 0;
				const found = meets(groups[a]!, groups[b]!) && !listed.has(`${a} ${b}`);
				if (!isFiltered) expect(found, `${a} and ${b}`).toBe(wanted);
				else expect(listed.has(`${a} ${b}`)).toBe(false);
			}
		}
		return excluded.length;
	};

	test('become groups that are exact', () => {
		let state = 99;
		const next = (below: number): number => {
			state = (Math.imul(state, 1103515245) + 12345) >>> 0;
			return (state >>> 8) % below;
		};
		for (let round = 0; round < 60; round++) {
			const count = 2 + next(7);
			const masks = (): number[] => Array.from({ length: count }, () => next(round % 2 === 0 ? 4 : 8));
			const filtered = Array.from({ length: next(5) }, (): [number, number] => [next(count), next(count)]);
			check(masks(), masks(), filtered);
		}
		// more classes than the search takes on
		check([1, 2, 4, 8, 16, 32, 64, 128, 256, 3], [2, 4, 8, 16, 32, 64, 128, 256, 512, 0]);
	});

	test('need no listed pairs where groups say the same', () => {
		expect(check([1, 1, 0], [1, 1, 0])).toBe(0);
		// robots that touch the ground but not each other
		expect(check([1, 2, 2, 2], [2, 1, 1, 1])).toBe(0);
		expect(check([1, 2, 4], [6, 5, 3])).toBe(0);
		expect(check([0, 0, 1], [0, 0, 1])).toBe(0);
		expect(check([1, 2, 1, 2], [1, 2, 1, 2])).toBe(4);
	});
});

test('only masses that an inertial element gives are locked against shapes that are added later', () => {
	const inertial = '<inertial mass="2" pos="0 0 0" diaginertia="1 1 1"/>';
	const body = (content: string): string => `<body><joint/><geom size="0.1"/>${content}</body>`;
	const { builder } = importText(`<worldbody>${body('')}${body(inertial)}</worldbody>`);
	expect([...builder.column('bodyLockInertia')]).toEqual([0, 1]);
});
