export { ConvexShape, TRIANGLE } from './collision/convex-shape.ts';
export { type HullGeometry, hullOfMesh, hullOfPoints } from './collision/hull-geometry.ts';
export { ShapeDistance } from './collision/shape-distance.ts';
export { EnvelopeCholesky } from './sap/envelope-cholesky.ts';
export { EnvelopeMatrix } from './sap/envelope-matrix.ts';
export type { LineSearchOptions, LineSearchVariant } from './sap/line-search.ts';
export {
	type ContactParameters,
	contactWeight,
	type DriveGains,
	effectiveGains,
	FRICTION_SIGMA,
	JOINT_BETA,
	nearRigidBound,
	regulariseBilateral,
	regulariseContact,
	regulariseDrive,
	regulariseDryFriction,
	regulariseLimit,
	rowsWeight,
} from './sap/regularise.ts';
export { SAP_NEWTON_DEFAULTS, SapNewton, type SapNewtonOptions, SapStop } from './sap/sap-newton.ts';
export { ContactMode, SapProblem } from './sap/sap-problem.ts';
