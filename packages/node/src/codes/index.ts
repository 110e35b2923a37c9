import { type CodeInfo, describeCodes } from '@manyworlds/core/internal';
import { GIT_CODES } from './git.ts';
import { GIT_HELP } from './help/git.ts';

/** Every code of this package with its title, severity and help. Only tools that explain codes load it. @public */
export const CODES: Readonly<Record<string, CodeInfo>> = describeCodes(GIT_CODES, GIT_HELP);
