import type { Path } from '../sdf/path.ts';

// Descriptors as OpenUSD's physics parser gives them: numbers are rounded to float, angles are in degrees, lengths and
// masses in units of the stage, quaternions i, j, k, real. The world is the empty path.

/** What every descriptor has. */
export interface PhysicsDescriptor {
	readonly primPath: Path;
	/** Whether it can be simulated; what is wrong is in the report. */
	readonly isValid: boolean;
}

/** A scene: what bodies fall by. */
export interface PhysicsScene extends PhysicsDescriptor {
	readonly kind: 'Scene';
	/** Of unit length. */
	readonly gravityDirection: Float32Array;
	readonly gravityMagnitude: number;
}

/** A group of colliders that does not collide with other groups. */
export interface PhysicsCollisionGroup extends PhysicsDescriptor {
	readonly kind: 'CollisionGroup';
	readonly filteredGroups: readonly Path[];
	/** Whether the filtered groups are the only ones that it collides with. */
	readonly invertFilteredGroups: boolean;
	readonly mergeGroupName: string;
	/** Every group of the merge name, itself first; empty without a merge name. */
	readonly mergedGroups: readonly Path[];
}

/** A material of rigid bodies. */
export interface PhysicsMaterial extends PhysicsDescriptor {
	readonly kind: 'RigidBodyMaterial';
	readonly staticFriction: number;
	readonly dynamicFriction: number;
	readonly restitution: number;
	readonly density: number;
}

/** The axis along which a shape lies or a joint moves. */
export type PhysicsAxis = 'X' | 'Y' | 'Z';

/** What every collider has. */
export interface PhysicsShapeBase extends PhysicsDescriptor {
	/** The body that it belongs to; empty for what never moves. */
	readonly rigidBody: Path;
	readonly localPos: Float32Array;
	readonly localRot: Float32Array;
	readonly localScale: Float32Array;
	/** Physics materials; those of face subsets come first. */
	readonly materials: readonly Path[];
	readonly simulationOwners: readonly Path[];
	readonly filteredCollisions: readonly Path[];
	readonly collisionGroups: readonly Path[];
	readonly collisionEnabled: boolean;
}

/** A ball. */
export interface PhysicsSphere extends PhysicsShapeBase {
	readonly kind: 'SphereShape';
	readonly radius: number;
}

/** A box; its half sizes may be negative where the transform mirrors. */
export interface PhysicsCube extends PhysicsShapeBase {
	readonly kind: 'CubeShape';
	readonly halfExtents: Float32Array;
}

/** A shape about an axis, from minus to plus half its height; a capsule has caps beyond that. */
export interface PhysicsRoundShape extends PhysicsShapeBase {
	readonly kind: 'CapsuleShape' | 'CylinderShape' | 'ConeShape';
	readonly axis: PhysicsAxis;
	readonly radius: number;
	readonly halfHeight: number;
}

/** A capsule or cylinder with different radii at its ends. */
export interface PhysicsTaperedShape extends PhysicsShapeBase {
	readonly kind: 'Capsule1Shape' | 'Cylinder1Shape';
	readonly axis: PhysicsAxis;
	readonly topRadius: number;
	readonly bottomRadius: number;
	readonly halfHeight: number;
}

/** A mesh, or what stands for it. */
export interface PhysicsMesh extends PhysicsShapeBase {
	readonly kind: 'MeshShape';
	/** `none`, `convexHull`, `convexDecomposition`, `meshSimplification`, `boundingCube`, `boundingSphere`. */
	readonly approximation: string;
	readonly meshScale: Float32Array;
	readonly doubleSided: boolean;
}

/** A plane without end, across its axis. */
export interface PhysicsPlane extends PhysicsShapeBase {
	readonly kind: 'PlaneShape';
	readonly axis: PhysicsAxis;
}

/** A ball at each point of a prim. */
export interface PhysicsSpherePoints extends PhysicsShapeBase {
	readonly kind: 'SpherePointsShape';
	/** x, y, z, radius of each. */
	readonly spheres: Float32Array;
}

/** A shape that the caller knows by itself. */
export interface PhysicsCustomShape extends PhysicsShapeBase {
	readonly kind: 'CustomShape';
	/** The type or API schema that makes it custom. */
	readonly token: string;
}

/** A collider of any shape. */
export type PhysicsShape =
	| PhysicsSphere
	| PhysicsCube
	| PhysicsRoundShape
	| PhysicsTaperedShape
	| PhysicsMesh
	| PhysicsPlane
	| PhysicsSpherePoints
	| PhysicsCustomShape;

