/** Contacts of worlds: which shapes are near, how far they are apart, and where they touch. */

export { capCosines, capSines } from './features';
export * from './layout';
export { find } from './narrow';
export {
	isClear,
	normals,
	partBody,
	partCount,
	partRoom,
	partRowCount,
	partRows,
	parts,
	placed,
	planePairCount,
	planePairs,
} from './near';

/** First address that the host may use. */
export function heapStart(): usize {
	return __heap_base;
}
