import {
	JointTargetMode,
	JointType,
	type Model,
	ModelBuilder,
	type ModelBuilderOptions,
	ShapeFlags,
} from '@manyworlds/model';
import { describe, expect, it } from 'vitest';
import { type ImportUrdfOptions, importUrdf } from '../../src/index.ts';

function robot(body: string): string {
	return `<robot name="bot">${body}</robot>`;
}

const LINKS = '<link name="a"/><link name="b"/><link name="c"/>';

function joint(name: string, parent: string, child: string, type = 'revolute', inside = ''): string {
	return `<joint name="${name}" type="${type}"><parent link="${parent}"/><child link="${child}"/>${inside}</joint>`;
}

function load(text: string, options: ImportUrdfOptions = {}, settings: ModelBuilderOptions = {}) {
	const builder = new ModelBuilder(settings);
	const result = importUrdf(text, builder, options);
	return { ...result, builder, model: builder.finalize() };
}

function row(model: Model, array: string, index: number, width: number): number[] {
	return Array.from(
		model.array(array).slice(index * width, (index + 1) * width),
		(x) => Math.round(Number(x) * 1e6) / 1e6 + 0,
	);
}

describe('importUrdf', () => {
	it('names bodies and joints below the robot, root first', () => {
		const { model } = load(robot(LINKS + joint('j2', 'b', 'c') + joint('j1', 'a', 'b')));
		expect(model.bodyLabels).toEqual(['bot/a', 'bot/b', 'bot/c']);
		expect(model.jointLabels).toEqual(['bot/fixed_base', 'bot/j1', 'bot/j2']);
		expect(model.articulationLabels).toEqual(['bot']);
		expect([...model.jointParent]).toEqual([-1, 0, 1]);
	});

	it('keeps the order of siblings depth first, breadth first and as in the file', () => {
		const text = robot(
			`${LINKS}<link name="d"/>${joint('ab', 'a', 'b')}${joint('ac', 'a', 'c')}${joint('bd', 'b', 'd')}`,
		);
		const joints = (options: ImportUrdfOptions) => load(text, options).model.jointLabels.slice(1);
		expect(joints({})).toEqual(['bot/ab', 'bot/bd', 'bot/ac']);
		expect(joints({ jointOrdering: 'bfs' })).toEqual(['bot/ab', 'bot/ac', 'bot/bd']);
		expect(joints({ jointOrdering: 'file' })).toEqual(['bot/ab', 'bot/ac', 'bot/bd']);
		const { model } = load(text, { bodiesFollowJointOrdering: false });
		expect(model.bodyLabels).toEqual(['bot/a', 'bot/b', 'bot/c', 'bot/d']);
	});

	it('falls back to depth first when a file lists children before parents', () => {
		const { model, report } = load(robot(LINKS + joint('j2', 'b', 'c') + joint('j1', 'a', 'b')), {
			jointOrdering: 'file',
		});
		expect(model.jointLabels.slice(1)).toEqual(['bot/j1', 'bot/j2']);
		expect(report.toArray().map((d) => [d.code, d.severity])).toEqual([['URDF006', 'warning']]);
	});

	it('reads limits, effort, velocity, damping and friction', () => {
		const inside =
			'<axis xyz="0 2 0"/><limit lower="-1" upper="2" effort="30" velocity="4"/><dynamics damping="0.5" friction="0.25"/>';
		const { model } = load(robot(`<link name="a"/><link name="b"/>${joint('j', 'a', 'b', 'revolute', inside)}`));
		expect([...model.jointAxis]).toEqual([0, 1, 0]);
		const values = [
			'joint_limit_lower',
			'joint_limit_upper',
			'joint_effort_limit',
			'joint_velocity_limit',
			'joint_target_kd',
			'joint_friction',
		];
		expect(values.map((name) => model.array(name)[0])).toEqual([-1, 2, 30, 4, 0.5, 0.25]);
		expect(model.jointTargetMode[0]).toBe(JointTargetMode.POSITION);
	});

	it('scales lengths of sliding joints and not angles', () => {
		const limit = '<limit lower="-1" upper="2" velocity="4" effort="9"/>';
		const text = robot(
			LINKS +
				joint('p', 'a', 'b', 'prismatic', limit) +
				joint('r', 'b', 'c', 'revolute', `<origin xyz="1 0 0"/>${limit}`),
		);
		const { model } = load(text, { scale: 2 });
		expect([...model.jointLimitLower]).toEqual([-2, -1]);
		expect([...model.jointVelocityLimit]).toEqual([8, 4]);
		expect([...model.jointEffortLimit]).toEqual([9, 9]);
		expect(row(model, 'joint_X_p', 2, 7)).toEqual([2, 0, 0, 0, 0, 0, 1]);
	});

	it('turns a continuous joint without end, whatever its limits say', () => {
		const text = robot(
			'<link name="a"/><link name="b"/>' +
				joint('j', 'a', 'b', 'continuous', '<limit lower="0" upper="0" effort="1"/>'),
		);
		const { model, ledger } = load(text);
		expect(model.jointLimitLower[0]).toBe(-1e10);
		expect(ledger.entries().find((e) => e.name === 'lower')?.reason).toBe('a continuous joint has no limits');
		expect(load(text, { newtonCompat: true }).model.jointLimitLower[0]).toBe(0);
	});

	it.each([
		['floating', JointType.FREE, 6],
		['fixed', JointType.FIXED, 0],
		['planar', JointType.D6, 2],
		['prismatic', JointType.PRISMATIC, 1],
		['continuous', JointType.REVOLUTE, 1],
	])('makes a %s joint', (type, expected, dofs) => {
		const { model } = load(
			robot(`<link name="a"/><link name="b"/>${joint('j', 'a', 'b', type, '<axis xyz="0 0 1"/>')}`),
		);
		expect(model.jointType[1]).toBe(expected);
		expect(model.jointDofCount).toBe(dofs);
	});

	it.each([
		['0 0 1', [1, 0, 0, 0, 1, 0]],
		['0 1 0', [0, 0, 1, 1, 0, 0]],
		['0 -1 0', [0, 0, -1, 1, 0, 0]],
	])('moves a planar joint with normal %s along two axes in the plane', (axis, expected) => {
		const { model } = load(
			robot(`<link name="a"/><link name="b"/>${joint('j', 'a', 'b', 'planar', `<axis xyz="${axis}"/>`)}`),
		);
		expect(row(model, 'joint_axis', 0, 6)).toEqual(expected);
	});

	it('composes roll, pitch and yaw about fixed axes', () => {
		const { model } = load(
			robot(`<link name="a"/><link name="b"/>${joint('j', 'a', 'b', 'fixed', '<origin rpy="0.3 0.4 0.5"/>')}`),
		);
		// R = Rz(yaw) Ry(pitch) Rx(roll)
		expect(row(model, 'joint_X_p', 1, 7).slice(3)).toEqual([0.093307, 0.226566, 0.210984, 0.946281]);
	});

	it('takes mass, centre and inertia from the inertial frame', () => {
		const inertial =
			'<inertial><origin xyz="1 2 3" rpy="0 0 1.5707963267948966"/><mass value="4"/><inertia ixx="1" iyy="2" izz="2.5"/></inertial>';
		const { model } = load(
			robot(`<link name="a">${inertial}<collision><geometry><sphere radius="1"/></geometry></collision></link>`),
		);
		expect(model.bodyMass[0]).toBe(4);
		expect([...model.bodyCom]).toEqual([1, 2, 3]);
		expect(row(model, 'body_inertia', 0, 9)).toEqual([2, 0, 0, 0, 1, 0, 0, 0, 2.5]);
		const derived = load(
			robot(`<link name="a">${inertial}<collision><geometry><box size="1 1 1"/></geometry></collision></link>`),
			{
				ignoreInertialDefinitions: true,
			},
		);
		expect(derived.model.bodyMass[0]).toBeCloseTo(1000);
		expect(derived.ledger.totals().ignored).toBe(6);
	});

	it('gives visuals no mass and hides colliders behind them', () => {
		const shapes =
			'<visual><geometry><box size="2 2 2"/></geometry></visual><collision><geometry><sphere radius="1"/></geometry></collision>';
		const { model } = load(robot(`<link name="a">${shapes}</link>`));
		expect([...model.shapeFlags]).toEqual([
			ShapeFlags.VISIBLE,
			ShapeFlags.COLLIDE_SHAPES | ShapeFlags.COLLIDE_PARTICLES,
		]);
		expect(model.bodyMass[0]).toBeCloseTo((4000 * Math.PI) / 3);
		const shown = load(robot(`<link name="a">${shapes}</link>`), { forceShowColliders: true, hideVisuals: true }).model;
		expect([...shown.shapeFlags].map((flags) => flags & ShapeFlags.VISIBLE)).toEqual([0, ShapeFlags.VISIBLE]);
		const promoted = load(robot(`<link name="a">${shapes}</link>`), { parseVisualsAsColliders: true });
		expect(promoted.model.bodyMass[0]).toBeCloseTo(8000);
		expect(promoted.model.shapeCount).toBe(1);
	});

	it('takes capsules by length or height and keeps cylinders along z whatever the up axis', () => {
		const shapes = [
			'<capsule radius="0.1" length="2"/>',
			'<capsule radius="0.1" height="2"/>',
			'<cylinder radius="0.1" length="2"/>',
		];
		const text = robot(
			`<link name="a">${shapes.map((s) => `<collision><geometry>${s}</geometry></collision>`).join('')}</link>`,
		);
		const { model } = load(text, { upAxis: 'y' }, { upAxis: 'y' });
		expect([0, 1, 2].map((i) => row(model, 'shape_scale', i, 3))).toEqual([
			[0.1, 1, 0],
			[0.1, 1, 0],
			[0.1, 1, 0],
		]);
		expect(row(model, 'shape_transform', 2, 7)).toEqual([0, 0, 0, 0, 0, 0, 1]);
		const compat = load(text, { upAxis: 'y', newtonCompat: true }, { upAxis: 'y' }).model;
		expect(row(compat, 'shape_transform', 2, 7).slice(3)).not.toEqual([0, 0, 0, 1]);
	});

	it('resolves named, inline and overriding materials', () => {
		const visual = (material: string) => `<visual><geometry><sphere radius="1"/></geometry>${material}</visual>`;
		const text = robot(
			`<material name="red"><color rgba="1 0 0 0.5"/></material><link name="a">${[
				visual('<material name="red"/>'),
				visual('<material name="red"><color rgba="0 1 0 1"/></material>'),
				visual('<material name="new"><color rgba="0 0 1 7"/></material>'),
				visual('<material name="new"/>'),
			].join('')}</link>`,
		);
		const { model, report } = load(text);
		expect([0, 1, 2, 3].map((i) => row(model, 'shape_color', i, 3))).toEqual([
			[1, 0, 0],
			[0, 1, 0],
			[0, 0, 1],
			[0, 0, 1],
		]);
		expect([...model.shapeOpacity]).toEqual([0.5, 1, 1, 1]);
		expect(report.toArray().map((d) => d.message)).toEqual(['the opacity is 7, expected 0 to 1; 1 is taken']);
	});

	it('couples joints by mimic and says when it cannot', () => {
		const text = robot(
			LINKS +
				joint('j1', 'a', 'b') +
				joint('j2', 'b', 'c', 'revolute', '<mimic joint="j1" multiplier="2" offset="0.5"/>'),
		);
		const { model } = load(text);
		expect([model.constraintMimicCoef0[0], model.constraintMimicCoef1[0]]).toEqual([0.5, 2]);
		expect([model.constraintMimicJoint0[0], model.constraintMimicJoint1[0]]).toEqual([2, 1]);
		expect(model.constraintMimicLabels).toEqual(['bot/mimic_j2']);
		const lost = load(text.replace('joint="j1"', 'joint="j9"'));
		expect(lost.model.constraintMimicCount).toBe(0);
		expect(lost.report.toArray().map((d) => d.code)).toEqual(['URDF010']);
		expect(load(text.replace('joint="j1"', 'joint="j2"')).report.toArray()[0]?.message).toContain('the joint itself');
	});

	it('filters self collisions only between shapes that collide', () => {
		const link = (name: string) =>
			`<link name="${name}"><visual><geometry><sphere radius="1"/></geometry></visual><collision><geometry><sphere radius="1"/></geometry></collision></link>`;
		const text = robot(link('a') + link('b') + link('c') + joint('j', 'a', 'b') + joint('k', 'b', 'c'));
		expect(load(text, { enableSelfCollisions: false }).model.shapeContactPairCount).toBe(0);
		expect([...load(text).model.shapeContactPairs]).toEqual([1, 5]);
	});

	it('reads custom attributes of links, joints, geometry and the robot', () => {
		const builder = new ModelBuilder();
		const declare = (
			name: string,
			frequency: 'body' | 'joint' | 'shape' | 'articulation',
			type: 'f32' | 'vec3' | 'bool' | 'string',
		) => builder.defineAttribute({ name, frequency, type, namespace: 'x' });
		declare('heat', 'body', 'f32');
		declare('wire', 'joint', 'string');
		declare('tint', 'shape', 'vec3');
		declare('live', 'articulation', 'bool');
		const text = `<robot name="bot" live="true"><link name="a" heat="37.5"><collision><geometry tint="1 2 3"><sphere radius="1"/></geometry></collision></link><link name="b" heat="warm"/>${joint('j', 'a', 'b').replace('name=', 'wire="red" name=')}</robot>`;
		const { report, ledger } = importUrdf(text, builder);
		const model = builder.finalize();
		expect([...(model.attributes.get('x:heat') as Float32Array)]).toEqual([37.5, 0]);
		expect(model.attributes.get('x:wire')).toEqual(['', 'red']);
		expect([...(model.attributes.get('x:tint') as Float64Array)]).toEqual([1, 2, 3]);
		expect([...(model.attributes.get('x:live') as Uint8Array)]).toEqual([1]);
		expect(report.toArray().map((d) => d.message)).toEqual([
			"'heat' is 'warm', expected a value of type f32 for 'x:heat'",
		]);
		expect(ledger.totals().kept).toBe(4);
	});

	it('accepts text with white space, a byte order mark and comments before the robot', () => {
		expect(load(`\n \ufeff<!-- hi -->\n${robot('<link name="a"/>')}`).model.bodyCount).toBe(1);
	});
});
