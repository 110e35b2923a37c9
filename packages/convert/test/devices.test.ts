import { describe, expect, it } from 'vitest';
import type { LedgerItem } from '../src/index.ts';
import { convertText, expectClose, massMatrix, mjcfModel, poses, positionOf, text } from './robots.ts';

const entry = (ledger: readonly LedgerItem[], kind: string, name?: string): LedgerItem | undefined =>
	ledger.find((item) => item.kind === kind && (name === undefined || item.name === name));

/** Numbers of an attribute or element in a text. */
const numbers = (found: string | undefined): number[] => (found ?? '').trim().split(/\s+/).map(Number);

/** A stage in centimetres with y up: a body 1 m up, with a camera, lamps, frames and topics. */
const STAGE = `#usda 1.0
(
	defaultPrim = "Robot"
	metersPerUnit = 0.01
	upAxis = "Y"
)
def Xform "Robot" (
	prepend apiSchemas = ["RosContextAPI"]
)
{
	uniform string ros:context:namespace = "bot"
	def Xform "base" (
		prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI", "PhysicsArticulationRootAPI"]
	)
	{
		double3 xformOp:translate = (0, 100, 0)
		uniform token[] xformOpOrder = ["xformOp:translate"]
		float physics:mass = 2
		float3 physics:diagonalInertia = (100, 100, 100)
		def Camera "eye"
		{
			float focalLength = 20
			float horizontalAperture = 20
			float verticalAperture = 10
			float2 clippingRange = (10, 1000)
			double3 xformOp:translate = (0, 0, -50)
			uniform token[] xformOpOrder = ["xformOp:translate"]
		}
		def SphereLight "lamp" (
			prepend apiSchemas = ["ShapingAPI"]
		)
		{
			float inputs:intensity = 1000
			float inputs:exposure = 1
			float inputs:radius = 5
			float inputs:shaping:cone:angle = 30
		}
		def DomeLight "sky"
		{
		}
		def Xform "imu_link" (
			prepend apiSchemas = ["RosFrameAPI", "RosTopicAPI"]
		)
		{
			uniform string ros:topic:name = "imu/data"
			uniform string ros:topic:type = "sensor_msgs/msg/Imu"
			uniform token ros:topic:role = "publisher"
			uniform double ros:topic:publish_rate = 100
			uniform token ros:topic:qos:reliability = "best_effort"
		}
	}
	def Xform "arm" (
		prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]
	)
	{
		double3 xformOp:translate = (0, 150, 0)
		uniform token[] xformOpOrder = ["xformOp:translate"]
		float physics:mass = 1
		float3 physics:diagonalInertia = (100, 100, 100)
	}
	def PhysicsRevoluteJoint "turn"
	{
		uniform token physics:axis = "Y"
		rel physics:body0 = </Robot/base>
		rel physics:body1 = </Robot/arm>
		point3f physics:localPos0 = (0, 50, 0)
	}
	def PhysicsFixedJoint "off"
	{
		bool physics:jointEnabled = 0
		rel physics:body0 = </Robot/base>
		rel physics:body1 = </Robot/arm>
	}
}
`;

