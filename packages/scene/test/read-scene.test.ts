import { readScene } from '@manyworlds/scene';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findings } from './support.ts';

const all = ['error', 'warning', 'info'];

describe('what a scene file is', () => {
	it('is YAML, or JSON by its name', () => {
		expect(readScene('name: a', { file: 'a.yaml' }).scene?.name).toBe('a');
		expect(readScene('{"name": "a"}', { file: 'a.json' }).scene?.name).toBe('a');
		expect(readScene('{"name": "a"}', { file: 'a.yaml' }).scene?.name).toBe('a');
		expect(findings(readScene('name: a', { file: 'a.json' }))).toEqual(["1:1 SCN001 found 'n', expected a value"]);
		expect(findings(readScene('{"name": "a",\n}', { file: 'a.json' }))).toEqual([
			"2:1 SCN001 found '}', expected a key in double quotes",
		]);
	});

	it('agrees with JSON.parse about what is JSON', () => {
		const mutated = fc
			.tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', ']', '}', '"', '1', 'x', '\n'))
			.map(([text, at, insert]) => text.slice(0, at % (text.length + 1)) + insert + text.slice(at % (text.length + 1)));
		fc.assert(
			fc.property(fc.oneof(fc.json(), mutated), (text) => {
				let isJson = true;
				try {
					JSON.parse(text);
				} catch {
					isJson = false;
				}
				const syntax = findings(readScene(text, { file: 'a.json' })).filter((line) => line.includes(' SCN001 '));
				expect(syntax.length === 0).toBe(isJson);
			}),
		);
	});

	it('has a mapping at its root', () => {
		expect(findings(readScene('- a'))).toEqual(['1:1 SCN006 the scene is a list of 1, expected a mapping']);
		expect(findings(readScene('hello'))).toEqual(["1:1 SCN006 the scene is the text 'hello', expected a mapping"]);
		expect(findings(readScene(''))).toEqual(['1:1 SCN006 the scene is nothing (null), expected a mapping']);
	});

	it('is of version 1', () => {
		expect(readScene('schema_version: "1"').scene?.schema_version).toBe(1);
		expect(findings(readScene('schema_version: 2'))).toEqual(['1:17 SCN004 schema_version is 2, expected 1']);
	});

	it('follows anchors, aliases and merge keys', () => {
		const text = `builder: {defaults: {shape: &shape {ke: 1e5, mu: 0.3}}}
ground: {cfg: {<<: *shape, mu: 0.1}}
bodies: [{id: a, shapes: [{cfg: *shape}]}]
`;
		const { scene } = readScene(text);
		expect(scene?.ground.cfg).toMatchObject({ ke: 1e5, mu: 0.1 });
		expect(scene?.bodies[0]?.shapes[0]?.cfg).toMatchObject({ ke: 1e5, mu: 0.3 });
	});

	it('points into a merged mapping', () => {
		const text = `builder: {defaults: {shape: &shape {ke: 1}}}
ground: {cfg: {<<: {mu: low}}}
`;
		expect(findings(readScene(text))[0]).toContain("2:25 SCN007 ground.cfg.mu is the text 'low'");
	});
});

describe('located messages', () => {
	it('say the path, what was found and what was expected', () => {
		const text = `simulation:
  dt: 0
  num_worlds: two
bodies:
  - id: 7
    transform: {p: [0, 0], q: euler}
    shapes:
      - {type: torus}
      - {type: box, hx: wide}
joints: {id: a}
`;
		expect(findings(readScene(text))).toEqual([
			'2:7 SCN008 simulation.dt is 0, expected a number above 0',
			"3:15 SCN007 simulation.num_worlds is the text 'two', expected a whole number or an expression: the name 'two' is not known, only pi",
			'5:9 SCN006 bodies[0].id is 7, expected text',
			'6:20 SCN012 bodies[0].transform.p has 2 numbers, expected three numbers [x, y, z]',
			"6:31 SCN006 bodies[0].transform.q is the text 'euler', expected identity, [x, y, z, w] or a mapping with axis_angle",
			"8:9 SCN009 bodies[0].shapes[0] type is the text 'torus', expected box, sphere, capsule, cylinder, cone, ellipsoid or mesh",
			"9:25 SCN007 bodies[0].shapes[1].hx is the text 'wide', expected a number or an expression: the name 'wide' is not known, only pi",
			'10:9 SCN006 joints is a mapping, expected a list',
		]);
	});

	it('point at the character of an expression, also behind other scripts', () => {
		const [first] = findings(readScene('name: "größe"\nsimulation: {dt: "1 + sqrt(2)"}'));
		expect(first).toContain("2:23 SCN007 simulation.dt is the text '1 + sqrt(2)'");
	});

	it('name unknown keys, with the key that was meant', () => {
		const text = `simulation: {num_world: 3, solver: {max_iteration: 5}}
grund: false
bodies:
  - {id: a, weight: 3, shapes: [{type: sphere, radus: 1, hx: 2}]}
post_build:
  - {op: set_joint_q, index: 0, value: 1, ofset: 2}
`;
		expect(findings(readScene(text), all)).toEqual([
			"1:14 SCN005 simulation has an unknown key 'num_world'; did you mean 'num_worlds'?",
			"1:37 SCN009 simulation.solver has an unknown key 'max_iteration'; did you mean 'max_iterations'?",
			"2:1 SCN005 the scene has an unknown key 'grund'; did you mean 'ground'?",
			"4:13 SCN005 bodies[0] has an unknown key 'weight'",
			"4:48 SCN005 bodies[0].shapes[0] has an unknown key 'radus'; did you mean 'radius'?",
			"4:58 SCN005 bodies[0].shapes[0] has an unknown key 'hx'",
			"6:43 SCN005 post_build[0] has an unknown key 'ofset'; did you mean 'offset'?",
		]);
	});

	it('keep the rest of a scene with unknown keys', () => {
		const { scene } = readScene('simulation: {dt: 0.01, speed: 3}\nextra: {a: 1}\nname: x');
		expect(scene).toMatchObject({ name: 'x', simulation: { dt: 0.01 } });
	});

	it('refuse a key given twice, also under another name', () => {
		expect(findings(readScene('simulation: {dt: 1, dt: 2}\nname: a\nname: b'))).toEqual([
			"1:21 SCN003 key 'dt' is given twice",
			"3:1 SCN003 key 'name' is given twice",
		]);
		expect(findings(readScene('ground: {cfg: {mu: 1, shape_mu: 2}}'))).toEqual([
			"1:33 SCN003 ground.cfg.shape_mu sets 'mu', which is given by another name beside it",
		]);
	});

	it('do not take text for true or false', () => {
		expect(findings(readScene('ground: {enabled: "false"}'))).toEqual([
			"1:19 SCN006 ground.enabled is the text 'false', expected true or false",
		]);
		expect(findings(readScene('ground: yes'))).toEqual([
			"1:9 SCN006 ground is the text 'yes', expected true, false or a mapping",
		]);
	});
});

