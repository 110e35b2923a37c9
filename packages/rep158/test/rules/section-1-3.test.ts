import { describe, it } from 'vitest';
import { expectMarked, layerOf } from './marked.ts';

const STACK = 'uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]';
const robot = (...lines: string[]): string => `def Xform "robot" {\n${lines.join('\n')}\n}`;
const body = (name: string, content = '', mark = '', schemas = ''): string =>
	`def Xform "${name}" (prepend apiSchemas = ["PhysicsRigidBodyAPI"${schemas}]) {${mark}\n${content}\n}`;
const ends = (body0: string, body1: string): string =>
	`${body0 === '' ? '' : `rel physics:body0 = </robot/${body0}>; `}${body1 === '' ? '' : `rel physics:body1 = </robot/${body1}>; `}`;
const joint = (name: string, body0: string, body1: string, more = '', mark = '', type = 'Revolute'): string =>
	`def Physics${type}Joint "${name}" { ${ends(body0, body1)}${more} }${mark}`;

describe('joints', () => {
	it('stand below their parent link, beside their child link', () => {
		expectMarked(
			['R1.3.1'],
			robot(
				body(
					'base',
					`${body('arm')}\n${joint('good', 'base', 'base/arm')}\n${joint('away', 'base', 'hand', '', ' # R1.3.1')}`,
				),
				body('hand'),
				joint('above', 'base', 'base/arm', '', ' # R1.3.1'),
				joint('anchor', '', 'base'),
				joint('loop', 'base', 'hand', 'bool physics:excludeFromArticulation = true'),
				joint('off', 'base', 'hand', 'bool physics:jointEnabled = false'),
			),
		);
	});

	it('have limits, in order and finite', () => {
		const limited = (name: string, lower: string, upper: string, mark: string, type = 'Revolute'): string =>
			`def Physics${type}Joint "${name}" {\nfloat physics:lowerLimit = ${lower}${mark}\nfloat physics:upperLimit = ${upper}\n}`;
		const rule = ' # R1.3.3';
		expectMarked(
			['R1.3.3'],
			robot(
				'def PhysicsRevoluteJoint "none" { } # R1.3.3',
				'def PhysicsPrismaticJoint "slide" { } # R1.3.3',
				'def PhysicsRevoluteJoint "half" { float physics:lowerLimit = 0 } # R1.3.3',
				'def PhysicsRevoluteJoint "other" { float physics:upperLimit = 0 } # R1.3.3',
				limited('good', '-10', '20', ''),
				limited('equal', '5', '5', ''),
				limited('swapped', '20', '10', rule),
				limited('continuous', '-inf', 'inf', ''),
				limited('endless', '-inf', 'inf', rule, 'Prismatic'),
				limited('down', '-inf', '1', ' # R1.3.3:warning'),
				limited('up', '1', 'inf', ' # R1.3.3:warning', 'Prismatic'),
				limited('nothing', 'nan', '1', rule),
				limited('never', '1', 'nan', rule),
				limited('turned', 'inf', '-inf', rule),
				'def PhysicsFixedJoint "fixed" { }',
				'def PhysicsSphericalJoint "ball" { }',
				'def PhysicsJoint "free" { } # R1.3.3',
				'def PhysicsJoint "locked" (prepend apiSchemas = ["PhysicsLimitAPI:rotX"]) {\nfloat limit:rotX:physics:low = 1\nfloat limit:rotX:physics:high = -1\n}',
				'def PhysicsJoint "unsaid" (prepend apiSchemas = ["PhysicsLimitAPI:transX"]) { } # R1.3.3',
				'def PhysicsJoint "partly" (prepend apiSchemas = ["PhysicsLimitAPI:transY"]) { float limit:transY:physics:low = 1 } # R1.3.3',
				'def PhysicsDistanceJoint "rope" { } # R1.3.3',
				'def PhysicsDistanceJoint "short" { float physics:maxDistance = 1 }',
				'def PhysicsDistanceJoint "long" { float physics:minDistance = 1 }',
				'def PhysicsDistanceJoint "one" (prepend apiSchemas = ["PhysicsLimitAPI:distance"]) { float limit:distance:physics:low = 1 }',
				'def PhysicsDistanceJoint "zero" (prepend apiSchemas = ["PhysicsLimitAPI:distance"]) { } # R1.3.3',
			),
		);
	});

	it('lose their limits where a stronger layer takes them away', () => {
		expectMarked(['R1.3.3'], {
			'robot.usda': layerOf(
				'over "robot" {\nover "joint" {\nfloat physics:upperLimit = None # R1.3.3\n}\nover "free" (\ndelete apiSchemas = ["PhysicsLimitAPI:rotY"] # R1.3.3\n) { }\nover "rope" {\nfloat physics:maxDistance = None # R1.3.3\n}\n}',
				'defaultPrim = "robot"\n\tsubLayers = [@./physics.usda@]',
			),
			'physics.usda': layerOf(
				robot(
					'def PhysicsRevoluteJoint "joint" { float physics:lowerLimit = 0; float physics:upperLimit = 1 }',
					'def PhysicsJoint "free" (prepend apiSchemas = ["PhysicsLimitAPI:rotY"]) { float limit:rotY:physics:low = 1; float limit:rotY:physics:high = -1 }',
					'def PhysicsDistanceJoint "rope" { float physics:maxDistance = 1 }',
				),
			),
		});
	});

	it('connect two bodies once', () => {
		expectMarked(
			['R1.3.7', 'R1.3.8'],
			robot(
				body('a'),
				body('b'),
				body('c'),
				body('d'),
				joint('self', 'a', 'a', '', ' # R1.3.7'),
				joint('first', 'a', 'b'),
				joint('second', 'b', 'a', '', ' # R1.3.7'),
				joint('excluded', 'a', 'b', 'bool physics:excludeFromArticulation = true'),
				joint('off', 'a', 'b', 'bool physics:jointEnabled = false'),
				joint('world', '', 'a'),
				joint('again', '', 'a'),
				joint('bc', 'b', 'c'),
				joint('ca', 'c', 'a', '', ' # R1.3.8'),
				joint('cd', 'c', 'd'),
				joint('da', 'd', 'a', 'bool physics:excludeFromArticulation = true'),
			),
		);
		// the one that belongs less into a tree is the one too many
		expectMarked(
			['R1.3.7'],
			robot(body('a'), body('b'), joint('rope', 'a', 'b', '', ' # R1.3.7', 'Distance'), joint('hinge', 'a', 'b')),
		);
	});

	it('close a loop where a layer takes the exclusion away', () => {
		expectMarked(['R1.3.8'], {
			'robot.usda': layerOf(
				'over "robot" {\nover "ca" {\nbool physics:excludeFromArticulation = None # R1.3.8\n}\n}',
				'defaultPrim = "robot"\n\tsubLayers = [@./physics.usda@]',
			),
			'physics.usda': layerOf(
				robot(
					body('a'),
					body('b'),
					body('c'),
					joint('ab', 'a', 'b'),
					joint('bc', 'b', 'c'),
					joint('ca', 'c', 'a', 'bool physics:excludeFromArticulation = true'),
				),
			),
		});
	});

	it('lead to bodies that are there', () => {
		const relation = (name: string, lines: string): string => `def PhysicsFixedJoint "${name}" {\n${lines}\n}`;
		expectMarked(
			['R1.3.20'],
			robot(
				body('a'),
				body('b'),
				'def Scope "scope" { }',
				'def "untyped" { }',
				'def Xform "still" { }',
				'over "ghost" { }',
				relation('two', 'rel physics:body0 = [</robot/a>,\n</robot/b>] # R1.3.20\nrel physics:body1 = </robot/b>'),
				relation('missing', 'rel physics:body0 = </robot/a>\nrel physics:body1 = </robot/none> # R1.3.20'),
				relation('undefined', 'rel physics:body0 = </robot/ghost> # R1.3.20\nrel physics:body1 = </robot/b>'),
				relation('scoped', 'rel physics:body0 = </robot/scope> # R1.3.20\nrel physics:body1 = </robot/b>'),
				relation('plain', 'rel physics:body0 = </robot/untyped> # R1.3.20\nrel physics:body1 = </robot/b>'),
				relation('world', 'rel physics:body1 = </robot/b>'),
				'def PhysicsFixedJoint "nothing" { } # R1.3.20',
				'def PhysicsFixedJoint "static" { rel physics:body0 = </robot/still> } # R1.3.20',
			),
		);
	});
});

