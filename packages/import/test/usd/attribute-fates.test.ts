import { describe, expect, it } from 'vitest';
import { importText } from './usd-scene.ts';

/** A prim of each kind that an import makes something of, with room for attributes. */
const PRIMS: Readonly<Record<string, (attributes: string) => string>> = {
	scene: (text) => `def PhysicsScene "x" {\n${text}\n}`,
	body: (text) =>
		`def Xform "x" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]) {\n${text}\ndef Cube "c" (prepend apiSchemas = ["PhysicsCollisionAPI"]) {}\n}`,
	collider: (text) => `def Cube "x" (prepend apiSchemas = ["PhysicsCollisionAPI", "PhysicsMassAPI"]) {\n${text}\n}`,
	visual: (text) => `def Cube "x" {\n${text}\n}`,
	site: (text) =>
		`def Xform "b" (prepend apiSchemas = ["PhysicsRigidBodyAPI"]) {\ndef Cube "x" (prepend apiSchemas = ["NewtonSiteAPI"]) {\n${text}\n}\n}`,
	material: (text) => `def Material "x" (prepend apiSchemas = ["PhysicsMaterialAPI"]) {\n${text}\n}`,
	group: (text) =>
		`def PhysicsCollisionGroup "x" {\nrel collection:colliders:includes = </c>\n${text}\n}\ndef Cube "c" (prepend apiSchemas = ["PhysicsCollisionAPI"]) {}`,
	articulation: (text) =>
		`def Xform "x" (prepend apiSchemas = ["PhysicsArticulationRootAPI"]) {\n${text}\n${['a', 'b'].map((name) => `def Cube "${name}" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {}`).join('\n')}\ndef PhysicsRevoluteJoint "j" {\nrel physics:body0 = </x/a>\nrel physics:body1 = </x/b>\n}\n}`,
	...Object.fromEntries(
		['Revolute', 'Prismatic', 'Distance', 'Spherical', ''].map((kind) => [
			`${kind.toLowerCase()}joint`,
			(text: string): string =>
				`${['a', 'b'].map((name) => `def Cube "${name}" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {}`).join('\n')}\ndef Physics${kind}Joint "x" (prepend apiSchemas = ["PhysicsDriveAPI:angular", "PhysicsDriveAPI:linear", "PhysicsLimitAPI:transX", "PhysicsLimitAPI:rotY"]) {\nrel physics:body0 = </a>\nrel physics:body1 = </b>\n${text}\n}`,
		]),
	),
};

/** What became of the attribute of `x`, in one line. */
function fateOf(kind: string, attribute: string): string {
	const { result } = importText(PRIMS[kind]!(attribute));
	const name = /([\w:]+) = /.exec(attribute)![1]!;
	const entry = result.ledger.entries().find((one) => one.path.endsWith('/x') && one.name === name);
	expect(entry, `${kind} ${attribute}`).toBeDefined();
	const { class: fate, targets, from, to, reason } = entry!;
	const rest = from === undefined ? (reason ?? '') : `${from} → ${to}`;
	return [fate, ...targets, rest].filter((part) => part !== '').join(' | ');
}

const SUBDIVISION = 'ignored | surfaces are imported as polygons, without subdivision';
const RENDERING = 'ignored | it is for rendering only';
const PLACED = 'converted | transform of the prim → poses of what is placed by it';

