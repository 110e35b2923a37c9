import type { Node, Prim } from '@manyworlds/usd';
import { ArcType } from '@manyworlds/usd/internal';
import type { CheckContext } from '../context/check-context.ts';

/** Whether an applied schema of a prim is gone while payloads are not loaded, as far as the payload policy cares (C1). */
export function isHiddenByPayload(context: CheckContext, prim: Prim, schema: string): boolean {
	if (!comesByPayload(context.atSchema(prim, schema).node) && !comesByPayload(context.at(prim).node)) return false;
	// that stage has the payloads that may bring features
	const unloaded = withoutPayloads(context, prim);
	return unloaded?.isDefined !== true || !unloaded.hasSchema(schema);
}

/**
 * A prim as it is while payloads are not loaded. Where none is at it or above it that is the prim itself: another stage would have to
 * be composed for each variant selection.
 */
export function withoutPayloads(context: CheckContext, prim: Prim): Prim | undefined {
	for (let at: Prim | undefined = prim; at !== undefined; at = at.parent) {
		if (at.hasPayload) return context.unloaded.prim(prim.path);
	}
	return prim;
}

function comesByPayload(node: Node | undefined): boolean {
	for (let at: Node | null = node ?? null; at !== null; at = at.parent) if (at.arcType === ArcType.payload) return true;
	return false;
}
