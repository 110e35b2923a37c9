import type { Contacts } from '@manyworlds/model';
import { CollisionPipeline } from '@manyworlds/sim';
import type { WorldSolverFactory } from '@manyworlds/worlds';
import { loadMujoco } from '../engine/load-mujoco.ts';
import { CONVERT_DEFAULTS } from '../solver-options.ts';
import { SolverMujoco, type SolverMujocoOptions } from './solver-mujoco.ts';

/** Contacts of one world that are read with their forces. */
const MOST_CONTACTS = 1024;

/**
 * Runs of worlds on `SolverMujoco`, for a `WorldRunner`; options are {@link SolverMujocoOptions}. The model is compiled in
 * one thread, the others load the result. With `useMujocoContacts: false` the contacts are those of the collision pipeline.
 * @public
 */
export const MUJOCO_WORLDS: WorldSolverFactory = {
	prepare: async (model, options) => SolverMujoco.compile(await loadMujoco(), model, resolveWorldsOptions(options)),
	async create({ model, options, range, prepared }) {
		const own = resolveWorldsOptions(options);
		const compiled = prepared === undefined ? {} : { compiled: prepared };
		const solver = new SolverMujoco(await loadMujoco(), model, { ...own, range, ...compiled });
		if (own.useMujocoContacts ?? CONVERT_DEFAULTS.useMujocoContacts) {
			let found: Contacts | undefined;
			return {
				solver,
				contactsOf(world, state) {
					found ??= model.createContacts({ rigidCapacity: MOST_CONTACTS, withForce: true });
					solver.updateContacts(found, state, world);
					return { contacts: found, start: 0, end: found.rigidCount };
				},
			};
		}
		const pipeline = new CollisionPipeline(model);
		const contacts = pipeline.createContacts();
		return {
			solver,
			collide(state, mask) {
				pipeline.collide(state, contacts, { range, mask });
				return contacts;
			},
			notifyModelChanged: () => pipeline.notifyModelChanged(),
		};
	},
};

function resolveWorldsOptions(options: unknown): SolverMujocoOptions {
	return (options ?? {}) as SolverMujocoOptions;
}
