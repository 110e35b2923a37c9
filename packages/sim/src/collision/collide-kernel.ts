import { GeoType } from '@manyworlds/model';
import { type KernelExports, KernelMemory } from '../wasm/kernel-memory.ts';
import { instantiateKernels } from '../wasm/kernels.ts';
import { BodyViews } from './body-views.ts';
import type { CollisionGeometry } from './collision-geometry.ts';
import { MAX_MANIFOLD } from './contact-manifold.ts';
import { FoundRows, ROW_INTEGERS, ROW_NUMBERS, ROW_VECTORS } from './found-rows.ts';
import type { HullGeometry } from './hull-geometry.ts';
import {
	bodiesOf,
	hasSameStructure,
	haveSameEntries,
	type PairRuns,
	type RunTables,
	shapesOf,
	shiftBetween,
	TABLES,
	tablesOf,
} from './run-tables.ts';
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
const INDEX = 112;
/** Numbers of a shape that the host writes: its size with its radius, then its margin and what follows, then its arm and its ball. */
const SIZE_NUMBERS = 4;
const MARGIN_NUMBERS = 19;
const ARM_NUMBERS = 5;
const OWN_NUMBERS = SIZE_NUMBERS + MARGIN_NUMBERS + ARM_NUMBERS;
/** Numbers of the ball around a shape, as `BodySpheres` has them. */
const SHAPE = 4;
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
		this.#poses = new BodyViews(model, 7, MOST_WORLDS);
		this.#rates = new BodyViews(model, 6, MOST_WORLDS);
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
			memory.integers[solid + INDEX] = this.#frames.model.shapeWorld[shape]! < 0 ? -1 - shape : shape;
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

/** Numbers of a run. */
interface RunNumbers {
	readonly parts: Float64Array;
	readonly normals: Float64Array;
	readonly solids: Float64Array;
}

const NUMBERS = ['parts', 'normals', 'solids'] as const;

function rowsOf(values: Float64Array, rows: Int32Array, width: number): Float64Array {
	const out = new Float64Array(width * rows.length);
	for (const [i, row] of rows.entries()) out.set(values.subarray(width * row, width * (row + 1)), width * i);
	return out;
}
