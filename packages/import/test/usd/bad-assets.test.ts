import { UsageRangeError } from '@manyworlds/core';
import { ModelBuilder } from '@manyworlds/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { importUsd } from '../../src/index.ts';
import { robotText } from './robot-fixture.ts';
import { importText, openUsd } from './usd-scene.ts';

const body = (name: string, settings: string = '', apis: string = ''): string =>
	`def Cube "${name}" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"${apis}]) {\n${settings}\n}\n`;
const joint = (name: string, from: string, to: string, settings: string = '', type: string = 'Revolute'): string =>
	`def Physics${type}Joint "${name}" {\n${from === '' ? '' : `rel physics:body0 = <${from}>`}\n${to === '' ? '' : `rel physics:body1 = <${to}>`}\n${settings}\n}\n`;
const articulation = (content: string): string =>
	`def Xform "r" (prepend apiSchemas = ["PhysicsArticulationRootAPI"]) {\n${content}\n}\n`;

describe('assets with faults: what is wrong is reported, the rest imported', () => {
	it('a joint to nowhere', () => {
		const { findings, builder } = importText(body('a') + joint('j', '/nothing', '/none'));
		expect(findings).toEqual(expect.arrayContaining(['IMP020 /j']));
		expect(builder.bodyCount).toBe(1);
		expect(builder.jointCount).toBe(1);
	});

	it('a reference to a missing file', () => {
		const { findings, builder } = importText(`${body('a')}def Xform "x" (prepend references = @missing.usda@) {\n}\n`);
		expect(findings).toEqual(expect.arrayContaining(['IMP001', 'PCP003 /x']));
		expect(builder.bodyCount).toBe(1);
	});

	it('a mesh whose indices are out of range', () => {
		const mesh = `def Mesh "m" (prepend apiSchemas = ["PhysicsCollisionAPI"]) {
	point3f[] points = [(0,0,0),(1,0,0),(0,1,0)]
	int[] faceVertexCounts = [3]
	int[] faceVertexIndices = [0,1,7]
}
`;
		const { findings, builder } = importText(mesh + body('a'));
		expect(findings).toEqual(['IMP032 /m']);
		expect(builder.shapeCount).toBe(1);
	});

	it('joints in a circle', () => {
		const { findings, builder } = importText(
			articulation(
				['a', 'b', 'c'].map((name) => body(name)).join('') +
					joint('ab', '/r/a', '/r/b') +
					joint('bc', '/r/b', '/r/c') +
					joint('ca', '/r/c', '/r/a'),
			),
		);
		expect(findings).toEqual(expect.arrayContaining(['IMP022 /r']));
		expect(builder.bodyCount).toBe(3);
	});

	it('two roots over the same bodies', () => {
		const { findings, builder, model } = importText(
			articulation(body('a') + body('b') + joint('j', '/r/a', '/r/b')).replace(
				'"PhysicsRigidBodyAPI", "PhysicsCollisionAPI"',
				'"PhysicsRigidBodyAPI", "PhysicsCollisionAPI", "PhysicsArticulationRootAPI"',
			),
		);
		expect(findings.filter((finding) => finding.startsWith('IMP023'))).toHaveLength(2);
		expect(builder.bodyCount).toBe(2);
		expect(model().articulationCount).toBe(1);
	});

	it.each([
		['a mass that is not a number', 'float physics:mass = nan', 'IMP040 /a.physics:mass', 8000],
		['a negative mass', 'float physics:mass = -2', 'IMP040 /a.physics:mass', 8000],
		['an infinite density', 'float physics:density = inf', 'IMP040 /a.physics:density', 8000],
		[
			'negative moments',
			'float physics:mass = 2\nfloat3 physics:diagonalInertia = (-1, 1, 1)',
			'IMP040 /a.physics:diagonalInertia',
			2,
		],
		[
			'a tensor of five numbers',
			'float physics:mass = 2\ndouble[] newton:inertia = [1,1,1,0,0]',
			'IMP043 /a.newton:inertia',
			2,
		],
		[
			'a tensor that is not positive',
			'float physics:mass = 2\ndouble[] newton:inertia = [1,1,1,5,0,0]',
			'IMP043 /a.newton:inertia',
			2,
		],
	])('%s', (_name, settings, finding, mass) => {
		const { findings, builder } = importText(body('a', settings, ', "PhysicsMassAPI", "NewtonMassAPI"'));
		expect(findings).toEqual([finding]);
		expect(builder.column('bodyMass')[0]).toBeCloseTo(mass, 3);
		expect(builder.column('bodyInertia')[0]).toBeGreaterThan(0);
	});

	it('a body without mass', () => {
		const { findings, builder } = importText(
			`def Xform "x" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]) {\n}\n`,
		);
		expect(findings).toEqual(['IMP044 /x']);
		expect(builder.bodyCount).toBe(1);
	});

	it('moments that break the triangle inequality are corrected when the model is made', () => {
		const { model } = importText(
			body('a', 'float physics:mass = 1\nfloat3 physics:diagonalInertia = (1, 1, 9)', ', "PhysicsMassAPI"'),
		);
		const { bodyInertia } = model();
		expect(bodyInertia[8]! <= bodyInertia[0]! + bodyInertia[4]! + 1e-9).toBe(true);
	});

	it('colliders of types that models do not have', () => {
		const text = `def Capsule_1 "c" (prepend apiSchemas = ["PhysicsCollisionAPI"]) {\n}\n${body('a')}`;
		expect(importText(text).findings).toEqual(['IMP030 /c']);
	});

	it('a PointInstancer, which Newton leaves out', () => {
		const text = `def PointInstancer "p" {\nrel prototypes = </p/box>\nint[] protoIndices = [0, 0, 0]\npoint3f[] positions = [(0,0,0),(1,0,0),(2,0,0)]\n${body('box')}}\n`;
		const { findings, result } = importText(text, { newtonCompat: true });
		expect(findings).toEqual(['IMP080 /p']);
		expect(result.report.toArray()[0]!.message).toContain('3 instances of 1 prototypes');
	});

	it('a PointInstancer that contradicts itself', () => {
		const text = `def PointInstancer "p" {\nrel prototypes = </p/box>\nint[] protoIndices = [0, 5]\npoint3f[] positions = [(0,0,0),(1,0,0)]\n${body('box')}}\n`;
		expect(importText(text).findings).toContain('VIEW002 /p');
	});

	it('a filtered pair with nothing', () => {
		const text = body('a', 'rel physics:filteredPairs = </gone>', ', "PhysicsFilteredPairsAPI"');
		expect(importText(text).findings).toEqual(['IMP050 /a.physics:filteredPairs']);
	});

	it('a mimic joint that follows nothing', () => {
		const text =
			body('a') +
			body('b') +
			joint('j', '/a', '/b', 'rel newton:mimicJoint = </gone>').replace(
				'"j" {',
				'"j" (prepend apiSchemas = ["NewtonMimicAPI"]) {',
			);
		expect(importText(text).findings).toEqual(['IMP060 /j.newton:mimicJoint']);
	});

	it('a root path without a prim', () => {
		const { findings, builder } = importText(body('a'), { rootPath: '/nothing' });
		expect(findings).toEqual(['IMP004 /nothing']);
		expect(builder.bodyCount).toBe(0);
	});

	it('cloth, soft bodies and particles', () => {
		const text = `def TetMesh "t" {\n}\ndef Mesh "c" (prepend apiSchemas = ["PhysicsSurfaceDeformableSimAPI", "PhysicsCollisionAPI"]) {\n}\n${body('a')}`;
		const { findings, builder } = importText(text);
		expect(findings).toEqual(expect.arrayContaining(['IMP081 /c', 'IMP081 /t']));
		expect(builder.shapeCount).toBe(1);
	});

	it.each([
		['TetMesh', 'soft bodies'],
		['ParticleField3DGaussianSplat', 'Gaussian splats'],
		['PhysicsAttachment', 'attachments of deformable bodies'],
		['PhysicsElementCollisionFilter', 'collision filters of deformable bodies'],
	])('a %s, also below an instance and in a body', (type, what) => {
		const { result, builder } = importText(`def Xform "inst" (instanceable = true
references = </Proto>) {}
over "Proto" {
	def ${type} "p" {}
}
def Xform "b" (prepend apiSchemas = ["PhysicsRigidBodyAPI"]) {
	def ${type} "q" {}
}
`);
		expect(result.report.toArray().map(({ code, prim, message }) => [code, prim, message])).toEqual([
			['IMP081', '/b/q', 'the prim belongs to a rigid body and is imported as a part of that'],
			['IMP081', '/inst/p', `${what} are not imported`],
		]);
		expect(builder.shapeCount).toBe(0);
	});

	it.each([
		['PhysicsCurvesDeformableSimAPI', 'cables'],
		['PhysicsSurfaceDeformableSimAPI', 'cloth'],
		['PhysicsVolumeDeformableSimAPI', 'soft bodies'],
		['NewtonPointsDeformableSimAPI', 'particles'],
	])('geometry with %s, which is a rigid shape in a body only', (api, what) => {
		const cube = (name: string): string =>
			`def Cube "${name}" (prepend apiSchemas = ["${api}", "PhysicsCollisionAPI"]) {}`;
		const { result, builder } = importText(`def Xform "inst" (instanceable = true
references = </Proto>) {}
over "Proto" {
	${cube('p')}
}
def Xform "b" (prepend apiSchemas = ["PhysicsRigidBodyAPI"]) {
	${cube('q')}
}
`);
		expect(result.report.toArray().map(({ code, prim, message }) => [code, prim, message])).toEqual([
			['IMP081', '/b/q', 'the prim belongs to a rigid body and is imported as a part of that'],
			['IMP081', '/inst/p', `${what} are not imported`],
		]);
		expect(builder.labels('shape')).toEqual(['/b/q']);
	});
});

