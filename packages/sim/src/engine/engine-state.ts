import type { State } from '@manyworlds/model';
import type { DriveSource } from '../sap/dof-drives.ts';
import type { MotionState } from '../sap/free-motion.ts';
import type { KernelMemory } from '../wasm/kernel-memory.ts';
import type { EnginePlan, WorldOffsets } from './engine-plan.ts';

/** Groups whose states are copied together: calls that copy cost more than what they copy. */
const GROUPS_AT_ONCE = 8;

/** What rows of a public array belong to. */
type RowKind = keyof WorldOffsets | 'world';

/** A public array: what its rows are, and numbers of each. */
interface Kind {
	readonly row: RowKind;
	readonly width: number;
}

const GRAVITY: Kind = { row: 'world', width: 3 };
const COORDINATES: Kind = { row: 'coordinate', width: 1 };
const DOFS: Kind = { row: 'dof', width: 1 };
const POSES: Kind = { row: 'body', width: 7 };
const RATES: Kind = { row: 'body', width: 6 };

/** Views of the parts of an array that belong to batches, as they are asked for: by the first group and the number of worlds. */
interface BatchViews {
	readonly array: Float64Array;
	readonly views: (Float64Array | undefined)[];
}

/**
 * Copies the parts of public arrays that belong to a batch, a few groups of worlds, to the kernels and back, as they are: kernels lay the
 * worlds of a group side by side. Views of the arrays are made once for each batch. A batch begins wherever a step does, so that all of its
 * worlds are copied at once.
 */
export class EngineState {
	/** Groups of a batch. */
	readonly groups: number;
	readonly #memory: KernelMemory;
	readonly #plan: EnginePlan;
	/** Rows of each world. */
	readonly #stride: Readonly<Record<RowKind, number>>;
	readonly #views = new WeakMap<Float64Array, BatchViews>();
	/** Views of the last two arrays of each part: states take turns. */
	readonly #recent: (BatchViews | undefined)[] = [];
	readonly #at: Addresses;
	/** Views of what the kernels wrote, by the number of worlds, while the memory stays where it is. */
	readonly #written: (readonly Float64Array[] | undefined)[] = [];
	/** The batch at hand: its first world, and the one behind its last. */
	#first = 0;
	#last = 0;
	/** Where its views are among those of an array. */
	#key = 0;

