import { SAP_WORLDS, type WorldSolvers } from '@manyworlds/sim';
import { MUJOCO_WORLDS } from '../../src/index.ts';

/** Both solvers. */
export const SOLVERS: WorldSolvers = { sap: async () => SAP_WORLDS, mujoco: async () => MUJOCO_WORLDS };
