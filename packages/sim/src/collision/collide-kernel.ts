import { GeoType, type Model } from '@manyworlds/model';
import { worldRows } from '@manyworlds/worlds/internal';
import { type KernelExports, KernelMemory } from '../wasm/kernel-memory.ts';
import { instantiateKernels } from '../wasm/kernels.ts';
import type { CollisionGeometry } from './collision-geometry.ts';
import { MAX_MANIFOLD } from './contact-manifold.ts';
import { FoundRows, ROW_INTEGERS, ROW_NUMBERS, ROW_VECTORS } from './found-rows.ts';
import type { HullGeometry } from './hull-geometry.ts';
import { needsSearch } from './pair-kinds.ts';
import type { PartPlan } from './part-plan.ts';
import type { ShapeFrames } from './shape-frames.ts';
import { CAP_COSINES, CAP_SINES } from './surface-feature.ts';

/** Numbers of a part, and of its normal, as `BodySpheres` has them. */
const PART = 5;
const NORMAL = 3;
/** Numbers of a solid; its size, its margin and what follows, its integers, its arm with the ball around it: see `solids.ts` of the kernels. */
const SOLID = 58;
const SIZE = 16;
const MARGIN = 29;
const KIND = 96;
const PLACED = 100;
const ARM = 51;
const INDEX = 448;
/** Numbers of a shape that the host writes: its size with its radius, then its margin and what follows, then its arm and its ball. */
const SIZE_NUMBERS = 4;
const MARGIN_NUMBERS = 19;
const ARM_NUMBERS = 5;
const OWN_NUMBERS = SIZE_NUMBERS + MARGIN_NUMBERS + ARM_NUMBERS;
/** Numbers of the ball around a shape, as `BodySpheres` has them. */
const SHAPE = 4;
/** What becomes of a pair: see `layout.ts` of the kernels. */
const HOST = 0;
const BALL = 1;
const CONVEX = 2;
/** Contacts of a call that there is room for at most; pairs beyond are left to the host. */
const MOST_ROWS = 2 ** 14;
/** Worlds of a call at most. */
const MOST_WORLDS = 16;
/** Directions that are remembered at most. */
const MOST_AXES = 2 ** 19;

interface CollideExports extends KernelExports {
	readonly find: (first: number, count: number) => number;
}

/** Where the host writes and reads: in numbers of 8 bytes, and of 4. */
type Places = Readonly<
	Record<'parts' | 'normals' | 'solids' | 'poses' | 'rates' | 'lookAhead' | 'shifts' | 'left' | 'worldRows', number>
>;

/** Spheres of parts and shapes, and normals of planes, as `BodySpheres` has them. */
export interface Spheres {
	readonly parts: Float64Array;
	readonly normals: Float64Array;
	readonly shapes: Float64Array;
}

/** Runs of pairs of shapes, two numbers each: those of run r are `start[r]` to before `start[r + 1]`. */
export interface PairRuns {
	readonly pairs: Int32Array;
	readonly start: Int32Array;
	/** 1 for pairs of a plane without an end and a sphere. */
	readonly isBall: Uint8Array;
	readonly plan: PartPlan;
}

/**
 * What `BodySpheres` and `NarrowPhase` do, in WebAssembly, for runs that are alike: the same contacts in the same order, bit for bit.
 * Pairs of other kinds than they know, and rare cases, they leave to the host. The kernels have the tables of one run; poses and
 * velocities of the bodies of the worlds of a call are copied to them before each search.
 */
export class CollideKernel {
	readonly #exports: CollideExports;
	readonly #memory: KernelMemory;
	readonly #frames: ShapeFrames;
	readonly #runs: PairRuns;
	/** The run whose tables the kernels have. */
	readonly #first: RunTables;
	/** 1 for runs with the structure of the first, and for those with its numbers too. */
	readonly #isAlike: Uint8Array;
	readonly #isEqual: Uint8Array;
	/** By run: how many shapes further on its own stand in the model than those of the first. */
	readonly #shift: Int32Array;
	readonly #at: Places;
	readonly #poses: BodyViews;
	readonly #rates: BodyViews;
	/** What was found. */
	readonly rows: FoundRows;
	/** Worlds that a call may be about. */
	readonly most: number;

