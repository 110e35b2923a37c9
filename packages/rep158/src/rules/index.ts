import type { Rule } from '../rule.ts';
import { SECTION_1_1 } from './section-1-1.ts';
import { SECTION_2_0 } from './section-2-0.ts';
import { SECTION_2_1 } from './section-2-1.ts';
import { SECTION_2_1_1 } from './section-2-1-1.ts';
import { SECTION_2_2 } from './section-2-2.ts';
import { SECTION_2_3 } from './section-2-3.ts';
import { SECTION_2_4 } from './section-2-4.ts';
import { SECTION_2_5 } from './section-2-5.ts';
import { SECTION_2_7 } from './section-2-7.ts';
import { SECTION_2_8 } from './section-2-8.ts';
import { SECTION_2_9 } from './section-2-9.ts';

/** Every statement of REP 0158, in the order of the document. @public */
export const RULES: readonly Rule[] = [
	...SECTION_1_1,
	...SECTION_2_0,
	...SECTION_2_1,
	...SECTION_2_1_1,
	...SECTION_2_2,
	...SECTION_2_3,
	...SECTION_2_4,
	...SECTION_2_5,
	...SECTION_2_7,
	...SECTION_2_8,
	...SECTION_2_9,
];
