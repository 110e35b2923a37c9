import { type Model, ShapeFlags } from '@manyworlds/model';
import { groupsCollide } from '@manyworlds/model/internal';
import { MovingParts } from '@manyworlds/worlds/internal';
import { BodySpheres } from './body-spheres.ts';
import { CollideKernel } from './collide-kernel.ts';
import type { CollisionGeometry } from './collision-geometry.ts';
import { isBallOnPlane } from './pair-kinds.ts';
import type { ShapeFrames } from './shape-frames.ts';

/** How pairs of shapes whose boxes overlap are found. All ways give the same pairs in the same order. @public */
export type BroadPhaseVariant = 'explicit' | 'nxn' | 'sap';

/**
 * Pairs of shapes whose boxes overlap, world by world. Shapes of different worlds never meet; global shapes meet all. Groups,
 * filters and flags of the model hold. Bodies that fixed joints hold together cannot touch each other. Pairs have the smaller index first and ascend.
 */
export class BroadPhase {
	readonly variant: BroadPhaseVariant;
	/** Pairs found by the last call; two numbers each. */
	pairs: Int32Array = new Int32Array(256);
	count = 0;
	/** The kernels, where there are some. */
	readonly kernel: CollideKernel | undefined;

	readonly #model: Model;
	readonly #frames: ShapeFrames;
	/** Shapes that collide, by world: globals of the front, of the tail, and of the world. */
	readonly #globals: Int32Array;
	/** Explicit pairs by world: `#pairStart[w]` to `#pairStart[w + 1]`; the last is that of pairs of globals. */
	readonly #parts: MovingParts;
	readonly #explicit: Int32Array;
	readonly #explicitStart: Int32Array;
	/** 1 for explicit pairs of a plane without an end and a ball. */
	readonly #isBall: Uint8Array;
	readonly #spheres: BodySpheres | undefined;
	#candidates: Int32Array = new Int32Array(64);
	#candidateCount = 0;

