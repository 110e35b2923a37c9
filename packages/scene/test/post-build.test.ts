import { GeoType } from '@manyworlds/model';
import { SAP_TAU_ATTRIBUTE } from '@manyworlds/sim/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findings, load, loaded, twoBodies } from './support.ts';

const numbers = (values: ArrayLike<number> | undefined): number[] => Array.from(values ?? []);
const edited = (...post_build: object[]): ReturnType<typeof loaded> => loaded(twoBodies({ post_build }));
const refusal = (operation: object): string =>
	findings(load(twoBodies({ post_build: [operation] }))).map((line) => line.replace(/^\S+ /, ''))[0]!;

describe('arrays', () => {
	it('are the nineteen of the seed', () => {
		const names =
			'shape_margin shape_gap shape_material_ke shape_material_tau shape_material_mu shape_material_restitution shape_material_mu_torsional shape_material_mu_rolling shape_material_kh shape_collision_group shape_flags joint_q joint_qd joint_target_pos joint_target_vel joint_target_ke joint_target_kd joint_target_mode joint_armature';
		for (const array of names.split(' ')) edited({ op: 'set_array', array, index: 0, value: 1 });
		expect(refusal({ op: 'set_array', array: 'body_q', value: 1 })).toContain(
			'SCN030 unsupported feature: post_build set_array body_q',
		);
	});

	it('take a value, values, or those of another array', () => {
		const { model } = edited(
			{ op: 'set_array', array: 'joint_armature', value: 'pi / pi' },
			{ op: 'set_array', array: 'joint_armature', range: [0, 3], values: [4, 5, '2 * 3'] },
			{ op: 'set_array', array: 'joint_target_ke', from_array: 'joint_armature' },
			{
				op: 'set_array',
				array: 'joint_target_kd',
				range: 'head:2',
				from_array: 'joint_armature',
				from_range: { range: [1, 3] },
			},
		);
		expect(numbers(model.jointArmature)).toEqual([4, 5, 6, 1, 1, 1, 1]);
		expect(numbers(model.jointTargetKe)).toEqual([4, 5, 6, 1, 1, 1, 1]);
		expect(numbers(model.jointTargetKd)).toEqual([5, 6, 0, 0, 0, 0, 0]);
	});

	it('are copied by copy_array, also onto themselves', () => {
		const { model } = edited(
			{ op: 'set_array', array: 'joint_armature', values: [0, 1, 2, 3, 4, 5, 6] },
			{
				op: 'copy_array',
				src: 'joint_armature',
				dst: 'joint_armature',
				src_range: { range: [0, 3] },
				dst_range: { range: [1, 4] },
			},
			{ op: 'copy_array', src: 'joint_armature', dst: 'joint_target_kd', index: 6 },
		);
		expect(numbers(model.jointArmature)).toEqual([0, 0, 1, 2, 4, 5, 6]);
		expect(numbers(model.jointTargetKd)).toEqual([0, 0, 0, 0, 0, 0, 6]);
	});

	it('hold what solvers read', () => {
		const scene = edited(
			{ op: 'set_array', array: 'shape_material_tau', index: 1, value: 0.3 },
			{ op: 'set_array', array: 'joint_target_pos', index: 6, value: 0.7 },
		);
		expect(numbers(scene.model.attributes.get(SAP_TAU_ATTRIBUTE) as Float64Array)).toEqual([0.02, 0.3, 0.02]);
		expect(scene.control.jointTargetQ[7]).toBe(0.7);
	});

	it('turn the target of a free joint about x, y and z', () => {
		const { control } = edited({
			op: 'set_array',
			array: 'joint_target_pos',
			range: [0, 6],
			values: [1, 2, 3, 0, 0, 'pi / 2'],
		});
		const expected = [1, 2, 3, 0, 0, Math.SQRT1_2, Math.SQRT1_2];
		for (const [i, value] of expected.entries()) expect(control.jointTargetQ[i]).toBeCloseTo(value, 12);
	});

	it('refuse what does not fit', () => {
		expect(refusal({ op: 'set_array', array: 'joint_q', range: 'head:3', values: [1, 2] })).toBe(
			'SCN041 post_build[0].values has 2 values for 3 entries of joint_q',
		);
		expect(refusal({ op: 'set_array', array: 'joint_q', from_array: 'joint_qd' })).toBe(
			'SCN041 post_build[0] takes 7 entries of joint_qd for 8 entries of joint_q',
		);
		expect(refusal({ op: 'copy_array', src: 'joint_q', dst: 'joint_qd' })).toBe(
			'SCN041 post_build[0] copies 8 entries of joint_q to 7 entries of joint_qd',
		);
		expect(refusal({ op: 'set_array', array: 'joint_q' })).toContain(
			'SCN010 post_build[0] has neither value nor values nor from_array',
		);
		expect(refusal({ op: 'set_array', array: 'joint_q', value: 'x' })).toContain('SCN007 post_build[0].value');
		expect(refusal({ op: 'set_array', array: 'joint_target_mode', value: 'position' })).toContain('SCN007');
		expect(refusal({ op: 'set_array', array: 'shape_flags', value: 1.5 })).toContain(
			'SCN008 post_build[0] sets an entry of shape_flags to 1.5',
		);
		expect(refusal({ op: 'copy_array', src: 'a', dst: 'joint_q' })).toContain('post_build copy_array a->joint_q');
	});
});