	/** Undefined without pairs, or without WebAssembly with SIMD. */
	static create(frames: ShapeFrames, geometry: CollisionGeometry, runs: PairRuns): CollideKernel | undefined {
		const { start } = runs;
		let run = 0;
		while (run + 1 < start.length && start[run] === start[run + 1]) run++;
		if (run + 1 >= start.length) return undefined;
		const tables = tablesOf(frames.model, geometry, runs, run);
		const exports = tables === undefined ? undefined : instantiateKernels<CollideExports>('collide');
		return exports === undefined ? undefined : new CollideKernel(exports, frames, geometry, runs, tables!);
	}

	private constructor(
		exports: CollideExports,
		frames: ShapeFrames,
		geometry: CollisionGeometry,
		runs: PairRuns,
		first: RunTables,
	) {
		this.#exports = exports;
		this.#memory = new KernelMemory(exports, 8);
		const { model } = frames;
		this.#frames = frames;
		this.#runs = runs;
		this.#first = first;
		const count = runs.start.length - 1;
		const own = bodiesOf(model, first.run);
		this.#shift = new Int32Array(count);
		this.#isAlike = Uint8Array.from({ length: count }, (_, run) => {
			if (runs.start[run] === runs.start[run + 1]) return 0;
			const tables = tablesOf(model, geometry, runs, run);
			const shift = tables === undefined ? undefined : shiftBetween(model, first.shapes, tables.shapes);
			if (shift === undefined || !hasSameStructure(tables!, first)) return 0;
			const bodies = bodiesOf(model, run);
			if (bodies.end - bodies.start !== own.end - own.start) return 0;
			this.#shift[run] = shift;
			return 1;
		});
		this.#isEqual = new Uint8Array(count);
		const rowsOfWorld = MAX_MANIFOLD * first.kinds.length;
		this.most = Math.max(1, Math.min(MOST_WORLDS, model.worldCount, Math.floor(MOST_ROWS / rowsOfWorld)));
		this.#at = this.#layOut();
		this.#poses = new BodyViews(model, 7);
		this.#rates = new BodyViews(model, 6);
		this.rows = new FoundRows(this.#memory);
	}

	/** Takes spheres, and shapes of the model. */
	refresh(spheres: Spheres): void {
		const { doubles } = this.#memory;
		const at = this.#at;
		const own = this.#numbersOf(this.#first.run, spheres);
		doubles.set(own.parts, at.parts);
		doubles.set(own.normals, at.normals);
		for (let i = 0; i < this.#first.shapes.length; i++) {
			const numbers = own.solids.subarray(OWN_NUMBERS * i, OWN_NUMBERS * (i + 1));
			doubles.set(numbers.subarray(0, SIZE_NUMBERS), at.solids + SOLID * i + SIZE);
			doubles.set(numbers.subarray(SIZE_NUMBERS, SIZE_NUMBERS + MARGIN_NUMBERS), at.solids + SOLID * i + MARGIN);
			doubles.set(numbers.subarray(OWN_NUMBERS - ARM_NUMBERS), at.solids + SOLID * i + ARM);
			// what was placed for good is where it was
			this.#memory.integers[2 * (at.solids + SOLID * i) + PLACED] = 0;
		}
		for (let run = 0; run < this.#isAlike.length; run++) {
			let isEqual = this.#isAlike[run] === 1;
			if (isEqual && run !== this.#first.run) {
				const its = this.#numbersOf(run, spheres);
				isEqual = NUMBERS.every((name) => haveSameEntries(its[name], own[name]));
			}
			this.#isEqual[run] = isEqual ? 1 : 0;
		}
	}

	/** Whether the kernels know a run. */
	knows(run: number): boolean {
		return this.#isEqual[run] === 1;
	}

	/**
	 * Finds the contacts of `count` runs that they know, one after the other, and lists the pairs that are left to the host, which ascend. Gives
	 * their number.
	 */
	find(first: number, count: number): number {
		const { doubles, integers } = this.#memory;
		const { bodyQ, bodyQd, horizon, most, ahead, aside } = this.#frames;
		const at = this.#at;
		doubles.set(this.#poses.of(bodyQ, first, count), at.poses);
		if (horizon > 0) doubles.set(this.#rates.of(bodyQd, first, count), at.rates);
		doubles[at.lookAhead] = horizon;
		doubles[at.lookAhead + 1] = most;
		doubles[at.lookAhead + 2] = ahead;
		doubles[at.lookAhead + 3] = aside;
		for (let k = 0; k < count; k++) integers[at.shifts + k] = this.#shift[first + k]!;
		return this.#exports.find(first, count);
	}

	/** Which run of the call a pair is of that is left to the host, which pair of it, and how many contacts stand before those of it. */
	leftRun(k: number): number {
		return this.#memory.integers[this.#at.left + 3 * k]!;
	}

	leftPair(k: number): number {
		return this.#memory.integers[this.#at.left + 3 * k + 1]!;
	}

	leftRow(k: number): number {
		return this.#memory.integers[this.#at.left + 3 * k + 2]!;
	}

	/** How many contacts there are up to the end of a run of the call, and how many of its own are ahead. */
	rowEnd(k: number): number {
		return this.#memory.integers[this.#at.worldRows + 2 * k]!;
	}

	aheadCount(k: number): number {
		return this.#memory.integers[this.#at.worldRows + 2 * k + 1]!;
	}

	#numbersOf(run: number, { parts, normals, shapes }: Spheres): RunNumbers {
		const { plan } = this.#runs;
		const own = plan.parts.subarray(plan.partStart[run]!, plan.partStart[run + 1]!);
		return {
			parts: rowsOf(parts, own, PART),
			normals: rowsOf(normals, own, NORMAL),
			solids: this.#solidsOf(shapesOf(this.#runs, run), shapes),
		};
	}

	#solidsOf(shapes: Int32Array, balls: Float64Array): Float64Array {
		const { model, reach } = this.#frames;
		const out = new Float64Array(OWN_NUMBERS * shapes.length);
		for (const [i, shape] of shapes.entries()) {
			const type = model.shapeType[shape]!;
			const size = model.shapeScale.subarray(3 * shape, 3 * shape + 3);
			const at = OWN_NUMBERS * i;
			const body = model.shapeBody[shape]!;
			out.set(size, at);
			out[at + 3] = type === GeoType.SPHERE || type === GeoType.CAPSULE ? size[0]! : 0;
			out[at + 4] = model.shapeMargin[shape]!;
			out[at + 5] = model.shapeGap[shape]!;
			out[at + 6] = reach[shape]!;
			out.set(model.shapeCollisionAabbLower.subarray(3 * shape, 3 * shape + 3), at + 7);
			out.set(model.shapeCollisionAabbUpper.subarray(3 * shape, 3 * shape + 3), at + 10);
			out.set(model.shapeTransform.subarray(7 * shape, 7 * shape + 7), at + 13);
			out.set(balls.subarray(SHAPE * shape, SHAPE * (shape + 1)), at + OWN_NUMBERS - SHAPE);
			if (body < 0) continue;
			out.set(model.bodyCom.subarray(3 * body, 3 * body + 3), at + 20);
			// as `ShapeFrames` has it
			const [rx, ry, rz] = [0, 1, 2].map((k) => model.shapeTransform[7 * shape + k]! - model.bodyCom[3 * body + k]!);
			out[at + SIZE_NUMBERS + MARGIN_NUMBERS] = Math.sqrt(rx! * rx! + ry! * ry! + rz! * rz!) + reach[shape]!;
		}
		return out;
	}

	/** Hands out the memory of the kernels and writes the tables. Gives where numbers and what they find are. */
	#layOut(): Places {
		const memory = this.#memory;
		const first = this.#first;
		for (const name of TABLES) memory.set(name, memory.table(first[name]));
		const parts = first.partBody.length;
		const shapes = first.shapes.length;
		const pairs = first.kinds.length;
		const bodies = bodiesOf(this.#frames.model, first.run);
		memory.set('partCount', parts);
		memory.set('planePairCount', first.planePairs.length / 2);
		memory.set('partRowCount', first.partRows.length / 3);
		memory.set('stretchCount', first.stretchParts.length);
		const numbers = (name: string, values: ArrayLike<number> | number): number => {
			const address = memory.doublesAt(values);
			memory.set(name, address);
			return address / 8;
		};
		const integers = (name: string, count: number): number => {
			const address = memory.table(count);
			memory.set(name, address);
			return address / 4;
		};
		// parts are taken by two
		const room = parts + (parts % 2);
		memory.set('partRoom', room);
		numbers('placed', PART * room);
		numbers('isClear', first.partPairCount);
		numbers('capCosines', CAP_COSINES);
		numbers('capSines', CAP_SINES);
		const searched = first.searches.reduce((most, search) => Math.max(most, search + 1), 0);
		let axes = 1;
		while (axes < searched * this.#isAlike.length && axes < MOST_AXES) axes *= 2;
		memory.set('searchCount', searched);
		memory.set('axisMask', axes - 1);
		integers('axes', 3 * axes);
		const rows = Math.min(MOST_ROWS, MAX_MANIFOLD * pairs * this.most);
		memory.set('rowRoom', rows);
		const bodyCount = bodies.end - bodies.start;
		memory.set('bodyCount', bodyCount);
		numbers('speeds', 2 * bodyCount);
		const places: Places = {
			parts: numbers('parts', PART * parts),
			normals: numbers('normals', NORMAL * parts),
			solids: numbers('solids', SOLID * shapes),
			poses: numbers('givenPoses', 7 * bodyCount * this.most),
			rates: numbers('givenRates', 6 * bodyCount * this.most),
			lookAhead: numbers('lookAhead', 4),
			shifts: integers('shapeShifts', this.most),
			left: integers('left', 3 * pairs * this.most),
			worldRows: integers('worldRows', 2 * this.most),
		};
		for (const name of ROW_VECTORS) numbers(name, 3 * rows);
		for (const name of ROW_NUMBERS) numbers(name, rows);
		for (const name of ROW_INTEGERS) integers(name, rows);
		integers('rowIsAhead', Math.ceil(rows / 4));
		const hullAddress = new Map<HullGeometry, number>();
		for (let i = 0; i < shapes; i++) {
			const hull = first.hulls[i];
			let address = hull === undefined ? 0 : hullAddress.get(hull);
			if (address === undefined) hullAddress.set(hull!, (address = writeHull(memory, hull!)));
			const solid = 2 * (places.solids + SOLID * i);
			const shape = first.shapes[i]!;
			memory.integers.set([first.shapeKind[i]!, address, first.shapeBody[i]!], solid + KIND);
			// shapes of no world are the same in all runs
			memory.integers[solid + INDEX / 4] = this.#frames.model.shapeWorld[shape]! < 0 ? -1 - shape : shape;
		}
		return places;
	}
}

