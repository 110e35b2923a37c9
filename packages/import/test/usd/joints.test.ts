import {
	ArticulatedDynamics,
	GeoType,
	JointTargetMode,
	JointType,
	ModelBuilder,
	registerMujocoAttributes,
	ShapeFlags,
} from '@manyworlds/model';
import { describe, expect, it } from 'vitest';
import {
	type ImportUsdOptions,
	importUsd,
	SCHEMA_RESOLVER_MJC,
	SCHEMA_RESOLVER_NEWTON,
	SCHEMA_RESOLVER_PHYSX,
} from '../../src/index.ts';
import { type Imported, importText, openUsd } from './usd-scene.ts';

const RAD = Math.PI / 180;
const body = (name: string, x: number = 0, settings: string = ''): string => `
def Cube "${name}" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {
	double3 xformOp:translate = (${x}, 0, 0)
	uniform token[] xformOpOrder = ["xformOp:translate"]
	${settings}
}
`;
const joint = (
	type: string,
	settings: string,
	apis: readonly string[] = [],
	name: string = 'j',
	ends: readonly [string, string] = ['/a', '/b'],
): string => `
def ${type} "${name}" ${apis.length === 0 ? '' : `(prepend apiSchemas = [${apis.map((api) => `"${api}"`).join(', ')}])`} {
	${ends[0] === '' ? '' : `rel physics:body0 = <${ends[0]}>`}
	${ends[1] === '' ? '' : `rel physics:body1 = <${ends[1]}>`}
	${settings}
}
`;
const PAIR = body('a') + body('b', 3);
const UP = { upAxis: 'y' } as const;

interface Dof {
	readonly limits: [number, number];
	readonly limitGains: [number, number];
	readonly gains: [number, number];
	readonly mode: number;
	readonly rest: {
		readonly armature: number;
		readonly friction: number;
		readonly damping: number;
		readonly velocity: number;
		readonly effort: number;
	};
	readonly axis: number[];
}

function dofsOf({ builder, result }: Pick<Imported, 'builder' | 'result'>, path: string = '/j'): Dof[] {
	const index = result.pathJointMap.get(path)!;
	const start = builder.column('jointQdStart')[index]!;
	const [linear, angular] = builder.column('jointDofDim').subarray(2 * index, 2 * index + 2);
	return Array.from({ length: linear! + angular! }, (_, i) => {
		const at = (name: Parameters<ModelBuilder['column']>[0]): number =>
			(builder.column(name) as Float64Array)[start + i]!;
		return {
			limits: [at('jointLimitLower'), at('jointLimitUpper')],
			limitGains: [at('jointLimitKe'), at('jointLimitKd')],
			gains: [at('jointTargetKe'), at('jointTargetKd')],
			mode: at('jointTargetMode'),
			rest: {
				armature: at('jointArmature'),
				friction: at('jointFriction'),
				damping: at('jointDamping'),
				velocity: at('jointVelocityLimit'),
				effort: at('jointEffortLimit'),
			},
			axis: [...builder.column('jointAxis').subarray(3 * (start + i), 3 * (start + i) + 3)],
		};
	});
}

