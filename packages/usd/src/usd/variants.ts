import { ArcType } from '../pcp/arc-type.ts';
import type { PrimIndex } from '../pcp/prim-index.ts';
import { siteVariantSets } from '../pcp/site.ts';
import { evaluateText, isExpression } from '../pcp/variable-expression.ts';
import { compareUtf8 } from '../sdf/dictionary-order.ts';
import { dataOf } from '../sdf/value.ts';
import { T } from '../sdf/value-type.ts';

/** Names of the variant sets of a prim, strongest first. */
export function variantSetNames(index: PrimIndex): string[] {
	const names = new Set<string>();
	for (const { layerStack, path } of index.nodes) for (const name of siteVariantSets(layerStack, path)) names.add(name);
	return [...names];
}

/** Names of the variants of a set, sorted. */
export function variantNames(index: PrimIndex, set: string): string[] {
	const names = new Set<string>();
	for (const { layerStack, path } of index.nodes) {
		const setPath = path.appendVariant(set, '');
		for (const at of layerStack.siteAt(path).layers) {
			const { data } = layerStack.layers[at]!;
			for (const name of dataOf(data.field(setPath, 'variantChildren'), T.tokenVector) ?? []) names.add(name);
		}
	}
	return [...names].sort(compareUtf8);
}

/** The selection in effect, authored or fallback; '' when there is none. */
export function variantSelection(index: PrimIndex, set: string): string {
	for (const { arcType, path } of index.nodes) {
		if (arcType === ArcType.variant && path.variantSet === set) return path.variantSelection;
	}
	return '';
}

/** Every authored selection, also for sets that do not exist; only of nodes that count if `contributing` says so. */
export function authoredSelections(index: PrimIndex, contributing: boolean): Map<string, string> {
	const selections = new Map<string, string>();
	for (const node of index.nodes) {
		if (contributing && !node.canContribute) continue;
		const { layerStack, path } = node;
		for (const at of layerStack.siteAt(path).layers) {
			const here = dataOf(layerStack.layers[at]!.data.field(path, 'variantSelection'), T.variantSelectionMap);
			for (const [set, authored] of here ?? []) {
				if (selections.has(set)) continue;
				let selection = authored;
				if (isExpression(authored)) {
					const { value, errors } = evaluateText(authored, layerStack.variables.variables);
					if (errors.length > 0) continue;
					selection = value;
				}
				selections.set(set, selection);
			}
		}
	}
	return selections;
}
