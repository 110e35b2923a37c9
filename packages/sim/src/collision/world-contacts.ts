import { UsageRangeError } from '@manyworlds/core';
import { CONTACTS_PER_WORLD, Contacts, type Model } from '@manyworlds/model';

/** Options of {@link WorldContacts}. @public */
export interface WorldContactsOptions {
	/** Most contacts of each world; left out, the model's number, or 64. */
	readonly perWorld?: number;
	/** Whether contacts carry a force, which the solver writes. */
	readonly withForce?: boolean;
}

/**
 * Contacts with room of its own for every world: no world can take the place of another. Rows stand world by world without
 * holes. `worldFound` counts what each world found, also beyond its room; what has no room is dropped whole and never read.
 * @public
 */
export class WorldContacts extends Contacts {
	readonly perWorld: number;
	/** First row of each world, then the number of rows; shape (worlds + 1). */
	readonly worldStart: Int32Array;
	/** Contacts that each world found; shape (worlds). */
	readonly worldFound: Int32Array;
	/** Contacts that each world has only because they may touch within the time that was looked ahead; shape (worlds). */
	readonly worldSpeculative: Int32Array;
	/** 1 for those contacts, by row. */
	readonly isAhead: Uint8Array;
	#rows = 0;

	constructor(model: Model, options: WorldContactsOptions = {}) {
		const worlds = Math.max(1, model.worldCount);
		const perWorld =
			options.perWorld ?? (model.rigidContactMax > 0 ? Math.ceil(model.rigidContactMax / worlds) : CONTACTS_PER_WORLD);
		if (!Number.isInteger(perWorld) || perWorld < 0) {
			throw new UsageRangeError(`contacts per world are ${perWorld}, expected a whole number of 0 or more`);
		}
		super(model, { rigidCapacity: perWorld * worlds, withForce: options.withForce ?? true });
		this.perWorld = perWorld;
		this.worldStart = new Int32Array(worlds + 1);
		this.worldFound = new Int32Array(worlds);
		this.worldSpeculative = new Int32Array(worlds);
		this.isAhead = new Uint8Array(perWorld * worlds);
	}

	/** Rows that mean something. */
	override get rigidCount(): number {
		return this.#rows;
	}

	/** Whether a world found more contacts than it has room for. */
	override get hasOverflow(): boolean {
		for (let world = 0; world < this.worldFound.length; world++) {
			if (this.worldFound[world]! > this.perWorld) return true;
		}
		return false;
	}

	/** Contacts of a world that had no room. */
	droppedOf(world: number): number {
		return Math.max(0, this.worldFound[world]! - this.perWorld);
	}

	override clear(): void {
		super.clear();
		this.#rows = 0;
		this.worldFound.fill(0);
		this.worldSpeculative.fill(0);
		this.worldStart.fill(0);
	}

	/** Begins the rows of a world, after `clear`; worlds come in ascending order. */
	beginWorld(world: number): void {
		this.worldStart[world] = this.#rows;
		this.worldStart[world + 1] = this.#rows;
	}

	/** The next row of a world, -1 when its room is used up; the contact is counted all the same. */
	nextInWorld(world: number, isAhead: boolean): number {
		const found = this.worldFound[world]!;
		this.worldFound[world] = found + 1;
		this.rigidFound++;
		if (isAhead) this.worldSpeculative[world] = this.worldSpeculative[world]! + 1;
		if (found >= this.perWorld) return -1;
		const row = this.#rows++;
		this.isAhead[row] = isAhead ? 1 : 0;
		this.worldStart[world + 1] = this.#rows;
		return row;
	}

	/** Takes the next rows of a world, whose numbers the caller writes. Gives how many there is room for; all are counted. */
	addRows(world: number, count: number): number {
		const found = this.worldFound[world]!;
		this.worldFound[world] = found + count;
		this.rigidFound += count;
		const kept = Math.max(0, Math.min(count, this.perWorld - found));
		this.#rows += kept;
		this.worldStart[world + 1] = this.#rows;
		return kept;
	}
}
