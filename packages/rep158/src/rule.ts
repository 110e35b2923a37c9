import type { CheckContext } from './context/check-context.ts';
import type { RepCode } from './diagnostics.ts';
import type { Reporter } from './reporter.ts';

/** The word of the REP: RFC 2119, or a duty of tools. @public */
export type RuleLevel = 'must' | 'must not' | 'should' | 'should not' | 'may' | 'tool';

/**
 * How a rule is held: `static` by looking at the asset, `heuristic` the same with a threshold (never above warning), `behaviour`
 * by tests of these tools, `none` not at all. @public
 */
export type RuleCheck = 'static' | 'heuristic' | 'behaviour' | 'none';

/** Names of the fix families of `manyworlds fix`. @public */
export type FixFamily = `F${number}`;

/** How a finding of the rule can be put right. @public */
export interface RuleFix {
	readonly family: FixFamily;
	/** Unsafe fixes change geometry, names or values that somebody chose. */
	readonly safety: 'safe' | 'unsafe';
	/** What the fix has to be told, as an option of `manyworlds fix`; absent when it needs nothing. */
	readonly parameter?: string;
}

/**
 * A statement of REP 0158: data, and a visit that finds where an asset breaks it. Title, default severity and rationale are those
 * of the diagnostic code with the same name (`REP_CODES`).
 *
 * `visit` is called once for each variant selection that is checked. It reads the context, reports and keeps nothing.
 * @public
 */
export interface Rule {
	readonly id: RepCode;
	/** Section of the REP: `1.1`, `1.2.3`. */
	readonly section: string;
	readonly level: RuleLevel;
	readonly check: RuleCheck;
	readonly fix?: RuleFix;
	/** For `behaviour`: the test that holds it, relative to the repository. */
	readonly heldBy?: string;
	visit?(context: CheckContext, report: Reporter): void;
}
