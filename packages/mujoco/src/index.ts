export type { EngineImport } from './engine/load-mujoco.ts';
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