describe('what becomes of an attribute', () => {
	it.each<[string, string, string]>([
		[
			'scene',
			'vector3f physics:gravityDirection = (0, 0, -1)',
			'converted | gravity | space and unit of the stage → m/s² in the space of the model',
		],
		[
			'scene',
			'float physics:gravityMagnitude = 9',
			'converted | gravity | space and unit of the stage → m/s² in the space of the model',
		],
		['body', 'vector3f physics:velocity = (1, 0, 0)', 'converted | body_qd | axes of the body → axes of the world'],
		[
			'body',
			'vector3f physics:angularVelocity = (1, 0, 0)',
			'converted | body_qd | degrees per second in axes of the body → radians per second in axes of the world',
		],
		['body', 'bool physics:rigidBodyEnabled = true', 'used | body_flags'],
		['body', 'bool physics:kinematicEnabled = true', 'used | body_flags'],
		['body', 'bool physics:startsAsleep = true', 'ignored | models have no sleeping bodies'],
		['body', 'quatf physics:principalAxes = (1, 0, 0, 0)', 'used | body_inertia'],
		['body', 'float physics:density = 5', 'used | body_mass'],
		['body', 'double3 xformOp:translate = (1, 2, 3)', PLACED],
		['body', 'uniform token[] xformOpOrder = []', PLACED],
		['body', 'token visibility = "invisible"', 'used | shape_flags'],
		['body', 'token purpose = "guide"', 'used | shape_flags'],
		...[
			'float physics:mass = 2',
			'float physics:density = 2',
			'float3 physics:diagonalInertia = (1, 1, 1)',
			'quatf physics:principalAxes = (1, 0, 0, 0)',
			'point3f physics:centerOfMass = (0, 0, 0)',
		].map((text): [string, string, string] => ['collider', text, 'used | body_mass']),
		['collider', 'bool physics:collisionEnabled = true', 'used | shape_flags'],
		['collider', 'token physics:approximation = "none"', 'used | shape_type'],
		...['collider', 'visual', 'site'].flatMap((kind): [string, string, string][] => [
			...[
				'double size = 3',
				'double radius = 1',
				'double height = 1',
				'token axis = "X"',
				'double width = 1',
				'double length = 1',
				'point3f[] points = []',
				'int[] faceVertexCounts = []',
				'int[] faceVertexIndices = []',
				'token orientation = "rightHanded"',
			].map((text): [string, string, string] => [kind, text, 'used | shape_scale']),
			...[
				'color3f[] primvars:displayColor = [(1, 0, 0)]',
				'float[] primvars:displayOpacity = [1]',
				'int[] primvars:displayColor:indices = [0]',
				'int[] primvars:displayOpacity:indices = [0]',
			].map((text): [string, string, string] => [kind, text, 'used | shape_color']),
			[kind, 'float3[] extent = [(0, 0, 0), (1, 1, 1)]', 'ignored | bounds are computed from the geometry'],
			...[
				'token subdivisionScheme = "none"',
				'token interpolateBoundary = "none"',
				'token faceVaryingLinearInterpolation = "none"',
				'token triangleSubdivisionRule = "smooth"',
				'int[] cornerIndices = []',
				'float[] creaseSharpnesses = []',
				'int[] holeIndices = []',
			].map((text): [string, string, string] => [kind, text, SUBDIVISION]),
			...[
				'bool doubleSided = true',
				'normal3f[] normals = []',
				'vector3f[] velocities = []',
				'vector3f[] accelerations = []',
				'float primvars:wear = 1',
			].map((text): [string, string, string] => [kind, text, RENDERING]),
		]),
		['material', 'float physics:dynamicFriction = 1', 'used | shape_material_mu'],
		['material', 'float physics:restitution = 1', 'used | shape_material_mu'],
		['material', 'float physics:density = 1', 'used | shape_material_mu'],
		[
			'material',
			'float physics:staticFriction = 1',
			'ignored | models have one coefficient of friction, the dynamic one',
		],
		['group', 'bool physics:invertFilteredGroups = true', 'used | filter_pairs'],
		['group', 'string physics:mergeGroup = "a"', 'used | filter_pairs'],
		['group', 'token collection:colliders:expansionRule = "expandPrims"', 'used | filter_pairs'],
		['articulation', 'float physics:anything = 1', 'used | articulation'],
		['revolutejoint', 'uniform token physics:axis = "X"', 'used | joint_axis'],
		...[
			'point3f physics:localPos0 = (0, 0, 0)',
			'point3f physics:localPos1 = (0, 0, 0)',
			'quatf physics:localRot0 = (1, 0, 0, 0)',
			'quatf physics:localRot1 = (1, 0, 0, 0)',
		].map((text): [string, string, string] => ['revolutejoint', text, 'used | joint_X_p']),
		...[
			'bool physics:jointEnabled = true',
			'bool physics:collisionEnabled = true',
			'bool physics:excludeFromArticulation = false',
		].map((text): [string, string, string] => ['revolutejoint', text, 'used | joint_enabled']),
		['distancejoint', 'float physics:minDistance = 1', 'used | joint_limit_lower'],
		['distancejoint', 'float physics:maxDistance = 1', 'used | joint_limit_lower'],
		['revolutejoint', 'float physics:breakForce = 1', 'ignored | joints of models do not break'],
		['revolutejoint', 'float physics:breakTorque = 1', 'ignored | joints of models do not break'],
		['sphericaljoint', 'float physics:coneAngle0Limit = 1', 'ignored | ball joints of models have no limits'],
		['sphericaljoint', 'float physics:coneAngle1Limit = 1', 'ignored | ball joints of models have no limits'],
		['joint', 'float limit:transX:physics:low = 1', 'used | joint_limit_lower'],
		['joint', 'float limit:transX:physics:high = 2', 'used | joint_limit_lower'],
		['joint', 'float limit:rotY:physics:low = 1', 'converted | joint_limit_lower | degrees → radians'],
		['joint', 'float limit:rotY:physics:high = 2', 'converted | joint_limit_lower | degrees → radians'],
		['revolutejoint', 'float physics:lowerLimit = 1', 'converted | joint_limit_lower | degrees → radians'],
		['revolutejoint', 'float physics:upperLimit = 1', 'converted | joint_limit_upper | degrees → radians'],
		['prismaticjoint', 'float physics:lowerLimit = 1', 'used | joint_limit_lower'],
		['prismaticjoint', 'float physics:upperLimit = 1', 'used | joint_limit_upper'],
		[
			'revolutejoint',
			'float drive:angular:physics:targetPosition = 1',
			'converted | joint_target_q | degrees → radians',
		],
		[
			'revolutejoint',
			'float drive:angular:physics:targetVelocity = 1',
			'converted | joint_target_qd | degrees → radians',
		],
		[
			'revolutejoint',
			'float drive:angular:physics:stiffness = 1',
			'converted | joint_target_ke | per degree → per radian',
		],
		[
			'revolutejoint',
			'float drive:angular:physics:damping = 1',
			'converted | joint_target_kd | per degree → per radian',
		],
		['revolutejoint', 'float drive:angular:physics:maxForce = 1', 'used | joint_effort_limit'],
		['revolutejoint', 'uniform token drive:angular:physics:type = "force"', 'used | joint_target_mode'],
		[
			'revolutejoint',
			'uniform token drive:angular:physics:type = "acceleration"',
			'ignored | drives of models give forces, not accelerations',
		],
		['prismaticjoint', 'float drive:linear:physics:targetPosition = 1', 'used | joint_target_q'],
		['prismaticjoint', 'float drive:linear:physics:targetVelocity = 1', 'used | joint_target_qd'],
		['prismaticjoint', 'float drive:linear:physics:stiffness = 1', 'used | joint_target_ke'],
		['prismaticjoint', 'float drive:linear:physics:damping = 1', 'used | joint_target_kd'],
		['prismaticjoint', 'float drive:linear:physics:maxForce = 1', 'used | joint_effort_limit'],
		[
			'joint',
			'float drive:rotX:physics:stiffness = 1',
			'ignored | PhysicsDriveAPI:rotX is not applied, so there is no drive',
		],
		['scene', 'float physxScene:bounceThreshold = 1', "ignored | no schema resolver 'physx' takes part in the import"],
		[
			'joint',
			'float state:angular:physics:position = 1',
			"ignored | no schema resolver 'physx' takes part in the import",
		],
		['visual', 'float mjc:group = 1', "ignored | no schema resolver 'mjc' takes part in the import"],
		['visual', 'float ext_physics:wear = 1', "ignored | no schema resolver 'ext_physics' takes part in the import"],
		['visual', 'string ros:topic = "a"', 'ignored | it is about the ROS interface, not about the model'],
		['visual', 'string rosGraph:topic = "a"', 'ignored | it is about the ROS interface, not about the model'],
		['visual', 'string acme:note = "a"', 'ignored | nothing in a model holds it'],
	])('%s: %s', (kind, attribute, expected) => {
		expect(fateOf(kind, attribute)).toBe(expected);
	});

	it.each<[string, string, string]>([
		['def Camera "x" {\nfloat focalLength = 1\n}', 'focalLength', 'prims of type Camera are not imported'],
		['def Xform "x" {\nfloat acme:a = 1\n}', 'acme:a', 'nothing in a model holds it'],
		['def Scope "x" {\nfloat acme:a = 1\n}', 'acme:a', 'nothing in a model holds it'],
		['def "x" {\nfloat acme:a = 1\n}', 'acme:a', 'nothing in a model holds it'],
		['def Material "x" {\nfloat inputs:wear = 1\n}', 'inputs:wear', 'it is for rendering only'],
		['def Shader "x" {\nfloat inputs:wear = 1\n}', 'inputs:wear', 'it is for rendering only'],
		['def BasisCurves "x" {\nfloat[] widths = [1]\n}', 'widths', 'the geometry is not imported'],
		[
			'def PhysicsRevoluteJoint "x" {\nfloat physics:breakForce = 1\n}',
			'physics:breakForce',
			'the joint is not imported',
		],
		[
			'def Xform "x" {\ndouble3 xformOp:translate = (1, 2, 3)\n}',
			'xformOp:translate',
			'nothing at or below this prim is imported',
		],
		[
			'def Cube "x" {\nfloat newton:wear = 1\n}',
			'newton:wear',
			'no custom attribute of this name is declared on the physics scene, and no resolver reads it here',
		],
	])('%s has no effect', (text, name, reason) => {
		const entry = importText(text)
			.result.ledger.entries()
			.find((one) => one.name === name);
		expect(entry).toMatchObject({ class: 'ignored', reason });
	});
});
