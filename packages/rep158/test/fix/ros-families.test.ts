import { describe, expect, it } from 'vitest';
import type { FixOptions } from '../../src/fix/fix-asset.ts';
import { fixMemory, type MemoryFix, openMemory } from './memory-asset.ts';

const HEAD = '#usda 1.0\n(\n    defaultPrim = "R"\n    metersPerUnit = 1\n    upAxis = "Z"\n)\n';

function fix(
	text: string,
	options: FixOptions,
): MemoryFix & { value(path: string): unknown; schemas(path: string): string } {
	const result = fixMemory({ 'a.usda': HEAD + text }, 'a.usda', { unsafe: true, ...options });
	expect(fixMemory(result.after, 'a.usda', { unsafe: true, ...options }).plan.items).toEqual([]);
	const { stage } = openMemory(result.after, 'a.usda');
	return {
		...result,
		value: (path) => stage.attribute(path)?.get()?.data,
		schemas: (path) => (stage.prim(path)?.authoredSchemas ?? []).join(' '),
	};
}

const topic = (name: string, type: string, extra = ''): string =>
	`uniform token ros:topic:role = "publisher"\nuniform string ros:topic:name = "${name}"\nuniform string ros:topic:type = "${type}"\n${extra}\n`;

describe('F28', () => {
	it('repairs namespaces, topic names, types and frames', () => {
		const { value } = fix(
			`def Xform "R" (prepend apiSchemas = ["RosContextAPI"]) {\nuniform string ros:context:namespace = "my robot/"\ndef Xform "t" (prepend apiSchemas = ["RosTopicAPI"]) {\n${topic('odom-raw', 'nav_msgs/Odometry')}}\ndef Xform "f" (prepend apiSchemas = ["RosFrameAPI"]) {\nuniform string ros:frame:id = "/tool frame"\n}\n}\n`,
			{ only: ['F28'] },
		);
		expect(value('/R/t.ros:topic:name')).toBe('odom_raw');
		expect(value('/R/t.ros:topic:type')).toBe('nav_msgs/msg/Odometry');
		expect(value('/R/f.ros:frame:id')).toBe('tool_frame');
		// once it is a name, it is that of the prim
		expect(value('/R.ros:context:namespace')).toBe('R');
	});

	it('gives two robots of one asset namespaces of their own', () => {
		const robot =
			'#usda 1.0\n(defaultPrim = "B")\ndef Xform "B" (prepend apiSchemas = ["RosContextAPI"]) {\nuniform string ros:context:namespace = "/bot"\n}\n';
		const text = `${HEAD}def Xform "R" {\ndef Xform "one" (references = @./b.usda@) {\n}\ndef Xform "two" (references = @./b.usda@) {\n}\n}\n`;
		const { after } = fixMemory({ 'a.usda': text, 'b.usda': robot }, 'a.usda', { only: ['F28'], unsafe: true });
		const { stage } = openMemory(after, 'a.usda');
		expect(stage.attribute('/R/one.ros:context:namespace')!.get()!.data).toBe('/bot');
		expect(stage.attribute('/R/two.ros:context:namespace')!.get()!.data).toBe('two');
		expect(after['b.usda']).toBe(robot);
	});

	it('removes what belongs to the simulator', () => {
		const { schemas, messages, value } = fix(
			`def Xform "R" {\ndef Xform "t" (prepend apiSchemas = ["RosTopicAPI"]) {\n${topic('clock', 'rosgraph_msgs/msg/Clock')}}\n}\n`,
			{ only: ['F28'] },
		);
		expect(schemas('/R/t')).toBe('');
		expect(value('/R/t.ros:topic:name')).toBeUndefined();
		expect(messages.join()).toContain('it belongs to the simulator');
	});

	it('drops parent frames of nested contexts without being unsafe', () => {
		const { after } = fix(
			'def Xform "R" (prepend apiSchemas = ["RosContextAPI"]) {\ndef Xform "c" (prepend apiSchemas = ["RosContextAPI"]) {\nuniform string ros:context:parent_frame = "map"\n}\n}\n',
			{ only: ['F28'], unsafe: false },
		);
		expect(after['a.usda']).not.toContain('parent_frame');
	});
});

