import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ModelBuilder, registerMujocoAttributes } from '@manyworlds/model';
import { Attribute, openLayer, Stage } from '@manyworlds/usd';
import { isUsualPrim } from '@manyworlds/usd/internal';
import { describe, expect, it } from 'vitest';
import {
	type ImportUsdResult,
	importUsd,
	SCHEMA_RESOLVER_MJC,
	SCHEMA_RESOLVER_NEWTON,
	SCHEMA_RESOLVER_PHYSX,
} from '../../src/index.ts';
import { robotText } from './robot-fixture.ts';
import { importText } from './usd-scene.ts';

const JOINT = `
def Cube "a" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {}
def Cube "b" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {}
def PhysicsRevoluteJoint "j" (prepend apiSchemas = ["PhysicsDriveAPI:angular"]) {
	rel physics:body0 = </a>
	rel physics:body1 = </b>
	float physics:lowerLimit = -10
	float physics:breakForce = 100
	float drive:angular:physics:stiffness = 2
	float drive:linear:physics:stiffness = 2
	float newton:armature = 0.25
	float physxJoint:maxJointVelocity = 90
	float physxJoint:jointFriction = 3
	custom string userNote = "hello"
}`;

describe('the ledger that nobody asks for', () => {
	it('is empty, and the model and the findings are the same', () => {
		const schemaResolvers = [SCHEMA_RESOLVER_PHYSX, SCHEMA_RESOLVER_NEWTON];
		const [kept, without] = [true, false].map((keepLedger) => importText(JOINT, { schemaResolvers, keepLedger }));
		expect(without!.result.ledger.totals().total).toBe(0);
		expect(kept!.result.ledger.totals().total).toBeGreaterThan(0);
		expect(without!.findings).toEqual(kept!.findings);
		for (const name of ['jointArmature', 'jointLimitLower', 'jointTargetKe', 'bodyMass'] as const) {
			expect(without!.builder.column(name)).toEqual(kept!.builder.column(name));
		}
	});
});

describe('the ledger', () => {
	const { result } = importText(JOINT, { schemaResolvers: [SCHEMA_RESOLVER_PHYSX, SCHEMA_RESOLVER_NEWTON] });
	const entry = (name: string): unknown => result.ledger.entries().find((one) => one.name === name);

	it.each([
		['physics:lowerLimit', { class: 'converted', from: 'degrees', to: 'radians', targets: ['joint_limit_lower'] }],
		['drive:angular:physics:stiffness', { class: 'converted', from: 'per degree', to: 'per radian' }],
		['newton:armature', { class: 'used', resolver: 'newton', targets: ['joint_armature[0]'], value: '0.25' }],
		['physxJoint:maxJointVelocity', { class: 'converted', resolver: 'physx', to: 'radians per second' }],
		['physxJoint:jointFriction', { class: 'kept', resolver: 'physx' }],
		['physics:breakForce', { class: 'ignored', reason: 'joints of models do not break' }],
		[
			'drive:linear:physics:stiffness',
			{ class: 'ignored', reason: 'PhysicsDriveAPI:linear is not applied, so there is no drive' },
		],
		['userNote', { class: 'ignored' }],
	])('says what became of %s', (name, expected) => {
		expect(entry(name)).toMatchObject(expected);
	});

	it('says where values of the model came from', () => {
		expect(result.ledger.explain('joint_armature', 0)).toMatchObject([
			{ source: 'authored', path: '/j', name: 'newton:armature', resolver: 'newton', value: '0.25' },
		]);
		expect(result.ledger.explain('joint_friction', 0)).toMatchObject([{ source: 'importer default', path: '/j' }]);
		expect(result.ledger.explain('shape_margin', 0)).toMatchObject([{ source: 'importer default', path: '/a' }]);
		expect(result.ledger.explain('joint_limit_lower', 0)).toMatchObject([
			{ source: 'authored', name: 'physics:lowerLimit', value: '-10' },
		]);
		expect(result.ledger.explain('joint_limit_upper', 0)).toMatchObject([{ source: 'schema default' }]);
		expect(result.ledger.explain('joint_target_ke', 0)).toMatchObject([
			{ source: 'authored', name: 'drive:angular:physics:stiffness', value: '2' },
		]);
		expect(result.ledger.explain('shape_material_mu', 0)).toMatchObject([{ source: 'builder default' }]);
	});

	it('says nothing of where values start that nobody gives', () => {
		for (const array of ['joint_q', 'joint_qd', 'shape_gap']) expect(result.ledger.explain(array, 0)).toEqual([]);
		const given = `${JOINT.slice(0, -1)}float state:angular:physics:position = 5\nfloat state:angular:physics:velocity = 6\n}`;
		const { ledger } = importText(given, { schemaResolvers: [SCHEMA_RESOLVER_PHYSX] }).result;
		expect(ledger.explain('joint_q', 0)).toMatchObject([{ name: 'state:angular:physics:position', value: '5' }]);
		expect(ledger.explain('joint_qd', 0)).toMatchObject([{ name: 'state:angular:physics:velocity', value: '6' }]);
		const fates = ledger.entries().filter(({ name }) => name.startsWith('state:'));
		expect(fates.map((entry) => [entry.class, entry.from, entry.to, ...entry.targets])).toEqual([
			['converted', 'degrees', 'radians', 'joint_q[0]'],
			['converted', 'degrees per second', 'radians per second', 'joint_qd[0]'],
		]);
	});

	it('names the file of every attribute', () => {
		expect(result.ledger.entries().every(({ file }) => file === 'root.usda')).toBe(true);
	});

	it('gives no reason twice and none for what was used', () => {
		for (const one of result.ledger.entries()) expect(one.reason === undefined).toBe(one.class !== 'ignored');
	});
});

