import type { SchemaLibrary } from './schema-library.ts';
import { EXTENDED_PHYSICS } from './tables/extended-physics.ts';
import { MJC_PHYSICS } from './tables/mjc-physics.ts';
import { NEWTON } from './tables/newton.ts';
import { PHYSX } from './tables/physx.ts';
import { ROS } from './tables/ros.ts';
import { USD_CORE } from './tables/usd.ts';
import { USD_GEOM } from './tables/usd-geom.ts';
import { USD_HYDRA } from './tables/usd-hydra.ts';
import { USD_LOD } from './tables/usd-lod.ts';
import { USD_LUX } from './tables/usd-lux.ts';
import { USD_MEDIA } from './tables/usd-media.ts';
import { USD_PHYSICS } from './tables/usd-physics.ts';
import { USD_PROC } from './tables/usd-proc.ts';
import { USD_PROFILES } from './tables/usd-profiles.ts';
import { USD_RENDER } from './tables/usd-render.ts';
import { USD_RI } from './tables/usd-ri.ts';
import { USD_SEMANTICS } from './tables/usd-semantics.ts';
import { USD_SHADE } from './tables/usd-shade.ts';
import { USD_SKEL } from './tables/usd-skel.ts';
import { USD_UI } from './tables/usd-ui.ts';
import { USD_VOL } from './tables/usd-vol.ts';

/** The schema libraries that come with OpenUSD 26.11. */
export const OPENUSD_LIBRARIES: readonly SchemaLibrary[] = [
	USD_CORE,
	USD_GEOM,
	USD_SHADE,
	USD_LUX,
	USD_PHYSICS,
	USD_SKEL,
	USD_VOL,
	USD_RENDER,
	USD_UI,
	USD_MEDIA,
	USD_HYDRA,
	USD_PROC,
	USD_SEMANTICS,
	USD_RI,
	USD_LOD,
	USD_PROFILES,
];

/** Schema libraries of simulators and of ROS that robot assets use. */
export const ROBOT_LIBRARIES: readonly SchemaLibrary[] = [NEWTON, MJC_PHYSICS, PHYSX, ROS, EXTENDED_PHYSICS];