describe('ranges', () => {
	const entries = (range: unknown): number[] =>
		numbers(edited({ op: 'set_array', array: 'joint_armature', range, value: 9 }).model.jointArmature).flatMap(
			(value, i) => (value === 9 ? [i] : []),
		);

	it.each([
		['all', [0, 1, 2, 3, 4, 5, 6]],
		['head:2', [0, 1]],
		['head:0', []],
		['tail:2', [5, 6]],
		['tail:0', []],
		['from:5', [5, 6]],
		['from:-2', [5, 6]],
		[
			[1, 3],
			[1, 2],
		],
		[
			[-3, null],
			[4, 5, 6],
		],
		[
			[0, -5],
			[0, 1],
		],
		[[3, 1], []],
		['head:99', [0, 1, 2, 3, 4, 5, 6]],
		[
			[5, 99],
			[5, 6],
		],
	])('%j', (range, expected) => {
		expect(entries(range)).toEqual(expected);
	});

	it('agree with slices of lists', () => {
		const values = [0, 1, 2, 3, 4, 5, 6];
		const bound = fc.integer({ min: -7, max: 12 });
		fc.assert(
			fc.property(bound, fc.option(bound), (start, end) => {
				expect(entries([start, end])).toEqual(values.slice(start, end ?? undefined));
			}),
			{ numRuns: 40 },
		);
	});

	it('warn of what lies beyond the array, and refuse what lies before it', () => {
		const result = load(
			twoBodies({ post_build: [{ op: 'set_array', array: 'joint_armature', range: 'head:99', value: 1 }] }),
		);
		expect(findings(result, ['warning'])[0]).toContain(
			'SCN040 post_build[0].range is head:99, which reaches beyond an array of 7',
		);
		expect(refusal({ op: 'set_array', array: 'joint_armature', range: [-9, null], value: 1 })).toContain('SCN040');
		expect(refusal({ op: 'set_array', array: 'joint_armature', index: 7, value: 1 })).toBe(
			'SCN040 post_build[0].index is 7, expected -7 to 6',
		);
		expect(refusal({ op: 'set_array', array: 'joint_armature', range: 'mid:3', value: 1 })).toContain(
			"SCN009 post_build[0].range is 'mid:3'",
		);
		expect(refusal({ op: 'set_array', array: 'joint_armature', range: 'head:x', value: 1 })).toContain('SCN007');
		expect(refusal({ op: 'set_array', array: 'joint_armature', range: 'tail:-1', value: 1 })).toContain('SCN008');
	});
});

const ROBOT = `<robot name="bot">
  <link name="base"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
  <link name="left"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <link name="right"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <joint name="left_leg" type="continuous"><parent link="base"/><child link="left"/><axis xyz="0 0 1"/></joint>
  <joint name="right_leg" type="continuous"><parent link="base"/><child link="right"/><axis xyz="0 0 1"/></joint>
</robot>`;

