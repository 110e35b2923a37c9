import type { CodeInfo } from './code-info.ts';
import { REP_1_1_CODES } from './rep-1-1.ts';
import { REP_1_3_CODES } from './rep-1-3.ts';
import { REP_2_CODES } from './rep-2.ts';
import { REP_3_CODES } from './rep-3.ts';
import { REP_4_CODES } from './rep-4.ts';

/** Identifier of a statement of REP 0158: `R`, the section, a number. @public */
export type RepCode =
	| keyof typeof REP_1_1_CODES
	| keyof typeof REP_1_3_CODES
	| keyof typeof REP_2_CODES
	| keyof typeof REP_3_CODES
	| keyof typeof REP_4_CODES;

/** The statements of REP 0158 as diagnostic codes, in the order of the document. @public */
export const REP_CODES: Readonly<Record<RepCode, CodeInfo>> = {
	...REP_1_1_CODES,
	...REP_1_3_CODES,
	...REP_2_CODES,
	...REP_3_CODES,
	...REP_4_CODES,
};
