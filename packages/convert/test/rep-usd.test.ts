import { Report } from '@manyworlds/core';
import { importMjcf, importUsd } from '@manyworlds/import';
import { type Model, ModelBuilder } from '@manyworlds/model';
import { isAssetFailure, type Layer, MemoryStore, type Prim, Stage, XformCache } from '@manyworlds/usd';
import { traverse } from '@manyworlds/usd/internal';
import { describe, expect, it } from 'vitest';
import type { ConvertedRobot, LedgerItem } from '../src/index.ts';
import { convertText, expectClose, massMatrix, poses, positionOf, text, urdfModel } from './robots.ts';

/** An arm with turned frames and an axis off the coordinate axes, held by the world. */
const ARM = `<robot name="my arm">
	<link name="world"/>
	<link name="base"><inertial><origin xyz="0.01 0.02 0.03" rpy="0.3 -0.2 0.5"/><mass value="4"/>
		<inertia ixx="0.05" iyy="0.06" izz="0.07" ixy="0.004" ixz="-0.003" iyz="0.002"/></inertial>
		<visual><geometry><box size="0.2 0.3 0.4"/></geometry><material name="red"><color rgba="0.5 0.25 1 0.5"/></material></visual>
		<collision name="trunk"><geometry><cylinder radius="0.1" length="0.5"/></geometry></collision></link>
	<link name="upper"><inertial><origin xyz="0 0.1 0.2"/><mass value="2"/>
		<inertia ixx="0.02" iyy="0.03" izz="0.025" ixy="0" ixz="0" iyz="0.001"/></inertial></link>
	<link name="lower"><inertial><origin xyz="0.1 0 0"/><mass value="1"/>
		<inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
	<link name="tool"/>
	<joint name="anchor" type="fixed"><parent link="world"/><child link="base"/><origin xyz="1 2 3" rpy="0.4 0.3 0.2"/></joint>
	<joint name="shoulder.1" type="revolute"><parent link="base"/><child link="upper"/>
		<origin xyz="0.1 -0.2 0.3" rpy="0.5 0.6 -0.7"/><axis xyz="1 2 -2"/>
		<limit lower="-1.5" upper="2" effort="30" velocity="4"/><dynamics damping="0.3" friction="0.2"/></joint>
	<joint name="slide" type="prismatic"><parent link="upper"/><child link="lower"/>
		<origin xyz="0 0 0.4" rpy="0 1 0"/><axis xyz="0 -1 0"/><limit lower="-0.1" upper="0.4" effort="10" velocity="1"/></joint>
	<joint name="flange" type="fixed"><parent link="lower"/><child link="tool"/><origin xyz="0.2 0 0" rpy="0 0 1"/></joint>
</robot>`;

