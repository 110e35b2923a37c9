import type { Layer, Node, Path } from '@manyworlds/usd';

/** Where an opinion was authored, and where it shows on the stage. @public */
export interface Place {
	readonly layer: Layer;
	/** The spec in the layer. */
	readonly path: Path;
	/** The field of the spec; the spec itself without one. */
	readonly field?: string;
	/** Text within the value of the field. */
	readonly item?: string;
	/** Path of the prim or property on the stage. */
	readonly shown: Path;
	/** By what composition the opinion arrives; undefined for what was read from the layer alone. */
	readonly node?: Node;
}
