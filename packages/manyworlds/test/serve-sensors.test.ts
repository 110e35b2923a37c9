import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BusSink, Publisher, RosMessage } from '@manyworlds/ros';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { CommandContext } from '../src/command/command-context.ts';
import { openServedRobot, type ServedRobot } from '../src/command/serve/served-robot.ts';

const folder = mkdtempSync(join(tmpdir(), 'manyworlds-sensors-'));
const open: ServedRobot[] = [];
afterEach(async () => {
	for (const { simulation } of open.splice(0)) await simulation.dispose();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Served extends ServedRobot {
	readonly last: Map<string, RosMessage>;
	readonly all: Map<string, RosMessage[]>;
	readonly context: CommandContext;
}

async function serve(name: string, text: string, seed = 0): Promise<Served> {
	const file = join(folder, name);
	writeFileSync(file, text);
	const stream = { write: () => true };
	const context = new CommandContext({ stdout: stream, stderr: stream, env: {}, cwd: '/', now: () => 0 });
	const options = { solver: 'sap', domain: 0, nodeName: 'manyworlds', ground: true, seed } as const;
	const robot = await openServedRobot(context, file, options, () => {});
	if (robot === undefined) throw new Error('the robot does not open');
	open.push(robot);
	const last = new Map<string, RosMessage>();
	const all = new Map<string, RosMessage[]>();
	const sink: BusSink = {
		publish({ name: topic, codec }: Publisher, bytes: Uint8Array): void {
			const decoded = codec.decode(bytes);
			if (!('message' in decoded)) return;
			last.set(topic, decoded.message);
			all.set(topic, [...(all.get(topic) ?? []), decoded.message]);
		},
	};
	robot.bus.attach(sink);
	return { ...robot, last, all, context };
}

const INERTIA = '<inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/>';
/** A post with an arm that turns about z; the arm weighs 2 kg, 0.1 m before its joint. */
const ARM = `<robot name="arm">
	<link name="base"><inertial><mass value="5"/>${INERTIA}</inertial></link>
	<link name="arm"><inertial><origin xyz="0.1 0 0"/><mass value="2"/>${INERTIA}</inertial></link>
	<link name="hand"><inertial><mass value="0.5"/>${INERTIA}</inertial></link>
	<joint name="turn" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="0 0 1"/><axis xyz="0 0 1"/>
		<limit lower="-1" upper="1" effort="10" velocity="1"/></joint>
	<joint name="grip" type="prismatic"><parent link="arm"/><child link="hand"/><origin xyz="0.3 0 0"/><axis xyz="0 1 0"/>
		<limit lower="0" upper="0.1" effort="10" velocity="1"/></joint>
	<gazebo reference="turn"><sensor name="felt" type="force_torque"><update_rate>50</update_rate></sensor></gazebo>
	<gazebo reference="arm">
		<sensor name="laser" type="ray"><update_rate>5</update_rate><pose>0 0 0.2 0 0 0</pose>
			<ray><scan><horizontal><samples>181</samples><min_angle>-1.5</min_angle><max_angle>1.5</max_angle></horizontal></scan>
				<range><min>0.2</min><max>8</max></range><noise><type>gaussian</type><mean>0</mean><stddev>0.05</stddev></noise></ray>
			<plugin name="p" filename="libgazebo_ros_ray_sensor.so"><ros><remapping>~/out:=scan</remapping></ros><frame_name>laser_frame</frame_name></plugin>
		</sensor>
		<sensor name="imu" type="imu"><update_rate>100</update_rate><imu>
			<angular_velocity><x><noise type="gaussian"><stddev>0.01</stddev></noise></x></angular_velocity></imu></sensor>
		<sensor name="eye" type="camera"><camera><horizontal_fov>1.5707963</horizontal_fov><image><width>200</width><height>100</height></image></camera></sensor>
		<sensor name="place" type="gps"/>
		<sensor name="nose" type="smell"/>
	</gazebo>
	<gazebo reference="hand"><sensor name="sweep" type="gpu_lidar"><topic>points</topic><lidar><scan>
		<horizontal><samples>8</samples><min_angle>-3.1</min_angle><max_angle>3.1</max_angle></horizontal>
		<vertical><samples>2</samples><min_angle>-0.5</min_angle><max_angle>0.5</max_angle></vertical></scan>
		<range><min>0.1</min><max>10</max></range></lidar></sensor></gazebo>
</robot>`;

interface Scan {
	header: { frame_id: string };
	angle_min: number;
	angle_max: number;
	range_min: number;
	range_max: number;
	ranges: Float32Array;
}
interface Wrench {
	wrench: { force: { x: number; y: number; z: number }; torque: { x: number; y: number; z: number } };
}

describe('sensors of gazebo elements in a URDF', () => {
	it('have their types, topics, rates and frames', async () => {
		const robot = await serve('arm.urdf', ARM);
		expect(robot.spec.sensors.map(({ topic: { name, type, rate, frameId } }) => [name, type, rate, frameId])).toEqual([
			['/felt', 'geometry_msgs/msg/WrenchStamped', 50, 'arm'],
			['/scan', 'sensor_msgs/msg/LaserScan', 5, 'laser_frame'],
			['/imu', 'sensor_msgs/msg/Imu', 100, 'arm'],
			['/points', 'sensor_msgs/msg/PointCloud2', 10, 'hand'],
			['/eye/camera_info', 'sensor_msgs/msg/CameraInfo', 30, 'eye_optical_frame'],
		]);
		const laser = robot.spec.frames.find(({ id }) => id === 'laser_frame');
		expect(laser).toMatchObject({ parentId: 'arm', isStatic: true });
		expect([...laser!.offset]).toEqual([0, 0, 0.2, 0, 0, 0, 1]);
	});

	it('that are not simulated are told with their place in the file', async () => {
		const robot = await serve('arm.urdf', ARM);
		const found = robot.context.findings.toArray().filter(({ code }) => code === 'ROS004');
		expect(found.map(({ message }) => message)).toEqual([
			'sensor /eye/image_raw (sensor_msgs/msg/Image) is off: images need a renderer, and there is none',
			"sensor /place is off: a sensor of the kind 'navsat' is not simulated",
			"sensor /nose is off: the sensor of type 'smell' is not simulated",
		]);
		expect(found[2]!.range!.start.line).toBe(ARM.slice(0, ARM.indexOf('name="nose"')).split('\n').length);
	});

	it('feel the weight that hangs on a joint', async () => {
		const robot = await serve('arm.urdf', ARM);
		for (let i = 0; i < 500; i++) await robot.runtime.step();
		const { force, torque } = (robot.last.get('/felt') as unknown as Wrench).wrench;
		const [arm, hand] = [2 * 9.81, 0.5 * 9.81];
		expect(force.z).toBeCloseTo(-arm - hand, 3);
		expect(torque.y).toBeCloseTo(0.1 * arm + 0.3 * hand, 3);
		expect(Math.abs(force.x) + Math.abs(force.y) + Math.abs(torque.x) + Math.abs(torque.z)).toBeLessThan(1e-3);
	});

	it('see with the authored beams, and with noise of the authored deviation that depends on the seed', async () => {
		const scans = async (seed: number): Promise<Scan[]> => {
			const robot = await serve(
				'arm.urdf',
				ARM.replace('<pose>0 0 0.2 0 0 0</pose>', '<pose>0 0 1 0 0.5 0</pose>'),
				seed,
			);
			for (let i = 0; i < 1000; i++) await robot.runtime.step();
			return robot.all.get('/scan') as unknown as Scan[];
		};
		const first = await scans(0);
		const { angle_min, angle_max, range_min, range_max, ranges } = first.at(-1)!;
		expect([angle_min, angle_max, range_min, range_max].map((x) => Math.fround(x))).toEqual(
			[-1.5, 1.5, 0.2, 8].map((x) => Math.fround(x)),
		);
		expect(ranges.length).toBe(181);
		// the beam in the middle meets the ground 2 m below, half a radian below the horizon
		const middle = first.map((scan) => scan.ranges[90]!);
		const mean = middle.reduce((a, b) => a + b) / middle.length;
		const deviation = Math.sqrt(middle.reduce((sum, x) => sum + (x - mean) ** 2, 0) / middle.length);
		expect(mean).toBeCloseTo(2 / Math.sin(0.5), 1);
		expect(deviation).toBeGreaterThan(0.02);
		expect(deviation).toBeLessThan(0.1);
		expect(ranges[0]).toBe(Number.POSITIVE_INFINITY);
		expect([...(await scans(0)).at(-1)!.ranges]).toEqual([...ranges]);
		expect([...(await scans(1)).at(-1)!.ranges]).not.toEqual([...ranges]);
	});

	it('of an IMU tell their variance, and cameras their matrix', async () => {
		const robot = await serve('arm.urdf', ARM);
		for (let i = 0; i < 50; i++) await robot.runtime.step();
		const imu = robot.last.get('/imu') as unknown as { angular_velocity_covariance: Float64Array };
		expect(imu.angular_velocity_covariance[0]).toBeCloseTo(1e-4, 12);
		expect(imu.angular_velocity_covariance[4]).toBe(0);
		const info = robot.last.get('/eye/camera_info') as unknown as { width: number; height: number; k: Float64Array };
		expect([info.width, info.height]).toEqual([200, 100]);
		expect(info.k[0]).toBeCloseTo(100, 3);
	});
});

describe('ros2_control blocks of a URDF', () => {
	const BLOCK = `<ros2_control name="c" type="system">
		<joint name="turn"><command_interface name="position"/><state_interface name="position"/></joint>
		<joint name="grip"><command_interface name="velocity"/></joint></ros2_control></robot>`;

	it('say which joints take which commands, and which are told', async () => {
		const { spec, bus } = await serve('arm.urdf', ARM.replace('</robot>', BLOCK));
		const joints = spec.controllers.map((one) => [
			one.kind === 'forward' ? one.mode : one.kind,
			'joints' in one ? one.joints.map(({ name }) => name) : [],
		]);
		expect(joints).toEqual([
			['jointState', ['turn']],
			['trajectory', ['turn']],
			['position', ['turn']],
			['velocity', ['grip']],
		]);
		expect(bus.subscriptions.some(({ name }) => name === '/effort_commands')).toBe(false);
	});
});

describe('sensors of an MJCF model', () => {
	const BOX = `<mujoco><worldbody>
		<body name="box" pos="0 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1" mass="3"/>
			<site name="mid"/><site name="down" pos="0 0 0.5" euler="0 180 0"/>
			<body name="arm" pos="0 0 0.3"><joint name="hinge" axis="0 0 1"/><geom type="sphere" size="0.05" mass="1" contype="0" conaffinity="0"/>
				<site name="wrist"/></body></body>
		</worldbody><sensor><touch name="pads" site="mid"/><gyro name="gyro" site="mid" noise="0.2"/>
		<rangefinder name="depth" site="down" cutoff="4"/><force name="pull" site="wrist"/><velocimeter name="speed" site="mid"/></sensor></mujoco>`;

	it('feel the ground, spin and what hangs on a joint', async () => {
		const robot = await serve('box.xml', BOX);
		for (let i = 0; i < 1000; i++) await robot.runtime.step();
		const pads = robot.last.get('/pads') as unknown as Wrench;
		expect(pads.wrench.force.z).toBeCloseTo(4 * 9.81, 1);
		const pull = robot.last.get('/pull') as unknown as Wrench;
		expect(pull.wrench.force.z).toBeCloseTo(-9.81, 2);
		const gyro = robot.all.get('/gyro') as unknown as {
			angular_velocity: { x: number };
			linear_acceleration_covariance: Float64Array;
			angular_velocity_covariance: Float64Array;
		}[];
		expect(gyro[0]!.linear_acceleration_covariance[0]).toBe(-1);
		expect(gyro[0]!.angular_velocity_covariance[0]).toBeCloseTo(0.04, 12);
		const spread = Math.sqrt(gyro.reduce((sum, { angular_velocity: { x } }) => sum + x * x, 0) / gyro.length);
		expect(spread).toBeGreaterThan(0.15);
		expect(spread).toBeLessThan(0.25);
		expect(robot.spec.off.map(({ name }) => name)).toEqual(['/speed']);
	});
});
