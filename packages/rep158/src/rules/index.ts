import type { Rule } from '../rule.ts';
import { announcedFix } from './announced-fix.ts';
import { SECTION_1_1 } from './section-1-1.ts';
import { SECTION_1_2_1 } from './section-1-2-1.ts';
import { SECTION_1_2_2 } from './section-1-2-2.ts';
import { SECTION_1_2_3 } from './section-1-2-3.ts';
import { SECTION_1_2_4 } from './section-1-2-4.ts';
import { SECTION_1_2_5 } from './section-1-2-5.ts';
import { SECTION_1_2_6 } from './section-1-2-6.ts';
import { SECTION_1_3 } from './section-1-3.ts';
import { SECTION_1_3_1 } from './section-1-3-1.ts';
import { SECTION_1_3_4 } from './section-1-3-4.ts';
import { SECTION_1_4 } from './section-1-4.ts';
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
import { SECTION_3_1 } from './section-3-1.ts';
import { SECTION_3_2 } from './section-3-2.ts';
import { SECTION_3_3 } from './section-3-3.ts';
import { SECTION_3_4 } from './section-3-4.ts';
import { SECTION_3_5 } from './section-3-5.ts';
import { SECTION_3_6 } from './section-3-6.ts';
import { SECTION_3_0, SECTION_3_7 } from './section-3-7.ts';
import { SECTION_4_2_1 } from './section-4-2-1.ts';
import { SECTION_4_2_2 } from './section-4-2-2.ts';
import { SECTION_4_2_3 } from './section-4-2-3.ts';
import { SECTION_4_2_4 } from './section-4-2-4.ts';
import type { Statement } from './statement.ts';

const STATEMENTS: readonly Statement[] = [
	...SECTION_1_1,
	...SECTION_1_2_1,
	...SECTION_1_2_2,
	...SECTION_1_2_3,
	...SECTION_1_2_4,
	...SECTION_1_2_5,
	...SECTION_1_2_6,
	...SECTION_1_3,
	...SECTION_1_3_1,
	...SECTION_1_3_4,
	...SECTION_1_4,
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
	...SECTION_3_0,
	...SECTION_3_1,
	...SECTION_3_2,
	...SECTION_3_3,
	...SECTION_3_4,
	...SECTION_3_5,
	...SECTION_3_6,
	...SECTION_3_7,
	...SECTION_4_2_1,
	...SECTION_4_2_2,
	...SECTION_4_2_3,
	...SECTION_4_2_4,
];

/** Every statement of REP 0158, in the order of the document, with the fixes that exist. @public */
export const RULES: readonly Rule[] = STATEMENTS.map((rule) => {
	const fix = announcedFix(rule.id);
	return fix === undefined ? rule : { ...rule, fix };
});
