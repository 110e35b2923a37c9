import { type CodeInfo, describeCodes } from '@manyworlds/core/internal';
import { RUNTIME_HELP } from './help/ros.ts';
import { RUNTIME_CODES } from './ros.ts';

/** Every code of this package with its title, severity and help. Only tools that explain codes load it. @public */
export const CODES: Readonly<Record<string, CodeInfo>> = describeCodes(RUNTIME_CODES, RUNTIME_HELP);
