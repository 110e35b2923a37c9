import { readFileSync } from 'node:fs';
import { Report } from '@manyworlds/core';
import { TypeRegistry } from '@manyworlds/ros';
import { describe, expect, it } from 'vitest';

const golden = (name: string): unknown =>
	JSON.parse(readFileSync(new URL(`./golden/${name}`, import.meta.url), 'utf8'));
const { hashes } = golden('type-hashes.json') as { hashes: Record<string, string> };
const { messages } = golden('cdr.json') as { messages: Record<string, string> };
const types = TypeRegistry.standard;
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** What rclpy was given, in our words. */
const VALUES: Record<string, Record<string, unknown>> = {
	'sensor_msgs/msg/JointState': {
		header: { stamp: { sec: 3, nanosec: 500 }, frame_id: 'base' },
		name: ['hip', 'knee_1'],
		position: [1.5, -2.25],
		velocity: [0, 1e-3],
		effort: new Float64Array([7, Number.POSITIVE_INFINITY]),
	},
	'sensor_msgs/msg/LaserScan': {
		header: { frame_id: 'lidar' },
		angle_min: -1,
		ranges: [1, Number.POSITIVE_INFINITY, 2.5],
	},
	'sensor_msgs/msg/Imu': {
		orientation_covariance: [-1, 0, 0, 0, 0, 0, 0, 0, 0],
		linear_acceleration: { z: 9.81 },
	},
	'std_msgs/msg/String': { data: 'grüße' },
	'std_msgs/msg/Empty': {},
	'std_msgs/msg/Int64': { data: -5n },
	'std_msgs/msg/Float64MultiArray': { layout: { dim: [{ label: 'a', size: 2, stride: 2 }] }, data: [1, 2] },
	'nav_msgs/msg/Odometry': {
		header: { frame_id: 'odom' },
		child_frame_id: 'b',
		pose: { covariance: Float64Array.from({ length: 36 }, (_, i) => (i === 35 ? 2 : 0)) },
	},
	'sensor_msgs/msg/PointCloud2': {
		height: 1,
		width: 1,
		fields: [{ name: 'x', offset: 0, datatype: 7, count: 1 }],
		data: new Uint8Array([1, 2, 3, 4]),
		is_dense: true,
	},
	'rcl_interfaces/msg/ParameterEvent': {
		node: '/n',
		new_parameters: [
			{ name: 'p', value: { type: 2, integer_value: 9n } },
			{ name: 'q', value: { type: 9, string_array_value: ['a', 'bc'] } },
		],
	},
	'std_srvs/srv/Trigger_Request': {},
	'std_srvs/srv/Trigger_Response': { success: true, message: 'ok' },
};

describe('type hashes', () => {
	it.each(Object.entries(hashes))('%s is what ROS computes', (type, hash) => {
		expect(types.hash(type)).toBe(hash);
	});

	it('covers every message that is known', () => {
		const missing = types.names.filter((name) => name.includes('/msg/') && !Object.hasOwn(hashes, name));
		expect(missing).toEqual([]);
	});
});

describe('CDR', () => {
	it.each(Object.entries(messages))('%s has the bytes that rclpy writes', (type, expected) => {
		const bytes = types.codec(type).encode(VALUES[type]!);
		// rclpy hands out what it reserved, a few zeros more than it wrote
		expect(expected.slice(0, 2 * bytes.length)).toBe(hex(bytes));
		expect(expected.slice(2 * bytes.length)).toMatch(/^(?:00){0,16}$/);
	});

	it.each(Object.entries(messages))('%s is read and written back to the same bytes', (type, text) => {
		const codec = types.codec(type);
		const decoded = codec.decode(Buffer.from(text, 'hex'));
		if (!('message' in decoded)) throw new Error(decoded.problem);
		const again = hex(codec.encode(decoded.message));
		expect(text.startsWith(again)).toBe(true);
		expect(text.length - again.length).toBeLessThan(33);
	});

	it('tells of bytes that end early, at every length', () => {
		const codec = types.codec('sensor_msgs/msg/JointState');
		const bytes = codec.encode(VALUES['sensor_msgs/msg/JointState']!);
		for (let length = 0; length < bytes.length; length++) {
			expect(codec.decode(bytes.subarray(0, length))).toHaveProperty('problem');
		}
	});

	it('refuses a count that the bytes cannot hold', () => {
		const bytes = new Uint8Array([0, 1, 0, 0, 0xff, 0xff, 0xff, 0xff]);
		expect(types.codec('tf2_msgs/msg/TFMessage').decode(bytes)).toHaveProperty('problem');
	});

	it('reads big endian messages', () => {
		const decoded = types
			.codec('builtin_interfaces/msg/Time')
			.decode(new Uint8Array([0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 1, 0]));
		expect(decoded).toEqual({ message: { sec: 7, nanosec: 256 } });
	});

	it('gives fields that are left out their default', () => {
		const decoded = types.codec('geometry_msgs/msg/Pose').decode(types.codec('geometry_msgs/msg/Pose').encode({}));
		expect(decoded).toMatchObject({ message: { orientation: { x: 0, y: 0, z: 0, w: 1 } } });
	});
});

describe('definitions', () => {
	it('knows every part of an action', () => {
		const base = 'control_msgs/action/FollowJointTrajectory';
		expect(types.has(base)).toBe(true);
		expect(types.find(`${base}_SendGoal_Request`)?.fields.map(({ name }) => name)).toEqual(['goal_id', 'goal']);
		expect(types.find(`${base}_GetResult_Response`)?.fields[1]?.nested).toBe(`${base}_Result`);
	});

	it('takes files of users and tells of lines that make no sense', () => {
		const report = new Report();
		const more = types.with(
			[
				{
					type: 'my_msgs/msg/Bump',
					text: 'Header header # when\nbool hit true\nstring<=5[<=3] names\nwhat?\nuint8 A=3',
				},
			],
			report,
		);
		expect(more.has('my_msgs/msg/Bump')).toBe(true);
		expect(more.find('my_msgs/msg/Bump')?.constants).toEqual([{ name: 'A', primitive: 'uint8', text: '3' }]);
		expect(more.codec('my_msgs/msg/Bump').initial()).toMatchObject({ hit: true, names: [] });
		expect(report.toArray().map(({ code, message }) => [code, message])).toEqual([
			['ROS002', "line 4 of 'my_msgs/msg/Bump' is 'what?', expected 'type name' or 'type NAME=value'"],
		]);
	});

	it('does not know a message that holds an unknown one', () => {
		expect(types.with([{ type: 'a/msg/B', text: 'c_msgs/Gone gone' }]).has('a/msg/B')).toBe(false);
	});

	it('writes the text of a message with those that it holds', () => {
		const text = types.schemaText('sensor_msgs/msg/JointState');
		expect(text.split('='.repeat(80)).map((part) => part.trim().split('\n')[0])).toEqual([
			'std_msgs/Header header',
			'MSG: std_msgs/Header',
			'MSG: builtin_interfaces/Time',
		]);
	});
});
