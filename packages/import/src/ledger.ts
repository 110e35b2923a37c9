import type { SourceRange } from '@manyworlds/core';

/**
 * Accounts for every authored attribute of an asset: what became of it, and where a value of the model came from.
 *
 * An importer first calls {@link Ledger.author} for each attribute that the asset authors, then says what it did with
 * it. Whatever nobody spoke for is `ignored`, so the sum of the classes is always the number of authored attributes.
 * @public
 */
export class Ledger {
	/** By path and name; two levels, so that no text has to be put together to find an entry. */
	readonly #entries = new Map<string, Map<string, MutableEntry>>();
	readonly #order: MutableEntry[] = [];
	readonly #given = new Map<string, Map<number, Provenance[]>>();

	/** Enters an attribute that the asset authors; a repeated call keeps the first entry. */
	author(path: string, name: string, site: LedgerSite = {}): void {
		let names = this.#entries.get(path);
		if (names === undefined) {
			names = new Map();
			this.#entries.set(path, names);
		}
		if (names.has(name)) return;
		const entry: MutableEntry = { path, name, class: 'ignored', targets: [], ...site };
		names.set(name, entry);
		this.#order.push(entry);
	}

	/** Whether the attribute was entered. */
	has(path: string, name: string): boolean {
		return this.#find(path, name) !== undefined;
	}

	/** What became of an attribute so far; undefined for one that was not entered, `ignored` while nobody spoke for it. */
	classOf(path: string, name: string): LedgerClass | undefined {
		return this.#find(path, name)?.class;
	}

	/** The attribute's value is in the model as it was authored, or decided what was built. */
	use(path: string, name: string, outcome: LedgerOutcome = {}): void {
		this.#mark(path, name, 'used', outcome);
	}

	/** The attribute's value is in the model after a conversion of unit, frame or meaning. */
	convert(path: string, name: string, outcome: LedgerConversion): void {
		this.#mark(path, name, 'converted', outcome);
	}

	/** The attribute is kept for a solver: as a custom attribute or among the collected ones. */
	keep(path: string, name: string, outcome: LedgerOutcome = {}): void {
		this.#mark(path, name, 'kept', outcome);
	}

	/** The attribute has no effect on the model; the reason is shown to the user. */
	ignore(path: string, name: string, reason: string): void {
		const entry = this.#find(path, name);
		if (entry === undefined || entry.class !== 'ignored') return;
		entry.reason ??= reason;
	}

	/** Says where a value of the model came from: an attribute, a default, a computation. */
	give(array: string, index: number, provenance: Provenance): void {
		let rows = this.#given.get(array);
		if (rows === undefined) {
			rows = new Map();
			this.#given.set(array, rows);
		}
		const given = rows.get(index);
		if (given === undefined) rows.set(index, [provenance]);
		else given.push(provenance);
	}

	/** What gave entry `index` of a model array by its Newton name, the deciding source last. */
	explain(array: string, index: number): readonly Provenance[] {
		return this.#given.get(array)?.get(index) ?? [];
	}

	/** Every authored attribute in the order of entry. */
	entries(): readonly LedgerEntry[] {
		const entries = this.#order.slice();
		for (const entry of entries) if (entry.class === 'ignored') entry.reason ??= NOT_READ;
		return entries;
	}

	/** Number of attributes of each class; their sum is `total`. */
	totals(): LedgerTotals {
		const totals = { used: 0, converted: 0, kept: 0, ignored: 0, total: this.#order.length };
		for (const entry of this.#order) totals[entry.class]++;
		return totals;
	}

	#find(path: string, name: string): MutableEntry | undefined {
		return this.#entries.get(path)?.get(name);
	}

	#mark(path: string, name: string, state: LedgerClass, outcome: LedgerConversion): void {
		const entry = this.#find(path, name);
		if (entry === undefined) return;
		if (RANK[state] > RANK[entry.class]) {
			entry.class = state;
			// an object that lost a property is slow to use
			if (entry.reason !== undefined) delete entry.reason;
		}
		if (outcome.target !== undefined) entry.targets.push(outcome.target);
		if (outcome.resolver !== undefined) entry.resolver = outcome.resolver;
		if (outcome.from !== undefined) entry.from = outcome.from;
		if (outcome.to !== undefined) entry.to = outcome.to;
		if (outcome.note !== undefined) entry.note = outcome.note;
	}
}

/** What became of an attribute. @public */
export type LedgerClass = 'used' | 'converted' | 'kept' | 'ignored';

/** Where an attribute is authored, and its value for people to read. @public */
export interface LedgerSite {
	readonly file?: string;
	readonly range?: SourceRange;
	/** The authored value as text, shortened when long. */
	readonly value?: string;
}

/** What an attribute led to. @public */
export interface LedgerOutcome {
	/** Model value that it gave, such as `joint_armature[3]`. */
	readonly target?: string;
	/** Name of the schema resolver that read it. */
	readonly resolver?: string;
	readonly note?: string;
}

/** An outcome with the units, frames or meanings between which the value was converted. @public */
export interface LedgerConversion extends LedgerOutcome {
	readonly from?: string;
	readonly to?: string;
}

/** One authored attribute and its fate. @public */
export interface LedgerEntry extends LedgerSite {
	/** Prim path, or element path such as `robot/joint[elbow]`. */
	readonly path: string;
	readonly name: string;
	readonly class: LedgerClass;
	readonly targets: readonly string[];
	readonly resolver?: string;
	readonly from?: string;
	readonly to?: string;
	readonly note?: string;
	/** Why it is ignored. */
	readonly reason?: string;
}

/** Number of attributes of each class. @public */
export interface LedgerTotals extends Readonly<Record<LedgerClass, number>> {
	readonly total: number;
}

/** Source of a value of the model. @public */
export interface Provenance {
	readonly source: 'authored' | 'importer default' | 'schema default' | 'builder default' | 'computed';
	/** Prim path and attribute, or element and attribute, when the asset gave it. */
	readonly path?: string;
	readonly name?: string;
	readonly resolver?: string;
	/** Value before conversion, as text. */
	readonly value?: string;
	/** One sentence: why this source decided. */
	readonly why: string;
}

type MutableEntry = { -readonly [K in keyof LedgerEntry]: LedgerEntry[K] } & { targets: string[] };

const NOT_READ = 'no part of the importer reads it';

const RANK: Readonly<Record<LedgerClass, number>> = { ignored: 0, kept: 1, used: 2, converted: 3 };