/** Copies a hull to the kernels. Gives its address. */
function writeHull(memory: KernelMemory, hull: HullGeometry): number {
	// as `solids.ts` of the kernels has it
	const head = [
		hull.vertices.length / 3,
		hull.faceNormals.length / 3,
		memory.doublesAt(hull.vertices),
		hull.neighbours.length === 0 ? 0 : memory.table(hull.neighbours),
		memory.table(hull.neighbourStart),
		memory.table(hull.seeds),
		memory.doublesAt(hull.faceNormals),
		memory.table(hull.faceStart),
		memory.table(hull.faceVertices),
		memory.table(hull.cornerFaceStart),
		memory.table(hull.cornerFaces),
		0,
	];
	const address = memory.doublesAt(head.length / 2 + 3);
	memory.integers.set(head, address / 4);
	memory.doubles.set(hull.center, (address + 4 * head.length) / 8);
	return address;
}

/** Tables of a run that the kernels take; bodies, parts, shapes and pairs are counted from the first of the run. */
interface RunTables {
	readonly run: number;
	readonly shapes: Int32Array;
	readonly hulls: readonly (HullGeometry | undefined)[];
	readonly shapeKind: Int32Array;
	readonly partBody: Int32Array;
	readonly planePairs: Int32Array;
	readonly partRows: Int32Array;
	readonly partPairCount: number;
	readonly stretchParts: Int32Array;
	readonly stretchStart: Int32Array;
	readonly stretchEnd: Int32Array;
	readonly shapePairs: Int32Array;
	readonly kinds: Int32Array;
	readonly searches: Int32Array;
	readonly shapeBody: Int32Array;
}

