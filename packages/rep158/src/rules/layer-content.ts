import type { Layer } from '@manyworlds/usd';
import type { CheckContext } from '../context/check-context.ts';
import type { CensusEntry, LayerCensus } from '../context/layer-census.ts';
import type { Place } from '../context/place.ts';

/** Kinds of simulation content that functional layers keep apart. */
export type Feature = 'physics' | 'ros';

/** Which rule of REP 1.2.1 a layer breaks by holding a feature where it does not belong. */
export type Misplacement = 'mixed' | 'geometry' | 'materials' | 'base' | 'elsewhere';

/** The first opinions of a feature that a layer should not hold; undefined when it may hold them. */
export function misplacedFeature(
	context: CheckContext,
	layer: Layer,
	feature: Feature,
): { readonly misplacement: Misplacement; readonly entry: CensusEntry; readonly count: number } | undefined {
	const census = context.census(layer);
	const { role, by } = context.role(layer);
	const entries = featureEntries(context, census, feature);
	const [entry] = entries;
	if (entry === undefined || role === 'proprietary') return undefined;
	const count = entries.length;
	if (by === 'name' && (role === 'geometry' || role === 'materials' || role === 'base')) {
		return { misplacement: role, entry, count };
	}
	if (census.meshes.count > 0) return { misplacement: 'mixed', entry, count };
	if (role === feature || !isLayered(context) || !context.featureLayers.has(layer)) return undefined;
	return { misplacement: 'elsewhere', entry, count };
}

/** Whether an asset keeps features in layers of their own: some layer of it is named for physics or ROS. */
export function isLayered(context: CheckContext): boolean {
	for (const layer of context.featureLayers) {
		const { role, by } = context.role(layer);
		if (by === 'name' && (role === 'physics' || role === 'ros')) return true;
	}
	return false;
}

/** Where something of the census stands. */
export function placeOfEntry(context: CheckContext, layer: Layer, { path, field, item }: CensusEntry): Place {
	return context.atSpec(layer, path, field, item);
}

/** Opinions of a feature, without those that may stand in any layer. */
function featureEntries(context: CheckContext, census: LayerCensus, feature: Feature): readonly CensusEntry[] {
	if (feature === 'physics') return census.physics.entries.filter((entry) => !census.scenes.has(entry.path.primPath));
	if (context.role(census.layer).role !== 'entry') return census.ros.entries;
	// REP 2.1.1: namespaces of modules are overridden on the prims that reference them
	const arcs = new Set(census.arcs.entries.map(({ path }) => path));
	return census.ros.entries.filter(({ path, item }) => {
		const isContext = item === 'RosContextAPI' || path.name.startsWith('ros:context:');
		return !(isContext && arcs.has(path.primPath));
	});
}
