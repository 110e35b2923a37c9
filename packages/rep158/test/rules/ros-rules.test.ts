import { describe, it } from 'vitest';
import { expectMarked, layerOf } from './marked.ts';

const BODY = '"PhysicsRigidBodyAPI"';
const robot = (...lines: string[]): string =>
	`def Xform "robot" (prepend apiSchemas = ["RosContextAPI"]) {\nuniform string ros:context:namespace = "robot"\n${lines.join('\n')}\n}`;
const bare = (...lines: string[]): string => `def Xform "robot" {\n${lines.join('\n')}\n}`;
const prim = (name: string, schemas: string, content = '', mark = '', type = 'Xform '): string =>
	`def ${type}"${name}" (prepend apiSchemas = [${schemas}]) {${mark}\n${content}\n}`;
/** A topic; a field of '' is not authored, marks follow the values. */
const topic = (
	name: string,
	fields: Readonly<Record<string, string>> = {},
	more = '',
	mark = '',
	type = 'Xform ',
): string => {
	const all = { name: `"${name}"`, type: '"std_msgs/msg/String"', role: '"publisher"', publish_rate: '10', ...fields };
	const types: Record<string, string> = { role: 'token', publish_rate: 'double' };
	const lines = Object.entries(all)
		.filter(([, value]) => value !== '')
		.map(([field, value]) => `uniform ${types[field] ?? 'string'} ros:topic:${field} = ${value}`);
	return prim(name, '"RosTopicAPI"', [...lines, more].join('\n'), mark, type);
};
const served = (
	kind: 'service' | 'action',
	name: string,
	fields: Readonly<Record<string, string>> = {},
	mark = '',
): string => {
	const type = kind === 'service' ? '"std_srvs/srv/Trigger"' : '"control_msgs/action/GripperCommand"';
	const all = { name: `"${name}"`, type, role: '"server"', ...fields };
	const lines = Object.entries(all)
		.filter(([, value]) => value !== '')
		.map(
			([field, value]) =>
				`uniform ${field === 'role' ? 'token' : field === 'starts_enabled' ? 'bool' : 'string'} ros:${kind}:${field} = ${value}`,
		);
	return prim(name, `"Ros${kind === 'service' ? 'Service' : 'Action'}API"`, lines.join('\n'), mark);
};