describe('joint selectors', () => {
	const driven = (selector: object): string[] => {
		const scene = loaded(
			JSON.stringify({
				assets: [{ id: 'bot', type: 'urdf', source: ROBOT, floating: true }],
				post_build: [{ op: 'set_joint_targets', ke: 3, kd: 1, ...selector }],
			}),
		);
		const { model } = scene;
		return model.labels('joint').filter((_, joint) => {
			const dof = model.jointQdStart[joint]!;
			return model.jointTargetKe[dof] === 3 && model.jointTargetKd[dof] === 1 && model.jointTargetMode[dof] === 1;
		});
	};

	it.each([
		[{ joint: 'bot/left_leg' }, ['bot/left_leg']],
		[{ joint: 'left_leg' }, ['bot/left_leg']],
		[{ joint_label: 'right_leg' }, ['bot/right_leg']],
		[{ joint: 1 }, ['bot/left_leg']],
		[{ joints: ['left_leg', 'right_leg'] }, ['bot/left_leg', 'bot/right_leg']],
		[{ joint_labels: ['right_leg'] }, ['bot/right_leg']],
		[{ label_prefix: 'bot/left' }, ['bot/left_leg']],
		[{ match: '_leg' }, ['bot/left_leg', 'bot/right_leg']],
		[{ match: 'nothing' }, []],
		[{ range: 'from:6' }, ['bot/left_leg', 'bot/right_leg']],
		// the joint wins over the range
		[{ joint: 'left_leg', range: 'all' }, ['bot/left_leg']],
	])('%j', (selector, expected) => {
		expect(driven(selector)).toEqual(expected);
	});

	it('say what is unknown or ambiguous', () => {
		expect(refusal({ op: 'set_joint_targets', joint: 'hinges' })).toBe(
			"SCN021 unsupported feature: post_build set_joint_targets: Unknown joint reference: 'hinges'; it is 'hinges', which no joint has as its label or behind a '/'; did you mean 'hinge'?",
		);
		const two = twoBodies({
			joints: [
				{ id: 'box_free', type: 'free', child: 'box', label: 'a/joint' },
				{ id: 'hinge', type: 'revolute', child: 'arm', label: 'b/joint' },
			],
			post_build: [{ op: 'set_joint_targets', joint: 'joint' }],
		});
		expect(findings(load(two))[0]).toContain(
			"SCN022 unsupported feature: post_build set_joint_targets: Ambiguous joint reference 'joint'",
		);
	});
});

