export type { BroadPhaseVariant } from './collision/broad-phase.ts';
export {
	COLLISION_DEFAULTS,
	CollisionPipeline,
	type CollisionPipelineOptions,
} from './collision/collision-pipeline.ts';
export { ConvexShape, TRIANGLE } from './collision/convex-shape.ts';
export { type HullGeometry, hullOfMesh, hullOfPoints } from './collision/hull-geometry.ts';
export { ShapeDistance } from './collision/shape-distance.ts';
export { WorldContacts, type WorldContactsOptions } from './collision/world-contacts.ts';
export { registerSapAttributes, SAP_TAU_ATTRIBUTE } from './sap/contact-materials.ts';
export { EnvelopeCholesky } from './sap/envelope-cholesky.ts';
export { EnvelopeMatrix } from './sap/envelope-matrix.ts';
export type { LineSearchOptions, LineSearchVariant } from './sap/line-search.ts';
export {
	type ContactParameters,
	contactWeight,
	type DriveGains,
	effectiveGains,
	FRICTION_SIGMA,
	JOINT_BETA,
	nearRigidBound,
	regulariseBilateral,
	regulariseContact,
	regulariseDrive,
	regulariseDryFriction,
	regulariseLimit,
	rowsWeight,
} from './sap/regularise.ts';
export { SAP_NEWTON_DEFAULTS, SapNewton, type SapNewtonOptions, SapStop } from './sap/sap-newton.ts';
export {
	type ContactPreset,
	type Precision,
	SAP_PRESETS,
	SAP_ROBOT_OPTIONS,
	type SapModes,
	type SettledSapOptions,
	SOLVER_SAP_DEFAULTS,
	type SolverSapOptions,
	settleSapOptions,
} from './sap/sap-options.ts';
export { ContactMode, SapProblem } from './sap/sap-problem.ts';
export { SAP_WORLDS, type SapWorldsOptions } from './sap-worlds.ts';
export { SapOutcome, SolverSap } from './solver-sap.ts';
