import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ModelBuilder, registerMujocoAttributes } from '@manyworlds/model';
import { describe, expect, it } from 'vitest';
import {
	importUsd,
	SCHEMA_RESOLVER_MJC,
	SCHEMA_RESOLVER_NEWTON,
	SCHEMA_RESOLVER_PHYSX,
	type SchemaResolver,
} from '../../src/index.ts';
import { ResolverSet } from '../../src/usd/resolvers/resolver-set.ts';
import { importText, openUsd } from './usd-scene.ts';

const PHYSX_SAMPLE = `
def PhysicsScene "Scene" (prepend apiSchemas = ["PhysxSceneAPI"]) {
    uint physxScene:maxVelocityIterationCount = 16
}
def RevoluteJoint "elbow_joint" (prepend apiSchemas = ["PhysxJointAPI", "PhysxLimitAPI:angular"]) {
    float physxJoint:armature = 0.1
    float physxLimit:angular:stiffness = 1000.0
    float physxLimit:angular:damping = 10.0
    float state:angular:physics:position = 1.57
}
def Mesh "collision_shape" (prepend apiSchemas = ["PhysicsCollisionAPI", "PhysxCollisionAPI"]) {
    float physxCollision:contactOffset = 0.05
    float physxCollision:restOffset = 0.01
}
`;

describe('attributes of other solvers', () => {
	const resolvers = new ResolverSet([SCHEMA_RESOLVER_PHYSX, SCHEMA_RESOLVER_NEWTON]);
	const stage = openUsd(PHYSX_SAMPLE);
	const value = (path: string, category: 'scene' | 'joint' | 'shape', key: string): number =>
		resolvers.resolve(stage.prim(path)!, category, key).value as number;

	it.each([
		['/Scene', 'scene', 'max_solver_iterations', 16],
		['/elbow_joint', 'joint', 'armature', 0.1],
		['/elbow_joint', 'joint', 'limit_angular_ke', 1000],
		['/elbow_joint', 'joint', 'limit_angular_kd', 10],
		['/elbow_joint', 'joint', 'angular_position', 1.57],
		['/collision_shape', 'shape', 'gap', 0.04],
	] as const)('gives %s %s %s as %f', (path, category, key, expected) => {
		expect(value(path, category, key)).toBeCloseTo(expected, 6);
	});

	it('imports the sample as it stands, and says what is wrong with it', () => {
		const { result, findings } = importText(PHYSX_SAMPLE, {
			schemaResolvers: [SCHEMA_RESOLVER_PHYSX, SCHEMA_RESOLVER_NEWTON],
		});
		expect(result.maxSolverIterations).toBe(16);
		expect(findings).toEqual(
			expect.arrayContaining(['IMP093 /elbow_joint', 'IMP020 /elbow_joint', 'IMP032 /collision_shape']),
		);
	});

	it('reads the joint of the sample between bodies: degrees become radians, gains per degree per radian', () => {
		const joint = PHYSX_SAMPLE.slice(PHYSX_SAMPLE.indexOf('def RevoluteJoint'), PHYSX_SAMPLE.indexOf('def Mesh'));
		const robot = `
def Cube "base" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {}
def Cube "arm" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {}
${joint.replace('{\n', '{\n    rel physics:body0 = </base>\n    rel physics:body1 = </arm>\n')}`;
		const { builder } = importText(robot, { schemaResolvers: [SCHEMA_RESOLVER_PHYSX, SCHEMA_RESOLVER_NEWTON] });
		const [dof, coord] = [builder.column('jointQdStart')[0]!, builder.column('jointQStart')[0]!];
		expect(builder.column('jointArmature')[dof]).toBeCloseTo(0.1, 6);
		expect(builder.column('jointLimitKe')[dof]).toBeCloseTo((1000 * 180) / Math.PI, 2);
		expect(builder.column('jointLimitKd')[dof]).toBeCloseTo((10 * 180) / Math.PI, 4);
		expect(builder.column('jointQ')[coord]).toBeCloseTo((1.57 * Math.PI) / 180, 7);
	});
});

const CONFLICTING = `
def Cube "base" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {}
def Cube "arm" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {}
def RevoluteJoint "shoulder_joint" {
    rel physics:body0 = </base>
    rel physics:body1 = </arm>
    float newton:armature = 0.01
    float physxJoint:armature = 0.02
    float mjc:armature = 0.03
}
`;

