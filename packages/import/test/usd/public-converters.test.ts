import { JointTargetMode } from '@manyworlds/model';
import { describe, expect, it } from 'vitest';
import { importText, openUsd } from './usd-scene.ts';

/** A link on a hinge, with whatever else stands on the joint and in the stage. */
const robot = (joint: string, rest = ''): string => `
def PhysicsScene "scene" { }
def Xform "arm" (prepend apiSchemas = ["PhysicsArticulationRootAPI"]) {
	def Xform "link" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]) {
		float physics:mass = 1
		float3 physics:diagonalInertia = (0.1, 0.1, 0.1)
		point3f physics:centerOfMass = (0.3, 0, 0)
		def Xform "tip" (prepend apiSchemas = ["MjcSiteAPI"]) { }
	}
	def PhysicsRevoluteJoint "hinge" (prepend apiSchemas = ["PhysicsDriveAPI:angular"]) {
		rel physics:body1 = </arm/link>
		uniform token physics:axis = "Y"
		${joint}
	}
	${rest}
}`;

const SERVO = `def MjcActuator "servo" {
	rel mjc:target = </arm/hinge>
	uniform token mjc:biasType = "affine"
	uniform double[] mjc:gainPrm = [50]
	uniform double[] mjc:biasPrm = [0, -50, -5]
	GEAR
}`;

describe('actuators of MuJoCo in USD', () => {
	it('are read without being asked for: a servo drives its joint', () => {
		const { builder, findings } = importText(robot('', SERVO.replace('GEAR', '')));
		expect(findings).toEqual([]);
		const model = builder.finalize();
		expect(model.jointTargetMode[0]).toBe(JointTargetMode.POSITION);
		expect([model.jointTargetKe[0], model.jointTargetKd[0]]).toEqual([50, 5]);
	});

	it('with a gear keep their own control, and know what they act on', () => {
		const gear = 'uniform double[] mjc:gear = [2, 0, 0, 0, 0, 0]';
		const model = importText(robot('', SERVO.replace('GEAR', gear))).model();
		expect(model.frequencyCount('mujoco:actuator')).toBe(1);
		expect(Array.from(model.attributes.get('mujoco:actuator_trnid') as Int32Array)).toEqual([0, -1]);
		expect(Array.from(model.attributes.get('mujoco:ctrl_source') as Int32Array)).toEqual([1]);
	});

	it.each([1, 2, 3, 4, 5])('with a gear at %d are no plain drives either', (place) => {
		const gear = [1, 0, 0, 0, 0, 0].with(place, 0.5).join(', ');
		const model = importText(robot('', SERVO.replace('GEAR', `uniform double[] mjc:gear = [${gear}]`))).model();
		expect(Array.from(model.attributes.get('mujoco:ctrl_source') as Int32Array)).toEqual([1]);
	});

	it('with newtonCompat are left out with a word, as long as nobody asks for them', () => {
		const { findings } = importText(robot('', SERVO.replace('GEAR', '')), { newtonCompat: true });
		expect(findings).toContain('IMP082 /arm/servo');
	});
});

describe('a drive whose target is outside of the limits', () => {
	const joint = `float physics:lowerLimit = 10
		float physics:upperLimit = 20
		float drive:angular:physics:stiffness = 5
		float drive:angular:physics:targetPosition = 45`;

	it('keeps its target, and that is told', () => {
		const { builder, result } = importText(robot(joint));
		expect(builder.column('jointTargetQ')[0]).toBeCloseTo(Math.PI / 4, 6);
		const [found] = result.report.toArray();
		expect(found!.code).toBe('IMP028');
		expect(found!.message).toContain('45 degrees, which is outside of the limits 10 to 20 degrees');
	});

	it('has it in the middle of the limits with newtonCompat', () => {
		const { builder } = importText(robot(joint), { newtonCompat: true });
		expect(builder.column('jointTargetQ')[0]).toBeCloseTo(Math.PI / 12, 6);
	});
});

describe('a stage that does not say its unit of length', () => {
	const text = `#usda 1.0
def Xform "b" (prepend apiSchemas = ["PhysicsRigidBodyAPI"]) {
	double3 xformOp:translate = (2, 0, 0)
	uniform token[] xformOpOrder = ["xformOp:translate"]
}`;

	it('is in metres, and that is told', () => {
		const { builder, result } = importText(text);
		expect(builder.column('bodyQ')[0]).toBe(2);
		expect(result.report.toArray().map(({ code, severity }) => `${code} ${severity}`)).toEqual(['IMP002 info']);
		expect(result.report.toArray()[0]!.message).toContain('metersPerUnit is not given; 1 is assumed');
		expect(openUsd(text).metadata('metersPerUnit')).toBeUndefined();
	});

	it('is in centimetres, as OpenUSD has it, on demand', () => {
		const { builder, result } = importText(text, { assumedMetersPerUnit: 0.01 });
		expect(builder.column('bodyQ')[0]).toBeCloseTo(0.02, 12);
		expect(result.report.toArray()[0]!.message).toContain('not given and assumed to be 0.01');
	});
});

it('a mass counts where NewtonMassAPI alone is applied', () => {
	const text = `def Xform "b" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "NewtonMassAPI"]) {
	float physics:mass = 3
	def Cube "c" (prepend apiSchemas = ["PhysicsCollisionAPI"]) { double size = 1 }
}`;
	expect(importText(text).model().bodyMass[0]).toBeCloseTo(3, 12);
});
