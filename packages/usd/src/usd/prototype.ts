import type { Path } from '../sdf/path.ts';
import type { PrimData } from './prim-data.ts';

/** What instances share: the prims below them, composed once. */
export interface Prototype {
	/** `/__Prototype_1` */
	readonly path: Path;
	/** The prims of the prototype; its own prim has no opinions. */
	readonly root: PrimData;
	/** Path of the instance whose composition it uses. */
	readonly sourcePath: Path;
	/** The instances, in the order in which they were found. */
	readonly instances: readonly PrimData[];
}