describe('layers', () => {
	it('are those of REP 1.2.1, composed by the entry, with metrics in each', () => {
		const { files } = convertText('arm.urdf', ARM, 'rep');
		const names = ['base.usda', 'colliders.usda', 'physics.usda', 'ros.usda', 'materials.usda'];
		expect(files.map(({ path }) => path)).toEqual(['my_arm.usda', ...names]);
		for (const { content } of files) {
			for (const word of ['kilogramsPerUnit = 1', 'metersPerUnit = 1', 'timeCodesPerSecond = 1', 'upAxis = "Z"'])
				expect(text(content)).toContain(word);
		}
		const entry = text(files[0]!.content);
		expect(entry).toMatch(/@\.\/ros\.usda@,\s+@\.\/physics\.usda@,\s+@\.\/colliders\.usda@,\s+@\.\/base\.usda@/);
		expect(entry).toContain('kind = "component"');
		expect(entry).toContain('string source = "arm.urdf"');
		expect(text(files[1]!.content)).not.toMatch(/Physics|ros:/);
	});

	it('show all of the kinematics without payloads', () => {
		const mesh = '<geometry><mesh filename="cube.obj"/></geometry>';
		const source = ARM.replace('<link name="tool"/>', `<link name="tool"><visual>${mesh}</visual></link>`);
		const converted = convertText('arm.urdf', source, 'rep', {}, { 'cube.obj': cube() });
		const seen = (['all', 'none'] as const).map((load) =>
			[...traverse(stageOf(converted, load).pseudoRoot)].map((prim) => ({
				path: prim.path.toString(),
				schemas: prim.appliedSchemas,
				bodies: ['physics:body0', 'physics:body1'].map((name) => prim.relationship(name).targets().map(String)),
			})),
		);
		const physical = seen.map((prims) => prims.filter(({ schemas }) => schemas.length > 0));
		expect(physical[1]).toEqual(physical[0]);
		expect(physical[0]!.length).toBeGreaterThan(5);
		// only points of meshes are behind payloads
		expect(seen[1]!.length).toBeLessThanOrEqual(seen[0]!.length);
		expect(converted.files.map(({ path }) => path)).toContain('geometries.usdc');
	});

	it('are the same bytes the second time', () => {
		expect(convertText('arm.urdf', ARM, 'rep').files).toEqual(convertText('arm.urdf', ARM, 'rep').files);
	});

	it('of vendors have what no neutral schema has, in the units of the vendor', () => {
		const { files, ledger } = convertText('arm.urdf', ARM, 'rep', { vendors: ['newton', 'mujoco'] });
		const [newton, mujoco] = ['newton.usda', 'mujoco.usda'].map((name) =>
			text(files.find(({ path }) => path === name)!.content),
		);
		expect(newton).toContain(
			`newton:damping = ${Math.fround((0.3 * Math.PI) / 180)
				.toPrecision(5)
				.slice(0, 7)}`,
		);
		expect(newton).toMatch(/newton:velocityLimit = 229\.1831/);
		expect(newton).toContain('newton:friction = 0.2');
		expect(mujoco).toContain('uniform double mjc:damping = 0.3');
		expect(mujoco).toContain('uniform double mjc:frictionloss = 0.2');
		expect(text(files[0]!.content)).not.toContain('newton');
		expect(lossesOf(ledger, 'joint')).toEqual([]);
		const told = lossesOf(convertText('arm.urdf', ARM, 'rep').ledger, 'joint');
		expect(told).toEqual(['shoulder.1 armature', 'slide velocity-limit']);
	});
});