describe('frames of joints', () => {
	const place = (x: number, y: number, z: number, orient = '(1, 0, 0, 0)'): string =>
		`double3 xformOp:translate = (${x}, ${y}, ${z}); quatf xformOp:orient = ${orient}; ${STACK}`;
	const QUARTER_Z = '(0.70710678, 0, 0, 0.70710678)';
	const QUARTER_X = '(0.70710678, 0.70710678, 0, 0)';
	const frames = (
		type: string,
		local: Readonly<Record<string, string>>,
		marked: string | undefined,
		axis = 'X',
		mark = ' # R1.3.20',
		more = '',
	): string =>
		robot(
			body('a', place(1, 2, 3, QUARTER_Z)),
			body('b', place(1, 2, 5)),
			`def Physics${type}Joint "joint" {${marked === '' ? mark : ''}
rel physics:body0 = </robot/a>
rel physics:body1 = </robot/b>
uniform token physics:axis = "${axis}"
${more}
${Object.entries({
	localPos0: '(0, 0, 2)',
	localRot0: '(0.70710678, 0, 0, -0.70710678)',
	localPos1: '(0, 0, 0)',
	localRot1: '(1, 0, 0, 0)',
	...local,
})
	.filter(([, value]) => value !== '')
	.map(
		([name, value]) =>
			`${name.startsWith('localPos') ? 'point3f' : 'quatf'} physics:${name} = ${value}${name === marked ? mark : ''}`,
	)
	.join('\n')}
}`,
		);
	const check = (...args: Parameters<typeof frames>): void => expectMarked(['R1.3.20'], frames(...args));

	it('meet where the bodies are', () => {
		check('Fixed', {}, undefined);
		check('Fixed', { localPos0: '(0, 0, 2.00009)' }, undefined);
		check('Fixed', { localPos0: '(0, 0, 2.00011)' }, 'localPos0');
		check('Fixed', { localPos0: '(0.5, 0, 2)', localPos1: '(0, 0.5, 0)' }, undefined);
		check('Fixed', { localPos0: '(0, 0.5, 2)', localPos1: '(-0.5, 0, 0)' }, undefined);
		check('Fixed', { localPos0: '(0, 0.5, 2)', localPos1: '(0.5, 0, 0)' }, 'localPos0');
		check('Fixed', { localRot0: '(0.70710678, 0, 0, 0.70710678)' }, 'localRot0');
		check('Fixed', { localRot0: '(1, 0, 0, 0)', localRot1: QUARTER_Z }, undefined);
		check('Fixed', { localRot0: '(1, 0, 0, 0)' }, 'localRot0');
		check('Fixed', { localRot0: '(1, 0, 0, 0)', localRot1: QUARTER_X }, 'localRot1');
		check('Fixed', { localRot0: '', localRot1: '(1, 0, 0, 0)' }, 'localRot1');
		check('Fixed', { localRot0: '', localRot1: '' }, 'localPos0');
		// a quaternion of any length is a direction, and none at all is no rotation
		check('Fixed', { localRot0: '(3, 0, 0, -3)' }, undefined);
		check('Fixed', { localRot0: '(0, 0, 0, 0)', localRot1: QUARTER_Z }, undefined);
		check('Fixed', { localPos0: '(nan, 0, 2)' }, '');
		check('Fixed', { localPos1: '(inf, 0, 2)' }, '');
		check('Fixed', { localRot0: '(0.7070, 0, 0, -0.7072)' }, undefined);
		check('Fixed', { localRot0: '(0.7060, 0, 0, -0.7082)' }, 'localRot0');
	});

	it('may differ in what the joint lets move', () => {
		check('Revolute', { localRot0: '(1, 0, 0, 0)' }, undefined, 'Z');
		check('Revolute', { localRot0: '(1, 0, 0, 0)' }, 'localRot0', 'X');
		check('Revolute', { localRot0: '(1, 0, 0, 0)' }, 'localRot0', 'Y');
		check('Revolute', { localRot0: '(0.5, 0.5, 0.5, -0.5)' }, 'localRot0', 'Z');
		check('Revolute', { localPos0: '(0, 0, 1)' }, 'localPos0', 'Z');
		check('Prismatic', { localPos0: '(0, 0, 1)' }, undefined, 'Z');
		check('Prismatic', { localPos0: '(0, 0, 1)' }, 'localPos0', 'X');
		check('Prismatic', { localPos0: '(0, 1, 2)' }, undefined, 'X');
		check('Prismatic', { localPos0: '(1, 0, 2)' }, undefined, 'Y');
		check('Prismatic', { localPos0: '(0.2, 0, 1)' }, 'localPos0', 'Z');
		check('Prismatic', { localRot0: '(1, 0, 0, 0)' }, 'localRot0', 'Z');
		check('Spherical', { localRot0: '(1, 0, 0, 0)' }, undefined);
		check('Spherical', { localPos0: '(0, 0, 1)' }, 'localPos0');
		check('Distance', { localPos0: '(0, 0, 1)' }, undefined);
		check('Revolute', { localPos0: '(0, 0, 1)' }, undefined, 'W');
		check('Fixed', { localPos0: '(0, 0, 1)' }, undefined, 'X', '', 'bool physics:jointEnabled = false');
		check(
			'Fixed',
			{ localPos0: '(0, 0, 1)' },
			'localPos0',
			'X',
			' # R1.3.20:warning',
			'bool physics:excludeFromArticulation = true',
		);
	});

	it('count in metres and with the scale of what is above', () => {
		const centimetres = layerOf(frames('Fixed', { localPos0: '(0, 0, 2.009)' }, undefined)).replace(
			'metersPerUnit = 1',
			'metersPerUnit = 0.01',
		);
		expectMarked(['R1.3.20'], { 'robot.usda': centimetres });
		const scaled = frames('Fixed', { localPos0: '(0, 0, 2)' }, undefined).replace(
			'def Xform "robot" {',
			'def Xform "robot" {\nfloat3 xformOp:scale = (2, 2, 2)\nuniform token[] xformOpOrder = ["xformOp:scale"]\n',
		);
		expectMarked(['R1.3.20'], scaled);
		expectMarked(
			['R1.3.20'],
			scaled.replace(
				'physics:localRot0 = (0.70710678, 0, 0, -0.70710678)',
				'physics:localRot0 = (0.8, 0, 0, -0.6) # R1.3.20',
			),
		);
		// a body that mirrors has no frame, which is told there
		const mirrored = frames('Fixed', { localPos0: '(0, 0, 1)' }, undefined).replace(
			'def Xform "robot" {',
			'def Xform "robot" {\nfloat3 xformOp:scale = (-1, 1, 1)\nuniform token[] xformOpOrder = ["xformOp:scale"]\n',
		);
		expectMarked(['R1.3.20'], mirrored);
	});
});

