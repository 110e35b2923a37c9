import type { Path } from '../sdf/path.ts';
import { ArcType } from './arc-type.ts';
import type { LayerStack } from './layer-stack.ts';
import type { MapFunction } from './map-function.ts';
import type { Node } from './node.ts';

/** The child of `parent` that stands for the same site, or below a relocate for the same mapping. */
export function findMatchingChild(
	parent: Node,
	parentType: ArcType,
	layerStack: LayerStack,
	path: Path,
	type: ArcType,
	mapToParent: MapFunction,
	depthBelowIntroduction: number,
): Node | undefined {
	for (let child = parent.firstChild; child !== null; child = child.nextSibling) {
		const isMatch =
			parentType === ArcType.relocate
				? child.arcType === type &&
					child.mapToParent.equals(mapToParent) &&
					child.origin!.depthBelowIntroduction === depthBelowIntroduction
				: child.path === path && child.layerStack === layerStack;
		if (isMatch) return child;
	}
	return undefined;
}
