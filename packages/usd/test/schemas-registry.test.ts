import { describe, expect, test } from 'vitest';
import { SchemaRegistry, T } from '../src/index.ts';
import { dataOf } from '../src/internal.ts';

const registry = SchemaRegistry.standard;

describe('kinds and derivation', () => {
	test('a schema knows its kind, family, version, type and library', () => {
		expect(registry.find('DomeLight_1')).toMatchObject({
			family: 'DomeLight',
			version: 1,
			kind: 'concreteTyped',
			typeName: 'UsdLuxDomeLight_1',
			bases: ['NonboundableLightBase'],
			library: 'usdLux',
		});
		expect(registry.findType('UsdPhysicsDriveAPI')?.identifier).toBe('PhysicsDriveAPI');
		expect(registry.find('NewtonSceneAPI')?.typeName).toBe('NewtonPhysicsSceneAPI');
	});

	test('versions of a family come with the highest first', () => {
		expect(registry.familyVersions('Capsule').map(({ identifier }) => identifier)).toEqual(['Capsule_1', 'Capsule']);
		expect(registry.findVersion('Capsule', 0)?.identifier).toBe('Capsule');
		expect(registry.findVersion('Capsule', 7)).toBeUndefined();
		expect(registry.familyVersions('Capsule_1')).toEqual([]);
	});

	test.each([
		['PhysicsRevoluteJoint', 'Imageable', true],
		['PhysicsRevoluteJoint', 'Xformable', false],
		['Mesh', 'Mesh', true],
		['Mesh', 'SchemaBase', true],
		['Imageable', 'Mesh', false],
		['PhysicsMassAPI', 'APISchemaBase', true],
		['PhysicsMassAPI', 'Typed', false],
		['NoSuchType', 'Typed', false],
		['Mesh', 'NoSuchType', false],
		['NoSuchType', 'NoSuchType', false],
	])('isA(%s, %s) is %s', (type, base, expected) => {
		expect(registry.isA(type, base)).toBe(expected);
	});

	test('derived types are found through every step', () => {
		const joints = registry.derivedTypes('PhysicsJoint');
		expect(joints).toContain('PhysicsFixedJoint');
		expect(joints).toContain('PhysxPhysicsGearJoint');
		expect(joints).not.toContain('PhysicsJoint');
		expect(registry.derivedTypes('Typed')).toContain('Mesh');
		expect(registry.derivedTypes('Mesh')).toEqual([]);
		expect(registry.derivedTypes('NoSuchType')).toEqual([]);
	});

	test('kinds are told apart', () => {
		expect(registry.isConcrete('Mesh')).toBe(true);
		expect(registry.isConcrete('Gprim')).toBe(false);
		expect(registry.isAbstract('Gprim')).toBe(true);
		expect(registry.isAppliedSchema('CollectionAPI')).toBe(true);
		expect(registry.isAppliedSchema('ModelAPI')).toBe(false);
		expect(registry.kindOf('NoSuchType')).toBeUndefined();
	});
});

