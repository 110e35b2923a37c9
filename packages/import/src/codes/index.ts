import { type CodeInfo, describeCodes } from '@manyworlds/core/internal';
import { IMP_HELP } from './help/imp.ts';
import { IMP_CODES } from './imp.ts';

/** Every code of this package with its title, severity and help. Only tools that explain codes load it. @public */
export const CODES: Readonly<Record<string, CodeInfo>> = {
	...describeCodes(IMP_CODES, IMP_HELP),
};