describe('bodies and joints', () => {
	it('move as in the source, with the same mass matrix', () => {
		const [source, written] = [urdfModel(ARM), usdModel(convertText('arm.urdf', ARM, 'rep'))];
		for (const values of poses(20, 2)) {
			// schemas of USD hold single precision
			expectClose(massMatrix(written, values), massMatrix(source, values), 2e-6);
			for (const name of ['upper', 'lower']) {
				expectClose(positionOf(written, name, values), positionOf(source, name, values), 2e-6);
			}
		}
	});

	it('have limits in degrees, a drive for the most force, and the names of the source', () => {
		const stage = stageOf(convertText('arm.urdf', ARM, 'rep'));
		const joint = stage.prim('/my_arm/base/shoulder_1')!;
		expect(joint.typeName).toBe('PhysicsRevoluteJoint');
		expect(number(joint, 'physics:lowerLimit')).toBeCloseTo((-1.5 * 180) / Math.PI, 4);
		expect(number(joint, 'physics:upperLimit')).toBeCloseTo((2 * 180) / Math.PI, 4);
		expect(number(joint, 'drive:angular:physics:maxForce')).toBe(30);
		expect(number(joint, 'drive:angular:physics:stiffness')).toBe(0);
		expect(joint.attribute('ros:joint:name').get()?.data).toBe('shoulder.1');
		const slide = stage.prim('/my_arm/base/upper/slide')!;
		expect(slide.attribute('physics:axis').get()?.data).toBe('Y');
		expect(number(slide, 'physics:lowerLimit')).toBeCloseTo(-0.1, 6);
	});

	it('without mass are frames where they stood', () => {
		const stage = stageOf(convertText('arm.urdf', ARM, 'rep'));
		const tool = stage.prim('/my_arm/base/upper/lower/tool')!;
		expect(tool.hasSchema('PhysicsRigidBodyAPI')).toBe(false);
		expect(tool.hasSchema('RosFrameAPI')).toBe(true);
		expectClose(Array.from(new XformCache().localTransform(tool).matrix.subarray(12, 15)), [0.2, 0, 0], 1e-12);
	});

	it('that the world holds are anchored without a first body', () => {
		const anchor = stageOf(convertText('arm.urdf', ARM, 'rep')).prim('/my_arm/Joints/anchor')!;
		expect(anchor.relationship('physics:body0').targets()).toEqual([]);
		expect(anchor.relationship('physics:body1').targets().map(String)).toEqual(['/my_arm/base']);
		expect(floats(anchor, 'physics:localPos0')).toEqual([1, 2, 3]);
	});

	it('take the mass of a link that is there for it alone, as KDL has it', () => {
		const robot = `<robot name="kdl">
			<link name="base"><visual><geometry><box size="1 1 1"/></geometry></visual></link>
			<link name="base_inertia"><inertial><origin xyz="0 0 1"/><mass value="3"/>
				<inertia ixx="1" iyy="2" izz="2.5" ixy="0" ixz="0" iyz="0"/></inertial></link>
			<link name="arm"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
			<joint name="hold" type="fixed"><parent link="base"/><child link="base_inertia"/><origin xyz="0.5 0 0" rpy="0 0 1.5707963267948966"/></joint>
			<joint name="turn" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/></joint>
		</robot>`;
		const stage = stageOf(convertText('kdl.urdf', robot, 'rep'));
		const base = stage.prim('/kdl/base')!;
		expect(number(base, 'physics:mass')).toBe(3);
		expect(floats(base, 'physics:centerOfMass')).toEqual([0.5, 0, 1]);
		// a quarter turn about z exchanges the first two moments
		expectClose(floats(base, 'physics:diagonalInertia'), [2, 1, 2.5], 1e-6);
		expect(stage.prim('/kdl/base/base_inertia')!.hasSchema('RosFrameAPI')).toBe(true);
		const turn = stage.prim('/kdl/base/turn')!;
		expect([number(turn, 'physics:lowerLimit'), number(turn, 'physics:upperLimit')]).toEqual([-Infinity, Infinity]);
	});

	it('without mass stand still where the world holds them, and get a little where they move', () => {
		const robot = `<robot name="cart">
			<link name="rail"><collision><geometry><box size="4 0.1 0.1"/></geometry></collision></link>
			<link name="hinge"/>
			<link name="pole"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
			<joint name="slide" type="prismatic"><parent link="rail"/><child link="hinge"/><axis xyz="1 0 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
			<joint name="swing" type="continuous"><parent link="hinge"/><child link="pole"/><axis xyz="0 1 0"/></joint>
		</robot>`;
		const converted = convertText('cart.urdf', robot, 'rep');
		const stage = stageOf(converted);
		expect(stage.prim('/cart/rail')!.hasSchema('PhysicsRigidBodyAPI')).toBe(false);
		expect(stage.prim('/cart/rail/slide')!.relationship('physics:body0').targets().map(String)).toEqual(['/cart/rail']);
		expect(number(stage.prim('/cart/rail/hinge')!, 'physics:mass')).toBeCloseTo(1e-6, 12);
		expect(lossesOf(converted.ledger, 'body')).toContain('hinge mass-invented');
		expect(stage.prim('/cart/rail/hinge')!.hasSchema('PhysicsArticulationRootAPI')).toBe(true);
		const heavier = stageOf(convertText('cart.urdf', robot, 'rep', { leastMass: 0.01 })).prim('/cart/rail/hinge')!;
		expect(number(heavier, 'physics:mass')).toBeCloseTo(0.01, 9);
		expectClose(floats(heavier, 'physics:diagonalInertia'), [1e-5, 1e-5, 1e-5], 1e-11);
	});

	it('float when asked to, and the report says what was assumed', () => {
		const robot = `<robot name="one"><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>`;
		const held = convertText('one.urdf', robot, 'rep');
		expect(held.report.toArray().map(({ code }) => code)).toContain('CNV010');
		expect(stageOf(held).prim('/one/Joints/a_anchor')).toBeDefined();
		const free = convertText('one.urdf', robot, 'rep', { base: 'floating' });
		expect(free.report.toArray().map(({ code }) => code)).not.toContain('CNV010');
		expect(stageOf(free).prim('/one/Joints')).toBeUndefined();
	});

	it('with an inertia about no axis get a little of it, and are lifted to a solid when asked', () => {
		const robot = (inertia: string): string =>
			`<robot name="one"><link name="a"><inertial><mass value="1"/><inertia ${inertia} ixy="0" ixz="0" iyz="0"/></inertial></link></robot>`;
		const flat = stageOf(convertText('one.urdf', robot('ixx="0" iyy="0.003" izz="0"'), 'rep')).prim('/one/a')!;
		expectClose(floats(flat, 'physics:diagonalInertia'), [3e-9, 0.003, 3e-9], 1e-9);
		const odd = convertText('one.urdf', robot('ixx="1" iyy="1" izz="5"'), 'rep');
		expect(floats(stageOf(odd).prim('/one/a')!, 'physics:diagonalInertia')).toEqual([1, 1, 5]);
		expect(lossesOf(odd.ledger, 'body')).toEqual(['a inertia-unphysical']);
		const mended = convertText('one.urdf', robot('ixx="1" iyy="1" izz="5"'), 'rep', { repairInertia: true });
		const [x, y, z] = floats(stageOf(mended).prim('/one/a')!, 'physics:diagonalInertia') as [number, number, number];
		expect(x + y).toBeGreaterThanOrEqual(z);
		expect(z - x).toBeCloseTo(4, 6);
	});

	it('follow others in degrees', () => {
		const robot = ARM.replace(
			'</robot>',
			`<link name="finger"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
			<joint name="grip" type="revolute"><parent link="lower"/><child link="finger"/><axis xyz="1 0 0"/>
			<limit lower="-1" upper="1" effort="1" velocity="1"/><mimic joint="shoulder.1" multiplier="-0.5" offset="0.1"/></joint></robot>`,
		);
		const joint = stageOf(convertText('arm.urdf', robot, 'rep')).prim('/my_arm/base/upper/lower/grip')!;
		expect(joint.hasSchema('ExtendedPhysicsMimicAPI')).toBe(true);
		expect(number(joint, 'ext_physics:mimic:multiplier')).toBe(-0.5);
		expect(number(joint, 'ext_physics:mimic:offset')).toBeCloseTo((0.1 * 180) / Math.PI, 5);
		expect(joint.relationship('ext_physics:mimic:joint').targets().map(String)).toEqual(['/my_arm/base/shoulder_1']);
	});
});

