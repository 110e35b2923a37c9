/** Contacts of worlds: which shapes are near, how far they are apart, and where they touch. */

export { capCosines, capSines } from './features';
export * from './layout';
export { find } from './narrow';
export {
	isNear,
	middleCalls,
	middles,
	near,
	normals,
	pairCount,
	pairs,
	partBody,
	partCount,
	parts,
	placed,
	planeEnd,
	shapeBody,
	shapes,
	stretchCount,
	stretchEnd,
	stretchParts,
	stretchStart,
} from './near';

/** First address that the host may use. */
export function heapStart(): usize {
	return __heap_base;
}
