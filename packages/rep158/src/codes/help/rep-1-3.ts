import type { CodeHelp } from '@manyworlds/core/internal';
import type { REP_1_3_CODES } from '../rep-1-3.ts';

/** What to do about the codes of REP 0158 sections 1.3 and 1.4: physics and vendor isolation. */
export const REP_1_3_HELP: Readonly<Record<keyof typeof REP_1_3_CODES, CodeHelp>> = {
	'R1.3.1': {
		title: 'Joint is not beside its child link',
		help: 'A joint should stand below its parent link (`physics:body0`), beside the child link (`physics:body1`), so that a limb can be moved as a whole.',
	},
	'R1.3.2': {
		title: 'Kinematic tree comes from relationships',
		help: 'Parsers build the tree from `physics:body0` and `physics:body1`, never from nesting.',
	},
	'R1.3.3': {
		title: 'Joint without usable limits',
		help: 'Revolute and prismatic joints author `physics:lowerLimit` and `physics:upperLimit`, in this order and finite. A revolute joint without end says so by authoring both as infinite.',
	},
	'R1.3.4': {
		title: 'Several articulation roots in one tree',
		help: 'Bodies that hang together by joints have at most one PhysicsArticulationRootAPI; more of them break the robot apart in reduced coordinates.',
	},
	'R1.3.5': {
		title: 'Module with joints has no articulation root',
		help: 'A module that can be used alone should have an articulation root of its own.',
	},
	'R1.3.6': {
		title: 'Nested articulation root is not pruned',
		help: 'A stage that builds a larger tree from modules should delete their articulation roots by `delete apiSchemas`.',
	},
	'R1.3.7': {
		title: 'Joints form a loop',
		help: 'Joints of an articulation form a tree. The one that closes a loop is excluded from it.',
	},
	'R1.3.8': {
		title: 'Loop joint is not excluded',
		help: 'The joint that closes a loop sets `physics:excludeFromArticulation = true`; solvers then treat it as a constraint.',
	},
	'R1.3.9': {
		title: 'Excluded joints are constraints',
		help: 'Parsers treat excluded joints as constraints, not as links of the tree.',
	},
	'R1.3.10': {
		title: 'Dynamic body without mass',
		help: 'A dynamic body authors `physics:mass` greater than 0. A mass of 0 does not mean immovable in UsdPhysics: it means unknown.',
	},
	'R1.3.11': {
		title: 'Static prop has a rigid body',
		help: 'What never moves is a collider without PhysicsRigidBodyAPI.',
	},
	'R1.3.12': {
		title: 'Fixed base is not anchored to the world',
		help: 'The base of a fixed robot has a mass and a PhysicsFixedJoint to the world: `physics:body0` is empty, or names an Xform of the asset that is no body.',
	},
	'R1.3.13': {
		title: 'Animated body is not kinematic',
		help: 'A body whose transform has time samples should set `physics:kinematicEnabled = true`.',
	},
	'R1.3.14': {
		title: 'Frame is a rigid body',
		help: 'A frame without mass, collider and visual is no body: solvers cannot integrate it.',
	},
	'R1.3.15': {
		title: 'Frame without RosFrameAPI',
		help: 'A frame that is no body should carry RosFrameAPI, so that TF has it.',
	},
	'R1.3.16': {
		title: 'Inertia is impossible',
		help: 'Inertia is given by `physics:diagonalInertia` (positive, no value above the sum of the other two) and the unit quaternion `physics:principalAxes`.',
	},
	'R1.3.17': {
		title: 'Inertia as six numbers',
		help: 'Inertia is authored as diagonal and principal axes; arrays of six values, such as `newton:inertia`, are a second truth.',
	},
	'R1.3.18': {
		title: 'Vendor schema where an ExtendedPhysics schema exists',
		help: 'Mimic joints, torsional friction and actuator limits have neutral ExtendedPhysics schemas; vendor ones work in one engine only.',
	},
	'R1.3.19': {
		title: 'Vendor feature without a neutral schema is not isolated',
		help: 'What no neutral schema describes stays in a layer of its own.',
	},
	'R1.3.20': {
		title: 'Joint relationships are unusable',
		help: '`physics:body0` and `physics:body1` have at most one target each, the targets exist, one belongs to a rigid body, and both frames of the joint meet where the bodies are.',
	},
	'R1.3.1.1': {
		title: 'Collider is visible',
		help: 'Colliders should have the purpose `guide`, on themselves or inherited, so that they are not rendered.',
	},
	'R1.3.1.2': {
		title: 'Mesh collider without approximation',
		help: 'A mesh collider should say `physics:approximation`, with PhysicsMeshCollisionAPI applied; engines choose differently otherwise.',
	},
	'R1.3.1.3': {
		title: 'No variant set collision_fidelity',
		help: 'Mesh colliders should come in two fidelities: a variant set `collision_fidelity`.',
	},
	'R1.3.1.4': {
		title: 'Default collision fidelity is concave',
		help: 'The default variant of `collision_fidelity` has primitive shapes, convex hulls, or meshes that are convex.',
	},
	'R1.3.1.5': {
		title: 'Second fidelity may be concave',
		help: 'A further variant of `collision_fidelity` may have concave meshes.',
	},
	'R1.3.2.1': {
		title: 'Link without visual and collision scopes',
		help: 'The geometry of a link should be in two sibling scopes, `visual` and `collision`.',
	},
	'R1.3.2.2': {
		title: 'No variant set visual_representation',
		help: 'The `visual` scope should have a variant set `visual_representation`.',
	},
	'R1.3.2.3': {
		title: 'Visual variants have other names',
		help: 'The default of `visual_representation` should be `mesh_medium`; the others are `mesh_high`, `mesh_low` and `volumetric_splat`.',
	},
	'R1.3.2.4': {
		title: 'Splat without its schema',
		help: 'The variant `volumetric_splat` uses ParticleField3DGaussianSplat.',
	},
	'R1.3.2.5': {
		title: 'Collider inside visual_representation',
		help: 'What collides must not depend on what is shown.',
	},
	'R1.3.3.1': {
		title: 'No collision filtering',
		help: 'An articulation with several colliders should filter self collision by PhysicsCollisionGroup, or PhysicsFilteredPairsAPI for exceptions.',
	},
	'R1.3.4.1': {
		title: 'Collider without a physics material',
		help: 'Every collider is bound, itself or by inheritance, to a Material that has PhysicsMaterialAPI.',
	},
	'R1.3.4.2': {
		title: 'Physics material is incomplete',
		help: 'A physics material authors static friction, dynamic friction and restitution: not negative, restitution at most 1, dynamic at most static friction.',
	},
	'R1.3.4.3': {
		title: 'Physics material is bound for all purposes',
		help: 'Physics materials are bound by `material:binding:physics`, with MaterialBindingAPI applied: the binding for all purposes is for shading.',
	},
	'R1.3.4.4': {
		title: 'Friction is approximated knowingly',
		help: 'Converters turn friction into what the target has and say what they did.',
	},
	'R1.4.1': {
		title: 'Engine data in a shared layer',
		help: 'Data for one engine is in a layer of its own.',
	},
	'R1.4.2': {
		title: 'Physics layer is not neutral',
		help: 'The physics layer holds UsdPhysics and ExtendedPhysics only.',
	},
	'R1.4.3': {
		title: 'Engine parameter without a vendor prefix',
		help: 'Attributes that belong to no schema carry the prefix of a vendor, so that others can tell what to ignore.',
	},
	'R1.4.4': {
		title: 'Vendor opinions outside of vendor layers',
		help: 'Properties, applied schemas and prim types of a vendor are in proprietary layers only.',
	},
	'R1.4.5': {
		title: 'Vendor layer repeats neutral opinions',
		help: 'A proprietary layer should be minimal: what the neutral layers say already is left out.',
	},
};