describe('units of a joint', () => {
	const settings = `
	float physics:lowerLimit = -30
	float physics:upperLimit = 60
	float newton:armature = 0.5
	float newton:friction = 0.1
	float newton:damping = 2
	float newton:velocityLimit = 100
	float newton:limitStiffness = 200
	float newton:limitDamping = 5
	float drive:angular:physics:stiffness = 3
	float drive:angular:physics:damping = 0.25
	float drive:angular:physics:maxForce = 24`;
	const apis = ['NewtonJointAPI', 'PhysicsDriveAPI:angular'];

	it('are degrees where it turns', () => {
		const [dof] = dofsOf(importText(PAIR + joint('PhysicsRevoluteJoint', settings, apis)));
		expect(dof!.limits[0]).toBeCloseTo(-30 * RAD, 6);
		expect(dof!.limits[1]).toBeCloseTo(60 * RAD, 6);
		expect(dof!.limitGains[0]).toBeCloseTo(200 / RAD, 3);
		expect(dof!.limitGains[1]).toBeCloseTo(5 / RAD, 4);
		expect(dof!.gains[0]).toBeCloseTo(3 / RAD, 4);
		expect(dof!.gains[1]).toBeCloseTo(0.25 / RAD, 5);
		expect(dof!.rest.damping).toBeCloseTo(2 / RAD, 4);
		expect(dof!.rest.velocity).toBeCloseTo(100 * RAD, 6);
		expect(dof!.rest.effort).toBe(24);
		expect([dof!.rest.armature, dof!.rest.friction]).toEqual([0.5, Math.fround(0.1)]);
	});

	it('are lengths where it slides', () => {
		const [dof] = dofsOf(
			importText(
				PAIR +
					joint('PhysicsPrismaticJoint', settings.replaceAll('drive:angular', 'drive:linear'), [
						'NewtonJointAPI',
						'PhysicsDriveAPI:linear',
					]),
			),
		);
		expect(dof).toMatchObject({ limits: [-30, 60], limitGains: [200, 5], gains: [3, 0.25] });
		expect(dof!.rest).toMatchObject({ damping: 2, velocity: 100 });
	});

	it('leave defaults of the builder as they are', () => {
		const defaults = {
			armature: 0.3,
			damping: 0.7,
			friction: 0.2,
			limitKe: 999,
			limitKd: 88,
			velocityLimit: 12,
			effortLimit: 34,
		};
		const [dof] = dofsOf(importText(PAIR + joint('PhysicsRevoluteJoint', ''), {}, { defaultJointConfig: defaults }));
		expect(dof!.limitGains.map((gain) => Number(gain.toFixed(9)))).toEqual([999, 88]);
		expect(dof!.rest).toEqual({ armature: 0.3, friction: 0.2, damping: 0.7, velocity: 12, effort: 34 });
	});

	it.each([
		['infinite', 'inf', 1e8 / RAD, 0],
		['minus infinite', '-inf', 1e4, 10],
	])('a limit stiffness that is %s', (_name, text, ke, kd) => {
		const [dof] = dofsOf(importText(PAIR + joint('PhysicsRevoluteJoint', `float newton:limitStiffness = ${text}`)));
		expect(dof!.limitGains[0]).toBeCloseTo(ke, 1);
		expect(dof!.limitGains[1]).toBeCloseTo(kd, 6);
	});

	it('of drive gains are scaled alike on every angular axis', () => {
		const d6 = joint('PhysicsJoint', 'float drive:rotZ:physics:stiffness = 3', [
			'PhysicsLimitAPI:rotX',
			'PhysicsDriveAPI:rotZ',
		]);
		const scaled = importText(PAIR + d6, { jointDriveGainsScaling: 2 });
		expect(dofsOf(scaled).at(-1)!.gains[0]).toBeCloseTo((2 * 3) / RAD, 4);
		const revolute = importText(PAIR + joint('PhysicsRevoluteJoint', settings, apis), { jointDriveGainsScaling: 2 });
		expect(dofsOf(revolute)[0]!.gains[0]).toBeCloseTo((2 * 3) / RAD, 4);
		// Newton divides by the scaling where a joint has several axes
		const asNewton = { jointDriveGainsScaling: 2, reproduceFaults: ['drive-scaling'] } as const;
		expect(dofsOf(importText(PAIR + d6, asNewton)).at(-1)!.gains[0]).toBeCloseTo(3 / 2 / RAD, 4);
		const single = importText(PAIR + joint('PhysicsRevoluteJoint', settings, apis), asNewton);
		expect(dofsOf(single)[0]!.gains[0]).toBeCloseTo((2 * 3) / RAD, 4);
	});
});

describe('drives', () => {
	it.each([
		['none applied', [], 'float drive:angular:physics:stiffness = 5', JointTargetMode.NONE],
		['without gains', ['PhysicsDriveAPI:angular'], '', JointTargetMode.EFFORT],
		[
			'with stiffness',
			['PhysicsDriveAPI:angular'],
			'float drive:angular:physics:stiffness = 5',
			JointTargetMode.POSITION,
		],
		['with damping', ['PhysicsDriveAPI:angular'], 'float drive:angular:physics:damping = 5', JointTargetMode.VELOCITY],
	])('%s', (_name, apis, settings, mode) => {
		expect(dofsOf(importText(PAIR + joint('PhysicsRevoluteJoint', settings, apis)))[0]!.mode).toBe(mode);
	});

	it('are of the kind of the gains that they have, and of both where that is asked for', () => {
		for (const stiffness of [0, 1, 5]) {
			for (const damping of [0, 1, 5]) {
				const settings = `float drive:angular:physics:stiffness = ${stiffness}\nfloat drive:angular:physics:damping = ${damping}`;
				const text = PAIR + joint('PhysicsRevoluteJoint', settings, ['PhysicsDriveAPI:angular']);
				const one =
					stiffness > 0 ? JointTargetMode.POSITION : damping > 0 ? JointTargetMode.VELOCITY : JointTargetMode.EFFORT;
				const both = stiffness > 0 && damping > 0 ? JointTargetMode.POSITION_VELOCITY : one;
				expect(dofsOf(importText(text))[0]!.mode).toBe(one);
				expect(dofsOf(importText(text, { forcePositionVelocityActuation: true }))[0]!.mode).toBe(both);
			}
		}
	});
});

