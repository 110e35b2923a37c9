import { type CodeInfo, describeCodes } from '@manyworlds/core/internal';
import { SIM_HELP } from './help/sim.ts';
import { SIM_CODES } from './sim.ts';

/** Every code of this package with its title, severity and help. Only tools that explain codes load it. @public */
export const CODES: Readonly<Record<string, CodeInfo>> = {
	...describeCodes(SIM_CODES, SIM_HELP),
};
