import type { Node, Prim } from '@manyworlds/usd';
import { ArcType } from '@manyworlds/usd/internal';
import type { CheckContext } from '../context/check-context.ts';

/** Whether an applied schema of a prim is gone while payloads are not loaded, as far as the payload policy cares (C1). */
export function isHiddenByPayload(context: CheckContext, prim: Prim, schema: string): boolean {
	const payloads = payloadsAbove(context.atSchema(prim, schema).node);
	const isDefinedInPayload = payloads.length > 0 || payloadsAbove(context.at(prim).node).length > 0;
	if (!isDefinedInPayload) return false;
	const unloaded = context.unloaded.prim(prim.path);
	if (unloaded?.isDefined === true && unloaded.hasSchema(schema)) return false;
	if (context.settings.payloadPolicy !== 'entry') return true;
	// the payload of the entry prim may bring the features, payloads inside it may not hide them
	const entry = context.stage.defaultPrim?.path;
	const all = payloads.length > 0 ? payloads : payloadsAbove(context.at(prim).node);
	return all.some(({ introPath }) => introPath !== entry);
}

function payloadsAbove(node: Node | undefined): Node[] {
	const found: Node[] = [];
	for (let at: Node | null = node ?? null; at !== null; at = at.parent) {
		if (at.arcType === ArcType.payload) found.push(at);
	}
	return found;
}