describe('priority of resolvers', () => {
	const armature = (...schemaResolvers: SchemaResolver[]): number => {
		const builder = new ModelBuilder();
		registerMujocoAttributes(builder);
		importUsd(openUsd(CONFLICTING), builder, { schemaResolvers });
		return builder.column('jointArmature')[builder.column('jointQdStart')[0]!]!;
	};
	const [newton, physx, mjc] = [SCHEMA_RESOLVER_NEWTON, SCHEMA_RESOLVER_PHYSX, SCHEMA_RESOLVER_MJC];

	it.each([
		['newton', [newton, physx, mjc], 0.01],
		['newton', [newton, mjc, physx], 0.01],
		['physx', [physx, newton, mjc], 0.02],
		['physx', [physx, mjc, newton], 0.02],
		['mjc', [mjc, newton, physx], 0.03],
		['mjc', [mjc, physx, newton], 0.03],
	] as const)('takes the armature of %s when it comes first', (_name, order, expected) => {
		expect(armature(...order)).toBeCloseTo(expected, 7);
	});

	it('goes by layers: authored, then the importer, then the schema', () => {
		const stage = openUsd(
			'def PhysicsRevoluteJoint "a" { float physxJoint:armature = 0 }\ndef PhysicsRevoluteJoint "b" {}',
		);
		const set = new ResolverSet([physx]);
		expect(set.resolve(stage.prim('/a')!, 'joint', 'armature', 0.99)).toMatchObject({ value: 0, source: 'authored' });
		expect(set.resolve(stage.prim('/b')!, 'joint', 'armature', 0.99)).toMatchObject({
			value: 0.99,
			source: 'importer default',
		});
		expect(set.resolve(stage.prim('/b')!, 'joint', 'armature')).toMatchObject({ value: 0, source: 'schema default' });
		expect(set.resolve(stage.prim('/b')!, 'joint', 'no_such_key')).toMatchObject({ value: undefined, source: 'none' });
	});

	it('passes on to the next where a resolver makes nothing of what is authored', () => {
		const stage = openUsd('def PhysicsRevoluteJoint "a" { float own:armature = 7\nfloat physxJoint:armature = 0.5 }');
		const own: SchemaResolver = {
			name: 'own',
			mapping: {
				joint: { armature: { name: 'own:armature', transform: (value) => (value === 7 ? undefined : value) } },
			},
		};
		const prim = stage.prim('/a')!;
		expect(new ResolverSet([own, physx]).resolve(prim, 'joint', 'armature')).toMatchObject({
			value: 0.5,
			resolver: physx,
		});
		expect(new ResolverSet([own]).resolve(prim, 'joint', 'armature', 3)).toMatchObject({
			value: 3,
			source: 'importer default',
		});
	});

	it('takes an authored false or zero for a value', () => {
		const stage = openUsd('def PhysicsScene "s" { bool newton:gravityEnabled = false }');
		const { value, source } = new ResolverSet([newton]).resolve(stage.prim('/s')!, 'scene', 'gravity_enabled', true);
		expect([value, source]).toEqual([false, 'authored']);
	});
});

describe('margin of MuJoCo assets', () => {
	const asset = `
def Cube "box" (prepend apiSchemas = ["PhysicsCollisionAPI", "PhysicsRigidBodyAPI"]) {
    float mjc:margin = 0.05
    float mjc:gap = 0.02
}`;
	const distances = (newtonCompat: boolean): number[] => {
		const builder = new ModelBuilder();
		registerMujocoAttributes(builder);
		importUsd(openUsd(asset), builder, { schemaResolvers: [SCHEMA_RESOLVER_MJC], newtonCompat });
		return [builder.column('shapeMargin')[0]!, builder.column('shapeGap')[0]!];
	};

	it('is mjc:margin less mjc:gap', () => {
		expect(distances(false)[0]).toBeCloseTo(0.03, 6);
		expect(distances(false)[1]).toBeCloseTo(0.02, 6);
	});

	it('is mjc:margin itself when Newton is followed', () => {
		expect(distances(true)[0]).toBeCloseTo(0.05, 6);
		expect(distances(true)[1]).toBeCloseTo(0.02, 6);
	});
});

