import { ModelFlags } from '@manyworlds/model';
import type { WorldSolverFactory } from '@manyworlds/worlds';
import type { BroadPhaseVariant } from './collision/broad-phase.ts';
import { type CollideOptions, CollisionPipeline } from './collision/collision-pipeline.ts';
import type { SolverSapOptions } from './sap/sap-options.ts';
import { SolverSap } from './solver-sap.ts';
import { worldsAtOnce } from './worlds-at-once.ts';

/** Options of {@link SAP_WORLDS}. */
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
		let call: CollideOptions = {};
		return {
			solver,
			worldsAtOnce: worldsAtOnce(model),
			collide(state, mask, dt, worlds = range) {
				// an object for every step would be garbage
				if (dt !== call.dt || call.mask !== mask || call.range !== worlds)
					call = { range: worlds, mask, ...solver.lookAhead(dt) };
				pipeline.collide(state, contacts, call);
				// rows of things that cannot move get no force
				contacts.rigidForce?.fill(0, 0, 6 * contacts.rigidCount);
				return contacts;
			},
			notifyModelChanged(flags) {
				if (flags & SHAPE_FLAGS) pipeline.notifyModelChanged();
			},
			contactsOf: (world) => ({
				contacts,
				start: contacts.worldStart[world]!,
				end: contacts.worldStart[world + 1]!,
			}),
		};
	},
};

/** Flags of what the bounds of bodies depend on: shapes, and centres of mass that they turn about. */
const SHAPE_FLAGS = ModelFlags.SHAPE_PROPERTIES | ModelFlags.BODY_PROPERTIES | ModelFlags.BODY_INERTIAL_PROPERTIES;
