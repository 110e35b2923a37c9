import { type ItemKey, ListOp } from '../../sdf/list-op.ts';
import type { Path } from '../../sdf/path.ts';
import { makeValue, type Value } from '../../sdf/value.ts';
import type { ValueType } from '../../sdf/value-type.ts';
import type { EditSite } from './edit-site.ts';
import { insertItem, type ListPosition, removeItem } from './list-edits.ts';

/** How a list of arcs or targets is stored. */
export interface ListField<I> {
	readonly field: string;
	readonly type: ValueType<ListOp<I>>;
	readonly key: ItemKey<I>;
	/** Makes sure of the spec that has the field. */
	readonly spec: (site: EditSite) => Path;
}

/** Edits one list-op of the layer that is edited: references, payloads, inherits, specializes, targets, connections. */
export class ListEditor<I> {
	readonly #site: EditSite;
	readonly #field: ListField<I>;
	readonly #map: (item: I) => I;

	constructor(site: EditSite, field: ListField<I>, map: (item: I) => I = (item) => item) {
		this.#site = site;
		this.#field = field;
		this.#map = map;
	}

	/** Adds an item; one that is there moves to `position`. */
	add(item: I, position: ListPosition = 'backOfPrepended'): void {
		this.#write((op) => insertItem(op, this.#map(item), position, this.#field.key));
	}

	/** Sees to it that an item of this or a weaker layer is not in the result. */
	remove(item: I): void {
		this.#write((op) => removeItem(op, this.#map(item), this.#field.key));
	}

	/** Replaces the whole list, whatever weaker layers say. */
	set(items: readonly I[]): void {
		this.#write(() => ListOp.explicit(items.map(this.#map)));
	}

	/** Takes back every opinion of the layer. */
	clear(): void {
		this.#site.layer.edit(() => this.#site.layer.eraseField(this.#field.spec(this.#site), this.#field.field));
	}

	#write(change: (op: ListOp<I> | undefined) => ListOp<I>): void {
		const { layer } = this.#site;
		const { field, type, spec } = this.#field;
		layer.edit(() => {
			const path = spec(this.#site);
			const present = this.#site.listOp(path, field, type);
			layer.setField(path, field, makeValue(type, change(present)) as Value);
		});
	}
}
