import { ModelBuilder } from '@manyworlds/model';
import type { AttributeArray } from '@manyworlds/model/internal';
import { describe, expect, it } from 'vitest';
import { importUsd } from '../../src/index.ts';
import { importText, openUsd } from './usd-scene.ts';

const numbers = (values: AttributeArray): number[] => Array.from(values as ArrayLike<number>, Number);

/** The sample of the specification, with bodies for the joint to connect. */
const SAMPLE = `
def PhysicsScene "physicsScene" {
    custom float newton:mass_scale = 1.0 (customData = { string assignment = "model"\nstring frequency = "body" })
    custom float3 newton:local_marker = (0.0, 0.0, 0.0) (customData = { string assignment = "model"\nstring frequency = "body" })
    custom bool newton:is_sensor = false (customData = { string assignment = "model"\nstring frequency = "body" })
    custom float3 newton:target_position = (0.0, 0.0, 0.0) (customData = { string assignment = "state"\nstring frequency = "body" })
    custom float newton:namespace_a:mass_scale = 1.0 (customData = { string assignment = "state"\nstring frequency = "body" })
    custom float newton:namespace_a:gear_ratio = 1.0 (customData = { string assignment = "model"\nstring frequency = "joint" })
    custom float2 newton:namespace_a:pid_gains = (0.0, 0.0) (customData = { string assignment = "control"\nstring frequency = "joint" })
    custom float newton:articulation_stiffness = 100.0 (customData = { string assignment = "model"\nstring frequency = "articulation" })
}
def Xform "robot_articulation" (prepend apiSchemas = ["PhysicsArticulationRootAPI"]) {
    custom float newton:articulation_stiffness = 150.0
    def Cube "robot_body" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {
        custom float newton:mass_scale = 1.5
        custom float3 newton:local_marker = (0.1, 0.2, 0.3)
        custom bool newton:is_sensor = true
        custom float3 newton:target_position = (1.0, 2.0, 3.0)
        custom float newton:namespace_a:mass_scale = 2.5
    }
    def Cube "other_body" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {}
    def RevoluteJoint "joint1" {
        rel physics:body0 = </robot_articulation/robot_body>
        rel physics:body1 = </robot_articulation/other_body>
        custom float newton:namespace_a:gear_ratio = 2.25
        custom float2 newton:namespace_a:pid_gains = (100.0, 10.0)
    }
}
`;

describe('custom attributes declared on the scene', () => {
	const { result, model: finalize } = importText(SAMPLE);
	const model = finalize();
	const body = result.pathBodyMap.get('/robot_articulation/robot_body')!;
	const joint = result.pathJointMap.get('/robot_articulation/joint1')!;
	const row = (values: ArrayLike<number | string>, index: number, width: number): number[] =>
		Array.from({ length: width }, (_, i) => Number(values[index * width + i]));

	it('are on the model, the state and the control', () => {
		const state = model.createState();
		const control = model.createControl();
		expect(row(model.attributes.get('mass_scale'), body, 1)).toEqual([1.5]);
		expect(row(model.attributes.get('local_marker'), body, 3).map((x) => Number(x.toFixed(6)))).toEqual([
			0.1, 0.2, 0.3,
		]);
		expect(row(model.attributes.get('is_sensor'), body, 1)).toEqual([1]);
		expect(row(state.attributes.get('target_position'), body, 3)).toEqual([1, 2, 3]);
		expect(row(state.attributes.get('namespace_a:mass_scale'), body, 1)).toEqual([2.5]);
		expect(row(model.attributes.get('namespace_a:gear_ratio'), joint, 1)).toEqual([2.25]);
		expect(row(control.attributes.get('namespace_a:pid_gains'), joint, 2)).toEqual([100, 10]);
		expect(numbers(model.attributes.get('articulation_stiffness'))).toEqual([150]);
	});

	it('have their defaults on everything else', () => {
		const other = result.pathBodyMap.get('/robot_articulation/other_body')!;
		expect(row(model.attributes.get('mass_scale'), other, 1)).toEqual([1]);
		expect(row(model.attributes.get('is_sensor'), other, 1)).toEqual([0]);
		expect(row(model.createState().attributes.get('target_position'), other, 3)).toEqual([0, 0, 0]);
	});
});