describe('contexts', () => {
	it('stand above interfaces', () => {
		expectMarked(['R2.1.1'], bare(topic('a')).replace('{', '{ # R2.1.1'));
		expectMarked(['R2.1.1'], robot(topic('a')));
		expectMarked(['R2.1.1'], bare(prim('a', '"RosFrameAPI"')));
	});

	it('have a domain that DDS has', () => {
		const domain = (value: string, mark = '', type = 'int'): string =>
			bare(
				prim(
					'a',
					'"RosContextAPI"',
					`uniform ${type} ros:context:domain_id${value === '' ? '' : ` = ${value}`}${mark}`,
				),
			);
		const rule = ['R2.1.2'];
		expectMarked(rule, domain('0'));
		expectMarked(rule, domain('101'));
		expectMarked(rule, domain('102', ' # R2.1.2:info'));
		expectMarked(rule, domain('232', ' # R2.1.2:info'));
		expectMarked(rule, domain('233', ' # R2.1.2'));
		expectMarked(rule, domain('-1', ' # R2.1.2'));
		expectMarked(rule, domain('"1"', ' # R2.1.2', 'string'));
		expectMarked(rule, domain(''));
		expectMarked(rule, domain('', ' # R2.1.2', 'string'));
	});

	it('nested in others have no parent frame and may reset the namespace', () => {
		expectMarked(
			['R2.1.3'],
			robot(prim('a', '"RosContextAPI"', 'uniform string ros:context:parent_frame = "map" # R2.1.3')).replace(
				'{\n',
				'{\nuniform string ros:context:parent_frame = "map"\n',
			),
		);
		const nested = (space: string, mark = ''): string =>
			prim('a', '"RosContextAPI"', `uniform string ros:context:namespace = "${space}"${mark}`);
		expectMarked(['R2.1.1.2'], robot(nested('/other', ' # R2.1.1.2')));
		expectMarked(['R2.1.1.2'], robot(nested('other')));
		expectMarked(['R2.1.1.2'], bare(nested('/other')));
		expectMarked(['R2.1.1.2'], robot(nested('/other')).replace('namespace = "robot"', 'namespace = ""'));
	});

	it('have namespaces of one bare name or an absolute one', () => {
		const rule = ' # R2.1.1.1';
		const spaces: [string, string][] = [
			['good_1', ''],
			['/abs/good', ''],
			['', ''],
			['two/parts', rule],
			['ends/', rule],
			['~', rule],
			['{x}', rule],
			['1st', rule],
			['a-b', rule],
			['/abs//twice', rule],
			['/', rule],
		];
		expectMarked(
			['R2.1.1.1'],
			bare(
				...spaces.map(([space, mark], i) =>
					prim(`c${i}`, '"RosContextAPI"', `uniform string ros:context:namespace = "${space}"${mark}`),
				),
			),
		);
	});

	it('of robots differ, and are named like their prims', () => {
		const context = (name: string, space: string, mark = '', more = ''): string =>
			prim(
				name,
				'"RosContextAPI"',
				`${space === '' ? '' : `uniform string ros:context:namespace = "${space}"${mark}`}\n${more}`,
			);
		const rules = ['R2.1.1.7', 'R2.1.1.8'];
		expectMarked(rules, bare(context('a', 'a'), context('b', 'b'), context('c', 'a', ' # R2.1.1.7 R2.1.1.8')));
		expectMarked(rules, bare(context('a', ''), prim('b', '"RosContextAPI"', '', ' # R2.1.1.7')));
		expectMarked(
			rules,
			bare(
				context('a', 'a', '', 'uniform int ros:context:domain_id = 1'),
				context('x', '/a', ' # R2.1.1.8', 'uniform int ros:context:domain_id = 2'),
				context('y', '/z/y', ''),
				context('w', '1', ''),
			),
		);
	});

	it('of the asset are on its default prim', () => {
		const rule = ['R2.1.1.9'];
		expectMarked(rule, bare(prim('a', '"RosContextAPI"', '', ' # R2.1.1.9')));
		expectMarked(rule, robot(prim('a', '"RosContextAPI"')));
		const part = (schemas: string): Record<string, string> => ({
			'part.usda': layerOf(
				`def Xform "part" (${schemas}) {\n${prim('inner', '"RosContextAPI"', '', schemas === '' ? ' # R2.1.1.9' : '')}\n}`,
				'defaultPrim = "part"',
			),
		});
		const holder = (arc: string, schemas = ''): Record<string, string> => ({
			'robot.usda': layerOf(bare(`def Xform "a" (${arc} = @./part.usda@; ${schemas}) { }`)),
		});
		const own = 'prepend apiSchemas = ["RosContextAPI"]';
		expectMarked(rule, { ...holder('references'), ...part(own) });
		expectMarked(rule, { ...holder('payload'), ...part(own) });
		expectMarked(rule, { ...holder('references'), ...part('') });
		expectMarked(rule, {
			...holder('references', own),
			'part.usda': part('')['part.usda']!.replace(' # R2.1.1.9', ''),
		});
	});

	it('of modules are overridden on the prim that references them', () => {
		const module = (inner: string): string =>
			layerOf(
				`def Xform "module" (prepend apiSchemas = ["RosContextAPI"]) {\nuniform string ros:context:namespace = "module"\n${inner}\n}`,
				'defaultPrim = "module"',
			);
		const deep = prim('part', '"RosContextAPI"', 'uniform string ros:context:namespace = "part"');
		const asset = (over: string, arc = 'references'): Record<string, string> => ({
			'robot.usda': layerOf(robot(`def Xform "a" (${arc} = @./module.usda@) {\n${over}\n}`)),
			'module.usda': module(deep),
		});
		const rule = ['R2.1.1.10'];
		expectMarked(rule, asset('uniform string ros:context:namespace = "left"'));
		expectMarked(rule, asset('over "part" {\nuniform string ros:context:namespace = "left" # R2.1.1.10\n}'));
		expectMarked(rule, asset('over "part" {\nuniform string ros:context:namespace = "left" # R2.1.1.10\n}', 'payload'));
		expectMarked(rule, asset(''));
		expectMarked(rule, asset(prim('mine', '"RosContextAPI"', 'uniform string ros:context:namespace = "mine"')));
	});

	it('of copies of one module differ', () => {
		const files = (first: string, second: string, mark: string): Record<string, string> => ({
			'robot.usda': layerOf(
				robot(
					`def Xform "a" (references = @./module.usda@) {\n${first}\n}`,
					`def Xform "b" (\nreferences = @./module.usda@${mark}\n) {\n${second}\n}`,
				),
			),
			'module.usda': layerOf(
				prim('module', '"RosContextAPI"', 'uniform string ros:context:namespace = "module"'),
				'defaultPrim = "module"',
			),
		});
		const space = (name: string): string => `uniform string ros:context:namespace = "${name}"`;
		expectMarked(['R2.1.1.11'], files('', '', ' # R2.1.1.11'));
		expectMarked(['R2.1.1.11'], files(space('x'), '', ''));
		expectMarked(['R2.1.1.11'], files(space('x'), space('x'), ' # R2.1.1.11'));
		expectMarked(['R2.1.1.11'], files(space('x'), space('y'), ''));
		expectMarked(
			['R2.1.1.11'],
			robot(prim('a', '"RosContextAPI"', space('s')), prim('b', '"RosContextAPI"', space('s'))),
		);
	});

	it('are not instanced, nor behind payloads', () => {
		const files = (flags: string): Record<string, string> => ({
			'robot.usda': layerOf(bare(`def Xform "a" (\n${flags}\n) { }`)),
			'module.usda': layerOf(
				prim('module', '"RosContextAPI"', prim('frame', '"RosFrameAPI"')),
				'defaultPrim = "module"',
			),
		});
		expectMarked(['R2.1.1.13'], files('references = @./module.usda@\ninstanceable = true # R2.1.1.13'));
		expectMarked(['R2.1.1.13'], files('references = @./module.usda@'));
		expectMarked(['R2.1.1.12', 'R2.2.4'], files('references = @./module.usda@'));
		expectMarked(['R2.1.1.12', 'R2.2.4'], files('payload = @./module.usda@'), {}, [
			'module.usda:9 R2.1.1.12',
			'module.usda:10 R2.2.4',
		]);
		// the payload of the entry prim may bring the features where that is allowed
		const entry = (policy: 'entry' | 'kinematics-visible', arc: string): void =>
			expectMarked(
				['R2.1.1.12'],
				{
					'robot.usda': layerOf(`def Xform "robot" (payload = @./module.usda@) { }`),
					'module.usda': layerOf(
						`def Xform "module" {\ndef Xform "inner" (${arc}) { }\n${arc === '' ? prim('own', '"RosContextAPI"', '', policy === 'entry' ? '' : ' # R2.1.1.12') : ''}\n}`,
						'defaultPrim = "module"',
					),
					'deep.usda': layerOf(
						prim('deep', '"RosContextAPI"', '', arc === '' ? '' : ' # R2.1.1.12'),
						'defaultPrim = "deep"',
					),
				},
				{ payloadPolicy: policy },
			);
		entry('entry', '');
		entry('kinematics-visible', '');
		entry('entry', 'payload = @./deep.usda@');
	});

	it('have one tf for the robot', () => {
		const tf = (name: string, mark: string): string =>
			topic('t', { name: `"${name}"${mark}`, type: '"tf2_msgs/msg/TFMessage"' });
		const rule = ['R2.1.1.6'];
		const part = (content: string): string =>
			robot(prim('arm', '"RosContextAPI"', `uniform string ros:context:namespace = "arm"\n${content}`));
		expectMarked(rule, part(tf('tf', ' # R2.1.1.6')));
		expectMarked(rule, part(tf('tf_static', ' # R2.1.1.6')));
		expectMarked(rule, part(tf('/tf', '')));
		expectMarked(rule, part(tf('/tf_static', '')));
		expectMarked(rule, part(tf('/robot/tf', '')));
		expectMarked(rule, part(tf('/robot/tf_static', '')));
		expectMarked(rule, part(tf('transforms', '')));
		expectMarked(rule, robot(tf('tf', '')));
		expectMarked(rule, bare(tf('tf', '')));
		expectMarked(rule, bare(tf('x/tf', ' # R2.1.1.6')));
		expectMarked(rule, part(topic('t', { name: '"tf"' })));
	});
});

