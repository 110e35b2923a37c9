import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findings, load, twoBodies } from './support.ts';

const ROBOT = `<robot name="r"><link name="a"><collision><geometry><box size="1 1 1"/></geometry></collision></link><link name="b"/>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>`;

/** A scene that uses most of the schema. */
const SCENE: unknown = JSON.parse(
	twoBodies({
		simulation: {
			dt: 0.01,
			num_worlds: 2,
			max_rigid_contact: 8,
			solver: { contact_preset_variant: 'drake', rho: 0.5 },
		},
		replicate: { num_worlds: 2, spacing: [1, 1, 0] },
		assets: [
			{
				id: 'r',
				type: 'urdf',
				source: ROBOT,
				floating: true,
				xform: { p: [0, 0, 3] },
				scale: 1,
				cfg: { mu: 0.5 },
				joint_ordering: 'dfs',
			},
		],
		initial_joint_q: [{ joint: 'hinge', offset: 0, value: 'pi' }],
		post_build: [
			{ op: 'add_shape', body: 'box', type: 'sphere', radius: 0.1 },
			{ op: 'set_array', array: 'joint_q', range: [0, 2], values: [0, 1] },
			{ op: 'copy_array', src: 'joint_target_ke', dst: 'joint_armature', range: 'tail:2' },
			{ op: 'scale_sphere_shapes', factor: 2 },
			{ op: 'approximate_meshes', method: 'bounding_box' },
			{ op: 'set_attr', name: 'gravity', value: -1 },
			{ op: 'set_joint_targets', match: 'j', mode: 'position', ke: 1, kd: 1 },
			{ op: 'set_joint_q', joint: 'j', value: 0.1 },
			{ op: 'copy_joint_q_to_joint_targets', joints: ['j', 'hinge'] },
			{ op: 'set_joint_armature', range: 'head:3', value: 0.1 },
		],
	}),
);

type Path = readonly (string | number)[];

function paths(value: unknown, path: Path = []): Path[] {
	if (value === null || typeof value !== 'object') return [path];
	return [
		path,
		...Object.entries(value).flatMap(([key, part]) => paths(part, [...path, Array.isArray(value) ? Number(key) : key])),
	];
}

/** A copy with the value at a path replaced, or removed when it is undefined. */
function replaced(value: unknown, path: Path, by: unknown): unknown {
	const [step, ...rest] = path;
	if (step === undefined) return by;
	if (Array.isArray(value)) return value.map((item, i) => (i === step ? replaced(item, rest, by) : item));
	return { ...(value as object), [step]: replaced((value as Record<string, unknown>)[String(step)], rest, by) };
}

it('loads the scene that is changed below', () => {
	expect(findings(load(JSON.stringify(SCENE)))).toEqual([]);
});

it('gives a scene or a located error, whatever a value is', () => {
	const odd = fc.oneof(
		fc.constantFrom<unknown>(
			undefined,
			null,
			true,
			false,
			'',
			'x',
			'-1',
			'1/0',
			'world',
			'identity',
			[],
			{},
			[1],
			[null, null, null],
			{ a: 1 },
			-1,
			0,
			1e308,
			-1e308,
			2 ** 53,
			0.5,
		),
		fc.string({ maxLength: 8 }),
		fc.integer(),
		fc.double(),
		fc.array(fc.oneof(fc.integer(), fc.string({ maxLength: 3 })), { maxLength: 8 }),
	);
	const change = fc.tuple(fc.constantFrom(...paths(SCENE)), odd);
	fc.assert(
		fc.property(change, fc.boolean(), ([path, value], strict) => {
			const text = JSON.stringify(replaced(SCENE, path, value)) ?? 'null';
			const result = load(text, { strict });
			expect(result.loaded === undefined).toBe(result.report.hasErrors);
			for (const { severity, range } of result.report.toArray()) if (severity === 'error') expect(range).toBeDefined();
		}),
		{ numRuns: 150 },
	);
});

it.each([
	['simulation.num_worlds', { simulation: { num_worlds: 1e12 } }],
	['simulation.max_rigid_contact', { simulation: { max_rigid_contact: 1e12 } }],
])('refuses sizes that only use up memory: %s', (name, parts) => {
	expect(findings(load(twoBodies(parts)))[0]).toContain(
		`SCN008 ${name} is 1000000000000, expected a whole number of at most`,
	);
});
