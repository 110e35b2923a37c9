import type { Layer } from '../../sdf/layer.ts';
import { ListOp } from '../../sdf/list-op.ts';
import type { Path } from '../../sdf/path.ts';
import { dataOf, makeValue, type Value } from '../../sdf/value.ts';
import { T } from '../../sdf/value-type.ts';

/** Lists a variant set at a spec: variants count only where their set is listed. @public */
export function listVariantSet(layer: Layer, path: Path, set: string): void {
	const op = dataOf(layer.field(path, 'variantSetNames'), T.stringListOp);
	const listed = [op?.explicitItems, op?.prependedItems, op?.appendedItems, op?.addedItems];
	if (listed.some((items) => items?.includes(set))) return;
	const next =
		op?.isExplicit === true
			? ListOp.explicit([...op.explicitItems, set])
			: ListOp.edits({ ...op, prependedItems: [...(op?.prependedItems ?? []), set] });
	layer.setField(path, 'variantSetNames', makeValue(T.stringListOp, next) as Value);
}

/** Selects a variant at a spec. @public */
export function selectVariant(layer: Layer, path: Path, set: string, variant: string): void {
	const present = dataOf(layer.field(path, 'variantSelection'), T.variantSelectionMap) ?? new Map<string, string>();
	if (present.get(set) === variant) return;
	const map = new Map(present).set(set, variant);
	layer.setField(path, 'variantSelection', makeValue(T.variantSelectionMap, map) as Value);
}