describe('cameras and lights of a stage in centimetres with y up', () => {
	it('have the axes and angles of SDF', () => {
		const { files, ledger, model } = convertText('r.usda', STAGE, 'sdf');
		const sdf = text(files[0]!.content);
		// 20 mm across at 20 mm: 2 atan(1/2); 0.1 m to 10 m
		expect(Number(/<horizontal_fov>(.*)<\/horizontal_fov>/.exec(sdf)?.[1])).toBeCloseTo(2 * Math.atan(0.5), 9);
		expect(sdf).toContain('<near>0.1');
		const camera = model.cameras[0]!;
		expect(camera).toMatchObject({ name: 'eye', projection: 'perspective', aspect: 2 });
		expectClose(Array.from(camera.pose.subarray(0, 3)), [0, 0, -0.5], 1e-6);
		// it looks along -z of the stage, which is y of the robot: x of the sensor lies there, seen from the link, which is turned too
		const pose = numbers(/<sensor name="eye" type="camera">\s*<pose[^>]*>(.*)<\/pose>/.exec(sdf)?.[1]);
		const [x, y, z, w] = pose.slice(3) as [number, number, number, number];
		const forward = [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)];
		expectClose(forward, [0, 0, -1], 1e-6);
		expect(entry(ledger, 'camera')).toMatchObject({ outcome: 'exported' });
	});

	it('have candela, and are told where a format has no units or no such light', () => {
		const { files, ledger, model } = convertText('r.usda', STAGE, 'sdf');
		// 2000 nit of a sphere of 5 cm
		expect(model.lights[0]!.intensity).toBeCloseTo(15.708, 3);
		expect(text(files[0]!.content)).toMatch(/<outer_angle>1\.04719755/);
		expect(entry(ledger, 'light', 'lamp')!.losses.map(({ code }) => code)).toEqual(['light']);
		expect(entry(ledger, 'light', 'sky')).toMatchObject({ outcome: 'dropped', losses: [{ code: 'dome-light' }] });
		const mjcf = text(convertText('r.usda', STAGE, 'mjcf').files[0]!.content);
		expect(Number(/<camera name="eye".* fovy="([^"]*)"/.exec(mjcf)?.[1])).toBeCloseTo(
			(2 * Math.atan(0.25) * 180) / Math.PI,
			9,
		);
		expect(Number(/<light name="lamp".* cutoff="([^"]*)"/.exec(mjcf)?.[1])).toBeCloseTo(30, 6);
	});

	it('are lost in URDF, where each is told once', () => {
		const { ledger } = convertText('r.usda', STAGE, 'urdf');
		for (const kind of ['camera', 'light', 'interface']) {
			for (const item of ledger.filter((own) => own.kind === kind)) expect(item.outcome).toBe('dropped');
		}
	});
});

describe('interfaces of ROS', () => {
	it('are resolved, and stand in SDF as plugins and in MJCF as texts', () => {
		const { model, files, ledger } = convertText('r.usda', STAGE, 'sdf');
		expect(model.interfaces).toMatchObject([
			{
				...{ kind: 'topic', name: '/bot/imu/data', type: 'sensor_msgs/msg/Imu', role: 'publisher', rate: 100 },
				...{ frame: 'imu_link', qos: { reliability: 'best_effort' } },
			},
		]);
		expect(text(files[0]!.content)).toContain('<plugin name="/bot/imu/data" filename="ros_interface">');
		expect(entry(ledger, 'interface')).toMatchObject({ name: '/bot/imu/data', outcome: 'exported' });
		const mjcf = text(convertText('r.usda', STAGE, 'mjcf').files[0]!.content);
		expect(mjcf).toContain('<text name="ros_topic:/bot/imu/data"');
		expect(mjcf).not.toContain('<extension');
	});

	it('stand beside a URDF where that is asked for', () => {
		const { files, ledger } = convertText('r.usda', STAGE, 'urdf', { interfaceFile: true, mainFile: 'r.urdf' });
		const list = files.find(({ path }) => path === 'r.interfaces.json')!;
		expect(JSON.parse(text(list.content))).toMatchObject({ interfaces: [{ name: '/bot/imu/data', rate: 100 }] });
		expect(text(files[0]!.content)).not.toMatch(/gazebo|plugin/);
		expect(entry(ledger, 'interface')).toMatchObject({ outcome: 'approximated' });
	});

	it('are commands of ros2_control where that is asked for', () => {
		const robot = `<mujoco><worldbody><body name="a"><geom size="0.1" mass="1"/><body name="b"><joint name="j" axis="0 0 1" range="-60 60"/><geom size="0.1" mass="1"/></body></body></worldbody>
			<actuator><position joint="j" kp="5"/></actuator></mujoco>`;
		const urdf = (options: object): string => text(convertText('r.xml', robot, 'urdf', options).files[0]!.content);
		expect(urdf({})).not.toContain('ros2_control');
		expect(urdf({ ros2Control: true })).toMatch(
			/<ros2_control name="robot" type="system">[\s\S]*<command_interface name="position">/,
		);
	});
});