describe('interfaces', () => {
	it('of the whole robot are on logical prims below its context', () => {
		const wide = { type: '"sensor_msgs/msg/JointState"' };
		const rule = ['R2.2.1'];
		expectMarked(rule, robot(topic('states', wide)));
		expectMarked(rule, robot(prim('link', BODY, topic('states', wide, '', ' # R2.2.1'))));
		expectMarked(rule, robot(topic('states', wide, '', ' # R2.2.1', 'PhysicsFixedJoint ')));
		expectMarked(
			rule,
			robot(
				prim(
					'link',
					`${BODY}, "RosTopicAPI"`,
					'uniform string ros:topic:type = "sensor_msgs/msg/JointState"\nuniform token ros:topic:role = "publisher"',
					' # R2.2.1',
				),
			),
		);
		expectMarked(rule, bare(topic('states', wide)));
		expectMarked(rule, bare(prim('part', '"RosContextAPI"'), topic('states', wide, '', ' # R2.2.1')));
		// a robot that starts at a link has everything below it
		expectMarked(rule, bare(prim('base', `${BODY}, "RosContextAPI"`, topic('states', wide))));
		expectMarked(rule, bare(prim('base', BODY, prim('robot', '"RosContextAPI"', topic('states', wide)))));
		const twist = { type: '"geometry_msgs/msg/Twist"', role: '"subscription"' };
		expectMarked(rule, robot(prim('link', BODY, topic('cmd', twist, '', ' # R2.2.1'))));
		expectMarked(rule, robot(prim('link', BODY, topic('cmd', { ...twist, role: '"publisher"' }))));
	});

	it('of sensors are on Xforms below links', () => {
		const scan = { type: '"sensor_msgs/msg/LaserScan"' };
		const rule = ['R2.2.2'];
		expectMarked(rule, robot(prim('link', BODY, topic('scan', scan))));
		expectMarked(rule, robot(prim('link', BODY), topic('scan', scan, '', ' # R2.2.2')));
		expectMarked(rule, robot(topic('scan', scan)));
		expectMarked(rule, bare(prim('link', BODY), topic('scan', scan, '', ' # R2.2.2')));
		expectMarked(rule, bare(prim('link', BODY), prim('own', '"RosContextAPI"', topic('scan', scan))));
		expectMarked(rule, robot(prim('link', BODY, topic('scan', scan, '', ' # R2.2.2', 'Scope '))));
		expectMarked(rule, robot(prim('link', BODY, topic('scan', scan, '', '', 'Camera '))));
		expectMarked(rule, robot(prim('link', BODY, topic('scan', scan, '', ' # R2.2.2', ''))));
		expectMarked(
			rule,
			robot(
				prim(
					'link',
					`${BODY}, "RosTopicAPI"`,
					'uniform string ros:topic:type = "sensor_msgs/msg/LaserScan"\nuniform token ros:topic:role = "publisher"',
					' # R2.2.2',
				),
			),
		);
		expectMarked(rule, robot(prim('link', BODY), topic('scan', { ...scan, role: '"subscription"' })));
	});

	it('are one for each prim', () => {
		expectMarked(
			['R2.2.3'],
			robot(
				prim('a', '"RosTopicAPI",\n"RosServiceAPI"').replace('\n"RosServiceAPI"]', '\n"RosServiceAPI"] # R2.2.3\n'),
				prim('b', '"RosTopicAPI", "RosFrameAPI"'),
				prim('c', '"RosActionAPI", "RosTopicAPI"', '', ' # R2.2.3'),
			),
		);
	});

	it('have types that somebody defines, in the form of ROS', () => {
		const typed = (name: string, type: string, mark = ''): string => topic(name, { type: `"${type}"${mark}` });
		expectMarked(
			['R2.3.1', 'R2.3.5'],
			robot(
				typed('a', 'std_msgs/msg/String'),
				typed('b', 'std_msgs/msg/Sting', ' # R2.3.1'),
				typed('c', 'acme/msg/Thing', ' # R2.3.1'),
				typed('d', 'std_msgs/String', ' # R2.3.5'),
				typed('e', 'std_srvs/srv/Trigger', ' # R2.3.5'),
				typed('f', '', ''),
				served('service', 'g', { type: '"std_srvs/srv/Triger" # R2.3.1' }),
				served('action', 'h', { type: '"control_msgs/msg/JointJog" # R2.3.5' }),
			),
		);
	});

	it('have names that ROS takes, of at most 247 characters', () => {
		const named = (id: string, name: string, mark = ''): string => topic(id, { name: `"${name}"${mark}` });
		// '/robot/' is in front
		expectMarked(
			['R2.3.3'],
			robot(
				named('a', 'good/name'),
				named('b', '/absolute'),
				named('c', 'bad name', ' # R2.3.3'),
				named('d', '1st', ' # R2.3.3'),
				named('e', `x${'y'.repeat(239)}`),
				named('f', `x${'y'.repeat(240)}`, ' # R2.3.3'),
				named('g', ''),
				named('h', '~/private', ' # R2.3.3'),
				served('service', 'i', { name: '"a//b" # R2.3.3' }),
			),
		);
	});

	it('start enabled or not', () => {
		const starts = (kind: string, value: string, mark = '', type = 'bool'): string =>
			`uniform ${type} ros:${kind}:starts_enabled${value === '' ? '' : ` = ${value}`}${mark}`;
		expectMarked(
			['R2.3.4'],
			robot(
				topic('a', {}, starts('topic', 'true')),
				topic('b', {}, starts('topic', '"yes"', ' # R2.3.4', 'string')),
				topic('c', {}, starts('topic', '')),
				topic('d', {}, starts('topic', '', ' # R2.3.4', 'int')),
				prim('e', '"RosServiceAPI"', starts('service', '1', ' # R2.3.4', 'int')),
				prim('f', '"RosActionAPI"', starts('action', '1', ' # R2.3.4', 'int')),
			),
		);
	});

	it('have the attributes of their schemas', () => {
		const error = ' # R2.3.6:error';
		const warn = ' # R2.3.6';
		expectMarked(
			['R2.3.6'],
			bare(
				prim(
					'a',
					'"RosTopicAPI"',
					`uniform string ros:topic:nam = "x"${warn}\nuniform string ros2:topic:name = "x"${warn}\nuniform string ros:topic:frobnicate = "x"${warn}\nuniform string ros:service:name = "x"${warn}\nuniform token ros:topic:name = "x"${error}\nstring ros:topic:type = "x" # R2.3.6:info\nuniform int ros:topic:starts_enabled = 1\nuniform float ros:topic:qos:match_publisher = 1\nuniform float ros:topic:qos:depth = 1`,
				),
				prim(
					'b',
					'"RosContextAPI", "RosFrameAPI"',
					'uniform float ros:context:domain_id = 1\nuniform float ros:frame:static = 1\nuniform string other:name = ""',
				),
				prim('c', '"Ros2TopicAPI"', '', warn),
				prim('d', '"RosTopikAPI"', '', warn),
				prim('e', '"RosControlDiffDriveAPI"', 'rel ros:diff_drive:odom = </robot>'),
				`def PhysicsFixedJoint "f" {\nstring ros:joint:name = "f"\n}`,
				`def PhysicsFixedJoint "g" {\ntoken ros:joint:name = "f"${error}\n}`,
				`def Xform "h" {\nstring ros:joint:name = "f"${warn}\n}`,
				prim('i', '"RosControlRigidBodyTwistAPI"', 'rel ros:rigid_body_twist:body = </robot>'),
				prim('j', '"RosControlJointTrajectoryAPI"', 'rel ros:joint_trajectory:server = </robot>'),
				prim('k', '"RosControlJointStateBroadcasterAPI"', 'rel ros:joint_state_broadcaster:joints = </robot>'),
				prim('l', '"RosServiceAPI"', 'uniform int ros:service:starts_enabled = 1'),
				prim('m', '"RosActionAPI"', 'uniform int ros:action:starts_enabled = 1'),
			),
		);
	});

	it('of one name have one type, and one server', () => {
		expectMarked(
			['R2.3.7'],
			robot(
				topic('a', { name: '"x"' }),
				topic('b', { name: '"x"' }),
				topic('c', { name: '"x"', type: '"std_msgs/msg/Bool" # R2.3.7' }),
				topic('d', { name: '"y"', type: '"std_msgs/msg/Bool"' }),
				served('service', 'e', { name: '"x"' }),
				served('service', 'f', { name: '"x" # R2.3.7' }),
				served('service', 'g', { name: '"x"', starts_enabled: 'false' }),
				served('service', 'h', { name: '"x"', role: '"client"' }),
				served('action', 'i', { name: '"x"' }),
				prim(
					'other',
					'"RosContextAPI"',
					`uniform int ros:context:domain_id = 7\n${topic('c', { name: '"/robot/x"', type: '"std_msgs/msg/Bool"' })}`,
				),
			),
		);
	});

	it('have a role, a name and a type', () => {
		const rules = ['R2.4.1', 'R2.4.2', 'R2.4.3', 'R2.5.1', 'R2.6.1'];
		expectMarked(
			rules,
			robot(
				topic('a'),
				topic('b', { role: '"subscription"' }),
				topic('c', { role: '"server" # R2.4.1' }),
				topic('d', { role: '' }, '', ' # R2.4.1'),
				topic('e', { name: '' }, '', ' # R2.4.2'),
				topic('f', { name: '"" # R2.4.2' }),
				topic('g', { type: '' }, '', ' # R2.4.3'),
				topic('h', { type: '"" # R2.4.3' }),
				served('service', 'i'),
				served('service', 'j', { role: '"client"' }),
				served('service', 'k', { role: '"publisher" # R2.5.1' }),
				served('service', 'l', { name: '', type: '' }, ' # R2.5.1 R2.5.1'),
				served('action', 'm', { role: '"client"' }),
				served('action', 'n', { role: '"publisher" # R2.6.1', type: '"" # R2.6.1' }),
				served('action', 'o', { name: '' }, ' # R2.6.1'),
			),
		);
	});
});

