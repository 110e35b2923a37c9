import { type Contacts, WORLD } from '@manyworlds/model';
import type { TreeStructure } from '../dynamics/tree-structure.ts';

/** Contacts by the group that solves them: worlds, then what only global bodies take part in. Used again in every step. */
export class ContactGroups {
	/** First entry of each group in `rows`, then the total; shape (worlds + 2). */
	readonly start: Int32Array;
	/** Rows of the contacts, group by group. */
	rows: Int32Array = new Int32Array(64);
	readonly #structure: TreeStructure;
	readonly #worlds: number;
	readonly #cursor: Int32Array;
	/** Group of each row. */
	#groupOfRow = new Int32Array(64);

	constructor(structure: TreeStructure) {
		this.#structure = structure;
		this.#worlds = Math.max(1, structure.model.worldCount);
		this.start = new Int32Array(this.#worlds + 2);
		this.#cursor = new Int32Array(this.#worlds + 1);
	}

	/** Sorts the rows of contacts by the group that solves them, in the order they stand. */
	sort(contacts: Contacts | undefined): void {
		const worlds = this.#worlds;
		const start = this.start;
		start.fill(0);
		if (contacts === undefined) return;
		const count = contacts.rigidCount;
		if (count > this.rows.length) {
			this.rows = new Int32Array(Math.max(count, 2 * this.rows.length));
			this.#groupOfRow = new Int32Array(this.rows.length);
		}
		const groupOfRow = this.#groupOfRow;
		if (contacts.rigidForce !== undefined) contacts.rigidForce.fill(0, 0, 6 * count);
		for (let row = 0; row < count; row++) {
			const group = this.#groupOf(contacts, row);
			groupOfRow[row] = group;
			if (group >= 0) start[group + 1] = start[group + 1]! + 1;
		}
		for (let group = 0; group <= worlds; group++) start[group + 1] = start[group + 1]! + start[group]!;
		const cursor = this.#cursor;
		for (let group = 0; group <= worlds; group++) cursor[group] = start[group]!;
		for (let row = 0; row < count; row++) {
			const group = groupOfRow[row]!;
			if (group < 0) continue;
			this.rows[cursor[group]!] = row;
			cursor[group] = cursor[group]! + 1;
		}
	}

	/** The group that solves a contact, -1 when nothing in it can move. */
	#groupOf(contacts: Contacts, row: number): number {
		const { treeOf, leafOf, world } = this.#structure;
		let group = -1;
		for (let side = 0; side < 2; side++) {
			const shape = (side === 0 ? contacts.rigidShape0 : contacts.rigidShape1)[row]!;
			const body = shape < 0 ? WORLD : this.#structure.model.shapeBody[shape]!;
			if (body < 0 || leafOf[body]! < 0) continue;
			const own = world[treeOf[body]!]!;
			// a world's own body decides; global ones only among themselves
			if (own >= 0) return own;
			group = this.#worlds === 1 ? 0 : this.#worlds;
		}
		return group;
	}
}
