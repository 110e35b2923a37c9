import { type CodeInfo, describeCodes } from '@manyworlds/core/internal';
import { CHK_CODES } from './chk.ts';
import { FIX_CODES } from './fix.ts';
import { CHK_HELP } from './help/chk.ts';
import { FIX_HELP } from './help/fix.ts';
import { REP_1_1_HELP } from './help/rep-1-1.ts';
import { REP_1_3_HELP } from './help/rep-1-3.ts';
import { REP_2_HELP } from './help/rep-2.ts';
import { REP_3_HELP } from './help/rep-3.ts';
import { REP_4_HELP } from './help/rep-4.ts';
import { REP_1_1_CODES } from './rep-1-1.ts';
import { REP_1_3_CODES } from './rep-1-3.ts';
import { REP_2_CODES } from './rep-2.ts';
import { REP_3_CODES } from './rep-3.ts';
import { REP_4_CODES } from './rep-4.ts';

/** Every code of this package with its title, severity and help. Only tools that explain codes load it. @public */
export const CODES: Readonly<Record<string, CodeInfo>> = {
	...describeCodes(CHK_CODES, CHK_HELP),
	...describeCodes(FIX_CODES, FIX_HELP),
	...describeCodes(REP_1_1_CODES, REP_1_1_HELP),
	...describeCodes(REP_1_3_CODES, REP_1_3_HELP),
	...describeCodes(REP_2_CODES, REP_2_HELP),
	...describeCodes(REP_3_CODES, REP_3_HELP),
	...describeCodes(REP_4_CODES, REP_4_HELP),
};
