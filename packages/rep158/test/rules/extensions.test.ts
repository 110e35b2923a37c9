import { describe, it } from 'vitest';
import { expectMarked, layerOf } from './marked.ts';

const robot = (...lines: string[]): string => `def Xform "robot" {\n${lines.join('\n')}\n}`;
const prim = (name: string, schemas: string, content = '', mark = '', type = 'Xform '): string =>
	`def ${type}"${name}" (${schemas === '' ? '' : `prepend apiSchemas = [${schemas}]`}) {${mark}\n${content}\n}`;

describe('schema files', () => {
	const schemas = (...classes: string[]): Record<string, string> => ({
		'robot.usda': layerOf('def Xform "robot" { }', 'defaultPrim = "robot"\n\tsubLayers = [@./schema.usda@]'),
		'schema.usda': layerOf(classes.join('\n')),
	});
	const schema = (name: string, lines: string, base = '/APISchemaBase', data = ''): string =>
		`class "${name}" (\ninherits = <${base}>\n${data}\n) {\n${lines}\n}`;

	it('declare nothing that native prims have', () => {
		const rule = ['R4.2.1.1'];
		const names = {
			Camera: [
				'focalLength',
				'horizontalAperture',
				'verticalAperture',
				'clippingRange',
				'fStop',
				'focusDistance',
				'fov',
			],
			Light: ['intensity', 'exposure', 'colorTemperature'],
			Xform: ['translate', 'orient', 'position', 'pose', 'transform'],
			PhysicsMassAPI: ['mass', 'density', 'centerOfMass', 'diagonalInertia'],
		};
		const all = Object.values(names).flat();
		expectMarked(rule, schemas(schema('AcmeAPI', all.map((name) => `float acme:${name} # R4.2.1.1`).join('\n'))));
		expectMarked(
			rule,
			schemas(
				schema(
					'AcmeAPI',
					'float acme:focal_length # R4.2.1.1\nfloat acme:range\nfloat acme:massless\nfloat mass:other\nfloat density # R4.2.1.1',
				),
			),
		);
		for (const base of ['/Typed', '/Xformable', '/Imageable'])
			expectMarked(rule, schemas(schema('AcmeAPI', 'float acme:mass # R4.2.1.1', base)));
		expectMarked(rule, schemas(schema('AcmeAPI', 'float acme:mass', '/Other')));
		expectMarked(
			rule,
			schemas('def "Acme" (inherits = </APISchemaBase>) {\nfloat acme:mass\n}', 'class "Plain" {\nfloat acme:mass\n}'),
		);
		for (const name of ['RosContextAPI', 'RosTopicAPI', 'RosServiceAPI', 'RosActionAPI', 'RosFrameAPI'])
			expectMarked(rule, schemas(schema(name, 'float ros:mass')));
		expectMarked(
			rule,
			schemas(schema('RosFrameAPI2', 'float ros:mass # R4.2.1.1').replace('inherits', 'prepend inherits')),
		);
	});

	it('apply to native prims or Xforms', () => {
		const rule = ['R4.2.1.2'];
		const applies = (types: string, mark = '', base = '/APISchemaBase'): Record<string, string> =>
			schemas(schema('AcmeAPI', '', base, `customData = {${mark}\ntoken[] apiSchemaCanOnlyApplyTo = [${types}]\n}`));
		for (const type of [
			'Xform',
			'UsdGeomXform',
			'Camera',
			'UsdGeomCamera',
			'SphereLight',
			'Mesh',
			'PhysicsRevoluteJoint',
			'UsdPhysicsFixedJoint',
		])
			expectMarked(rule, applies(`"${type}"`));
		for (const type of ['Scope', 'Material', 'UsdShadeMaterial', 'Imageable', 'AcmeThing'])
			expectMarked(rule, applies(`"${type}"`, ' # R4.2.1.2'));
		expectMarked(rule, applies('"Scope", "Xform"'));
		expectMarked(rule, applies(''));
		expectMarked(rule, applies('"Scope"', '', '/Typed'));
		expectMarked(
			rule,
			robot(
				prim('a', '"RosControlExternalAPI"'),
				prim('b', '"RosControlExternalAPI"', '', ' # R4.2.1.2', 'Scope '),
				prim('c', '"RosControlDiffDriveAPI"', '', ' # R4.2.1.2', ''),
				prim('d', '"RosControlExternalAPI", "PhysicsRigidBodyAPI"', '', '', 'Cube '),
			),
		);
	});

	it('leave transport to the interfaces', () => {
		const rule = ['R4.2.1.3'];
		const words = [
			'topic',
			'topics',
			'topicName',
			'topic_name',
			'service',
			'serviceName',
			'action',
			'actionName',
			'qos',
			'reliability',
			'durability',
			'domainId',
		];
		expectMarked(rule, schemas(schema('AcmeAPI', words.map((word) => `string acme:${word}:x # R4.2.1.3`).join('\n'))));
		expectMarked(
			rule,
			schemas(
				schema(
					'AcmeAPI',
					'string ros:topic:x\nstring ros:service:x\nstring ros:action:x\nrel acme:topic\nstring acme:subtopic\nstring ros:acme:topic # R4.2.1.3',
				),
			),
		);
		expectMarked(
			rule,
			robot(
				prim(
					'a',
					'"AcmeAPI"',
					'custom string acme:topic = "x" # R4.2.1.3\ncustom rel acme:topics = </robot>\ncustom string topic = "x"\ncustom string acme:other = "x"',
				),
				prim(
					'b',
					'"AcmeAPI"',
					[
						'ros',
						'ros2',
						'inputs',
						'outputs',
						'info',
						'xformOp',
						'primvars',
						'physics',
						'ext_physics',
						'material',
						'collection',
						'ui',
					]
						.map((prefix) => `custom string ${prefix}:topic = "x"`)
						.join('\n'),
				),
				...[
					'PhysicsRigidBodyAPI',
					'MaterialBindingAPI',
					'GeomModelAPI',
					'CollectionAPI:x',
					'RosTopicAPI',
					'RosFrameAPI',
					'ShapingAPI',
					'ShadowAPI',
					'LightAPI',
					'MeshLightAPI',
					'SkelBindingAPI',
				].map((api, i) => prim(`c${i}`, `"${api}"`, 'custom string acme:topic = "x"')),
			),
		);
		expectMarked(rule, {
			'robot.usda': layerOf(
				'def Xform "robot" { }',
				'defaultPrim = "robot"\n\tsubLayers = [@./isaac.usda@, @./other.usda@]',
			),
			'isaac.usda': layerOf('over "robot" (prepend apiSchemas = ["AcmeAPI"]) {\ncustom string acme:topic = "x"\n}'),
			'other.usda': layerOf('over "robot" {\ncustom string acme:qos = "x" # R4.2.1.3\n}'),
		});
	});
});