describe('topics', () => {
	it('that publish have a rate', () => {
		expectMarked(
			['R2.4.4'],
			robot(
				topic('a'),
				topic('b', { publish_rate: '' }, '', ' # R2.4.4'),
				topic('c', { publish_rate: '0 # R2.4.4' }),
				topic('d', { publish_rate: '-1 # R2.4.4' }),
				topic('e', { publish_rate: 'inf # R2.4.4' }),
				topic('f', { publish_rate: '0.5' }),
				topic('g', { role: '"subscription"', publish_rate: '' }),
				topic('h', { role: '"subscription"', publish_rate: '1 # R2.4.4:info' }),
				topic('i', { role: '"other"', publish_rate: '' }),
			),
		);
	});

	it('override the frame of messages with headers by one that is not on the stage', () => {
		const over = (name: string, id: string, mark = '', type = 'sensor_msgs/msg/Imu'): string =>
			topic(name, { type: `"${type}"` }, `uniform string ros:topic:override_frame_id = "${id}"${mark}`);
		expectMarked(
			['R2.4.5', 'R2.4.6'],
			robot(
				prim('imu', '"RosFrameAPI"'),
				over('a', 'map'),
				over('b', 'imu', ' # R2.4.5'),
				over('c', ''),
				over('d', 'map', ' # R2.4.6', 'std_msgs/msg/String'),
				over('e', '', '', 'std_msgs/msg/String'),
				over('f', 'map', '', 'acme/msg/Own'),
			),
		);
	});

	it('have policies of quality of service', () => {
		const policies: Record<string, string[]> = {
			reliability: ['system_default', 'reliable', 'best_effort'],
			durability: ['system_default', 'transient_local', 'volatile'],
			history: ['system_default', 'keep_last', 'keep_all'],
		};
		const lines = Object.entries(policies).flatMap(([policy, good]) => [
			...good.map((value) => `uniform token ros:topic:qos:${policy} = "${value}"`),
			`uniform token ros:topic:qos:${policy} = "other" # R2.4.7`,
		]);
		expectMarked(['R2.4.7'], robot(...lines.map((line, i) => topic(`t${i}`, {}, line))));
		const wrong = ['reliability = "volatile"', 'durability = "reliable"', 'history = "best_effort"'];
		expectMarked(
			['R2.4.7'],
			robot(...wrong.map((line, i) => topic(`t${i}`, {}, `uniform token ros:topic:qos:${line} # R2.4.7`))),
		);
	});

	it('match the publisher only where they subscribe', () => {
		const match = (name: string, role: string, value: string, mark = '', type = 'bool'): string =>
			topic(name, { role: `"${role}"` }, `uniform ${type} ros:topic:qos:match_publisher = ${value}${mark}`);
		expectMarked(
			['R2.4.8'],
			robot(
				match('a', 'subscription', 'true'),
				match('b', 'publisher', 'true', ' # R2.4.8'),
				match('c', 'publisher', 'false', ' # R2.4.8:info'),
				match('d', 'subscription', '1', ' # R2.4.8', 'int'),
				topic('e'),
			),
		);
	});

	it('have a depth where the history is kept', () => {
		const depth = (name: string, value: string, mark = '', history = '"keep_last"', type = 'int'): string =>
			topic(
				name,
				{},
				`uniform ${type} ros:topic:qos:depth${value === '' ? '' : ` = ${value}`}${mark}${history === '' ? '' : `\nuniform token ros:topic:qos:history = ${history}`}`,
			);
		expectMarked(
			['R2.4.9'],
			robot(
				depth('a', '1'),
				depth('b', '0', ' # R2.4.9'),
				depth('c', '-1', ' # R2.4.9'),
				depth('d', '0', ' # R2.4.9:info', '"keep_all"'),
				depth('e', '5', ' # R2.4.9:info', ''),
				depth('f', '-1', ' # R2.4.9', ''),
				depth('g', '1.5', ' # R2.4.9', '"keep_last"', 'float'),
				depth('h', ''),
				depth('i', '', ' # R2.4.9', '"keep_last"', 'float'),
			),
		);
	});

	it('of maps stay, those of sensors need not', () => {
		const qos = (name: string, type: string, line: string, mark = '', place = '', role = 'publisher'): string =>
			topic(
				name,
				{ type: `"${type}"`, role: `"${role}"` },
				line === '' ? '' : `uniform token ros:topic:qos:${line}${mark}`,
				place,
			);
		const map = 'nav_msgs/msg/OccupancyGrid';
		const scan = 'sensor_msgs/msg/LaserScan';
		expectMarked(
			['R2.4.10'],
			robot(
				qos('a', map, 'durability = "transient_local"'),
				qos('b', map, 'durability = "volatile"', ' # R2.4.10'),
				qos('c', map, '', '', ' # R2.4.10'),
				qos('d', map, '', '', '', 'subscription'),
				qos('e', scan, ''),
				qos('f', scan, 'reliability = "best_effort"'),
				qos('g', scan, 'reliability = "reliable"', ' # R2.4.10:info'),
				qos('h', scan, 'reliability = "system_default"'),
				qos('i', scan, 'durability = "volatile"'),
				qos('j', scan, 'durability = "transient_local"', ' # R2.4.10:info'),
				qos('k', 'std_msgs/msg/String', 'reliability = "reliable"'),
				qos('l', 'sensor_msgs/msg/JointState', 'reliability = "reliable"'),
			),
		);
	});
});

