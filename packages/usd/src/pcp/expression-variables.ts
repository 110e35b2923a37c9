import type { Layer } from '../sdf/layer.ts';
import { Path } from '../sdf/path.ts';
import { type Dictionary, dataOf, EMPTY_DICTIONARY, type Value } from '../sdf/value.ts';
import { valuesEqual } from '../sdf/value-equality.ts';
import { T } from '../sdf/value-type.ts';

/**
 * The variables that expressions in a layer stack see. Layer stacks that see the same variables share one object, so
 * that its identity tells them apart.
 */
export interface ExpressionVariables {
	readonly variables: Dictionary;
}

export const NO_VARIABLES: ExpressionVariables = { variables: EMPTY_DICTIONARY };

/** The variables of `layers` (weakest first) under those that reach them from outside. */
export function composeVariables(layers: readonly Layer[], overrides: ExpressionVariables): ExpressionVariables {
	let composed: Map<string, Value> | undefined;
	for (const layer of layers) {
		const own = dataOf(layer.data.field(Path.root, 'expressionVariables'), T.dictionary);
		if (own === undefined || own.size === 0) continue;
		composed ??= new Map();
		for (const [name, value] of own) composed.set(name, value);
	}
	if (composed === undefined) return overrides;
	for (const [name, value] of overrides.variables) composed.set(name, value);
	return addsNothing(composed, overrides.variables) ? overrides : { variables: composed };
}

/** Whether all of `a` is in `b`. */
function addsNothing(a: Dictionary, b: Dictionary): boolean {
	for (const [name, value] of a) if (!valuesEqual(value, b.get(name))) return false;
	return true;
}
