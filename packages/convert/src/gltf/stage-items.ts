import type { ConversionLedger, ItemKind } from '../model/conversion-ledger.ts';
import type { LossCode } from '../model/loss-codes.ts';

/** Entries of what a stage looks like, made as its prims are met. */
export class StageItems {
	readonly ledger: ConversionLedger;
	readonly #counts = new Map<ItemKind, number>();

	constructor(ledger: ConversionLedger) {
		this.ledger = ledger;
	}

	/** Enters a thing, as exported; gives its number among those of its kind. */
	enter(kind: ItemKind, name: string): number {
		const index = this.#counts.get(kind) ?? 0;
		this.#counts.set(kind, index + 1);
		this.ledger.enter(kind, index, name);
		return index;
	}

	/** Enters a thing that is not in the target. */
	drop(kind: ItemKind, name: string, code: LossCode, message: string): void {
		this.ledger.drop(kind, this.enter(kind, name), code, message);
	}
}