describe('hostile files', () => {
	it('bounds what aliases can grow to', () => {
		const names = 'abcdefghij'.split('');
		const lines = names.map(
			(name, i) =>
				`${name}: &${name} [${Array(10)
					.fill(i === 0 ? 'x' : `*${names[i - 1]}`)
					.join(', ')}]`,
		);
		expect(findings(readScene(lines.join('\n')))[0]).toContain('SCN002 the scene has more than 500000 values');
		expect(findings(readScene('a: &x {b: *x}'))).toEqual([
			"1:11 SCN002 the alias 'x' stands inside of what it stands for",
		]);
		expect(findings(readScene('a: *x'))).toEqual(["1:4 SCN001 the alias 'x' has no anchor"]);
	});

	it.each([
		['flow', '['.repeat(100_000), 'a.yaml'],
		['JSON', '['.repeat(100_000), 'a.json'],
		['lists', `${'- '.repeat(5000)}a`, 'a.yaml'],
		['mappings', Array.from({ length: 400 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'), 'a.yaml'],
	])('bounds the nesting of %s', (_, text, file) => {
		const result = readScene(text, { file });
		expect(result.scene).toBeUndefined();
		expect(findings(result).join()).toContain('SCN002');
	});

	it('bounds the length', () => {
		expect(findings(readScene('name: abcdef', { maxLength: 5 }))).toEqual([
			'1:1 SCN002 the file has 12 characters, expected at most 5',
		]);
	});

	it('knows no tags and one document', () => {
		expect(findings(readScene('name: !!python/object/apply:os.system ["ls"]'))[0]).toContain(
			'1:7 SCN001 unresolved tag',
		);
		expect(findings(readScene('name: a\n---\nname: b'))[0]).toContain('2:1 SCN001 source contains multiple documents');
	});

	it('does not reach the prototypes of objects', () => {
		const { scene, report } = readScene(
			'{"__proto__": {"polluted": 1}, "bodies": [{"id": "a", "__proto__": {"mass": 3}}]}',
		);
		expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
		expect(scene?.bodies[0]?.mass).toBeUndefined();
		expect(findings({ report }, ['warning'])).toHaveLength(2);
	});

	it('never throws, and says where every finding is', () => {
		const scalar = fc.oneof(fc.string(), fc.integer(), fc.double(), fc.boolean(), fc.constant(null));
		const keys = fc.constantFrom(
			...'schema_version simulation dt num_worlds solver builder defaults shape joint ground cfg assets type source git repo rev path bodies id transform p q shapes joints parent child axis articulations initial_joint_q index value post_build op range array mode replicate spacing mu ke flags color'.split(
				' ',
			),
		);
		const { value } = fc.letrec((tie) => ({
			value: fc.oneof(
				{ maxDepth: 5, withCrossShrink: true },
				scalar,
				fc.array(tie('value'), { maxLength: 4 }),
				fc.dictionary(keys, tie('value'), { maxKeys: 5 }),
			),
		}));
		const sections = fc.dictionary(keys, value, { maxKeys: 8 });
		fc.assert(
			fc.property(sections, (sample) => {
				const { scene, report } = readScene(JSON.stringify(sample), { file: 'a.yaml' });
				expect(scene === undefined).toBe(report.hasErrors);
				for (const diagnostic of report.toArray()) expect(diagnostic.range).toBeDefined();
			}),
			{ numRuns: 300 },
		);
	});
});