describe('frames', () => {
	it('stand above messages with headers', () => {
		const imu = { type: '"sensor_msgs/msg/Imu"' };
		const rule = ['R2.7.4'];
		expectMarked(rule, robot(topic('a', imu)));
		expectMarked(rule, bare(topic('a', imu, '', ' # R2.7.4')));
		expectMarked(rule, bare(topic('a')));
		expectMarked(rule, bare(topic('a', { ...imu, role: '"subscription"' })));
		expectMarked(rule, bare(topic('a', imu, 'uniform string ros:topic:override_frame_id = "map"')));
		expectMarked(rule, bare(topic('a', imu, 'uniform string ros:topic:override_frame_id = ""', ' # R2.7.4')));
		expectMarked(rule, bare(prim('f', '"RosFrameAPI"', topic('a', imu))));
	});

	it('are Xforms without physics', () => {
		expectMarked(
			['R2.7.5'],
			bare(
				prim('a', '"RosFrameAPI"'),
				prim('b', `"RosFrameAPI", ${BODY}`, '', ' # R2.7.5:warning'),
				prim('c', '"RosFrameAPI"', '', ' # R2.7.5', 'Scope '),
				prim('d', '"RosFrameAPI"', '', ' # R2.7.5', ''),
				prim('e', '"RosFrameAPI"', '', '', 'Camera '),
				prim('f', '"RosTopicAPI"', '', '', 'Scope '),
			),
		);
	});

	it('have names that tf2 takes', () => {
		const frame = (name: string, id: string, mark = ''): string =>
			prim(name, '"RosFrameAPI"', `uniform string ros:frame:id = "${id}"${mark}`);
		expectMarked(
			['R2.7.6'],
			bare(
				frame('a', 'left/arm_1.x-y'),
				frame('b', ''),
				frame('c', '/abs', ' # R2.7.6'),
				frame('d', 'a b', ' # R2.7.6'),
				frame('e', '.x', ' # R2.7.6'),
				prim('f', '"RosFrameAPI"'),
			),
		);
	});

	it('are static unless something moves them', () => {
		const frame = (name: string, line: string, mark = '', more = '', inner = ''): string =>
			prim(name, '"RosFrameAPI"', `${line === '' ? '' : `uniform ${line}${inner}`}\n${more}`, mark);
		const moving =
			'double3 xformOp:translate.timeSamples = {\n0: (0, 0, 0),\n1: (1, 0, 0)\n}\nuniform token[] xformOpOrder = ["xformOp:translate"]';
		expectMarked(
			['R2.7.7'],
			robot(
				frame('a', ''),
				frame('b', 'bool ros:frame:static = true'),
				frame('c', 'bool ros:frame:static = false', '', '', ' # R2.7.7:warning'),
				frame('d', 'int ros:frame:static = 1', '', '', ' # R2.7.7'),
				frame('e', '', ' # R2.7.7', moving),
				frame('f', 'bool ros:frame:static = true', '', moving, ' # R2.7.7'),
				frame('g', 'bool ros:frame:static = false', '', moving),
				`def Xform "above" {\n${moving}\n${frame('h', '', ' # R2.7.7')}\n}`,
				prim('link', BODY, frame('i', '', ' # R2.7.7')),
				prim('arm', BODY, frame('j', '')),
				'def PhysicsFixedJoint "joint" { rel physics:body1 = </robot/arm> }',
			),
		);
	});

	it('are named once for each robot, and hang together', () => {
		const frame = (name: string, id: string, mark = ''): string =>
			prim(name, '"RosFrameAPI"', `uniform string ros:frame:id = "${id}"${mark}`);
		const rule = ['R2.7.9'];
		expectMarked(rule, robot(frame('a', 'x'), frame('b', 'y'), frame('c', 'x', ' # R2.7.9')));
		expectMarked(
			rule,
			robot(prim('x', '"RosFrameAPI"'), prim('g', '"RosContextAPI"', prim('x', '"RosFrameAPI"', '', ' # R2.7.9'))),
		);
		expectMarked(rule, bare(frame('a', 'x'), frame('b', 'x', ' # R2.7.9')));
		expectMarked(
			rule,
			bare(prim('one', '"RosContextAPI"', frame('a', 'x')), prim('two', '"RosContextAPI"', frame('a', 'x'))),
		);
		expectMarked(rule, bare(prim('one', '"RosContextAPI"'), frame('a', 'x', ' # R2.7.9')));
		expectMarked(rule, bare(frame('a', 'x')));
	});
});

