import type { Layer, RelocationPlan } from '@manyworlds/usd';
import { relocateOpinions } from '@manyworlds/usd/internal';
import type { RepCode } from '../../diagnostics.ts';
import type { FixSession } from '../engine/fix-session.ts';
import { FixRefusal } from '../engine/fixer.ts';

/** Moves opinions of the asset to other layers for a rule; gives those layers by destination. */
export function relocate(session: FixSession, rule: RepCode, plan: RelocationPlan): ReadonlyMap<string, Layer> {
	const { layers, difference } = relocateOpinions(
		{
			isEditable: (layer) => session.isEditable(layer),
			edit: (layer, change) => session.edit(rule, layer, change),
			eachStage: (visit, over) => {
				for (const choices of session.selections()) {
					const stage = session.open({ choices, over });
					visit(stage);
					stage.close();
				}
			},
			identify: (assetPath, layer) => session.store.identify(assetPath, layer.identifier).identifier,
			refuse: (message, layer) => session.refuse(rule, message, { layer }),
		},
		plan,
	);
	if (difference !== undefined) throw new FixRefusal(rule, `${difference} would read otherwise`);
	return layers;
}
