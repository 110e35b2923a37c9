import { type CodeInfo, describeCodes } from '@manyworlds/core/internal';
import { MJC_HELP } from './help/mjc.ts';
import { MJC_CODES } from './mjc.ts';

/** Every code of this package with its title, severity and help. Only tools that explain codes load it. @public */
export const CODES: Readonly<Record<string, CodeInfo>> = {
	...describeCodes(MJC_CODES, MJC_HELP),
};
