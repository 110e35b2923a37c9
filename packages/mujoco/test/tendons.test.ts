import { type ModelBuilder, ModelFlags } from '@manyworlds/model';
import { describe, expect, test } from 'vitest';
import { doubleField } from '../src/internal.ts';
import { compile, hinged, link, mujoco, mujocoBuilder, withSolver } from './support.ts';

const WRAP = { site: 0, geom: 1, pulley: 2 } as const;

/** Two hinged bodies with sites, and a cylinder that a tendon can wrap. */
function base(): { builder: ModelBuilder; sites: number[]; cylinder: number } {
	const builder = mujocoBuilder();
	const a = hinged(builder);
	const b = hinged(builder, { parentXform: [1, 0, 0, 0, 0, 0, 1] });
	const sites = [
		builder.addSite(a.body, { label: 's0', xform: [0, 0, 0.3, 0, 0, 0, 1] }),
		builder.addSite(a.body, { label: 's1', xform: [0, 0, 0.6, 0, 0, 0, 1] }),
		builder.addSite(b.body, { label: 's2', xform: [0, 0, 0.3, 0, 0, 0, 1] }),
		builder.addSite(b.body, { label: 's3', xform: [0, 0, 0.6, 0, 0, 0, 1] }),
	];
	const cylinder = builder.addShapeCylinder(a.body, { radius: 0.05, halfHeight: 0.1, label: 'drum' });
	return { builder, sites, cylinder };
}

type Wrap = readonly [type: number, shape: number, prm?: number, sidesite?: number];

function addSpatial(
	builder: ModelBuilder,
	label: string,
	path: readonly Wrap[],
	row: Readonly<Record<string, number>> = {},
): void {
	const start = builder.rowCount('mujoco:tendon_wrap');
	for (const [type, shape, prm = 0, sidesite = -1] of path) {
		builder.addRow('mujoco:tendon_wrap', {
			'mujoco:tendon_wrap_type': type,
			'mujoco:tendon_wrap_shape': shape,
			'mujoco:tendon_wrap_prm': prm,
			'mujoco:tendon_wrap_sidesite': sidesite,
		});
	}
	builder.addRow('mujoco:tendon', {
		'mujoco:tendon_label': label,
		'mujoco:tendon_type': 1,
		'mujoco:tendon_wrap_adr': start,
		'mujoco:tendon_wrap_num': path.length,
		...row,
	});
}

