import { UsageRangeError } from '@manyworlds/core';
import type { Model } from '@manyworlds/model';
import type { IndexRange } from '@manyworlds/model/internal';
import { BroadPhase, type BroadPhaseVariant } from './broad-phase.ts';
import type { CollideKernel } from './collide-kernel.ts';
import { CollisionGeometry } from './collision-geometry.ts';
import { NarrowPhase } from './narrow-phase.ts';
import { ShapeFrames } from './shape-frames.ts';
import { WorldContacts, type WorldContactsOptions } from './world-contacts.ts';

/** Options of {@link CollisionPipeline}. @public */
export interface CollisionPipelineOptions {
	readonly broadPhase?: BroadPhaseVariant;
	/** Most that the gap of a pair grows by its speed [m]. */
	readonly maxSpeculativeGap?: number;
}

/** Values of {@link CollisionPipelineOptions} that are used when absent. @public */
export const COLLISION_DEFAULTS: { readonly broadPhase: BroadPhaseVariant; readonly maxSpeculativeGap: number } = {
	broadPhase: 'explicit',
	maxSpeculativeGap: 0.1,
};

/**
 * How far ahead contacts are looked for. Points that their present speed brings together within a step are contacts too, so
 * that nothing fast passes through something thin; so are points that slide past each other as far apart as SAP lets them
 * ride, `μ (dt + τ)` times their speed. `SolverSap.lookAhead` gives it. @public
 */
export interface LookAhead {
	/** Time step [s], one number or one for each world; left out, nothing is looked ahead. */
	readonly dt?: number | Float64Array;
	/** Largest friction of a pair. */
	readonly friction?: number;
	/** Longest relaxation time of a pair [s]. */
	readonly relaxation?: number;
}

/** What one call of {@link CollisionPipeline.collide} is about. @public */
export interface CollideOptions extends LookAhead {
	/** A run of worlds; left out, all. */
	readonly range?: IndexRange;
	/** One entry for each world; zero leaves it out. */
	readonly mask?: ArrayLike<number | boolean>;
}