describe('D6 joints', () => {
	it('are free along axes without limits and locked where the limits cross', () => {
		const locked = ['transX', 'transY', 'transZ', 'rotX']
			.map((axis) => `float limit:${axis}:physics:low = 1\nfloat limit:${axis}:physics:high = -1`)
			.join('\n');
		const apis = ['transX', 'transY', 'transZ', 'rotX'].map((axis) => `PhysicsLimitAPI:${axis}`);
		const imported = importText(
			PAIR +
				joint('PhysicsJoint', `${locked}\nfloat limit:rotY:physics:low = -10\nfloat limit:rotY:physics:high = 20`, [
					...apis,
					'PhysicsLimitAPI:rotY',
				]),
		);
		const dofs = dofsOf(imported);
		expect(dofs.map(({ axis }) => axis)).toEqual([
			[0, 1, 0],
			[0, 0, 1],
		]);
		expect(dofs[0]!.limits[1]).toBeCloseTo(20 * RAD, 6);
		expect(dofs[1]!.limits).toEqual([-1e10, 1e10]);
	});

	it('without any limit have six degrees of freedom, linear ones first', () => {
		const dofs = dofsOf(importText(PAIR + joint('PhysicsJoint', '')));
		expect(dofs).toHaveLength(6);
		expect(
			importText(PAIR + joint('PhysicsJoint', ''))
				.builder.column('jointDofDim')
				.subarray(0, 2),
		).toEqual(Int32Array.of(3, 3));
	});

	it('start where their state says', () => {
		const state =
			'float state:rotY:physics:position = 10\nfloat state:rotZ:physics:velocity = 90\nfloat state:transX:physics:position = 0.5';
		const { builder, result } = importText(PAIR + joint('PhysicsJoint', state), {
			schemaResolvers: [SCHEMA_RESOLVER_PHYSX],
		});
		const index = result.pathJointMap.get('/j')!;
		const q = builder.column('jointQ').subarray(builder.column('jointQStart')[index]!);
		const qd = builder.column('jointQd').subarray(builder.column('jointQdStart')[index]!);
		expect([q[0], q[4]].map((value) => Number(value!.toFixed(6)))).toEqual([0.5, Number((10 * RAD).toFixed(6))]);
		expect(qd[5]).toBeCloseTo(90 * RAD, 6);
	});
});

