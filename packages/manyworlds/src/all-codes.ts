import { CODES as CONVERT } from '@manyworlds/convert/codes';
import { CODES as CORE } from '@manyworlds/core/codes';
import type { CodeInfo } from '@manyworlds/core/internal';
import { CODES as FORMATS } from '@manyworlds/formats/codes';
import { CODES as IMPORT } from '@manyworlds/import/codes';
import { CODES as LSP } from '@manyworlds/lsp/codes';
import { CODES as MESH } from '@manyworlds/mesh/codes';
import { CODES as MODEL } from '@manyworlds/model/codes';
import { CODES as MUJOCO } from '@manyworlds/mujoco/codes';
import { CODES as NODE } from '@manyworlds/node/codes';
import { CODES as REP158 } from '@manyworlds/rep158/codes';
import { CODES as ROS } from '@manyworlds/ros/codes';
import { CODES as SCENE } from '@manyworlds/scene/codes';
import { CODES as SIM } from '@manyworlds/sim/codes';
import { CODES as SWEEP } from '@manyworlds/sweep/codes';
import { CODES as USD } from '@manyworlds/usd/codes';
import { CODES as WORLDS } from '@manyworlds/worlds/codes';
import { CODES as COMMANDS } from './codes/index.ts';

/** Every code of every package. Loaded when something has to be explained, never to make a diagnostic. */
export const ALL_CODES: Readonly<Record<string, CodeInfo>> = {
	...CORE,
	...USD,
	...MESH,
	...FORMATS,
	...MODEL,
	...IMPORT,
	...CONVERT,
	...REP158,
	...WORLDS,
	...SIM,
	...MUJOCO,
	...SCENE,
	...ROS,
	...SWEEP,
	...LSP,
	...NODE,
	...COMMANDS,
};
