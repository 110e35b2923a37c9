import { UsageRangeError } from '@manyworlds/core';
import type { Model } from '@manyworlds/model';
import type { IndexRange } from '@manyworlds/model/internal';
import { BroadPhase, type BroadPhaseVariant } from './broad-phase.ts';
import { NarrowPhase } from './narrow-phase.ts';
import { ShapeFrames } from './shape-frames.ts';
import { WorldContacts, type WorldContactsOptions } from './world-contacts.ts';

/** Options of {@link CollisionPipeline}. @public */
export interface CollisionPipelineOptions {
	readonly broadPhase?: BroadPhaseVariant;
}

/** Values of {@link CollisionPipelineOptions} that are used when absent. @public */
export const COLLISION_DEFAULTS: { readonly broadPhase: BroadPhaseVariant } = { broadPhase: 'explicit' };

/**
 * Finds the contacts of a model: bounding boxes, pairs whose boxes overlap, points of contact. Worlds are looked at one after
 * the other, and what a world finds does not depend on the others. After the first calls nothing is allocated.
 *
 * ```ts
 * const pipeline = new CollisionPipeline(model);
 * const contacts = pipeline.createContacts();
 * pipeline.collide(state, contacts);
 * contacts.rigidCount; // rows that mean something
 * contacts.droppedOf(0); // contacts of world 0 that had no room
 * ```
 * @public
 */
export class CollisionPipeline {
	readonly model: Model;
	readonly #frames: ShapeFrames;
	readonly #broad: BroadPhase;
	readonly #narrow: NarrowPhase;

	constructor(model: Model, options: CollisionPipelineOptions = {}) {
		this.model = model;
		this.#frames = new ShapeFrames(model);
		this.#broad = new BroadPhase(this.#frames, options.broadPhase ?? COLLISION_DEFAULTS.broadPhase);
		this.#narrow = new NarrowPhase(this.#frames);
	}

	/** A buffer for contacts of this model. */
	createContacts(options: WorldContactsOptions = {}): WorldContacts {
		return new WorldContacts(this.model, options);
	}

	/** Replaces the contacts by those of the given body poses. Worlds outside of the range or left out by the mask have none. */
	collide(
		state: { readonly bodyQ: Float64Array },
		contacts: WorldContacts,
		range?: IndexRange,
		mask?: ArrayLike<number | boolean>,
	): void {
		const { model } = this;
		const worlds = Math.max(1, model.worldCount);
		const start = range?.start ?? 0;
		const end = range?.end ?? worlds;
		if (!(start >= 0 && start <= end && end <= worlds)) {
			throw new UsageRangeError(`worlds ${start} to ${end} of ${worlds}`);
		}
		if (contacts.worldFound.length !== worlds) {
			throw new UsageRangeError(`contacts for ${contacts.worldFound.length} worlds, the model has ${worlds}`);
		}
		contacts.clear();
		const { bodyQ } = state;
		const starts = model.shapeWorldStart;
		// global shapes stand before and behind those of the worlds
		this.#frames.place(bodyQ, 0, starts[0]!);
		this.#frames.place(bodyQ, starts[worlds] ?? starts[0]!, model.shapeCount);
		for (let world = start; world < end; world++) {
			if (mask !== undefined && !mask[world]) continue;
			this.#frames.place(bodyQ, starts[world]!, starts[world + 1]!);
			contacts.beginWorld(world);
			const count = this.#broad.find(world);
			for (let i = 0; i < count; i++) {
				this.#narrow.collide(this.#broad.pairs[2 * i]!, this.#broad.pairs[2 * i + 1]!, world, bodyQ, contacts);
			}
		}
	}

	/** Pairs of shapes whose boxes overlap in a world, two numbers each, after `collide`. A copy. */
	overlappingPairs(world: number): Int32Array {
		return this.#broad.pairs.slice(0, 2 * this.#broad.find(world));
	}
}
