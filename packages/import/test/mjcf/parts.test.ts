import { JointType, ModelBuilder, ShapeFlags } from '@manyworlds/model';
import { describe, expect, test } from 'vitest';
import { type Imported, importText, list } from './support.ts';

type Options = NonNullable<Parameters<typeof importText>[1]>;

const findings = ({ report }: Imported): string[] =>
	report.toArray().map(({ code, range, message }) => `${code} ${range?.start.line} ${message}`);
const values = (imported: Imported, name: string): number[] =>
	list(imported.builder.attributeValues(name) as Float64Array);
const fate = ({ ledger }: Imported, path: string, name: string): string | undefined => {
	const entry = ledger.entries().find((one) => one.path === path && one.name === name);
	return entry && (entry.reason ?? [entry.class, ...entry.targets].join(' '));
};

describe('elements that are not imported', () => {
	test.each([
		['sensor', 'mujoco', 'sensors have no counterpart'],
		['custom', 'mujoco', 'custom data is not kept'],
		['visual', 'mujoco', 'settings of the viewer are not kept'],
		['statistic', 'mujoco', 'statistics are computed'],
		['size', 'mujoco', 'memory is sized by need'],
		['extension', 'mujoco', 'plugins are not run'],
		['deformable', 'mujoco', 'flexible bodies are out of scope'],
		['camera', 'body', 'cameras have no counterpart'],
		['light', 'body', 'lights have no counterpart'],
		['composite', 'body', 'composite bodies are out of scope'],
		['flexcomp', 'body', 'flexible bodies are out of scope'],
		['plugin', 'body', 'plugins are not run'],
		['attach', 'body', 'other models are not attached'],
		['skin', 'asset', 'skins have no counterpart'],
		['model', 'asset', 'other models are not attached'],
		['flex', 'equality', 'flexible bodies are out of scope'],
		['flexvert', 'equality', 'flexible bodies are out of scope'],
		['flexstrain', 'equality', 'flexible bodies are out of scope'],
	])('<%s> in <%s>', (name, parent, reason) => {
		const element = `\n<${name} name="x"><inner deep="1"/></${name}>`;
		const text =
			parent === 'mujoco'
				? element
				: parent === 'body'
					? `<worldbody><body name="b">${element}</body></worldbody>`
					: `<${parent}>${element}</${parent}>`;
		const imported = importText(text);
		expect(findings(imported)).toEqual([`MJCF008 2 <${name}> 'x' with 1 elements is not imported: ${reason}`]);
		const ignored = imported.ledger
			.entries()
			.filter((entry) => entry.reason === reason)
			.map((entry) => entry.name);
		expect(ignored).toEqual(['name', 'deep']);
	});

	test('say why the attributes that nobody read have no effect', () => {
		const imported = importText(`<mujoco model="m" odd="1">
<option o_delay="1" apirate="5"/>
<asset>
<texture name="t" type="2d" builtin="checker" width="8" height="8" rgb1="1 0 0"/>
<material name="m" texture="t" specular="0.5"/>
</asset>
<worldbody><body name="b"><joint name="j" odd="3"/><geom name="g" size="1" user="2"/></body></worldbody></mujoco>`);
		const reasons = imported.ledger
			.entries()
			.filter(({ reason }) => reason !== undefined)
			.map(({ path, name, reason }) => `${path.split('/').at(-1)?.replace(/\[.*/, '')}.${name}: ${reason}`);
		expect(reasons).toEqual(
			expect.arrayContaining([
				'mujoco.odd: the model has a name and nothing else',
				'option.apirate: it is set when the solver is made',
				'texture.rgb1: textures that are made by MuJoCo, and how images are laid on, are not kept',
				'material.specular: of materials the colour and the image are kept',
				'joint.odd: joints have no such property here',
				'geom.user: it has no effect: the mass of the body is given, or the shape has no such property here',
			]),
		);
	});

	test('and are not known', () => {
		for (const [text, parent] of [
			['\n<odd/>', 'mujoco'],
			['<worldbody>\n<odd/></worldbody>', 'worldbody'],
			['<worldbody><frame>\n<odd/></frame></worldbody>', 'frame'],
			['<asset>\n<odd/></asset>', 'asset'],
			['<contact>\n<odd/></contact>', 'contact'],
			['<equality>\n<odd/></equality>', 'equality'],
			['<tendon>\n<odd/></tendon>', 'tendon'],
			['<option>\n<odd/></option>', 'option'],
			['<keyframe>\n<odd/></keyframe>', 'keyframe'],
			['<asset><material name="m">\n<odd/></material></asset>', 'material'],
		] as const) {
			expect(findings(importText(text))).toEqual([`MJCF007 2 <odd> is not known in <${parent}>; it is left out`]);
		}
		expect(findings(importText('<default>\n<odd/></default>'))).toEqual([]);
		const include = importText('<include file="a.xml"/>', { files: { 'a.xml': '<mujoco/>' } });
		expect(findings(include)).toEqual([]);
	});
});

