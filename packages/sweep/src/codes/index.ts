import { type CodeInfo, describeCodes } from '@manyworlds/core/internal';
import { SWP_HELP } from './help/swp.ts';
import { SWP_CODES } from './swp.ts';

/** Every code of this package with its title, severity and help. Only tools that explain codes load it. @public */
export const CODES: Readonly<Record<string, CodeInfo>> = describeCodes(SWP_CODES, SWP_HELP);