describe('definitions', () => {
	test('fallbacks are typed values', () => {
		const fallback = (type: string, apis: readonly string[], name: string) =>
			registry.primDefinition(type, apis).property(name)?.fallback;
		expect(dataOf(fallback('PhysicsScene', [], 'physics:gravityMagnitude'), T.float)).toBe(Number.NEGATIVE_INFINITY);
		const drive = fallback('PhysicsRevoluteJoint', ['PhysicsDriveAPI:angular'], 'drive:angular:physics:maxForce');
		expect(dataOf(drive, T.float)).toBe(Number.POSITIVE_INFINITY);
		// text has the real part first, memory last
		expect(dataOf(fallback('PhysicsJoint', [], 'physics:localRot0'), T.quatf)).toEqual(new Float32Array([0, 0, 0, 1]));
		expect(dataOf(fallback('Xform', ['PhysicsMassAPI'], 'physics:principalAxes'), T.quatf)).toEqual(
			new Float32Array(4),
		);
		expect(dataOf(fallback('SphereLight', [], 'inputs:color'), T.float3)).toEqual(new Float32Array([1, 1, 1]));
		const extent = new Float32Array([-0.5, -0.5, -1, 0.5, 0.5, 1]);
		expect(dataOf(fallback('Capsule', [], 'extent'), T.float3.array)).toEqual(extent);
		const solvers = fallback('PhysicsScene', ['NewtonMPMSceneAPI'], 'newton:mpm:rheologySolvers');
		expect(dataOf(solvers, T.token.array)).toEqual(['auto']);
		expect(dataOf(fallback('SpatialAudio', [], 'filePath'), T.asset)).toBe('');
		const stiffness = fallback('Mesh', ['NewtonSDFCollisionAPI'], 'newton:hydroelasticStiffness');
		expect(dataOf(stiffness, T.float)).toBe(1e10);
		expect(dataOf(fallback('Mesh', ['NewtonMassAPI'], 'newton:inertia'), T.double.array)).toEqual(new Float64Array());
		// a float is rounded to a float
		expect(dataOf(fallback('DistantLight', [], 'inputs:angle'), T.float)).toBe(Math.fround(0.53));
		expect(fallback('Xform', [], 'xformOpOrder')).toBeUndefined();
	});

	test('built-in schemas come along, and theirs', () => {
		expect(registry.primDefinition('PhysicsCollisionGroup').appliedSchemas).toEqual(['CollectionAPI:colliders']);
		expect(
			registry.primDefinition('PhysicsCollisionGroup').attribute('collection:colliders:expansionRule'),
		).toBeDefined();
		const mass = registry.primDefinition('Xform', ['NewtonMassAPI']);
		expect(mass.appliedSchemas).toEqual(['NewtonMassAPI', 'PhysicsMassAPI']);
		expect(mass.attribute('physics:mass')?.schema).toBe('PhysicsMassAPI');
		expect(registry.primDefinition('Mesh', ['MjcMeshCollisionAPI']).appliedSchemas).toEqual([
			'MjcMeshCollisionAPI',
			'NewtonMeshCollisionAPI',
			'NewtonCollisionAPI',
			'PhysicsCollisionAPI',
			'PhysicsMeshCollisionAPI',
		]);
	});

	test('a type overrides properties of its built-in schemas', () => {
		const light = registry.primDefinition('DistantLight');
		expect(dataOf(light.attribute('inputs:intensity')?.fallback, T.float)).toBe(50000);
		expect(dataOf(light.attribute('light:shaderId')?.fallback, T.token)).toBe('DistantLight');
		// what the override does not say comes from the schema that defines the property
		expect(dataOf(light.attribute('inputs:intensity')?.metadata.get('displayGroup'), T.string)).toBe('Basic');
		expect(light.attribute('light:shaderId')?.variability).toBe('uniform');
		expect(dataOf(registry.primDefinition('PluginLight').attribute('inputs:intensity')?.fallback, T.float)).toBe(1);
	});

	test('properties of a type come first, in the order of its schema', () => {
		expect(registry.primDefinition('Cube').propertyNames).toEqual([
			'doubleSided',
			'extent',
			'orientation',
			'primvars:displayColor',
			'primvars:displayOpacity',
			'proxyPrim',
			'purpose',
			'size',
			'visibility',
			'xformOpOrder',
		]);
		const names = registry.primDefinition('Xform', ['PhysicsMassAPI']).propertyNames;
		expect(names.slice(0, 4)).toEqual(['proxyPrim', 'purpose', 'visibility', 'xformOpOrder']);
		expect(names[4]).toBe('physics:centerOfMass');
	});

	test('allowed tokens, limits and constraints are metadata', () => {
		const mesh = registry.primDefinition('Mesh', ['NewtonMassAPI', 'NewtonMPMMaterialAPI']);
		expect(mesh.attribute('subdivisionScheme')?.allowedTokens).toEqual(['catmullClark', 'loop', 'bilinear', 'none']);
		expect(dataOf(mesh.attribute('newton:inertia')?.metadata.get('arraySizeConstraint'), T.int64)).toBe(6n);
		const limits = dataOf(mesh.attribute('newton:mpm:poissonsRatio')?.metadata.get('limits'), T.dictionary);
		const hard = dataOf(limits?.get('hard'), T.dictionary);
		expect(dataOf(hard?.get('minimum'), T.float)).toBe(-1);
		expect(dataOf(hard?.get('maximum'), T.float)).toBe(0.5);
	});

	test('what nobody knows gives nothing and breaks nothing', () => {
		expect(registry.primDefinition('').propertyNames).toEqual([]);
		const unknown = registry.primDefinition('NoSuchType', ['NoSuchAPI', 'PhysicsMassAPI', 'NoSuchAPI:x']);
		expect(unknown.typeName).toBe('NoSuchType');
		expect(unknown.appliedSchemas).toEqual(['PhysicsMassAPI']);
		expect(unknown.problems).toEqual([]);
		// as in OpenUSD, a prim gets nothing from an abstract type, though the type has a definition
		expect(registry.primDefinition('Gprim').propertyNames).toEqual([]);
		expect(registry.definitionOf('Gprim')?.propertyNames).toContain('doubleSided');
		expect(registry.definitionOf('NoSuchType')).toBeUndefined();
		for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
			expect(registry.find(name)).toBeUndefined();
			expect(registry.primDefinition(name, [name]).propertyNames).toEqual([]);
		}
	});

	test('the same arguments give the same definition', () => {
		const first = registry.primDefinition('Xform', ['PhysicsMassAPI', 'PhysicsRigidBodyAPI']);
		expect(registry.primDefinition('Xform', ['PhysicsMassAPI', 'PhysicsRigidBodyAPI'])).toBe(first);
		expect(registry.primDefinition('Xform', ['PhysicsRigidBodyAPI', 'PhysicsMassAPI'])).not.toBe(first);
		expect(registry.primDefinition('Xform')).toBe(registry.primDefinition('Xform', []));
	});

	test('an applied schema is repeated once at most', () => {
		const joint = registry.primDefinition('PhysicsJoint', ['PhysicsLimitAPI:rotX', 'PhysicsLimitAPI:rotX']);
		expect(joint.appliedSchemas).toEqual(['PhysicsLimitAPI:rotX']);
		expect(joint.hasSchema('PhysicsLimitAPI')).toBe(true);
		expect(joint.hasSchema('PhysicsLimitAPI:rotX')).toBe(true);
		expect(joint.hasSchema('PhysicsLimitAPI:rotY')).toBe(false);
		expect(joint.hasSchema('PhysicsLimit')).toBe(false);
	});

	test('instance names are required where they belong', () => {
		const definition = registry.primDefinition('PhysicsJoint', ['PhysicsDriveAPI', 'PhysicsMassAPI:x']);
		expect(definition.appliedSchemas).toEqual([]);
		expect(definition.problems.map(({ code }) => code)).toEqual(['SCH005', 'SCH005']);
	});
});

