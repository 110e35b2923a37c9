import { GeoType, type Model } from '@manyworlds/model';
import { worldRows } from '@manyworlds/worlds/internal';
import { type KernelExports, KernelMemory } from '../wasm/kernel-memory.ts';
import { instantiateKernels } from '../wasm/kernels.ts';
import type { PartPlan } from './part-plan.ts';
import type { ShapeFrames } from './shape-frames.ts';

/** Numbers of a part, of its normal, and of the sphere around a shape, as `BodySpheres` has them. */
const PART = 5;
const NORMAL = 3;
const SHAPE = 4;
/** Numbers of a ball on a plane, and of its contact; see the kernels. */
const BALL = 11;
const CONTACT = 6;

interface NearExports extends KernelExports {
	readonly find: () => number;
}

/** Where the host writes and reads, in numbers. */
type Places = Readonly<
	Record<
		'parts' | 'normals' | 'shapes' | 'balls' | 'poses' | 'rates' | 'lookAhead' | 'found' | 'isTouching' | 'contacts',
		number
	>
>;

/** Spheres of parts and shapes, and normals of planes, as `BodySpheres` has them. */
export interface Spheres {
	readonly parts: Float64Array;
	readonly normals: Float64Array;
	readonly shapes: Float64Array;
}

/**
 * What `BodySpheres` does, in WebAssembly, for runs that are alike: the same pairs of shapes in the same order, and contacts of balls that
 * touch planes, as `NarrowPhase` has them. The kernels have the tables of one run; poses and velocities of the bodies of its world are
 * copied to them before each search.
 */
export class NearKernel {
	readonly #exports: NearExports;
	readonly #memory: KernelMemory;
	readonly #frames: ShapeFrames;
	readonly #plan: PartPlan;
	readonly #pairs: Int32Array;
	readonly #start: Int32Array;
	/** The run whose tables the kernels have. */
	readonly #first: RunTables;
	/** 1 for runs with the structure of the first, and for those with its numbers too. */
	readonly #isAlike: Uint8Array;
	readonly #isEqual: Uint8Array;
	readonly #at: Places;
	readonly #poses: BodyViews;
	readonly #rates: BodyViews;

	/** Undefined without pairs, or without WebAssembly with SIMD. Takes the runs of pairs that `BodySpheres` takes. */
	static create(
		frames: ShapeFrames,
		plan: PartPlan,
		pairs: Int32Array,
		start: Int32Array,
		isBall: Uint8Array,
	): NearKernel | undefined {
		let run = 0;
		while (run + 1 < start.length && start[run] === start[run + 1]) run++;
		if (run + 1 >= start.length) return undefined;
		const tables = tablesOf(frames.model, plan, pairs, start, isBall, run);
		const exports = tables === undefined ? undefined : instantiateKernels<NearExports>('near');
		return exports === undefined ? undefined : new NearKernel(exports, frames, plan, pairs, start, isBall, tables!);
	}