describe('joints of MJCF', () => {
	const stack = (joints: string): string => `<mujoco model="m"><worldbody>
		<body name="a" pos="0 0 1"><geom size="0.1"/><joint name="root" type="hinge" axis="0 0 1"/>
		<body name="b" pos="0.3 0 0">${joints}<geom size="0.1" pos="0.1 0 0"/></body></body></worldbody></mujoco>`;

	it('that stand upright on each other are one joint, which keeps their names', () => {
		const converted = convertText(
			'm.xml',
			stack('<joint name="x" axis="1 0 0" range="-30 60"/><joint name="y" axis="0 1 0" limited="false"/>'),
			'rep',
		);
		const stage = stageOf(converted);
		const joint = stage
			.prim('/m/a')!
			.children()
			.find(({ typeName }) => typeName === 'PhysicsJoint')!;
		expect(number(joint, 'limit:rotX:physics:low')).toBeCloseTo(-30, 4);
		expect(joint.appliedSchemas).not.toContain('PhysicsLimitAPI:rotY');
		for (const locked of ['transX', 'transY', 'transZ', 'rotZ']) {
			expect(number(joint, `limit:${locked}:physics:low`)).toBeGreaterThan(
				number(joint, `limit:${locked}:physics:high`),
			);
		}
		expect(text(converted.files.find(({ path }) => path === 'physics.usda')!.content)).toMatch(
			/dictionary freedoms = \{\s+string rotX = "x"\s+string rotY = "y"/,
		);
	});

	it('about slanted axes are several joints between two bodies, in their order', () => {
		const source = stack('<joint name="x" axis="1 0 0"/><joint name="w" axis="1 1 0"/>');
		const converted = convertText('m.xml', source, 'rep');
		const joints = stageOf(converted)
			.prim('/m/a')!
			.children()
			.filter(({ typeName }) => typeName === 'PhysicsRevoluteJoint');
		expect(joints.map(({ name }) => name)).toEqual(['x', 'w']);
		expect(lossesOf(converted.ledger, 'joint').join()).toContain('joint-kind');
		const [before, after] = [freeMjcf(source), usdModel(converted)];
		for (const values of poses(5, 3))
			expectClose(positionOf(after, 'b', values), positionOf(before, 'b', values), 2e-6);
	});

	it('count from zero whatever their reference, and stand at the start where it says', () => {
		const source = stack('<joint name="knee" axis="0 1 0" ref="30" range="0 90"/>');
		const stage = stageOf(convertText('m.xml', source, 'rep'));
		const joint = stage.prim('/m/a/knee')!;
		expectClose([number(joint, 'physics:lowerLimit'), number(joint, 'physics:upperLimit')], [0, 90], 1e-4);
		// at the start the body stands as the file says, turned by the reference against the frame of its joint
		expect(Array.from(new XformCache().localTransform(stage.prim('/m/a/b')!).matrix.subarray(12, 15))).toEqual([
			0.3, 0, 0,
		]);
		const rotation = floats(joint, 'physics:localRot0');
		expect(2 * Math.acos(Math.abs(rotation[3]!))).toBeCloseTo(Math.PI / 6, 5);
	});
});

describe('shapes', () => {
	const CUBE = cube();

	it('that touch are simple by default, and the mesh itself where it is closed', () => {
		const mesh = '<geometry><mesh filename="cube.obj" scale="1 2 3"/></geometry>';
		const stage = stageOf(
			convertText('r.urdf', body(`<collision>${mesh}</collision>`), 'rep', {}, { 'cube.obj': CUBE }),
		);
		const scope = stage.prim('/r/a/collision')!;
		expect(scope.variants('collision_fidelity')).toEqual(['convexHull', 'trimesh']);
		expect(scope.variantSelection('collision_fidelity')).toBe('convexHull');
		const [collider] = scope.children() as [Prim];
		expect(collider.attribute('physics:approximation').get()?.data).toBe('convexHull');
		expect(collider.attribute('extent').get()?.data).toEqual(Float32Array.of(-0.5, -1, -1.5, 0.5, 1, 1.5));
		expect(collider.hasSchema('PhysicsCollisionAPI')).toBe(true);
	});

	it('that touch and are open have hulls alone, which is told', () => {
		const open = CUBE.split('\n').slice(0, -2).join('\n');
		const mesh = '<collision name="lid"><geometry><mesh filename="open.obj"/></geometry></collision>';
		const converted = convertText('r.urdf', body(mesh), 'rep', {}, { 'open.obj': open });
		expect(stageOf(converted).prim('/r/a/collision')!.variants('collision_fidelity')).toEqual(['convexHull']);
		const item = converted.ledger.find(({ kind }) => kind === 'collider')!;
		expect(item.losses.map(({ message }) => message).join()).toContain('it is open at 4 edges');
	});

	it('are bound to materials of physics with all three numbers', () => {
		const stage = stageOf(convertText('arm.urdf', ARM, 'rep'));
		const collider = stage.prim('/my_arm/base/collision/trunk')!;
		const [target] = collider.relationship('material:binding:physics').targets();
		const material = stage.prim(target!)!;
		expect(
			['staticFriction', 'dynamicFriction', 'restitution'].map((name) => number(material, `physics:${name}`)),
		).toEqual([1, 1, 0]);
		expect(stage.prim('/my_arm/base/collision')!.attribute('purpose').get()?.data).toBe('guide');
	});

	it('look as light, not as screens show it', () => {
		const stage = stageOf(convertText('arm.urdf', ARM, 'rep'));
		const shader = stage.prim('/my_arm/Looks/red/surface')!;
		expectClose(floats(shader, 'inputs:diffuseColor'), [0.21404, 0.05088, 1], 1e-4);
		expect(number(shader, 'inputs:opacity')).toBe(0.5);
	});

	it('of meshes are instances of one part, a quarter turn about x in their points', () => {
		const visual = (rpy: string): string =>
			`<visual><origin xyz="0 0 1" rpy="${rpy}"/><geometry><mesh filename="cube.obj" scale="1 2 3"/></geometry></visual>`;
		const stage = stageOf(
			convertText(
				'r.urdf',
				body(`${visual('0 0 0')}${visual('0 0 1')}${visual('1.5707963267948966 0 0')}`),
				'rep',
				{},
				{ 'cube.obj': CUBE },
			),
		);
		const parts = stage.prim('/r/a/visual')!.children();
		expect(parts.map(({ isInstance }) => isInstance)).toEqual([true, true, true]);
		expect(parts[0]!.prototype?.path).toBe(parts[1]!.prototype?.path);
		const turned = stage.prim(`${parts[2]!.path}/mesh`)!;
		expect(turned.attribute('extent').get()?.data).toEqual(Float32Array.of(-0.5, -1.5, -1, 0.5, 1.5, 1));
		expect(Array.from(new XformCache().localTransform(parts[2]!).matrix.subarray(0, 3))).toEqual([1, 0, 0]);
	});

	it('that collide as ellipsoids are meshes, as engines take stretched spheres for round ones', () => {
		const source =
			'<mujoco model="m"><worldbody><body name="a"><freejoint/><geom type="ellipsoid" size="0.1 0.2 0.3"/></body></worldbody></mujoco>';
		const stage = stageOf(convertText('m.xml', source, 'rep'));
		const [collider] = stage.prim('/m/a/collision')!.children() as [Prim];
		expect(collider.typeName).toBe('Mesh');
		expectClose(floats(collider, 'extent'), [-0.1, -0.2, -0.3, 0.1, 0.2, 0.3], 1e-3);
	});

	it('on links without looks are shown', () => {
		const converted = convertText(
			'r.urdf',
			body('<collision><geometry><sphere radius="0.1"/></geometry></collision>'),
			'rep',
		);
		expect(stageOf(converted).prim('/r/a/visual')!.children()[0]!.typeName).toBe('Sphere');
		expect(lossesOf(converted.ledger, 'body')).toEqual(['a visual-derived']);
	});
});

describe('names', () => {
	it('that links and joints share are told apart, and stay what ROS calls them', () => {
		const robot = ARM.replaceAll('shoulder.1', 'upper');
		const joint = stageOf(convertText('arm.urdf', robot, 'rep')).prim('/my_arm/base/upper_joint')!;
		expect(joint.attribute('ros:joint:name').get()?.data).toBe('upper');
	});

	it('of parts and files cannot lead out of the asset', () => {
		const robot = ARM.replaceAll('"tool"', '"../../<x>"').replaceAll('my arm', '/etc/passwd');
		const { files } = convertText('arm.urdf', robot.replaceAll('<x>', '&lt;x&gt;'), 'rep');
		for (const { path } of files) expect(path).toMatch(/^[A-Za-z0-9_.]+(\/[A-Za-z0-9_.]+)?$/);
		expect(text(files[1]!.content)).toContain('displayName = "../../<x>"');
	});

	it('of a chain of many links cost no more than the links', () => {
		const links = Array.from(
			{ length: 3000 },
			(_, i) =>
				`<link name="l${i}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>`,
		);
		const joints = links
			.slice(1)
			.map((_, i) => `<joint name="j${i}" type="continuous"><parent link="l${i}"/><child link="l${i + 1}"/></joint>`);
		const { files } = convertText('c.urdf', `<robot name="c">${links.join('')}${joints.join('')}</robot>`, 'rep');
		expect(files.reduce((sum, { content }) => sum + content.length, 0)).toBeLessThan(20e6);
	});
});

describe('equipment', () => {
	it('cameras look as before, with the optical frame below them', () => {
		const source = `<mujoco model="m"><worldbody><body name="a"><freejoint/><geom size="0.1"/>
			<camera name="eye" pos="0 0 0.2" fovy="60"/><light name="lamp" pos="0 0 0.1"/></body></worldbody></mujoco>`;
		const converted = convertText('m.xml', source, 'rep');
		const stage = stageOf(converted);
		const camera = stage.prim('/m/a/eye')!;
		const half = number(camera, 'verticalAperture') / 2 / number(camera, 'focalLength');
		expect(2 * Math.atan(half)).toBeCloseTo(Math.PI / 3, 6);
		const [frame] = camera.children() as [Prim];
		expect(frame.hasSchema('RosFrameAPI')).toBe(true);
		expect(
			Array.from(
				new XformCache()
					.localTransform(frame)
					.matrix.subarray(0, 11)
					.filter((_, i) => i % 5 === 0),
			),
		).toEqual([1, -1, -1]);
		expect(
			converted.ledger.filter(({ kind }) => kind === 'camera' || kind === 'light').map(({ outcome }) => outcome),
		).toEqual(['exported', 'exported']);
	});

	it('interfaces of ROS stay where their frames are', () => {
		const stage = `#usda 1.0
(
	defaultPrim = "r"
	metersPerUnit = 1
	upAxis = "Z"
)
def Xform "r" ( prepend apiSchemas = ["RosContextAPI"] )
{
	uniform string ros:context:namespace = "r"
	def Xform "link" ( prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"] )
	{
		float physics:mass = 1
		float3 physics:diagonalInertia = (1, 1, 1)
		def Xform "imu" ( prepend apiSchemas = ["RosFrameAPI", "RosTopicAPI"] )
		{
			uniform string ros:frame:id = "imu"
			uniform string ros:topic:name = "imu/data"
			uniform token ros:topic:role = "publisher"
			uniform string ros:topic:type = "sensor_msgs/msg/Imu"
			uniform double ros:topic:publish_rate = 100
		}
	}
}`;
		const converted = convertText('r.usda', stage, 'rep', { mainFile: 'out.usda' });
		const written = [...stageOf(converted).traverse()].find((prim) => prim.hasSchema('RosTopicAPI'))!;
		expect(written.path.toString()).toBe('/r/link/imu/data');
		expect(written.attribute('ros:topic:name').get()?.data).toBe('imu/data');
		expect(written.attribute('ros:topic:publish_rate').get()?.data).toBe(100);
	});
});

describe('variants of a USD robot', () => {
	const STAGE = `#usda 1.0
( defaultPrim = "r" )
def Xform "r" (
	variants = { string size = "small" }
	prepend variantSets = "size"
)
{
	def Xform "a" (
		prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]
	)
	{
		float3 physics:diagonalInertia = (1, 1, 1)
	}
	variantSet "size" = {
		"small" {
			over "a"
			{
				float physics:mass = 1
			}
		}
		"large" {
			over "a"
			{
				float physics:mass = 8
			}
		}
	}
}`;

	it('are the authored ones unless others are chosen', () => {
		const massOf = (options: object): number =>
			convertText('r.usda', STAGE, 'urdf', options).model.bodies[0]!.inertia!.mass;
		expect(massOf({})).toBe(1);
		expect(massOf({ variants: [{ prim: '/r', set: 'size', variant: 'large' }] })).toBe(8);
	});

	it.each([
		['/r', 'size', 'huge', "expected one of 'large', 'small'"],
		['/r', 'shape', 'large', "it has 'size'"],
		['/r/x', 'size', 'large', 'there is no such prim'],
		['no path', 'size', 'large', 'there is no such prim'],
	])('that are not there are told: %s:%s=%s', (prim, set, variant, told) => {
		const report = new Report();
		const choices = { variants: [{ prim, set, variant }], report };
		expect(() => convertText('r.usda', STAGE, 'urdf', choices)).toThrow();
		expect(report.toArray().find(({ code }) => code === 'CNV009')!.message).toContain(told);
	});
});

function stageOf({ files }: ConvertedRobot, load: 'all' | 'none' = 'all'): Stage {
	const store = new MemoryStore(Object.fromEntries(files.map(({ path, content }) => [path, content])));
	const layer = store.layer(store.identify(files[0]!.path, '').identifier);
	if (layer === undefined || isAssetFailure(layer)) throw new Error('no entry layer');
	const stage = Stage.open(layer as Layer, { store, load });
	expect(stage.errors()).toEqual([]);
	return stage;
}

function usdModel(converted: ConvertedRobot): Model {
	const builder = new ModelBuilder();
	importUsd(stageOf(converted), builder);
	return builder.finalize();
}

function freeMjcf(source: string): Model {
	const builder = new ModelBuilder();
	importMjcf(source, builder);
	return builder.finalize();
}

function number(prim: Prim, name: string): number {
	return prim.attribute(name).get()?.data as number;
}

function floats(prim: Prim, name: string): number[] {
	return Array.from(prim.attribute(name).get()?.data as Float32Array);
}

function lossesOf(ledger: readonly LedgerItem[], kind: string): string[] {
	return ledger.flatMap((item) => (item.kind === kind ? item.losses.map(({ code }) => `${item.name} ${code}`) : []));
}

function body(shapes: string): string {
	return `<robot name="r"><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>${shapes}</link></robot>`;
}

/** A closed cube of edge 1, as OBJ. */
function cube(): string {
	const corners = [0, 1, 2, 3, 4, 5, 6, 7].map(
		(i) => `v ${(i & 1) - 0.5} ${((i >> 1) & 1) - 0.5} ${((i >> 2) & 1) - 0.5}`,
	);
	const faces = ['1 3 4 2', '5 6 8 7', '1 2 6 5', '3 7 8 4', '1 5 7 3', '2 4 8 6'].map((face) => `f ${face}`);
	return `${[...corners, ...faces].join('\n')}\n`;
}
