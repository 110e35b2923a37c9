import { ModelBuilder, modelToJson, readModelSnapshot, registerMujocoAttributes } from '@manyworlds/model';
import { MUJOCO_ATTRIBUTES, MUJOCO_MASK_UNSET, mujocoAttribute, parseMujocoToken } from '@manyworlds/model/internal';
import { describe, expect, test } from 'vitest';

describe('the mujoco namespace', () => {
	test('has the 130 attributes of Newton 1.6.1, by frequency', () => {
		const counts = new Map<string, number>();
		for (const { frequency } of MUJOCO_ATTRIBUTES) counts.set(frequency, (counts.get(frequency) ?? 0) + 1);
		expect(Object.fromEntries(counts)).toEqual({
			equalityConstraint: 17,
			shape: 11,
			jointDof: 12,
			body: 2,
			world: 9,
			once: 11,
			'mujoco:pair': 10,
			'mujoco:actuator': 28,
			'mujoco:tendon': 22,
			'mujoco:tendon_joint': 3,
			'mujoco:tendon_wrap': 5,
		});
		expect(new Set(MUJOCO_ATTRIBUTES.map(({ key }) => key)).size).toBe(130);
	});

	test('registering twice changes nothing, and every attribute has its default in the model', () => {
		const builder = new ModelBuilder();
		registerMujocoAttributes(builder);
		registerMujocoAttributes(builder);
		const ball = builder.addBody();
		builder.addShapeSphere(ball);
		builder.addRow('mujoco:actuator', {});
		const model = builder.finalize();
		expect(Array.from(model.attributes.get('mujoco:contype') as Float64Array)).toEqual([MUJOCO_MASK_UNSET]);
		expect(Array.from(model.attributes.get('mujoco:geom_solimp') as Float64Array)).toEqual([0.9, 0.95, 0.001, 0.5, 2]);
		expect(Array.from(model.attributes.get('mujoco:actuator_dynprm') as Float64Array)).toEqual([
			1, 0, 0, 0, 0, 0, 0, 0, 0, 0,
		]);
		expect(Array.from(model.attributes.get('mujoco:integrator') as Int32Array)).toEqual([3]);
		expect(Array.from(model.attributes.get('mujoco:dof_ref') as Float64Array)).toEqual([0, 0, 0, 0, 0, 0]);
		expect(model.createControl().attributes.get('mujoco:ctrl')).toHaveLength(1);
	});

	test('values follow their builder into worlds, indices shifted', () => {
		const robot = new ModelBuilder();
		registerMujocoAttributes(robot);
		robot.setAttribute('mujoco:impratio', 4);
		const body = robot.addBody();
		const shape = robot.addShapeSphere(body, { attributes: { 'mujoco:condim': 6 } });
		robot.addRow('mujoco:pair', { 'mujoco:pair_geom1': shape, 'mujoco:pair_geom2': shape, 'mujoco:pair_world': 0 });
		const scene = new ModelBuilder();
		scene.replicate(robot, { count: 2 });
		const model = scene.finalize();
		expect(Array.from(model.attributes.get('mujoco:condim') as Int32Array)).toEqual([6, 6]);
		expect(Array.from(model.attributes.get('mujoco:pair_geom1') as Int32Array)).toEqual([0, 1]);
		expect(Array.from(model.attributes.get('mujoco:pair_world') as Int32Array)).toEqual([0, 1]);
		expect(Array.from(model.attributes.get('mujoco:impratio') as Float64Array)).toEqual([4, 4]);
	});

	test('targets of equality constraints follow the joint or mimic that they name', () => {
		const robot = new ModelBuilder();
		registerMujocoAttributes(robot);
		const [a, b] = [robot.addLink({ mass: 1 }), robot.addLink({ mass: 1 })];
		robot.addArticulation([robot.addJointRevolute({ child: a }), robot.addJointRevolute({ parent: a, child: b })]);
		const loop = robot.addJointBall({ parent: -1, child: b });
		const mimic = robot.addConstraintMimic({ joint0: 0, joint1: 1 });
		const row = (kind: number, target: number): void => {
			robot.addEqualityConstraint({
				type: 'connect',
				body1: b,
				attributes: {
					'mujoco:equality_constraint_target_kind': kind,
					'mujoco:equality_constraint_target': target,
				},
			});
		};
		row(1, loop);
		row(2, mimic);
		row(0, -1);
		const scene = new ModelBuilder();
		scene.replicate(robot, { count: 2 });
		const targets = scene.attributeValues('mujoco:equality_constraint_target') as Int32Array;
		expect(Array.from(targets)).toEqual([2, 0, -1, 5, 1, -1]);
	});

	test('infinite defaults survive a snapshot', () => {
		const builder = new ModelBuilder();
		registerMujocoAttributes(builder);
		builder.addBody();
		const { model } = readModelSnapshot(JSON.stringify(modelToJson(builder.finalize())));
		const entry = model!.attributes.entry('mujoco:solreflimit_gain_baseline');
		expect(entry.declaration.default).toEqual([Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]);
		expect(entry.values[0]).toBe(Number.NEGATIVE_INFINITY);
	});

	test('tokens are read by name, by member name and by number', () => {
		expect(parseMujocoToken('cone', 'Elliptic')).toBe(1);
		expect(parseMujocoToken('cone', 'mjtCone.mjCONE_ELLIPTIC')).toBe(1);
		expect(parseMujocoToken('integrator', 2)).toBe(2);
		expect(parseMujocoToken('tristate', 'auto')).toBe(2);
		expect(parseMujocoToken('solver', 'pgs')).toBeUndefined();
		expect(parseMujocoToken('solver', 7)).toBeUndefined();
		expect(mujocoAttribute('actuator_has_ctrlrange')).toMatchObject({ mjcfName: 'ctrlrange', mjcfRule: 'presence' });
	});
});