describe('articulation roots', () => {
	const ROOT = ', "PhysicsArticulationRootAPI"';

	it('are one for each tree', () => {
		expectMarked(
			['R1.3.4', 'R1.3.5'],
			robot(
				body('a', '', '', ROOT),
				body('b', '', ' # R1.3.4', ROOT),
				joint('ab', 'a', 'b'),
				body('c', '', ' # R1.3.5'),
				body('d'),
				joint('cd', 'c', 'd'),
				joint('dc', 'd', 'c', 'bool physics:excludeFromArticulation = true'),
				body('loose'),
				joint('anchor', '', 'loose'),
			),
		);
		// on a joint, and on a prim above
		expectMarked(
			['R1.3.4', 'R1.3.5'],
			robot(
				body('a'),
				body('b', '', '', ROOT),
				`def PhysicsRevoluteJoint "ab" (prepend apiSchemas = ["PhysicsArticulationRootAPI"]) { ${ends('a', 'b')} } # R1.3.4`,
			),
		);
		expectMarked(
			['R1.3.4', 'R1.3.5'],
			`def Xform "robot" (prepend apiSchemas = ["PhysicsArticulationRootAPI"]) {\n${body('a')}\n${body('b', '', ' # R1.3.4', ROOT)}\n${joint('ab', 'a', 'b')}\n}`,
		);
		expectMarked(
			['R1.3.4', 'R1.3.5'],
			robot(
				body('a', 'def Xform "inner" (prepend apiSchemas = ["PhysicsArticulationRootAPI"]) { }'),
				body('b'),
				joint('ab', 'a', 'b'),
			),
		);
	});

	it('without bodies are roots of nothing', () => {
		expectMarked(
			['R1.3.4', 'R1.3.5'],
			`def Xform "robot" (prepend apiSchemas = ["PhysicsArticulationRootAPI"]) {\n${body('a')}\ndef Xform "empty" (prepend apiSchemas = ["PhysicsArticulationRootAPI"]) { }\n}`,
		);
	});

	it('are pruned by deleting them, which leaves other schemas alone', () => {
		const over = (
			lines: string,
			weak = '"PhysicsRigidBodyAPI", "PhysicsArticulationRootAPI"',
		): Record<string, string> => ({
			'robot.usda': layerOf(
				`over "robot" {\nover "a" (\n${lines}\n) { }\n}`,
				'defaultPrim = "robot"\n\tsubLayers = [@./physics.usda@]',
			),
			'physics.usda': layerOf(
				robot(`def Xform "a" (prepend apiSchemas = [${weak}]) { }`, body('b'), joint('ab', 'a', 'b')),
			),
		});
		const rules = ['R1.3.6'];
		expectMarked(rules, over('apiSchemas = ["PhysicsRigidBodyAPI"] # R1.3.6'));
		expectMarked(rules, over('delete apiSchemas = ["PhysicsArticulationRootAPI"]'));
		expectMarked(rules, over('apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsArticulationRootAPI"]'));
		expectMarked(rules, over('prepend apiSchemas = ["PhysicsMassAPI"]'));
		expectMarked(rules, over('apiSchemas = ["PhysicsRigidBodyAPI"]', '"PhysicsRigidBodyAPI"'));
		expectMarked(['R1.3.5'], over('delete apiSchemas = ["PhysicsArticulationRootAPI"] # R1.3.5'));
	});
});