describe('what there is one value for', () => {
	it.each([
		...['once', 'world', 'body', 'shape', 'joint', 'joint_dof', 'joint_coord', 'joint_constraint', 'articulation'],
		...['particle', 'edge', 'triangle', 'tetrahedron', 'spring', 'constraint_mimic'],
	])('may be %s', (frequency) => {
		const { model: finalize, findings } = importText(`
def PhysicsScene "s" {
    custom float newton:own = 3 (customData = { string assignment = "model"\nstring frequency = "${frequency}" })
}
def Cube "b" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {}`);
		expect(findings.filter((finding) => finding.startsWith('IMP070'))).toEqual([]);
		expect(finalize().attributes.has('own')).toBe(true);
	});

	it('of a joint may be its coordinates, of which a ball joint has four', () => {
		const { model: finalize } = importText(`
def PhysicsScene "s" {
    custom float newton:own = 3 (customData = { string assignment = "model"\nstring frequency = "joint_coord" })
}
def Xform "r" (prepend apiSchemas = ["PhysicsArticulationRootAPI"]) {
    def Cube "a" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {}
    def Cube "b" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {}
    def PhysicsSphericalJoint "j" {
        rel physics:body0 = </r/a>
        rel physics:body1 = </r/b>
        custom float newton:own = 7
    }
}`);
		const model = finalize();
		const joint = model.jointLabels.indexOf('/r/j');
		const at = model.jointQStart[joint]!;
		expect(numbers(model.attributes.get('own')).slice(at, model.jointQStart[joint + 1])).toEqual([7, 7, 7, 7]);
	});
});

describe('quaternions', () => {
	it.each(['quatf', 'quatd', 'quath'])('of type %s are reordered and made of unit length', (type) => {
		const { model: finalize } = importText(`
def PhysicsScene "s" {
    custom ${type} newton:turn = (1, 0, 0, 0) (customData = { string assignment = "model"\nstring frequency = "body" })
}
def Cube "b" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) { custom ${type} newton:turn = (0, 2, 0, 0) }
def Cube "c" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {}`);
		expect(numbers(finalize().attributes.get('turn'))).toEqual([1, 0, 0, 0, 0, 0, 0, 1]);
	});
});

describe('types', () => {
	it.each([
		['float', '2.5', [2.5]],
		['double', '2.5', [2.5]],
		['bool', 'true', [1]],
		['int', '7', [7]],
		['float2', '(1, 2)', [1, 2]],
		['float3', '(1, 2, 3)', [1, 2, 3]],
		['float4', '(1, 2, 3, 4)', [1, 2, 3, 4]],
	])('%s', (type, text, expected) => {
		const zero = text.replace(/[\d.]+|true/g, (part) => (part === 'true' ? 'false' : '0'));
		const { model: finalize, findings } = importText(`
def PhysicsScene "s" {
    custom ${type} newton:x = ${zero} (customData = { string assignment = "MODEL"\nstring frequency = "Shape" })
}
def Cube "b" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) { custom ${type} newton:x = ${text} }`);
		expect(findings).toEqual([]);
		expect(numbers(finalize().attributes.get('x'))).toEqual(expected);
	});
});