describe('what has no counterpart', () => {
	it('of USD is an entry with its prim', () => {
		const { ledger } = convertText('r.usda', STAGE, 'sdf');
		expect(entry(ledger, 'joint', 'off')).toMatchObject({
			outcome: 'dropped',
			losses: [{ code: 'joint-disabled' }],
			from: { prim: '/Robot/off' },
		});
	});

	const MJCF = `<mujoco model="m">
	<worldbody>
		<light name="sun" directional="true" dir="0 1 -1"/>
		<body name="a"><geom name="g" size="0.1" mass="1" condim="4" friction="0.7 0.02 0.001" contype="2" conaffinity="3"/>
			<camera name="c" pos="0 0 1" fovy="60"/><site name="s" pos="0.1 0 0"/>
			<body name="b" pos="0 0 1"><joint name="j" axis="0 0 1"/><joint name="k" axis="0 1 0"/><geom size="0.1" mass="1"/></body>
		</body>
	</worldbody>
	<tendon><fixed name="t"><joint joint="j" coef="1"/></fixed></tendon>
	<actuator><motor name="m" joint="j"/><position name="p" joint="k" kp="3"/></actuator>
	<sensor><accelerometer name="acc" site="s"/><gyro name="gyr" site="s"/><touch name="tch" site="s"/><jointpos name="jp" joint="j"/></sensor>
	<keyframe><key name="home" qpos="0.1 0.2"/></keyframe>
	<equality><joint name="e" joint1="j" joint2="k" polycoef="0.1 0.5 0.25 0 0" active="true"/></equality>
	<contact><exclude body1="a" body2="b"/></contact>
	<custom><numeric name="n" data="1"/></custom>
</mujoco>`;

	it('of MJCF is an entry at its line', () => {
		const { ledger } = convertText('m.xml', MJCF, 'sdf');
		const lines = (kind: string) =>
			ledger.filter((item) => item.kind === kind).map(({ name, from }) => [name, from?.range?.start.line]);
		expect(lines('tendon')).toEqual([['t', 9]]);
		expect(lines('actuator')).toEqual([['m', 10]]);
		expect(lines('keyframe')).toEqual([['home', 12]]);
		expect(lines('metadata')).toEqual([['n', 15]]);
		expect(lines('sensor')).toEqual([
			['acc', 11],
			['gyr', 11],
			['tch', 11],
			['jp', 11],
		]);
		expect(lines('joint').slice(-2)).toEqual([
			['j', 6],
			['k', 6],
		]);
		expect(entry(ledger, 'light', 'sun')).toMatchObject({
			losses: [{ code: 'surroundings' }],
			from: { range: { start: { line: 3 } } },
		});
	});

	it('becomes one imu where two sensors are its parts, and stays two in MJCF', () => {
		const { files, ledger } = convertText('m.xml', MJCF, 'sdf');
		const sdf = text(files[0]!.content);
		expect(sdf.match(/type="imu"/g)).toHaveLength(1);
		expect(entry(ledger, 'sensor', 'gyr')).toMatchObject({ outcome: 'exported' });
		expect(entry(ledger, 'sensor', 'jp')).toMatchObject({ outcome: 'dropped', losses: [{ code: 'sensor' }] });
		const mjcf = text(convertText('m.xml', MJCF, 'mjcf').files[0]!.content);
		expect(mjcf).toContain('<accelerometer name="acc" site="acc_site"/>');
		expect(mjcf).toContain('<touch name="tch" site="tch_site"/>');
	});

	it('keeps names of stacked joints, bits, friction and curves in MJCF', () => {
		const mjcf = text(convertText('m.xml', MJCF, 'mjcf').files[0]!.content);
		expect(mjcf).toMatch(/<joint name="j" type="hinge"[\s\S]*<joint name="k" type="hinge"/);
		expect(mjcf).toContain('contype="2" conaffinity="3"');
		expect(mjcf).toContain('friction="0.7 0.02 0.0001" condim="4"');
	});

	it('tells that bits of two kinds, torsional friction and pairs are said otherwise in SDF', () => {
		const { files, ledger } = convertText('m.xml', MJCF, 'sdf');
		const sdf = text(files[0]!.content);
		expect(entry(ledger, 'collider', 'g')!.losses.map(({ code }) => code)).toContain('collision-group');
		expect(sdf).toContain('<coefficient>0.02</coefficient>');
		expect(sdf).toContain('<self_collide>true</self_collide>');
		expect(entry(ledger, 'filter')).toMatchObject({ name: 'a b', outcome: 'exported' });
	});

	it('of URDF is an entry, and sensors for Gazebo are sensors', () => {
		const link = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>';
		const robot = `<robot name="r"><link name="a">${link}</link>
			<transmission name="t"/><ros2_control name="c" type="system"/>
			<gazebo reference="a"><sensor name="scan" type="ray"><update_rate>10</update_rate><ray><scan><horizontal><samples>90</samples><min_angle>-1</min_angle><max_angle>1</max_angle></horizontal></scan><range><min>0.1</min><max>8</max></range></ray></sensor><mu1>0.5</mu1></gazebo>
			<gazebo><plugin name="p" filename="x.so"/></gazebo></robot>`;
		const { files, ledger } = convertText('r.urdf', robot, 'sdf');
		expect(text(files[0]!.content)).toMatch(
			/<sensor name="scan" type="gpu_lidar">[\s\S]*<samples>90<\/samples>[\s\S]*<max>8<\/max>/,
		);
		const lost = ledger
			.filter(({ outcome }) => outcome === 'dropped')
			.map(({ kind, losses }) => [kind, losses[0]!.code]);
		expect(lost).toEqual([
			['transmission', 'controller'],
			['controller', 'controller'],
			['metadata', 'metadata'],
			['plugin', 'plugin'],
		]);
	});
});

