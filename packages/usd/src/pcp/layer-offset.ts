import { IDENTITY_OFFSET, isIdentityOffset, type LayerOffset } from '../sdf/value.ts';

/** The offset that first applies `inner`, then `outer`. */
export function composeOffsets(outer: LayerOffset, inner: LayerOffset): LayerOffset {
	if (isIdentityOffset(outer)) return inner;
	if (isIdentityOffset(inner)) return outer;
	const composed = { offset: outer.scale * inner.offset + outer.offset, scale: outer.scale * inner.scale };
	// there and back again leaves rounding errors, which OpenUSD takes for no offset
	return offsetsEqual(composed, IDENTITY_OFFSET) ? IDENTITY_OFFSET : composed;
}

/** The offset that takes `offset` back. A scale of zero gives one that is not finite. */
export function invertOffset(offset: LayerOffset): LayerOffset {
	if (isIdentityOffset(offset)) return IDENTITY_OFFSET;
	const scale = 1 / offset.scale;
	return { offset: -offset.offset * scale, scale };
}

/** Whether an offset can be applied both ways. */
export function isUsableOffset(offset: LayerOffset): boolean {
	const inverse = invertOffset(offset);
	return (
		Number.isFinite(offset.offset) &&
		Number.isFinite(offset.scale) &&
		Number.isFinite(inverse.offset) &&
		Number.isFinite(inverse.scale)
	);
}

/** Whether two offsets are the same but for rounding, by the measure of OpenUSD. */
export function offsetsEqual(a: LayerOffset, b: LayerOffset): boolean {
	return a === b || (Math.abs(a.offset - b.offset) < CLOSE && Math.abs(a.scale - b.scale) < CLOSE);
}

const CLOSE = 1e-6;
