import { SAP_WORLDS } from '@manyworlds/sim';
import type { WorldSolvers } from '@manyworlds/worlds';
import { MUJOCO_WORLDS } from '../../src/index.ts';

/** Both solvers. */
export const SOLVERS: WorldSolvers = { sap: async () => SAP_WORLDS, mujoco: async () => MUJOCO_WORLDS };
