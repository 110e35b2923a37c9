import type { EngineImport } from './load-mujoco.ts';

/** Where packages are found by name, the engine is. */
export const importEngine: EngineImport = () => import('@mujoco/mujoco');