	private constructor(
		exports: NearExports,
		frames: ShapeFrames,
		plan: PartPlan,
		pairs: Int32Array,
		start: Int32Array,
		isBall: Uint8Array,
		first: RunTables,
	) {
		this.#exports = exports;
		this.#memory = new KernelMemory(exports, 8);
		const { model } = frames;
		this.#frames = frames;
		this.#plan = plan;
		this.#pairs = pairs;
		this.#start = start;
		this.#first = first;
		this.#isAlike = Uint8Array.from({ length: start.length - 1 }, (_, run) => {
			if (start[run] === start[run + 1]) return 0;
			const tables = tablesOf(model, plan, pairs, start, isBall, run);
			return tables !== undefined && TABLES.every((name) => haveSameEntries(tables[name], first[name])) ? 1 : 0;
		});
		this.#isEqual = new Uint8Array(start.length - 1);
		this.#at = this.#layOut();
		this.#poses = new BodyViews(model, 7);
		this.#rates = new BodyViews(model, 6);
	}

	/** Takes spheres and normals. */
	refresh(spheres: Spheres): void {
		const { doubles } = this.#memory;
		const own = this.#numbersOf(this.#first.run, spheres);
		doubles.set(own[0], this.#at.parts);
		doubles.set(own[1], this.#at.normals);
		doubles.set(own[2], this.#at.shapes);
		doubles.set(own[3], this.#at.balls);
		for (let run = 0; run < this.#isAlike.length; run++) {
			const isEqual =
				this.#isAlike[run] === 1 &&
				this.#numbersOf(run, spheres).every((numbers, i) => haveSameEntries(numbers, own[i]!));
			this.#isEqual[run] = isEqual ? 1 : 0;
		}
	}

	/** Whether the kernels know a run. */
	knows(run: number): boolean {
		return this.#isEqual[run] === 1;
	}

	/**
	 * Writes the pairs of shapes of a run that they know which may touch to `near`. Gives their number. Those that are contacts already
	 * have a 1 in `isTouching`.
	 */
	find(run: number, near: Int32Array, isTouching: Uint8Array): number {
		const { doubles, integers } = this.#memory;
		const { bodyQ, bodyQd, horizon, most } = this.#frames;
		const at = this.#at;
		doubles.set(this.#poses.of(bodyQ, run), at.poses);
		if (horizon > 0) doubles.set(this.#rates.of(bodyQd, run), at.rates);
		doubles[at.lookAhead] = horizon;
		doubles[at.lookAhead + 1] = most;
		const count = this.#exports.find();
		const first = this.#start[run]!;
		for (let i = 0; i < count; i++) {
			near[i] = first + integers[at.found + i]!;
			isTouching[i] = integers[at.isTouching + i]!;
		}
		return count;
	}

	/** Memory that has the points of a contact: on the plane in the world, then on the ball in its body. */
	get numbers(): Float64Array {
		return this.#memory.doubles;
	}

	/** Where they are, by the pair that was found. */
	contactAt(i: number): number {
		return this.#at.contacts + CONTACT * i;
	}

	/** Numbers of the parts of a run, their normals, of its shapes, and of its balls on planes. */
	#numbersOf(
		run: number,
		{ parts, normals, shapes }: Spheres,
	): readonly [Float64Array, Float64Array, Float64Array, Float64Array] {
		const { partStart, parts: partOf } = this.#plan;
		const own = partOf.subarray(partStart[run]!, partStart[run + 1]!);
		const ownShapes = shapesOf(this.#pairs, this.#start, run);
		return [
			rowsOf(parts, own, PART),
			rowsOf(normals, own, NORMAL),
			rowsOf(shapes, ownShapes, SHAPE),
			this.#ballsOf(run),
		];
	}

	#ballsOf(run: number): Float64Array {
		const frames = this.#frames;
		const { shapeTransform, shapeScale, shapeMargin, shapeGap } = frames.model;
		const out: number[] = [];
		// planes stand where they stand in every call
		frames.begin(frames.bodyQ, frames.bodyQd);
		const first = this.#start[run]!;
		for (let i = first; i < this.#start[run + 1]!; i++) {
			if (this.#first.ballOf[i - first]! < 0) continue;
			const [plane, ball] = planeFirst(frames.model, this.#pairs, i);
			frames.place(plane);
			out.push(
				...frames.pose.subarray(7 * plane, 7 * plane + 3),
				...frames.rotation.subarray(9 * plane + 6, 9 * plane + 9),
			);
			out.push(...shapeTransform.subarray(7 * ball, 7 * ball + 3), shapeScale[3 * ball]!);
			out.push(shapeMargin[plane]! + shapeMargin[ball]! + shapeGap[plane]! + shapeGap[ball]!);
		}
		return Float64Array.from(out);
	}

	/** Hands out the memory of the kernels and writes the tables. Gives where numbers and what they find are. */
	#layOut(): Places {
		const memory = this.#memory;
		const first = this.#first;
		for (const name of TABLES) memory.set(name, memory.table(first[name]));
		const parts = first.partBody.length;
		const shapes = first.shapeBody.length;
		const bodies = bodiesOf(this.#frames.model, first.run);
		memory.set('partCount', parts);
		memory.set('pairCount', first.pairs.length / 2);
		memory.set('planeEnd', first.planeCount);
		memory.set('stretchCount', first.stretchParts.length);
		memory.set('isNear', memory.table(first.pairs.length / 2));
		memory.set('middleCalls', memory.table(shapes));
		const numbers = (name: string, count: number): number => {
			const address = memory.doublesAt(count);
			memory.set(name, address);
			return address / 8;
		};
		numbers('placed', PART * parts);
		numbers('middles', 3 * shapes);
		const integers = (name: string): number => {
			const address = memory.table(first.ballOf.length);
			memory.set(name, address);
			return address / 4;
		};
		return {
			parts: numbers('parts', PART * parts),
			normals: numbers('normals', NORMAL * parts),
			shapes: numbers('shapes', SHAPE * shapes),
			poses: numbers('poses', 7 * (bodies.end - bodies.start)),
			rates: numbers('rates', 6 * (bodies.end - bodies.start)),
			lookAhead: numbers('lookAhead', 2),
			balls: numbers('balls', BALL * first.ballBody.length),
			found: integers('found'),
			isTouching: integers('isTouching'),
			contacts: numbers('contacts', CONTACT * first.ballOf.length),
		};
	}
}

/** Tables of a run that the kernels take; bodies, parts, shapes and pairs are counted from the first of the run. */
interface RunTables {
	readonly run: number;
	readonly planeCount: number;
	readonly partBody: Int32Array;
	readonly pairs: Int32Array;
	readonly stretchParts: Int32Array;
	readonly stretchStart: Int32Array;
	readonly stretchEnd: Int32Array;
	readonly shapePairs: Int32Array;
	readonly ballOf: Int32Array;
	readonly ballBody: Int32Array;
	readonly shapeBody: Int32Array;
}

const TABLES = [
	'partBody',
	'pairs',
	'stretchParts',
	'stretchStart',
	'stretchEnd',
	'shapePairs',
	'ballOf',
	'ballBody',
	'shapeBody',
] as const;

/** Undefined for a run with bodies of other worlds, or with a plane that moves below a ball. */
function tablesOf(
	model: Model,
	plan: PartPlan,
	pairs: Int32Array,
	start: Int32Array,
	isBall: Uint8Array,
	run: number,
): RunTables | undefined {
	const bodies = bodiesOf(model, run);
	let isOwn = true;
	const relative = (body: number): number => {
		if (body >= 0 && (body < bodies.start || body >= bodies.end)) isOwn = false;
		return body < 0 ? -1 : body - bodies.start;
	};
	const first = start[run]!;
	const end = start[run + 1]!;
	const shapes = shapesOf(pairs, start, run);
	const placeOf = new Map<number, number>();
	for (const [place, shape] of shapes.entries()) placeOf.set(shape, place);
	const parts = plan.parts.subarray(plan.partStart[run]!, plan.partStart[run + 1]!);
	const stretches = plan.stretches.subarray(plan.stretchStart[run]!, plan.stretchStart[run + 1]!);
	const partPairs = plan.pairs.subarray(2 * plan.pairStart[run]!, 2 * plan.pairStart[run + 1]!);
	const planeCount = plan.planeEnd[run]! - plan.pairStart[run]!;
	const shapePairs = Int32Array.from(pairs.subarray(2 * first, 2 * end), (shape) => placeOf.get(shape)!);
	for (let i = first; i < end; i++) {
		const own = plan.pairOf[i]!;
		if (own >= planeCount) continue;
		// the plane comes first, as it does in the pair of parts
		const plane = plan.shapes[plan.shapeStart[parts[partPairs[2 * own]!]!]!]!;
		if (pairs[2 * i] === plane) continue;
		shapePairs[2 * (i - first)] = placeOf.get(plane)!;
		shapePairs[2 * (i - first) + 1] = placeOf.get(pairs[2 * i]!)!;
	}
	const ballOf = new Int32Array(end - first).fill(-1);
	const ballBody: number[] = [];
	for (let i = first; i < end; i++) {
		if (isBall[i] === 0) continue;
		const [plane, ball] = planeFirst(model, pairs, i);
		// a plane that moves is left to others
		if (model.shapeBody[plane]! >= 0) return undefined;
		ballOf[i - first] = ballBody.push(relative(model.shapeBody[ball]!)) - 1;
	}
	const tables: RunTables = {
		run,
		planeCount,
		partBody: Int32Array.from(parts, (part) => relative(plan.body[part]!)),
		pairs: partPairs,
		stretchParts: Int32Array.from(stretches, (pair) => plan.pairOf[pair]!),
		stretchStart: Int32Array.from(stretches, (pair) => pair - first),
		stretchEnd: Int32Array.from(stretches, (pair) => plan.next[pair]! - first),
		shapePairs,
		ballOf,
		ballBody: Int32Array.from(ballBody),
		shapeBody: Int32Array.from(shapes, (shape) => relative(model.shapeBody[shape]!)),
	};
	return isOwn ? tables : undefined;
}

/** Shapes of a pair of a ball and a plane, the plane first. */
function planeFirst({ shapeType }: Model, pairs: Int32Array, i: number): readonly [plane: number, ball: number] {
	const a = pairs[2 * i]!;
	const b = pairs[2 * i + 1]!;
	return shapeType[a] === GeoType.PLANE ? [a, b] : [b, a];
}

/** Bodies of the world of a run; the last run is of what belongs to no world. */
function bodiesOf(model: Model, run: number): { readonly start: number; readonly end: number } {
	return run < Math.max(1, model.worldCount) ? worldRows(model, 'body', run) : { start: 0, end: model.bodyCount };
}

/** Shapes of the pairs of a run in the order in which they come. */
function shapesOf(pairs: Int32Array, start: Int32Array, run: number): Int32Array {
	return Int32Array.from(new Set(pairs.subarray(2 * start[run]!, 2 * start[run + 1]!)));
}

function rowsOf(values: Float64Array, rows: Int32Array, width: number): Float64Array {
	const out = new Float64Array(width * rows.length);
	for (const [i, row] of rows.entries()) out.set(values.subarray(width * row, width * (row + 1)), width * i);
	return out;
}

function haveSameEntries(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
	if (a.length !== b.length) return false;
	for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return false;
	return true;
}

/** Views of arrays by body, one for the bodies of each run, made once; states take turns, so those of two arrays are at hand. */
class BodyViews {
	readonly #model: Model;
	readonly #width: number;
	readonly #all = new WeakMap<Float64Array, (Float64Array | undefined)[]>();
	#last: Float64Array | undefined;
	#before: Float64Array | undefined;
	#lastViews: (Float64Array | undefined)[] = [];
	#viewsBefore: (Float64Array | undefined)[] = [];

	constructor(model: Model, width: number) {
		this.#model = model;
		this.#width = width;
	}

	of(array: Float64Array, run: number): Float64Array {
		if (array !== this.#last) this.#turnTo(array);
		return (this.#lastViews[run] ??= this.#view(array, run));
	}

	#turnTo(array: Float64Array): void {
		let views = array === this.#before ? this.#viewsBefore : this.#all.get(array);
		if (views === undefined) this.#all.set(array, (views = []));
		this.#before = this.#last;
		this.#viewsBefore = this.#lastViews;
		this.#last = array;
		this.#lastViews = views;
	}

	#view(array: Float64Array, run: number): Float64Array {
		const { start, end } = bodiesOf(this.#model, run);
		return array.subarray(this.#width * start, this.#width * end);
	}
}
