import type { Rule } from '../rule.ts';

/** A statement of the REP as its section declares it: how it is fixed is for the fixers to say. */
export type Statement = Omit<Rule, 'fix'>;
