import type { Contacts } from '@manyworlds/model';
import type { TreeStructure } from '../dynamics/tree-structure.ts';

/** Contacts by the group that solves them: worlds, then what only global bodies take part in. Used again in every step. */
export class ContactGroups {
	/** First entry of each group in `rows`, then the total; shape (worlds + 2). */
	readonly start: Int32Array;
	/** Rows of the contacts, group by group. */
	rows: Int32Array = new Int32Array(64);
	/** Whether the contacts stand in the buffer in the order in which they are sorted, from its first row on. */
	isInOrder = false;
	readonly #groupOfShape: Int32Array;
	readonly #worlds: number;
	readonly #cursor: Int32Array;
	/** Group of each row. */
	#groupOfRow = new Int32Array(64);

	constructor(structure: TreeStructure) {
		this.#worlds = Math.max(1, structure.model.worldCount);
		this.#groupOfShape = groupsOfShapes(structure, this.#worlds);
		this.start = new Int32Array(this.#worlds + 2);
		this.#cursor = new Int32Array(this.#worlds + 1);
	}

	/**
	 * Sorts the rows of contacts by the group that solves them, in the order they stand: those of worlds `first` to before `last`, and
	 * of global bodies. Others are left out, and where they would be is not told.
	 */
	sort(contacts: Contacts | undefined, first: number = 0, last: number = this.#worlds): void {
		const worlds = this.#worlds;
		const { start } = this;
		const cursor = this.#cursor;
		cursor.fill(0, first, last);
		cursor[worlds] = 0;
		const count = contacts?.rigidCount ?? 0;
		if (count > this.rows.length) {
			this.rows = new Int32Array(Math.max(count, 2 * this.rows.length));
			this.#groupOfRow = new Int32Array(this.rows.length);
		}
		const groupOfRow = this.#groupOfRow;
		if (contacts?.rigidForce !== undefined) contacts.rigidForce.fill(0, 0, 6 * count);
		for (let row = 0; row < count; row++) {
			const group = this.#groupOf(contacts!, row);
			const isAsked = group === worlds || (group >= first && group < last);
			groupOfRow[row] = isAsked ? group : -1;
			if (isAsked) cursor[group] = cursor[group]! + 1;
		}
		let next = 0;
		for (let group = first; group < last; group++) next = this.#open(group, next);
		start[last] = next;
		next = this.#open(worlds, next);
		start[worlds + 1] = next;
		let isInOrder = true;
		for (let row = 0; row < count; row++) {
			const group = groupOfRow[row]!;
			if (group < 0) {
				isInOrder = false;
				continue;
			}
			const place = cursor[group]!;
			this.rows[place] = row;
			cursor[group] = place + 1;
			if (place !== row) isInOrder = false;
		}
		this.isInOrder = isInOrder;
	}

	/** Begins a group, whose contacts are counted, at an entry of `rows`. Gives where it ends. */
	#open(group: number, at: number): number {
		const count = this.#cursor[group]!;
		this.start[group] = at;
		this.#cursor[group] = at;
		return at + count;
	}

	/** The group that solves a contact, -1 when nothing in it can move. */
	#groupOf(contacts: Contacts, row: number): number {
		const shape0 = contacts.rigidShape0[row]!;
		const shape1 = contacts.rigidShape1[row]!;
		const group0 = shape0 < 0 ? -1 : this.#groupOfShape[shape0]!;
		const group1 = shape1 < 0 ? -1 : this.#groupOfShape[shape1]!;
		// a world's own body decides; global ones, whose group is the last, only among themselves
		if (group0 < 0) return group1;
		return group1 < 0 ? group0 : Math.min(group0, group1);
	}
}

/** Group that each shape moves in, -1 for shapes that cannot move. */
function groupsOfShapes({ model, treeOf, leafOf, world }: TreeStructure, worlds: number): Int32Array {
	return Int32Array.from(model.shapeBody, (body) => {
		if (body < 0 || leafOf[body]! < 0) return -1;
		const own = world[treeOf[body]!]!;
		return own >= 0 ? own : worlds === 1 ? 0 : worlds;
	});
}
