import { createDiagnostic, type DiagnosticCode } from '@manyworlds/core';
import type { CommandContext } from '../command-context.ts';
import { type Quantity, Sample } from './quantities.ts';
import { Recording } from './recording.ts';
import { freshStates, type Simulation } from './simulation.ts';
import type { SolverName } from './solver-names.ts';
import { createStepper, type Stepper, type WorldFailure } from './stepper.ts';

/** What one solver came to. */
export interface RunResult {
	readonly solver: SolverName;
	/** Settings that shape the result, in a few words. */
	readonly settings: string;
	readonly recording: Recording;
	readonly steps: number;
	/** Time that the computation took [s]. */
	readonly seconds: number;
	readonly failures: readonly WorldFailure[];
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
	const { solver, steps, world } = options;
	const stepper = await openStepper(context, simulation, solver);
	if (stepper === undefined) return undefined;
	const recording = new Recording(options.quantities);
	const totals = new Totals();
	let { now, next, control } = freshStates(simulation);
	const every = Math.max(1, Math.ceil(steps / MOST_ROWS));
	const started = context.io.now();
	try {
		recording.add(0, new Sample(model, now, world));
		for (let step = 1; step <= steps; step++) {
			playback?.apply(control, step - 1, dt);
			stepper.step(now, next, control, dt);
			[now, next] = [next, now];
			totals.add(stepper);
			if (step % every === 0 || step === steps) recording.add(step * dt, new Sample(model, now, world, stepper));
			if (step % 16 === 0) context.progress.step(`${solver}: step ${step} of ${steps}`);
		}
		const seconds = (context.io.now() - started) / 1000;
		const failures = [...stepper.failures];
		return { solver, settings: stepper.settings, recording, steps, seconds, failures, ...totals.result() };
	} finally {
		closeStepper(context, stepper);
	}
}

/** Makes the solver of a simulation; undefined, with a diagnostic, when it cannot hold the model. */
export async function openStepper(
	context: CommandContext,
	simulation: Simulation,
	solver: SolverName,
): Promise<Stepper | undefined> {
	try {
		return await createStepper(solver, simulation.model, simulation.stepper);
	} catch (error) {
		if (!(error instanceof RangeError || error instanceof TypeError) || !('code' in error)) throw error;
		const message = `${solver}: ${error.message}`;
		context.report.add(createDiagnostic(error.code as DiagnosticCode, message, { file: simulation.file }));
		return undefined;
	}
}

/** Reports what a solver had to say, and ends it. */
export function closeStepper(context: CommandContext, stepper: Stepper): void {
	for (const one of stepper.report.toArray()) {
		// told below, for every solver alike
		if (one.code === 'MJC020') continue;
		// what a solver has no term for is worth knowing, and no fault of the robot
		context.report.add(one.severity === 'warning' ? { ...one, severity: 'info' } : one);
	}
	for (const { world, step, reason } of stepper.failures) {
		const message = `${stepper.name}: world ${world} diverged in step ${step}: ${reason}; it was held at its last good state, the other worlds went on`;
		context.report.add(createDiagnostic('CLI020', message));
		// the scene could be used; what came of it is a finding
		context.findingErrors++;
	}
	stepper.dispose();
}

/** Sums over worlds and steps. */
class Totals {
	#count = 0;
	#contacts = 0;
	#mostContacts = 0;
	#iterations = 0;
	#mostIterations = 0;
	#worstResidual = 0;
	#unconverged = 0;
	#hasDiagnostics = false;

	add({ contactCounts, diagnostics }: Stepper): void {
		for (let world = 0; world < contactCounts.length; world++) {
			this.#count++;
			this.#contacts += contactCounts[world]!;
			this.#mostContacts = Math.max(this.#mostContacts, contactCounts[world]!);
			if (diagnostics === undefined) continue;
			this.#hasDiagnostics = true;
			this.#iterations += diagnostics.iterations[world]!;
			this.#mostIterations = Math.max(this.#mostIterations, diagnostics.iterations[world]!);
			if (diagnostics.residual[world]! > this.#worstResidual) this.#worstResidual = diagnostics.residual[world]!;
			if (diagnostics.converged[world] === 0) this.#unconverged++;
		}
	}

	result(): Pick<RunResult, 'contacts' | 'iterations' | 'worstResidual' | 'unconverged'> {
		const count = Math.max(1, this.#count);
		const contacts = { mean: this.#contacts / count, most: this.#mostContacts };
		if (!this.#hasDiagnostics) return { contacts };
		return {
			contacts,
			iterations: { mean: this.#iterations / count, most: this.#mostIterations },
			worstResidual: this.#worstResidual,
			unconverged: this.#unconverged,
		};
	}
}
