/** Solvers that `manyworlds run` knows. */
export const SOLVERS = ['sap', 'mujoco'] as const;
/** One of {@link SOLVERS}. */
export type SolverName = (typeof SOLVERS)[number];