/** Those that the kernels have as they are. */
const TABLES = [
	'partBody',
	'planePairs',
	'partRows',
	'stretchParts',
	'stretchStart',
	'stretchEnd',
	'shapePairs',
	'kinds',
	'searches',
] as const;

function hasSameStructure(a: RunTables, b: RunTables): boolean {
	return (
		TABLES.every((name) => haveSameEntries(a[name], b[name])) &&
		haveSameEntries(a.shapeKind, b.shapeKind) &&
		haveSameEntries(a.shapeBody, b.shapeBody) &&
		a.hulls.every((hull, i) => hull === b.hulls[i])
	);
}

/** Numbers of a run. */
interface RunNumbers {
	readonly parts: Float64Array;
	readonly normals: Float64Array;
	readonly solids: Float64Array;
}

const NUMBERS = ['parts', 'normals', 'solids'] as const;

/** Undefined for a run with bodies of other worlds. */
function tablesOf(model: Model, geometry: CollisionGeometry, runs: PairRuns, run: number): RunTables | undefined {
	const { pairs, start, isBall, plan } = runs;
	const bodies = bodiesOf(model, run);
	let isOwn = true;
	const relative = (body: number): number => {
		if (body >= 0 && (body < bodies.start || body >= bodies.end)) isOwn = false;
		return body < 0 ? -1 : body - bodies.start;
	};
	const first = start[run]!;
	const end = start[run + 1]!;
	const shapes = shapesOf(runs, run);
	const placeOf = new Map<number, number>();
	for (const [place, shape] of shapes.entries()) placeOf.set(shape, place);
	const parts = plan.parts.subarray(plan.partStart[run]!, plan.partStart[run + 1]!);
	const stretches = plan.stretches.subarray(plan.stretchStart[run]!, plan.stretchStart[run + 1]!);
	const partPairs = plan.pairs.subarray(2 * plan.pairStart[run]!, 2 * plan.pairStart[run + 1]!);
	const planeCount = plan.planeEnd[run]! - plan.pairStart[run]!;
	const shapePairs = new Int32Array(2 * (end - first));
	const kinds = new Int32Array(end - first);
	const searches = new Int32Array(end - first).fill(-1);
	let searched = 0;
	for (let i = first; i < end; i++) {
		let a = pairs[2 * i]!;
		let b = pairs[2 * i + 1]!;
		const own = plan.pairOf[i]!;
		// as in `NarrowPhase`; of two planes that of the world comes first, as it does in the pair of parts
		const isSwapped =
			own < planeCount
				? plan.shapes[plan.shapeStart[parts[partPairs[2 * own]!]!]!] !== a
				: model.shapeType[a]! > model.shapeType[b]!;
		if (isSwapped) [a, b] = [b, a];
		shapePairs[2 * (i - first)] = placeOf.get(a)!;
		shapePairs[2 * (i - first) + 1] = placeOf.get(b)!;
		const kind = isBall[i] === 1 ? BALL : isConvexPair(model, geometry, a, b) ? CONVEX : HOST;
		kinds[i - first] = kind;
		if (kind === CONVEX && needsSearch(model.shapeType[a]!, model.shapeType[b]!)) searches[i - first] = searched++;
	}
	const rows = rowsOfPairs(partPairs, planeCount);
	const tables: RunTables = {
		run,
		shapes,
		hulls: Array.from(shapes, (shape) => geometry.hulls[shape]),
		shapeKind: Int32Array.from(shapes, (shape) => model.shapeType[shape]!),
		partBody: Int32Array.from(parts, (part) => relative(plan.body[part]!)),
		planePairs: partPairs.subarray(0, 2 * planeCount),
		partRows: rows.table,
		partPairCount: rows.count,
		stretchParts: Int32Array.from(stretches, (pair) => rows.places[plan.pairOf[pair]!]!),
		stretchStart: Int32Array.from(stretches, (pair) => pair - first),
		stretchEnd: Int32Array.from(stretches, (pair) => plan.next[pair]! - first),
		shapePairs,
		kinds,
		searches,
		shapeBody: Int32Array.from(shapes, (shape) => relative(model.shapeBody[shape]!)),
	};
	return isOwn ? tables : undefined;
}