describe('values of declared attributes', () => {
	const read = (type: string, text: string, fallback?: unknown): [unknown, string[]] => {
		const builder = new ModelBuilder();
		builder.defineAttribute({
			name: 'x',
			namespace: 'acme',
			type,
			frequency: 'body',
			owner: 'model',
			...(fallback === undefined ? {} : { default: fallback }),
		} as never);
		const imported = importText(`<worldbody>\n<body name="b" x="${text}"><geom size="1"/></body></worldbody>`, {
			builder,
		});
		const found = builder.attributeValues('acme:x');
		return [Array.from(found as ArrayLike<unknown>), findings(imported)];
	};

	test('need no namespace', () => {
		const builder = new ModelBuilder();
		builder.defineAttribute({ name: 'x', type: 'f32', frequency: 'body', owner: 'model', default: 0 } as never);
		importText('<worldbody><body name="b" x="7"><geom size="1"/></body></worldbody>', { builder });
		expect(Array.from(builder.attributeValues('x') as Float64Array)).toEqual([7]);
	});

	test('are texts, truth values and numbers', () => {
		expect(read('string', 'hello there')).toEqual([['hello there'], []]);
		for (const word of ['1', 'true', 'T', 'yes', 'y', '2', '-1.5']) expect(read('bool', word)).toEqual([[1], []]);
		for (const word of ['0', 'false', 'F', 'no', 'n', '0.5', '00']) expect(read('bool', word)).toEqual([[0], []]);
		for (const word of ['maybe', '1 2']) {
			const [, found] = read('bool', word);
			expect(found).toEqual([`MJCF006 2 x of body 'b' is '${word}', expected true or false, found '${word}'`]);
		}
		for (const type of ['i32', 'u32']) {
			expect(read(type, '7')).toEqual([[7], []]);
			expect(read(type, '7.5', 3)).toEqual([[3], ["MJCF006 2 x of body 'b' is '7.5', expected a whole number"]]);
			expect(read(type, 'x', 3)[1]).toEqual(["MJCF006 2 x of body 'b' is 'x', expected finite numbers"]);
		}
		expect(read('f64', '7.5')).toEqual([[7.5], []]);
		expect(read('f64', '7 5', 1)).toEqual([[7], ["MJCF006 2 x of body 'b' is '7 5', expected 1 numbers"]]);
	});

	test.each([
		['vec2', 2],
		['vec3', 3],
		['vec4', 4],
		['vec5', 5],
		['vec6', 6],
		['vec10', 10],
		['vec2i', 2],
		['vec3i', 3],
		['vec4i', 4],
		['quat', 4],
		['transform', 7],
		['mat22', 4],
		['mat33', 9],
		['mat44', 16],
	])('%s has %d numbers, missing ones from the default', (type, width) => {
		const numbers = Array.from({ length: width }, (_, i) => i + 1);
		expect(read(type, numbers.join(' '))).toEqual([numbers, []]);
		expect(read(type, '9', numbers)).toEqual([[9, ...numbers.slice(1)], []]);
		expect(read(type, '')[1]).toEqual([`MJCF006 2 x of body 'b' is '', expected 1 to ${width} numbers`]);
		const [, found] = read(type, [...numbers, 0].join(' '));
		expect(found).toEqual([
			`MJCF006 2 x of body 'b' is '${[...numbers, 0].join(' ')}', expected 1 to ${width} numbers`,
		]);
	});
});

