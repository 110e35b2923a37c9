import { describe, it } from 'vitest';
import { expectMarked, layerOf } from './marked.ts';

const layers = (name: string, body: string, rest: Readonly<Record<string, string>> = {}): Record<string, string> => ({
	'robot.usda': layerOf(
		'def Xform "robot" { }',
		`defaultPrim = "robot"\n\tsubLayers = [${[name, ...Object.keys(rest)].map((file) => `@./${file}@`).join(', ')}]`,
	),
	[name]: layerOf(body),
	...rest,
});

describe('opinions of vendors', () => {
	const rules = ['R1.2.1.12', 'R1.3.18', 'R1.3.19', 'R1.4.1', 'R1.4.2', 'R1.4.4', 'R4.2.2.3'];
	const link = (lines: string, schemas = '"PhysxRigidBodyAPI"', mark = ''): string =>
		`over "robot" {\ndef Xform "link" (\nprepend apiSchemas = [${schemas}]${mark}\n) {\n${lines}\n}\n}`;

	it('stand in layers of their own', () => {
		const two = 'float physxRigidBody:damping = 1\nfloat mjc:damping = 1';
		const marked = (rule: string): string =>
			link(`float physxRigidBody:damping = 1\nfloat mjc:damping = 1 # ${rule}`, '"PhysxRigidBodyAPI"', ` # ${rule}`);
		expectMarked(rules, { 'robot.usda': layerOf(marked('R1.4.1').replace('over', 'def Xform')) });
		expectMarked(rules, layers('physics.usda', marked('R1.4.2')));
		expectMarked(rules, layers('other.usda', marked('R1.4.4')));
		for (const name of [
			'physx',
			'isaac',
			'mujoco',
			'newton',
			'robot_gazebo',
			'drake',
			'unity',
			'unreal',
			'o3de',
			'genesis',
			'simready',
		])
			expectMarked(rules, layers(`${name}.usda`, link(two)));
	});

	it('with a neutral equivalent take that, in layers of vendors too', () => {
		const schemas = [
			'NewtonMimicAPI',
			'PhysxMimicJointAPI:rotX',
			'MjcEqualityJointAPI',
			'NewtonMaxEffortClampingAPI',
			'NewtonDCMotorClampingAPI',
			'NewtonPositionBasedClampingAPI',
		];
		for (const schema of schemas) {
			expectMarked(rules, layers('other.usda', link('', `"${schema}"`, ' # R1.3.18')));
			expectMarked(rules, layers('physics.usda', link('', `"${schema}"`, ' # R1.3.18')));
			expectMarked(rules, layers('newton.usda', link('', `"${schema}"`, ' # R4.2.2.3')));
		}
		for (const schema of ['MimicJointAPI', 'ExtendedPhysicsMimicJointAPI']) {
			expectMarked(rules, layers('other.usda', link('', `"${schema}"`, ' # R1.3.18')));
		}
		for (const name of [
			'newton:mimicCoef0',
			'physxMimicJoint:rotX:gearing',
			'newton:torsionalFriction',
			'newton:rollingFriction',
		])
			expectMarked(rules, layers('other.usda', `over "robot" {\nfloat ${name} = 1 # R1.3.18\n}`));
		expectMarked(rules, layers('other.usda', 'over "robot" {\ndef NewtonActuator "a" { } # R1.3.18\n}'));
		expectMarked(rules, layers('other.usda', 'over "robot" {\nfloat newton:friction = 1 # R1.4.4\n}'));
		// one finding for each prim
		expectMarked(
			rules,
			layers(
				'newton.usda',
				'over "robot" {\nfloat newton:rollingFriction = 1 # R4.2.2.3\nfloat newton:torsionalFriction = 1\n}',
			),
		);
	});

	it('that are features without a neutral schema are told apart, and so are graphs', () => {
		for (const name of [
			'Deformable',
			'SoftBody',
			'Cloth',
			'Particle',
			'Fluid',
			'Tendon',
			'Cable',
			'Vehicle',
			'Hydroelastic',
		]) {
			expectMarked(rules, layers('other.usda', link('', `"Physx${name}API"`, ' # R1.3.19')));
			expectMarked(rules, layers('physx.usda', link('', `"Physx${name}API"`)));
		}
		expectMarked(rules, layers('other.usda', 'over "robot" {\nfloat physx:clothStretch = 1 # R1.4.4\n}'));
		expectMarked(
			rules,
			layers(
				'other.usda',
				'over "robot" {\ndef OmniGraph "graph" { # R1.2.1.12\ndef OmniGraphNode "node" { } # R1.2.1.12\n}\n}',
			),
		);
	});

	it('on inertia of six numbers have a rule of their own', () => {
		expectMarked(rules, layers('other.usda', 'over "robot" {\nfloat[] newton:inertia = [1, 1, 1, 0, 0, 0]\n}'));
	});
});

describe('custom properties of prims with physics', () => {
	it('have a prefix', () => {
		const schemas = '"PhysicsRigidBodyAPI"';
		expectMarked(
			['R1.4.3'],
			`def Xform "robot" {
	custom float free = 1
	def Xform "a" (prepend apiSchemas = [${schemas}]) {
		custom float bare = 1 # R1.4.3
		custom rel target = </robot> # R1.4.3
		custom float my:own = 1
		float visibleName = 1 # R1.4.3
		token visibility = "inherited"
		float3[] extent = [(0, 0, 0), (1, 1, 1)]
	}
	def PhysicsFixedJoint "b" {
		custom float bare = 1 # R1.4.3
		float plain = 1 # R1.4.3
	}
	def "c" (prepend apiSchemas = ["ExtendedPhysicsActuatorAPI"]) {
		custom float bare = 1 # R1.4.3
		float plain = 1
	}
	def Xform "names" (prepend apiSchemas = [${schemas}]) {
		point3f[] points = []
		double size = 1
		double radius = 1
		double height = 1
		float focalLength = 1
		bool treatAsPoint = true
		int[] protoIndices = []
		token axis = "X"
	}
}`,
		);
	});
});

describe('layers of vendors', () => {
	it('repeat nothing that the neutral layers say', () => {
		const base = layerOf(`over "robot" {
	float physics:mass = 2
	float physics:density = 3
	rel physics:body0 = </robot>
	float physx:damping = 1
}`);
		expectMarked(
			['R1.4.5'],
			layers(
				'physx.usda',
				`over "robot" {
	float physics:mass = 2 # R1.4.5
	float physics:density = 4
	float physics:velocity = 1
	float physx:damping = 1
	rel physics:body0 = </robot> # R1.4.5
	float physics:unsaid
}`,
				{ 'base.usda': base },
			),
		);
		expectMarked(
			['R1.4.5'],
			layers('physx.usda', 'over "robot" {\nfloat physics:mass = 2\n}', {
				'first.usda': layerOf('over "robot" {\nfloat physics:mass = 1\n}'),
				'base.usda': base,
			}),
		);
		expectMarked(
			['R1.4.5'],
			layers('physx.usda', 'over "robot" {\nfloat physics:mass = 2\n}', {
				'isaac.usda': layerOf('over "robot" {\nfloat physics:mass = 2\n}'),
			}),
		);
	});
});
