import { type ItemKey, ListOp, type ListOpItems } from '../../sdf/list-op.ts';

/** Where an item enters a list-op: at an end of the prepended or of the appended items. */
export type ListPosition = 'frontOfPrepended' | 'backOfPrepended' | 'frontOfAppended' | 'backOfAppended';

/** Whether an item enters at the front, in which list; an explicit list takes it at the same end. */
const POSITIONS: Readonly<Record<ListPosition, readonly ['prependedItems' | 'appendedItems', boolean]>> = {
	frontOfPrepended: ['prependedItems', true],
	backOfPrepended: ['prependedItems', false],
	frontOfAppended: ['appendedItems', true],
	backOfAppended: ['appendedItems', false],
};

/** A list-op that also adds `item`, as OpenUSD's editors do: into the explicit list if there is one, else at `position`. */
export function insertItem<T>(
	op: ListOp<T> | undefined,
	item: T,
	position: ListPosition,
	key: ItemKey<T> = identity,
): ListOp<T> {
	const [list, isFront] = POSITIONS[position];
	if (op?.isExplicit) return ListOp.explicit(inserted(op.explicitItems, item, isFront, key));
	const items = itemsOf(op);
	return ListOp.edits({ ...items, [list]: inserted(items[list], item, isFront, key) });
}

/** A list-op under which `item` is not in the result: out of every list that adds it, and deleted unless explicit. */
export function removeItem<T>(op: ListOp<T> | undefined, item: T, key: ItemKey<T> = identity): ListOp<T> {
	const without = (list: readonly T[]): T[] => list.filter((other) => key(other) !== key(item));
	if (op?.isExplicit) return ListOp.explicit(without(op.explicitItems));
	const items = itemsOf(op);
	return ListOp.edits({
		...items,
		addedItems: without(items.addedItems),
		prependedItems: without(items.prependedItems),
		appendedItems: without(items.appendedItems),
		deletedItems: [...without(items.deletedItems), item],
	});
}

/** A list-op under which an API schema is applied: nothing changes when it has it already, and a deletion is taken back. */
export function applyItem(op: ListOp<string> | undefined, item: string): ListOp<string> {
	if (op?.isExplicit) {
		return op.explicitItems.includes(item) ? op : ListOp.explicit([...op.explicitItems, item]);
	}
	const items = itemsOf(op);
	if (items.prependedItems.includes(item) || items.appendedItems.includes(item)) return op!;
	const deletedItems = items.deletedItems.filter((other) => other !== item);
	return ListOp.edits({ ...items, deletedItems, prependedItems: [...items.prependedItems, item] });
}

function inserted<T>(items: readonly T[], item: T, isFront: boolean, key: ItemKey<T>): readonly T[] {
	const others = items.filter((other) => key(other) !== key(item));
	return isFront ? [item, ...others] : [...others, item];
}

function itemsOf<T>(op: ListOp<T> | undefined): Omit<ListOpItems<T>, 'explicitItems'> {
	const { addedItems, prependedItems, appendedItems, deletedItems, orderedItems } = op ?? ListOp.edits<T>({});
	return { addedItems, prependedItems, appendedItems, deletedItems, orderedItems };
}

function identity(item: unknown): unknown {
	return item;
}
