import { CONTACT_DEFAULTS, type ContactDefaultsName } from '../contact-defaults.ts';
import type { ShapeMesh } from '../geometry.ts';
import type { TransformInput, UpAxis } from '../geometry-inputs.ts';
import type { JointAxisConfig } from '../joint-axis-config.ts';
import type { ShapeConfig } from '../shape-config.ts';
import type { JointOptions } from './add-joint.ts';
import type { ShapeOptions } from './add-shape.ts';
import type { AttributeAssignments } from './attribute-set.ts';

/** Settings of a builder. @public */
export interface ModelBuilderOptions {
	readonly upAxis?: UpAxis;
	/** [m/s²]; left out, 9.81 against the up axis. */
	readonly gravity?: ArrayLike<number>;
	/** Contact of shapes that say nothing about it, by name; what `rigidGap` and `defaultShapeConfig` give comes before it. */
	readonly contactDefaults?: ContactDefaultsName;
	/** Gap of shapes that give none [m]; left out, that of `contactDefaults`. */
	readonly rigidGap?: number;
	readonly defaultShapeConfig?: Partial<ShapeConfig>;
	readonly defaultJointConfig?: Partial<JointAxisConfig>;
	/** Masses above zero and below this are raised to it [kg]. */
	readonly boundMass?: number;
	/** Principal inertias below this are raised to it [kg·m²]. */
	readonly boundInertia?: number;
	/** Whether inertias that break the triangle inequality are corrected or only reported. */
	readonly balanceInertia?: boolean;
	/** Most contacts per world that solvers should make room for. */
	readonly rigidContactsPerWorld?: number;
}

/** Values of {@link ModelBuilderOptions} that are used when absent. @public */
export const MODEL_BUILDER_DEFAULTS: {
	readonly upAxis: UpAxis;
	readonly contactDefaults: ContactDefaultsName;
	readonly rigidGap: number;
	readonly balanceInertia: boolean;
} = {
	upAxis: 'z',
	contactDefaults: 'newton',
	rigidGap: CONTACT_DEFAULTS.newton.gap,
	balanceInertia: true,
};

/** A body. @public */
export interface BodyOptions {
	/** Pose in the world. */
	readonly xform?: TransformInput;
	/** Mass [kg] that shapes add to. */
	readonly mass?: number;
	/** Centre of mass in the body frame [m]. */
	readonly com?: ArrayLike<number>;
	/** Inertia about the centre of mass in body axes [kg·m²], row by row. */
	readonly inertia?: ArrayLike<number>;
	readonly label?: string;
	/** Shapes do not change the mass, centre of mass and inertia. */
	readonly lockInertia?: boolean;
	/** Moves as prescribed, whatever pushes it. */
	readonly isKinematic?: boolean;
	readonly attributes?: AttributeAssignments;
}

/** A joint with one axis. Settings left out come from the builder's `defaultJointConfig`. @public */
export interface AxisJointOptions extends JointOptions, Partial<JointAxisConfig> {}

/** A ball joint. @public */
export interface BallJointOptions extends JointOptions {
	readonly armature?: number;
	readonly friction?: number;
	readonly damping?: number;
	readonly actuatorMode?: JointAxisConfig['actuatorMode'];
}

/** A distance joint; a negative distance is no limit. @public */
export interface DistanceJointOptions extends JointOptions {
	readonly minDistance?: number;
	readonly maxDistance?: number;
}

/** A joint with chosen axes. @public */
export interface D6JointOptions extends JointOptions {
	readonly linearAxes?: readonly Partial<JointAxisConfig>[];
	readonly angularAxes?: readonly Partial<JointAxisConfig>[];
}

/** A world. @public */
export interface WorldOptions {
	readonly label?: string;
	/** [m/s²]; left out, the builder's, or that of the builder merged into the world. */
	readonly gravity?: ArrayLike<number>;
}

/** How one builder enters another. @public */
export interface AddBuilderOptions {
	readonly xform?: TransformInput;
	/** Goes before every label, joined by `/`. */
	readonly labelPrefix?: string;
}

