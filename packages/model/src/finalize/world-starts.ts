import { WORLD } from '../enums.ts';

/**
 * First index of each world, then of the global entities at the end, then the number of entities. With every entity
 * global, all count as standing before the first world.
 */
export function worldStarts(worlds: Int32Array, worldCount: number): Int32Array {
	const count = worlds.length;
	const starts = new Int32Array(worldCount + 2);
	let index = 0;
	while (index < count && worlds[index] === WORLD) index++;
	for (let world = 0; world < worldCount; world++) {
		starts[world] = index;
		while (index < count && worlds[index] === world) index++;
	}
	starts[worldCount] = index;
	starts[worldCount + 1] = count;
	return starts;
}

/** The same starts counted in degrees of freedom, coordinates or constraints; `jointStarts` ends with their total. */
export function jointSpaceStarts(starts: Int32Array, jointStarts: Int32Array): Int32Array {
	return starts.map((joint) => jointStarts[joint]!);
}
