import type { WorldSolverFactory } from '@manyworlds/worlds';
import type { BroadPhaseVariant } from './collision/broad-phase.ts';
import { type CollideOptions, CollisionPipeline } from './collision/collision-pipeline.ts';
import type { SolverSapOptions } from './sap/sap-options.ts';
import { SolverSap } from './solver-sap.ts';

/** Options of {@link SAP_WORLDS}. @public */
export interface SapWorldsOptions extends SolverSapOptions {
	/** Most contacts of each world; left out, as `WorldContacts` has it. */
	readonly contactsPerWorld?: number;
	readonly broadPhase?: BroadPhaseVariant;
	/** Most that the gap of a pair grows by its speed [m]; see `CollisionPipeline`. */
	readonly maxSpeculativeGap?: number;
}

/** Runs of worlds on `SolverSap` with its collision; options are {@link SapWorldsOptions}. @public */
export const SAP_WORLDS: WorldSolverFactory = {
	create({ model, options, range }) {
		const { contactsPerWorld, broadPhase, maxSpeculativeGap, ...own } = (options ?? {}) as SapWorldsOptions;
		const pipeline = new CollisionPipeline(model, {
			...(broadPhase === undefined ? {} : { broadPhase }),
			...(maxSpeculativeGap === undefined ? {} : { maxSpeculativeGap }),
		});
		const contacts = pipeline.createContacts(contactsPerWorld === undefined ? {} : { perWorld: contactsPerWorld });
		const solver = new SolverSap(model, own);
		const call = { range, mask: undefined as Uint8Array | undefined, ahead: 0 };
		return {
			solver,
			collide(state, mask, dt) {
				call.mask = mask;
				call.ahead = solver.contactHorizon(dt);
				pipeline.collide(state, contacts, call as CollideOptions);
				return contacts;
			},
		};
	},
};
