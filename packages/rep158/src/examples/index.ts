import { REP_1_EXAMPLES } from './chapter-1.ts';
import { REP_2_EXAMPLES } from './chapter-2.ts';
import { REP_3_EXAMPLES } from './chapter-3.ts';
import { REP_4_EXAMPLES } from './chapter-4.ts';
import type { RuleExample } from './rule-example.ts';

/** Assets that break and keep rules, by rule. */
export const RULE_EXAMPLES: Readonly<Record<string, RuleExample>> = {
	...REP_1_EXAMPLES,
	...REP_2_EXAMPLES,
	...REP_3_EXAMPLES,
	...REP_4_EXAMPLES,
};