	constructor(frames: ShapeFrames, geometry: CollisionGeometry, variant: BroadPhaseVariant) {
		this.#frames = frames;
		this.#model = frames.model;
		this.variant = variant;
		this.#globals = globalShapes(frames.model);
		this.#parts = new MovingParts(frames.model);
		[this.#explicit, this.#explicitStart] =
			variant === 'explicit' ? pairsByWorld(frames.model, this.#parts) : [NONE, NONE];
		this.#isBall = ballsOnPlanes(frames.model, this.#explicit);
		if (variant !== 'explicit') return;
		const pairs = this.#explicit;
		const start = this.#explicitStart;
		const isBall = this.#isBall;
		this.#spheres = new BodySpheres(frames, pairs, start, isBall);
		this.kernel = CollideKernel.create(frames, geometry, { pairs, start, isBall, plan: this.#spheres.plan });
		this.kernel?.refresh(this.#spheres.spheres);
	}

	/** Takes shapes of the model again. */
	refresh(): void {
		this.#frames.refresh();
		if (this.#spheres === undefined) return;
		this.#spheres.refresh();
		this.kernel?.refresh(this.#spheres.spheres);
	}

	/**
	 * Finds the pairs of one world that may touch, whose shapes then are placed: as `find`, but for pairs of bodies that stay clear
	 * of each other altogether. Global shapes have been placed.
	 */
	findNear(world: number): number {
		if (this.#spheres === undefined) return this.find(world);
		this.count = 0;
		// a model without worlds has pairs of globals alone
		const start = this.#explicitStart;
		const run = world === 0 && start[0] === start[1] ? start.length - 2 : world;
		const isFirst = world === 0 && run === world;
		const global = isFirst ? start[start.length - 2]! : 0;
		const end = isFirst ? start[start.length - 1]! : 0;
		this.#spheres.place(run);
		this.#fromNear(this.#spheres, global, end);
		return this.count;
	}

	/** The run of the pairs of a world, where the kernels can find all of its contacts; else -1. */
	kernelRun(world: number): number {
		const { kernel } = this;
		if (kernel === undefined) return -1;
		const start = this.#explicitStart;
		const globals = start.length - 2;
		let run = world;
		if (world === 0) {
			// a model without worlds has pairs of globals alone; where there are both, they come in one order
			if (start[0] === start[1]) run = globals;
			else if (start[globals]! < start[globals + 1]!) return -1;
		}
		return kernel.knows(run) ? run : -1;
	}

	/** Where a pair of a run stands in `listed`. */
	placeOf(run: number, pair: number): number {
		return 2 * (this.#explicitStart[run]! + pair);
	}

	/** All pairs of runs, two shapes each. */
	get listed(): Int32Array {
		return this.#explicit;
	}

	/** Whether the boxes of two shapes overlap, which then are placed. */
	meet(a: number, b: number): boolean {
		this.#frames.place(a);
		this.#frames.place(b);
		return this.#overlap(a, b);
	}

	/** Finds the pairs of one world: its shapes among themselves and with global ones. World 0 takes pairs of globals too. */
	find(world: number): number {
		this.count = 0;
		const { shapeWorldStart } = this.#model;
		this.#frames.placeRun(shapeWorldStart[world] ?? 0, shapeWorldStart[world + 1] ?? 0);
		if (this.variant === 'explicit') this.#fromList(world);
		else {
			this.#gather(world);
			if (this.variant === 'nxn') this.#everyPair(world);
			else this.#sweep(world);
			this.#sort();
		}
		return this.count;
	}

	/** Pairs of the run that was placed which may touch, and those of globals from `global` to before `end`. */
	#fromNear({ near, nearCount }: BodySpheres, global: number, end: number): void {
		const frames = this.#frames;
		const list = this.#explicit;
		const isBall = this.#isBall;
		// both ascend: merge them
		let next = global;
		for (let k = 0; k < nearCount; k++) {
			const i = near[k]!;
			for (; next < end && isBefore(list, next, i); next++) this.#offer(list[2 * next]!, list[2 * next + 1]!);
			const a = list[2 * i]!;
			const b = list[2 * i + 1]!;
			// the boxes of balls and planes without an end tell nothing: balls are measured where they are
			if (isBall[i] === 0) {
				frames.place(a);
				frames.place(b);
				if (!this.#overlap(a, b)) continue;
			}
			this.#push(a, b);
		}
		for (; next < end; next++) this.#offer(list[2 * next]!, list[2 * next + 1]!);
	}

	/** All pairs of a world, and those of globals. */
	#fromList(world: number): void {
		const list = this.#explicit;
		const start = this.#explicitStart;
		let i = start[world]!;
		const iEnd = start[world + 1]!;
		let j = world === 0 ? start[start.length - 2]! : 0;
		const jEnd = world === 0 ? start[start.length - 1]! : 0;
		while (i < iEnd || j < jEnd) {
			const takeGlobal = j < jEnd && (i >= iEnd || isBefore(list, j, i));
			const at = takeGlobal ? j++ : i++;
			this.#offer(list[2 * at]!, list[2 * at + 1]!);
		}
	}

	/** Shapes of a world that collide, and the global ones, ascending. */
	#gather(world: number): void {
		const model = this.#model;
		const start = model.shapeWorldStart[world] ?? 0;
		const end = model.shapeWorldStart[world + 1] ?? 0;
		const globals = this.#globals;
		const most = globals.length + end - start;
		if (most > this.#candidates.length) this.#candidates = new Int32Array(2 * most);
		let count = 0;
		let g = 0;
		while (g < globals.length && globals[g]! < start) this.#candidates[count++] = globals[g++]!;
		for (let shape = start; shape < end; shape++) if (collides(model, shape)) this.#candidates[count++] = shape;
		while (g < globals.length) this.#candidates[count++] = globals[g++]!;
		this.#candidateCount = count;
	}

	#everyPair(world: number): void {
		for (let i = 0; i < this.#candidateCount; i++) {
			for (let j = i + 1; j < this.#candidateCount; j++) this.#check(this.#candidates[i]!, this.#candidates[j]!, world);
		}
	}

	/** Sorts by the least x and looks only at those that begin before a box ends. */
	#sweep(world: number): void {
		const { box } = this.#frames;
		const list = this.#candidates;
		const n = this.#candidateCount;
		// nearly sorted from step to step, so insertion is fast; shapes without end come first
		for (let i = 1; i < n; i++) {
			const shape = list[i]!;
			const x = box[6 * shape]!;
			let j = i;
			for (; j > 0 && box[6 * list[j - 1]!]! > x; j--) list[j] = list[j - 1]!;
			list[j] = shape;
		}
		for (let i = 0; i < n; i++) {
			const end = box[6 * list[i]! + 3]!;
			for (let j = i + 1; j < n && box[6 * list[j]!]! <= end; j++) {
				this.#check(Math.min(list[i]!, list[j]!), Math.max(list[i]!, list[j]!), world);
			}
		}
	}

	#check(a: number, b: number, world: number): void {
		const model = this.#model;
		const worldA = model.shapeWorld[a]!;
		const worldB = model.shapeWorld[b]!;
		// pairs of globals belong to world 0
		if (worldA < 0 && worldB < 0 && world !== 0) return;
		if (!groupsCollide(model.shapeCollisionGroup[a]!, model.shapeCollisionGroup[b]!)) return;
		if (!this.#overlap(a, b) || model.isCollisionFiltered(a, b) || areOne(this.#parts, a, b)) return;
		this.#push(a, b);
	}

	#offer(a: number, b: number): void {
		if (this.meet(a, b)) this.#push(a, b);
	}

	#push(a: number, b: number): void {
		if (2 * this.count + 2 > this.pairs.length) {
			const larger = new Int32Array(2 * this.pairs.length);
			larger.set(this.pairs);
			this.pairs = larger;
		}
		this.pairs[2 * this.count] = a;
		this.pairs[2 * this.count + 1] = b;
		this.count++;
	}

	#overlap(a: number, b: number): boolean {
		const { box } = this.#frames;
		const i = 6 * a;
		const j = 6 * b;
		return (
			box[i]! <= box[j + 3]! &&
			box[j]! <= box[i + 3]! &&
			box[i + 1]! <= box[j + 4]! &&
			box[j + 1]! <= box[i + 4]! &&
			box[i + 2]! <= box[j + 5]! &&
			box[j + 2]! <= box[i + 5]!
		);
	}

	/** Puts the pairs in ascending order: heap sort, in place. */
	#sort(): void {
		const { pairs, count } = this;
		for (let root = (count >> 1) - 1; root >= 0; root--) siftDown(pairs, root, count);
		for (let end = count - 1; end > 0; end--) {
			swap(pairs, 0, end);
			siftDown(pairs, 0, end);
		}
	}
}

const NONE = new Int32Array(0);

function ballsOnPlanes(model: Model, pairs: Int32Array): Uint8Array {
	return Uint8Array.from({ length: pairs.length / 2 }, (_, i) => {
		const a = pairs[2 * i]!;
		const b = pairs[2 * i + 1]!;
		return isBallOnPlane(model, a, b) || isBallOnPlane(model, b, a) ? 1 : 0;
	});
}

function isBefore(list: Int32Array, i: number, j: number): boolean {
	const a = list[2 * i]!;
	const b = list[2 * j]!;
	return a < b || (a === b && list[2 * i + 1]! < list[2 * j + 1]!);
}

function siftDown(pairs: Int32Array, from: number, end: number): void {
	let root = from;
	for (;;) {
		let child = 2 * root + 1;
		if (child >= end) return;
		if (child + 1 < end && isBefore(pairs, child, child + 1)) child++;
		if (!isBefore(pairs, root, child)) return;
		swap(pairs, root, child);
		root = child;
	}
}

function swap(pairs: Int32Array, i: number, j: number): void {
	const a = pairs[2 * i]!;
	const b = pairs[2 * i + 1]!;
	pairs[2 * i] = pairs[2 * j]!;
	pairs[2 * i + 1] = pairs[2 * j + 1]!;
	pairs[2 * j] = a;
	pairs[2 * j + 1] = b;
}

function collides(model: Model, shape: number): boolean {
	return model.shapeCollisionGroup[shape] !== 0 && (model.shapeFlags[shape]! & ShapeFlags.COLLIDE_SHAPES) !== 0;
}

function globalShapes(model: Model): Int32Array {
	const out: number[] = [];
	for (let shape = 0; shape < model.shapeCount; shape++) {
		if (model.shapeWorld[shape]! < 0 && collides(model, shape)) out.push(shape);
	}
	return Int32Array.from(out);
}

/** Whether fixed joints hold two shapes together. */
function areOne(parts: MovingParts, a: number, b: number): boolean {
	return parts.rigidOf(parts.bodyOf(a)) === parts.rigidOf(parts.bodyOf(b));
}

/** The model's pairs in one list, world by world, then those of globals; with the start of each run. */
function pairsByWorld(model: Model, parts: MovingParts): [pairs: Int32Array, start: Int32Array] {
	const worlds = Math.max(1, model.worldCount);
	const all = model.shapeContactPairs;
	const kept = new Int32Array(all.length);
	let length = 0;
	for (let i = 0; i < all.length; i += 2) {
		if (areOne(parts, all[i]!, all[i + 1]!)) continue;
		kept[length++] = all[i]!;
		kept[length++] = all[i + 1]!;
	}
	const list = kept.subarray(0, length);
	const start = new Int32Array(worlds + 2);
	const worldOf = (i: number): number => {
		const world = Math.max(model.shapeWorld[list[2 * i]!]!, model.shapeWorld[list[2 * i + 1]!]!);
		return world < 0 ? worlds : world;
	};
	const count = list.length / 2;
	for (let i = 0; i < count; i++) start[worldOf(i) + 1] = start[worldOf(i) + 1]! + 1;
	for (let w = 0; w <= worlds; w++) start[w + 1] = start[w + 1]! + start[w]!;
	const next = start.slice();
	const pairs = new Int32Array(list.length);
	for (let i = 0; i < count; i++) {
		const w = worldOf(i);
		const at = next[w]!;
		next[w] = at + 1;
		pairs[2 * at] = list[2 * i]!;
		pairs[2 * at + 1] = list[2 * i + 1]!;
	}
	return [pairs, start];
}
