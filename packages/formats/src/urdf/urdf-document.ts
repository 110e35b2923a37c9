import type { XmlDocument, XmlElement } from '@manyworlds/core/internal';

/** A URDF file. @public */
export interface UrdfDocument {
	readonly xml: XmlDocument;
	/** Undefined when the file is no URDF, or a xacro template. */
	readonly robot: UrdfRobot | undefined;
}

/** A robot. Lengths in metres, angles in radians, masses in kilograms. @public */
export interface UrdfRobot {
	readonly element: XmlElement;
	readonly name: string | undefined;
	/** In the order of the file, each with a name of its own. */
	readonly links: readonly UrdfLink[];
	/** In the order of the file, each with a name of its own and between links that exist. */
	readonly joints: readonly UrdfJoint[];
	/** Materials that the robot names for its links. */
	readonly materials: readonly UrdfMaterial[];
	/** Elements that URDF does not know or that are not read, the outermost each. */
	readonly others: readonly XmlElement[];
}

/** A link. @public */
export interface UrdfLink {
	readonly element: XmlElement;
	readonly name: string;
	readonly inertial: UrdfInertial | undefined;
	readonly visuals: readonly UrdfGeometryGroup[];
	readonly collisions: readonly UrdfGeometryGroup[];
}

/** Mass and inertia of a link. @public */
export interface UrdfInertial {
	readonly element: XmlElement;
	readonly origin: UrdfPose;
	/** [kg]. */
	readonly mass: number | undefined;
	/** ixx, ixy, ixz, iyy, iyz, izz in the axes of the origin, about it [kg·m²]. */
	readonly inertia: readonly number[] | undefined;
}

/** A position and fixed-axis angles about x, y and z. @public */
export interface UrdfPose {
	readonly element: XmlElement | undefined;
	readonly xyz: readonly [number, number, number];
	readonly rpy: readonly [number, number, number];
}

/** A `visual` or `collision`. @public */
export interface UrdfGeometryGroup {
	readonly element: XmlElement;
	readonly name: string | undefined;
	readonly origin: UrdfPose;
	/** The element around the shapes. */
	readonly geometryElement: XmlElement;
	/** One shape, as a rule. */
	readonly geometries: readonly UrdfGeometry[];
	readonly material: UrdfMaterial | undefined;
}

/** A shape. Cylinders and capsules run along z; the length of a capsule is that of its cylinder. @public */
export type UrdfGeometry =
	| { readonly type: 'box'; readonly element: XmlElement; readonly size: readonly [number, number, number] }
	| { readonly type: 'sphere'; readonly element: XmlElement; readonly radius: number }
	| {
			readonly type: 'cylinder' | 'capsule';
			readonly element: XmlElement;
			readonly radius: number;
			readonly length: number;
	  }
	| {
			readonly type: 'mesh';
			readonly element: XmlElement;
			readonly filename: string;
			readonly scale: readonly [number, number, number];
	  };

/** A colour, a texture, or the name of a material that has them. @public */
export interface UrdfMaterial {
	readonly element: XmlElement;
	readonly name: string | undefined;
	/** Red, green, blue and, when authored, opacity, as authored. */
	readonly rgba: readonly number[] | undefined;
	readonly colorElement: XmlElement | undefined;
	readonly texture: string | undefined;
	readonly textureElement: XmlElement | undefined;
}

/** Types of joints. @public */
export type UrdfJointType = 'revolute' | 'continuous' | 'prismatic' | 'fixed' | 'floating' | 'planar';

/** A joint. @public */
export interface UrdfJoint {
	readonly element: XmlElement;
	readonly name: string;
	readonly type: UrdfJointType;
	/** Name of the link that carries the joint. */
	readonly parent: string;
	/** Name of the link that the joint moves. */
	readonly child: string;
	/** Joint frame in the parent link. */
	readonly origin: UrdfPose;
	/** In the joint frame, as authored. */
	readonly axis: readonly [number, number, number];
	readonly axisElement: XmlElement | undefined;
	readonly limit: UrdfLimit | undefined;
	readonly dynamics: UrdfDynamics | undefined;
	readonly mimic: UrdfMimic | undefined;
}

/** Bounds of a joint; those left out are undefined. @public */
export interface UrdfLimit {
	readonly element: XmlElement;
	/** [rad] or [m]. */
	readonly lower: number | undefined;
	readonly upper: number | undefined;
	/** [N·m] or [N]. */
	readonly effort: number | undefined;
	/** [rad/s] or [m/s]. */
	readonly velocity: number | undefined;
}

/** Passive behaviour of a joint. @public */
export interface UrdfDynamics {
	readonly element: XmlElement;
	/** [N·m·s/rad] or [N·s/m]. */
	readonly damping: number | undefined;
	/** [N·m] or [N]. */
	readonly friction: number | undefined;
}

/** This joint is at `offset + multiplier` times the other one. @public */
export interface UrdfMimic {
	readonly element: XmlElement;
	readonly joint: string;
	readonly multiplier: number;
	readonly offset: number;
}
