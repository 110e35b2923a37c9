import type { State } from '@manyworlds/model';

/** Two shapes of different bodies that touch or overlap, at their deepest point. @public */
export interface Overlap {
	readonly world: number;
	readonly shape0: number;
	readonly shape1: number;
	/** How far they reach into each other [m]; negative for a gap between them. */
	readonly depth: number;
	/** Unit normal in world axes at the deepest point, from shape 0 to shape 1. */
	readonly normal: readonly [number, number, number];
}

/**
 * Finds what touches in a state: one entry for each pair of shapes, pairs within their gap included, worlds one after the
 * other. @public
 */
export type FindOverlaps = (state: State) => readonly Overlap[];

/** Overlaps that are deeper than this are told, and robots lifted from [m]; less is how a robot rests. */
export const OVERLAP_TOLERANCE = 1e-3;
