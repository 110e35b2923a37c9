import { type CodeInfo, describeCodes } from '@manyworlds/core/internal';
import { CTL_CODES } from './ctl.ts';
import { CTL_HELP } from './help/ctl.ts';
import { SCN_HELP } from './help/scn.ts';
import { SCN_CODES } from './scn.ts';

/** Every code of this package with its title, severity and help. Only tools that explain codes load it. @public */
export const CODES: Readonly<Record<string, CodeInfo>> = {
	...describeCodes(CTL_CODES, CTL_HELP),
	...describeCodes(SCN_CODES, SCN_HELP),
};
