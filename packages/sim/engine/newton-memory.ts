/** Room of the convex problem of a group; see `layout` for how it is laid out. */

/** Factor of the mass matrix in free motion, and of the Hessian. */
export let factorValues: usize = 0;
export let factorInverse: usize = 0;
export let hessianFirst: usize = 0;
export let hessianBase: usize = 0;

// scalar rows on one degree of freedom each
/** Table of places. */
export let rowPlace: usize = 0;
/** Table: 1 for rows whose work counts. */
export let rowIsDrive: usize = 0;
/** 1 or -1. */
export let rowSign: usize = 0;
export let rowR: usize = 0;
export let rowTarget: usize = 0;
export let rowLower: usize = 0;
export let rowUpper: usize = 0;
/** Lanes that have the row. */
export let rowIsThere: usize = 0;
/** Of rows of several entries: velocities at the solution and along the direction. */
export let rowVelocity: usize = 0;
export let rowChange: usize = 0;
/** 1 over R; 0 in lanes without the row. */
export let rowStiffness: usize = 0;
/** The same where the impulse is not at a bound, 0 elsewhere. */
export let rowHessian: usize = 0;

// rows of several entries, which the host writes
/** Table of addresses of columns: their number, then the place of each. */
export let extraColumns: usize = 0;
/** Table: first entry of each row among all. */
export let extraStart: usize = 0;
/** Table: 1 for rows whose work counts. */
export let extraIsDrive: usize = 0;
/** Target, R, lower and upper bound, and whether it is there, of each row. */
export let extraInput: usize = 0;
export let extraJacobian: usize = 0;

// contacts
/** Table of addresses of columns: their number, whether they lie on two branches, then place and side of each. */
export let contactColumns: usize = 0;
/** Tables of the bodies, -1 for what does not move. */
export let contactBody0: usize = 0;
export let contactBody1: usize = 0;
/** Table: first column of each contact among all, then the total. */
export let contactStart: usize = 0;
/** Table: by contact, the addresses of the records of all lanes, see `records.ts`. */
export let contactRecords: usize = 0;
/** What becomes of them; see `contacts.ts`. */
export let contactInput: usize = 0;
/** Points of contacts from the centre of mass of body 0. */
export let contactArm: usize = 0;
/** Three for each column. */
export let contactJacobian: usize = 0;
export let contactRt: usize = 0;
export let contactRn: usize = 0;
export let contactTarget: usize = 0;
export let contactVelocity: usize = 0;
export let contactChange: usize = 0;
export let contactImpulse: usize = 0;
export let contactHessian: usize = 0;
/** How contacts slide: five for each, see `cone.ts`. */
export let contactSlip: usize = 0;
/** Lanes in which a contact pushes. */
export let contactIsActive: usize = 0;

// line search
/** Tables of the constraints that are evaluated, and the lanes in which they are. */
export let lineContacts: usize = 0;
export let lineRows: usize = 0;
export let contactIsOpen: usize = 0;
export let rowIsOpen: usize = 0;

// by degree of freedom
export let solution: usize = 0;
export let gradient: usize = 0;
export let pull: usize = 0;
export let free: usize = 0;
export let push: usize = 0;
export let scale: usize = 0;
export let direction: usize = 0;
export let best: usize = 0;
/** Velocities beyond which a limit acts that has no row, since it cannot be reached at the speed of the start. */
export let wakeLow: usize = 0;
export let wakeHigh: usize = 0;

/** Results by group: see `Result`. */
export let results: usize = 0;

// settings
export let maxIterations: i32 = 0;
export let optimalityAbsTol: f64 = 0;
export let optimalityRelTol: f64 = 0;
export let costAbsTol: f64 = 0;
export let costRelTol: f64 = 0;
export let diagShift: f64 = 0;
export let softSquare: f64 = 0;
export let lineSearchMaxIterations: i32 = 0;
/** 1 where friction has a direction of its own in the Hessian. */
export let foreseesFriction: i32 = 0;
export let contactNearRigid: f64 = 0;
export let contactSigma: f64 = 0;
export let jointNearRigid: f64 = 0;
export let frictionSigma: f64 = 0;
/** 1 for the inertia of the bodies, 0 for the diagonal of the mass matrix. */
export let weighsBodies: i32 = 0;
export let startsFree: i32 = 0;
/** 1 where every world needs its free motion. */
export let knowsAll: i32 = 0;
export let limitsSpeed: i32 = 0;
export let isMidpoint: i32 = 0;
export let unlimited: f64 = 0;
