export { convertModel } from './convert/convert-model.ts';
export { SolrefMode } from './convert/solref.ts';
export { CompiledModel } from './engine/compiled-model.ts';
export { type EngineImport, loadMujoco } from './engine/load-mujoco.ts';
export {
	activeEqualities,
	BOOLEAN_FIELD_NAMES,
	boolField,
	doubleField,
	intField,
	numberField,
} from './engine/mj-fields.ts';
export { inWorld, type MappedEntity, type ModelMaps } from './engine/model-maps.ts';
export type {
	MjBuffer,
	MjContact,
	MjData,
	MjEnumerator,
	MjHandle,
	MjModel,
	MjObjectKind,
	MjOption,
	MjStatistic,
	MjVFS,
	MujocoModule,
	PipelineStep,
} from './engine/mujoco-module.ts';
export { WorldValues } from './engine/world-values.ts';
export { MujocoError } from './mujoco-error.ts';
export { SAVE_TO_MJCF_DEFAULTS, type SavedMjcf, saveToMjcf } from './save-to-mjcf.ts';
export { MUJOCO_WORLDS } from './solver/mujoco-worlds.ts';
export {
	type ResetOptions,
	SOLVER_MUJOCO_DEFAULTS,
	SolverMujoco,
	type SolverMujocoOptions,
} from './solver/solver-mujoco.ts';
export {
	CONVERT_DEFAULTS,
	type ConvertOptions,
	MUJOCO_ENGINE_DEFAULTS,
	type MujocoCone,
	type MujocoConstraintSolver,
	type MujocoEngineOptions,
	type MujocoIntegrator,
	type MujocoJacobian,
} from './solver-options.ts';
