import type { Report } from '@manyworlds/core';
import { type Control, ModelFlags, type State } from '@manyworlds/model';
import type { BroadPhaseVariant } from '../collision/broad-phase.ts';
import { CollisionPipeline } from '../collision/collision-pipeline.ts';
import type { WorldContacts } from '../collision/world-contacts.ts';
import { SapStop } from '../sap/sap-newton.ts';
import type { SolverSapOptions } from '../sap/sap-options.ts';
import { SolverSap, type StepOptions } from '../solver-sap.ts';
import {
	type StepOutcome,
	WorldFault,
	type WorldSolver,
	type WorldSolverFactory,
	type WorldSolverSetup,
} from './world-solver.ts';

/** Options of {@link SAP_WORLDS}. @public */
export interface SapWorldsOptions extends SolverSapOptions {
	/** Most contacts of each world; left out, as `WorldContacts` has it. */
	readonly contactsPerWorld?: number;
	readonly broadPhase?: BroadPhaseVariant;
}

/** Runs of worlds on `SolverSap` with its collision; options are {@link SapWorldsOptions}. @public */
export const SAP_WORLDS: WorldSolverFactory = {
	create: (setup) => new SapWorlds(setup),
};

class SapWorlds implements WorldSolver {
	readonly report: Report;
	readonly outcome: StepOutcome;
	readonly #solver: SolverSap;
	readonly #pipeline: CollisionPipeline;
	readonly #contacts: WorldContacts;
	#options: StepOptions & { readonly range: NonNullable<StepOptions['range']> };

	constructor({ model, options, worlds }: WorldSolverSetup) {
		const { contactsPerWorld, broadPhase, ...own } = (options ?? {}) as SapWorldsOptions;
		this.#solver = new SolverSap(model, own);
		this.#pipeline = new CollisionPipeline(model, broadPhase === undefined ? {} : { broadPhase });
		this.#contacts = this.#pipeline.createContacts(
			contactsPerWorld === undefined ? {} : { perWorld: contactsPerWorld },
		);
		this.#options = { range: worlds };
		this.report = this.#solver.report;
		const { contactCount, truncatedContactCount, iterations, residual, converged } = this.#solver.diagnostics;
		this.outcome = { contactCount, droppedContactCount: truncatedContactCount, iterations, residual, converged };
	}

	step(now: State, next: State, control: Control, dt: Float64Array, mask: Uint8Array): void {
		if (this.#options.mask !== mask) this.#options = { range: this.#options.range, mask };
		this.#pipeline.collide(now, this.#contacts, this.#options.range, mask);
		this.#solver.step(now, next, control, this.#contacts, dt, this.#options);
	}

	faultOf(world: number): WorldFault {
		return this.#solver.diagnostics.stop[world] === SapStop.BROKEN ? WorldFault.DIVERGED : WorldFault.NONE;
	}

	/** A step depends on its arguments only. */
	reset(): void {}

	notifyModelChanged(flags: number): void {
		if (flags !== ModelFlags.NONE) this.#solver.notifyModelChanged();
	}

	/** All memory is the garbage collector's. */
	dispose(): void {}
}
