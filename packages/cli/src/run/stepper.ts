import { createDiagnostic, type Report } from '@manyworlds/core';
import { type Control, MODEL_BUILDER_DEFAULTS, type Model, SHAPE_CONFIG_DEFAULTS, type State } from '@manyworlds/model';

/** Solvers that `manyworlds run` knows. */
export const SOLVERS = ['sap', 'mujoco'] as const;
/** One of {@link SOLVERS}. */
export type SolverName = (typeof SOLVERS)[number];

/** A solver that moves all worlds of a model. */
export interface Stepper {
	readonly name: SolverName;
	/** What the solver cannot do with the model, and what happened on the way. */
	readonly report: Report;
	/** Writes the state one step later to `next`. */
	step(now: State, next: State, control: Control, dt: number): void;
	/** Contacts in the last step, of all worlds. */
	contactCount(): number;
	/** Worlds that could not go on. */
	failedWorlds(): number;
	dispose(): void;
}

/** Makes a solver; packages are loaded when they are needed. */
export async function createStepper(name: SolverName, model: Model): Promise<Stepper> {
	return name === 'sap' ? createSap(model) : createMujoco(model);
}

/** Room for contacts of each world. */
const CONTACTS_PER_WORLD = 512;

/** Contact stiffness [N/m] and gap [m] that SAP gets where the asset gives none: Newton's defaults are those of a mattress. */
const SAP_STIFFNESS = 1e5;
const SAP_GAP = 0.01;

async function createSap(model: Model): Promise<Stepper> {
	const authored = [model.shapeMaterialKe.slice(), model.shapeGap.slice()] as const;
	for (let shape = 0; shape < model.shapeCount; shape++) {
		if (model.shapeMaterialKe[shape] === SHAPE_CONFIG_DEFAULTS.ke) model.shapeMaterialKe[shape] = SAP_STIFFNESS;
		if (model.shapeGap[shape] === MODEL_BUILDER_DEFAULTS.rigidGap) model.shapeGap[shape] = SAP_GAP;
	}
	const { CollisionPipeline, SolverSap } = await import('@manyworlds/sim');
	const solver = new SolverSap(model, { contactPresetVariant: 'drake' });
	const pipeline = new CollisionPipeline(model);
	const contacts = pipeline.createContacts({ perWorld: CONTACTS_PER_WORLD });
	const failed = new Set<number>();
	return {
		name: 'sap',
		report: solver.report,
		step(now, next, control, dt) {
			pipeline.collide(now, contacts);
			solver.step(now, next, control, contacts, dt);
			noteFailures(model, next, failed, solver.report);
			noteTruncation(solver.diagnostics.truncatedContactCount, solver.report);
		},
		contactCount: () => solver.diagnostics.contactCount.reduce((sum, count) => sum + count, 0),
		failedWorlds: () => failed.size,
		dispose() {
			model.shapeMaterialKe.set(authored[0]);
			model.shapeGap.set(authored[1]);
		},
	};
}

async function createMujoco(model: Model): Promise<Stepper> {
	const { SolverMujoco } = await import('@manyworlds/mujoco');
	const solver = await SolverMujoco.create(model);
	return {
		name: 'mujoco',
		report: solver.report,
		step: (now, next, control, dt) => solver.step(now, next, control, undefined, dt),
		contactCount: () => solver.contactCount,
		failedWorlds: () => solver.diverged.length,
		dispose: () => solver.dispose(),
	};
}

/** Contacts without room change the motion, so they are told. */
function noteTruncation(truncated: Int32Array, report: Report): void {
	const world = truncated.findIndex((count) => count > 0);
	if (world < 0) return;
	report.add(
		createDiagnostic('CLI021', `world ${world} found more than ${CONTACTS_PER_WORLD} contacts; the rest was left out`),
	);
}

/** A world with a number that is not finite has failed; it is told once. */
function noteFailures(model: Model, state: State, failed: Set<number>, report: Report): void {
	for (let world = 0; world < model.worldCount; world++) {
		if (failed.has(world)) continue;
		const { start, end } = model.worlds.range('jointDof', world);
		let sum = 0;
		for (let dof = start; dof < end; dof++) sum += state.jointQd[dof]! * 0;
		if (sum === 0) continue;
		failed.add(world);
		report.add(createDiagnostic('CLI020', `world ${world} diverged: a joint velocity is not finite`));
	}
}
