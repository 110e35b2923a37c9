/** The six lists of a list-op, as files name them. */
export interface ListOpItems<T> {
	readonly explicitItems: readonly T[];
	readonly addedItems: readonly T[];
	readonly prependedItems: readonly T[];
	readonly appendedItems: readonly T[];
	readonly deletedItems: readonly T[];
	readonly orderedItems: readonly T[];
}

/** Gives what two equal items have in common. The default suits strings, numbers, bigints and paths. */
export type ItemKey<T> = (item: T) => unknown;

/**
 * An edit of an ordered list without duplicates: either a whole new list (explicit) or items to delete, prepend, append
 * and so on (AOUSD 6.6). Immutable.
 */
export class ListOp<T> implements ListOpItems<T> {
	readonly isExplicit: boolean;
	readonly explicitItems: readonly T[];
	readonly addedItems: readonly T[];
	readonly prependedItems: readonly T[];
	readonly appendedItems: readonly T[];
	readonly deletedItems: readonly T[];
	readonly orderedItems: readonly T[];

	private constructor(isExplicit: boolean, items: Partial<ListOpItems<T>>) {
		this.isExplicit = isExplicit;
		this.explicitItems = items.explicitItems ?? NONE;
		this.addedItems = items.addedItems ?? NONE;
		this.prependedItems = items.prependedItems ?? NONE;
		this.appendedItems = items.appendedItems ?? NONE;
		this.deletedItems = items.deletedItems ?? NONE;
		this.orderedItems = items.orderedItems ?? NONE;
	}

	/** A list-op that replaces whatever is weaker. */
	static explicit<T>(items: readonly T[]): ListOp<T> {
		return new ListOp<T>(true, { explicitItems: items });
	}

	/** A list-op that edits what is weaker. */
	static edits<T>(items: Partial<Omit<ListOpItems<T>, 'explicitItems'>>): ListOp<T> {
		return new ListOp<T>(false, items);
	}

	/** Whether it has no effect on any list. */
	get isInert(): boolean {
		return (
			!this.isExplicit &&
			this.addedItems.length === 0 &&
			this.prependedItems.length === 0 &&
			this.appendedItems.length === 0 &&
			this.deletedItems.length === 0 &&
			this.orderedItems.length === 0
		);
	}

	/** The list that results when this edits `items`. */
	apply(items: readonly T[], key: ItemKey<T> = identity): T[] {
		if (this.isExplicit) return unique(this.explicitItems, key);
		const list = new EditedList(items, key);
		list.delete(this.deletedItems);
		list.add(this.addedItems);
		list.prepend(this.prependedItems);
		list.append(this.appendedItems);
		list.reorder(this.orderedItems);
		return list.items();
	}

	/**
	 * One list-op with the effect of `weaker` followed by this one. Undefined when none exists, which happens only
	 * when legacy `add` or `reorder` items meet an edit that is not explicit.
	 */
	composeOver(weaker: ListOp<T>, key: ItemKey<T> = identity): ListOp<T> | undefined {
		if (this.isExplicit) return this;
		if (weaker.isExplicit) return ListOp.explicit(this.apply(weaker.explicitItems, key));
		if (weaker.isInert) return this;
		if (this.isInert) return weaker;
		if (hasLegacyItems(this) || hasLegacyItems(weaker)) return undefined;

		// stronger items leave whichever weaker list they sit in
		const taken = new Set<unknown>();
		for (const list of [this.deletedItems, this.prependedItems, this.appendedItems]) {
			for (const item of list) taken.add(key(item));
		}
		const left = (list: readonly T[]) => list.filter((item) => !taken.has(key(item)));
		const kept = new Set([...this.prependedItems, ...this.appendedItems].map(key));
		// what is prepended and appended ends up appended
		const last = new Set(this.appendedItems.map(key));
		const first = this.prependedItems.filter((item) => !last.has(key(item)));
		const prepended = [...first, ...left(weaker.prependedItems)];
		const appended = [...left(weaker.appendedItems), ...this.appendedItems];
		const deleted = [...weaker.deletedItems.filter((item) => !kept.has(key(item)))];
		const known = new Set(deleted.map(key));
		for (const item of this.deletedItems) {
			if (!known.has(key(item)) && !kept.has(key(item))) deleted.push(item);
		}
		return ListOp.edits({ prependedItems: prepended, appendedItems: appended, deletedItems: deleted });
	}