describe('F29', () => {
	it('puts interfaces of a link, and second ones of a prim, on children', () => {
		const { schemas, value } = fix(
			`def Xform "R" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "RosTopicAPI"]) {\n${topic('scan', 'sensor_msgs/msg/LaserScan', 'uniform double ros:topic:publish_rate = 10')}def Xform "s" (prepend apiSchemas = ["RosTopicAPI", "RosServiceAPI"]) {\n${topic('state', 'std_msgs/msg/String')}uniform string ros:service:name = "reset"\n}\n}\n`,
			{ only: ['F29'] },
		);
		expect(schemas('/R')).toBe('PhysicsRigidBodyAPI');
		expect(schemas('/R/scan')).toBe('RosTopicAPI');
		expect(value('/R/scan.ros:topic:publish_rate')).toBe(10);
		expect(schemas('/R/s')).toBe('RosTopicAPI');
		expect(schemas('/R/s/reset')).toBe('RosServiceAPI');
	});
});

describe('F30', () => {
	it('makes an optical frame and moves topics there', () => {
		const { schemas, value } = fix(
			`def Xform "R" {\ndef Camera "cam" (prepend apiSchemas = ["RosTopicAPI"]) {\n${topic('image_raw', 'sensor_msgs/msg/Image')}}\n}\n`,
			{ only: ['F30'] },
		);
		expect(schemas('/R/cam')).toBe('');
		expect(schemas('/R/cam/cam_optical_frame')).toContain('RosTopicAPI');
		expect(schemas('/R/cam/cam_optical_frame')).toContain('RosFrameAPI');
		expect(value('/R/cam/cam_optical_frame.xformOp:orient')).toEqual(Float64Array.of(1, 0, 0, 0));
	});

	it('turns a frame that is there the right way', () => {
		const { value } = fix(
			'def Xform "R" {\ndef Camera "cam" {\ndef Xform "frame" (prepend apiSchemas = ["RosFrameAPI"]) {\n}\n}\n}\n',
			{ only: ['F30'] },
		);
		expect(value('/R/cam/frame.xformOp:orient')).toEqual(Float64Array.of(1, 0, 0, 0));
	});
});

describe('F31', () => {
	it('names joints whose prims could not have their names', () => {
		const { value, messages } = fix(
			'def Xform "R" {\ndef PhysicsRevoluteJoint "tn__joint10_x" (displayName = "joint.1.0") {\n}\ndef PhysicsRevoluteJoint "tn__other" {\n}\ndef PhysicsRevoluteJoint "plain" {\n}\n}\n',
			{ only: ['F31'] },
		);
		expect(value('/R/tn__joint10_x.ros:joint:name')).toBe('joint.1.0');
		expect(value('/R/plain.ros:joint:name')).toBeUndefined();
		expect(messages.join()).toContain('--joint-name tn__other=NAME');
	});
});

describe('F39', () => {
	it('corrects types whose values can be kept and refuses others', () => {
		const { value, after, messages } = fix(
			'def Xform "R" (prepend apiSchemas = ["RosTopicAPI"]) {\nstring ros:topic:role = "publisher"\nfloat ros:topic:publish_rate = 30\nint ros:topic:starts_enabled = 1\nuniform float ros:topic:qos:depth = 2.5\n}\n',
			{ only: ['F39'], unsafe: false },
		);
		expect(after['a.usda']).toContain('uniform token ros:topic:role = "publisher"');
		expect(value('/R.ros:topic:publish_rate')).toBe(30);
		expect(value('/R.ros:topic:starts_enabled')).toBe(true);
		expect(messages.join()).toContain('2.5 of type float, which is no int');
	});
});
