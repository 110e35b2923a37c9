/** What the host writes: tables of a run of pairs once, which worlds that are alike share, and before each call what is of its worlds. */

// stretches of pairs of shapes that belong to the same parts: the pair of parts, the first pair of shapes, and where they end
export let stretchCount: i32 = 0;
export let stretchParts: usize = 0;
export let stretchStart: usize = 0;
export let stretchEnd: usize = 0;

/** Two shapes of each pair, in the order of their kinds. */
export let shapePairs: usize = 0;
/** What becomes of each pair: see below. */
export let kinds: usize = 0;
/** Number of each pair among those whose distance takes a search; -1 for others. */
export let searches: usize = 0;
/** Those of a world. */
export let searchCount: i32 = 0;

/** A pair that is left to the host. */
export const HOST: i32 = 0;
/** A plane without an end and a sphere. */
export const BALL: i32 = 1;

/** Shapes, one after the other; see `solids.ts`. */
export let solids: usize = 0;
export const SOLID: i32 = 464;

/** Poses and velocities of the bodies of the worlds of a call, world after world, so many of each. */
export let givenPoses: usize = 0;
export let givenRates: usize = 0;
export let bodyCount: i32 = 0;
/** Table by world of the call: how many shapes further on its own stand in the model than those of the run whose tables are here. */
export let shapeShifts: usize = 0;

/** Those of the world at hand. */
export let poses: usize = 0;
export let rates: usize = 0;
export let shapeShift: i32 = 0;

/** Takes a world of the call. */
export function selectWorld(world: i32): void {
	poses = givenPoses + world * bodyCount * 56;
	rates = givenRates + world * bodyCount * 48;
	shapeShift = load<i32>(shapeShifts + (world << 2));
}

/** How fast each body moves and turns. */
export let speeds: usize = 0;
/** Time [s] that is looked ahead, how far that may reach [m], and its parts: towards each other and past each other [s]. */
export let lookAhead: usize = 0;

/** Directions along which pairs were found apart, three numbers of 32 bits each; and one less than their number. */
export let axes: usize = 0;
export let axisMask: i32 = 0;
export const AXIS: i32 = 12;

/** Pairs that are left to the host: world of the call, pair, and contacts that stand before it. */
export let left: usize = 0;
/** By world of the call: contacts up to its end, and how many of its own are ahead. */
export let worldRows: usize = 0;
/** Contacts that there is room for; pairs beyond are left to the host. */
export let rowRoom: i32 = 0;

// contacts as `Contacts` of the model has them
export let rowShape0: usize = 0;
export let rowShape1: usize = 0;
export let rowPoint0: usize = 0;
export let rowPoint1: usize = 0;
export let rowOffset0: usize = 0;
export let rowOffset1: usize = 0;
export let rowNormal: usize = 0;
export let rowMargin0: usize = 0;
export let rowMargin1: usize = 0;
/** 1 for those that are ahead; a byte each. */
export let rowIsAhead: usize = 0;
