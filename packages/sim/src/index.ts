export {
	COLLISION_DEFAULTS,
	type CollideOptions,
	CollisionPipeline,
	type CollisionPipelineOptions,
	type LookAhead,
} from './collision/collision-pipeline.ts';
export { ConvexShape } from './collision/convex-shape.ts';
export { overlapsOf } from './collision/overlaps-of.ts';
export { ShapeDistance } from './collision/shape-distance.ts';
export { WorldContacts, type WorldContactsOptions } from './collision/world-contacts.ts';
export { registerSapAttributes } from './sap/contact-materials.ts';
export { EnvelopeCholesky } from './sap/envelope-cholesky.ts';
export { regulariseContact } from './sap/regularise.ts';
export { SapNewton, SapStop } from './sap/sap-newton.ts';
export {
	type ContactPreset,
	type Precision,
	resolveSapOptions,
	SAP_PRESETS,
	SAP_ROBOT_OPTIONS,
	type SapModes,
	type SettledSapOptions,
	SOLVER_SAP_DEFAULTS,
	type SolverSapOptions,
} from './sap/sap-options.ts';
export { SapProblem } from './sap/sap-problem.ts';
export { SapOutcome } from './sap-outcome.ts';
export { SAP_WORLDS, type SapWorldsOptions } from './sap-worlds.ts';
export { SolverSap } from './solver-sap.ts';