/** A rigid body. */
export interface PhysicsRigidBody extends PhysicsDescriptor {
	readonly kind: 'RigidBody';
	readonly collisions: readonly Path[];
	readonly position: Float32Array;
	readonly rotation: Float32Array;
	readonly scale: Float32Array;
	readonly rigidBodyEnabled: boolean;
	readonly kinematicBody: boolean;
	readonly startsAsleep: boolean;
	readonly linearVelocity: Float32Array;
	/** In degrees per second. */
	readonly angularVelocity: Float32Array;
	readonly simulationOwners: readonly Path[];
	readonly filteredCollisions: readonly Path[];
}

/** How far a joint goes: a length or degrees. A lower limit above the upper one locks it. */
export interface PhysicsLimit {
	readonly enabled: boolean;
	readonly lower: number;
	readonly upper: number;
}

/** How far a spherical joint swings, in degrees about its two other axes. */
export interface PhysicsConeLimit {
	readonly enabled: boolean;
	readonly angle0: number;
	readonly angle1: number;
}

/** What moves a joint: a spring and damper towards a target. */
export interface PhysicsDrive {
	readonly enabled: boolean;
	readonly targetPosition: number;
	readonly targetVelocity: number;
	readonly forceLimit: number;
	readonly stiffness: number;
	readonly damping: number;
	readonly acceleration: boolean;
}

/** Ways in which a joint can move. */
export type PhysicsDof = 'distance' | 'transX' | 'transY' | 'transZ' | 'rotX' | 'rotY' | 'rotZ';

/** What every joint has. */
export interface PhysicsJointBase extends PhysicsDescriptor {
	/** What the relationships name. */
	readonly rel0: Path;
	readonly rel1: Path;
	/** The bodies that those belong to; empty for the world. */
	readonly body0: Path;
	readonly body1: Path;
	readonly localPose0Position: Float32Array;
	readonly localPose0Orientation: Float32Array;
	readonly localPose1Position: Float32Array;
	readonly localPose1Orientation: Float32Array;
	readonly jointEnabled: boolean;
	readonly collisionEnabled: boolean;
	readonly breakForce: number;
	readonly breakTorque: number;
	readonly excludeFromArticulation: boolean;
}

/** A joint that does not move, or that the caller knows by itself. */
export interface PhysicsFixedJoint extends PhysicsJointBase {
	readonly kind: 'FixedJoint' | 'CustomJoint';
}

/** A joint that turns about or moves along one axis. */
export interface PhysicsAxisJoint extends PhysicsJointBase {
	readonly kind: 'RevoluteJoint' | 'PrismaticJoint';
	readonly axis: PhysicsAxis;
	readonly limit: PhysicsLimit;
	readonly drive: PhysicsDrive;
}

/** A joint that turns about all axes. */
export interface PhysicsSphericalJoint extends PhysicsJointBase {
	readonly kind: 'SphericalJoint';
	readonly axis: PhysicsAxis;
	readonly limit: PhysicsConeLimit;
}

/** A joint that keeps two points at a distance. */
export interface PhysicsDistanceJoint extends PhysicsJointBase {
	readonly kind: 'DistanceJoint';
	readonly minEnabled: boolean;
	readonly maxEnabled: boolean;
	readonly minDistance: number;
	readonly maxDistance: number;
}

/** A joint that limits and drives each way of moving by itself. */
export interface PhysicsD6Joint extends PhysicsJointBase {
	readonly kind: 'D6Joint';
	readonly limits: ReadonlyMap<PhysicsDof, PhysicsLimit>;
	readonly drives: ReadonlyMap<PhysicsDof, PhysicsDrive>;
}

/** A joint of any kind. */
export type PhysicsJoint =
	| PhysicsFixedJoint
	| PhysicsAxisJoint
	| PhysicsSphericalJoint
	| PhysicsDistanceJoint
	| PhysicsD6Joint;

/** Bodies and joints that hang together. */
export interface PhysicsArticulation extends PhysicsDescriptor {
	readonly kind: 'Articulation';
	/** Bodies, or joints to the world, at which it starts. */
	readonly rootPrims: readonly Path[];
	/** Sorted by path. */
	readonly articulatedJoints: readonly Path[];
	/** Sorted by path; the world is among them when a joint leads there. */
	readonly articulatedBodies: readonly Path[];
	readonly filteredCollisions: readonly Path[];
}