describe('joints from child to parent', () => {
	const robot = (type: string, settings: string): string =>
		articulation(
			body('a') +
				body('b', 'double3 xformOp:translate = (3, 0, 0)\nuniform token[] xformOpOrder = ["xformOp:translate"]') +
				body('c') +
				joint('w', '', '/r/a', '', 'Fixed') +
				joint('j', '/r/b', '/r/a', settings, type),
		);
	const settings =
		'point3f physics:localPos0 = (-3, 0, 0)\nuniform token physics:axis = "Z"\nfloat physics:lowerLimit = -10\nfloat physics:upperLimit = 20';

	it('are turned round, with the same coordinate', () => {
		const { findings, builder, result } = importText(robot('Revolute', settings));
		expect(findings).toEqual(['IMP027 /r']);
		const index = result.pathJointMap.get('/r/j')!;
		const dof = builder.column('jointQdStart')[index]!;
		expect(builder.labels('body')[builder.column('jointParent')[index]!]).toBe('/r/a');
		expect(Array.from(builder.column('jointAxis').subarray(3 * dof, 3 * dof + 3))).toEqual([0, 0, -1]);
		expect(builder.column('jointLimitUpper')[dof]).toBeCloseTo((20 * Math.PI) / 180, 6);
	});

	it('are refused when Newton is followed', () => {
		expect(importText(robot('Revolute', settings), { newtonCompat: true }).findings).toEqual(
			expect.arrayContaining(['IMP021 /r']),
		);
	});
});