describe('collected attributes', () => {
	it('stand in the result by resolver, prim and name, as they were authored', () => {
		const { result } = importText(CONFLICTING, { schemaResolvers: [SCHEMA_RESOLVER_PHYSX, SCHEMA_RESOLVER_NEWTON] });
		expect(result.schemaAttrs.get('physx')!.get('/shoulder_joint')!.get('physxJoint:armature')).toBeCloseTo(0.02, 7);
		expect([...result.schemaAttrs.get('newton')!.get('/shoulder_joint')!.keys()]).toEqual(['newton:armature']);
		expect(result.schemaAttrs.get('mjc')).toBeUndefined();
	});

	it('go by the first part of the name alone', () => {
		const stage = openUsd(
			'def Xform "x" { float physx:a = 1\nfloat physxFoo:b = 2\nrel physx:c = </x>\nfloat drive:d = 3 }',
		);
		const set = new ResolverSet([SCHEMA_RESOLVER_PHYSX]);
		set.collect(stage.prim('/x')!);
		expect([...set.collected.get('physx')!.get('/x')!.keys()]).toEqual(['drive:d', 'physx:a']);
	});

	it('hold four-part names of MuJoCo', () => {
		const stage = openUsd('def Xform "x" { float mjc:model:joint:testMjcJointScalar = 3.5 }');
		const set = new ResolverSet([SCHEMA_RESOLVER_MJC]);
		set.collect(stage.prim('/x')!);
		expect(set.collected.get('mjc')!.get('/x')!.get('mjc:model:joint:testMjcJointScalar')).toBe(3.5);
	});
});

describe('self-collision of articulations', () => {
	const robot = (settings: string): string => `
def Xform "robot" (prepend apiSchemas = ["PhysicsArticulationRootAPI"]) {
    ${settings}
    def Cube "a" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {}
    def Cube "b" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {}
    def Cube "c" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {}
    def PhysicsRevoluteJoint "ab" { rel physics:body0 = </robot/a>\nrel physics:body1 = </robot/b> }
    def PhysicsRevoluteJoint "bc" { rel physics:body0 = </robot/b>\nrel physics:body1 = </robot/c> }
}`;
	const pairs = (settings: string, enableSelfCollisions?: boolean): number =>
		importText(robot(settings), {
			schemaResolvers: [SCHEMA_RESOLVER_PHYSX, SCHEMA_RESOLVER_NEWTON],
			...(enableSelfCollisions === undefined ? {} : { enableSelfCollisions }),
		}).model().shapeContactPairs.length / 2;

	it.each([
		['nothing authored', '', undefined, 1],
		['the option', '', false, 0],
		['PhysX off', 'bool physxArticulation:enabledSelfCollisions = false', undefined, 0],
		['PhysX on over the option', 'bool physxArticulation:enabledSelfCollisions = true', false, 1],
		['Newton off', 'bool newton:selfCollisionEnabled = false', undefined, 0],
	] as const)('%s', (_name, settings, option, expected) => {
		// neighbours are apart by their joints; a and c may touch
		expect(pairs(settings, option)).toBe(expected);
	});
});

describe('many mesh colliders on one body', () => {
	it('are all imported', () => {
		const tetrahedron = (i: number): string => `
    def Mesh "m${i}" (prepend apiSchemas = ["PhysicsCollisionAPI"]) {
        double3 xformOp:translate = (${2 * i}, 0, 0)
        uniform token[] xformOpOrder = ["xformOp:translate"]
        point3f[] points = [(0,0,0),(1,0,0),(0,1,0),(0,0,1)]
        int[] faceVertexCounts = [3,3,3,3]
        int[] faceVertexIndices = [0,2,1, 0,1,3, 0,3,2, 1,2,3]
    }`;
		const count = 200;
		const { builder, findings } = importText(
			`def Xform "b" (prepend apiSchemas = ["PhysicsRigidBodyAPI"]) {${Array.from({ length: count }, (_, i) => tetrahedron(i)).join('')}}`,
		);
		expect(findings).toEqual([]);
		expect(builder.shapeCount).toBe(count);
		expect(builder.column('bodyMass')[0]).toBeCloseTo((1000 * count) / 6, 6);
	});
});

describe('the seed itself', () => {
	const folder = join(import.meta.dirname, '../../../../../shared/seeds');
	const isThere = existsSync(folder);
	if (!isThere) console.log(`skipped: there is no ${folder}`);

	it.skipIf(!isThere)('has no USD sample that does not parse', () => {
		const name = readdirSync(folder).find((file) => file.startsWith('000'))!;
		const text = readFileSync(join(folder, name), 'utf8');
		const samples = text.split(/^(?=#usda 1\.0)/m).slice(1);
		expect(samples.length).toBeGreaterThan(1);
		for (const sample of samples) {
			// a sample ends with the last brace before prose begins again
			const end = sample.search(/\n\n(?=[A-Z][a-z]+[^\n]*\n)/);
			const stage = openUsd(sample.slice(0, end < 0 ? undefined : end).replaceAll('→', '->'));
			expect([...stage.traverse()].length).toBeGreaterThan(1);
		}
	});
});