describe('several joints between the same bodies', () => {
	it('act in the order in which they are written, not in that of their names as in Newton', () => {
		const body = (name: string): string =>
			`def Xform "${name}" ( prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"] )\n{\nfloat physics:mass = 1\n}\n`;
		const hinge = (name: string, axis: string): string =>
			`def PhysicsRevoluteJoint "${name}"\n{\nuniform token physics:axis = "${axis}"\nrel physics:body0 = </r/a>\nrel physics:body1 = </r/b>\n}\n`;
		const parts = [body('a'), body('b'), hinge('hip_x', 'X'), hinge('hip_z', 'Z'), hinge('hip_y', 'Y')].join('');
		const text = `def Xform "r" ( prepend apiSchemas = ["PhysicsArticulationRootAPI"] )\n{\n${parts}}\n`;
		const axesOf = (options: ImportUsdOptions): string[] =>
			dofsOf(importText(text, options), '/r/hip_x').map(({ axis }) => axis.join(' '));
		expect(axesOf({})).toEqual(['1 0 0', '0 0 1', '0 1 0']);
		expect(axesOf({ newtonCompat: true })).toEqual(['1 0 0', '0 1 0', '0 0 1']);
	});

	it('become one, with axes in the frame of the first', () => {
		const half = Math.SQRT1_2;
		const text =
			PAIR +
			joint('PhysicsRevoluteJoint', 'uniform token physics:axis = "Z"\nfloat newton:armature = 0.1', [], 'one') +
			joint(
				'PhysicsRevoluteJoint',
				`uniform token physics:axis = "Z"\nquatf physics:localRot0 = (${half}, ${half}, 0, 0)\nquatf physics:localRot1 = (${half}, ${half}, 0, 0)\nfloat newton:armature = 0.2`,
				[],
				'two',
			) +
			joint('PhysicsPrismaticJoint', 'uniform token physics:axis = "X"', [], 'three');
		const imported = importText(text);
		const index = imported.result.pathJointMap.get('/one')!;
		expect(imported.result.pathJointMap.get('/two')).toBe(index);
		expect(imported.result.pathJointMap.get('/three')).toBe(index);
		expect(imported.builder.column('jointType')[index]).toBe(JointType.D6);
		const dofs = dofsOf(imported, '/one');
		expect(dofs.map(({ axis }) => axis.map((part) => Math.round(part * 1e6) / 1e6 + 0))).toEqual([
			[1, 0, 0],
			[0, 0, 1],
			[0, -1, 0],
		]);
		expect(dofs.map(({ rest }) => Number(rest.armature.toFixed(6)))).toEqual([0, 0.1, 0.2]);
	});
});

describe('joints to the world', () => {
	it('leave their body where it was, whichever side is the world, in a turned stage too', () => {
		for (const ends of [
			['', '/r/a'],
			['/r/a', ''],
		] as const) {
			const robot = `def Xform "r" (prepend apiSchemas = ["PhysicsArticulationRootAPI"]) {\n${body('a', 7)}${body('b', 9)}${joint('PhysicsFixedJoint', '', [], 'w', ends)}${joint('PhysicsRevoluteJoint', 'point3f physics:localPos0 = (2, 0, 0)', [], 'j', ['/r/a', '/r/b'])}}\n`;
			const imported = importText(robot, { xform: { p: [1, 2, 3] } });
			const model = imported.model();
			const state = model.createState();
			new ArticulatedDynamics(model).forwardKinematics(state);
			state.bodyQ.forEach((value, i) => {
				expect(value).toBeCloseTo(model.bodyQ[i]!, 6);
			});
			const a = imported.result.pathBodyMap.get('/r/a')!;
			expect(model.bodyQ[7 * a]).toBeCloseTo(8, 6);
		}
	});

	it('that are in no articulation are kept, between bodies as well', () => {
		const imported = importText(PAIR + joint('PhysicsRevoluteJoint', 'point3f physics:localPos0 = (3, 0, 0)'));
		expect(imported.builder.column('jointArticulation')[0]).toBe(-1);
		// a stage with Y up: frames in bodies do not turn with it
		expect([...imported.builder.column('jointXP').subarray(0, 3)]).toEqual([3, 0, 0]);
	});
});

describe('loops', () => {
	it('are closed by joints outside of the articulation', () => {
		const robot = `def Xform "r" (prepend apiSchemas = ["PhysicsArticulationRootAPI"]) {\n${['a', 'b', 'c'].map((name) => body(name)).join('')}${joint('PhysicsRevoluteJoint', '', [], 'ab', ['/r/a', '/r/b'])}${joint('PhysicsRevoluteJoint', '', [], 'bc', ['/r/b', '/r/c'])}${joint('PhysicsRevoluteJoint', 'bool physics:excludeFromArticulation = true', [], 'ca', ['/r/c', '/r/a'])}}\n`;
		const { builder, result } = importText(robot);
		const of = (path: string): number => builder.column('jointArticulation')[result.pathJointMap.get(path)!]!;
		expect([of('/r/ab'), of('/r/bc'), of('/r/ca')]).toEqual([0, 0, -1]);
	});
});

