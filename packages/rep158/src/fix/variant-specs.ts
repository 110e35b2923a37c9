import { dataOf, type Layer, ListOp, makeValue, type Path, T, type Value } from '@manyworlds/usd';

/** Lists a variant set at a spec: variants count only where their set is listed. */
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

/** Selects a variant at a spec. */
export function selectVariant(layer: Layer, path: Path, set: string, variant: string): void {
	const present = dataOf(layer.field(path, 'variantSelection'), T.variantSelectionMap) ?? new Map<string, string>();
	if (present.get(set) === variant) return;
	const map = new Map(present).set(set, variant);
	layer.setField(path, 'variantSelection', makeValue(T.variantSelectionMap, map) as Value);
}
