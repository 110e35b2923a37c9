import type { WorldSolvers } from '@manyworlds/worlds';

/** Solvers of `manyworlds run` by name; their packages are loaded when they are needed. */
export const WORLD_SOLVERS: WorldSolvers = {
	sap: async () => (await import('@manyworlds/sim')).SAP_WORLDS,
	mujoco: async () => {
		const { MUJOCO_WORLDS } = await import('@manyworlds/mujoco');
		const { loadMujoco } = await import('@manyworlds/mujoco/internal');
		await loadMujoco();
		return MUJOCO_WORLDS;
	},
};
