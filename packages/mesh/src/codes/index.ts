import { type CodeInfo, describeCodes } from '@manyworlds/core/internal';
import { MESH_HELP } from './help/mesh.ts';
import { MESH_CODES } from './mesh.ts';

/** Every code of this package with its title, severity and help. Only tools that explain codes load it. @public */
export const CODES: Readonly<Record<string, CodeInfo>> = {
	...describeCodes(MESH_CODES, MESH_HELP),
};
