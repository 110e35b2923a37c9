import { makeValue, type Prim, T, type Value } from '@manyworlds/usd';
import { dataOf } from '@manyworlds/usd/internal';
import type { FixSession } from '../engine/fix-session.ts';
import type { Fixer } from '../engine/fixer.ts';
import { definingSite } from '../engine/sites.ts';

const RULE = 'R1.2.4.1';
/** What well-known sets are expected to show. */
const DEFAULTS: Readonly<Record<string, string>> = {
	visual_representation: 'mesh_medium',
	collision_fidelity: 'baseline',
};

/** F25: every variant set has a selection that exists: the one given, the usual one of known sets, else the first by name. */
export const VARIANTS: Fixer = {
	family: 'F25',
	title: 'variant sets with a selection',
	rules: [RULE],
	safety: 'unsafe',
	changes: ['mass', 'bodies', 'joints', 'limits', 'colliders', 'friction', 'geometry', 'articulations'],
	apply(session) {
		session.forEachSelection((stage) => {
			const owners = [...stage.traverse()].filter((prim) => prim.variantSets().length > 0).map(({ path }) => path);
			for (const path of owners) {
				const prim = session.stage.prim(path);
				for (const set of prim?.variantSets() ?? []) selectDefault(session, session.stage.prim(path)!, set);
			}
		});
	},
};

function selectDefault(session: FixSession, prim: Prim, set: string): void {
	const names = prim.variants(set);
	const authored = authoredSelection(prim, set);
	if (names.length === 0 || (authored !== undefined && names.includes(authored))) return;
	const wished = session.parameters.variants?.[set] ?? DEFAULTS[set];
	const choice = wished !== undefined && names.includes(wished) ? wished : names[0]!;
	const site =
		prim
			.specs()
			.find(({ layer, path }) => session.isEditable(layer) && layer.field(path, 'variantSelection') !== undefined) ??
		prim
			.specs()
			.find(({ layer, path }) => session.isEditable(layer) && layer.field(path, 'variantSetNames') !== undefined) ??
		definingSite(session, prim);
	if (site === undefined) return;
	session.edit(RULE, site.layer, (layer) => {
		const present = dataOf(layer.field(site.path, 'variantSelection'), T.variantSelectionMap) ?? new Map();
		const map = new Map(present).set(set, choice);
		layer.setField(site.path, 'variantSelection', makeValue(T.variantSelectionMap, map) as Value);
	});
	session.note(RULE, `${set} selects '${choice}' of ${names.join(', ')} now`, { prim });
}

/** The selection that layers of the asset author, not those of a session. */
function authoredSelection(prim: Prim, set: string): string | undefined {
	for (const { layer, path } of prim.specs()) {
		if (layer === prim.stage.sessionLayer) continue;
		const selection = dataOf(layer.field(path, 'variantSelection'), T.variantSelectionMap)?.get(set);
		if (selection !== undefined) return selection;
	}
	return undefined;
}
