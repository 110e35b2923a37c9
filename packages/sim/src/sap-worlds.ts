import type { WorldSolverFactory } from '@manyworlds/worlds';
import type { BroadPhaseVariant } from './collision/broad-phase.ts';
import { CollisionPipeline } from './collision/collision-pipeline.ts';
import type { SolverSapOptions } from './sap/sap-options.ts';
import { SolverSap } from './solver-sap.ts';

/** Options of {@link SAP_WORLDS}. @public */
export interface SapWorldsOptions extends SolverSapOptions {
	/** Most contacts of each world; left out, as `WorldContacts` has it. */
	readonly contactsPerWorld?: number;
	readonly broadPhase?: BroadPhaseVariant;
}

/** Runs of worlds on `SolverSap` with its collision; options are {@link SapWorldsOptions}. @public */
export const SAP_WORLDS: WorldSolverFactory = {
	create({ model, options, range }) {
		const { contactsPerWorld, broadPhase, ...own } = (options ?? {}) as SapWorldsOptions;
		const pipeline = new CollisionPipeline(model, broadPhase === undefined ? {} : { broadPhase });
		const contacts = pipeline.createContacts(contactsPerWorld === undefined ? {} : { perWorld: contactsPerWorld });
		return {
			solver: new SolverSap(model, own),
			collide(state, mask) {
				pipeline.collide(state, contacts, range, mask);
				return contacts;
			},
		};
	},
};