	/** `rows` are those of a world in the model. */
	constructor(memory: KernelMemory, plan: EnginePlan, rows: Readonly<Record<keyof WorldOffsets, number>>) {
		this.#memory = memory;
		this.#plan = plan;
		this.#stride = { ...rows, world: 1 };
		this.groups = Math.min(GROUPS_AT_ONCE, Math.ceil(plan.worlds.length / memory.lanes));
		memory.set('coordinateStride', rows.coordinate);
		memory.set('dofStride', rows.dof);
		memory.set('bodyStride', rows.body);
		memory.set('publicDofOf', memory.table(plan.dof));
		memory.set('publicBodyOf', memory.table(plan.body));
		const addresses = PARTS.map(([name, { row, width }]): [string, number] => {
			const address = memory.doublesAt(memory.lanes * this.groups * width * this.#stride[row]);
			memory.set(name, address);
			return [name, address / 8];
		});
		this.#at = Object.fromEntries(addresses) as Addresses;
	}

	/** Copies gravity, state and drives of a batch in: of worlds `first`, which begins a group, to before `last`. */
	take(
		first: number,
		last: number,
		gravity: Float64Array,
		{ jointF, jointAct, jointTargetQ, jointTargetQd }: DriveSource,
		state: MotionState,
	): void {
		this.#first = first;
		this.#last = last;
		this.#key = this.groups * first + (last - first - 1);
		const { doubles } = this.#memory;
		const at = this.#at;
		doubles.set(this.#viewOf(Part.GRAVITY, gravity), at.givenGravity);
		doubles.set(this.#viewOf(Part.COORDINATES, state.jointQ), at.givenCoordinates);
		doubles.set(this.#viewOf(Part.VELOCITIES, state.jointQd), at.givenVelocities);
		doubles.set(this.#viewOf(Part.BODY_FORCES, state.bodyF), at.givenBodyForces);
		doubles.set(this.#viewOf(Part.FORCES, jointF), at.givenForces);
		doubles.set(this.#viewOf(Part.FEED_FORWARD, jointAct), at.givenFeedForward);
		doubles.set(this.#viewOf(Part.TARGETS, jointTargetQ), at.givenTargets);
		doubles.set(this.#viewOf(Part.TARGET_RATES, jointTargetQd), at.givenTargetRates);
	}

	/** Copies the state of the whole batch at hand out. What no tree moves gets numbers without a meaning. */
	give(out: State): void {
		const written = this.#writtenViews(this.#last - this.#first);
		this.#viewOf(Part.NEW_COORDINATES, out.jointQ).set(written[0]!);
		this.#viewOf(Part.NEW_VELOCITIES, out.jointQd).set(written[1]!);
		this.#viewOf(Part.NEW_POSES, out.bodyQ).set(written[2]!);
		this.#viewOf(Part.NEW_RATES, out.bodyQd).set(written[3]!);
	}

	/** Copies the state of one world of the batch at hand out. */
	giveWorld(world: number, out: State): void {
		const at = this.#at;
		this.#copyWorld(at.newCoordinates, out.jointQ, world, COORDINATES);
		this.#copyWorld(at.newVelocities, out.jointQd, world, DOFS);
		this.#copyWorld(at.newPoses, out.bodyQ, world, POSES);
		this.#copyWorld(at.newRates, out.bodyQd, world, RATES);
	}

	#copyWorld(from: number, to: Float64Array, world: number, { row, width }: Kind): void {
		const { doubles } = this.#memory;
		const count = width * this.#stride[row];
		const first = width * this.#rowOf(world, row);
		const start = from + (world - this.#first) * count;
		for (let i = 0; i < count; i++) to[first + i] = doubles[start + i]!;
	}

	/** First row of a world. */
	#rowOf(world: number, row: RowKind): number {
		return row === 'world' ? world : this.#plan.worlds[world]![row];
	}

	/** What belongs to the worlds of the batch at hand of a public array, which is that of a part. */
	#viewOf(part: number, array: Float64Array): Float64Array {
		const recent = this.#recent;
		let known = recent[2 * part];
		if (known === undefined || known.array !== array) {
			known = recent[2 * part + 1];
			if (known === undefined || known.array !== array) known = this.#viewsOf(array);
			recent[2 * part + 1] = recent[2 * part];
			recent[2 * part] = known;
		}
		const { views } = known;
		return (views[this.#key] ??= this.#view(array, PARTS[part]![1]));
	}

	#viewsOf(array: Float64Array): BatchViews {
		const known = this.#views.get(array);
		if (known !== undefined) return known;
		const made = { array, views: [] };
		this.#views.set(array, made);
		return made;
	}

	#view(array: Float64Array, { row, width }: Kind): Float64Array {
		const end = this.#rowOf(this.#last - 1, row) + this.#stride[row];
		return array.subarray(width * this.#rowOf(this.#first, row), width * end);
	}

	/** Views of what the kernels wrote for so many worlds. */
	#writtenViews(count: number): readonly Float64Array[] {
		const { doubles } = this.#memory;
		const known = this.#written[count];
		return known !== undefined && known[0]!.buffer === doubles.buffer ? known : this.#viewWritten(count);
	}

	#viewWritten(count: number): readonly Float64Array[] {
		const views = PARTS.slice(Part.NEW_COORDINATES).map(([name, { row, width }]) => {
			const start = this.#at[name];
			return this.#memory.doubles.subarray(start, start + count * width * this.#stride[row]);
		});
		this.#written[count] = views;
		return views;
	}
}

/** Where they stand in the memory; addresses in numbers. */
type Addresses = Readonly<Record<(typeof PARTS)[number][0], number>>;

/** Numbers of {@link PARTS}. */
const Part = {
	GRAVITY: 0,
	COORDINATES: 1,
	VELOCITIES: 2,
	BODY_FORCES: 3,
	FORCES: 4,
	FEED_FORWARD: 5,
	TARGETS: 6,
	TARGET_RATES: 7,
	NEW_COORDINATES: 8,
	NEW_VELOCITIES: 9,
	NEW_POSES: 10,
	NEW_RATES: 11,
} as const;

/** Copies of public arrays in the memory of the kernels; the last four are what they write. */
const PARTS = [
	['givenGravity', GRAVITY],
	['givenCoordinates', COORDINATES],
	['givenVelocities', DOFS],
	['givenBodyForces', RATES],
	['givenForces', DOFS],
	['givenFeedForward', DOFS],
	['givenTargets', COORDINATES],
	['givenTargetRates', DOFS],
	['newCoordinates', COORDINATES],
	['newVelocities', DOFS],
	['newPoses', POSES],
	['newRates', RATES],
] as const;
