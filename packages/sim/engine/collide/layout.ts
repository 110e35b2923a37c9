/** What the host writes: tables of a run of pairs once, which worlds that are alike share, and before each call what is of a world. */

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
export const SOLID: i32 = 448;

/** Poses and velocities of the bodies of the world. */
export let poses: usize = 0;
export let rates: usize = 0;
/** How fast each body moves and turns. */
export let speeds: usize = 0;
/** Time [s] that is looked ahead, how far that may reach [m], and its parts: towards each other and past each other [s]. */
export let lookAhead: usize = 0;

/** Directions along which pairs were found apart, three numbers of 32 bits each; and one less than their number. */
export let axes: usize = 0;
export let axisMask: i32 = 0;
export const AXIS: i32 = 12;

/** Pairs with contacts, and those left to the host: the pair and the number of its rows, -1 for the latter. */
export let listed: usize = 0;
/** Contacts: points in the frames of both bodies and the normal in the world; and whether they are ahead. */
export let rows: usize = 0;
export let areAhead: usize = 0;
/** Contacts that there is room for; pairs beyond are left to the host. */
export let rowRoom: i32 = 0;
export const ROW: i32 = 72;
