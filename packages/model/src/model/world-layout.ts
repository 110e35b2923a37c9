import { ModelError } from '../model-error.ts';

/** Entities whose rows are grouped by world. @public */
export type WorldEntity =
	| 'particle'
	| 'body'
	| 'shape'
	| 'joint'
	| 'jointDof'
	| 'jointCoord'
	| 'jointConstraint'
	| 'articulation'
	| 'equalityConstraint'
	| 'constraintMimic';

/** A run of indices. @public */
export interface IndexRange {
	readonly start: number;
	/** Behind the last. */
	readonly end: number;
}

/** One entity of a world. @public */
export interface WorldMember {
	readonly world: number;
	/** Position within the world. */
	readonly local: number;
	/** Index in the arrays of the model. */
	readonly index: number;
}

/** Which rows of a model belong to which world. @public */
export class WorldLayout {
	readonly count: number;
	/** Names given to worlds, empty where none was. */
	readonly labels: readonly string[];
	readonly #starts: Readonly<Record<WorldEntity, Int32Array>>;

	constructor(count: number, labels: readonly string[], starts: Readonly<Record<WorldEntity, Int32Array>>) {
		this.count = count;
		this.labels = labels;
		this.#starts = starts;
	}

	/** The rows of one world. */
	range(entity: WorldEntity, world: number): IndexRange {
		if (!Number.isInteger(world) || world < 0 || world >= this.count) {
			throw new ModelError('MODEL004', `world ${world} does not exist, expected 0 to ${this.count - 1}`, {
				kind: 'world',
				index: world,
			});
		}
		const starts = this.#starts[entity];
		return { start: starts[world]!, end: starts[world + 1]! };
	}

	/** The rows of global entities: before the first world and after the last one. Empty runs are left out. */
	globalRanges(entity: WorldEntity): IndexRange[] {
		const starts = this.#starts[entity];
		const head = { start: 0, end: starts[0]! };
		const tail = { start: starts[this.count]!, end: starts[this.count + 1]! };
		return [head, tail].filter(({ start, end }) => end > start);
	}

	/** Entities of the fullest world. */
	maxCount(entity: WorldEntity): number {
		const starts = this.#starts[entity];
		let most = 0;
		for (let world = 0; world < this.count; world++) most = Math.max(most, starts[world + 1]! - starts[world]!);
		return most;
	}

	/** Entities of all worlds together, without the global ones. */
	localCount(entity: WorldEntity): number {
		const starts = this.#starts[entity];
		return starts[this.count]! - starts[0]!;
	}

	/** Entities that belong to no world. */
	globalCount(entity: WorldEntity): number {
		return this.#starts[entity][this.count + 1]! - this.localCount(entity);
	}

	/** Every entity of every world, world by world. */
	*entities(entity: WorldEntity): IterableIterator<WorldMember> {
		for (let world = 0; world < this.count; world++) {
			const { start, end } = this.range(entity, world);
			for (let index = start; index < end; index++) yield { world, local: index - start, index };
		}
	}
}