describe('extended physics', () => {
	it('has names of its own', () => {
		expectMarked(
			['R4.2.2.1'],
			robot(
				...[
					'ExtendedPhysicsMimicAPI',
					'ExtPhysicsMimicAPI # !',
					'ext_physicsMimicAPI # !',
					'extendedPhysicsAPI # !',
					'ExtensionAPI',
				].map((text, i) => {
					const [name, mark] = text.split(' # ');
					return prim(`s${i}`, `"${name}"`, '', mark === undefined ? '' : ' # R4.2.2.1');
				}),
				...[
					'ext_physics:mimic:gearing',
					'ext_physics:actuator:x:y',
					'ext_physics:mimic # !',
					'extPhysics:mimic:x # !',
					'extended_physics:a:b # !',
					'EXT_PHYSICS:a:b # !',
					'external:a:b',
				].map((text, i) => {
					const [name, mark] = text.split(' # ');
					return `def Xform "p${i}" {\ncustom float ${name} = 1${mark === undefined ? '' : ' # R4.2.2.1'}\n}`;
				}),
			),
		);
	});

	it('does not take names of UsdPhysics', () => {
		expectMarked(
			['R4.2.2.2'],
			robot(
				prim(
					'a',
					'"PhysicsRigidBodyAPI"',
					'float physics:mass = 1\nfloat physics:friction = 1 # R4.2.2.2\nfloat ext_physics:a:b = 1',
				),
				prim('b', '"PhysicsTendonAPI"', '', ' # R4.2.2.2'),
				prim('c', '"PhysicsJointStateAPI:angular"'),
				prim(
					'd',
					'"PhysicsLimitAPI:rotX"',
					'float physics:lowerLimit = 1\nrel physics:body0 = </robot>\nrel physics:nothing = </robot> # R4.2.2.2',
				),
				prim('e', '"Physicsx"'),
				'def Xform "f" {\nfloat[] physics:inertia = [1, 1, 1, 0, 0, 0]\nfloat[] physics:inertias = [1, 1, 1] # R4.2.2.2\nfloat[] physics:six = [1, 1, 1, 0, 0, 0] # R4.2.2.2\n}',
			),
		);
	});

	const revolute = (name: string, content = '', schemas = '', mark = '', type = 'PhysicsRevoluteJoint '): string =>
		prim(name, schemas, content, mark, type);

	it('lets joints follow joints of their type', () => {
		const MIMIC = '"ExtendedPhysicsMimicAPI"';
		const follow = (name: string, targets: string, mark = '', type = 'PhysicsRevoluteJoint ', place = ''): string =>
			revolute(name, targets === '' ? '' : `rel ext_physics:mimic:joint = ${targets}${mark}`, MIMIC, place, type);
		const rule = ' # R4.2.2.4';
		expectMarked(
			['R4.2.2.4'],
			robot(
				revolute('lead'),
				revolute('slide', '', '', '', 'PhysicsPrismaticJoint '),
				'def Xform "link" { }',
				follow('good', '</robot/lead>'),
				follow('slider', '</robot/slide>', '', 'PhysicsPrismaticJoint '),
				follow('none', '', '', 'PhysicsRevoluteJoint ', rule),
				follow('two', '[</robot/lead>, </robot/good>]', rule),
				follow('missing', '</robot/gone>', rule),
				follow('body', '</robot/link>', rule),
				follow('other', '</robot/slide>', rule),
				follow('ball', '</robot/lead>', '', 'PhysicsSphericalJoint ', rule),
				follow('xform', '</robot/lead>', '', 'Xform ', rule),
			),
		);
	});

	it('lets actuators drive one joint', () => {
		const actuator = (name: string, targets: string, mark = '', place = ''): string =>
			prim(
				name,
				'"ExtendedPhysicsActuatorAPI"',
				targets === '' ? '' : `rel ext_physics:actuator:targets = ${targets}${mark}`,
				place,
			);
		const rule = ' # R4.2.2.5';
		expectMarked(
			['R4.2.2.5'],
			robot(
				revolute('a'),
				revolute('b', '', '', '', 'PhysicsPrismaticJoint '),
				revolute('ball', '', '', '', 'PhysicsSphericalJoint '),
				actuator('good', '</robot/a>'),
				actuator('linear', '</robot/b>'),
				actuator('none', '', '', rule),
				actuator('missing', '</robot/gone>', rule),
				actuator('wrong', '</robot/ball>', rule),
				actuator('two', '[</robot/a>, </robot/b>]', ' # R4.2.2.5:warning'),
			),
		);
	});

	it('clamps by tables of increasing positions', () => {
		const table = (name: string, positions: string, efforts: string, mark = '', place = ''): string =>
			prim(
				name,
				'"ExtendedPhysicsPositionBasedClampingAPI"',
				`${positions === '' ? '' : `float[] ext_physics:clamp_position:lookupPositions = ${positions}${mark}`}\n${efforts === '' ? '' : `float[] ext_physics:clamp_position:lookupEfforts = ${efforts}`}`,
				place,
			);
		const rule = ' # R4.2.2.6';
		expectMarked(
			['R4.2.2.6'],
			robot(
				table('good', '[0, 1, 2]', '[3, 2, 1]'),
				table('one', '[5]', '[1]'),
				table('empty', '', '', '', rule),
				table('blank', '[]', '[]', rule),
				table('efforts', '', '[1]', '', rule),
				table('short', '[0, 1]', '[1]', rule),
				table('back', '[0, 2, 1]', '[1, 1, 1]', rule),
				table('equal', '[0, 0]', '[1, 1]', rule),
			),
		);
	});
});

