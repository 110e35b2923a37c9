import { type CodeInfo, describeCodes } from '@manyworlds/core/internal';
import { CLI_CODES } from './cli.ts';
import { CLI_HELP } from './help/cli.ts';
import { OPEN_HELP } from './help/open.ts';
import { OPEN_CODES } from './open.ts';

/** Every code of this package with its title, severity and help. Only tools that explain codes load it. @public */
export const CODES: Readonly<Record<string, CodeInfo>> = {
	...describeCodes(CLI_CODES, CLI_HELP),
	...describeCodes(OPEN_CODES, OPEN_HELP),
};
