import { UsageStateError } from '@manyworlds/core';
import type { EngineImport } from './load-mujoco.ts';

/** Bundlers differ in what they make of the package, so a page imports it itself. */
export const importEngine: EngineImport = async () => {
	throw new UsageStateError("a page loads MuJoCo by loadMujoco(() => import('@mujoco/mujoco')) first");
};
