export {
	COLLISION_DEFAULTS,
	type CollideOptions,
	CollisionPipeline,
	type CollisionPipelineOptions,
	type LookAhead,
} from './collision/collision-pipeline.ts';
export { overlapsOf } from './collision/overlaps-of.ts';
export { WorldContacts, type WorldContactsOptions } from './collision/world-contacts.ts';
export { registerSapAttributes } from './sap/contact-materials.ts';
export {
	type ContactPreset,
	type Precision,
	SAP_PRESETS,
	type SapModes,
	type SapSettings,
	SOLVER_SAP_DEFAULTS,
	type SolverSapOptions,
} from './sap/sap-options.ts';
export type { SapOutcome } from './sap-outcome.ts';
export { SAP_WORLDS } from './sap-worlds.ts';
export { SolverSap } from './solver-sap.ts';