describe('controllers', () => {
	const topic = (name: string, type: string, role: string): string =>
		prim(name, '"RosTopicAPI"', `uniform string ros:topic:type = "${type}"\nuniform token ros:topic:role = "${role}"`);
	const parts = [
		topic('twist', 'geometry_msgs/msg/Twist', 'subscription'),
		topic('stamped', 'geometry_msgs/msg/TwistStamped', 'subscription'),
		topic('sent', 'geometry_msgs/msg/Twist', 'publisher'),
		topic('odom', 'nav_msgs/msg/Odometry', 'publisher'),
		topic('odom_in', 'nav_msgs/msg/Odometry', 'subscription'),
		topic('states', 'sensor_msgs/msg/JointState', 'publisher'),
		topic('states_in', 'sensor_msgs/msg/JointState', 'subscription'),
		prim(
			'server',
			'"RosActionAPI"',
			'uniform string ros:action:type = "control_msgs/action/FollowJointTrajectory"\nuniform token ros:action:role = "server"',
		),
		prim(
			'client',
			'"RosActionAPI"',
			'uniform string ros:action:type = "control_msgs/action/FollowJointTrajectory"\nuniform token ros:action:role = "client"',
		),
		prim(
			'gripper',
			'"RosActionAPI"',
			'uniform string ros:action:type = "control_msgs/action/GripperCommand"\nuniform token ros:action:role = "server"',
		),
		'def PhysicsRevoluteJoint "wheel" (prepend apiSchemas = ["PhysicsDriveAPI:angular"]) { }',
		'def PhysicsRevoluteJoint "wheel2" (prepend apiSchemas = ["PhysicsDriveAPI:angular"]) { }',
		'def PhysicsPrismaticJoint "slide" (prepend apiSchemas = ["PhysicsDriveAPI:linear"]) { }',
		'def PhysicsRevoluteJoint "limp" { }',
		'def PhysicsRevoluteJoint "actuated" { }',
		prim('motor', '"ExtendedPhysicsActuatorAPI"', 'rel ext_physics:actuator:targets = </robot/actuated>'),
		prim('body', '"PhysicsRigidBodyAPI"', 'bool physics:kinematicEnabled = true'),
		prim('dynamic', '"PhysicsRigidBodyAPI"'),
		'def Xform "plain" { }',
	];
	const GOOD: Readonly<Record<string, Readonly<Record<string, string>>>> = {
		RosControlRigidBodyTwistAPI: { 'rigid_body_twist:subscriber': 'twist', 'rigid_body_twist:body': 'body' },
		RosControlDiffDriveAPI: {
			'diff_drive:subscriber': 'twist',
			'diff_drive:odom': 'odom',
			'diff_drive:left_wheels': 'wheel',
			'diff_drive:right_wheels': 'wheel2',
		},
		RosControlJointTrajectoryAPI: { 'joint_trajectory:server': 'server', 'joint_trajectory:command_joints': 'slide' },
		RosControlJointStateBroadcasterAPI: {
			'joint_state_broadcaster:publisher': 'states',
			'joint_state_broadcaster:joints': 'wheel',
		},
	};
	const asset = (schema: string, targets: Readonly<Record<string, string>>, mark = '', marked = ''): string =>
		robot(
			...parts,
			prim(
				'controller',
				`"${schema}"`,
				Object.entries(targets)
					.filter(([, target]) => target !== '')
					.map(
						([name, target]) =>
							`rel ros:${name} = [${target
								.split(' ')
								.map((one) => `</robot/${one}>`)
								.join(', ')}]${name === marked ? mark : ''}`,
					)
					.join('\n'),
				marked === '' ? mark : '',
			),
		);
	const rules = ['R4.2.3.2', 'R4.2.3.4', 'R4.2.3.5'];

	it.each(Object.keys(GOOD))('of %s have all that they need', (schema) => {
		expectMarked(rules, asset(schema, GOOD[schema]!));
		for (const name of Object.keys(GOOD[schema]!)) {
			const isFree = name === 'diff_drive:odom';
			expectMarked(rules, asset(schema, { ...GOOD[schema], [name]: '' }, isFree ? '' : ' # R4.2.3.2'));
			expectMarked(rules, asset(schema, { ...GOOD[schema], [name]: 'missing' }, ' # R4.2.3.2', name));
			expectMarked(rules, asset(schema, { ...GOOD[schema], [name]: 'plain' }, ' # R4.2.3.2', name));
		}
	});

	it.each([
		['RosControlRigidBodyTwistAPI', 'rigid_body_twist:subscriber', 'stamped', true],
		['RosControlRigidBodyTwistAPI', 'rigid_body_twist:subscriber', 'sent', false],
		['RosControlRigidBodyTwistAPI', 'rigid_body_twist:subscriber', 'odom_in', false],
		['RosControlRigidBodyTwistAPI', 'rigid_body_twist:body', 'wheel', false],
		['RosControlDiffDriveAPI', 'diff_drive:subscriber', 'stamped', true],
		['RosControlDiffDriveAPI', 'diff_drive:odom', 'odom_in', false],
		['RosControlDiffDriveAPI', 'diff_drive:odom', 'states', false],
		['RosControlDiffDriveAPI', 'diff_drive:left_wheels', 'slide', false],
		['RosControlDiffDriveAPI', 'diff_drive:right_wheels', 'wheel2 slide', false],
		['RosControlJointTrajectoryAPI', 'joint_trajectory:server', 'client', false],
		['RosControlJointTrajectoryAPI', 'joint_trajectory:server', 'gripper', false],
		['RosControlJointTrajectoryAPI', 'joint_trajectory:command_joints', 'wheel slide', true],
		['RosControlJointStateBroadcasterAPI', 'joint_state_broadcaster:publisher', 'states_in', false],
		['RosControlJointStateBroadcasterAPI', 'joint_state_broadcaster:publisher', 'odom', false],
		['RosControlJointStateBroadcasterAPI', 'joint_state_broadcaster:joints', 'limp slide', true],
	])('of %s: %s may lead to %s: %s', (schema, name, target, isGood) => {
		expectMarked(rules, asset(schema, { ...GOOD[schema], [name]: target }, isGood ? '' : ' # R4.2.3.2', name));
	});

	it('move joints with drives or actuators, and kinematic bodies', () => {
		const moving = (name: string, target: string, rule: string): void =>
			expectMarked(
				rules,
				asset('RosControlJointTrajectoryAPI', { ...GOOD['RosControlJointTrajectoryAPI'], [name]: target }, rule, name),
			);
		moving('joint_trajectory:command_joints', 'limp', ' # R4.2.3.4');
		moving('joint_trajectory:command_joints', 'actuated', '');
		const body = (target: string, rule: string): void =>
			expectMarked(
				rules,
				asset(
					'RosControlRigidBodyTwistAPI',
					{ ...GOOD['RosControlRigidBodyTwistAPI'], 'rigid_body_twist:body': target },
					rule,
					'rigid_body_twist:body',
				),
			);
		body('dynamic', ' # R4.2.3.5');
		body('body', '');
	});

	it('that are marked only name their targets themselves', () => {
		for (const schema of ['RosControlExternalAPI', 'RosControlIntegratedAPI']) {
			expectMarked(rules, robot(prim('c', `"${schema}"`, '', ' # R4.2.3.2')));
			expectMarked(rules, robot(prim('c', `"${schema}"`, 'rel my:joints = </robot>')));
			expectMarked(
				rules,
				robot(prim('c', `"${schema}"`, 'rel my:joints = </robot/gone> # R4.2.3.2\nrel my:others = </robot>')),
			);
			expectMarked(rules, robot(prim('c', `"${schema}", "CollectionAPI:joints"`)));
		}
	});

	it('stand beside the links', () => {
		const rule = ['R4.2.3.1'];
		const mark = ' # R4.2.3.1';
		expectMarked(rule, robot(prim('c', '"RosControlExternalAPI"')));
		expectMarked(rule, robot(prim('c', '"RosControlExternalAPI"', '', mark, 'PhysicsFixedJoint ')));
		expectMarked(rule, robot(prim('c', '"RosControlExternalAPI", "PhysicsRigidBodyAPI"', '', mark)));
		expectMarked(rule, robot(prim('link', '"PhysicsRigidBodyAPI"', prim('c', '"RosControlExternalAPI"', '', mark))));
		expectMarked(
			rule,
			robot(prim('link', '"PhysicsRigidBodyAPI", "RosContextAPI"', prim('c', '"RosControlExternalAPI"'))),
		);
		expectMarked(
			rule,
			robot(
				prim('link', '"PhysicsRigidBodyAPI"', prim('inner', '"RosContextAPI"', prim('c', '"RosControlExternalAPI"'))),
			),
		);
		expectMarked(
			rule,
			robot(prim('link', '"PhysicsRigidBodyAPI"', prim('c', '"RosControlExternalAPI"', '', mark))).replace(
				'def Xform "robot" {',
				'def Xform "robot" (prepend apiSchemas = ["RosContextAPI"]) {',
			),
		);
	});

	it('are not tied to the simulator', () => {
		const tied = (kind: string): string =>
			prim(
				kind,
				`"Ros${kind[0]!.toUpperCase()}${kind.slice(1)}API"`,
				`uniform string ros:${kind}:type = "simulation_interfaces/srv/Reset"`,
			);
		const rule = ['R4.2.3.6'];
		expectMarked(
			rule,
			robot(
				tied('topic'),
				tied('service'),
				tied('action'),
				'def Xform "plain" { }',
				prim(
					'a',
					'"RosControlExternalAPI"',
					'custom string my:type = "simulation_interfaces/srv/Reset" # R4.2.3.6\ncustom string my:other = "std_srvs/srv/Trigger"\ncustom rel my:topic = </robot/topic> # R4.2.3.6\ncustom rel my:service = [</robot/plain>, </robot/service>] # R4.2.3.6\ncustom rel my:action = </robot/action> # R4.2.3.6\ncustom rel my:plain = </robot/plain>\ncustom rel my:gone = </robot/gone>',
				),
				prim('b', '"RosFrameAPI"', 'custom string my:type = "simulation_interfaces/srv/Reset"'),
			),
		);
	});

	it('do not move the same from the start', () => {
		const controller = (name: string, joints: string, mark = '', enabled = ''): string =>
			prim(
				name,
				'"RosControlJointTrajectoryAPI"',
				`rel ros:joint_trajectory:command_joints = [${joints
					.split(' ')
					.map((one) => `</robot/${one}>`)
					.join(', ')}]${mark}\n${enabled === '' ? '' : `bool control:starts_enabled = ${enabled}`}`,
			);
		const rule = ['R4.2.3.7'];
		const mark = ' # R4.2.3.7';
		expectMarked(
			rule,
			robot(...parts, controller('a', 'wheel'), controller('b', 'wheel2'), controller('c', 'wheel slide', mark)),
		);
		expectMarked(rule, robot(...parts, controller('a', 'wheel'), controller('b', 'wheel', '', 'false')));
		expectMarked(rule, robot(...parts, controller('a', 'wheel', '', 'false'), controller('b', 'wheel', '', 'true')));
		expectMarked(rule, robot(...parts, controller('a', 'wheel', '', 'true'), controller('b', 'wheel', mark, 'true')));
		expectMarked(rule, robot(...parts, controller('a', 'wheel wheel2'), controller('b', 'wheel wheel2', mark)));
		expectMarked(
			rule,
			robot(
				...parts,
				prim(
					'both',
					'"RosControlJointTrajectoryAPI", "RosControlDiffDriveAPI"',
					'rel ros:joint_trajectory:command_joints = </robot/wheel>\nrel ros:diff_drive:left_wheels = </robot/wheel>',
				),
			),
		);
	});
});

