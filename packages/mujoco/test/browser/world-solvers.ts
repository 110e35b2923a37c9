import { SAP_WORLDS } from '@manyworlds/sim';
import type { WorldSolvers } from '@manyworlds/worlds';
import { MUJOCO_WORLDS } from '../../src/index.ts';
import { loadMujoco } from '../../src/internal.ts';

/** Both solvers. */
export const SOLVERS: WorldSolvers = {
	sap: async () => SAP_WORLDS,
	mujoco: async () => {
		await loadMujoco(() => import('@mujoco/mujoco'));
		return MUJOCO_WORLDS;
	},
};
