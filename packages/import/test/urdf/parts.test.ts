import { ModelBuilder } from '@manyworlds/model';
import { MemoryStore } from '@manyworlds/usd';
import { describe, expect, it } from 'vitest';
import { type ImportUrdfOptions, importUrdf } from '../../src/index.ts';

function load(content: string, options: ImportUrdfOptions & { readonly builder?: ModelBuilder } = {}) {
	const { builder = new ModelBuilder(), ...rest } = options;
	const result = importUrdf(`<robot name="r">${content}</robot>`, builder, { file: 'r.urdf', ...rest });
	const found = result.report.toArray().map((d) => `${d.code} ${d.range?.start.line}: ${d.message}`);
	const fate = (path: string, name: string): string | undefined => {
		const entry = result.ledger.entries().find((one) => one.path === `robot/${path}` && one.name === name);
		return entry && (entry.reason ?? [entry.class, ...entry.targets].join(' '));
	};
	return { ...result, builder, found, fate };
}
const list = (values: ArrayLike<number>): number[] => Array.from(values);
const LINKS = '<link name="a"/><link name="b"/>';
const joint = (type: string, more = ''): string =>
	`<joint name="j" type="${type}"><parent link="a"/><child link="b"/>${more}</joint>`;

describe('joints of URDF', () => {
	it('without an axis say why theirs does not count', () => {
		for (const type of ['fixed', 'floating']) {
			const { fate } = load(
				`${LINKS}${joint(type, '<axis xyz="0 0 1"/><limit effort="1" velocity="2"/><dynamics damping="3"/>')}`,
			);
			for (const [path, name] of [
				['axis', 'xyz'],
				['limit', 'effort'],
				['limit', 'velocity'],
				['dynamics', 'damping'],
			] as const) {
				expect(fate(`joint[j]/${path}`, name)).toBe(`a ${type} joint has no axis`);
			}
		}
	});

	it('say what became of the numbers of their frame', () => {
		const content = `${LINKS}${joint('revolute', '<origin xyz="1 2 3" rpy="0 0 1"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="2"/>')}`;
		const entry = (name: string, options: ImportUrdfOptions = {}) =>
			load(content, options)
				.ledger.entries()
				.find((one) => one.path === 'robot/joint[j]/origin' && one.name === name)!;
		expect(entry('rpy')).toMatchObject({ class: 'converted', from: 'roll, pitch, yaw', to: 'quaternion' });
		expect(entry('xyz').class).toBe('used');
		expect(entry('xyz', { scale: 2 })).toMatchObject({ class: 'converted', from: 'm', to: '2 m' });
	});

	it('in a plane have two axes across their normal', () => {
		const planar = (axis: string, limit = '', options: ImportUrdfOptions = {}) =>
			load(`${LINKS}${joint('planar', `<axis xyz="${axis}"/>${limit}`)}`, options);
		const axes = (axis: string): number[] =>
			list(planar(axis).builder.column('jointAxis')).map((x) => Math.round(x * 1e12) / 1e12 + 0);
		// the first axis is y times the normal, for a normal along y it is x times it
		expect(axes('0 0 2')).toEqual([1, 0, 0, 0, 1, 0]);
		expect(axes('3 0 0')).toEqual([0, 0, -1, 0, 1, 0]);
		expect(axes('0 1 0')).toEqual([0, 0, 1, 1, 0, 0]);
		expect(axes('0 -1 0')).toEqual([0, 0, -1, 1, 0, 0]);
		const limits = (limit: string, options: ImportUrdfOptions = {}): number[] => {
			const { builder } = planar('0 0 1', limit, options);
			return [...list(builder.column('jointEffortLimit')), ...list(builder.column('jointVelocityLimit'))];
		};
		const usual = limits('');
		expect(limits('<limit effort="3" velocity="4"/>')).toEqual([3, 3, 4, 4]);
		expect(limits('<limit effort="3" velocity="4"/>', { scale: 2 })).toEqual([3, 3, 8, 8]);
		expect(limits('<limit effort="3" velocity="4"/>', { newtonCompat: true })).toEqual(usual);
	});

	it('are sorted as asked for', () => {
		const links = ['c', 'b', 'a', 'd', 'e'].map((name) => `<link name="${name}"/>`).join('');
		const edge = (name: string, from: string, to: string): string =>
			`<joint name="${name}" type="fixed"><parent link="${from}"/><child link="${to}"/></joint>`;
		const tree = links + edge('ab', 'a', 'b') + edge('ac', 'a', 'c') + edge('bd', 'b', 'd') + edge('ce', 'c', 'e');
		const order = (jointOrdering: 'dfs' | 'bfs' | 'file', text = tree): string =>
			load(text, { jointOrdering })
				.builder.labels('joint')
				.slice(1)
				.map((label) => label.slice(2))
				.join(' ');
		expect(order('dfs')).toBe('ab bd ac ce');
		expect(order('bfs')).toBe('ab ac bd ce');
		expect(order('file')).toBe('ab ac bd ce');
		const mixed = links + edge('bd', 'b', 'd') + edge('ab', 'a', 'b') + edge('ac', 'a', 'c') + edge('ce', 'c', 'e');
		expect(order('file', mixed)).toBe('ab bd ac ce');
		expect(load(mixed, { jointOrdering: 'file' }).found).toEqual([
			"URDF006 1: joint 'bd' comes before the one that moves its parent 'b'; depth-first order is taken instead of that of the file",
		]);
		// of several roots with joints the first by name is the first
		const roots = links + edge('ce', 'c', 'e') + edge('ab', 'a', 'b');
		expect(
			load(roots)
				.builder.labels('body')
				.map((label) => label.slice(2)),
		).toEqual(['a', 'b', 'c', 'e', 'd']);
	});

	it('follow others, but not themselves', () => {
		const mimic = (of: string): string[] => load(`${LINKS}${joint('revolute', `<mimic joint="${of}"/>`)}`).found;
		expect(mimic('j')).toEqual(["URDF010 1: joint 'j' follows 'j', which is the joint itself"]);
		expect(mimic('no')).toEqual(["URDF010 1: joint 'j' follows 'no', which is no joint of the robot"]);
	});
});

