import type { Model } from '../model/model.ts';
import { ModelError } from '../model-error.ts';

/** Which articulations a computation is about; all of them when nothing is given. @public */
export interface ArticulationChoice {
	/** One entry for each articulation; zero leaves it out. */
	readonly mask?: ArrayLike<number | boolean>;
	/** Articulation indices. */
	readonly articulations?: ArrayLike<number>;
	/** World indices; -1 stands for the global articulations. */
	readonly worlds?: ArrayLike<number>;
}

/** The indices of the chosen articulations, ascending for a mask or worlds, as given for a list. */
export function chooseArticulations(model: Model, choice: ArticulationChoice): Int32Array {
	const given = [choice.mask, choice.articulations, choice.worlds].filter((part) => part !== undefined).length;
	if (given > 1) throw fault('mask, articulations and worlds exclude each other: give one of them');
	const count = model.articulationCount;
	if (choice.articulations !== undefined) {
		return Int32Array.from(
			Array.from(choice.articulations, (index) => {
				if (!Number.isInteger(index) || index < 0 || index >= count)
					throw fault(`articulation ${index} does not exist, expected 0 to ${count - 1}`);
				return index;
			}),
		);
	}
	if (choice.mask !== undefined && choice.mask.length !== count) {
		throw fault(`the mask has ${choice.mask.length} entries, expected one for each of ${count} articulations`);
	}
	const worlds = choice.worlds === undefined ? undefined : new Set(Array.from(choice.worlds));
	for (const world of worlds ?? []) {
		if (!Number.isInteger(world) || world < -1 || world >= model.worldCount)
			throw fault(`world ${world} does not exist, expected -1 to ${model.worldCount - 1}`);
	}
	const chosen: number[] = [];
	for (let articulation = 0; articulation < count; articulation++) {
		if (choice.mask !== undefined && !choice.mask[articulation]) continue;
		if (worlds !== undefined && !worlds.has(model.articulationWorld[articulation]!)) continue;
		chosen.push(articulation);
	}
	return Int32Array.from(chosen);
}

function fault(message: string): ModelError {
	return new ModelError('MODEL050', message, { kind: 'articulation' });
}