describe('joint ordering', () => {
	const robot = `def Xform "r" (prepend apiSchemas = ["PhysicsArticulationRootAPI"]) {\n${['a', 'b', 'c', 'd'].map((name) => body(name)).join('')}${joint('PhysicsRevoluteJoint', '', [], 'j1', ['/r/a', '/r/b'])}${joint('PhysicsRevoluteJoint', '', [], 'j2', ['/r/a', '/r/c'])}${joint('PhysicsRevoluteJoint', '', [], 'j3', ['/r/b', '/r/d'])}}\n`;
	it.each([
		['dfs', ['joint_1', '/r/j1', '/r/j3', '/r/j2'], ['/r/a', '/r/b', '/r/d', '/r/c']],
		['bfs', ['joint_1', '/r/j1', '/r/j2', '/r/j3'], ['/r/a', '/r/b', '/r/c', '/r/d']],
		['stage', ['joint_1', '/r/j1', '/r/j2', '/r/j3'], ['/r/a', '/r/b', '/r/c', '/r/d']],
	] as const)('%s', (jointOrdering, joints, bodies) => {
		const { builder } = importText(robot, { jointOrdering });
		expect(builder.labels('joint')).toEqual(joints);
		expect(builder.labels('body')).toEqual(bodies);
	});

	/** An articulation of bodies a to d with joints j1, j2 and so on from body to body. */
	const articulation = (...ends: readonly string[]): string =>
		`def Xform "r" (prepend apiSchemas = ["PhysicsArticulationRootAPI"]) {\n${['a', 'b', 'c', 'd'].map((name) => body(name)).join('')}${ends
			.map(([from, to], i) =>
				joint('PhysicsRevoluteJoint', '', [], `j${i + 1}`, [from === '-' ? '' : `/r/${from}`, `/r/${to}`]),
			)
			.join('')}}\n`;

	it('of the stage finds the root where the first joint is not the one that holds it', () => {
		const { builder, findings, model } = importText(articulation('cd', 'bc', 'ab'), { jointOrdering: 'stage' });
		expect(findings).toEqual([]);
		// the free joint is that of body a, to which no joint leads
		expect(builder.labels('joint')).toEqual(['joint_1', '/r/j1', '/r/j2', '/r/j3']);
		expect(builder.labels('body')).toEqual(['/r/c', '/r/d', '/r/b', '/r/a']);
		expect([...builder.column('jointParent')]).toEqual([-1, 0, 2, 3]);
		expect([...builder.column('jointChild')]).toEqual([3, 1, 0, 2]);
		// the builder keeps the order of the stage until it is told otherwise
		builder.sortJoints();
		expect([...model().jointParent]).toEqual([-1, 3, 2, 0]);
	});

	it('of the stage gives a joint to the world the frame of a root wherever it is listed', () => {
		const text = articulation('bc', 'ab', '-a', 'cd');
		for (const jointOrdering of ['stage', 'dfs'] as const) {
			const { builder, result } = importText(text, { jointOrdering, xform: [1, 2, 3, 0, 0, 0, 1] });
			const root = result.pathJointMap.get('/r/j3')!;
			expect([...builder.column('jointXP').subarray(7 * root, 7 * root + 3)]).toEqual([1, 2, 3]);
			expect(builder.labels('joint').length).toBe(4);
		}
	});

	it('of the stage leaves the joint that closes a circle out, as the others do', () => {
		for (const jointOrdering of ['stage', 'dfs', 'bfs'] as const) {
			const { builder, findings } = importText(articulation('ab', 'bc', 'ac', 'cd'), { jointOrdering });
			expect(findings.filter((finding) => finding.startsWith('IMP022'))).toEqual(['IMP022 /r']);
			expect([...builder.column('jointArticulation')].filter((index) => index === 0).length).toBe(4);
		}
	});
});

