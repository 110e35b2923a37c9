import { ModelBuilder } from '@manyworlds/model';
import type { AttributeDeclaration, AttributeType } from '@manyworlds/model/internal';
import { describe, expect, test } from 'vitest';
import { codeOf, contentOf } from './support.ts';

const numbers = (values: ArrayLike<number | string>): (number | string)[] => Array.from(values);

/** Two hinges on a free base. */
function chain(builder: ModelBuilder): void {
	const [a, b, c] = [builder.addLink({ mass: 1 }), builder.addLink({ mass: 1 }), builder.addLink({ mass: 1 })];
	builder.addArticulation([
		builder.addJointFree({ child: a }),
		builder.addJointRevolute({ parent: a, child: b }),
		builder.addJointRevolute({ parent: b, child: c }),
	]);
}

describe('custom attributes', () => {
	test('every type has its array, its default and its values', () => {
		const builder = new ModelBuilder();
		const types: Record<
			AttributeType,
			readonly [value: unknown, row: readonly (number | string)[], zero: readonly (number | string)[]]
		> = {
			bool: [true, [1], [0]],
			i32: [-7, [-7], [0]],
			u32: [7, [7], [0]],
			f32: [0.5, [0.5], [0]],
			i64: [-(2 ** 63), [-(2 ** 63)], [0]],
			f64: [0.1, [0.1], [0]],
			vec2: [
				[1, 2],
				[1, 2],
				[0, 0],
			],
			vec3: [
				[1, 2, 3],
				[1, 2, 3],
				[0, 0, 0],
			],
			vec4: [
				[1, 2, 3, 4],
				[1, 2, 3, 4],
				[0, 0, 0, 0],
			],
			vec5: [[1, 2, 3, 4, 5], [1, 2, 3, 4, 5], new Array(5).fill(0)],
			vec10: [new Array(10).fill(3), new Array(10).fill(3), new Array(10).fill(0)],
			vec6: [
				[1, 2, 3, 4, 5, 6],
				[1, 2, 3, 4, 5, 6],
				[0, 0, 0, 0, 0, 0],
			],
			quat: [
				[1, 0, 0, 0],
				[1, 0, 0, 0],
				[0, 0, 0, 1],
			],
			mat22: [
				[1, 2, 3, 4],
				[1, 2, 3, 4],
				[0, 0, 0, 0],
			],
			mat33: [[1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 2, 3, 4, 5, 6, 7, 8, 9], new Array(9).fill(0)],
			mat44: [new Array(16).fill(2), new Array(16).fill(2), new Array(16).fill(0)],
			transform: [
				[1, 2, 3, 0, 0, 0, 1],
				[1, 2, 3, 0, 0, 0, 1],
				[0, 0, 0, 0, 0, 0, 1],
			],
			string: ['hot', ['hot'], ['']],
			vec2i: [
				[1, 2],
				[1, 2],
				[0, 0],
			],
			vec3i: [
				[1, 2, 3],
				[1, 2, 3],
				[0, 0, 0],
			],
			vec4i: [
				[1, 2, 3, 4],
				[1, 2, 3, 4],
				[0, 0, 0, 0],
			],
		};
		for (const type of Object.keys(types) as AttributeType[])
			builder.defineAttribute({ name: type, type, frequency: 'body' });
		builder.addLink();
		builder.addLink({
			attributes: Object.fromEntries(Object.entries(types).map(([type, [value]]) => [type, value as number])),
		});
		const { attributes } = builder.finalize();
		for (const [type, [, row, zero]] of Object.entries(types))
			expect(numbers(attributes.get(type))).toEqual([...zero, ...row]);
	});

	test('handles type their arrays, namespaces keep names apart', () => {
		const builder = new ModelBuilder();
		const temperature = builder.defineAttribute({
			name: 'temperature',
			namespace: 'thermal',
			frequency: 'body',
			type: 'f32',
			default: 20,
		});
		builder.defineAttribute({ name: 'temperature', frequency: 'body', type: 'string' });
		builder.addBody({ mass: 1, attributes: { 'thermal:temperature': 37.5 } });
		builder.addBody({ mass: 1 });
		const { attributes } = builder.finalize();
		const values: Float32Array = attributes.get(temperature);
		expect(numbers(values)).toEqual([37.5, 20]);
		expect(attributes.keys()).toEqual(['thermal:temperature', 'temperature']);
	});

	test('joints take one value, a list, values by index, or one for all', () => {
		const builder = new ModelBuilder();
		builder.defineAttribute({ name: 'dof', type: 'f64', frequency: 'jointDof' });
		builder.defineAttribute({ name: 'coord', type: 'vec2', frequency: 'jointCoord' });
		builder.defineAttribute({ name: 'row', type: 'i32', frequency: 'jointConstraint', default: -1 });
		builder.defineAttribute({ name: 'joint', type: 'i32', frequency: 'joint' });
		const [a, b, c] = [builder.addLink(), builder.addLink(), builder.addLink()];
		builder.addArticulation([
			builder.addJointBall({
				child: a,
				attributes: { dof: [1, 2, 3], coord: [4, 5], row: new Map([[1, 9]]), joint: 7 },
			}),
			builder.addJointFixed({ parent: a, child: b, attributes: { dof: 8, row: 3 } }),
			builder.addJointRevolute({ parent: b, child: c, attributes: { dof: 6, coord: [[7, 8]] } }),
		]);
		const { attributes } = builder.finalize();
		expect(numbers(attributes.get('dof'))).toEqual([1, 2, 3, 6]);
		expect(numbers(attributes.get('coord'))).toEqual([4, 5, 4, 5, 4, 5, 4, 5, 7, 8]);
		expect(numbers(attributes.get('row'))).toEqual([-1, 9, -1, 3, 3, 3, 3, 3, 3, -1, -1, -1, -1, -1]);
		expect(numbers(attributes.get('joint'))).toEqual([7, 0, 0]);
	});

	test('trap 29: each misuse has its own code and adds nothing', () => {
		const builder = new ModelBuilder();
		const heat: AttributeDeclaration & { type: 'f64' } = { name: 'heat', type: 'f64', frequency: 'body' };
		builder.defineAttribute(heat);
		builder.defineAttribute(heat);
		builder.defineAttribute({ name: 'gain', type: 'f64', frequency: 'jointDof' });
		const pair = builder.defineFrequency({ namespace: 'app', name: 'pair' });
		builder.defineFrequency({ namespace: 'app', name: 'pair' });
		builder.defineAttribute({ namespace: 'app', name: 'weight', type: 'f64', frequency: pair });
		const body = builder.addLink();
		const content = contentOf(builder);
		const cases: [code: string, run: () => unknown][] = [
			['MODEL024', () => builder.addLink({ attributes: { cold: 1 } })],
			['MODEL024', () => builder.addJointRevolute({ child: body, attributes: { cold: 1 } })],
			['MODEL025', () => builder.addShapeSphere(body, { attributes: { heat: 1 } })],
			['MODEL025', () => builder.addJointRevolute({ child: body, attributes: { heat: 1 } })],
			['MODEL026', () => builder.addJointBall({ child: body, attributes: { gain: [1, 2] } })],
			['MODEL026', () => builder.addJointBall({ child: body, attributes: { gain: new Map([[3, 1]]) } })],
			['MODEL020', () => builder.addLink({ attributes: { heat: 'hot' } })],
			['MODEL020', () => builder.addLink({ attributes: { heat: [1, 2] } })],
			['MODEL022', () => builder.defineAttribute({ ...heat, owner: 'state' })],
			['MODEL022', () => builder.defineAttribute({ ...heat, frequency: 'shape' })],
			['MODEL022', () => builder.defineAttribute({ ...heat, type: 'i32' })],
			['MODEL022', () => builder.defineAttribute({ ...heat, references: 'body' })],
			['MODEL021', () => builder.defineAttribute({ name: 'x', type: 'f64', frequency: 'no:such' })],
			['MODEL021', () => builder.addRow('no:such', {})],
			['MODEL023', () => builder.defineFrequency({ namespace: 'a:b', name: 'c' })],
			['MODEL023', () => builder.defineFrequency({ namespace: 'a', name: '' })],
			['MODEL025', () => builder.addRow(pair, { heat: 1 })],
			['MODEL024', () => builder.addRow(pair, { 'app:none': 1 })],
			['MODEL020', () => builder.addRow(pair, { 'app:weight': 'heavy' })],
			['MODEL027', () => builder.defineAttribute({ name: 'y', type: 'i32', frequency: 'body', references: 'no:such' })],
			['MODEL020', () => builder.defineAttribute({ name: 'z', type: 'vec3', frequency: 'body', default: 1 })],
		];
		for (const [code, run] of cases) expect([run.toString(), codeOf(run)]).toEqual([run.toString(), code]);
		expect(contentOf(builder)).toEqual(content);
		expect(builder.finalize().frequencyCount(pair)).toBe(0);
	});

	test('owners hold their attributes, one copy each', () => {
		const builder = new ModelBuilder();
		for (const owner of ['model', 'state', 'control', 'contacts'] as const) {
			builder.defineAttribute({ name: `of_${owner}`, type: 'f64', frequency: 'body', owner, default: 3 });
		}
		builder.addBody({ mass: 1, attributes: { of_state: 4 } });
		const model = builder.finalize();
		const [s, t] = [model.createState(), model.createState()];
		(s.attributes.get('of_state') as Float64Array)[0] = 9;
		expect(numbers(t.attributes.get('of_state'))).toEqual([4]);
		expect(numbers(model.createControl().attributes.get('of_control'))).toEqual([3]);
		expect(numbers(model.createContacts().attributes.get('of_contacts'))).toEqual([3]);
		expect(codeOf(() => model.attributes.get('of_state'))).toBe('MODEL024');
		expect(model.attributes.has('of_model')).toBe(true);
	});

	test('rows of an own frequency: the counter belongs to the frequency, gaps take the default', () => {
		const builder = new ModelBuilder();
		const pair = builder.defineFrequency({ namespace: 'app', name: 'pair' });
		builder.defineAttribute({ namespace: 'app', name: 'a', type: 'i32', frequency: pair });
		builder.defineAttribute({ namespace: 'app', name: 'b', type: 'i32', frequency: pair });
		expect([
			builder.addRow(pair, { 'app:a': 1 }),
			builder.addRow(pair, { 'app:a': 2 }),
			builder.addRow(pair, { 'app:b': 10 }),
		]).toEqual([0, 1, 2]);
		const model = builder.finalize();
		expect(numbers(model.attributes.get('app:a'))).toEqual([1, 2, 0]);
		expect(numbers(model.attributes.get('app:b'))).toEqual([0, 0, 10]);
		expect(model.frequencies).toEqual(['app:pair']);
		expect(codeOf(() => model.frequencyCount('app:none'))).toBe('MODEL021');
	});

	test('references of every kind follow through worlds', () => {
		const part = new ModelBuilder();
		const pair = part.defineFrequency({ namespace: 'app', name: 'pair' });
		for (const references of [
			'body',
			'shape',
			'joint',
			'jointDof',
			'jointCoord',
			'articulation',
			'world',
			pair,
		] as const) {
			part.defineAttribute({
				namespace: 'app',
				name: `to_${references.replace(':', '_')}`,
				type: 'i32',
				frequency: pair,
				references,
				default: -1,
			});
		}
		chain(part);
		part.addShapeSphere(0);
		const values = {
			'app:to_body': 2,
			'app:to_shape': 0,
			'app:to_joint': 1,
			'app:to_jointDof': 7,
			'app:to_jointCoord': 8,
			'app:to_articulation': 0,
			'app:to_world': 5,
			'app:to_app_pair': 0,
		};
		part.addRow(pair, values);
		part.addRow(pair, {});
		const scene = new ModelBuilder();
		scene.addBody({ mass: 1 });
		scene.replicate(part, { count: 2 });
		const { attributes } = scene.finalize();
		const column = (name: string) => numbers(attributes.get(`app:to_${name}`));
		expect(column('body')).toEqual([3, -1, 6, -1]);
		expect(column('shape')).toEqual([0, -1, 1, -1]);
		expect(column('joint')).toEqual([2, -1, 5, -1]);
		expect(column('jointDof')).toEqual([13, -1, 21, -1]);
		expect(column('jointCoord')).toEqual([15, -1, 24, -1]);
		expect(column('articulation')).toEqual([1, -1, 2, -1]);
		expect(column('app_pair')).toEqual([0, -1, 2, -1]);
		expect(column('world').filter((_, i) => i % 2 === 0)).toEqual([0, 1]);
	});

	test('values per world land on the world they are merged into', () => {
		const part = new ModelBuilder();
		part.defineAttribute({ name: 'wind', type: 'f64', frequency: 'world', default: 1 });
		part.defineAttribute({ name: 'name', type: 'string', frequency: 'once', default: 'none' });
		part.addBody({ mass: 1 });
		part.setAttribute('wind', 42);
		part.setAttribute('name', 'it');
		const scene = new ModelBuilder();
		scene.addWorld(part);
		scene.withWorld({}, () => scene.addBody({ mass: 1 }));
		scene.addWorld(part);
		const { attributes } = scene.finalize();
		expect(numbers(attributes.get('wind'))).toEqual([42, 1, 42]);
		expect(attributes.get('name')).toEqual(['it']);
	});

	test('articulation values count the articulations of floating bodies', () => {
		const builder = new ModelBuilder();
		builder.defineAttribute({ name: 'kind', type: 'i32', frequency: 'articulation', default: 5 });
		builder.addBody({ mass: 1 });
		chain(builder);
		expect(numbers(builder.finalize().attributes.get('kind'))).toEqual([5, 5]);
	});
});
