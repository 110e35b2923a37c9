/**
 * Where things stand in memory. The host reserves the room, writes the addresses and fills the tables; a table holds integers that
 * all worlds share, an array one vector of lanes for each entry. A joint and the body that it moves have the same number.
 * Degrees of freedom stand in postorder, children before parents: their place is their number.
 */

export let jointCount: i32 = 0;
export let dofCount: i32 = 0;
export let treeCount: i32 = 0;

// tables by joint
/** A `PlacingKind`. */
export let kindOf: usize = 0;
/** Joint of the parent body, -1 for the world. */
export let parentOf: usize = 0;
export let treeOf: usize = 0;
/** First coordinate. */
export let coordinateOf: usize = 0;
/** Place of the first degree of freedom; the next ones stand before it. */
export let placeOf: usize = 0;
export let linearOf: usize = 0;
export let angularOf: usize = 0;
/** 1 for balls, 2 for joints whose axes carry each other. */
export let styleOf: usize = 0;

// tables by degree of freedom
/** First place of the subtree. */
export let subtreeOf: usize = 0;
/** Next place towards the root, -1 at the root. */
export let aboveOf: usize = 0;
/** Entry of row p and column c of the mass matrix is at `baseOf[p] + c`. */
export let baseOf: usize = 0;
export let jointAt: usize = 0;
/** Coordinate of its own, -1 for none. */
export let ownCoordinateOf: usize = 0;
/** 1 where the velocity is given. */
export let isGivenOf: usize = 0;
export let dofTreeOf: usize = 0;

// tables by tree
/** First joint of each tree, then the total. */
export let treeJoint: usize = 0;
/** First place of each tree, then the total. */
export let treePlace: usize = 0;
/** Joint of trees that are one body on a floating or ball joint, -1 for others. */
export let spinnerOf: usize = 0;

// constants of the worlds of a group
/** 20 for each joint, as `TreePlan` has them, then the three axes of joints of several. */
export let jointConstants: usize = 0;
/** Mass, then 00 01 02 11 12 22 of the inertia, by body. */
export let bodyConstants: usize = 0;
/** By degree of freedom, see `DofConstant`. */
export let dofConstants: usize = 0;

// what the step gets
export let gravity: usize = 0;
/** Time step of each lane. */
export let timeSteps: usize = 0;
export let dt: v128 = f64x2.splat(0);
/** Last lane with a world of its own; those behind repeat it. */
export let lastLane: i32 = 0;
export let velocities: usize = 0;
export let bodyForces: usize = 0;
/** Whether a force acts on a body of any lane from outside; adding none changes nothing. */
export let hasBodyForces: bool = false;
export let forces: usize = 0;
export let feedForward: usize = 0;
export let targets: usize = 0;
export let targetRates: usize = 0;

// where bodies are, see `selectPlacement`
export let coordinateCount: i32 = 0;
export let coordinates: usize = 0;
// by body
export let position: usize = 0;
export let rotation: usize = 0;
export let matrix: usize = 0;
export let centre: usize = 0;
/** By joint. */
export let pivot: usize = 0;
export let frame: usize = 0;
/** By tree. */
export let origin: usize = 0;
/** Six for each degree of freedom. */
export let twist: usize = 0;
/** Constants of the joints by which bodies are placed at the coordinates that are there; 0 when they are not. */
export let placedBy: usize = 0;

// motion by body
export let twistRate: usize = 0;
export let acceleration: usize = 0;
export let force: usize = 0;
export let composite: usize = 0;
/** Angular and linear momentum about the origin of the tree, of all that a joint carries. */
export let momentum: usize = 0;

// free motion by degree of freedom
export let v0: usize = 0;
export let vStar: usize = 0;
export let bias: usize = 0;
export let isFixed: usize = 0;
/** `A v0` where nothing is fixed. */
export let startMomentum: usize = 0;
export let mass: usize = 0;
export let right: usize = 0;
/** What forces give in the step: `A (v* − v0)`, but for trees that spin by themselves. */
export let impulse: usize = 0;
export let still: usize = 0;
/** 1 when a tree spins by itself, so that its free motion is not that of its forces. */
export let hasSpinners: i32 = 0;
/** By tree: lanes that take part in the problem. */
export let isUsed: usize = 0;
/** Lanes in which some motion is given or without mass. */
export let hasFixed: v128 = f64x2.splat(0);
/** Lanes that gained energy from nothing. */
export let gained: v128 = f64x2.splat(0);

/**
 * Takes the room in which a group has its coordinates and its bodies: those of the step before are still there, unless groups share
 * it. Gives where it ends.
 */
export function selectPlacement(start: usize): usize {
	placedBy = start;
	coordinates = start + VECTOR;
	position = coordinates + VECTOR * coordinateCount;
	rotation = position + VECTOR * 3 * jointCount;
	matrix = rotation + VECTOR * 4 * jointCount;
	centre = matrix + VECTOR * 9 * jointCount;
	pivot = centre + VECTOR * 3 * jointCount;
	frame = pivot + VECTOR * 3 * jointCount;
	origin = frame + VECTOR * 4 * jointCount;
	twist = origin + VECTOR * 3 * treeCount;
	return twist + VECTOR * 6 * dofCount;
}

/** Bytes of a vector of lanes. */
const VECTOR: usize = 16;

/** Takes the constants and time steps of a group, and its last lane with a world of its own. */
export function selectGroup(joints: usize, bodies: usize, dofs: usize, last: i32): void {
	lastLane = last;
	jointConstants = joints;
	bodyConstants = bodies;
	dofConstants = dofs;
	dt = v128.load(timeSteps);
	gained = f64x2.splat(0);
}

export function setBodyForces(value: bool): void {
	hasBodyForces = value;
}

export function setFixed(lanes: v128): void {
	hasFixed = lanes;
}

export function addGained(mask: v128): void {
	gained = v128.or(gained, mask);
}