describe('bodies', () => {
	const MASS = ', "PhysicsMassAPI"';
	const shape = 'def Cube "visual" { }';

	it('that are dynamic have a mass', () => {
		expectMarked(
			['R1.3.10', 'R1.3.11', 'R1.3.14'],
			robot(
				body('without', shape, ' # R1.3.10'),
				body('unsaid', shape, ' # R1.3.10', MASS),
				body('good', `${shape}\nfloat physics:mass = 1`, '', MASS),
				body('zero', `${shape}\nfloat physics:mass = 0 # R1.3.10`, '', MASS),
				body('negative', `${shape}\nfloat physics:mass = -1 # R1.3.10`, '', MASS),
				body('infinite', `${shape}\nfloat physics:mass = inf # R1.3.10`, '', MASS),
				body('unapplied', `${shape}\nfloat physics:mass = 1 # R1.3.10`),
				body('off', `${shape}\nbool physics:rigidBodyEnabled = false`),
				body('kinematic', `${shape}\nbool physics:kinematicEnabled = true`, ' # R1.3.11:warning'),
				body('dummy', '', ' # R1.3.14'),
				body('density', 'float physics:density = 1', ' # R1.3.10', MASS),
				body('inertia', 'float3 physics:diagonalInertia = (1, 1, 1)', ' # R1.3.10', MASS),
				body('newton', 'float[] newton:inertia = [1, 1, 1, 0, 0, 0]', ' # R1.3.10'),
				body('massive', 'float physics:mass = 1', '', MASS),
				body('camera_optical', `${shape}\nfloat physics:mass = 1`, ' # R1.3.14:warning', MASS),
				body('camera_optical_frame', `${shape}\nfloat physics:mass = 1`, ' # R1.3.14:warning', MASS),
				body('optical_cable', `${shape}\nfloat physics:mass = 1`, '', MASS),
			),
		);
	});

	it('that never move are colliders', () => {
		const fixed = (name: string, base: string, type = 'Fixed'): string => joint(name, '', base, '', '', type);
		const zero = (name: string, mark: string): string => body(name, `${shape}\nfloat physics:mass = 0`, mark, MASS);
		expectMarked(
			['R1.3.11'],
			robot(
				zero('still', ' # R1.3.11'),
				fixed('a', 'still'),
				zero('turning', ''),
				fixed('b', 'turning', 'Revolute'),
				zero('two', ''),
				fixed('c', 'two'),
				joint('d', 'two', 'still', '', '', 'Fixed'),
				zero('free', ''),
				body('heavy', `${shape}\nfloat physics:mass = 2`, '', MASS),
				fixed('e', 'heavy'),
				body('jointed', 'bool physics:kinematicEnabled = true'),
				joint('f', 'jointed', 'heavy'),
				body(
					'animated',
					'bool physics:kinematicEnabled = true\ndouble3 xformOp:translate.timeSamples = {\n0: (0, 0, 0),\n1: (1, 0, 0)\n}\nuniform token[] xformOpOrder = ["xformOp:translate"]',
				),
			).replace(joint('d', 'two', 'still', '', '', 'Fixed'), joint('d', 'two', 'heavy', '', '', 'Fixed')),
		);
	});

	it('that are animated are kinematic', () => {
		const moving = (extra: string, mark: string): string =>
			`${extra}\ndouble3 xformOp:translate.timeSamples = {${mark}\n0: (0, 0, 0),\n1: (1, 0, 0)\n}\nuniform token[] xformOpOrder = ["xformOp:translate"]`;
		expectMarked(
			['R1.3.13'],
			robot(
				body('a', moving('', ' # R1.3.13')),
				body('b', moving('bool physics:kinematicEnabled = true', '')),
				body('c', moving('bool physics:kinematicEnabled = false', ' # R1.3.13')),
				body('d', ''),
				`def Xform "e" {\n${moving('', '')}\n}`,
			),
		);
	});

	it('that are fixed are anchored with an empty body0', () => {
		const at = (z: number, more = ''): string =>
			`double3 xformOp:translate = (0, 0, ${z}); quatf xformOp:orient = (1, 0, 0, 0); ${STACK}; ${more}`;
		expectMarked(
			['R1.3.12'],
			robot(
				body('base', at(0)),
				body('high', at(1)),
				'def Xform "stand" { }',
				joint('good', '', 'base', '', '', 'Fixed'),
				joint('reversed', 'base', '', '', ' # R1.3.12', 'Fixed'),
				joint('stood', 'base', 'stand', '', ' # R1.3.12', 'Fixed'),
				`def PhysicsFixedJoint "movable" {\nrel physics:body0 = </robot/stand> # R1.3.12:info\nrel physics:body1 = </robot/base>\n}`,
				joint('off', 'base', '', 'bool physics:jointEnabled = false', '', 'Fixed'),
				joint('hinge', 'base', ''),
				joint('both', 'base', 'high', '', '', 'Fixed'),
				joint('apart', '', 'high', '', ' # R1.3.12:warning', 'Fixed'),
				joint('there', '', 'high', 'point3f physics:localPos0 = (0, 0, 1)', '', 'Fixed'),
				joint('lower', '', 'high', 'point3f physics:localPos1 = (0, 0, -1)', '', 'Fixed'),
			),
		);
	});

	it('that only hold a place are frames', () => {
		const frame = (name: string, mark: string, content = '', more = ''): string =>
			`def Xform "${name}" ${more}{${mark}\n${content}\n}`;
		const rule = ' # R1.3.15';
		expectMarked(
			['R1.3.15'],
			robot(
				frame('camera_frame', rule),
				frame('gripper_tcp', rule),
				frame('tcp', rule),
				frame('tool0', rule),
				frame('base_footprint', rule),
				frame('my_tool0', ''),
				frame('tcp_x', ''),
				frame('frame', ''),
				frame('a_frame', '', '', '(prepend apiSchemas = ["RosFrameAPI"]) '),
				frame('b_frame', '', 'def Xform "x" { def Cube "y" { }\n}'),
				frame('c_frame', '', 'def PointInstancer "x" { }'),
				frame('d_frame', '', 'def PhysicsFixedJoint "x" { }'),
				frame('e_frame', '', body('x')),
				frame('f_frame', rule, 'def Xform "x" { def Scope "y" { }\n}'),
				'def Scope "g_frame" { }',
				'def Camera "h_frame" { }',
			),
		);
	});

	it('have an inertia that is possible', () => {
		const inertia = (name: string, value: string, mark = ''): string =>
			body(name, `float3 physics:diagonalInertia = ${value}${mark}`, '', MASS);
		const axes = (name: string, value: string, mark = ''): string =>
			body(name, `quatf physics:principalAxes = ${value}${mark}`, '', MASS);
		const rule = ' # R1.3.16';
		expectMarked(
			['R1.3.16'],
			robot(
				inertia('good', '(3, 4, 5)'),
				inertia('flat', '(1, 2, 3)'),
				inertia('rounded', '(1, 2, 3.00002)'),
				inertia('long', '(3.001, 1, 2)', rule),
				inertia('order', '(1, 5, 2)', rule),
				inertia('zero', '(0, 0, 0)'),
				inertia('half', '(0, 1, 1)', rule),
				inertia('negative', '(-1, 1, 1)', rule),
				inertia('infinite', '(1, 1, inf)', rule),
				axes('unit', '(0.6, 0.8, 0, 0)'),
				axes('near', '(1.0009, 0, 0, 0)'),
				axes('far', '(1.0011, 0, 0, 0)', rule),
				axes('short', '(0.5, 0.5, 0.5, 0.49)', rule),
				axes('nothing', '(0, 0, 0, 0)'),
				body('unapplied', 'float3 physics:diagonalInertia = (1, 1, 9)'),
			),
		);
		expectMarked(
			['R1.3.17'],
			robot(
				body('a', 'custom float[] inertia = [1, 1, 1, 0, 0, 0] # R1.3.17'),
				body('b', 'custom float[] my:fullInertiaMatrix = [1, 1, 1, 0, 0, 0] # R1.3.17'),
				body('c', 'custom float[] inertia = [1, 1, 1]'),
				body('d', 'custom float[] other = [1, 1, 1, 0, 0, 0]'),
				body(
					'e',
					'custom float[] newton:inertia = [1, 1, 1, 0, 0, 0] # R1.3.17\ncustom float[] inertia2 = [1, 1, 1, 0, 0, 0] # R1.3.17',
				),
			),
		);
	});
});

