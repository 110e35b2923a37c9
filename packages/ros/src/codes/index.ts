import { type CodeInfo, describeCodes } from '@manyworlds/core/internal';
import { RT_HELP } from './help/rt.ts';
import { RT_CODES } from './rt.ts';

/** Every code of this package with its title, severity and help. Only tools that explain codes load it. @public */
export const CODES: Readonly<Record<string, CodeInfo>> = describeCodes(RT_CODES, RT_HELP);
