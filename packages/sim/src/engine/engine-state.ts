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

/** Views of the parts of an array that belong to batches, by batch as they are asked for. */
interface BatchViews {
	readonly array: Float64Array;
	readonly views: (Float64Array | undefined)[];
}

/**
 * Copies the parts of public arrays that belong to a batch, a few groups of worlds, to the kernels and back, as they are: kernels lay the
 * worlds of a group side by side. Views of the arrays are made once for each batch.
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

	/** Worlds of a batch. */
	get #worlds(): number {
		return this.#memory.lanes * this.groups;
	}

	/** Copies gravity, state and drives of a batch in. */
	take(
		batch: number,
		gravity: Float64Array,
		{ jointF, jointAct, jointTargetQ, jointTargetQd }: DriveSource,
		state: MotionState,
	): void {
		const { doubles } = this.#memory;
		const at = this.#at;
		doubles.set(this.#viewOf(Part.GRAVITY, gravity, batch), at.givenGravity);
		doubles.set(this.#viewOf(Part.COORDINATES, state.jointQ, batch), at.givenCoordinates);
		doubles.set(this.#viewOf(Part.VELOCITIES, state.jointQd, batch), at.givenVelocities);
		doubles.set(this.#viewOf(Part.BODY_FORCES, state.bodyF, batch), at.givenBodyForces);
		doubles.set(this.#viewOf(Part.FORCES, jointF, batch), at.givenForces);
		doubles.set(this.#viewOf(Part.FEED_FORWARD, jointAct, batch), at.givenFeedForward);
		doubles.set(this.#viewOf(Part.TARGETS, jointTargetQ, batch), at.givenTargets);
		doubles.set(this.#viewOf(Part.TARGET_RATES, jointTargetQd, batch), at.givenTargetRates);
	}

	/** Copies the state of a whole batch out. What no tree moves gets numbers without a meaning. */
	give(batch: number, out: State): void {
		const written = this.#writtenViews(batch);
		this.#viewOf(Part.NEW_COORDINATES, out.jointQ, batch).set(written[0]!);
		this.#viewOf(Part.NEW_VELOCITIES, out.jointQd, batch).set(written[1]!);
		this.#viewOf(Part.NEW_POSES, out.bodyQ, batch).set(written[2]!);
		this.#viewOf(Part.NEW_RATES, out.bodyQd, batch).set(written[3]!);
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
		const start = from + (world % this.#worlds) * count;
		for (let i = 0; i < count; i++) to[first + i] = doubles[start + i]!;
	}

	/** First row of a world. */
	#rowOf(world: number, row: RowKind): number {
		return row === 'world' ? world : this.#plan.worlds[world]![row];
	}

	/** What belongs to the worlds of a batch of a public array, which is that of a part. */
	#viewOf(part: number, array: Float64Array, batch: number): Float64Array {
		const recent = this.#recent;
		let known = recent[2 * part];
		if (known === undefined || known.array !== array) {
			known = recent[2 * part + 1];
			if (known === undefined || known.array !== array) known = this.#viewsOf(array);
			recent[2 * part + 1] = recent[2 * part];
			recent[2 * part] = known;
		}
		const { views } = known;
		views[batch] ??= this.#view(array, batch, PARTS[part]![1]);
		return views[batch];
	}

	#viewsOf(array: Float64Array): BatchViews {
		const known = this.#views.get(array);
		if (known !== undefined) return known;
		const made = { array, views: [] };
		this.#views.set(array, made);
		return made;
	}

	#view(array: Float64Array, batch: number, { row, width }: Kind): Float64Array {
		const first = this.#worlds * batch;
		const last = Math.min(first + this.#worlds, this.#plan.worlds.length) - 1;
		return array.subarray(width * this.#rowOf(first, row), width * (this.#rowOf(last, row) + this.#stride[row]));
	}

	/** Views of what the kernels wrote for the worlds of a batch; the last one may have fewer. */
	#writtenViews(batch: number): readonly Float64Array[] {
		const { doubles } = this.#memory;
		const count = Math.min(this.#worlds, this.#plan.worlds.length - this.#worlds * batch);
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
