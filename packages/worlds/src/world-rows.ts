import type { Model } from '@manyworlds/model';
import type { IndexRange } from '@manyworlds/model/internal';

/** Rows of a world; a model of one world may keep all of them outside of worlds, and then all are meant. @public */
export function worldRows(
	model: Model,
	entity: 'body' | 'shape' | 'joint' | 'jointDof' | 'jointCoord',
	world: number,
): IndexRange {
	return model.worldCount > 1 ? model.worlds.range(entity, world) : { start: 0, end: model[`${entity}Count`] };
}
