import { Report } from '@manyworlds/core';
import { describe, expect, it } from 'vitest';
import { readUrdf } from '../src/index.ts';

function read(text: string) {
	const report = new Report();
	const { robot } = readUrdf(text, { file: 'arm.urdf', report });
	const diagnostics = report.toArray();
	return { robot, diagnostics, found: diagnostics.map((d) => `${d.code} ${d.range?.start.line}: ${d.message}`) };
}

const ARM = `<robot name="arm">
  <material name="red"><color rgba="1 0 0 0.5"/></material>
  <link name="base"/>
  <link name="upper">
    <inertial><origin xyz="0 0 0.5" rpy="0 0 1"/><mass value="2"/><inertia ixx="1" iyy="2" izz="2.5" ixy="0.1"/></inertial>
    <visual name="skin"><geometry><mesh filename="a.stl" scale="1 2 3"/></geometry><material name="red"/></visual>
    <collision><origin xyz="1 2 3"/><geometry><cylinder radius="0.1" length="2"/></geometry></collision>
  </link>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/>
    <origin xyz="0 0 1"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="inf" effort="5" velocity="2"/><dynamics damping="0.2" friction="0.3"/>
    <mimic joint="other" multiplier="2" offset="0.1"/>
  </joint>
</robot>`;

describe('readUrdf', () => {
	it('reads links, joints and materials with their numbers', () => {
		const { robot, found } = read(ARM);
		expect(found).toEqual([]);
		expect(robot?.name).toBe('arm');
		expect(robot?.materials[0]).toMatchObject({ name: 'red', rgba: [1, 0, 0, 0.5] });
		const upper = robot?.links[1];
		expect(upper?.inertial).toMatchObject({ mass: 2, inertia: [1, 0.1, 0, 2, 0, 2.5] });
		expect(upper?.inertial?.origin).toMatchObject({ xyz: [0, 0, 0.5], rpy: [0, 0, 1] });
		expect(upper?.visuals[0]).toMatchObject({
			name: 'skin',
			geometries: [{ type: 'mesh', filename: 'a.stl', scale: [1, 2, 3] }],
		});
		expect(upper?.collisions[0]?.geometries).toMatchObject([{ type: 'cylinder', radius: 0.1, length: 2 }]);
		expect(robot?.joints[0]).toMatchObject({
			name: 'shoulder',
			type: 'revolute',
			parent: 'base',
			child: 'upper',
			axis: [0, 0, 1],
			limit: { lower: -1, upper: Number.POSITIVE_INFINITY, effort: 5, velocity: 2 },
			dynamics: { damping: 0.2, friction: 0.3 },
			mimic: { joint: 'other', multiplier: 2, offset: 0.1 },
		});
	});

	it.each([
		['<mujoco/>', 'URDF001 1: the outermost element is <mujoco>, expected <robot>'],
		['<robot name="a">\n<link/></robot>', "URDF002 2: <link> has no 'name'"],
		[
			'<robot><link name="a"/>\n<link name="a"/></robot>',
			"URDF004 2: <link> 'a' is there already, in line 1; this one is left out",
		],
		[
			'<robot><link name="a"/><joint name="j" type="fixed"><parent link="a"/>\n<child link="b"/></joint></robot>',
			"URDF005 2: joint 'j' has the child 'b', expected a link of the robot",
		],
		[
			'<robot><link name="a"/><joint name="j" type="fixed"><child link="a"/></joint></robot>',
			"URDF002 1: joint 'j' has no <parent>",
		],
		[
			'<robot><link name="a"/><link name="b"/>\n<joint name="j" type="hinge"><parent link="a"/><child link="b"/></joint></robot>',
			"URDF012 2: joint 'j' has the type 'hinge', expected one of revolute, continuous, prismatic, fixed, floating, planar; fixed is taken",
		],
		[
			'<robot><link name="a"><visual>\n<origin xyz="1 2"/><geometry><sphere radius="1"/></geometry></visual></link></robot>',
			"URDF003 2: 'xyz' has 2 numbers, expected 3",
		],
		[
			'<robot><link name="a"><inertial>\n<mass value="nan"/></inertial></link></robot>',
			"URDF003 2: 'value' is 'nan', expected a finite number",
		],
		[
			'<robot><link name="a"><inertial>\n<mass value="-2"/></inertial></link></robot>',
			'URDF011 2: the mass is -2 kg, expected 0 or more; 0 kg is taken',
		],
		[
			'<robot><link name="a"/>\n<transmission name="t"/></robot>',
			'URDF008 2: <transmission> in <robot> is not imported: a model drives joints directly',
		],
		[
			'<robot><link name="a">\n<gazebo/></link></robot>',
			'URDF008 2: <gazebo> in <link> is not imported: it holds settings of another simulator',
		],
		[
			'<robot><link name="a"><visual><origin/>\n<origin/><geometry><sphere radius="1"/></geometry></visual></link></robot>',
			'URDF008 2: a second <origin> in <visual> is not imported',
		],
		[
			'<robot><link name="a"><visual>\n<geometry><mesh/></geometry></visual></link></robot>',
			"URDF002 2: <mesh> has no 'filename'",
		],
		['<robot/>', 'URDF002 1: <robot> has no <link>'],
	])('reports %j', (text, expected) => {
		expect(read(text).found).toContain(expected);
	});

	it('refuses templates with a hint', () => {
		const macro = read('<robot xmlns:xacro="http://x"><xacro:macro name="leg"/></robot>');
		expect(macro.robot).toBeUndefined();
		expect(macro.found[0]).toMatch(/^URDF007 1: found <xacro:macro>, expected a URDF: expand the template first/);
		expect(read('<robot><link name="$(arg prefix)base"/></robot>').found[0]).toContain('URDF007');
	});

	it('says nothing about the axis of joints that have none', () => {
		const text =
			'<robot><link name="a"/><link name="b"/><joint name="j" type="fixed"><parent link="a"/><child link="b"/><axis xyz="0 0 0"/></joint></robot>';
		expect(read(text).found).toEqual([]);
		expect(read(text.replace('fixed', 'revolute')).found[0]).toContain('the axis is 0 0 0');
	});
});