describe('attributes of a mesh that its vertices take', () => {
	const subset = `def GeomSubset "part" (prepend apiSchemas = ["MaterialBindingAPI"]) {
			uniform token elementType = "face"
			uniform token familyName = "materialBind"
			int[] indices = [0]
			rel material:binding = </mat>
		}`;
	const mesh = (normals: string, primvars: string, parts: string): string => `
def Xform "b" (prepend apiSchemas = ["PhysicsRigidBodyAPI"]) {
	def Mesh "m" (prepend apiSchemas = ["MaterialBindingAPI"]) {
		rel material:binding = </mat>
		point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
		int[] faceVertexCounts = [3]
		int[] faceVertexIndices = [0, 1, 2]
		${normals}
		${primvars}
		float[] primvars:wear = [1] (interpolation = "constant")
		${parts}
	}
}
def Material "mat" {
	token outputs:surface.connect = </mat/s.outputs:surface>
	def Shader "s" {
		uniform token info:id = "UsdPreviewSurface"
		color3f inputs:diffuseColor.connect = </mat/t.outputs:rgb>
		token outputs:surface
	}
	def Shader "t" {
		uniform token info:id = "UsdUVTexture"
		asset inputs:file = @a.png@
		float2 inputs:st.connect = </mat/r.outputs:result>
		float3 outputs:rgb
	}
	def Shader "r" {
		uniform token info:id = "UsdPrimvarReader_float2"
		string inputs:varname = "map"
		float2 outputs:result
	}
}`;
	const fates = (normals: string, primvars: string, parts: string = subset): Record<string, string> =>
		Object.fromEntries(
			importText(mesh(normals, primvars, parts))
				.result.ledger.entries()
				.filter(({ path, name }) => path === '/b/m' && /normals|primvars/.test(name))
				.map(({ name, class: fate, targets }) => [name, [fate, ...targets].join(' ')]),
		);

	it('are used: texture coordinates that the material names, their indices, and normals', () => {
		const map = `texCoord2f[] primvars:map = [(0, 0), (1, 0), (0, 1)] (interpolation = "faceVarying")
		int[] primvars:map:indices = [2, 1, 0]`;
		expect(fates('normal3f[] primvars:normals = [(0, 0, 1)] (interpolation = "uniform")', map)).toEqual({
			'primvars:map': 'used shape_source.uvs',
			'primvars:map:indices': 'used shape_source.uvs',
			'primvars:normals': 'used shape_source.normals',
			'primvars:wear': 'ignored',
		});
		expect(fates('normal3f[] normals = [(0, 0, 1), (0, 0, 1), (0, 0, 1)]', map)['normals']).toBe(
			'used shape_source.normals',
		);
	});

	it('are ignored where they do not fit the mesh, or others go before', () => {
		const map = 'texCoord2f[] primvars:map = [(0, 0), (1, 0)] (interpolation = "vertex")';
		const both = `normal3f[] normals = [(0, 0, 1), (0, 0, 1), (0, 0, 1)]
		normal3f[] primvars:normals = [(0, 0, 1)] (interpolation = "uniform")`;
		expect(fates(both, map)).toEqual({
			normals: 'ignored',
			'primvars:map': 'ignored',
			'primvars:normals': 'used shape_source.normals',
			'primvars:wear': 'ignored',
		});
	});

	it('are ignored where the model has no use for them: normals of a mesh that is not split into subsets', () => {
		const map = 'texCoord2f[] primvars:map = [(0, 0), (1, 0), (0, 1)] (interpolation = "vertex")';
		expect(fates('normal3f[] normals = [(0, 0, 1), (0, 0, 1), (0, 0, 1)]', map, '')).toMatchObject({
			normals: 'ignored',
			'primvars:map': 'used shape_source.uvs',
		});
	});
});

describe('the velocity of a body', () => {
	const body = (settings: string): string =>
		`def Cube "b" (prepend apiSchemas = ["PhysicsRigidBodyAPI"]) {\n${settings}\n}`;

	it('comes from the attribute that says it, or from nobody', () => {
		const explained = (settings: string): unknown => importText(body(settings)).result.ledger.explain('body_qd', 0);
		expect(explained('vector3f physics:velocity = (1, 2, 3)')).toMatchObject([
			{ path: '/b', name: 'physics:velocity', why: 'physics:velocity is authored: turned into axes of the world' },
		]);
		expect(explained('')).toMatchObject([{ path: '/b', why: 'no velocity is authored' }]);
	});
});

