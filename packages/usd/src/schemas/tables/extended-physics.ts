import type { SchemaLibrary } from '../schema-library.ts';

/** The extended physics schemas of REP 158: features of Newton that no vendor owns. */
export const EXTENDED_PHYSICS: SchemaLibrary = {
	name: 'usdExtendedPhysics',
	typePrefix: 'UsdExtendedPhysics',
	identifierPrefix: 'ExtendedPhysics',
	table: `
single ExtendedPhysicsMaterialAPI + PhysicsMaterialAPI
	float ext_physics:material:rollingFriction = 0.0005
	float ext_physics:material:torsionalFriction = 0.25
single ExtendedPhysicsMimicAPI
	bool ext_physics:mimic:enabled = true
	rel ext_physics:mimic:joint
	float ext_physics:mimic:multiplier = 1
	float ext_physics:mimic:offset = 0
single ExtendedPhysicsActuatorAPI
	rel ext_physics:actuator:targets
single ExtendedPhysicsActuatorClampingBaseAPI
single ExtendedPhysicsMaxEffortClampingAPI + ExtendedPhysicsActuatorClampingBaseAPI
	float ext_physics:clamp_effort:maxEffort = inf
single ExtendedPhysicsDCMotorClampingAPI + ExtendedPhysicsActuatorClampingBaseAPI
	float ext_physics:clamp_motor:maxEffort = inf
	float ext_physics:clamp_motor:saturationEffort = inf
	float ext_physics:clamp_motor:velocityLimit = inf
single ExtendedPhysicsPositionBasedClampingAPI + ExtendedPhysicsActuatorClampingBaseAPI
	float[] ext_physics:clamp_position:lookupEfforts = []
	float[] ext_physics:clamp_position:lookupPositions = []
`,
};