describe('operations', () => {
	it('add_shape adds to a body or to the world', () => {
		const { model } = edited(
			{ op: 'add_shape', type: 'sphere', radius: 0.2, label: 'knob', body: 'box' },
			{ op: 'ADD_SHAPE', hz: 2, mu: 0.9 },
		);
		expect(model.labels('shape')).toEqual(['shape_0', 'shape_1', 'knob', 'shape_3', 'floor']);
		expect(numbers(model.shapeBody)).toEqual([0, 1, 0, -1, -1]);
		expect(model.shapeMaterialMu[3]).toBe(0.9);
		expect(refusal({ op: 'add_shape', body: 'nobody' })).toContain("SCN020 post_build[0].body is 'nobody'");
	});

	it('scale_sphere_shapes scales every sphere, bounds included', () => {
		const { model } = edited({ op: 'scale_sphere_shapes', factor: 3 });
		expect(model.shapeScale[3]).toBeCloseTo(0.3, 12);
		expect(model.shapeCollisionRadius[1]).toBeCloseTo(0.3, 12);
		expect(model.shapeScale[0]).toBe(0.1);
	});

	it('approximate_meshes puts tight boxes around colliding meshes and keeps the mass', () => {
		// a slab, turned by 30° about z
		const [c, s] = [Math.cos(Math.PI / 6), Math.sin(Math.PI / 6)];
		const corners = [0, 1, 2, 3, 4, 5, 6, 7].map(
			(i) => [i & 1 ? 1 : -1, i & 2 ? 0.3 : -0.3, i & 4 ? 0.1 : -0.1] as const,
		);
		const obj = [
			...corners.map(([x, y, z]) => `v ${c * x - s * y} ${s * x + c * y} ${z + 0.5}`),
			'f 1 3 4 2',
			'f 5 6 8 7',
			'f 1 2 6 5',
			'f 3 7 8 4',
			'f 1 5 7 3',
			'f 2 4 8 6',
		].join('\n');
		const text = (post_build: object[]): string =>
			twoBodies({ bodies: [{ id: 'box', shapes: [{ type: 'mesh', path: 'slab.obj' }] }, { id: 'arm' }], post_build });
		const files = { 'slab.obj': obj };
		const mesh = loaded(text([]), { files }).model;
		const { model } = loaded(text([{ op: 'approximate_meshes', method: 'bounding_box' }]), { files });
		expect(model.shapeType[0]).toBe(GeoType.BOX);
		const sizes = numbers(model.shapeScale)
			.slice(0, 3)
			.sort((a, b) => a - b);
		for (const [i, size] of [0.1, 0.3, 1].entries()) expect(sizes[i]).toBeCloseTo(size, 6);
		for (const [i, place] of [0, 0, 0.5].entries()) expect(model.shapeTransform[i]).toBeCloseTo(place, 6);
		expect(model.bodyMass[0]).toBe(mesh.bodyMass[0]);
		expect(refusal({ op: 'approximate_meshes' })).toContain('post_build approximate_meshes method=convex_hull');
	});

	it('set_attr changes what is built later, and gravity', () => {
		const { model } = edited(
			{ op: 'set_attr', name: 'gravity', value: -1.62 },
			{ op: 'set_attr', name: 'rigid_gap', value: 0.5 },
		);
		expect(numbers(model.gravity)).toEqual([0, 0, -1.62]);
		expect(numbers(model.shapeGap)).toEqual([0.002, 0.002, 0.5]);
		expect(refusal({ op: 'set_attr', name: 'speed', value: 1 })).toContain(
			'SCN030 unsupported feature: post_build set_attr speed',
		);
		expect(refusal({ op: 'set_attr', name: 'gravity' })).toBe('SCN010 post_build[0].value is missing');
		expect(refusal({ op: 'set_attr', name: 'gravity', value: 'down' })).toContain('SCN007');
	});

	it('set_joint_targets sets mode and both gains', () => {
		const { model } = edited(
			{ op: 'set_joint_targets', range: 'all', mode: 'velocity', ke: 1, kd: 2 },
			{ op: 'set_joint_targets', range: 'head:6', mode: 'none' },
		);
		expect(numbers(model.jointTargetMode)).toEqual([0, 0, 0, 0, 0, 0, 2]);
		expect(numbers(model.jointTargetKd)).toEqual([0, 0, 0, 0, 0, 0, 2]);
		expect(refusal({ op: 'set_joint_targets', mode: 'fast' })).toContain('SCN009 post_build[0].mode');
	});

	it('copy_joint_q_to_joint_targets takes all coordinates of a joint', () => {
		const { control, state } = edited(
			{ op: 'set_joint_q', joint: 'hinge', value: 0.4 },
			{ op: 'set_array', array: 'joint_q', range: [3, 7], values: [0, 0, 1, 0] },
			{ op: 'copy_joint_q_to_joint_targets', joints: ['hinge', 'box_free'] },
		);
		expect(numbers(control.jointTargetQ)).toEqual(numbers(state.jointQ));
		expect(refusal({ op: 'copy_joint_q_to_joint_targets' })).toContain(
			"Expected a joint selector in op: {'op': 'copy_joint_q_to_joint_targets'}",
		);
	});

	it('set_joint_armature obeys ranges and joints', () => {
		expect(numbers(edited({ op: 'set_joint_armature', range: 'tail:1', value: 2 }).model.jointArmature)).toEqual([
			0, 0, 0, 0, 0, 0, 2,
		]);
		expect(numbers(edited({ op: 'set_joint_armature', joint: 'hinge', value: 2 }).model.jointArmature)).toEqual([
			0, 0, 0, 0, 0, 0, 2,
		]);
		expect(refusal({ op: 'set_joint_armature' })).toBe('SCN010 post_build[0].value is missing');
	});

	it('lists what it does not know', () => {
		const text = twoBodies({ post_build: [{ op: 'explode' }, {}, { op: 'set_array', value: 1 }] });
		const result = load(text, { strict: false });
		expect(result.loaded?.unsupportedFeatures).toEqual([
			'post_build op=explode',
			'post_build op=<missing>',
			'post_build set_array <missing>',
		]);
		expect(load(text).loaded).toBeUndefined();
		expect(load(text).unsupportedFeatures).toHaveLength(3);
	});
});
