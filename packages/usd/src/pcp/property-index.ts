import type { Path } from '../sdf/path.ts';
import { SpecType } from '../sdf/spec-type.ts';
import { composeOffsets } from './layer-offset.ts';
import type { PcpError } from './pcp-error.ts';
import type { PrimIndex, SpecSite } from './prim-index.ts';

/** The specs of a property, strongest first. */
export interface PropertyIndex {
	/** Path of the property on the stage. */
	readonly path: Path;
	/** Type of the strongest spec; specs of the other type are left out. */
	readonly type: SpecType;
	readonly stack: readonly SpecSite[];
	readonly errors: readonly PcpError[];
}

/** Finds the specs of a property of a prim. */
export function composePropertyIndex(index: PrimIndex, name: string): PropertyIndex {
	const path = index.path.appendProperty(name);
	const stack: SpecSite[] = [];
	const errors: PcpError[] = [];
	let type: SpecType = SpecType.unknown;
	for (const node of index.nodes) {
		if (!node.canContribute || !node.hasSpecs) continue;
		const { layerStack } = node;
		const specPath = node.path.appendProperty(name);
		for (const at of layerStack.siteAt(node.path).layers) {
			const layer = layerStack.layers[at]!;
			const found = layer.data.specType(specPath);
			if (found !== SpecType.attribute && found !== SpecType.relationship) continue;
			if (type === SpecType.unknown) {
				type = found;
			} else if (type !== found) {
				errors.push({
					kind: 'InconsistentPropertyType',
					root: { layer: index.root.layerStack.rootLayer, path },
					defining: { layer: stack[0]!.layer, path: stack[0]!.path },
					definingType: type,
					conflicting: { layer, path: specPath },
					conflictingType: found,
				});
				continue;
			}
			const offset = composeOffsets(node.mapToRoot.offset, layerStack.offsets[at]!);
			stack.push({ node, layer, path: specPath, offset });
		}
	}
	return { path, type, stack, errors };
}
