import type { CodeHelp } from '@manyworlds/core/internal';
import type { URDF_CODES } from '../urdf.ts';

/** What to do about the codes of URDF documents and their import. */
export const URDF_HELP: Readonly<Record<keyof typeof URDF_CODES, CodeHelp>> = {
	URDF001: {
		title: 'Not a URDF robot',
		help: 'The outermost element of a URDF file is `robot`. Files with another one are something else, such as MJCF (`mujoco`) or SDF (`sdf`).',
		bad: '<mujoco model="arm"/>',
		good: '<robot name="arm">\n  <link name="base"/>\n</robot>',
		language: 'xml',
	},
	URDF002: {
		title: 'Something required is missing',
		help: 'An element lacks an attribute or a child that it cannot do without: the name of a link, the parent and child of a joint, the file of a mesh. It is left out; the rest of the robot is read.',
		bad: '<joint name="elbow" type="revolute">\n  <parent link="upper"/>\n</joint>',
		good: '<joint name="elbow" type="revolute">\n  <parent link="upper"/>\n  <child link="lower"/>\n</joint>',
		language: 'xml',
	},
	URDF003: {
		title: 'Value cannot be read',
		help: 'An attribute holds something else than the numbers that belong there: words, too few or too many numbers, a number that is not finite. The default value is taken instead.',
		bad: '<origin xyz="0 0"/>',
		good: '<origin xyz="0 0 0"/>',
		language: 'xml',
	},
	URDF004: {
		title: 'Name given twice',
		help: 'Two links or two joints of a robot have the same name, so that references to it are ambiguous. The first one is taken; the second is left out.',
		bad: '<robot name="arm">\n  <link name="base"/>\n  <link name="base"/>\n</robot>',
		language: 'xml',
	},
	URDF005: {
		title: 'Reference leads nowhere',
		help: 'A joint names a parent or child link that the robot does not have. The joint is left out.',
		bad: '<robot name="arm">\n  <link name="base"/>\n  <joint name="j" type="fixed">\n    <parent link="base"/>\n    <child link="tool"/>\n  </joint>\n</robot>',
		language: 'xml',
	},
	URDF006: {
		title: 'Links form no tree',
		help: 'The links of a robot hang on one root link, each by one joint. Here a link has two parents, links go round in a circle, or there are several roots. The message says which joints are left out and which trees are imported.',
	},
	URDF007: {
		title: 'Xacro has to be expanded first',
		help: 'The file is a xacro template: its macros, properties and expressions make a URDF only after they are expanded. Run `xacro robot.urdf.xacro > robot.urdf` and use the result.',
		bad: '<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">\n  <xacro:property name="width" value="0.2"/>\n</robot>',
		language: 'xml',
	},
	URDF008: {
		title: 'Not imported',
		help: 'The file has an element or an attribute that URDF does not know, or that has no counterpart in a model: `transmission`, `gazebo`, `safety_controller`, `calibration`, sensors. It is accounted for in the ledger as ignored; with `--strict` that is an error.',
		bad: '<transmission name="t"/>',
		language: 'xml',
	},
	URDF009: {
		title: 'File of a mesh or texture cannot be used',
		help: 'The file does not exist, lies outside the folders that may be read, is of a kind that is not known, or holds no triangles. `package://name/…` is looked up in the package map, then in the folders above the URDF file that are called exactly so. The shape is left out, the rest is imported.',
	},
	URDF010: {
		title: 'Mimic joint cannot follow',
		help: 'A `mimic` names a joint that does not exist or was left out, or the joint itself. The joint is imported without it.',
	},
	URDF011: {
		title: 'Value outside its range',
		help: 'An attribute is a number that has no meaning there, such as an opacity above 1 or a lower limit above the upper one. The message says what is taken instead.',
	},
	URDF012: {
		title: 'Unknown joint type',
		help: 'A joint is `revolute`, `continuous`, `prismatic`, `fixed`, `floating` or `planar`. A joint of another type is imported as fixed, so that what hangs on it is not lost.',
		bad: '<joint name="j" type="hinge"/>',
		language: 'xml',
	},
};