/**
 * Finds the contacts of a model: bounding boxes, pairs whose boxes overlap, points of contact. Worlds are looked at one after
 * the other, and what a world finds does not depend on the others. After the first calls nothing is allocated. Kernels in WebAssembly do
 * it for worlds that are alike; shapes are as they were when the pipeline was made or told of changes.
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
		this.#frames = new ShapeFrames(model, options.maxSpeculativeGap ?? COLLISION_DEFAULTS.maxSpeculativeGap);
		const geometry = new CollisionGeometry(model);
		this.#broad = new BroadPhase(this.#frames, geometry, options.broadPhase ?? COLLISION_DEFAULTS.broadPhase);
		this.#narrow = new NarrowPhase(this.#frames, geometry);
	}

	/** A buffer for contacts of this model. */
	createContacts(options: WorldContactsOptions = {}): WorldContacts {
		return new WorldContacts(this.model, options);
	}

	/** Replaces the contacts by those of the given body poses. Worlds outside of the range or left out by the mask have none. */
	collide(
		state: { readonly bodyQ: Float64Array; readonly bodyQd: Float64Array },
		contacts: WorldContacts,
		options: CollideOptions = EVERY_WORLD,
	): void {
		const { model } = this;
		const { mask } = options;
		const worlds = Math.max(1, model.worldCount);
		const start = options.range?.start ?? 0;
		const end = options.range?.end ?? worlds;
		if (!(start >= 0 && start <= end && end <= worlds)) {
			throw new UsageRangeError(`worlds ${start} to ${end} of ${worlds}`);
		}
		if (contacts.worldFound.length !== worlds) {
			throw new UsageRangeError(`contacts for ${contacts.worldFound.length} worlds, the model has ${worlds}`);
		}
		contacts.clear();
		const { bodyQ, bodyQd } = state;
		const starts = model.shapeWorldStart;
		const { dt, friction = 0, relaxation = 0 } = options;
		const frames = this.#frames;
		const broad = this.#broad;
		const narrow = this.#narrow;
		let longest = typeof dt === 'number' ? dt : 0;
		if (typeof dt === 'object') for (let world = start; world < end; world++) longest = Math.max(longest, dt[world]!);
		frames.horizon = longest > 0 ? Math.max(longest, friction * (longest + relaxation)) : 0;
		// global shapes stand before and behind those of the worlds
		frames.begin(bodyQ, bodyQd);
		frames.placeRun(0, starts[0]!);
		frames.placeRun(starts[worlds] ?? starts[0]!, model.shapeCount);
		for (let world = start; world < end; world++) {
			if (mask !== undefined && !mask[world]) continue;
			// numbers that go through calls are boxed, so they are settled in place
			frames.ahead = typeof dt === 'number' ? dt : dt === undefined ? 0 : dt[world]!;
			frames.aside = frames.ahead > 0 ? friction * (frames.ahead + relaxation) : 0;
			frames.horizon = Math.max(frames.ahead, frames.aside);
			const run = broad.kernelRun(world);
			if (run >= 0) {
				const count = run === world ? this.#countAlike(world, end, options) : 1;
				this.#takeFound(broad.kernel!, run, world, count, bodyQ, contacts);
				world += count - 1;
				continue;
			}
			contacts.beginWorld(world);
			const count = broad.findNear(world);
			const { pairs } = broad;
			for (let i = 0; i < count; i++) narrow.collide(pairs[2 * i]!, pairs[2 * i + 1]!, world, bodyQ, contacts);
		}
	}

	/** How many worlds from one on, which the kernels know, they can take at once. */
	#countAlike(first: number, end: number, { mask, dt }: CollideOptions): number {
		const { kernel } = this.#broad;
		const last = Math.min(end, first + kernel!.most);
		let world = first + 1;
		for (; world < last; world++) {
			if (mask !== undefined && !mask[world]) break;
			if (typeof dt === 'object' && dt[world] !== dt[first]) break;
			if (!kernel!.knows(world)) break;
		}
		return world - first;
	}

	/** Finds the contacts of `count` worlds by the kernels. Those of pairs that they leave to the host come in between. */
	#takeFound(
		kernel: CollideKernel,
		run: number,
		first: number,
		count: number,
		bodyQ: Float64Array,
		contacts: WorldContacts,
	): void {
		const broad = this.#broad;
		const { listed } = broad;
		const { rows } = kernel;
		const left = kernel.find(run, count);
		let next = 0;
		// contacts that are to be copied to the rows from `row` on
		let from = 0;
		let to = 0;
		let row = contacts.rigidCount;
		for (let k = 0; k < count; k++) {
			const world = first + k;
			contacts.beginWorld(world);
			contacts.worldSpeculative[world] = kernel.aheadCount(k);
			for (;;) {
				const isLeft = next < left && kernel.leftRun(next) === k;
				const stop = isLeft ? kernel.leftRow(next) : kernel.rowEnd(k);
				const kept = contacts.addRows(world, stop - to);
				const isCut = to + kept < stop;
				to += kept;
				if (isLeft || isCut) {
					rows.copy(from, to, contacts, row);
					from = stop;
					to = stop;
				}
				if (isLeft) {
					const at = broad.placeOf(run + k, kernel.leftPair(next++));
					const a = listed[at]!;
					const b = listed[at + 1]!;
					if (broad.meet(a, b)) this.#narrow.collide(a, b, world, bodyQ, contacts);
				}
				if (isLeft || isCut) row = contacts.rigidCount;
				if (!isLeft) break;
			}
		}
		rows.copy(from, to, contacts, row);
	}

	/** Takes over changes that were made to shapes of the model: their places, sizes, margins and gaps; and to centres of mass. */
	notifyModelChanged(): void {
		this.#broad.refresh();
	}

	/** Pairs of shapes whose boxes overlap in a world, two numbers each, after `collide`. A copy. */
	overlappingPairs(world: number): Int32Array {
		return this.#broad.pairs.slice(0, 2 * this.#broad.find(world));
	}
}

/** Made once: a default in place would be an object for every call. */
const EVERY_WORLD: CollideOptions = {};