/** Parts without a pair that a row may hold in between. */
const HOLE = 8;

/**
 * Rows of pairs of parts behind those with planes: a part, and the parts from an even one to before another one that it is tested against.
 * `places` tells where each pair is among all that are tested, those with planes first.
 */
function rowsOfPairs(
	pairs: Int32Array,
	planes: number,
): { readonly table: Int32Array; readonly count: number; readonly places: Int32Array } {
	const places = Int32Array.from({ length: pairs.length / 2 }, (_, pair) => pair);
	const first = (pair: number): number => Math.min(pairs[2 * pair]!, pairs[2 * pair + 1]!);
	const second = (pair: number): number => Math.max(pairs[2 * pair]!, pairs[2 * pair + 1]!);
	const table: number[] = [];
	let count = planes;
	let [part, start, end] = [-1, 0, 0];
	for (const pair of places.slice(planes).sort((a, b) => first(a) - first(b) || second(a) - second(b))) {
		const own = first(pair);
		const other = second(pair);
		if (own !== part || other >= end + HOLE) {
			part = own;
			start = other - (other % 2);
			end = start;
			table.push(part, start, end);
		}
		const last = other - (other % 2) + 2;
		count += last - end;
		end = last;
		table[table.length - 1] = end;
		places[pair] = count - end + other;
	}
	return { table: Int32Array.from(table), count, places };
}

