import { isChildrenField, subtreePaths } from '../../sdf/children.ts';
import type { Layer } from '../../sdf/layer.ts';
import type { Path } from '../../sdf/path.ts';
import { SpecType } from '../../sdf/spec-type.ts';
import { dataOf, makeValue, type Value } from '../../sdf/value.ts';
import { T } from '../../sdf/value-type.ts';

/** Copies a prim spec with everything below it to another path of its layer; paths that lead inside lead inside the copy. @public */
export function copyPrimSpec(layer: Layer, from: Path, to: Path): void {
	const inside = (path: Path): Path => (path.hasPrefix(from) ? path.replacePrefix(from, to) : path);
	for (const path of [...subtreePaths(layer.data, from)]) {
		const target = path.replacePrefix(from, to);
		const type = layer.specType(path);
		const text = (field: string): string => String(layer.field(path, field)?.data ?? '');
		if (type === SpecType.prim) layer.createPrim(target, { specifier: 'over' });
		else if (type === SpecType.variant) layer.createVariant(target);
		else if (type === SpecType.attribute) layer.createAttribute(target, text('typeName'));
		else if (type === SpecType.relationship) layer.createRelationship(target);
		else continue;
		for (const field of layer.fieldNames(path)) {
			if (isChildrenField(field)) continue;
			const value = layer.field(path, field)!;
			const paths = dataOf(value, T.pathListOp);
			layer.setField(
				target,
				field,
				paths === undefined ? value : (makeValue(T.pathListOp, paths.mapItems(inside)) as Value),
			);
		}
	}
}