describe('after fixed joints are merged', () => {
	it('still explains the joints that stay', () => {
		const { header, body } = robotText();
		const fixed = body.replace('PhysicsPrismaticJoint', 'PhysicsFixedJoint');
		const { result } = importText(header + fixed, { collapseFixedJoints: true });
		const joint = result.pathJointMap.get('/World/robot/shoulder')!;
		expect(result.pathJointMap.has('/World/robot/rail')).toBe(false);
		expect(result.pathBodyMap.get('/World/robot/slide')).toBe(result.pathBodyMap.get('/World/robot/arm'));
		const [provenance] = result.ledger.explain('joint_armature', 6);
		expect(joint).toBe(1);
		expect(provenance).toMatchObject({ path: '/World/robot/shoulder', name: 'newton:armature' });
	});

	it('still explains the bodies that stay, by their new numbers', () => {
		const link = (name: string, mass: number): string =>
			`def Xform "${name}" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]) {\nfloat physics:mass = ${mass}\n}\n`;
		const joint = (kind: string, name: string, from: string, to: string): string =>
			`def Physics${kind}Joint "${name}" {\nrel physics:body0 = </${from}>\nrel physics:body1 = </${to}>\n}\n`;
		const text = `${link('a', 1)}${link('b', 2)}${link('c', 3)}${joint('Fixed', 'ab', 'a', 'b')}${joint('Revolute', 'bc', 'b', 'c')}`;
		const { result } = importText(text, { collapseFixedJoints: true });
		const body = result.pathBodyMap.get('/c')!;
		expect(body).toBe(1);
		expect(result.ledger.explain('body_mass', body)).toMatchObject([{ path: '/c', value: '3' }]);
		expect(result.ledger.explain('body_mass', 2)).toEqual([]);
	});

	it('explains nothing where that is not asked for', () => {
		const { header, body } = robotText();
		const { result } = importText(header + body, { keepLedger: false });
		for (const array of ['joint_armature', 'body_mass', 'body_q', 'joint_target_ke', 'shape_margin', 'gravity'])
			for (let i = 0; i < 8; i++) expect(result.ledger.explain(array, i)).toEqual([]);
	});
});

describe('totals', () => {
	const authored = (stage: Stage): number => {
		let count = 0;
		for (const prim of stage.traverse({ instanceProxies: true, predicate: isUsualPrim })) {
			count += prim.authoredProperties().filter((property) => property instanceof Attribute).length;
		}
		return count;
	};
	const check = (stage: Stage, result: ImportUsdResult): void => {
		const { used, converted, kept, ignored, total } = result.ledger.totals();
		expect(used + converted + kept + ignored).toBe(total);
		expect(total).toBe(authored(stage));
		expect(result.ledger.entries().every((one) => one.class !== 'ignored' || (one.reason ?? '') !== '')).toBe(true);
	};

	const checkImport = (bytes: Uint8Array, identifier: string): void => {
		const stage = Stage.open(openLayer(bytes, { identifier })!);
		const builder = new ModelBuilder();
		registerMujocoAttributes(builder);
		const schemaResolvers = [SCHEMA_RESOLVER_NEWTON, SCHEMA_RESOLVER_PHYSX, SCHEMA_RESOLVER_MJC];
		check(stage, importUsd(stage, builder, { schemaResolvers }));
	};

	it('of a robot are the number of authored attributes', () => {
		const { header, body } = robotText();
		checkImport(new TextEncoder().encode(header + body), 'robot.usda');
	});

	const folder = join(import.meta.dirname, '../../../../../shared/assets/newton-tests');
	const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.usda')) : [];
	if (files.length === 0) console.log(`skipped: there is no ${folder}`);

	it.each(files)('of %s are the number of authored attributes', (name) => {
		checkImport(new Uint8Array(readFileSync(join(folder, name))), name);
	});
});

describe('a physics material', () => {
	it('is not named for what no resolver finds on it', () => {
		const { result } = importText(`
def Material "mat" (prepend apiSchemas = ["PhysicsMaterialAPI"]) {
	float physics:dynamicFriction = 0.25
}
def Cube "a" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI", "MaterialBindingAPI"]) {
	rel material:binding:physics = </mat>
}`);
		const sources = (array: string): unknown[] => result.ledger.explain(array, 0).map(({ path }) => path);
		expect(sources('shape_material_mu')).toContain('/mat');
		for (const gain of ['ke', 'kd', 'kf', 'ka']) expect(sources(`shape_material_${gain}`)).not.toContain('/mat');
	});
});

describe('attributes below instances', () => {
	it('are in the ledger by the paths of the instances', () => {
		const { result } = importText(`def Xform "inst" (instanceable = true
references = </Proto>) {}
over "Proto" {
	def Cube "c" (prepend apiSchemas = ["PhysicsCollisionAPI"]) {
		double size = 3
		custom int odd = 1
	}
}
`);
		const found = result.ledger.entries().map(({ path, name }) => `${path}.${name}`);
		expect(found.filter((entry) => entry.startsWith('/inst'))).toEqual(['/inst/c.odd', '/inst/c.size']);
	});
});