describe('tendons', () => {
	test('a fixed tendon is a sum of joint coordinates with coefficients, and has every property', () => {
		const { builder } = base();
		for (const [joint, coef] of [
			[0, 2],
			[1, -3],
		]) {
			builder.addRow('mujoco:tendon_joint', { 'mujoco:tendon_joint': joint!, 'mujoco:tendon_coef': coef! });
		}
		builder.addRow('mujoco:tendon', {
			'mujoco:tendon_label': 'cord',
			'mujoco:tendon_joint_adr': 0,
			'mujoco:tendon_joint_num': 2,
			'mujoco:tendon_stiffness': 5,
			'mujoco:tendon_damping': 0.5,
			'mujoco:tendon_frictionloss': 0.1,
			'mujoco:tendon_limited': 1,
			'mujoco:tendon_range': [-1, 2],
			'mujoco:tendon_margin': 0.01,
			'mujoco:tendon_armature': 0.02,
			'mujoco:tendon_springlength': [0.1, 0.3],
		});
		const model = builder.finalize();
		withSolver(model, (solver) => {
			const { mj } = solver.compiled;
			expect(mujoco.mj_id2name(mj, mujoco.mjtObj.mjOBJ_TENDON.value, 0)).toBe('cord');
			const numbers = (name: string): number[] => [...doubleField(mj, name)];
			expect(numbers('wrap_prm')).toEqual([2, -3]);
			expect(numbers('tendon_stiffness')[0]).toBe(5);
			expect(numbers('tendon_damping')[0]).toBe(0.5);
			expect(numbers('tendon_frictionloss')[0]).toBe(0.1);
			expect(numbers('tendon_range')).toEqual([-1, 2]);
			expect(numbers('tendon_margin')[0]).toBe(0.01);
			expect(numbers('tendon_armature')[0]).toBe(0.02);
			expect(numbers('tendon_lengthspring')).toEqual([0.1, 0.3]);
			(model.attributes.get('mujoco:tendon_stiffness') as Float64Array)[0] = 9;
			solver.notifyModelChanged(ModelFlags.TENDON_PROPERTIES);
			expect(numbers('tendon_stiffness')[0]).toBe(9);
		});
	});

	test('a spatial tendon goes over sites, shapes with a side site, and pulleys', () => {
		const { builder, sites, cylinder } = base();
		addSpatial(builder, 'cable', [
			[WRAP.site, sites[0]!],
			[WRAP.geom, cylinder, 0, sites[1]!],
			[WRAP.site, sites[1]!],
			[WRAP.pulley, -1, 2],
			[WRAP.site, sites[2]!],
			[WRAP.site, sites[3]!],
		]);
		compile(builder.finalize(), ({ int, sizes, codes }) => {
			expect(sizes.ntendon).toBe(1);
			const { mjtWrap } = mujoco;
			expect(int('wrap_type')).toEqual([
				mjtWrap.mjWRAP_SITE.value,
				mjtWrap.mjWRAP_CYLINDER.value,
				mjtWrap.mjWRAP_SITE.value,
				mjtWrap.mjWRAP_PULLEY.value,
				mjtWrap.mjWRAP_SITE.value,
				mjtWrap.mjWRAP_SITE.value,
			]);
			expect(codes).not.toContain('MJC013');
		});
	});

	test.each<[string, (sites: number[], cylinder: number) => readonly Wrap[], RegExp]>([
		[
			'another kind of element',
			(s) => [
				[WRAP.site, s[0]!],
				[7, s[1]!],
				[WRAP.site, s[2]!],
			],
			/type 7/,
		],
		[
			'a site that does not exist',
			(s) => [
				[WRAP.site, s[0]!],
				[WRAP.site, 99],
			],
			/site 99/,
		],
		[
			'a shape that does not exist',
			(s) => [
				[WRAP.site, s[0]!],
				[WRAP.geom, 99],
				[WRAP.site, s[1]!],
			],
			/shape 99/,
		],
		[
			'a pulley without divisor',
			(s) => [
				[WRAP.site, s[0]!],
				[WRAP.site, s[1]!],
				[WRAP.pulley, -1, 0],
				[WRAP.site, s[2]!],
				[WRAP.site, s[3]!],
			],
			/divisor 0/,
		],
		['one point', (s) => [[WRAP.site, s[0]!]], /fewer than two points/],
		['no point', () => [], /empty/],
		[
			'a shape at its end',
			(s, c) => [
				[WRAP.site, s[0]!],
				[WRAP.geom, c],
			],
			/begin and end with a site/,
		],
		[
			'two shapes in a row',
			(s, c) => [
				[WRAP.site, s[0]!],
				[WRAP.geom, c],
				[WRAP.geom, c],
				[WRAP.site, s[1]!],
			],
			/no site between/,
		],
	])('a path with %s leaves the tendon out, by name; the rest is converted', (_, path, message) => {
		const { builder, sites, cylinder } = base();
		addSpatial(builder, 'bad', path(sites, cylinder));
		addSpatial(builder, 'good', [
			[WRAP.site, sites[0]!],
			[WRAP.site, sites[2]!],
		]);
		compile(builder.finalize(), ({ sizes, name, codes, messages }) => {
			expect(sizes.ntendon).toBe(1);
			expect(name('TENDON', 0)).toBe('good');
			expect(codes).toContain('MJC013');
			expect(messages.join()).toMatch(/tendon 'bad' is left out/);
			expect(messages.join()).toMatch(message);
		});
	});

	test('a fixed tendon leaves out joints that are not scalar, and is left out when none remains', () => {
		const { builder } = base();
		const ball = builder.addJointBall({ child: link(builder) });
		builder.addArticulation([ball]);
		for (const joint of [0, ball, ball]) {
			builder.addRow('mujoco:tendon_joint', { 'mujoco:tendon_joint': joint, 'mujoco:tendon_coef': 1 });
		}
		const add = (label: string, start: number, count: number): number =>
			builder.addRow('mujoco:tendon', {
				'mujoco:tendon_label': label,
				'mujoco:tendon_joint_adr': start,
				'mujoco:tendon_joint_num': count,
			});
		add('partly', 0, 2);
		add('none', 2, 1);
		add('beyond', 2, 7);
		add('empty', 0, 0);
		compile(builder.finalize(), ({ sizes, messages }) => {
			expect(sizes.ntendon).toBe(1);
			const text = messages.join('\n');
			expect(text).toMatch(/joint 2 of tendon 'partly' is left out/);
			expect(text).toMatch(/tendon 'none' is left out/);
			expect(text).toMatch(/tendon 'beyond' is left out: its joints 2 to 8 do not exist/);
			expect(text).toMatch(/tendon 'empty' is left out: it has no joints/);
		});
	});
});
