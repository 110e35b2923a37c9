import { type CodeInfo, describeCodes } from '@manyworlds/core/internal';
import { MODEL_HELP } from './help/model.ts';
import { MODEL_CODES } from './model.ts';

/** Every code of this package with its title, severity and help. Only tools that explain codes load it. @public */
export const CODES: Readonly<Record<string, CodeInfo>> = {
	...describeCodes(MODEL_CODES, MODEL_HELP),
};
