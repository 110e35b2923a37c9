import type { LossCode } from './loss-codes.ts';

/** Kinds of things that a robot is made of. @public */
export type ItemKind =
	| 'body'
	| 'joint'
	| 'loop'
	| 'mimic'
	| 'frame'
	| 'visual'
	| 'collider'
	| 'material'
	| 'mesh'
	| 'texture'
	| 'light'
	| 'camera'
	| 'filter'
	| 'drive';

/** What became of one item of the source. @public */
export interface LedgerItem {
	readonly kind: ItemKind;
	/** Name in the source. */
	readonly name: string;
	/** Name in the target, where it is another. */
	readonly renamed?: string;
	readonly outcome: 'exported' | 'approximated' | 'dropped';
	/** Why it is not exported as it is; one or more for approximated ones. */
	readonly losses: readonly Loss[];
}

/** A loss in one sentence. @public */
export interface Loss {
	readonly code: LossCode;
	readonly message: string;
}

/** What became of every item: each has exactly one entry, whatever a writer says of it and how often. @public */
export class ConversionLedger {
	readonly #items = new Map<
		string,
		{ kind: ItemKind; name: string; renamed?: string; isDropped: boolean; losses: Loss[] }
	>();

	/** Enters an item of the source, as exported until a writer says otherwise. */
	enter(kind: ItemKind, index: number, name: string): void {
		const key = keyOf(kind, index);
		if (!this.#items.has(key)) this.#items.set(key, { kind, name, isDropped: false, losses: [] });
	}

	/** Says that an item is in the target, but not quite as it was. */
	approximate(kind: ItemKind, index: number, code: LossCode, message: string): void {
		this.#add(kind, index, code, message);
	}

	/** Says that an item is called otherwise in the target. */
	rename(kind: ItemKind, index: number, name: string, given: string): void {
		if (given === name) return;
		this.#add(kind, index, 'name-changed', `${kind} '${name}' is called '${given}'`);
		this.#items.get(keyOf(kind, index))!.renamed = given;
	}

	/** Says that an item is not in the target. */
	drop(kind: ItemKind, index: number, code: LossCode, message: string): void {
		this.#add(kind, index, code, message);
		this.#items.get(keyOf(kind, index))!.isDropped = true;
	}

	#add(kind: ItemKind, index: number, code: LossCode, message: string): void {
		const key = keyOf(kind, index);
		if (!this.#items.has(key)) this.enter(kind, index, '');
		this.#items.get(key)!.losses.push({ code, message });
	}

	/** All items in the order in which they were entered. */
	get items(): readonly LedgerItem[] {
		return Array.from(this.#items.values(), ({ kind, name, renamed, isDropped, losses }) => ({
			kind,
			name,
			...(renamed === undefined ? {} : { renamed }),
			outcome: isDropped ? 'dropped' : losses.length > 0 ? 'approximated' : 'exported',
			losses,
		}));
	}
}

function keyOf(kind: ItemKind, index: number): string {
	return `${kind} ${index}`;
}
