import { createDiagnostic, type Report } from '@manyworlds/core';
import { type Control, MODEL_BUILDER_DEFAULTS, type Model, SHAPE_CONFIG_DEFAULTS, type State } from '@manyworlds/model';
import type { SolverSapOptions } from '@manyworlds/sim';
import type { SolverName } from './solver-names.ts';
import { WorldGuard } from './world-guard.ts';

/** A world that could not go on; it stays at its last good state, and the others are not touched. */
export interface WorldFailure {
	readonly world: number;
	/** The step that failed, from 1. */
	readonly step: number;
	readonly reason: string;
}

/** What the last step of each world came to, for solvers that tell; one entry for each world. */
export interface StepDiagnostics {
	readonly iterations: ArrayLike<number>;
	/** Norm of the scaled gradient over that of momentum or impulse. */
	readonly residual: ArrayLike<number>;
	readonly converged: ArrayLike<number>;
}

/** A solver that moves all worlds of a model. */
export interface Stepper {
	readonly name: SolverName;
	/** What the solver cannot do with the model, and what happened on the way. */
	readonly report: Report;
	/** Settings that shape the result, in a few words. */
	readonly settings: string;
	/** Contacts of each world in the last step. */
	readonly contactCounts: ArrayLike<number>;
	/** Worlds that could not go on, in the order in which they stopped. */
	readonly failures: readonly WorldFailure[];
	readonly diagnostics: StepDiagnostics | undefined;
	/** Writes the state one step later to `next`. */
	step(now: State, next: State, control: Control, dt: number): void;
	dispose(): void;
}

/** Options of {@link createStepper}. */
export interface StepperOptions {
	readonly sap?: SolverSapOptions;
	/** Room for contacts of each world. */
	readonly contactsPerWorld?: number;
	/**
	 * Whether SAP takes {@link SAP_STIFFNESS} and {@link SAP_GAP} for shapes that have Newton's defaults, which are those of a
	 * mattress: for robots that say nothing about contact.
	 */
	readonly firmContacts?: boolean;
}

/** Values of {@link StepperOptions} that are used when absent. */
export const STEPPER_DEFAULTS = { contactsPerWorld: 512, firmContacts: false } as const;

/** Contact stiffness [N/m] and gap [m] for robots that give none. */
const SAP_STIFFNESS = 1e5;
const SAP_GAP = 0.01;

/** Makes a solver; packages are loaded when they are needed. */
export async function createStepper(name: SolverName, model: Model, options: StepperOptions = {}): Promise<Stepper> {
	return name === 'sap' ? createSap(model, options) : createMujoco(model);
}

async function createSap(model: Model, options: StepperOptions): Promise<Stepper> {
	const { contactsPerWorld, firmContacts } = { ...STEPPER_DEFAULTS, ...options };
	const restore = firmContacts ? firmUp(model) : () => {};
	const { CollisionPipeline, SapStop, SolverSap } = await import('@manyworlds/sim');
	const solver = new SolverSap(model, options.sap ?? {});
	const pipeline = new CollisionPipeline(model);
	const contacts = pipeline.createContacts({ perWorld: contactsPerWorld });
	const { diagnostics, report } = solver;
	const guard = new WorldGuard(model);
	const preset = solver.options.contactPresetVariant;
	return {
		name: 'sap',
		report,
		settings: `${preset}, ${solver.options.newton.lineSearchVariant}`,
		contactCounts: diagnostics.contactCount,
		failures: guard.failures,
		diagnostics,
		step(now, next, control, dt) {
			pipeline.collide(now, contacts);
			solver.step(now, next, control, contacts, dt, { mask: guard.running });
			guard.check(now, next, (world) => diagnostics.stop[world] === SapStop.BROKEN);
			noteTruncation(diagnostics.truncatedContactCount, contactsPerWorld, report);
		},
		dispose: restore,
	};
}

/** Gives shapes with Newton's defaults firmer contacts; the result undoes it. */
function firmUp(model: Model): () => void {
	const authored = [model.shapeMaterialKe.slice(), model.shapeGap.slice()] as const;
	for (let shape = 0; shape < model.shapeCount; shape++) {
		if (model.shapeMaterialKe[shape] === SHAPE_CONFIG_DEFAULTS.ke) model.shapeMaterialKe[shape] = SAP_STIFFNESS;
		if (model.shapeGap[shape] === MODEL_BUILDER_DEFAULTS.rigidGap) model.shapeGap[shape] = SAP_GAP;
	}
	return () => {
		model.shapeMaterialKe.set(authored[0]);
		model.shapeGap.set(authored[1]);
	};
}

async function createMujoco(model: Model): Promise<Stepper> {
	const { SolverMujoco } = await import('@manyworlds/mujoco');
	const solver = await SolverMujoco.create(model);
	return {
		name: 'mujoco',
		report: solver.report,
		settings: 'its own contacts',
		contactCounts: solver.contactCounts,
		get failures() {
			const reason = 'a coordinate or velocity is not finite';
			return solver.diverged.map(({ world, step }) => ({ world, step, reason }));
		},
		diagnostics: undefined,
		step: (now, next, control, dt) => solver.step(now, next, control, undefined, dt),
		dispose: () => solver.dispose(),
	};
}

/** Contacts without room change the motion, so they are told. */
function noteTruncation(truncated: Int32Array, room: number, report: Report): void {
	const world = truncated.findIndex((count) => count > 0);
	if (world < 0) return;
	report.add(createDiagnostic('CLI021', `world ${world} found more than ${room} contacts; the rest was left out`));
}
