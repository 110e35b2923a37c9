import type { Severity } from '@manyworlds/core';
import type { Place } from './context/place.ts';
import type { Rule } from './rule.ts';

/** What may be said about a finding beyond its place and message. @public */
export interface FindingDetails {
	/** Instead of the severity of the rule. Heuristic rules are never above warning. */
	readonly severity?: Severity;
	/** Tells findings of one rule at one place apart. */
	readonly key?: string;
	/** Other places that explain it. */
	readonly related?: readonly { readonly place: Place; readonly message: string }[];
	/** Machine-readable values behind the message. */
	readonly data?: Readonly<Record<string, unknown>>;
}

/** A finding before it is located. @public */
export interface Finding extends FindingDetails {
	readonly rule: Rule;
	readonly place: Place;
	/** One sentence: what is, what was expected, with values and units. */
	readonly message: string;
}

/** Takes the findings of one rule. @public */
export class Reporter {
	readonly rule: Rule;
	readonly #take: (finding: Finding) => void;

	constructor(rule: Rule, take: (finding: Finding) => void) {
		this.rule = rule;
		this.#take = take;
	}

	/** Reports that the rule is broken at a place. One finding is kept for each authored place and key. */
	add(place: Place, message: string, details: FindingDetails = {}): void {
		this.#take({ ...details, rule: this.rule, place, message });
	}
}
