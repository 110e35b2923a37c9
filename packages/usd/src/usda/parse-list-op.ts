import { type ItemKey, ListOp } from '../sdf/list-op.ts';
import { makeValue, type Value } from '../sdf/value.ts';
import type { ValueType } from '../sdf/value-type.ts';
import { W } from './keywords.ts';
import type { ParserState } from './parser-state.ts';

/** Stands for a list without a list-op word. */
export const EXPLICIT = -1;

/** The list-op that results when `items` are set as the list that a list-op word names. */
export function withItems<T>(op: ListOp<T> | undefined, word: number, items: readonly T[]): ListOp<T> {
	if (word === EXPLICIT) return ListOp.explicit(items);
	// an explicit list and edits exclude each other: the last statement decides
	const edits = op === undefined || op.isExplicit ? {} : op;
	switch (word) {
		case W.add:
			return ListOp.edits({ ...edits, addedItems: items });
		case W.append:
			return ListOp.edits({ ...edits, appendedItems: items });
		case W.delete:
			return ListOp.edits({ ...edits, deletedItems: items });
		case W.prepend:
			return ListOp.edits({ ...edits, prependedItems: items });
		default:
			return ListOp.edits({ ...edits, orderedItems: items });
	}
}

/** The value of a list-op field of the current spec after `items` are set as one of its lists. */
export function listOpValue<T>(
	p: ParserState,
	field: string,
	type: ValueType<ListOp<T>>,
	word: number,
	items: readonly T[],
): Value {
	const old = word === EXPLICIT ? undefined : (p.spec.get(field)?.data as ListOp<T> | undefined);
	return makeValue(type, withItems(old, word, items)) as Value;
}

/** Reports a list that has the same item twice, or an edit without items. Both are kept as far as they make sense. */
export function checkedItems<T>(
	p: ParserState,
	what: string,
	word: number,
	items: readonly T[],
	start: number,
	key?: ItemKey<T>,
): readonly T[] {
	if (items.length === 0 && word !== EXPLICIT) {
		const message = `no ${what} after '${p.text(word)}', expected at least one (None sets a whole list)`;
		p.addError('USDA028', message, start, p.pos);
	}
	if (!hasDuplicates(items, key)) return items;
	p.addError('USDA027', `the same item stands twice in the list of ${what}, expected each once`, start, p.pos);
	const seen = new Set<unknown>();
	return items.filter((item) => {
		const { size } = seen;
		return seen.add(key === undefined ? item : key(item)).size > size;
	});
}

/** Whether two items are equal. */
export function hasDuplicates<T>(items: readonly T[], key?: ItemKey<T>): boolean {
	const count = items.length;
	if (count < 2) return false;
	if (count <= 8 && key === undefined) {
		for (let i = 1; i < count; i++) for (let j = 0; j < i; j++) if (items[i] === items[j]) return true;
		return false;
	}
	return new Set(key === undefined ? items : items.map(key)).size < items.length;
}
