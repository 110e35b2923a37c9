/** Room of the convex problem of a group; see `layout` for how it is laid out. */

/** Factor of the mass matrix in free motion, and of the Hessian. */
export const factorValues: usize = 0;
export const factorInverse: usize = 0;
export const hessianFirst: usize = 0;
export const hessianBase: usize = 0;

// scalar rows on one degree of freedom each
/** Table of places. */
export const rowPlace: usize = 0;
/** Table: 1 for rows whose work counts. */
export const rowIsDrive: usize = 0;
/** 1 or -1. */
export const rowSign: usize = 0;
export const rowR: usize = 0;
export const rowTarget: usize = 0;
export const rowLower: usize = 0;
export const rowUpper: usize = 0;
/** Lanes that have the row. */
export const rowIsThere: usize = 0;
export const rowVelocity: usize = 0;
export const rowChange: usize = 0;
export const rowImpulse: usize = 0;
/** Lanes whose impulse is not at a bound. */
export const rowIsInside: usize = 0;

// rows of several entries, which the host writes
/** Table of addresses of columns: their number, then the place of each. */
export const extraColumns: usize = 0;
/** Table: first entry of each row among all. */
export const extraStart: usize = 0;
/** Table: 1 for rows whose work counts. */
export const extraIsDrive: usize = 0;
/** Target, R, lower and upper bound, and whether it is there, of each row. */
export const extraInput: usize = 0;
export const extraJacobian: usize = 0;

// contacts
/** Table of addresses of columns: their number, whether they lie on two branches, then place and side of each. */
export const contactColumns: usize = 0;
/** Tables of the bodies, -1 for what does not move. */
export const contactBody0: usize = 0;
export const contactBody1: usize = 0;
/** Table: first column of each contact among all, then the total. */
export const contactStart: usize = 0;
/** What the host writes, see `ContactInput`. */
export const contactInput: usize = 0;
/** Three for each column. */
export const contactJacobian: usize = 0;
export const contactRt: usize = 0;
export const contactRn: usize = 0;
export const contactTarget: usize = 0;
export const contactVelocity: usize = 0;
export const contactChange: usize = 0;
export const contactImpulse: usize = 0;
export const contactHessian: usize = 0;
/** Lanes in which a contact pushes. */
export const contactIsActive: usize = 0;

// by degree of freedom
export const solution: usize = 0;
export const gradient: usize = 0;
export const pull: usize = 0;
export const free: usize = 0;
export const push: usize = 0;
export const scale: usize = 0;
export const direction: usize = 0;
export const best: usize = 0;

/** Results by group: see `Result`. */
export const results: usize = 0;

// settings
export const maxIterations: i32 = 0;
export const optimalityAbsTol: f64 = 0;
export const optimalityRelTol: f64 = 0;
export const costAbsTol: f64 = 0;
export const costRelTol: f64 = 0;
export const diagShift: f64 = 0;
export const softSquare: f64 = 0;
export const lineSearchMaxIterations: i32 = 0;
export const contactNearRigid: f64 = 0;
export const contactSigma: f64 = 0;
export const jointNearRigid: f64 = 0;
export const frictionSigma: f64 = 0;
/** 1 for the inertia of the bodies, 0 for the diagonal of the mass matrix. */
export const weighsBodies: i32 = 0;
export const startsFree: i32 = 0;
export const limitsSpeed: i32 = 0;
export const isMidpoint: i32 = 0;
export const unlimited: f64 = 0;
