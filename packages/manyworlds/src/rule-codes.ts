import type { CodeInfo } from '@manyworlds/core/internal';
import { CODES } from '@manyworlds/rep158/codes';

/** Codes of the rules of REP 0158 and of what the checker says about itself: what most results of a check need. */
export const RULE_CODES: Readonly<Record<string, CodeInfo>> = CODES;
