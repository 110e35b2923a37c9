import type { XmlDocument, XmlElement } from '@manyworlds/core/internal';

/** An SDF file with what it includes. @public */
export interface SdfDocument {
	readonly xml: XmlDocument;
	/** Such as `1.9`; '' when the file is no SDF. */
	readonly version: string;
	readonly worlds: readonly SdfWorld[];
	/** Models beside worlds: one in a file that describes a robot. */
	readonly models: readonly SdfModel[];
	/** Lights beside worlds. */
	readonly lights: readonly SdfLight[];
	/** Names of all files, the main one first. */
	readonly files: readonly string[];
}

/** A world. @public */
export interface SdfWorld {
	readonly element: XmlElement;
	readonly name: string;
	readonly models: readonly SdfModel[];
	readonly frames: readonly SdfFrame[];
	readonly joints: readonly SdfJoint[];
	readonly lights: readonly SdfLight[];
	/** Plugins, actors and other things that are no part of a robot. */
	readonly others: readonly XmlElement[];
}

/** A model, written in place or included. @public */
export interface SdfModel {
	readonly element: XmlElement;
	readonly name: string;
	readonly pose: SdfPose;
	/** Name of the frame that the pose places; undefined for the model itself. */
	readonly placementFrame: string | undefined;
	readonly isStatic: boolean;
	/** Whether links of it collide with each other; undefined when it says nothing. */
	readonly selfCollide: boolean | undefined;
	/** Name of the link that it is attached to; undefined for the first one. */
	readonly canonicalLink: string | undefined;
	readonly links: readonly SdfLink[];
	readonly joints: readonly SdfJoint[];
	readonly frames: readonly SdfFrame[];
	readonly models: readonly SdfModel[];
	/** Plugins and other things that are no part of a robot. */
	readonly others: readonly XmlElement[];
}

/** A pose as written: position and the quaternion x y z w, in a frame by name. @public */
export interface SdfPose {
	readonly element: XmlElement | undefined;
	readonly values: Float64Array;
	/** Name of the frame; '' for the usual one. */
	readonly relativeTo: string;
}

/** A link. @public */
export interface SdfLink {
	readonly element: XmlElement;
	readonly name: string;
	readonly pose: SdfPose;
	/** Undefined when there is none: SDF takes 1 kg and an inertia of 1 kg m² about each axis. */
	readonly inertial: SdfInertial | undefined;
	readonly visuals: readonly SdfShape[];
	readonly collisions: readonly SdfShape[];
	readonly lights: readonly SdfLight[];
	readonly sensors: readonly SdfSensor[];
	/** Plugins and other things that are no part of a robot. */
	readonly others: readonly XmlElement[];
}

/** Mass of a link. @public */
export interface SdfInertial {
	readonly element: XmlElement;
	/** Whether masses come from the volumes of the collisions. */
	readonly isAuto: boolean;
	/** [kg/m³], of what gives none itself. */
	readonly density: number | undefined;
	readonly pose: SdfPose;
	/** [kg]. */
	readonly mass: number;
	/** About the centre of mass, along the axes of the pose: xx yy zz xy xz yz [kg m²]. */
	readonly inertia: readonly [number, number, number, number, number, number];
}

/** A visual or a collision. @public */
export interface SdfShape {
	readonly element: XmlElement;
	readonly name: string;
	readonly pose: SdfPose;
	readonly geometry: SdfGeometry;
	readonly material: SdfMaterial | undefined;
	readonly surface: SdfSurface | undefined;
	/** [kg/m³], for masses that come from volumes. */
	readonly density: number | undefined;
	/** From 0 to 1. */
	readonly transparency: number;
}

/** The shape of a shape: lengths in metres, round ones about z. @public */
export type SdfGeometry =
	| { readonly type: 'box'; readonly element: XmlElement; readonly size: readonly [number, number, number] }
	| { readonly type: 'sphere'; readonly element: XmlElement; readonly radius: number }
	| { readonly type: 'ellipsoid'; readonly element: XmlElement; readonly radii: readonly [number, number, number] }
	| {
			readonly type: 'cylinder' | 'capsule' | 'cone';
			readonly element: XmlElement;
			readonly radius: number;
			readonly length: number;
	  }
	| {
			readonly type: 'plane';
			readonly element: XmlElement;
			readonly normal: readonly [number, number, number];
			readonly size: readonly [number, number];
	  }
	| {
			readonly type: 'mesh';
			readonly element: XmlElement;
			readonly uri: string;
			readonly scale: readonly [number, number, number];
			/** Name of the part of the file that is meant, and whether it is moved to the origin. */
			readonly submesh: { readonly name: string; readonly isCentred: boolean } | undefined;
			readonly optimization: string | undefined;
	  }
	| {
			readonly type: 'polyline';
			readonly element: XmlElement;
			/** Outlines of x y pairs. */
			readonly outlines: readonly (readonly number[])[];
			readonly height: number;
	  };

/** How a visual looks; colours as screens show them. @public */
export interface SdfMaterial {
	readonly element: XmlElement;
	readonly diffuse: readonly [number, number, number, number] | undefined;
	readonly metalness: number | undefined;
	readonly roughness: number | undefined;
	/** Address of an image of the colour. */
	readonly albedoMap: string | undefined;
	readonly albedoElement: XmlElement | undefined;
	/** A script of materials, which other programs read. */
	readonly script: XmlElement | undefined;
}

