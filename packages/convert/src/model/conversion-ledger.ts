import type { DiagnosticDetails } from '@manyworlds/core';
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
	| 'drive'
	| 'sensor'
	| 'interface'
	| 'controller'
	| 'actuator'
	| 'tendon'
	| 'equality'
	| 'contact-pair'
	| 'collision-group'
	| 'keyframe'
	| 'transmission'
	| 'plugin'
	| 'flexible'
	| 'variant'
	| 'animation'
	| 'metadata';

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
	/** Where it was written. */
	readonly from?: DiagnosticDetails;
}

/** A loss in one sentence. @public */
export interface Loss {
	readonly code: LossCode;
	readonly message: string;
}

/** Which item of a kind: its index in the model, or its place among the items that the model has no part for. */
export type ItemIndex = number | `other ${number}`;

interface Entry {
	readonly kind: ItemKind;
	readonly name: string;
	readonly from: DiagnosticDetails | undefined;
	/** Names of the items, where several of the source are one in the model. */
	readonly names: readonly string[];
	renamed?: string;
	isDropped: boolean;
	losses: Loss[];
}

/** What became of every item: each has exactly one entry, whatever a writer says of it and how often. @public */
export class ConversionLedger {
	readonly #items = new Map<string, Entry>();

	/** Enters an item of the source, or several that are one in the model, as exported until a writer says otherwise. */
	enter(
		kind: ItemKind,
		index: ItemIndex,
		name: string,
		from?: DiagnosticDetails,
		names: readonly string[] = [name],
	): void {
		const key = keyOf(kind, index);
		if (!this.#items.has(key)) this.#items.set(key, { kind, name, names, from, isDropped: false, losses: [] });
	}

	/** Enters an item that most formats have no place for, as lost until a writer says that it {@link hold}s it. */
	enterLost(kind: ItemKind, index: ItemIndex, name: string, loss: Loss, from?: DiagnosticDetails): void {
		this.enter(kind, index, name, from);
		this.drop(kind, index, loss.code, loss.message);
	}

	/** Says that an item which was entered as lost is in the target. */
	hold(kind: ItemKind, index: ItemIndex): void {
		const item = this.#items.get(keyOf(kind, index));
		if (item === undefined) return;
		item.isDropped = false;
		item.losses = [];
	}

	/** Says that an item is in the target, but not quite as it was. */
	approximate(kind: ItemKind, index: ItemIndex, code: LossCode, message: string): void {
		this.#add(kind, index, code, message);
	}

	/** Says that an item is called otherwise in the target. */
	rename(kind: ItemKind, index: ItemIndex, name: string, given: string): void {
		if (given === name) return;
		this.#add(kind, index, 'name-changed', `${kind} '${name}' is called '${given}'`);
		this.#items.get(keyOf(kind, index))!.renamed = given;
	}

	/** Says that an item is not in the target. */
	drop(kind: ItemKind, index: ItemIndex, code: LossCode, message: string): void {
		this.#add(kind, index, code, message);
		this.#items.get(keyOf(kind, index))!.isDropped = true;
	}

	#add(kind: ItemKind, index: ItemIndex, code: LossCode, message: string): void {
		const key = keyOf(kind, index);
		if (!this.#items.has(key)) this.enter(kind, index, '');
		this.#items.get(key)!.losses.push({ code, message });
	}

	/** All items in the order in which they were entered. */
	get items(): readonly LedgerItem[] {
		return [...this.#items.values()].flatMap(({ kind, names, from, renamed, isDropped, losses }) =>
			names.map((name) => ({
				kind,
				name,
				...(renamed === undefined || names.length > 1 ? {} : { renamed }),
				outcome: isDropped
					? ('dropped' as const)
					: losses.length > 0
						? ('approximated' as const)
						: ('exported' as const),
				losses,
				...(from === undefined ? {} : { from }),
			})),
		);
	}
}

function keyOf(kind: ItemKind, index: ItemIndex): string {
	return `${kind} ${index}`;
}
