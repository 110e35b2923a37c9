import type { Prim } from '@manyworlds/usd';
import { CheckMemory } from '../geometry/check-memory.ts';
import { readMeshArrays } from '../geometry/mesh-arrays.ts';
import { MeshFacts } from '../geometry/mesh-facts.ts';
import type { CheckContext } from './check-context.ts';

/**
 * The facts about a mesh, shared by all prims and variant selections that get its points and faces from the same place;
 * undefined when it has none.
 */
export function meshFactsOf(context: CheckContext, prim: Prim): MeshFacts | undefined {
	// settings are made for each check, so nothing outlives it unless somebody gives a memory
	let memory = context.settings.memory ?? MEMORIES.get(context.settings);
	if (memory === undefined) {
		memory = new CheckMemory();
		MEMORIES.set(context.settings, memory);
	}
	const sites = ['points', 'faceVertexCounts', 'faceVertexIndices', 'orientation'].map(
		(name) => prim.attribute(name).resolveInfo('default').site,
	);
	const key = sites.map((site) => (site === undefined ? '' : `${site.layer.identifier} ${site.path}`)).join('\n');
	const layers = sites.map((site) => site?.layer);
	return memory.recall(key, layers, () => {
		const arrays = readMeshArrays(prim);
		return arrays && new MeshFacts(arrays);
	});
}

const MEMORIES = new WeakMap<object, CheckMemory>();
