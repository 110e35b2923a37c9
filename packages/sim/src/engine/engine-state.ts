import type { State } from '@manyworlds/model';
import type { DriveSource } from '../sap/dof-drives.ts';
import type { MotionState } from '../sap/free-motion.ts';
import type { EngineMemory } from './engine-memory.ts';
import type { EnginePlan, WorldOffsets } from './engine-plan.ts';

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
	readonly #memory: EngineMemory;
	readonly #plan: EnginePlan;
	/** Rows of each world. */
	readonly #stride: Readonly<Record<keyof WorldOffsets, number>>;
	readonly #views = new WeakMap<Float64Array, Float64Array[]>();
	readonly #at: Addresses;
	/** Views of what the kernels wrote, while the memory stays where it is. */
	#written: readonly Float64Array[] = [];

	/** `rows` are those of a world in the model. */
	constructor(memory: EngineMemory, plan: EnginePlan, rows: Readonly<Record<keyof WorldOffsets, number>>) {
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
		doubles.set(this.#viewOf(state.jointQ, group, COORDINATES), at.givenCoordinates);
		doubles.set(this.#viewOf(state.jointQd, group, DOFS), at.givenVelocities);
		doubles.set(this.#viewOf(state.bodyF, group, RATES), at.givenBodyForces);
		doubles.set(this.#viewOf(jointF, group, DOFS), at.givenForces);
		doubles.set(this.#viewOf(jointAct, group, DOFS), at.givenFeedForward);
		doubles.set(this.#viewOf(jointTargetQ, group, COORDINATES), at.givenTargets);
		doubles.set(this.#viewOf(jointTargetQd, group, DOFS), at.givenTargetRates);
	}

	/** Copies the state of a whole group out. What no tree moves gets numbers without a meaning. */
	give(group: number, out: State): void {
		const { lanes } = this.#memory;
		const isWhole = lanes * (group + 1) <= this.#plan.worlds.length;
		if (!isWhole) {
			for (let world = lanes * group; world < this.#plan.worlds.length; world++)
				this.giveWorld(world - lanes * group, world, out);
			return;
		}
		const written = this.#writtenViews();
		this.#viewOf(out.jointQ, group, COORDINATES).set(written[0]!);
		this.#viewOf(out.jointQd, group, DOFS).set(written[1]!);
		this.#viewOf(out.bodyQ, group, POSES).set(written[2]!);
		this.#viewOf(out.bodyQd, group, RATES).set(written[3]!);
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

	/** The part of a public array that belongs to the worlds of a group. */
	#viewOf(array: Float64Array, group: number, { offset, width }: Kind): Float64Array {
		let views = this.#views.get(array);
		if (views === undefined) {
			views = [];
			this.#views.set(array, views);
		}
		const known = views[group];
		if (known !== undefined) return known;
		const { worlds } = this.#plan;
		const { lanes } = this.#memory;
		const last = Math.min(lanes * (group + 1), worlds.length) - 1;
		const start = width * worlds[lanes * group]![offset];
		const view = array.subarray(start, width * (worlds[last]![offset] + this.#stride[offset]));
		views[group] = view;
		return view;
	}

	#writtenViews(): readonly Float64Array[] {
		const { doubles, lanes } = this.#memory;
		if (this.#written[0]?.buffer !== doubles.buffer) {
			this.#written = PARTS.slice(-4).map(([name, { offset, width }]) => {
				const start = this.#at[name];
				return doubles.subarray(start, start + lanes * width * this.#stride[offset]);
			});
		}
		return this.#written;
	}
}

/** Where they stand in the memory; addresses in numbers. */
type Addresses = Readonly<Record<(typeof PARTS)[number][0], number>>;

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