/** Whether the kernels know the kinds of two shapes, which stand in the order of their kinds. */
function isConvexPair(model: Model, geometry: CollisionGeometry, a: number, b: number): boolean {
	const typeA = model.shapeType[a]!;
	const typeB = model.shapeType[b]!;
	const isPlane = typeA === GeoType.PLANE;
	if (isPlane && model.shapeScale[3 * a]! > 0 && model.shapeScale[3 * a + 1]! > 0) return false;
	if (!isPlane && !isSolid(geometry, a, typeA, false)) return false;
	if (!isSolid(geometry, b, typeB, isPlane)) return false;
	return typeA !== GeoType.CYLINDER || (typeB !== GeoType.CYLINDER && typeB !== GeoType.BOX);
}

/** Whether a shape is convex and of a kind that the kernels know; over a plane, meshes are their hulls. */
function isSolid({ hulls, meshes }: CollisionGeometry, shape: number, type: number, isOnPlane: boolean): boolean {
	switch (type) {
		case GeoType.SPHERE:
		case GeoType.CAPSULE:
		case GeoType.CYLINDER:
		case GeoType.BOX:
			return true;
		case GeoType.MESH:
			return hulls[shape] !== undefined && (isOnPlane || meshes[shape] === undefined);
		case GeoType.CONVEX_MESH:
			return hulls[shape] !== undefined;
		default:
			return false;
	}
}

/** Bodies of the world of a run; the last run is of what belongs to no world. */
function bodiesOf(model: Model, run: number): { readonly start: number; readonly end: number } {
	return run < Math.max(1, model.worldCount) ? worldRows(model, 'body', run) : { start: 0, end: model.bodyCount };
}

/** Shapes of the pairs of a run in the order in which they come. */
function shapesOf({ pairs, start }: PairRuns, run: number): Int32Array {
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

/** By how many places the shapes of a run stand behind those of another, but for shapes of no world; undefined where they are not alike. */
function shiftBetween({ shapeWorld }: Model, first: Int32Array, shapes: Int32Array): number | undefined {
	if (shapes.length !== first.length) return undefined;
	let shift: number | undefined;
	for (const [i, shape] of shapes.entries()) {
		const own = shape - first[i]!;
		const isShared = shapeWorld[shape]! < 0;
		if (isShared !== shapeWorld[first[i]!]! < 0 || (isShared && own !== 0)) return undefined;
		if (isShared) continue;
		if (shift !== undefined && shift !== own) return undefined;
		shift = own;
	}
	return shift ?? 0;
}

/** Views of arrays by body, one for the bodies of runs that follow each other, made once; states take turns, so those of two arrays are at hand. */
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

	of(array: Float64Array, run: number, count: number): Float64Array {
		if (array !== this.#last) this.#turnTo(array);
		return (this.#lastViews[MOST_WORLDS * run + count - 1] ??= this.#view(array, run, count));
	}

	#turnTo(array: Float64Array): void {
		let views = array === this.#before ? this.#viewsBefore : this.#all.get(array);
		if (views === undefined) this.#all.set(array, (views = []));
		this.#before = this.#last;
		this.#viewsBefore = this.#lastViews;
		this.#last = array;
		this.#lastViews = views;
	}

	#view(array: Float64Array, run: number, count: number): Float64Array {
		const { start } = bodiesOf(this.#model, run);
		const { end } = bodiesOf(this.#model, run + count - 1);
		return array.subarray(this.#width * start, this.#width * end);
	}
}