describe('links of URDF', () => {
	it('without a mass, or without an inertia, have those of their colliders', () => {
		const body = (inertial: string) =>
			load(
				`<link name="a"><inertial>${inertial}</inertial><collision><geometry><box size="1 1 1"/></geometry></collision></link>`,
			);
		const noMass = body('<origin xyz="1 2 3"/><inertia ixx="1" iyy="2" izz="2.5"/>');
		expect(noMass.builder.column('bodyMass')[0]).toBe(1000);
		expect(noMass.ledger.explain('body_mass', 0)).toEqual([
			{ source: 'computed', why: 'from the colliders of the link and their density' },
		]);
		expect(list(noMass.builder.column('bodyInertia'))).toEqual([1, 0, 0, 0, 2, 0, 0, 0, 2.5]);
		// what is left out is no number of the file
		expect(noMass.ledger.explain('body_inertia', 0)).toMatchObject(
			['1', '2', '2.5'].map((value) => ({ source: 'authored', value })),
		);
		const nothing = load(LINKS).ledger;
		for (const array of ['body_mass', 'body_com', 'body_inertia'])
			expect(nothing.explain(array, 0)).toEqual([
				{ source: 'computed', why: 'from the colliders of the link and their density' },
			]);
		const noInertia = body('<mass value="5"/>');
		expect(noInertia.builder.column('bodyMass')[0]).toBe(5);
		expect(noInertia.ledger.explain('body_inertia', 0)).toEqual([
			{ source: 'computed', why: 'from the colliders of the link and their density' },
		]);
		expect(noInertia.ledger.explain('body_mass', 0)).toMatchObject([{ source: 'authored', value: '5' }]);
	});

	it('that were merged keep what gave the numbers of the others', () => {
		const inertial = (mass: number): string =>
			`<inertial><mass value="${mass}"/><inertia ixx="1" iyy="1" izz="1"/></inertial>`;
		const text =
			`<link name="a">${inertial(1)}</link><link name="b">${inertial(2)}</link><link name="c">${inertial(3)}</link>` +
			'<joint name="ab" type="fixed"><parent link="a"/><child link="b"/></joint>' +
			'<joint name="bc" type="revolute"><parent link="b"/><child link="c"/><axis xyz="0 1 0"/><limit effort="7" velocity="1"/></joint>';
		const { ledger, linkBodies, jointIndices, builder } = load(text, { collapseFixedJoints: true, floating: true });
		expect(builder.bodyCount).toBe(2);
		expect(linkBodies).toEqual(
			new Map([
				['a', 0],
				['b', 0],
				['c', 1],
			]),
		);
		expect(jointIndices).toEqual(new Map([['bc', 1]]));
		expect(ledger.explain('body_mass', 1)).toMatchObject([{ value: '3' }]);
		expect(ledger.explain('body_mass', 0)).toMatchObject([{ value: '1' }]);
		expect(ledger.explain('joint_effort_limit', 6)).toMatchObject([{ value: '7' }]);
		expect(ledger.explain('joint_X_p', 1)).toHaveLength(1);
	});

	it('that options leave out say so', () => {
		const shape = '<geometry><sphere radius="1"/></geometry>';
		const text = `<link name="a"><visual>${shape}</visual><collision>${shape}</collision></link>`;
		expect(load(text, { parseVisuals: false }).fate('link[a]/visual/geometry/sphere', 'radius')).toBe(
			'visuals are left out by option',
		);
		expect(load(text, { parseVisualsAsColliders: true }).fate('link[a]/collision/geometry/sphere', 'radius')).toBe(
			'visuals are taken as colliders',
		);
		expect(load('<link name="a" xmlns:x="http://x"/>').fate('link[a]', 'xmlns:x')).toBe('it declares a namespace');
	});

	it('have values of declared attributes', () => {
		const builder = new ModelBuilder();
		for (const name of ['heat', 'charge'])
			builder.defineAttribute({
				name,
				namespace: 'acme',
				type: 'f32',
				frequency: 'body',
				owner: 'model',
				default: 0,
			} as never);
		const { found, fate } = load('<link name="a" heat="3" charge="4"/>\n<link name="b" heat="x"/>', { builder });
		expect(list(builder.attributeValues('acme:heat') as Float64Array)).toEqual([3, 0]);
		expect(list(builder.attributeValues('acme:charge') as Float64Array)).toEqual([4, 0]);
		expect(fate('link[a]', 'charge')).toBe('kept acme:charge');
		expect(found.filter((text) => text.startsWith('URDF003'))).toEqual([
			"URDF003 2: 'heat' is 'x', expected a value of type f32 for 'acme:heat'",
		]);
	});

	it('stand where the caller puts them', () => {
		const frame = (xform: ImportUrdfOptions['xform']): number[] =>
			list(load('<link name="a"/>', { xform } as ImportUrdfOptions).builder.column('jointXP'));
		expect(frame({ p: [1, 2, 3] })).toEqual([1, 2, 3, 0, 0, 0, 1]);
		expect(frame({ q: [0, 0, 0.6, 0.8] })).toEqual([0, 0, 0, 0, 0, 0.6, 0.8]);
		expect(frame([1, 2, 3, 0, 0, 0.6, 0.8])).toEqual([1, 2, 3, 0, 0, 0.6, 0.8]);
	});
});