describe('colliders', () => {
	const COLLISION = 'prepend apiSchemas = ["PhysicsCollisionAPI"]';
	const POINTS =
		'point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]; int[] faceVertexCounts = [3, 3, 3, 3]; int[] faceVertexIndices = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]';
	const mesh = (name: string, schemas: string, content: string, mark = ''): string =>
		`def Mesh "${name}" (prepend apiSchemas = ["PhysicsCollisionAPI"${schemas}]) {${mark}\n${POINTS}\n${content}\n}`;
	const FIT = ', "PhysicsMeshCollisionAPI"';

	it('are guides', () => {
		expectMarked(
			['R1.3.1.1'],
			robot(
				`def Cube "a" (${COLLISION}) { uniform token purpose = "guide" }`,
				`def Cube "b" (${COLLISION}) { } # R1.3.1.1`,
				`def Cube "c" (${COLLISION}) {\nuniform token purpose = "render" # R1.3.1.1\n}`,
				`def Scope "d" { uniform token purpose = "guide"; def Cube "e" (${COLLISION}) { }\n}`,
				`def Scope "f" {\nuniform token purpose = "proxy"\ndef Cube "g" (${COLLISION}) { } # R1.3.1.1\n}`,
				`def Material "h" (${COLLISION}) { }`,
			),
		);
	});

	it('of meshes say how they are approximated', () => {
		expectMarked(
			['R1.3.1.2'],
			robot(
				mesh('a', FIT, 'uniform token physics:approximation = "convexHull"'),
				mesh('b', '', '', ' # R1.3.1.2'),
				mesh('c', '', 'uniform token physics:approximation = "none" # R1.3.1.2'),
				mesh('d', FIT, '', ' # R1.3.1.2'),
				`def Cube "e" (${COLLISION}) { }`,
			),
		);
	});

	it('can be chosen by their fidelity', () => {
		const rule = ['R1.3.1.3'];
		const mark = ' # R1.3.1.3';
		const marked = (text: string, by: string): string =>
			text.replace('def Xform "robot" {', `def Xform "robot" {${by}`);
		expectMarked(rule, marked(robot(mesh('a', '', '')), mark));
		expectMarked(rule, robot(`def Cube "e" (${COLLISION}) { }`));
		expectMarked(
			rule,
			marked(robot(`def Cube "e" (${COLLISION}) { }`, 'def PhysicsFixedJoint "j" { }'), ' # R1.3.1.3:info'),
		);
		expectMarked(rule, robot('def PhysicsFixedJoint "j" { }'));
		const set = (name: string): string =>
			`def Xform "x" (prepend variantSets = "${name}"; variants = { string ${name} = "a" }) {\nvariantSet "${name}" = {\n"a" { }\n}\n}`;
		expectMarked(rule, robot(mesh('a', '', ''), set('collision_fidelity')));
		expectMarked(rule, marked(robot(mesh('a', '', ''), set('other')), mark));
	});

	it('are simple in the default of their fidelity', () => {
		const open = 'int[] faceVertexCounts = [3, 3, 3]; int[] faceVertexIndices = [0, 2, 1, 0, 1, 3, 0, 3, 2]';
		const variant = (content: string): string =>
			robot(
				`def Xform "x" (prepend variantSets = "collision_fidelity"; variants = { string collision_fidelity = "low" }) {\nvariantSet "collision_fidelity" = {\n"low" {\n${content}\n}\n}\n}`,
			);
		const rule = ['R1.3.1.4'];
		for (const kind of ['convexHull', 'boundingCube', 'boundingSphere'])
			expectMarked(rule, variant(mesh('a', FIT, `uniform token physics:approximation = "${kind}"`)));
		for (const kind of ['convexDecomposition', 'meshSimplification', 'sdf'])
			expectMarked(rule, variant(mesh('a', FIT, `uniform token physics:approximation = "${kind}" # R1.3.1.4`)));
		expectMarked(rule, variant(mesh('a', FIT, '')));
		expectMarked(rule, variant(mesh('a', FIT, 'uniform token physics:approximation = "none"')));
		expectMarked(rule, variant(mesh('a', FIT, '', ' # R1.3.1.4').replace(/int\[\] faceVertexCounts.*/, open)));
		expectMarked(rule, variant('def Mesh "a" { }'));
		expectMarked(rule, variant(`def Cube "a" (${COLLISION}) { uniform token physics:approximation = "sdf" }`));
		expectMarked(rule, robot(mesh('a', FIT, 'uniform token physics:approximation = "sdf"')));
		// larger ones are not looked at
		expectMarked(rule, variant(mesh('a', FIT, '').replace(/int\[\] faceVertexCounts.*/, open)), {
			thresholds: { geometryTriangles: 2 },
		});
	});

	it('and visuals are in scopes of their own', () => {
		const link = (...content: string[]): string => robot(body('link', content.join('\n')));
		const visual = (mark = ''): string => `def Cube "shown" { }${mark}`;
		const collider = (mark = ''): string => `def Cube "felt" (${COLLISION}) { uniform token purpose = "guide" }${mark}`;
		const scope = (name: string, content: string): string => `def Scope "${name}" {\n${content}\n}`;
		const rule = ['R1.3.2.1'];
		expectMarked(rule, link(scope('visual', visual()), scope('collision', collider())));
		expectMarked(rule, link(scope('visuals', visual()), scope('collisions', collider())));
		expectMarked(rule, link(visual(' # R1.3.2.1'), scope('collision', collider())));
		expectMarked(rule, link(scope('visual', visual()), collider(' # R1.3.2.1')));
		expectMarked(rule, link(scope('collision', visual(' # R1.3.2.1')), scope('visual', collider())));
		expectMarked(rule, link(scope('shapes', visual(' # R1.3.2.1'))));
		expectMarked(rule, link(scope('visual', `${visual()}\n${collider(' # R1.3.2.1')}`)));
		expectMarked(rule, robot(visual()));
	});
});