describe('optical frames', () => {
	const HALF = '(0, 1, 0, 0)';
	const child = (name: string, orient: string, mark = '', content = '', translate = '(0, 0, 0)', move = ''): string =>
		`def Xform "${name}" {\ndouble3 xformOp:translate = ${translate}${move}\nquatf xformOp:orient = ${orient}${mark}\nuniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n${content}\n}`;
	const camera = (content: string, mark = ''): string => robot(`def Camera "camera" {${mark}\n${content}\n}`);
	const image = (mark = ''): string => topic('image', { type: '"sensor_msgs/msg/Image"' }, '', mark);

	it('are turned by half a turn about X, at the camera', () => {
		const rule = ['R2.8.1'];
		const mark = ' # R2.8.1';
		expectMarked(rule, camera(child('optical', HALF, '', image())));
		expectMarked(rule, camera(child('optical', '(0, -1, 0, 0)', '', image())));
		expectMarked(rule, camera(child('optical', '(0.0008, 0.99999968, 0, 0)', '', image())));
		expectMarked(rule, camera(child('optical', '(0.001, 0.9999995, 0, 0)', mark, image())));
		for (const other of ['(1, 0, 0, 0)', '(0, 0, 1, 0)', '(0, 0, 0, 1)', '(0.70710678, 0.70710678, 0, 0)'])
			expectMarked(rule, camera(child('optical', other, mark, image())));
		expectMarked(rule, camera(child('optical', HALF, '', image(), '(0, 0, 0.1)', mark)));
		expectMarked(rule, camera(child('optical', HALF, '', image(), '(0.0000005, 0, 0)')));
		expectMarked(rule, camera(child('optical', HALF, '', image(), '(0, 0.000002, 0)', mark)));
		expectMarked(rule, camera(image(mark)));
		expectMarked(rule, camera(`def Scope "s" {\n${image()}\n}`, mark));
		expectMarked(rule, camera(''));
		expectMarked(rule, camera(served('service', 'snap')));
		expectMarked(
			rule,
			camera(
				prim(
					'frame',
					'"RosFrameAPI"',
					`quatf xformOp:orient = (1, 0, 0, 0)${mark}\nuniform token[] xformOpOrder = ["xformOp:orient"]`,
				),
			),
		);
		expectMarked(rule, camera(prim('frame', '"RosFrameAPI"', '', mark)));
		expectMarked(rule, camera(`${child('other', '(1, 0, 0, 0)')}\n${child('optical', HALF, '', image())}`));
		const scaled = `def Xform "optical" {\nfloat3 xformOp:scale = (5, -5, -5)${mark}\nuniform token[] xformOpOrder = ["xformOp:scale"]\n${image()}\n}`;
		expectMarked(rule, camera(scaled));
	});

	it('hold what the camera has for ROS', () => {
		const rule = ['R2.8.2'];
		expectMarked(rule, camera(child('optical', HALF, '', image())));
		expectMarked(rule, camera(`${child('optical', HALF)}\n${image(' # R2.8.2')}`));
		expectMarked(rule, camera(`${child('optical', HALF)}\n${prim('f', '"RosFrameAPI"', '', ' # R2.8.2')}`));
		expectMarked(rule, camera(`${child('wrong', '(1, 0, 0, 0)', '', image())}`));
		expectMarked(rule, camera(`${child('optical', HALF)}\n${child('other', '(1, 0, 0, 0)', '', image(' # R2.8.2'))}`));
		expectMarked(rule, robot(prim('camera', '"RosTopicAPI"', child('optical', HALF), ' # R2.8.2', 'Camera ')));
		expectMarked(rule, robot('def Camera "camera" { }', image(' # R2.8.2')));
		expectMarked(rule, robot(image()));
		expectMarked(rule, robot('def Camera "camera" { }', topic('scan', { type: '"sensor_msgs/msg/LaserScan"' })));
		expectMarked(rule, robot(prim('link', BODY, 'def Camera "camera" { }'), prim('other', BODY, image())));
		expectMarked(
			rule,
			robot(prim('link', BODY, `def Xform "head" { def Camera "camera" { }\n}\n${image(' # R2.8.2')}`)),
		);
		expectMarked(rule, robot('def Xform "left" { def Camera "camera" { }\n}', `def Xform "right" {\n${image()}\n}`));
	});
});

