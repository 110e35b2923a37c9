import { type CodeInfo, describeCodes } from '@manyworlds/core/internal';
import { WLD_HELP } from './help/wld.ts';
import { WLD_CODES } from './wld.ts';

/** Every code of this package with its title, severity and help. Only tools that explain codes load it. @public */
export const CODES: Readonly<Record<string, CodeInfo>> = {
	...describeCodes(WLD_CODES, WLD_HELP),
};