describe('what a scene declares', () => {
	const declared = (
		type: string,
		value: string,
		assignment: string = 'model',
		frequency: string = 'body',
		name: string = 'x',
	) => {
		const { builder, result, findings } = importText(
			`def PhysicsScene "s" { custom ${type} newton:${name} = ${value} (customData = { string assignment = "${assignment}"\nstring frequency = "${frequency}" }) }`,
		);
		expect(findings).toEqual([]);
		const fate = result.ledger.entries().find((entry) => entry.name === `newton:${name}`);
		return { declaration: builder.attributeDeclarations().at(-1)!, fate };
	};

	it.each([
		['bool', 'true', 'bool', true],
		['int', '-3', 'i32', -3],
		['uint', '3', 'i32', 3],
		['int64', '3', 'i32', 3],
		['uint64', '3', 'i32', 3],
		['uchar', '3', 'i32', 3],
		['half', '0.5', 'f32', 0.5],
		['float', '0.5', 'f32', 0.5],
		['double', '0.5', 'f32', 0.5],
		['float2', '(1, 2)', 'vec2', [1, 2]],
		['int2', '(1, 2)', 'vec2', [1, 2]],
		['color3f', '(1, 2, 3)', 'vec3', [1, 2, 3]],
		['double4', '(1, 2, 3, 4)', 'vec4', [1, 2, 3, 4]],
		['quatf', '(0.8, 0, 0.6, 0)', 'quat', [0, 0.6, 0, 0.8]],
	])('of %s %s is a %s', (type, value, expected, initial) => {
		const { declaration, fate } = declared(type, value);
		expect(declaration).toMatchObject({ name: 'x', type: expected, owner: 'model', frequency: 'body' });
		const found = declaration.default as number | readonly number[];
		if (typeof found === 'object') expect(Array.from(found, (x) => Number(x.toFixed(6)))).toEqual(initial);
		else expect(found).toBe(initial);
		expect(declaration.namespace).toBeUndefined();
		expect(fate).toMatchObject({ class: 'kept', targets: ['x'], note: `declares a ${expected} per body` });
	});

	it.each([
		['once', 'once'],
		['world', 'world'],
		['body', 'body'],
		['shape', 'shape'],
		['joint', 'joint'],
		['joint_dof', 'jointDof'],
		['joint_coord', 'jointCoord'],
		['joint_constraint', 'jointConstraint'],
		['articulation', 'articulation'],
		['constraint_mimic', 'constraintMimic'],
		['JOINT_DOF', 'jointDof'],
	])('per %s', (word, frequency) => {
		expect(declared('int', '1', 'model', word).declaration.frequency).toBe(frequency);
	});

	it.each([
		['model', 'model'],
		['state', 'state'],
		['control', 'control'],
		['contact', 'contacts'],
		['Model', 'model'],
	])('for the %s', (word, owner) => {
		expect(declared('int', '1', word).declaration.owner).toBe(owner);
	});

	it('may have a namespace', () => {
		const { declaration, fate } = declared('int', '1', 'model', 'body', 'acme:wear');
		expect(declaration).toMatchObject({ namespace: 'acme', name: 'wear' });
		expect(fate).toMatchObject({ targets: ['acme:wear'] });
	});

	it('does not count where the builder has it otherwise', () => {
		const builder = new ModelBuilder();
		builder.defineAttribute({ name: 'x', type: 'vec3', frequency: 'body', owner: 'model' });
		const text = 'custom int newton:x = 1 (customData = { string assignment = "model"\nstring frequency = "body" })';
		const { report, ledger } = importUsd(openUsd(`def PhysicsScene "s" { ${text} }`), builder);
		expect(report.toArray().map(({ code, prim }) => `${code} ${prim}`)).toEqual(['IMP072 /s.newton:x']);
		expect(ledger.entries().find(({ name }) => name === 'newton:x')).toMatchObject({
			class: 'kept',
			note: 'among the collected attributes',
		});
	});
});

describe('malformed declarations', () => {
	const declared = (attribute: string): readonly string[] =>
		importText(`def PhysicsScene "s" { ${attribute} }`).findings;
	const data = '(customData = { string assignment = "model"\nstring frequency = "body" })';

	it.each([
		['without customData', 'custom float newton:x = 1'],
		['without a frequency', 'custom float newton:x = 1 (customData = { string assignment = "model" })'],
		[
			'with an unknown frequency',
			'custom float newton:x = 1 (customData = { string assignment = "model"\nstring frequency = "wheel" })',
		],
		[
			'with an unknown assignment',
			'custom float newton:x = 1 (customData = { string assignment = "cloud"\nstring frequency = "body" })',
		],
		['of a text', `custom string newton:x = "abc" ${data}`],
		['of an array', `custom float[] newton:x = [1, 2, 3] ${data}`],
		['of a matrix', `custom matrix3d newton:x = ((1,0,0),(0,1,0),(0,0,1)) ${data}`],
		['without a value', `custom float newton:x ${data}`],
	])('%s are reported', (_name, attribute) => {
		expect(declared(attribute)).toEqual(['IMP070 /s.newton:x']);
	});

	it('with too many parts in the name are reported', () => {
		expect(declared(`custom float newton:a:b:c = 1 ${data}`)).toEqual(['IMP070 /s.newton:a:b:c']);
	});

	it('and values of another type leave the default', () => {
		const { findings, model } = importText(`
def PhysicsScene "s" { custom float3 newton:x = (1, 1, 1) ${data} }
def Cube "b" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) { custom float newton:x = 5 }`);
		expect(findings).toEqual(['IMP071 /b.newton:x']);
		expect(numbers(model().attributes.get('x'))).toEqual([1, 1, 1]);
	});
});

describe('values of degrees of freedom', () => {
	it('spread over every axis of a joint', () => {
		const { builder } = importText(`
def PhysicsScene "s" { custom float newton:x = 0 (customData = { string assignment = "model"\nstring frequency = "joint_dof" }) }
def Cube "a" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {}
def Cube "b" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {}
def PhysicsSphericalJoint "j" { rel physics:body0 = </a>\nrel physics:body1 = </b>\ncustom float newton:x = 4 }`);
		expect(numbers(builder.attributeValues('x'))).toEqual([4, 4, 4]);
	});
});