describe('what belongs to the simulator', () => {
	it('is no interface of an asset', () => {
		expectMarked(
			['R2.9.1', 'R2.9.2'],
			robot(
				topic('a', { name: '"/clock" # R2.9.1' }),
				topic('b', { name: '"clock"' }),
				served('service', 'c', { name: '"/clock"' }),
				topic('d', { type: '"rosgraph_msgs/msg/Clock" # R2.9.2' }),
				topic('e', { type: '"rosgraph_msgs/Clock" # R2.9.2' }),
				topic('f', { type: '"my_rosgraph_msgs/msg/Clock"' }),
				topic('g', { type: '"rosgraph_msgs/msg/Clocks"' }),
				served('service', 'h', { type: '"simulation_interfaces/srv/ResetSimulation" # R2.9.2' }),
				served('action', 'i', { type: '"simulation_interfaces/action/SimulateSteps" # R2.9.2' }),
			),
		);
	});

	it('is no graph that declares an interface again', () => {
		const node = (type: string, inputs: string, kind = 'OmniGraphNode'): string =>
			`def ${kind} "node" {\ntoken node:type = "${type}"\n${inputs}\n}`;
		const rule = ['R2.0.1'];
		const input = (name: string, value: string, mark = ''): string => `string inputs:${name} = "${value}"${mark}`;
		const ros = 'isaacsim.ros2.bridge.ROS2Publish';
		const mark = ' # R2.0.1';
		for (const name of ['topicName', 'serviceName', 'actionName']) {
			expectMarked(rule, robot(topic('a', { name: '"scan"' }), node(ros, input(name, 'scan', mark))));
		}
		expectMarked(rule, robot(topic('a', { name: '"scan"' }), node(ros, input('topicName', '/robot/scan', mark))));
		expectMarked(rule, robot(topic('a', { name: '"scan"' }), node(ros, input('topicName', '/scan'))));
		expectMarked(rule, robot(topic('a', { name: '"scan"' }), node(ros, input('topicName', 'other'))));
		expectMarked(rule, robot(topic('a', { name: '"scan"' }), node(ros, input('frameName', 'scan'))));
		expectMarked(rule, robot(topic('a', { name: '"scan"' }), node('omni.graph.Tick', input('topicName', 'scan'))));
		expectMarked(rule, robot(topic('a', { name: '"scan"' }), node(ros, input('topicName', 'scan'), 'Scope')));
		const space = (text: string): string => `${input('nodeNamespace', text)}\n`;
		expectMarked(
			rule,
			robot(topic('a', { name: '"scan"' }), node(ros, space('robot') + input('topicName', 'scan', mark))),
		);
		expectMarked(rule, robot(topic('a', { name: '"scan"' }), node(ros, space('other') + input('topicName', 'scan'))));
		expectMarked(rule, robot(topic('a', { name: '"scan"' }), node(ros, space('') + input('topicName', 'scan', mark))));
		expectMarked(rule, robot(node(ros, input('topicName', 'scan'))));
	});

	it('is no saved graph outside of its layers', () => {
		const graph = (mark: string, type = 'OmniGraph', node = 'ROS2Publish'): string =>
			`over "robot" {\ndef ${type} "graph" {${mark}\ndef OmniGraphNode "node" { token node:type = "${node}" }\n}\n}`;
		const files = (name: string, text: string): Record<string, string> => ({
			'robot.usda': layerOf('def Xform "robot" { }', `defaultPrim = "robot"\n\tsubLayers = [@./${name}@]`),
			[name]: layerOf(text),
		});
		const rule = ['R2.0.2'];
		for (const type of ['OmniGraph', 'ComputeGraph', 'ActionGraph'])
			expectMarked(rule, files('other.usda', graph(' # R2.0.2', type)));
		expectMarked(rule, files('isaac.usda', graph('')));
		expectMarked(rule, files('other.usda', graph('', 'OmniGraph', 'omni.graph.Tick')));
	});
});

