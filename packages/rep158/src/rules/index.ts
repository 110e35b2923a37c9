import type { Rule } from '../rule.ts';
import { SECTION_1_1 } from './section-1-1.ts';

/** Every statement of REP 0158, in the order of the document. @public */
export const RULES: readonly Rule[] = [...SECTION_1_1];
