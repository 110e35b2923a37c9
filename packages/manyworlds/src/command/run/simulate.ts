import { createDiagnostic } from '@manyworlds/core';
import { type ErrorSubject, hashState } from '@manyworlds/model';
import { type Quantity, Recording, RunnerError, Sample, type WorldFailure } from '@manyworlds/worlds';
import type { CommandContext } from '../command-context.ts';
import type { Simulation } from './simulation.ts';
import type { SolverName } from './solver-names.ts';
import { Stepper } from './stepper.ts';

/** What one solver came to. */
export interface RunResult {
	readonly solver: SolverName;
	/** Settings that shape the result, in a few words. */
	readonly settings: string;
	/** What computed the steps, for solvers that have several ways. */
	readonly engine: string | undefined;
	readonly recording: Recording;
	readonly steps: number;
	/** Threads that stepped. */
	readonly jobs: number;
	/** Time that the computation took [s]. */
	readonly seconds: number;
	/** Hash of the state of all worlds at the end: equal hashes, equal bits. */
	readonly stateHash: string;
	readonly failures: readonly WorldFailure[];
	/** Work of drives, actuators, springs and forces in the world that is recorded [J]. */
	readonly work: number;
	/** Most energy that came from nothing in a world [J]. */
	readonly energyGain: number;
	/** Contacts of a world in a step. */
	readonly contacts: Spread;
	/** Newton steps of a world in a step, where the solver tells. */
	readonly iterations?: Spread;
	/** Largest relative residual of a step, and world-steps that ended above the tolerance, where the solver tells. */
	readonly worstResidual?: number;
	readonly unconverged?: number;
}

/** Mean and greatest of a number. */
export interface Spread {
	readonly mean: number;
	readonly most: number;
}

/** Options of {@link simulate}. */
export interface SimulateOptions {
	readonly solver: SolverName;
	readonly steps: number;
	/** World that is recorded. */
	readonly world: number;
	readonly quantities: readonly Quantity[];
	/** Threads to step with. */
	readonly jobs: number | undefined;
}

/** Rows of a recording at most; longer runs keep every n-th step. */
const MOST_ROWS = 2000;

/** Runs a simulation from its start; undefined, with a diagnostic, when the solver cannot hold the model. */
export async function simulate(
	context: CommandContext,
	simulation: Simulation,
	options: SimulateOptions,
): Promise<RunResult | undefined> {
	const { model, dt, playback } = simulation;
	const { solver, steps, world, jobs } = options;
	const stepper = await openStepper(context, simulation, solver, jobs);
	if (stepper === undefined) return undefined;
	const recording = new Recording(options.quantities);
	const { state, control } = stepper;
	const every = Math.max(1, Math.ceil(steps / MOST_ROWS));
	const started = context.io.now();
	try {
		recording.add(0, new Sample(model, state, world));
		for (let step = 0; step < steps; ) {
			playback?.apply(control, step, dt);
			const count = playback === undefined ? Math.min(every, steps - step) : 1;
			await stepper.step(dt, count);
			step += count;
			if (step % every === 0 || step === steps)
				recording.add(step * dt, new Sample(model, state, world, stepper.statistics));
			context.progress.pulse(() => `${solver}: step ${step} of ${steps}`);
		}
		const seconds = (context.io.now() - started) / 1000;
		const { settings, engine, failures } = stepper;
		const stateHash = hashState(state);
		return {
			solver,
			settings,
			engine,
			recording,
			steps,
			jobs: stepper.jobs,
			seconds,
			stateHash,
			failures,
			work: stepper.statistics.work[world]!,
			energyGain: most(stepper.statistics.energyGain),
			...totalsOf(stepper),
		};
	} catch (error) {
		return refused(context, simulation, solver, error);
	} finally {
		await closeStepper(context, simulation, stepper);
	}
}

/** Makes the solver of a simulation and puts it at its start; undefined, with a diagnostic, when it cannot hold the model. */
export async function openStepper(
	context: CommandContext,
	simulation: Simulation,
	solver: SolverName,
	jobs: number | undefined,
): Promise<Stepper | undefined> {
	try {
		const options = { ...simulation.stepper, ...(jobs === undefined ? {} : { jobs }) };
		const stepper = await Stepper.create(solver, simulation.model, options);
		stepper.state.assign(simulation.start);
		return stepper;
	} catch (error) {
		return refused(context, simulation, solver, error);
	}
}

/** Reports what a solver says against a model, or that a thread ended; other errors are faults of ours. */
function refused(context: CommandContext, simulation: Simulation, solver: SolverName, error: unknown): undefined {
	const isTold = error instanceof RangeError || error instanceof TypeError || error instanceof RunnerError;
	if (!isTold || !('code' in error)) throw error;
	const message = `${solver}: ${error.message}`;
	const subject = 'subject' in error ? (error.subject as ErrorSubject | undefined) : undefined;
	const place = subject === undefined ? undefined : simulation.locate?.(subject);
	context.report.add(createDiagnostic(error.code as string, 'error', message, place ?? { file: simulation.file }));
	return undefined;
}

/** Reports what a solver had to say, and ends it. */
export async function closeStepper(context: CommandContext, simulation: Simulation, stepper: Stepper): Promise<void> {
	for (const one of stepper.report.toArray()) {
		// what a solver has no term for is worth knowing, and no fault of the robot
		const subject = one.data?.subject as ErrorSubject | undefined;
		const place = subject === undefined ? undefined : simulation.locate?.(subject);
		context.report.add({ ...one, ...place, severity: one.severity === 'warning' ? 'info' : one.severity });
	}
	for (const { world, step, reason } of stepper.failures) {
		const message = `${stepper.name}: world ${world} diverged in step ${step}: ${reason}; it was held at its last good state, the other worlds went on`;
		// the scene could be used; what came of it is a finding
		context.findings.add(createDiagnostic('CLI020', 'error', message));
	}
	stepper.reportMotion(context.findings);
	await stepper.dispose();
}

/** Means and extremes over worlds and steps. */
function totalsOf({
	statistics,
	tellsIterations,
}: Stepper): Pick<RunResult, 'contacts' | 'iterations' | 'worstResidual' | 'unconverged'> {
	const count = Math.max(1, sum(statistics.stepCount));
	const contacts = { mean: sum(statistics.contactTotal) / count, most: most(statistics.contactMost) };
	if (!tellsIterations) return { contacts };
	return {
		contacts,
		iterations: { mean: sum(statistics.iterationTotal) / count, most: most(statistics.iterationMost) },
		worstResidual: most(statistics.residualMost),
		unconverged: sum(statistics.unconvergedCount),
	};
}

function most(values: ArrayLike<number>): number {
	let found = 0;
	for (let i = 0; i < values.length; i++) found = Math.max(found, values[i]!);
	return found;
}

/** The sum of numbers. */
export function sum(values: ArrayLike<number>): number {
	let total = 0;
	for (let i = 0; i < values.length; i++) total += values[i]!;
	return total;
}