describe('sensors', () => {
	const SONAR = '"SensorSonarAPI"';

	it('know nothing that only a simulator can', () => {
		const truths = [
			'groundTruth',
			'semantic_segmentation',
			'boundingBox2d',
			'semanticLabels',
			'instance_id',
			'objectId',
			'perfectPose',
			'true_pose',
		];
		expectMarked(
			['R4.2.4.1'],
			robot(
				prim('a', SONAR, truths.map((name) => `custom bool sensor:${name} = 1 # R4.2.4.1`).join('\n')),
				prim(
					'b',
					SONAR,
					'custom bool ros:groundTruth = 1\ncustom bool isaac:groundTruth = 1\ncustom bool sensor:range = 1',
				),
				prim('c', '"SensorAPI"', 'custom bool sensor:groundTruth = 1'),
				prim('d', '"PhysicsMassAPI"', 'custom bool sensor:groundTruth = 1'),
			),
		);
	});

	it('are on Xforms or cameras, outside of payloads', () => {
		const rule = ['R4.2.4.2'];
		expectMarked(
			rule,
			robot(
				prim('a', SONAR),
				prim('b', SONAR, '', '', 'Camera '),
				prim('c', SONAR, '', ' # R4.2.4.2', 'Scope '),
				prim('d', '"SensorLidarAPI:front"', '', ' # R4.2.4.2', ''),
			),
		);
		const files = (arc: string, over: string, mark: string): Record<string, string> => ({
			'robot.usda': layerOf(robot(`def Xform "a" (${arc} = @./part.usda@) {\n${over}\n}`)),
			'part.usda': layerOf(`def Xform "part" {\n${prim('sonar', SONAR, '', mark)}\n}`, 'defaultPrim = "part"'),
		});
		expectMarked(rule, files('references', '', ''));
		expectMarked(rule, files('payload', '', ' # R4.2.4.2'));
		expectMarked(rule, files('payload', prim('sonar', SONAR), ''));
		expectMarked(rule, files('payload', 'def Xform "sonar" { }', ' # R4.2.4.2'));
		expectMarked(rule, files('payload', `over "sonar" (prepend apiSchemas = [${SONAR}]) { } # R4.2.4.2`, ''));
	});

	it('have neutral properties and those of vendors', () => {
		const neutral = [
			'xformOp',
			'ros',
			'physics',
			'ext_physics',
			'material',
			'primvars',
			'collection',
			'model',
			'ui',
			'userProperties',
			'sensor',
		];
		expectMarked(
			['R4.2.4.3'],
			robot(
				prim('a', SONAR, neutral.map((prefix) => `custom float ${prefix}:x = 1`).join('\n')),
				prim(
					'b',
					SONAR,
					'custom float other:x = 1 # R4.2.4.3\ncustom float sensor = 1 # R4.2.4.3\ncustom float physx:x = 1\ntoken visibility = "inherited"',
				),
			),
		);
	});
});
