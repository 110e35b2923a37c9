import { movePrims as moveOnStage, type Path, type PrimMove } from '@manyworlds/usd';
import type { RepCode } from '../../diagnostics.ts';
import type { FixSession } from '../engine/fix-session.ts';

/** Moves prims of the asset for a rule, and gives the reasons for those that stay. None may lie below another. */
export function movePrims(session: FixSession, rule: RepCode, wishes: readonly PrimMove[]): ReadonlyMap<Path, string> {
	const { moved, kept } = moveOnStage(session.stage, wishes, {
		isEditable: (layer) => session.isEditable(layer),
		edit: (layer, change) => session.edit(rule, layer, change),
		moveSpec: (layer, from, to) => session.moveSpec(rule, layer, from, to),
	});
	for (const [from, to] of moved) session.noteMove(rule, from, to);
	return kept;
}