describe('wrong use', () => {
	const importing = (options: Parameters<typeof importUsd>[2]) => () =>
		importUsd(openUsd(body('a')), new ModelBuilder(), options);

	it.each([
		['floating and baseJoint', { floating: true, baseJoint: { type: 'd6' } }],
		['a free joint on a body', { floating: true, parentBody: 0 }],
		['a body that does not exist', { parentBody: 3 }],
		['overrideRootXform without xform', { overrideRootXform: true }],
		['an xform of six numbers', { xform: [0, 0, 0, 0, 0, 0] }],
	] as const)('%s throws', (_name, options) => {
		expect(importing(options)).toThrow(UsageRangeError);
	});
});

describe('damaged text', () => {
	it('never makes the import throw', () => {
		const { header, body: text } = robotText();
		const lines = text.split('\n');
		fc.assert(
			fc.property(fc.array(fc.nat(lines.length - 1), { minLength: 1, maxLength: 6 }), (dropped) => {
				// statements are dropped whole, so that the text still reads
				const kept = lines.filter((line, i) => !dropped.includes(i) || /[{}()]/.test(line));
				const { result } = importText(header + kept.join('\n'));
				const { used, converted, kept: stored, ignored, total } = result.ledger.totals();
				expect(used + converted + stored + ignored).toBe(total);
			}),
			{ seed: 7, numRuns: 60 },
		);
	});
});

describe('the place of a finding', () => {
	const head = '#usda 1.0\n(\n\tmetersPerUnit = 1\n';
	const body = (text: string): string =>
		`def Xform "b" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]) {\n${text}\n}\n`;
	const fileOf = (strong: string, weak: string): unknown => {
		const { result } = importText({
			'strong.usda': `${head}\tsubLayers = [@weak.usda@]\n)\n${strong}`,
			'weak.usda': `${head})\n${weak}`,
		});
		return result.report.toArray().map(({ code, file }) => `${code} ${file}`);
	};

	it('is the layer whose opinion counts', () => {
		const bad = 'float physics:mass = -1';
		expect(fileOf(body(bad), body('float physics:mass = -2'))).toEqual(['IMP040 strong.usda', 'IMP044 strong.usda']);
		expect(fileOf(body(''), body(bad))).toEqual(['IMP044 strong.usda', 'IMP040 weak.usda']);
	});

	it('is the strongest layer of the prim where no attribute is to blame', () => {
		// there is neither mass nor inertia
		expect(fileOf(body(''), body(''))).toEqual(['IMP044 strong.usda']);
		expect(fileOf('', body(''))).toEqual(['IMP044 weak.usda']);
	});
});