describe('pairs that do not collide', () => {
	const BODIES = ['a', 'b', 'c', 'd'];
	const source = (pairs: readonly string[]): string => `<mujoco><worldbody>
		${BODIES.map((name) => `<body name="${name}"><freejoint/><geom size="0.1" mass="1"/></body>`).join('')}</worldbody>
		<contact>${pairs.map((pair) => `<exclude body1="${pair[0]}" body2="${pair[1]}"/>`).join('')}</contact></mujoco>`;

	it('have no bit in common in SDF, and all others have', () => {
		const pairs = ['ab', 'cd', 'ac'];
		const sdf = text(convertText('m.xml', source(pairs), 'sdf').files[0]!.content);
		const masks = [...sdf.matchAll(/<collide_bitmask>(\d+)</g)].map((match) => Number(match[1]));
		expect(masks).toHaveLength(4);
		for (const [i, a] of BODIES.entries()) {
			for (const [k, b] of BODIES.entries()) {
				if (i < k) expect((masks[i]! & masks[k]!) !== 0).toBe(!pairs.includes(`${a}${b}`));
			}
		}
	});

	it('are in an SRDF beside a URDF where that is asked for', () => {
		const { files, ledger } = convertText('m.xml', source(['ab']), 'urdf', { srdf: true, mainFile: 'm.urdf' });
		const srdf = files.find(({ path }) => path === 'm.srdf')!;
		expect(text(srdf.content)).toContain('<disable_collisions link1="a" link2="b" reason="Never"/>');
		expect(entry(ledger, 'filter')).toMatchObject({ outcome: 'exported' });
	});
});

describe('where a robot starts', () => {
	it('is a keyframe of MJCF, with what drives are told', () => {
		const source = `<sdf version="1.9"><model name="m"><link name="a"><inertial><mass>1</mass></inertial></link><link name="b"><inertial><mass>1</mass></inertial></link>
			<joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz><initial_position>0.25</initial_position>
			<dynamics><spring_stiffness>2</spring_stiffness><spring_reference>0.5</spring_reference></dynamics></axis></joint></model></sdf>`;
		const mjcf = text(convertText('m.sdf', source, 'mjcf').files[0]!.content);
		expect(mjcf).toContain('<key name="start" qpos="0 0 0 1 0 0 0 0.25" ctrl="0.5"/>');
		const { ledger } = convertText('m.sdf', source, 'sdf');
		expect(entry(ledger, 'joint', 'j')!.losses.map(({ code }) => code)).toEqual(['keyframe']);
	});
});

describe('joints of one body of MJCF at different points', () => {
	const SOURCE = `<mujoco><compiler angle="radian"/><worldbody><body name="a"><geom size="0.1" mass="1"/><body name="b" pos="0.3 0 0" quat="0.9 0.1 0.2 0.3">
		<joint name="j" axis="0 0 1" pos="0.1 0 0"/><joint name="k" axis="0 1 0" pos="0 0.2 0"/><geom size="0.1" pos="0.2 0 0" mass="2"/></body></body></worldbody></mujoco>`;

	it('stay in it, and what stands between in other formats is no part of the source', () => {
		const { files, ledger } = convertText('m.xml', SOURCE, 'mjcf');
		const mjcf = text(files[0]!.content);
		expect(mjcf.match(/<body /g)).toHaveLength(2);
		expect(ledger.filter(({ kind }) => kind === 'body').map(({ name }) => name)).toEqual(['a', 'b']);
		const [before, after] = [mjcfModel(SOURCE), mjcfModel(mjcf)];
		for (const values of poses(20, 2)) {
			expectClose(massMatrix(after, values), massMatrix(before, values), 1e-9);
			expectClose(positionOf(after, 'b', values), positionOf(before, 'b', values), 1e-9);
		}
	});
});