/** How a builder becomes a world. @public */
export interface AddWorldOptions extends AddBuilderOptions {
	readonly label?: string;
	/** The merged builder's gravity, this builder's, or a vector [m/s²]. */
	readonly gravity?: 'source' | 'inherit' | ArrayLike<number>;
}

/** Copies of one builder, a world each. @public */
export interface ReplicateOptions {
	readonly count: number;
	/** Distance between worlds along each axis [m]: a line for one nonzero axis, a grid for more, centred. */
	readonly spacing?: ArrayLike<number>;
	/** A transform for each world instead of the spacing. */
	readonly xforms?: readonly TransformInput[];
	readonly labelPrefix?: (world: number) => string | undefined;
}

/** A plane: by its equation or by its frame, whose z axis is the normal. @public */
export interface PlaneOptions extends ShapeOptions {
	readonly body?: number;
	/** a, b, c, d of ax + by + cz + d = 0. */
	readonly plane?: ArrayLike<number>;
	/** Extent along x and y [m]; 0 is infinite. */
	readonly width?: number;
	readonly length?: number;
}

/** Shapes that can also be made as sites. @public */
export interface SiteCapableOptions extends ShapeOptions {
	readonly asSite?: boolean;
}

/** A joint that keeps two coordinates in a line: q0 = coef0 + coef1 · q1. @public */
export interface MimicOptions {
	/** The joint that follows. */
	readonly joint0: number;
	/** The joint that leads. */
	readonly joint1: number;
	readonly coef0?: number;
	readonly coef1?: number;
	readonly enabled?: boolean;
	readonly label?: string;
	readonly attributes?: AttributeAssignments;
}

/** An equality constraint. @public */
export interface EqualityOptions {
	readonly type: 'connect' | 'weld' | 'joint';
	readonly body1?: number;
	readonly body2?: number;
	/** Point that is held together: on body 1 for connect, on body 2 for weld [m]. */
	readonly anchor?: ArrayLike<number>;
	readonly torquescale?: number;
	/** Pose of body 2 in body 1 for weld. */
	readonly relpose?: TransformInput;
	readonly joint1?: number;
	readonly joint2?: number;
	/** q1 as a quartic of q2. */
	readonly polycoef?: ArrayLike<number>;
	readonly label?: string;
	readonly enabled?: boolean;
	readonly attributes?: AttributeAssignments;
}

/** A particle. @public */
export interface ParticleOptions {
	readonly position: ArrayLike<number>;
	readonly velocity?: ArrayLike<number>;
	/** [kg]; 0 is kinematic. */
	readonly mass: number;
	readonly radius?: number;
	readonly flags?: number;
	readonly attributes?: AttributeAssignments;
}

/** A spring between two particles. @public */
export interface SpringOptions {
	/** Stiffness [N/m] and damping [N·s/m]. */
	readonly ke?: number;
	readonly kd?: number;
	readonly control?: number;
	readonly attributes?: AttributeAssignments;
}

/** A triangle of cloth. @public */
export interface TriangleOptions {
	/** Stiffness of shape and of area [N/m], damping [N·s/m], drag and lift. */
	readonly ke?: number;
	readonly ka?: number;
	readonly kd?: number;
	readonly drag?: number;
	readonly lift?: number;
	readonly activation?: number;
	readonly attributes?: AttributeAssignments;
}

/** A bending edge of cloth. @public */
export interface EdgeOptions {
	/** Stiffness [N·m/rad] and damping [N·m·s/rad]. */
	readonly ke?: number;
	readonly kd?: number;
	/** [rad]; left out, the present angle. */
	readonly restAngle?: number;
	readonly attributes?: AttributeAssignments;
}

/** A tetrahedron of a soft body. @public */
export interface TetrahedronOptions {
	/** Lamé parameters [Pa] and damping. */
	readonly kMu?: number;
	readonly kLambda?: number;
	readonly kDamp?: number;
	readonly activation?: number;
	readonly attributes?: AttributeAssignments;
}

/** Size of a shape with a round cross-section [m]. @public */
export interface RoundOptions {
	readonly radius?: number;
	readonly halfHeight?: number;
}

/** A shape made of a mesh. @public */
export interface MeshShapeOptions extends ShapeOptions {
	readonly mesh: ShapeMesh;
	readonly scale?: ArrayLike<number>;
}
