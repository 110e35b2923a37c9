export { type Energy, energyOf } from './energy/energy.ts';
export { EnergyAccount, type EnergyBooks } from './energy/energy-account.ts';
export {
	type Ground,
	PLACE_IN_WORLDS_DEFAULTS,
	type PlaceInWorldsOptions,
	placeInWorlds,
	ROBOT_DEFAULTS,
} from './place-in-worlds.ts';
export { plotPanels, type RecordedRun } from './record/plot-panels.ts';
export { chooseQuantities, type Quantity, Sample } from './record/quantities.ts';
export { QUANTITY_GROUPS, type QuantityGroup } from './record/quantity-groups.ts';
export { Recording } from './record/recording.ts';
export { type PlotLine, type PlotOptions, type PlotPanel, plotSvg } from './record/svg-plot.ts';
export type { ContactForces } from './runner/contact-forces.ts';
export { RunnerError } from './runner/runner-error.ts';
export { serveWorlds } from './runner/serve-worlds.ts';
export type { WorkerHost, WorkerParent, WorkerPort } from './runner/worker-host.ts';
export {
	type RunnerResetOptions,
	type RunnerStepOptions,
	WORLD_RUNNER_DEFAULTS,
	type WorldFailure,
	WorldRunner,
	type WorldRunnerOptions,
} from './runner/world-runner.ts';
export { WorldStatistics } from './runner/world-statistics.ts';
export { type Solver, type SolverResetOptions, type StepOptions, type StepOutcome, WorldFault } from './solver.ts';
export type { ContactRows, WorldSolver, WorldSolverFactory, WorldSolverSetup, WorldSolvers } from './solver-factory.ts';
export type { FindOverlaps, Overlap } from './start/overlap.ts';
export { type Start, type StartOptions, startOf, startState } from './start/start.ts';
