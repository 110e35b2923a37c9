import type { Prim, Value } from '@manyworlds/usd';
import type { RepCode } from '../../../diagnostics.ts';
import { mapNumbers } from '../../engine/spec-values.ts';

/** How a property of one schema becomes that of another. */
export interface PropertyTranslation {
	readonly from: string;
	readonly to: string;
	/** Type of the new attribute; that of the old one when absent. */
	readonly typeName?: string;
	readonly variability?: 'varying' | 'uniform';
	readonly convert?: (value: Value, prim: Prim | undefined) => Value;
}

/** How an applied schema (or the type of a prim) becomes another. Names of properties count only together with the schema. */
export interface SchemaTranslation {
	readonly rule: RepCode;
	/** Applied schema, with `:*` for any instance; or a prim type. */
	readonly schema: string;
	readonly kind: 'applied' | 'type';
	/** Schema that is applied in its place. */
	readonly target: string;
	/** Type that a prim gets in the place of the translated one. */
	readonly targetType?: string;
	/** Whether the schema stays as well, for what has no neutral form and moves to a vendor layer. */
	readonly isKept?: boolean;
	readonly properties: readonly PropertyTranslation[];
	/** Values that mean something else when nobody authors them: name and fallback of the source. */
	readonly fallbacks?: readonly { readonly name: string; readonly typeName: string; readonly value: number }[];
	/** Whether a prim can be translated; a reason when it cannot. */
	readonly accepts?: (prim: Prim) => string | undefined;
}

const same = (from: string, to: string, names: readonly (readonly [string, string])[]): PropertyTranslation[] =>
	names.map(([a, b]) => ({ from: `${from}${a}`, to: `${to}${b}` }));

const negate = (value: Value): Value => mapNumbers(value, (x) => -x + 0);

/** F1 of the sanitizer: staging schemas of vendors, earlier drafts, and misspelt names of the extension itself. */
export const TRANSLATIONS: readonly SchemaTranslation[] = [
	{
		rule: 'R1.3.18',
		schema: 'NewtonMimicAPI',
		kind: 'applied',
		target: 'ExtendedPhysicsMimicAPI',
		properties: same('newton:', 'ext_physics:mimic:', [
			['mimicEnabled', 'enabled'],
			['mimicJoint', 'joint'],
			['mimicCoef0', 'offset'],
			['mimicCoef1', 'multiplier'],
		]),
		accepts: (prim) => followsNothing(prim, 'newton:mimicJoint'),
	},
	{
		rule: 'R1.3.18',
		schema: 'PhysxMimicJointAPI:*',
		kind: 'applied',
		target: 'ExtendedPhysicsMimicAPI',
		// follower + gearing · leader + offset = 0
		properties: [
			{ from: 'physxMimicJoint:*:gearing', to: 'ext_physics:mimic:multiplier', convert: negate },
			{ from: 'physxMimicJoint:*:offset', to: 'ext_physics:mimic:offset', convert: negate },
			{ from: 'physxMimicJoint:*:referenceJoint', to: 'ext_physics:mimic:joint' },
			{ from: 'physxMimicJoint:*:referenceJointAxis', to: '' },
		],
		fallbacks: [{ name: 'ext_physics:mimic:multiplier', typeName: 'float', value: -1 }],
		accepts: acceptsPhysxMimic,
	},
	...(['MimicJointAPI', 'ExtendedPhysicsMimicJointAPI'] as const).map(
		(schema): SchemaTranslation => ({
			rule: 'R1.3.18',
			schema,
			kind: 'applied',
			target: 'ExtendedPhysicsMimicAPI',
			properties: [
				...same('mimic:', 'ext_physics:mimic:', mimicNames()),
				...same('physics:mimic:', 'ext_physics:mimic:', mimicNames()),
			],
			accepts: (prim) => followsNothing(prim, 'mimic:joint', 'physics:mimic:joint', 'ext_physics:mimic:joint'),
		}),
	),
	{
		rule: 'R4.2.2.3',
		schema: 'NewtonMaterialAPI',
		kind: 'applied',
		target: 'ExtendedPhysicsMaterialAPI',
		isKept: true,
		properties: same('newton:', 'ext_physics:material:', [
			['torsionalFriction', 'torsionalFriction'],
			['rollingFriction', 'rollingFriction'],
		]),
		fallbacks: [
			{ name: 'ext_physics:material:torsionalFriction', typeName: 'float', value: 0.005 },
			{ name: 'ext_physics:material:rollingFriction', typeName: 'float', value: 0.0001 },
		],
	},
	{
		rule: 'R4.2.2.3',
		schema: 'NewtonActuator',
		kind: 'type',
		target: 'ExtendedPhysicsActuatorAPI',
		targetType: 'Xform',
		properties: same('newton:', 'ext_physics:actuator:', [['targets', 'targets']]),
	},
	{
		rule: 'R4.2.2.3',
		schema: 'NewtonMaxEffortClampingAPI',
		kind: 'applied',
		target: 'ExtendedPhysicsMaxEffortClampingAPI',
		properties: same('newton:', 'ext_physics:clamp_effort:', [['maxEffort', 'maxEffort']]),
	},
	{
		rule: 'R4.2.2.3',
		schema: 'NewtonDCMotorClampingAPI',
		kind: 'applied',
		target: 'ExtendedPhysicsDCMotorClampingAPI',
		properties: same('newton:', 'ext_physics:clamp_motor:', [
			['maxMotorEffort', 'maxEffort'],
			['saturationEffort', 'saturationEffort'],
			['velocityLimit', 'velocityLimit'],
		]),
	},
	{
		rule: 'R4.2.2.3',
		schema: 'NewtonPositionBasedClampingAPI',
		kind: 'applied',
		target: 'ExtendedPhysicsPositionBasedClampingAPI',
		properties: same('newton:', 'ext_physics:clamp_position:', [
			['lookupPositions', 'lookupPositions'],
			['lookupEfforts', 'lookupEfforts'],
		]),
	},
	...(['Context', 'Topic', 'Service', 'Action', 'Frame'] as const).map(
		(name): SchemaTranslation => ({
			rule: 'R2.3.6',
			schema: `Ros2${name}API`,
			kind: 'applied',
			target: `Ros${name}API`,
			properties: [{ from: `ros2:${name.toLowerCase()}:**`, to: `ros:${name.toLowerCase()}:**` }],
		}),
	),
	{
		rule: 'R2.3.6',
		schema: 'Ros2RigidBodyTwistControllerAPI',
		kind: 'applied',
		target: 'RosControlRigidBodyTwistAPI',
		properties: [{ from: 'ros2:rigid_body_twist:**', to: 'ros:rigid_body_twist:**' }],
	},
	{
		rule: 'R2.3.6',
		schema: 'Ros2IntegratedControlAPI',
		kind: 'applied',
		target: 'RosControlIntegratedAPI',
		properties: [],
	},
	{
		rule: 'R2.3.6',
		schema: 'Ros2ExternalControlAPI',
		kind: 'applied',
		target: 'RosControlExternalAPI',
		properties: [],
	},
];

