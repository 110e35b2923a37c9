import { type State, TreePlacement } from '@manyworlds/model';
import type { IndexRange } from '@manyworlds/model/internal';
import type { CompiledModel } from '../engine/compiled-model.ts';
import { WorldShift } from '../engine/world-shift.ts';

/**
 * Poses and velocities of bodies from joint coordinates, for the bodies that MuJoCo moves.
 *
 * After a step MuJoCo's own poses (`xpos`) are those from before its integration, and asking for them again costs more
 * than computing them here: `mj_kinematics` also places geoms, sites and inertial frames, and its results still have to
 * be carried over.
 */
export class BodyPoses {
	readonly #worlds: IndexRange;
	/** One tree for each world. */
	readonly #placement: TreePlacement;

	constructor({ conversion }: CompiledModel, worlds: IndexRange) {
		this.#worlds = worlds;
		const { model, plan } = conversion;
		const shift = new WorldShift(conversion);
		const joints = Int32Array.from([...plan.staticRoots, ...plan.tree]);
		const trees = Array.from({ length: worlds.end - worlds.start }, (_, i) => {
			const first = shift.joint(worlds.start + i);
			return joints.map((joint) => joint + first);
		});
		this.#placement = new TreePlacement(model, trees);
	}

	/** Takes frames, axes and centres of mass from the model again, of all worlds or of those of a mask. */
	refresh(mask?: ArrayLike<number | boolean>): void {
		const { start } = this.#worlds;
		this.#placement.refresh(mask && ((tree) => Boolean(mask[start + tree])));
	}

	/** Writes the bodies of one world. */
	update(world: number, state: State): void {
		this.#placement.place(world - this.#worlds.start, state.jointQ, state.jointQd, state);
	}
}