describe('names of joints', () => {
	const joint = (name: string, more: string, mark = ''): string =>
		`def PhysicsFixedJoint "${name}" {${mark}\n${more}\n}`;

	it('are those of their prims, unless prims cannot have them', () => {
		const named = (prim: string, name: string, mark = ''): string =>
			joint(prim, `string ros:joint:name = "${name}"${mark}`);
		expectMarked(
			['R2.10.1', 'R2.10.3'],
			bare(
				joint('a', ''),
				named('b', 'b'),
				named('c', 'other', ' # R2.10.3'),
				named('d', 'with-dash'),
				joint('tn__xy', '', ' # R2.10.1'),
				named('tn__z', 'z-1'),
				joint('é', '', ' # R2.10.1'),
			),
		);
	});

	it('differ within a robot', () => {
		const named = (prim: string, name: string, ends: string, mark = ''): string =>
			joint(prim, `string ros:joint:name = "${name}"${mark}\n${ends}`);
		const to = (path: string): string => `rel physics:body1 = </robot/${path}>`;
		const rule = ['R2.10.5'];
		expectMarked(rule, robot(joint('a', ''), named('b', 'a', '', ' # R2.10.5'), joint('c', '')));
		expectMarked(rule, robot(joint('a', ''), 'def Scope "s" {', joint('a', '', ' # R2.10.5'), '}'));
		expectMarked(
			rule,
			bare(prim('x', '"RosContextAPI"', joint('a', '')), prim('y', '"RosContextAPI"', joint('a', ''))),
		);
		// without contexts bodies that hang together are a robot
		expectMarked(rule, bare(prim('p', BODY), prim('q', BODY), named('a', 'a', to('p')), named('b', 'a', to('q'))));
		expectMarked(
			rule,
			bare(
				prim('p', BODY),
				prim('q', BODY),
				named('a', 'a', to('p')),
				named('b', 'a', `rel physics:body0 = </robot/p>\n${to('q')}`, ' # R2.10.5'),
			),
		);
		expectMarked(
			rule,
			bare(
				prim('p', BODY),
				named('a', 'a', 'rel physics:body0 = </robot/p>'),
				named('b', 'a', 'rel physics:body0 = </robot/p>', ' # R2.10.5'),
			),
		);
	});
});