describe('numbers of elements', () => {
	const geom = (attributes: string, options: Options = {}): Imported =>
		importText(`<worldbody>\n<geom size="1" ${attributes}/></worldbody>`, options);

	test('that are wrong are told of with how many are expected', () => {
		for (const [attributes, expected] of [
			['pos="1 2"', 'expected 3 numbers'],
			['pos="1 2 3 4"', 'expected 3 numbers'],
			['friction="1 2 3 4"', 'expected 1 to 3 numbers'],
			['rgba="1 2"', 'expected 3 to 4 numbers'],
			['rgba="1 1 1 1 1"', 'expected 3 to 4 numbers'],
			['solref="1 2 3"', 'expected 1 to 2 numbers'],
			['quat="1 2 3"', 'expected 4 numbers that stand for a rotation'],
			['euler="1 2"', 'expected 3 numbers that stand for a rotation'],
			['axisangle="1 2 3"', 'expected 4 numbers that stand for a rotation'],
			['xyaxes="1 2 3"', 'expected 6 numbers that stand for a rotation'],
			['zaxis="1 2"', 'expected 3 numbers that stand for a rotation'],
			['zaxis="0 0 0"', 'expected 3 numbers that stand for a rotation'],
			['contype="1.5"', 'expected a whole number'],
		] as const) {
			const [name, text] = attributes.split('=') as [string, string];
			expect(new Set(findings(geom(attributes)))).toEqual(
				new Set([`MJCF006 2 ${name} of <geom> is '${text.slice(1, -1)}', ${expected}`]),
			);
		}
		expect(findings(geom('quat="1 0 0 0" euler="0 0 0"'))).toEqual([
			"MJCF014 2 euler of <geom> is '0 0 0', 'quat' gives the orientation already",
		]);
	});

	test('of copies are three', () => {
		const copies = (attributes: string): Imported =>
			importText(
				`<worldbody>\n<replicate count="2" ${attributes}><body name="c"><geom size="1"/></body></replicate></worldbody>`,
			);
		for (const name of ['offset', 'euler']) {
			expect(findings(copies(`${name}="1 2 3"`))).toEqual([]);
			for (const text of ['1 2', '1 2 3 4'])
				expect(new Set(findings(copies(`${name}="${text}"`)))).toEqual(
					new Set([`MJCF006 2 ${name} of <replicate> is '${text}', expected 3 numbers`]),
				);
		}
	});

	test('of geoms without a volume weigh nothing', () => {
		const mass = (geom: string): number[] => {
			const { builder } = importText(
				`<asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2"/></asset><worldbody><body><geom size="1" mass="2"/>${geom}</body></worldbody>`,
			);
			return [builder.column('bodyMass')[0]!, ...list(builder.column('bodyCom'))];
		};
		expect(mass('<geom type="plane" size="1 1 1" pos="0 0 5" mass="3"/>')).toEqual([2, 0, 0, 0]);
		expect(mass('<geom type="mesh" mesh="m" mass="3"/>')).toEqual([2, 0, 0, 0]);
	});

	test('one stands for three with Newton', () => {
		const place = (attributes: string): number[] =>
			list(geom(attributes, { newtonCompat: true }).builder.column('shapeTransform').slice(0, 3));
		expect(place('pos="2"')).toEqual([2, 2, 2]);
		expect(place('pos=" 2 "')).toEqual([2, 2, 2]);
		expect(place('pos="1 2 3"')).toEqual([1, 2, 3]);
		expect(place('pos="x"')).toEqual([0, 0, 0]);
	});

	test('a z axis turns about another one with Newton', () => {
		const turn = (zaxis: string): number[] =>
			list(geom(`zaxis="${zaxis}"`, { newtonCompat: true }).builder.column('shapeTransform').slice(3));
		const image = ([x, y, z, w]: number[], v: readonly number[]): number[] => {
			const t = [2 * (y! * v[2]! - z! * v[1]!), 2 * (z! * v[0]! - x! * v[2]!), 2 * (x! * v[1]! - y! * v[0]!)];
			return [
				v[0]! + w! * t[0]! + y! * t[2]! - z! * t[1]!,
				v[1]! + w! * t[1]! + z! * t[0]! - x! * t[2]!,
				v[2]! + w! * t[2]! + x! * t[1]! - y! * t[0]!,
			];
		};
		for (const direction of [
			[1, 0, 0],
			[0, 2, 0],
			[1, 2, 3],
			[-1, 2, -3],
		]) {
			const length = Math.hypot(...direction);
			const q = turn(direction.join(' '));
			for (const [i, x] of image(q, [0, 0, 1]).entries()) expect(x).toBeCloseTo(direction[i]! / length, 9);
			// the x axis lies across, in the plane of x and y
			const side = Math.hypot(direction[0]!, direction[1]!);
			for (const [i, x] of image(q, [1, 0, 0]).entries())
				expect(x).toBeCloseTo([-direction[1]! / side, direction[0]! / side, 0][i]!, 9);
		}
		expect(turn('0 0 2').map((x) => x + 0)).toEqual([0, 0, 0, 1]);
		expect(findings(geom('zaxis="0 0 0"', { newtonCompat: true }))).toHaveLength(1);
	});
});