describe('what may be applied where', () => {
	test.each([
		['NewtonSceneAPI', 'PhysicsScene', undefined],
		['NewtonSceneAPI', 'Xform', "'NewtonSceneAPI' can only be applied to PhysicsScene, not to 'Xform'"],
		['NewtonJointAPI', 'PhysicsRevoluteJoint', undefined],
		['PhysicsDriveAPI:angular', 'PhysicsRevoluteJoint', undefined],
		['PhysicsDriveAPI', 'PhysicsRevoluteJoint', "'PhysicsDriveAPI' needs an instance name"],
		['PhysicsMassAPI:x', 'Xform', "'PhysicsMassAPI' cannot have an instance name"],
		['ModelAPI', 'Xform', "'ModelAPI' is not a schema that can be applied"],
		['NoSuchAPI', 'Xform', "no schema 'NoSuchAPI' is known"],
		['CollectionAPI:mode', 'Xform', "'mode' is not an allowed instance name of 'CollectionAPI'"],
		['CollectionAPI:a:mode', 'Xform', "'a:mode' is not an allowed instance name of 'CollectionAPI'"],
	])('%s on %s', (schema, type, reason) => {
		expect(registry.whyNotApply(schema, type)).toBe(reason);
	});
});

test('OpenUSD alone knows nothing of the schemas of simulators', () => {
	expect(SchemaRegistry.openUsd.find('NewtonSceneAPI')).toBeUndefined();
	const schemas = ['PhysxRigidBodyAPI', 'PhysicsRigidBodyAPI', 'MjcJointAPI'];
	expect(SchemaRegistry.openUsd.primDefinition('Xform', schemas).appliedSchemas).toEqual(['PhysicsRigidBodyAPI']);
	expect(registry.find('RosTopicAPI')).toBeDefined();
	expect(registry.find('ExtendedPhysicsMimicAPI')).toBeDefined();
});
