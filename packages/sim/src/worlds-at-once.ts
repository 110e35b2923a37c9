import type { Model } from '@manyworlds/model';

/** Worlds that fit the cache, of which as many as the kernels take at once make a whole number. */
export function worldsAtOnce({ worldCount, jointCoordCount, jointDofCount, bodyCount, shapeCount }: Model): number {
	// two states, forces and targets, frames and contacts
	const numbers = 3 * jointCoordCount + 7 * jointDofCount + 32 * bodyCount + 24 * shapeCount;
	const bytes = (8 * numbers) / Math.max(1, worldCount);
	return 4 * Math.max(1, Math.floor(CACHE_BYTES / (4 * Math.max(1, bytes))));
}

/** Bytes of a cache that worlds which are stepped together may fill, with what is read and written of them in a step. */
const CACHE_BYTES = 2 ** 19;
