import { ARC_NAMES, CompositionCache, Path, type Layer } from '@manyworlds/usd';
import { SceneSource } from './suites/usd-composition/scene-source.ts';
const source = new SceneSource();
const root = source.layer(process.argv[2]!) as Layer;
const cache = new CompositionCache({ rootLayer: root, source, variantFallbacks: new Map([['standin', ['render']]]) });
const index = cache.primIndex(Path.parse(process.argv[3]!)!);
for (const n of index.nodes) {
	let d = 0; for (let p = n.parent; p; p = p.parent) d++;
	console.log('  '.repeat(d) + n.index, ARC_NAMES[n.arcType], n.path.toString(), n.layerStack.rootLayer.identifier.split('/').pop(), n.isInert ? 'inert' : '', n.isCulled ? 'culled' : '', n.hasSpecs ? 'specs' : '', n.isDueToAncestor ? 'anc' : '', 'origin', n.origin?.index, 'nd', n.namespaceDepth, 'rd', n.restrictedDepth);
}
for (const e of index.errors) console.log(e.kind, 'cycle' in e ? e.cycle.map((c) => ARC_NAMES[c.arcType] + ' ' + c.layer.identifier.split('/').pop() + ' ' + c.path).join(' | ') : '');
if (process.argv[4]) for (const n of index.nodes) console.log(n.index, n.mapToParent.toString().replaceAll('\n', '; '), '||', n.mapToRoot.toString().replaceAll('\n', '; '));