/** How a collision rubs and bounces. @public */
export interface SdfSurface {
	readonly mu: number | undefined;
	readonly mu2: number | undefined;
	readonly torsional: number | undefined;
	readonly restitution: number | undefined;
	readonly collideBitmask: number | undefined;
}

/** Types of joints. @public */
export type SdfJointType = (typeof SDF_JOINT_TYPES)[number];

/** Every type of joint of SDF. @public */
export const SDF_JOINT_TYPES = [
	'revolute',
	'continuous',
	'prismatic',
	'fixed',
	'ball',
	'universal',
	'revolute2',
	'screw',
	'gearbox',
] as const;

/** A joint. @public */
export interface SdfJoint {
	readonly element: XmlElement;
	readonly name: string;
	readonly type: SdfJointType;
	/** Name of a frame, or `world`. */
	readonly parent: string;
	readonly child: string;
	readonly pose: SdfPose;
	/** One, two for universal and revolute2 joints, none for fixed and ball joints. */
	readonly axes: readonly SdfAxis[];
	/** [m] for each turn of a screw joint. */
	readonly threadPitch: number | undefined;
	readonly gearboxRatio: number | undefined;
	readonly sensors: readonly SdfSensor[];
}

/** One way in which a joint moves. Angles in radians, lengths in metres. @public */
export interface SdfAxis {
	readonly element: XmlElement;
	/** Of unit length. */
	readonly xyz: readonly [number, number, number];
	/** Name of the frame that the axis is given in; '' for that of the joint. */
	readonly expressedIn: string;
	/** -Infinity and Infinity for none. */
	readonly lower: number;
	readonly upper: number;
	/** Undefined when there is no limit. */
	readonly effort: number | undefined;
	readonly velocity: number | undefined;
	readonly damping: number | undefined;
	readonly friction: number | undefined;
	readonly springStiffness: number;
	readonly springReference: number;
	readonly initialPosition: number | undefined;
	readonly mimic: SdfMimic | undefined;
}

/** This joint is at `multiplier · (q' - reference) + offset`. @public */
export interface SdfMimic {
	readonly element: XmlElement;
	readonly joint: string;
	/** Which axis of that joint: `axis` or `axis2`. */
	readonly axis: string;
	readonly multiplier: number;
	readonly offset: number;
	readonly reference: number;
}

/** A frame. @public */
export interface SdfFrame {
	readonly element: XmlElement;
	readonly name: string;
	/** Name of a frame; '' for that of the model. */
	readonly attachedTo: string;
	readonly pose: SdfPose;
}

/** A light. @public */
export interface SdfLight {
	readonly element: XmlElement;
	readonly name: string;
	readonly type: 'point' | 'directional' | 'spot';
	readonly pose: SdfPose;
	/** As screens show it. */
	readonly diffuse: readonly [number, number, number];
	readonly intensity: number;
	readonly direction: readonly [number, number, number];
	readonly castShadows: boolean;
	/** [m]. */
	readonly range: number | undefined;
	/** Whole angles of the cones of a spot [rad]. */
	readonly innerAngle: number;
	readonly outerAngle: number;
}

/** What measures something. @public */
export interface SdfSensor {
	readonly element: XmlElement;
	readonly name: string;
	/** As written, such as `camera` or `gpu_lidar`. */
	readonly type: string;
	readonly pose: SdfPose;
	/** [Hz]; undefined for every step. */
	readonly updateRate: number | undefined;
	readonly camera: SdfCamera | undefined;
	readonly lidar: SdfLidar | undefined;
	/** Names of collisions that a contact sensor watches. */
	readonly collisions: readonly string[];
	/** Where a wrench is given: `child`, `parent` or `sensor`. */
	readonly wrenchFrame: string | undefined;
	/** Name of the topic that it publishes to. */
	readonly topic: string | undefined;
	/** Standard deviations of its noise. */
	readonly noise: SdfNoise;
	/** Plugins of the sensor. */
	readonly others: readonly XmlElement[];
}

/** Standard deviations of Gaussian noise; along x, y and z where there are three. @public */
export interface SdfNoise {
	/** [m] */
	readonly range?: number;
	/** [rad/s] */
	readonly angularVelocity?: readonly [number, number, number];
	/** [m/s²] */
	readonly linearAcceleration?: readonly [number, number, number];
	/** [N] */
	readonly force?: readonly [number, number, number];
	/** [N·m] */
	readonly torque?: readonly [number, number, number];
}

/** What a camera sees; it looks along x with z up. @public */
export interface SdfCamera {
	readonly element: XmlElement;
	readonly pose: SdfPose;
	/** [rad]. */
	readonly horizontalFov: number;
	readonly width: number;
	readonly height: number;
	/** [m]. */
	readonly near: number;
	readonly far: number;
	readonly opticalFrameId: string | undefined;
}

/** Beams of a lidar. @public */
export interface SdfLidar {
	readonly element: XmlElement;
	readonly horizontal: SdfScan;
	readonly vertical: SdfScan | undefined;
	/** [m]. */
	readonly near: number;
	readonly far: number;
	readonly resolution: number | undefined;
}

/** Beams side by side [rad]. @public */
export interface SdfScan {
	readonly samples: number;
	readonly minAngle: number;
	readonly maxAngle: number;
}
