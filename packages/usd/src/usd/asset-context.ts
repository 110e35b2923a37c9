import type { AssetStore } from '../ar/asset-store.ts';
import type { Node } from '../pcp/node.ts';
import { evaluateText, isExpression } from '../pcp/variable-expression.ts';
import type { Layer } from '../sdf/layer.ts';

/** An asset path of a composed value. */
export interface ResolvedAsset {
	/** As it stands in the layer. */
	readonly authored: string;
	/** What its expression gives; undefined when it is none. */
	readonly evaluated: string | undefined;
	/** The file it stands for; undefined when there is none. */
	readonly resolved: string | undefined;
}

/** Looks up an asset path where it was authored. */
export function resolveAsset(
	store: Pick<AssetStore, 'identify' | 'exists'>,
	authored: string,
	layer: Layer,
	node: Node | undefined,
): ResolvedAsset {
	const evaluated = evaluateAsset(authored, node);
	const text = evaluated ?? authored;
	if (text === '' || isExpression(text)) return { authored, evaluated, resolved: undefined };
	const { identifier, refusal } = store.identify(text, layer.identifier);
	const resolved = refusal === undefined && store.exists(identifier) === true ? identifier : undefined;
	return { authored, evaluated, resolved };
}

/** What the expression of an asset path gives; undefined when it is none or fails. */
export function evaluateAsset(authored: string, node: Node | undefined): string | undefined {
	if (!isExpression(authored)) return undefined;
	const { value, errors } = evaluateText(authored, node?.layerStack.variables.variables ?? new Map());
	return errors.length > 0 ? undefined : value;
}

/**
 * The asset path to write into a flattened layer, which lies elsewhere: anchored where that changes it, as it is otherwise.
 */
export function anchorAsset(
	store: Pick<AssetStore, 'identify'>,
	authored: string,
	layer: Layer,
	node: Node | undefined,
): string {
	let text = authored;
	if (isExpression(authored)) {
		const evaluated = evaluateAsset(authored, node);
		if (evaluated === undefined) return authored;
		text = evaluated;
	}
	return text === '' ? text : store.identify(text, layer.identifier).identifier;
}
