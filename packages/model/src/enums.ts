/** Kinds of joints, with Newton's numbers. @public */
export const JointType = {
	PRISMATIC: 0,
	REVOLUTE: 1,
	BALL: 2,
	FIXED: 3,
	FREE: 4,
	DISTANCE: 5,
	D6: 6,
} as const;
/** One of the numbers of {@link JointType}. @public */
export type JointType = (typeof JointType)[keyof typeof JointType];

/** What drives a degree of freedom. @public */
export const JointTargetMode = {
	NONE: 0,
	POSITION: 1,
	VELOCITY: 2,
	POSITION_VELOCITY: 3,
	EFFORT: 4,
} as const;
/** One of the numbers of {@link JointTargetMode}. @public */
export type JointTargetMode = (typeof JointTargetMode)[keyof typeof JointTargetMode];

/** Kinds of shapes, with Newton's numbers. @public */
export const GeoType = {
	NONE: 0,
	PLANE: 1,
	HFIELD: 2,
	SPHERE: 3,
	CAPSULE: 4,
	ELLIPSOID: 5,
	CYLINDER: 6,
	BOX: 7,
	MESH: 8,
	CONE: 9,
	CONVEX_MESH: 10,
} as const;
/** One of the numbers of {@link GeoType}. @public */
export type GeoType = (typeof GeoType)[keyof typeof GeoType];

/** Bits of `shapeFlags`. @public */
export const ShapeFlags = {
	NONE: 0,
	VISIBLE: 1,
	COLLIDE_SHAPES: 2,
	COLLIDE_PARTICLES: 4,
	SITE: 8,
	HYDROELASTIC: 16,
} as const;

/** Bits of `bodyFlags`; a body has exactly one of the first two. @public */
export const BodyFlags = { DYNAMIC: 1, KINEMATIC: 2, ALL: 3 } as const;

/**
 * Bits of `particleFlags`.
 * @example
 * ```ts
 * builder.addParticle({ position: [0, 0, 1], mass: 0.01, flags: ParticleFlags.ACTIVE });
 * ```
 * @public
 */
export const ParticleFlags = { NONE: 0, ACTIVE: 1 } as const;

/** Kinds of equality constraints. @public */
export const EqualityType = { CONNECT: 0, WELD: 1, JOINT: 2 } as const;
/** One of the numbers of {@link EqualityType}. @public */
export type EqualityType = (typeof EqualityType)[keyof typeof EqualityType];

/** What a solver is told to have changed. @public */
export const ModelFlags = {
	NONE: 0,
	JOINT_PROPERTIES: 1,
	JOINT_DOF_PROPERTIES: 2,
	BODY_PROPERTIES: 4,
	BODY_INERTIAL_PROPERTIES: 8,
	SHAPE_PROPERTIES: 16,
	MODEL_PROPERTIES: 32,
	CONSTRAINT_PROPERTIES: 64,
	TENDON_PROPERTIES: 128,
	ACTUATOR_PROPERTIES: 256,
	ALL: 511,
} as const;

/** The name of an enumeration member, for messages. @public */
export function enumName(members: Readonly<Record<string, number>>, value: number): string {
	for (const [name, number] of Object.entries(members)) {
		if (number === value) return name;
	}
	return `${value}`;
}

/** The body index that stands for the world: the parent of root joints, the body of static shapes. @public */
export const WORLD = -1;

/** Limits beyond this are none: infinite limits are stored as this number, so that models can be written as JSON. @public */
export const UNLIMITED = 1e10;