describe('contacts', () => {
	const text = (contact: string): string =>
		`<worldbody><geom name="floor" size="1"/><body name="a"><joint/><geom name="x" size="1" contype="0" conaffinity="0"/></body><body name="b-c"><joint/><geom name="y" size="1"/></body></worldbody><contact>${contact}</contact>`;

	test('of pairs are in the order of their bodies, as MuJoCo has them', () => {
		const pairs =
			'<pair geom1="y" geom2="x" margin="1" gap="2"/><pair geom1="floor" geom2="y" solreffriction="0.1 1"/><pair geom1="x" geom2="floor"/>';
		const imported = importText(text(pairs), { scale: 2 });
		const [floor, x, y] = ['floor', 'x', 'y'].map((name) => imported.geoms.get(name)!);
		expect(values(imported, 'mujoco:pair_geom1')).toEqual([x, floor, y]);
		expect(values(imported, 'mujoco:pair_geom2')).toEqual([floor, y, x]);
		expect(values(imported, 'mujoco:pair_margin')[2]).toBe(2);
		expect(values(imported, 'mujoco:pair_gap')[2]).toBe(4);
		expect(values(imported, 'mujoco:pair_solreffriction')).toEqual([0, 0, 0.1, 1, 0, 0]);
		const compat = importText(text(pairs), { newtonCompat: true });
		const own = ['floor', 'x', 'y'].map((name) => compat.geoms.get(name)!);
		expect(values(compat, 'mujoco:pair_geom1')).toEqual([own[2], own[0], own[1]]);
		// a geom of a pair collides whatever its masks say
		expect(imported.builder.column('shapeFlags')[x!]! & ShapeFlags.COLLIDE_SHAPES).not.toBe(0);
		const alone = importText(text(''));
		expect(alone.builder.column('shapeFlags')[alone.geoms.get('x')!]! & ShapeFlags.COLLIDE_SHAPES).toBe(0);
	});

	test('of pairs are sorted by the lower body, then by the other one', () => {
		const names = ['w', 'a', 'b', 'c'];
		const geoms = (name: string): string => `<body name="${name}"><joint/><geom name="${name}" size="1"/></body>`;
		const ends = ['b c', 'w c', 'a c', 'c w', 'a b', 'w a', 'b a', 'c a'];
		const pairs = ends.map((end) => `<pair geom1="${end[0]}" geom2="${end[2]}"/>`).join('');
		const imported = importText(
			`<worldbody><geom name="w" size="1"/>${names.slice(1).map(geoms).join('')}</worldbody><contact>${pairs}</contact>`,
		);
		const name = new Map([...imported.geoms].map(([key, shape]) => [shape, key]));
		const [first, second] = [values(imported, 'mujoco:pair_geom1'), values(imported, 'mujoco:pair_geom2')];
		expect(first.map((shape, i) => `${name.get(shape)} ${name.get(second[i]!)}`)).toEqual([
			...['w a', 'w c', 'c w', 'a b', 'b a', 'a c', 'c a', 'b c'],
		]);
	});

	test('are excluded between bodies', () => {
		const filtered = (exclude: string, options: Options = {}) => {
			const imported = importText(text(`\n${exclude}`), options);
			const pairs = list(imported.builder.column('filterPair'));
			const name = (shape: number): string => imported.builder.labels('shape')[shape]!.replace(/.*\//, '');
			const named = pairs.flatMap((_, i) =>
				i % 2 === 0 ? [[name(pairs[i]!), name(pairs[i + 1]!)].sort().join(' ')] : [],
			);
			return [named, findings(imported)];
		};
		expect(filtered('<exclude body1="a" body2="b-c"/>')[0]).toContain('x y');
		expect(filtered('<exclude body1="world" body2="b-c"/>')[0]).toContain('floor y');
		expect(filtered('<exclude body1="a"/>')[1]).toEqual(['MJCF009 2 body2 of <exclude>: expected a body of the model']);
		expect(filtered('<exclude body1="no" body2="a"/>')[1]).toEqual([
			"MJCF009 2 body1 of <exclude> is 'no', expected a body of the model",
		]);
		const builder = new ModelBuilder();
		builder.addShapeSphere(-1, { radius: 1, label: 'before' });
		expect(filtered('<exclude body1="world" body2="b-c"/>', { builder })[0]).not.toContain('before y');
		expect(findings(importText(text('\n<pair geom1="no" geom2="x"/>')))).toEqual([
			"MJCF009 2 geom1 of <pair> is 'no', expected a geom of the model",
		]);
	});

	test('are kept from bodies that move as one with a neighbour', () => {
		const tree = (flag = ''): Imported =>
			importText(
				`<option>${flag}</option><worldbody><body name="a"><freejoint/><geom name="a" size="1"/><body name="b"><geom name="b" size="1"/><body name="c"><joint/><geom name="c" size="1"/><body name="d"><geom name="d" size="1"/><body name="e"><joint/><geom name="e" size="1"/></body></body></body></body></body></worldbody>`,
			);
		const apart = (imported: Imported): Set<string> => {
			const pairs = list(imported.builder.column('filterPair'));
			const names = new Map([...imported.geoms].map(([name, shape]) => [shape, name]));
			return new Set(
				pairs.flatMap((_, i) => (i % 2 === 0 ? [`${names.get(pairs[i]!)}${names.get(pairs[i + 1]!)}`] : [])),
			);
		};
		// a and b are one, c and d are one; e hangs on d
		expect([...apart(tree())].sort()).toEqual(['ab', 'ac', 'ad', 'bc', 'bd', 'cd', 'ce', 'de']);
		const loose = apart(tree('<flag filterparent="disable"/>'));
		expect(loose.has('ab') && loose.has('cd')).toBe(true);
		for (const pair of ['ac', 'ad', 'bc', 'bd', 'ce', 'de']) expect(loose.has(pair)).toBe(false);
	});
});

describe('settings of the compiler', () => {
	const bodies = (compiler: string, inertials: readonly string[], options: Options = {}) => {
		const { builder } = importText(
			`<compiler ${compiler}/><worldbody>${inertials.map((inertia) => `<body><inertial pos="0 0 0" ${inertia}/></body>`).join('')}</worldbody>`,
			options,
		);
		return { masses: list(builder.column('bodyMass')), inertias: list(builder.column('bodyInertia')) };
	};
	const diagonal = (...parts: readonly number[]): number[] => [parts[0]!, 0, 0, 0, parts[1]!, 0, 0, 0, parts[2]!];

	test('bound masses and inertias', () => {
		const light = 'mass="1" diaginertia="2 3 4"';
		expect(bodies('boundmass="5"', [light]).masses).toEqual([5]);
		expect(bodies('boundmass="0.5"', [light]).masses).toEqual([1]);
		expect(bodies('boundinertia="3.5"', [light]).inertias.map((x) => Number(x.toFixed(9)) + 0)).toEqual(
			diagonal(3.5, 3.5, 4),
		);
		expect(bodies('boundinertia="1"', [light]).inertias).toEqual(diagonal(2, 3, 4));
		expect(bodies('boundmass="5"', [light], { newtonCompat: true }).masses).toEqual([1]);
		const turned = bodies('boundinertia="3"', ['mass="1" fullinertia="3 3 4 1 0 0"']).inertias;
		// principal moments 2, 4 and 4 along the diagonals: 2 is raised to 3
		expect(turned.map((x) => Number(x.toFixed(9)) + 0)).toEqual([3.5, 0.5, 0, 0.5, 3.5, 0, 0, 0, 4]);
	});

	test('balance inertias that no body has', () => {
		expect(bodies('balanceinertia="true"', ['mass="1" diaginertia="1 2 6"']).inertias).toEqual(diagonal(3, 3, 3));
		expect(bodies('balanceinertia="true"', ['mass="1" diaginertia="1 2 3"']).inertias).toEqual(diagonal(1, 2, 3));
		expect(bodies('', ['mass="1" diaginertia="1 2 6"']).inertias).toEqual(diagonal(1, 2, 6));
	});

	test('share out a total mass among the bodies of the file', () => {
		const builder = new ModelBuilder();
		builder.addLink({ mass: 50 });
		const { masses, inertias } = bodies(
			'settotalmass="12"',
			['mass="1" diaginertia="1 1 1"', 'mass="3" diaginertia="2 2 2"'],
			{ builder },
		);
		expect(masses).toEqual([50, 3, 9]);
		expect(inertias.slice(9)).toEqual([...diagonal(3, 3, 3), ...diagonal(6, 6, 6)]);
		expect(bodies('settotalmass="12"', ['mass="0" diaginertia="0 0 0"']).masses).toEqual([0]);
	});
});

describe('switches of the solver', () => {
	test('of sleep are words', () => {
		const sleep = (word: string) => {
			const imported = importText(`<option>\n<flag sleep="${word}"/></option>`);
			return [values(imported, 'mujoco:enable_sleeping'), findings(imported)];
		};
		expect(sleep('enable')).toEqual([[1], []]);
		expect(sleep('disable')).toEqual([[0], []]);
		expect(sleep('odd')).toEqual([[0], ["MJCF006 2 sleep of <flag> is 'odd', expected enable or disable"]]);
	});

	test('of gravity are for MuJoCo and here', () => {
		const gravity = (text: string, options: Options = {}): number[] => list(importText(text, options).builder.gravity);
		expect(gravity('<option gravity="1 2 3"/>')).toEqual([1, 2, 3]);
		expect(gravity('<option gravity="1 2 3"><flag gravity="disable"/></option>')).toEqual([0, 0, 0]);
		expect(gravity('<option gravity="1 2 3"/>', { importGravity: false })).toEqual([0, 0, -9.81]);
		expect(gravity('<option gravity="1 2 3"/>', { newtonCompat: true })).toEqual([0, 0, -9.81]);
		expect(gravity('<option gravity="1 2 3"/>', { newtonCompat: true, importGravity: true })).toEqual([1, 2, 3]);
		const builder = new ModelBuilder();
		builder.beginWorld();
		importText('<option gravity="1 2 3"/><worldbody><body><geom size="1"/></body></worldbody>', { builder });
		builder.endWorld();
		expect(list(builder.gravity)).toEqual([0, 0, -9.81]);
		expect(list(builder.finalize().gravity).slice(0, 3)).toEqual([1, 2, 3]);
	});

	test('of compilers are read, or said not to be', () => {
		const imported = importText('<compiler boundmass="1" angle="radian" coordinate="local"/>');
		expect(fate(imported, 'compiler', 'boundmass')).toBe('used');
		expect(fate(imported, 'compiler', 'angle')).toBe('used');
		expect(fate(imported, 'compiler', 'coordinate')).toBe('it has no effect on the model');
		expect(fate(importText('<compiler boundmass="1"/>', { newtonCompat: true }), 'compiler', 'boundmass')).toBe(
			'Newton does not read it',
		);
	});
});

describe('what gave the numbers of a model', () => {
	const explain = (attributes: string, array: string): (string | undefined)[] => {
		const { ledger } = importText(
			`<default><default class="c"><joint damping="9"/></default></default><worldbody><body><joint name="j" ${attributes}/><geom size="1" ${attributes}/></body></worldbody>`,
		);
		return ledger.explain(array, 0).map(({ source, name, value, why }) => [source, name, value, why].join(' | '));
	};

	test.each([
		['joint_axis', 'axis', '0 1 0'],
		['joint_limit_lower', 'range', '-1 2'],
		['joint_limit_upper', 'range', '-1 2'],
		['joint_armature', 'armature', '3'],
		['joint_damping', 'damping', '4'],
		['joint_friction', 'frictionloss', '5'],
		['joint_effort_limit', 'actuatorfrcrange', '-6 6'],
	])('%s is %s of the joint', (array, name, text) => {
		expect(explain(`${name}="${text}"`, array)).toEqual([`authored | ${name} | ${text} | the joint gives it`]);
		expect(explain('', array)).toEqual([
			`importer default |  |  | the joint has no '${name}', so the default of the builder counts`,
		]);
	});

	test.each([
		['shape_margin', 'margin', '0.1'],
		['shape_gap', 'gap', '0.2'],
		['shape_material_mu', 'friction', '0.3'],
		['shape_material_ke', 'solref', '0.1 1'],
		['shape_color', 'rgba', '1 0 0 1'],
	])('%s is %s of the geom', (array, name, text) => {
		expect(explain(`${name}="${text}"`, array)).toEqual([`authored | ${name} | ${text} | the geom gives it`]);
		expect(explain('', array)).toEqual([
			`importer default |  |  | the geom has no '${name}', so the default of the builder counts`,
		]);
	});

	test('may be a default class', () => {
		expect(explain('class="c"', 'joint_damping')).toEqual(["authored | damping | 9 | the default class 'c' gives it"]);
		expect(explain('', 'shape_scale')).toEqual(['authored | size | 1 | the geom gives it']);
	});
});

describe('keyframes', () => {
	test('are in the coordinates of the model', () => {
		const model = `<worldbody><body name="f"><freejoint/><inertial pos="1 0 0" mass="1" diaginertia="1 1 1"/></body><body name="b"><joint type="ball"/><geom size="1"/></body><body name="h"><joint name="h"/><geom size="1"/></body></worldbody><actuator><position joint="h"/><velocity joint="h"/><motor joint="h"/></actuator>`;
		// a quarter about z, twice as long as a unit quaternion
		const key = `<keyframe><key name="k" time="3" qpos="1 2 3 2 0 0 2 0 2 0 0 0.5" qvel="1 0 0 0 0 1 1 0 0 7" ctrl="4 5 6 7"/><key/></keyframe>`;
		const { keyframes, builder } = importText(model + key, { keyframe: 'k', scale: 2 });
		const [first, second] = keyframes;
		const h = Math.SQRT1_2;
		const near = (found: ReadonlyMap<number, number>, expected: readonly number[]): void => {
			expect(found.size).toBe(expected.length);
			for (const [i, value] of expected.entries()) expect(found.get(i), `number ${i}`).toBeCloseTo(value, 9);
		};
		near(first!.jointQ, [2, 4, 6, 0, 0, h, h, 1, 0, 0, 0, 0.5]);
		// the centre of mass lies 2 m along y: a turn about z takes it along -x; a ball's velocity is in body axes
		near(first!.jointQd, [2 - 2, 0, 0, 0, 0, 1, 1, 0, 0, 7]);
		expect(first).toMatchObject({ name: 'k', time: 3, ctrl: [4, 5, 6, 7] });
		expect(second).toMatchObject({ name: '1', time: 0, ctrl: [] });
		expect(second!.jointQ.size + second!.jointQd.size).toBe(0);
		expect(builder.column('jointTargetQ').at(-1)).toBe(4);
		expect(builder.column('jointTargetQd').at(-1)).toBe(5);
		expect(list(builder.finalize().createControl().attributes.get('mujoco:ctrl') as Float64Array)).toEqual([0, 0, 6]);
	});
});

describe('gains of actuators that are no numbers', () => {
	const bias = (attributes: string): number[] =>
		values(
			importText(`<worldbody><body name="b"><joint name="j"/><geom size="1"/></body></worldbody>
<actuator><position joint="j" gear="2" ${attributes}/></actuator>`),
			'mujoco:actuator_biasprm',
		).slice(0, 3);

	test('are those of no damping and of the usual stiffness', () => {
		expect(bias('kp="3" kv="4"')).toEqual([0, -3, -4]);
		expect(bias('kp="3" kv="odd"').map((x) => x + 0)).toEqual([0, -3, 0]);
		expect(bias('kp="odd"').map((x) => x + 0)).toEqual([0, -1, 0]);
	});
});

describe('pairs of geoms', () => {
	test('are in the world of the builder, whatever an attribute with the name of a column says', () => {
		const { builder, ledger } = importText(
			'<worldbody><body><geom name="g" size="1"/></body><geom name="h" size="1"/></worldbody><contact><pair geom1="g" geom2="h" pair_world="4" pair_geom1="5" pair_geom2="6"/></contact>',
		);
		const row = ['pair_world', 'pair_geom1', 'pair_geom2'].map((name) => builder.attributeValues(`mujoco:${name}`)![0]);
		const labels = builder.labels('shape');
		expect(row).toEqual([
			-1,
			labels.findIndex((label) => label.endsWith('g')),
			labels.findIndex((label) => label.endsWith('h')),
		]);
		const fates = ledger.entries().filter(({ path }) => path === 'contact/pair');
		expect(fates.map(({ name, class: fate }) => `${name} ${fate}`)).toEqual([
			'geom1 used',
			'geom2 used',
			'pair_world ignored',
			'pair_geom1 ignored',
			'pair_geom2 ignored',
		]);
	});
});

describe('a root without mass', () => {
	const load = (root: string, options: Options = {}) =>
		importText(
			`<worldbody><body name="root">${root}<body name="mid" pos="1 0 0"><body name="heavy" pos="0 2 0"><geom size="1" density="1000"/><body name="arm"><joint/><geom size="0.1"/><body name="tip"><geom size="0.1"/></body></body></body></body></body></worldbody>`,
			options,
		).builder;
	const typesOf = (builder: ModelBuilder): number[] => list(builder.column('jointType'));
	const { FREE, FIXED, REVOLUTE } = JointType;

	test('takes the bodies that are fixed to it, up to the first one with mass, where asked to', () => {
		const builder = load('<freejoint/>', { collapseMasslessFixedRoot: true });
		expect(typesOf(builder)).toEqual([FREE, REVOLUTE, FIXED]);
		expect(builder.column('bodyMass')[0]).toBeCloseTo((4 / 3) * Math.PI * 1000, 6);
		expect(list(builder.column('bodyCom').subarray(0, 3))).toEqual([1, 2, 0]);
		expect(typesOf(load('<freejoint/>'))).toEqual([FREE, FIXED, FIXED, REVOLUTE, FIXED]);
	});

	test('does not where it has mass, or does not float', () => {
		const options = { collapseMasslessFixedRoot: true };
		expect(typesOf(load('<freejoint/><geom size="0.1"/>', options))).toEqual([FREE, FIXED, FIXED, REVOLUTE, FIXED]);
		expect(typesOf(load('<joint/>', options))).toEqual([REVOLUTE, FIXED, FIXED, REVOLUTE, FIXED]);
		expect(typesOf(load('<freejoint/>', { ...options, collapseFixedJoints: true }))).toEqual([FREE, REVOLUTE]);
	});
});

describe('an include that leads nowhere', () => {
	test.each([
		'%',
		...['worldbody', 'asset', 'contact', 'equality', 'tendon', 'keyframe'].map((name) => `<${name}>%</${name}>`),
		'<worldbody><body>%</body></worldbody>',
		'<worldbody><frame>%</frame></worldbody>',
		'<worldbody><replicate count="2">%</replicate></worldbody>',
	])('is told once: %s', (place) => {
		const { codes } = importText(place.replace('%', '<include file="no.xml"/>'));
		expect(new Set(codes).size).toBe(1);
		expect(codes).toHaveLength(1);
	});
});

describe('sleeping', () => {
	const load = (option: string, options: Options = {}): Imported => importText(`<option ${option}</option>`, options);

	test('is a flag of the solver, not an attribute of its options', () => {
		const asFlag = load('><flag sleep="enable"/>');
		expect(fate(asFlag, 'option/flag', 'sleep')).toBe('used mujoco:enable_sleeping');
		expect(asFlag.codes).toEqual([]);
		const asOption = load('sleep="enable" enable_sleeping="1">');
		for (const name of ['sleep', 'enable_sleeping']) {
			expect(asOption.ledger.entries().find((entry) => entry.name === name)!.class).toBe('ignored');
		}
		expect(load('><flag sleep="soundly"/>').codes).toEqual(['MJCF006']);
	});

	test.each([
		['enable', 1],
		['disable', 0],
	])('that is %sd is so in the model', (word, expected) => {
		const model = load(`><flag sleep="${word}"/>`).model();
		const found = [...model.attributesOf('model').entries()].find(
			({ declaration }) => declaration.name === 'enable_sleeping',
		);
		expect(Number(found!.values[0])).toBe(expected);
	});
});

describe('the mass of a body', () => {
	test.each([
		['<inertial mass="2" pos="1 2 3" diaginertia="1 1 1"/>', 'authored', 'its inertial element gives it'],
		['<geom size="1"/>', 'computed', 'its geoms add up to it'],
	])('%s', (text, source, why) => {
		const { ledger } = importText(`<worldbody><body><joint/>${text}</body></worldbody>`);
		for (const array of ['body_mass', 'body_com', 'body_inertia']) {
			expect(ledger.explain(array, 0), array).toEqual([{ source, why }]);
		}
	});
});

describe('files that are included', () => {
	const part = (text: string): string => `<mujoco model="part">${text}</mujoco>`;

	test.each([
		['<include file="part.xml"/>', '<worldbody/>'],
		['<worldbody><include file="part.xml"/></worldbody>', '<geom size="1"/>'],
		['<worldbody><body><include file="part.xml"/></body></worldbody>', '<geom size="1"/>'],
		['<worldbody><frame><include file="part.xml"/></frame></worldbody>', '<geom size="1"/>'],
		['<asset><include file="part.xml"/></asset>', '<material name="m"/>'],
		['<contact><include file="part.xml"/></contact>', ''],
		['<equality><include file="part.xml"/></equality>', ''],
		['<tendon><include file="part.xml"/></tendon>', ''],
		['<keyframe><include file="part.xml"/></keyframe>', '<key name="k"/>'],
	])('%s: the name of the file is used', (text, content) => {
		const { ledger, codes } = importText(text, { files: { 'part.xml': part(content) } });
		expect(codes).toEqual([]);
		const entries = ledger.entries().filter(({ name, value }) => name === 'file' && value === 'part.xml');
		expect(entries.map((entry) => entry.class)).toEqual(['used']);
		const model = ledger.entries().find(({ name, value }) => name === 'model' && value === 'part');
		if (content !== '') expect(model).toMatchObject({ reason: 'it names the included file, not the model' });
	});
});

describe('geoms without a class', () => {
	test('are in none, whatever the patterns are', () => {
		const text =
			'<worldbody><body><geom name="plain" size="1"/><geom name="own" class="c" size="1"/></body></worldbody>';
		const file = `<default><default class="c"/></default>${text}`;
		const labels = (options: object): string[] => {
			const { builder } = importText(file, options);
			const flags = builder.column('shapeFlags');
			return builder.labels('shape').filter((_, shape) => (flags[shape]! & ShapeFlags.COLLIDE_SHAPES) !== 0);
		};
		expect(labels({}).map((label) => label.split('/').at(-1))).toEqual(['plain', 'own']);
		expect(labels({ visualClasses: [/.*/] }).map((label) => label.split('/').at(-1))).toEqual(['plain']);
		expect(labels({ ignoreClasses: [/.*/] }).map((label) => label.split('/').at(-1))).toEqual(['plain']);
	});
});
