import { type CodeInfo, describeCodes } from '@manyworlds/core/internal';
import { MJCF_HELP } from './help/mjcf.ts';
import { SDF_HELP } from './help/sdf.ts';
import { URDF_HELP } from './help/urdf.ts';
import { MJCF_CODES } from './mjcf.ts';
import { SDF_CODES } from './sdf.ts';
import { URDF_CODES } from './urdf.ts';

/** Every code of this package with its title, severity and help. Only tools that explain codes load it. @public */
export const CODES: Readonly<Record<string, CodeInfo>> = {
	...describeCodes(MJCF_CODES, MJCF_HELP),
	...describeCodes(SDF_CODES, SDF_HELP),
	...describeCodes(URDF_CODES, URDF_HELP),
};