describe('visual representations', () => {
	const SET = 'visual_representation';
	const scope = (variants: string, selection: string, selectionMark = '', mark = ''): string =>
		robot(
			body(
				'link',
				`def Scope "visual" (${mark}\nprepend variantSets = "${SET}"\nvariants = {\nstring ${SET} = "${selection}"${selectionMark}\n}\n) {\nvariantSet "${SET}" = {\n${variants}\n}\n}`,
			),
		);
	const shape = 'def Cube "a" { }';
	const rules = ['R1.3.2.2', 'R1.3.2.3', 'R1.3.2.4', 'R1.3.2.5'];

	it('are variants of every visual scope', () => {
		expectMarked(rules, robot(body('link', 'def Scope "visual" { } # R1.3.2.2')));
		expectMarked(rules, robot(body('link', 'def Scope "visuals" { } # R1.3.2.2\ndef Scope "other" { }')));
		expectMarked(rules, robot(body('link')));
		expectMarked(rules, robot('def Scope "visual" { }'));
		expectMarked(rules, scope(`"mesh_medium" {\n${shape}\n}`, 'mesh_medium'));
	});

	it('have the names of the REP, and mesh_medium is the default', () => {
		const all = ['mesh_medium', 'mesh_high', 'mesh_low'].map((name) => `"${name}" {\n${shape}\n}`).join('\n');
		const splat = '"volumetric_splat" {\ndef ParticleField3DGaussianSplat "s" { }\n}';
		expectMarked(rules, scope(`${all}\n${splat}`, 'mesh_medium'));
		for (const name of ['mesh_high', 'mesh_low', 'volumetric_splat'])
			expectMarked(rules, scope(`${all}\n${splat}`, name, ' # R1.3.2.3'));
		expectMarked(rules, scope(`${all}\n"fancy" { # R1.3.2.3\n${shape}\n}`, 'mesh_medium'));
	});

	it('of splats hold splats, and none holds colliders', () => {
		expectMarked(
			rules,
			scope(`"mesh_medium" {\n${shape}\n}\n"volumetric_splat" { # R1.3.2.4\n${shape}\n}`, 'mesh_medium'),
		);
		expectMarked(
			rules,
			scope(
				`"mesh_medium" {\ndef Cube "a" (prepend apiSchemas = ["PhysicsCollisionAPI"]) { } # R1.3.2.5\n}`,
				'mesh_medium',
			),
		);
	});
});

