/**
 * Where things stand in memory. The host reserves the room, writes the addresses and fills the tables; a table holds integers that
 * all worlds share, an array one vector of lanes for each entry. A joint and the body that it moves have the same number.
 * Degrees of freedom stand in postorder, children before parents: their place is their number.
 */

export const jointCount: i32 = 0;
export const dofCount: i32 = 0;
export const treeCount: i32 = 0;

// tables by joint
/** A `PlacingKind`. */
export const kindOf: usize = 0;
/** Joint of the parent body, -1 for the world. */
export const parentOf: usize = 0;
export const treeOf: usize = 0;
/** First coordinate. */
export const coordinateOf: usize = 0;
/** Place of the first degree of freedom; the next ones stand before it. */
export const placeOf: usize = 0;
export const linearOf: usize = 0;
export const angularOf: usize = 0;
/** 1 for balls, 2 for joints whose axes carry each other. */
export const styleOf: usize = 0;

// tables by degree of freedom
/** First place of the subtree. */
export const subtreeOf: usize = 0;
/** Next place towards the root, -1 at the root. */
export const aboveOf: usize = 0;
/** Entry of row p and column c of the mass matrix is at `baseOf[p] + c`. */
export const baseOf: usize = 0;
export const jointAt: usize = 0;
/** Coordinate of its own, -1 for none. */
export const ownCoordinateOf: usize = 0;
/** 1 where the velocity is given. */
export const isGivenOf: usize = 0;
export const dofTreeOf: usize = 0;

// tables by tree
/** First joint of each tree, then the total. */
export const treeJoint: usize = 0;
/** First place of each tree, then the total. */
export const treePlace: usize = 0;
/** Joint of trees that are one body on a floating or ball joint, -1 for others. */
export const spinnerOf: usize = 0;

// constants of the worlds of a group
/** 20 for each joint, as `TreePlan` has them, then the three axes of joints of several. */
export const jointConstants: usize = 0;
/** Mass, then 00 01 02 11 12 22 of the inertia, by body. */
export const bodyConstants: usize = 0;
/** By degree of freedom, see `DofConstant`. */
export const dofConstants: usize = 0;

// what the step gets
export const gravity: usize = 0;
export let dt: v128 = f64x2.splat(0);
export const coordinates: usize = 0;
export const velocities: usize = 0;
export const bodyForces: usize = 0;
export const forces: usize = 0;
export const feedForward: usize = 0;
export const targets: usize = 0;
export const targetRates: usize = 0;

// kinematics by body
export const position: usize = 0;
export const rotation: usize = 0;
export const matrix: usize = 0;
export const centre: usize = 0;
export const twistRate: usize = 0;
export const acceleration: usize = 0;
export const force: usize = 0;
export const inertia: usize = 0;
export const composite: usize = 0;
/** By joint. */
export const pivot: usize = 0;
export const frame: usize = 0;
/** By tree. */
export const origin: usize = 0;
/** Six for each degree of freedom. */
export const twist: usize = 0;

// free motion by degree of freedom
export const v0: usize = 0;
export const vStar: usize = 0;
export const bias: usize = 0;
export const isFixed: usize = 0;
export const mass: usize = 0;
export const right: usize = 0;
export const still: usize = 0;
/** By tree: lanes that take part in the problem. */
export const isUsed: usize = 0;
/** Lanes that gained energy from nothing. */
export let gained: v128 = f64x2.splat(0);

export function setDt(first: f64, second: f64): void {
	dt = f64x2.replace_lane(f64x2.splat(first), 1, second);
	gained = f64x2.splat(0);
}

export function addGained(mask: v128): void {
	gained = v128.or(gained, mask);
}