/** Vendor schemas that bring a core schema along: without it colliders and masses would vanish with the vendor. */
export const IMPLIED_CORE: ReadonlyMap<string, readonly string[]> = new Map([
	['NewtonCollisionAPI', ['PhysicsCollisionAPI']],
	['NewtonMeshCollisionAPI', ['PhysicsCollisionAPI', 'PhysicsMeshCollisionAPI']],
	['NewtonSDFCollisionAPI', ['PhysicsCollisionAPI']],
	['NewtonArticulationRootAPI', ['PhysicsArticulationRootAPI']],
	['NewtonMassAPI', ['PhysicsMassAPI']],
	['NewtonMaterialAPI', ['PhysicsMaterialAPI']],
	['NewtonMPMMaterialAPI', ['PhysicsMaterialAPI']],
]);

function mimicNames(): readonly (readonly [string, string])[] {
	return [
		['enabled', 'enabled'],
		['joint', 'joint'],
		['offset', 'offset'],
		['multiplier', 'multiplier'],
	];
}

/** A joint that follows nothing would be no better under another name. */
function followsNothing(prim: Prim, ...names: readonly string[]): string | undefined {
	if (names.some((name) => prim.relationship(name).targets().length > 0)) return undefined;
	return `it follows no joint: ${names[0]} has no target`;
}

/** A mimic joint of PhysX must be about the one axis that the joint turns about. */
function acceptsPhysxMimic(prim: Prim): string | undefined {
	const instances = (prim.authoredSchemas ?? []).filter((name) => name.startsWith('PhysxMimicJointAPI:'));
	if (instances.length !== 1) return `PhysxMimicJointAPI is applied ${instances.length} times, expected once`;
	const isTurning = prim.typeName === 'PhysicsRevoluteJoint';
	if (!isTurning && prim.typeName !== 'PhysicsPrismaticJoint') return `a ${prim.typeName} cannot follow another joint`;
	const axis = instances[0]!.split(':')[1]!;
	const own = `${prim.attribute('physics:axis').get()?.data ?? 'X'}`;
	if (axis !== `rot${own}` && axis !== `trans${own}`)
		return `it follows about ${axis}, but the axis of the joint is ${own}`;
	return undefined;
}