describe('mimic joints', () => {
	const two = body('a') + body('b') + body('c') + joint('PhysicsRevoluteJoint', '', [], 'lead', ['/a', '/b']);

	it('of Newton have their offset in degrees', () => {
		const text =
			two +
			joint(
				'PhysicsRevoluteJoint',
				'rel newton:mimicJoint = </lead>\nfloat newton:mimicCoef0 = 90\nfloat newton:mimicCoef1 = 2',
				['NewtonMimicAPI'],
				'j',
				['/a', '/c'],
			);
		const { builder } = importText(text);
		expect(builder.column('constraintMimicCoef0')[0]).toBeCloseTo(Math.PI / 2, 6);
		expect(builder.column('constraintMimicCoef1')[0]).toBe(2);
	});

	it('with several degrees of freedom are told: the offset has no unit and holds for each', () => {
		const mimic = 'rel newton:mimicJoint = </lead>\nfloat newton:mimicCoef0 = 0.5';
		const ball = joint('PhysicsSphericalJoint', mimic, ['NewtonMimicAPI'], 'j', ['/a', '/c']);
		const { builder, findings } = importText(two + ball);
		expect(findings).toEqual(['IMP061 /j.newton:mimicCoef0']);
		expect([...builder.column('constraintMimicCoef0')]).toEqual([0.5]);
	});

	it('of PhysX follow by the schema of their axis only', () => {
		const settings = 'rel physxMimicJoint:rotZ:referenceJoint = </lead>\nfloat physxMimicJoint:rotZ:gearing = -2';
		const count = (api: string): number =>
			importText(two + joint('PhysicsRevoluteJoint', settings, [api], 'j', ['/a', '/c'])).builder.column(
				'constraintMimicCoef1',
			).length;
		const apis = ['PhysxMimicJointAPI:rotZ', 'PhysxMimicJointAPI:rotX', 'PhysxMimicJointAPI', 'PhysxLimitAPI:rotZ'];
		expect(apis.map(count)).toEqual([1, 0, 0, 0]);
	});

	it('that were merged with others are told: the constraint holds for all that they became', () => {
		const mimic = 'rel newton:mimicJoint = </lead>\nfloat newton:mimicCoef1 = 2';
		const follower = joint('PhysicsRevoluteJoint', mimic, ['NewtonMimicAPI'], 'j', ['/a', '/c']);
		const other = joint('PhysicsPrismaticJoint', '', [], 'other', ['/a', '/c']);
		expect(importText(two + follower).findings).toEqual([]);
		expect(importText(two + follower + other).findings).toEqual(['IMP061 /j']);
	});

	it('of REP 158 have their offset in degrees too', () => {
		const text =
			two +
			joint(
				'PhysicsRevoluteJoint',
				'rel ext_physics:mimic:joint = </lead>\nfloat ext_physics:mimic:offset = 90\nfloat ext_physics:mimic:multiplier = -1',
				['ExtendedPhysicsMimicAPI'],
				'j',
				['/a', '/c'],
			);
		const { builder } = importText(text);
		expect(builder.column('constraintMimicCoef0')[0]).toBeCloseTo(Math.PI / 2, 6);
		expect(builder.column('constraintMimicCoef1')[0]).toBe(-1);
	});

	it('of PhysX have the opposite signs', () => {
		const text =
			two +
			joint(
				'PhysicsRevoluteJoint',
				'rel physxMimicJoint:rotZ:referenceJoint = </lead>\nfloat physxMimicJoint:rotZ:gearing = -2\nfloat physxMimicJoint:rotZ:offset = 45',
				['PhysxMimicJointAPI:rotZ'],
				'j',
				['/a', '/c'],
			);
		const { builder } = importText(text);
		expect(builder.column('constraintMimicCoef0')[0]).toBeCloseTo(-Math.PI / 4, 6);
		expect(builder.column('constraintMimicCoef1')[0]).toBe(2);
	});
});

describe('MuJoCo limits', () => {
	const imported = (settings: string, apis: readonly string[], newtonCompat: boolean): Dof => {
		const builder = new ModelBuilder();
		registerMujocoAttributes(builder);
		const text = PAIR + joint('PhysicsPrismaticJoint', settings, apis);
		const result = importUsd(openUsd(text), builder, {
			schemaResolvers: [SCHEMA_RESOLVER_MJC, SCHEMA_RESOLVER_NEWTON],
			newtonCompat,
		});
		return dofsOf({ builder, result })[0]!;
	};

	it.each([
		['solreflimit as gains', 'double[] mjc:solreflimit = [0.08, 1]', [], false, [156.25, 25]],
		['direct gains', 'double[] mjc:solreflimit = [-100, -7]', [], false, [100, 7]],
		["the schema's default where it is applied", '', ['MjcJointAPI'], false, [2500, 100]],
		["the builder's default elsewhere", '', [], false, [1e4, 10]],
		[
			'gains of Newton before those',
			'double[] mjc:solreflimit = [0.08, 1]\nfloat newton:limitStiffness = 7',
			[],
			false,
			[7, 25],
		],
		[
			"the builder's default when Newton is followed",
			'double[] mjc:solreflimit = [0.08, 1]',
			['MjcJointAPI'],
			true,
			[1e4, 10],
		],
	] as const)('%s', (_name, settings, apis, newtonCompat, expected) => {
		const { limitGains } = imported(settings, apis, newtonCompat);
		expect(limitGains[0]).toBeCloseTo(expected[0], 4);
		expect(limitGains[1]).toBeCloseTo(expected[1], 4);
	});
});

