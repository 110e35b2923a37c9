import type { State } from '@manyworlds/model';
import type { DriveSource } from '../sap/dof-drives.ts';
import type { MotionState } from '../sap/free-motion.ts';
import type { KernelMemory } from '../wasm/kernel-memory.ts';
import type { EnginePlan, WorldOffsets } from './engine-plan.ts';

/** Views of the parts of an array that belong to groups, by group as they are asked for. */
interface GroupViews {
	readonly array: Float64Array;
	readonly views: (Float64Array | undefined)[];
}

/** A public array: how its worlds begin, and numbers of each row. */
interface Kind {
	readonly offset: keyof WorldOffsets;
	readonly width: number;
}

const COORDINATES: Kind = { offset: 'coordinate', width: 1 };
const DOFS: Kind = { offset: 'dof', width: 1 };
const POSES: Kind = { offset: 'body', width: 7 };
const RATES: Kind = { offset: 'body', width: 6 };

/**
 * Copies the parts of public arrays that belong to a group of worlds to the kernels and back, as they are: kernels lay the worlds
 * side by side. Views of the arrays are made once for each group.
 */
export class EngineState {
	readonly #memory: KernelMemory;
	readonly #plan: EnginePlan;
	/** Rows of each world. */
	readonly #stride: Readonly<Record<keyof WorldOffsets, number>>;
	readonly #views = new WeakMap<Float64Array, GroupViews>();
	/** Views of the last two arrays of each part: states take turns. */
	readonly #recent: (GroupViews | undefined)[] = [];
	readonly #at: Addresses;
	/** Views of what the kernels wrote, by the number of worlds, while the memory stays where it is. */
	readonly #written: (readonly Float64Array[] | undefined)[] = [];

	/** `rows` are those of a world in the model. */
	constructor(memory: KernelMemory, plan: EnginePlan, rows: Readonly<Record<keyof WorldOffsets, number>>) {
		this.#memory = memory;
		this.#plan = plan;
		this.#stride = rows;
		memory.set('coordinateStride', rows.coordinate);
		memory.set('dofStride', rows.dof);
		memory.set('bodyStride', rows.body);
		memory.set('publicDofOf', memory.table(plan.dof));
		memory.set('publicBodyOf', memory.table(plan.body));
		const addresses = PARTS.map(([name, kind]): [string, number] => {
			const address = memory.doublesAt(memory.lanes * kind.width * rows[kind.offset]);
			memory.set(name, address);
			return [name, address / 8];
		});
		this.#at = Object.fromEntries(addresses) as Addresses;
	}

	/** Copies state and drives of a group in. */
	take(group: number, { jointF, jointAct, jointTargetQ, jointTargetQd }: DriveSource, state: MotionState): void {
		const { doubles } = this.#memory;
		const at = this.#at;
		doubles.set(this.#viewOf(Part.COORDINATES, state.jointQ, group), at.givenCoordinates);
		doubles.set(this.#viewOf(Part.VELOCITIES, state.jointQd, group), at.givenVelocities);
		doubles.set(this.#viewOf(Part.BODY_FORCES, state.bodyF, group), at.givenBodyForces);
		doubles.set(this.#viewOf(Part.FORCES, jointF, group), at.givenForces);
		doubles.set(this.#viewOf(Part.FEED_FORWARD, jointAct, group), at.givenFeedForward);
		doubles.set(this.#viewOf(Part.TARGETS, jointTargetQ, group), at.givenTargets);
		doubles.set(this.#viewOf(Part.TARGET_RATES, jointTargetQd, group), at.givenTargetRates);
	}

	/** Copies the state of a whole group out. What no tree moves gets numbers without a meaning. */
	give(group: number, out: State): void {
		const written = this.#writtenViews(group);
		this.#viewOf(Part.NEW_COORDINATES, out.jointQ, group).set(written[0]!);
		this.#viewOf(Part.NEW_VELOCITIES, out.jointQd, group).set(written[1]!);
		this.#viewOf(Part.NEW_POSES, out.bodyQ, group).set(written[2]!);
		this.#viewOf(Part.NEW_RATES, out.bodyQd, group).set(written[3]!);
	}

	/** Copies the state of one world of a group out. */
	giveWorld(lane: number, world: number, out: State): void {
		const at = this.#at;
		this.#copyWorld(at.newCoordinates, out.jointQ, lane, world, COORDINATES);
		this.#copyWorld(at.newVelocities, out.jointQd, lane, world, DOFS);
		this.#copyWorld(at.newPoses, out.bodyQ, lane, world, POSES);
		this.#copyWorld(at.newRates, out.bodyQd, lane, world, RATES);
	}

	#copyWorld(from: number, to: Float64Array, lane: number, world: number, { offset, width }: Kind): void {
		const { doubles } = this.#memory;
		const count = width * this.#stride[offset];
		const first = width * this.#plan.worlds[world]![offset];
		for (let i = 0; i < count; i++) to[first + i] = doubles[from + lane * count + i]!;
	}

	/** What belongs to the worlds of a group of a public array, which is that of a part. */
	#viewOf(part: number, array: Float64Array, group: number): Float64Array {
		const recent = this.#recent;
		let known = recent[2 * part];
		if (known === undefined || known.array !== array) {
			known = recent[2 * part + 1];
			if (known === undefined || known.array !== array) known = this.#viewsOf(array);
			recent[2 * part + 1] = recent[2 * part];
			recent[2 * part] = known;
		}
		const { views } = known;
		views[group] ??= this.#view(array, group, PARTS[part]![1]);
		return views[group];
	}

	#viewsOf(array: Float64Array): GroupViews {
		const known = this.#views.get(array);
		if (known !== undefined) return known;
		const made = { array, views: [] };
		this.#views.set(array, made);
		return made;
	}

	#view(array: Float64Array, group: number, { offset, width }: Kind): Float64Array {
		const { worlds } = this.#plan;
		const { lanes } = this.#memory;
		const last = Math.min(lanes * (group + 1), worlds.length) - 1;
		const start = width * worlds[lanes * group]![offset];
		return array.subarray(start, width * (worlds[last]![offset] + this.#stride[offset]));
	}

	/** Views of what the kernels wrote for the worlds of a group; the last one may have fewer. */
	#writtenViews(group: number): readonly Float64Array[] {
		const { doubles, lanes } = this.#memory;
		const count = Math.min(lanes, this.#plan.worlds.length - lanes * group);
		const known = this.#written[count];
		return known !== undefined && known[0]!.buffer === doubles.buffer ? known : this.#viewWritten(count);
	}

	#viewWritten(count: number): readonly Float64Array[] {
		const views = PARTS.slice(Part.NEW_COORDINATES).map(([name, { offset, width }]) => {
			const start = this.#at[name];
			return this.#memory.doubles.subarray(start, start + count * width * this.#stride[offset]);
		});
		this.#written[count] = views;
		return views;
	}
}

/** Where they stand in the memory; addresses in numbers. */
type Addresses = Readonly<Record<(typeof PARTS)[number][0], number>>;

/** Numbers of {@link PARTS}. */
const Part = {
	COORDINATES: 0,
	VELOCITIES: 1,
	BODY_FORCES: 2,
	FORCES: 3,
	FEED_FORWARD: 4,
	TARGETS: 5,
	TARGET_RATES: 6,
	NEW_COORDINATES: 7,
	NEW_VELOCITIES: 8,
	NEW_POSES: 9,
	NEW_RATES: 10,
} as const;

/** Copies of public arrays in the memory of the kernels; the last four are what they write. */
const PARTS = [
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
