import type { Node, Prim } from '@manyworlds/usd';
import { ArcType } from '@manyworlds/usd/internal';
import type { CheckContext } from '../context/check-context.ts';

/** Whether an applied schema of a prim is gone while payloads are not loaded, as far as the payload policy cares (C1). */
export function isHiddenByPayload(context: CheckContext, prim: Prim, schema: string): boolean {
	if (!comesByPayload(context.atSchema(prim, schema).node) && !comesByPayload(context.at(prim).node)) return false;
	// that stage has the payloads that may bring features
	const unloaded = context.unloaded.prim(prim.path);
	return unloaded?.isDefined !== true || !unloaded.hasSchema(schema);
}

function comesByPayload(node: Node | undefined): boolean {
	for (let at: Node | null = node ?? null; at !== null; at = at.parent) if (at.arcType === ArcType.payload) return true;
	return false;
}
