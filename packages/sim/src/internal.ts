export { CollisionGeometry, type HeightGeometry } from './collision/collision-geometry.ts';
export { ConvexShape } from './collision/convex-shape.ts';
export { type HullGeometry, hullOfPoints } from './collision/hull-geometry.ts';
export { contactDistance } from './collision/overlaps-of.ts';
export { ShapeDistance } from './collision/shape-distance.ts';
export { SAP_TAU_ATTRIBUTE } from './sap/contact-materials.ts';
export { EnvelopeMatrix } from './sap/envelope-matrix.ts';
export type { LineSearchOptions, LineSearchVariant } from './sap/line-search.ts';
export { LoopGaps } from './sap/loop-gaps.ts';
export {
	contactWeight,
	effectiveGains,
	nearRigidBound,
	regulariseBilateral,
	regulariseContact,
	regulariseDrive,
	regulariseDryFriction,
	regulariseLimit,
	rowsWeight,
} from './sap/regularise.ts';
export type { SapNewtonOptions } from './sap/sap-newton.ts';
export { SapNewton, SapStop } from './sap/sap-newton.ts';
export { resolveSapOptions, SAP_ROBOT_OPTIONS } from './sap/sap-options.ts';
export { ContactMode, SapProblem } from './sap/sap-problem.ts';
export { engineBuild } from './wasm/kernels.ts';
export { worldsAtOnce } from './worlds-at-once.ts';
