import { describe, expect, it } from 'vitest';
import { findings, usda } from './check-files.ts';

describe('controllers', () => {
	const joint = '{ rel physics:body1 = </robot/link> }';
	const controller = (targets: string): string => `def Xform "robot" {
	def Xform "link" (prepend apiSchemas = ["PhysicsRigidBodyAPI"]) {}
	def PhysicsRevoluteJoint "far" (prepend apiSchemas = ["PhysicsDriveAPI:angular"]) ${joint}
	def Xform "server" (prepend apiSchemas = ["RosActionAPI"]) {
		uniform string ros:action:name = "go"
		uniform token ros:action:role = "server"
		uniform string ros:action:type = "control_msgs/action/FollowJointTrajectory"
	}
	def Xform "controller" (prepend apiSchemas = ["RosControlJointTrajectoryAPI"]) {
		rel ros:joint_trajectory:server = </robot/server>
		${targets}
		def PhysicsRevoluteJoint "near" ${joint}
	}
}`;

	it('move what they target, not what is nested below them', () => {
		const rules = ['R4.2.3.2', 'R4.2.3.4'];
		const far = controller('rel ros:joint_trajectory:command_joints = </robot/far>');
		expect(findings({ 'robot.usda': usda(far) }, rules)).toEqual([]);
		expect(findings({ 'robot.usda': usda(controller('')) }, rules)).toEqual(['R4.2.3.2 /robot/controller']);
		const near = controller('rel ros:joint_trajectory:command_joints = </robot/controller/near>');
		expect(findings({ 'robot.usda': usda(near) }, rules)).toEqual([
			'R4.2.3.4 /robot/controller.ros:joint_trajectory:command_joints',
		]);
	});
});

describe('sensors', () => {
	it('may have attributes of any vendor namespace, which are ignored', () => {
		const body = `def Xform "robot" { def Xform "sonar" (prepend apiSchemas = ["SensorSonarAPI"]) {
	custom float isaac:noise = 1
	custom float gazebo:lag = 1
	custom float unheardOf = 1
} }`;
		const vendors = new Map([['acme', ['acme:']]]);
		const found = (text: string): string[] => findings({ 'robot.usda': usda(text) }, ['R4.2.4.3'], { vendors });
		expect(found(body)).toEqual(['R4.2.4.3 /robot/sonar.unheardOf']);
		expect(found(body.replace('unheardOf', 'acme:unheardOf'))).toEqual([]);
	});
});

describe('mimic joints', () => {
	it('follow each other without a circle', () => {
		const mimic = (name: string, leader: string): string =>
			`def PhysicsRevoluteJoint "${name}" (prepend apiSchemas = ["ExtendedPhysicsMimicAPI"]) { rel ext_physics:mimic:joint = </robot/${leader}> }`;
		const body = (...joints: string[]): Record<string, string> => ({
			'robot.usda': usda(`def Xform "robot" { def PhysicsRevoluteJoint "lead" {}\n${joints.join('\n')} }`),
		});
		expect(findings(body(mimic('a', 'lead'), mimic('b', 'a')), ['R4.2.2.4'])).toEqual([]);
		expect(findings(body(mimic('a', 'b'), mimic('b', 'c'), mimic('c', 'b')), ['R4.2.2.4'])).toEqual([
			'R4.2.2.4 /robot/b.ext_physics:mimic:joint',
		]);
		expect(findings(body(mimic('a', 'a')), ['R4.2.2.4'])).toEqual(['R4.2.2.4 /robot/a.ext_physics:mimic:joint']);
	});
});
