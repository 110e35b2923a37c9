import { type CodeInfo, describeCodes } from '@manyworlds/core/internal';
import { CNV_CODES } from './cnv.ts';
import { CNV_HELP } from './help/cnv.ts';

/** Every code of this package with its title, severity and help. Only tools that explain codes load it. @public */
export const CODES: Readonly<Record<string, CodeInfo>> = describeCodes(CNV_CODES, CNV_HELP);