describe('who gave the limits of MuJoCo', () => {
	const [FORCE, RAW, DEFAULT] = [0, 1, 2].map(String);
	const AUTHORED = 'double[] mjc:solreflimit = [0.08, 1]';
	const modeOf = (settings: string, apis: readonly string[], newtonCompat: boolean, limitKe?: number): string => {
		const builder = new ModelBuilder(limitKe === undefined ? {} : { defaultJointConfig: { limitKe } });
		registerMujocoAttributes(builder);
		importUsd(openUsd(PAIR + joint('PhysicsPrismaticJoint', settings, apis)), builder, {
			schemaResolvers: [SCHEMA_RESOLVER_MJC, SCHEMA_RESOLVER_NEWTON],
			newtonCompat,
		});
		return String(builder.attributeValues('mujoco:solreflimit_mode')!.at(-1));
	};

	it.each([
		['both numbers are authored', AUTHORED, [], RAW, RAW],
		['the schema alone is applied', '', ['MjcJointAPI'], DEFAULT, DEFAULT],
		['nothing is said', '', [], FORCE, FORCE],
		['Newton gives a gain', 'float newton:limitStiffness = 7', ['MjcJointAPI'], FORCE, FORCE],
	] as const)('%s', (_, settings, apis, expected, asNewton) => {
		expect(modeOf(settings, apis, false)).toBe(expected);
		expect(modeOf(settings, apis, true)).toBe(asNewton);
	});

	it('is nobody for Newton where the builder has other gains', () => {
		expect(modeOf('', ['MjcJointAPI'], true, 5)).toBe(FORCE);
		expect(modeOf('', ['MjcJointAPI'], false, 5)).toBe(DEFAULT);
	});
});

describe('visuals and sites', () => {
	const scene = `def Xform "b" (prepend apiSchemas = ["PhysicsRigidBodyAPI"]) {
	def Cube "collider" (prepend apiSchemas = ["PhysicsCollisionAPI"]) {\n uniform token purpose = "guide" \n}
	def Capsule "look" { color3f[] primvars:displayColor = [(1, 0, 0)] }
	def Sphere "mark" (prepend apiSchemas = ["MjcSiteAPI"]) { double radius = 0.1 }
}
def Sphere "lamp" {\n}
`;
	const labels = (options: Parameters<typeof importText>[1]): string[] =>
		importText(scene, options, UP)
			.builder.labels('shape')
			.map((label) => label.slice(label.lastIndexOf('/') + 1));

	it.each([
		['everything', {}, ['look', 'mark', 'lamp', 'collider']],
		['no visuals', { loadVisualShapes: false }, ['mark', 'collider']],
		['no sites', { loadSites: false }, ['look', 'lamp', 'collider']],
		['no static visuals', { loadStaticVisualShapes: false }, ['look', 'mark', 'collider']],
	] as const)('%s', (_name, options, expected) => {
		expect(labels(options)).toEqual(expected);
	});

	it('have their flags, types and colours', () => {
		const { builder } = importText(scene, {}, UP);
		const flags = builder.column('shapeFlags');
		expect([...flags]).toEqual([
			ShapeFlags.VISIBLE,
			ShapeFlags.VISIBLE | ShapeFlags.SITE,
			ShapeFlags.VISIBLE,
			ShapeFlags.COLLIDE_SHAPES | ShapeFlags.COLLIDE_PARTICLES,
		]);
		expect(builder.column('shapeType')[0]).toBe(GeoType.CAPSULE);
		expect([...builder.column('shapeColor').subarray(0, 3)].map((part) => Math.round(part * 100))).toEqual([100, 0, 0]);
	});

	it('that are guides are shown on demand', () => {
		const flags = importText(scene, { forceShowColliders: true }, UP).builder.column('shapeFlags');
		expect(flags[3]! & ShapeFlags.VISIBLE).toBe(ShapeFlags.VISIBLE);
	});
});
