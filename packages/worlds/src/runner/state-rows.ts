import type { Model, StateArrayName } from '@manyworlds/model';
import type { WorldEntity } from '@manyworlds/model/internal';

/** Arrays of a state that a step changes, or that a model starts a state with. */
export type StateValues = { readonly [name in StateArrayName]?: Float64Array | undefined };

/** What one row of an array belongs to, and how many numbers it has. */
const MOVED: readonly (readonly [StateArrayName, WorldEntity, number])[] = [
	['particleQ', 'particle', 3],
	['particleQd', 'particle', 3],
	['bodyQ', 'body', 7],
	['bodyQd', 'body', 6],
	['jointQ', 'jointCoord', 1],
	['jointQd', 'jointDof', 1],
	['bodyQdd', 'body', 6],
	['bodyParentF', 'body', 6],
];

/** Forces, which a step only reads. */
const APPLIED: readonly (readonly [StateArrayName, WorldEntity, number])[] = [
	['particleF', 'particle', 3],
	['bodyF', 'body', 6],
];

/** Copies what belongs to worlds, or to none, from one state to another. */
export class StateRows {
	/** Whether something that moves belongs to no world, while there are several. */
	readonly hasGlobals: boolean;
	readonly #model: Model;

	constructor(model: Model) {
		this.#model = model;
		this.hasGlobals = model.worldCount > 1 && MOVED.some(([, entity]) => model.worlds.globalCount(entity) > 0);
	}

	/** Copies a run of worlds. In a model with one world that is everything. */
	copyWorlds(from: StateValues, to: StateValues, first: number, last: number): void {
		for (const [name, entity, width] of MOVED) {
			const [start, end] = this.runOf(entity, first, last);
			copy(from[name], to[name], start * width, end * width);
		}
	}

	/** Copies what belongs to no world. */
	copyGlobals(from: StateValues, to: StateValues): void {
		for (const [name, entity, width] of MOVED) {
			for (const { start, end } of this.#model.worlds.globalRanges(entity))
				copy(from[name], to[name], start * width, end * width);
		}
	}

	/** Takes the forces away that are applied in a world. */
	clearForces(state: StateValues, world: number): void {
		for (const [name, entity, width] of APPLIED) {
			const [start, end] = this.runOf(entity, world, world + 1);
			state[name]?.fill(0, start * width, end * width);
		}
	}

	/** The rows of a run of worlds. */
	runOf(entity: WorldEntity, first: number, last: number): [number, number] {
		const { worlds } = this.#model;
		if (worlds.count === 1) return [0, worlds.localCount(entity) + worlds.globalCount(entity)];
		return [worlds.range(entity, first).start, worlds.range(entity, last - 1).end];
	}
}

function copy(from: Float64Array | undefined, to: Float64Array | undefined, start: number, end: number): void {
	if (from !== undefined && to !== undefined && end > start) to.set(from.subarray(start, end), start);
}