describe('contact materials', () => {
	const ARTICULATION = ', "PhysicsArticulationRootAPI"';
	const collider = (name: string, lines = '', mark = '', schemas = ', "MaterialBindingAPI"'): string =>
		`def Cube "${name}" (prepend apiSchemas = ["PhysicsCollisionAPI"${schemas}]) {${mark}\n${lines}\n}`;
	const values = (still: string, moving: string, bounce: string): string =>
		[
			`float physics:staticFriction = ${still}`,
			`float physics:dynamicFriction = ${moving}`,
			`float physics:restitution = ${bounce}`,
		].join('\n');
	const material = (name: string, content: string, mark = '', schema = 'PhysicsMaterialAPI'): string =>
		`def Material "${name}" (prepend apiSchemas = ["${schema}"]) {${mark}\n${content}\n}`;
	const bind = (name: string, purpose = ':physics', mark = ''): string =>
		`rel material:binding${purpose} = </robot/${name}>${mark}`;
	const rules = ['R1.3.4.1', 'R1.3.4.2', 'R1.3.4.3'];

	it('are bound to every collider', () => {
		expectMarked(
			rules,
			robot(
				material('good', values('0.5', '0.4', '0')),
				material('paint', '', '', 'MaterialBindingAPI'),
				collider('bound', bind('good')),
				collider('bare', '', ' # R1.3.4.1'),
				collider('shaded', bind('paint', ''), ' # R1.3.4.1'),
				collider('general', bind('good', '', ' # R1.3.4.3')),
				collider('missing', bind('gone', ':physics', ' # R1.3.4.1')),
				collider('painted', bind('paint', ':physics', ' # R1.3.4.1')),
				collider('unapplied', bind('good', ':physics', ' # R1.3.4.3'), '', ''),
				`def Scope "above" (prepend apiSchemas = ["MaterialBindingAPI"]) {\n${bind('good')}\n${collider('inherits')}\n}`,
				`def Scope "lost" (prepend apiSchemas = ["MaterialBindingAPI"]) {\n${bind('gone', ':physics', ' # R1.3.4.1')}\n${collider('orphan')}\n}`,
			),
		);
	});

	it('have three values in their ranges', () => {
		const rule = ' # R1.3.4.2';
		const all: [string, string][] = [
			['fine', values('1', '1', '1')],
			['zeros', values('0', '0', '0')],
			['less', values(`-1${rule}`, '0', '0')],
			['lesser', values('1', `-1${rule}`, '0')],
			['bouncy', values('1', '1', `1.1${rule}`)],
			['sticky', values('1', '1', `-0.1${rule}`)],
			['slow', values('0.5', `0.6${rule}`, '0')],
			['neither', values(`nan${rule}`, '0', '0')],
		];
		expectMarked(
			rules,
			robot(
				...all.map(([name, content]) => material(name, content)),
				material('partly', 'float physics:staticFriction = 1\nfloat physics:dynamicFriction = 1', rule),
				material('moving', 'float physics:dynamicFriction = 1\nfloat physics:restitution = 1', rule),
				material('still', 'float physics:staticFriction = 1\nfloat physics:restitution = 1', rule),
				material('unused', ''),
				...[...all.map(([name]) => name), 'partly', 'moving', 'still'].map((name) =>
					collider(`on_${name}`, bind(name)),
				),
			),
		);
	});

	it('do not stop a robot from colliding with itself', () => {
		const rule = ['R1.3.3.1'];
		const parts = (count: number): string => Array.from({ length: count }, (_, i) => collider(`c${i}`)).join('\n');
		const arm = (count: number, mark: string, rest = ''): string =>
			robot(body('a', parts(count - 1), mark, ARTICULATION), body('b', parts(1)), joint('ab', 'a', 'b'), rest);
		expectMarked(rule, arm(3, ' # R1.3.3.1'));
		expectMarked(rule, arm(2, ''));
		expectMarked(rule, arm(3, '', 'def PhysicsCollisionGroup "group" { }'));
		expectMarked(rule, arm(3, '', 'def Xform "pairs" (prepend apiSchemas = ["PhysicsFilteredPairsAPI"]) { }'));
		expectMarked(rule, robot(body('a', parts(5))));
		expectMarked(
			rule,
			`def Xform "robot" (prepend apiSchemas = ["PhysicsArticulationRootAPI"]) { # R1.3.3.1\n${body('a', parts(3))}\n}`,
		);
		expectMarked(rule, `def Xform "robot" (prepend apiSchemas = ["PhysicsArticulationRootAPI"]) {\n${parts(4)}\n}`);
	});
});