	/** The same edit of mapped items; items mapped to undefined are left out. */
	mapItems<U>(map: (item: T) => U | undefined): ListOp<U> {
		const mapped = (list: readonly T[]): readonly U[] => {
			const out: U[] = [];
			for (const item of list) {
				const value = map(item);
				if (value !== undefined) out.push(value);
			}
			return out;
		};
		return new ListOp<U>(this.isExplicit, {
			explicitItems: mapped(this.explicitItems),
			addedItems: mapped(this.addedItems),
			prependedItems: mapped(this.prependedItems),
			appendedItems: mapped(this.appendedItems),
			deletedItems: mapped(this.deletedItems),
			orderedItems: mapped(this.orderedItems),
		});
	}
}

const NONE: readonly never[] = Object.freeze([]);

function identity(item: unknown): unknown {
	return item;
}

function hasLegacyItems<T>(op: ListOp<T>): boolean {
	return op.addedItems.length > 0 || op.orderedItems.length > 0;
}

/** Items without repeats, the first of each kept. */
function unique<T>(items: readonly T[], key: ItemKey<T>): T[] {
	const seen = new Map<unknown, T>();
	for (const item of items) {
		const k = key(item);
		if (!seen.has(k)) seen.set(k, item);
	}
	return [...seen.values()];
}

/** An ordered set under edit, backed by a linked list so that every move costs the same. */
class EditedList<T> {
	readonly #key: ItemKey<T>;
	readonly #nodes = new Map<unknown, ListNode<T>>();
	readonly #head: ListNode<T>;

	constructor(items: readonly T[], key: ItemKey<T>) {
		this.#key = key;
		this.#head = { item: undefined, previous: undefined, next: undefined };
		this.#head.previous = this.#head;
		this.#head.next = this.#head;
		for (const item of items) {
			if (!this.#nodes.has(key(item))) this.#insertBefore(this.#head, item);
		}
	}

	items(): T[] {
		const out: T[] = [];
		for (let node = this.#head.next!; node !== this.#head; node = node.next!) out.push(node.item as T);
		return out;
	}

	delete(items: readonly T[]): void {
		for (const item of items) this.#remove(item);
	}

	add(items: readonly T[]): void {
		for (const item of items) {
			if (!this.#nodes.has(this.#key(item))) this.#insertBefore(this.#head, item);
		}
	}

	prepend(items: readonly T[]): void {
		for (let i = items.length - 1; i >= 0; i--) {
			this.#remove(items[i]!);
			this.#insertBefore(this.#head.next!, items[i]!);
		}
	}

	append(items: readonly T[]): void {
		for (const item of items) {
			this.#remove(item);
			this.#insertBefore(this.#head, item);
		}
	}

	/** Items named in `order` follow it; each takes along the unnamed items that stood behind it. */
	reorder(order: readonly T[]): void {
		const named = unique(order, this.#key);
		if (named.length === 0) return;
		const isNamed = new Set(named.map(this.#key));
		const before = this.items();
		const result: T[] = [];
		// what stands before the first named item stays in front
		let lead = 0;
		while (lead < before.length && !isNamed.has(this.#key(before[lead]!))) result.push(before[lead++]!);
		const runs = new Map<unknown, T[]>();
		let run: T[] = [];
		for (let i = lead; i < before.length; i++) {
			const k = this.#key(before[i]!);
			if (isNamed.has(k)) {
				run = [];
				runs.set(k, run);
			}
			run.push(before[i]!);
		}
		for (const item of named) result.push(...(runs.get(this.#key(item)) ?? NONE));
		this.#reset(result);
	}

	#reset(items: readonly T[]): void {
		this.#nodes.clear();
		this.#head.previous = this.#head;
		this.#head.next = this.#head;
		for (const item of items) this.#insertBefore(this.#head, item);
	}

	#insertBefore(place: ListNode<T>, item: T): void {
		const node: ListNode<T> = { item, previous: place.previous, next: place };
		place.previous!.next = node;
		place.previous = node;
		this.#nodes.set(this.#key(item), node);
	}

	#remove(item: T): void {
		const k = this.#key(item);
		const node = this.#nodes.get(k);
		if (node === undefined) return;
		node.previous!.next = node.next;
		node.next!.previous = node.previous;
		this.#nodes.delete(k);
	}
}

interface ListNode<T> {
	readonly item: T | undefined;
	previous: ListNode<T> | undefined;
	next: ListNode<T> | undefined;
}