describe('materials of URDF', () => {
	const store = new MemoryStore({
		'plain.obj': 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n',
		'mapped.obj': 'v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nf 1/1 2/2 3/3\n',
		'wood.png': 'an image',
	});
	const visual = (mesh: string, material: string): string =>
		`<link name="a"><visual><geometry><mesh filename="${mesh}.obj"/></geometry>${material}</visual></link>`;

	it('lay images on meshes with texture coordinates only', () => {
		const wood = '<material name="w">\n<texture filename="wood.png"/></material>';
		const mapped = load(visual('mapped', wood), { store });
		expect(mapped.found).toEqual([]);
		expect(mapped.builder.edits.shapeSource(0)).toMatchObject({ texture: { file: 'wood.png' }, color: [1, 1, 1] });
		expect(mapped.fate('link[a]/visual/material[w]/texture', 'filename')).toBe('used');
		const plain = load(visual('plain', wood), { store });
		expect(plain.found).toEqual(["URDF009 1: 'plain.obj' has no texture coordinates; the texture is left out"]);
		expect(plain.builder.edits.shapeSource(0)).not.toHaveProperty('texture');
		const lost = load(visual('mapped', wood.replace('wood.', 'no.')), { store });
		expect(lost.found).toEqual(["URDF009 2: 'no.png' does not exist"]);
		expect(lost.fate('link[a]/visual/material[w]/texture', 'filename')).toBe('the image cannot be used');
	});

	it('are found by name, the first definition of a shape too', () => {
		const look = (materials: string): number[] => {
			const shapes = materials
				.split('|')
				.map((material) => `<visual><geometry><sphere radius="1"/></geometry>${material}</visual>`);
			return list(
				load(
					`<material name="g"><color rgba="0 1 0 0.5"/></material><link name="a">${shapes.join('')}</link>`,
				).builder.column('shapeColor'),
			);
		};
		expect(look('<material name="g"/>')).toEqual([0, 1, 0]);
		expect(look('<material name="g"><color rgba="1 0 0 1"/></material>')).toEqual([1, 0, 0]);
		expect(look('<material name="own"><color rgba="1 0 0 1"/></material>|<material name="own"/>')).toEqual([
			1, 0, 0, 1, 0, 0,
		]);
		// what a shape says in place of a known material is its own
		expect(look('<material name="g"><color rgba="1 0 0 1"/></material>|<material name="g"/>')).toEqual([
			1, 0, 0, 0, 1, 0,
		]);
		const clear = load(
			'<link name="a"><visual><geometry><sphere radius="1"/></geometry><material name="m">\n<color rgba="1 0 0 3"/></material></visual></link>',
		);
		expect(clear.found).toEqual(['URDF011 2: the opacity is 3, expected 0 to 1; 1 is taken']);
	});
});

