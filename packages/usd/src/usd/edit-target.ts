import { UsageRangeError } from '@manyworlds/core';
import type { MapFunction } from '../pcp/map-function.ts';
import type { Node } from '../pcp/node.ts';
import { translateToNode } from '../pcp/target-index.ts';
import type { Layer } from '../sdf/layer.ts';
import type { Path } from '../sdf/path.ts';
import { IDENTITY_OFFSET, type LayerOffset } from '../sdf/value.ts';

/** Where edits go: a layer, and how paths and times of the stage map into it. Immutable. */
export class EditTarget {
	readonly layer: Layer;
	readonly #map: ((path: Path) => Path | undefined) | undefined;
	/** How time in the layer maps to time on the stage. */
	readonly offset: LayerOffset;

	private constructor(layer: Layer, map: ((path: Path) => Path | undefined) | undefined, offset: LayerOffset) {
		this.layer = layer;
		this.#map = map;
		this.offset = offset;
	}

	/** Edits go to a layer of the root layer stack, at the paths of the stage. */
	static forLayer(layer: Layer, offset: LayerOffset = IDENTITY_OFFSET): EditTarget {
		return new EditTarget(layer, undefined, offset);
	}

	/** Edits at and below `/Prim` go into its variant: `/Prim{set=selection}`. */
	static forVariant(layer: Layer, variant: Path): EditTarget {
		if (!variant.isVariant || variant.variantSelection === '') throw new UsageRangeError(`<${variant}> is no variant`);
		const prim = variant.stripVariants();
		return new EditTarget(layer, (path) => path.replacePrefix(prim, variant, false), IDENTITY_OFFSET);
	}

	/** Edits go to what an arc leads to: a layer of the node's layer stack, in its namespace. */
	static forNode(layer: Layer, node: Node): EditTarget {
		const map: MapFunction = node.mapToRoot;
		const bare = node.path.stripVariants();
		const at = node.layerStack.layers.indexOf(layer);
		const inner = at < 0 ? IDENTITY_OFFSET : node.layerStack.offsets[at]!;
		const outer = map.offset;
		const offset = { offset: outer.scale * inner.offset + outer.offset, scale: outer.scale * inner.scale };
		return new EditTarget(layer, (path) => translateToNode(map, path)?.replacePrefix(bare, node.path, false), offset);
	}

	/** The same mapping into another layer. */
	withLayer(layer: Layer): EditTarget {
		return new EditTarget(layer, this.#map, this.offset);
	}

	/** Where an object of the stage is in the layer; undefined when it has no place there. */
	mapToSpec(path: Path): Path | undefined {
		return this.#map === undefined ? path : this.#map(path);
	}
}