describe('sizes of shapes', () => {
	it.each([
		['box', 'size="2 4 6"', { size: 'full size → half size' }],
		['cylinder', 'radius="1" length="4"', { radius: 'used', length: 'full size → half size' }],
		['capsule', 'radius="1" length="4"', { radius: 'used', length: 'full size → half size' }],
		['sphere', 'radius="1"', { radius: 'used' }],
	])('of a %s are halved where the builder has half of them', (type, attributes, expected) => {
		const { ledger } = load(
			`<link name="a"><collision><geometry><${type} ${attributes}/></geometry></collision></link>`,
		);
		const entries = ledger.entries().filter(({ path }) => path.endsWith(`/geometry/${type}`));
		expect(
			Object.fromEntries(
				entries.map(({ name, class: fate, from, to }) => [name, from === undefined ? fate : `${from} → ${to}`]),
			),
		).toEqual(expected);
	});
});

describe('a material that is named before it is defined', () => {
	it('has the colour of its definition from there on', () => {
		const visual = (material: string): string =>
			`<visual><geometry><sphere radius="1"/></geometry>${material}</visual>`;
		const { builder } = load(
			`<link name="a">${visual('<material name="m"/>')}${visual('<material name="m"><color rgba="1 0 0.25 1"/></material>')}${visual('<material name="m"/>')}</link>`,
		);
		const colors = list(builder.column('shapeColor'));
		expect(colors.slice(0, 3)).not.toEqual([1, 0, 0.25]);
		expect(colors.slice(3)).toEqual([1, 0, 0.25, 1, 0, 0.25]);
	});
});
