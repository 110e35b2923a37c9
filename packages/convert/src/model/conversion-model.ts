import type { DiagnosticDetails } from '@manyworlds/core';
import type { SdfNoise } from '@manyworlds/formats';
import type { MeshMaterial, TriangleMesh } from '@manyworlds/mesh';
import type { ItemKind } from './conversion-ledger.ts';
import type { LossCode } from './loss-codes.ts';

/**
 * A robot between two formats: SI units, Z up, double precision. Links that a fixed joint holds stay links, frames stay
 * frames, and every part knows where it was written. Unlike a simulation model nothing is merged, renamed or dropped.
 *
 * Poses are seven numbers, x y z and the quaternion x y z w.
 * @public
 */
export interface ConversionModel {
	/** Name of the robot. */
	readonly name: string;
	readonly format: SourceFormat;
	readonly bodies: readonly ConversionBody[];
	/** Joints of the trees, parents before children. */
	readonly joints: readonly ConversionJoint[];
	/** Joints that close loops. */
	readonly loops: readonly ConversionJoint[];
	readonly mimics: readonly ConversionMimic[];
	readonly frames: readonly ConversionFrame[];
	readonly shapes: readonly ConversionShape[];
	readonly meshes: readonly ConversionMesh[];
	readonly materials: readonly ConversionMaterial[];
	/** Pairs of bodies that do not collide. */
	readonly filters: readonly (readonly [number, number])[];
	readonly lights: readonly ConversionLight[];
	readonly cameras: readonly ConversionCamera[];
	/** What measures something, other than cameras. */
	readonly sensors: readonly ConversionSensor[];
	/** What the robot offers to ROS, and controllers. */
	readonly interfaces: readonly ConversionInterface[];
	/** What `ros2_control` blocks say of joints; undefined without such a block. */
	readonly hardware?: readonly ConversionHardware[];
	/** Items of the source that this model has no part for: each is lost unless a writer knows its kind. */
	readonly others: readonly ConversionOther[];
	/** Whether parts of the robot collide with each other; undefined when the source says nothing. */
	readonly selfCollides?: boolean;
}

/** Formats that robots are read from. @public */
export type SourceFormat = 'usd' | 'urdf' | 'mjcf' | 'sdf';

/** A part that moves as one, or a link without mass. @public */
export interface ConversionBody {
	readonly name: string;
	/** Mass, centre and inertia; undefined for links without any. */
	readonly inertia: BodyInertia | undefined;
	/** In the world, at the start. */
	readonly pose: Float64Array;
	/** Whether no body of the source stands for it: it only stands between joints of one body, which are at different points. */
	readonly isInserted?: boolean;
	/** Whether the source leaves its mass to the volume of its shapes. */
	readonly isMassDerived?: boolean;
	/** Whether it never moves, whatever it weighs; a fixed joint holds it to the world too. */
	readonly isStatic?: boolean;
	/** Where it was written. */
	readonly from: DiagnosticDetails;
}

/** Mass of a body. @public */
export interface BodyInertia {
	/** [kg]. */
	readonly mass: number;
	/** Centre of mass in the frame of the body [m]. */
	readonly center: readonly [number, number, number];
	/** About the centre of mass, along the axes of the body: xx yy zz xy xz yz [kg m²]. */
	readonly tensor: readonly [number, number, number, number, number, number];
}

/** How a joint moves. @public */
export type JointKind = 'fixed' | 'revolute' | 'prismatic' | 'spherical' | 'floating' | 'planar' | 'compound';

/** A joint from a parent, -1 for the world, to a child. The child stands at `parentFrame · motion · childFrame⁻¹`. @public */
export interface ConversionJoint {
	readonly name: string;
	readonly kind: JointKind;
	readonly parent: number;
	readonly child: number;
	/** In the frame of the parent. */
	readonly parentFrame: Float64Array;
	/** In the frame of the child. */
	readonly childFrame: Float64Array;
	/** One for each way to move, in the order in which they act; none for fixed, spherical and floating joints. */
	readonly freedoms: readonly JointFreedom[];
	/** How far a spherical joint swings [rad]; undefined for all the way. */
	readonly cone?: number;
	/** Where it was written. */
	readonly from: DiagnosticDetails;
}

/** One way in which a joint moves. Angles in radians, lengths in metres. @public */
export interface JointFreedom {
	readonly motion: 'turn' | 'slide';
	/** What the source calls it, where a joint has several that it calls joints. */
	readonly name?: string;
	/** Of unit length, in the frame of the joint. */
	readonly axis: readonly [number, number, number];
	/** -Infinity and Infinity for none. */
	readonly lower: number;
	readonly upper: number;
	/** Most force or torque; undefined when the source says nothing. */
	readonly effort?: number;
	/** Most speed. */
	readonly velocity?: number;
	readonly damping?: number;
	/** Dry friction [N, N m]. */
	readonly friction?: number;
	readonly armature?: number;
	readonly drive?: JointDrive;
	/** Where it starts. */
	readonly start: number;
}

/** A spring and damper towards a target. @public */
export interface JointDrive {
	readonly stiffness: number;
	readonly damping: number;
	readonly position: number;
	readonly velocity: number;
}

/** A joint that follows another: `q = multiplier · q' + offset`. @public */
export interface ConversionMimic {
	/** Index of a joint. */
	readonly follower: number;
	readonly leader: number;
	readonly multiplier: number;
	readonly offset: number;
	/** Terms of the second power and above, where it does not follow in proportion. */
	readonly curve?: readonly number[];
	/** Where it was written. */
	readonly from: DiagnosticDetails;
}

/** A named frame on a body, -1 for the world. @public */
export interface ConversionFrame {
	readonly name: string;
	readonly body: number;
	readonly pose: Float64Array;
	/** Whether no frame of the source stands for it: a link was there. */
	readonly isInserted?: boolean;
	/** Where it was written. */
	readonly from: DiagnosticDetails;
}

/** What a shape is for. @public */
export type ShapeRole = 'visual' | 'collision';

/** Something to see or to touch. @public */
export interface ConversionShape {
	/** '' when the source has none. */
	readonly name: string;
	readonly role: ShapeRole;
	/** -1 for the world. */
	readonly body: number;
	readonly pose: Float64Array;
	readonly geometry: ConversionGeometry;
	/** Index of a material; undefined for that of the mesh, or none. */
	readonly material?: number;
	/** What stands for a mesh that collides. */
	readonly approximation?: 'none' | 'convexHull' | 'convexDecomposition';
	readonly contact?: ContactMaterial;
	/** Whether it is a round shape that is stretched unequally, for which a mesh stands. */
	readonly isStretched?: boolean;
	/** Bits of what it is, and of what it touches: two shapes touch when the bits of either meet those of the other. */
	readonly masks?: readonly [number, number];
	/** Where it was written. */
	readonly from: DiagnosticDetails;
}

/** How a surface rubs and bounces. @public */
export interface ContactMaterial {
	readonly staticFriction: number;
	readonly dynamicFriction: number;
	readonly restitution: number;
	/** Friction against turning on the spot, and against rolling [m]. */
	readonly torsionalFriction?: number;
	readonly rollingFriction?: number;
}

/** The shape of a shape: lengths in metres, round ones about z. @public */
export type ConversionGeometry =
	| { readonly kind: 'box'; readonly size: readonly [number, number, number] }
	| { readonly kind: 'sphere'; readonly radius: number }
	| { readonly kind: 'ellipsoid'; readonly radii: readonly [number, number, number] }
	/** A capsule has its caps beyond the length. */
	| { readonly kind: 'cylinder' | 'capsule' | 'cone'; readonly radius: number; readonly length: number }
	| { readonly kind: 'plane'; readonly size: readonly [number, number] | undefined }
	| { readonly kind: 'mesh'; readonly mesh: number; readonly scale: readonly [number, number, number] };

/** A mesh that shapes use, each once. @public */
export interface ConversionMesh {
	readonly name: string;
	readonly mesh: TriangleMesh;
	/** Materials that the groups of the mesh name. */
	readonly materials: ReadonlyMap<string, MeshMaterial>;
	/** Identifier of the file that it was read from. */
	readonly file?: string;
}

/** How a surface looks: colours are linear. @public */
export interface ConversionMaterial {
	readonly name: string;
	readonly color: readonly [number, number, number];
	readonly opacity: number;
	readonly metallic: number;
	readonly roughness: number;
	/** Identifier of an image of the colour. */
	readonly texture?: string;
	/** Where it was written. */
	readonly from: DiagnosticDetails;
}

/** A light. It shines along -z of its pose. @public */
export interface ConversionLight {
	readonly name: string;
	/** -1 for the world. */
	readonly body: number;
	readonly pose: Float64Array;
	/** `area` and `dome` have a shape, which formats of robots do not have. */
	readonly kind: 'point' | 'spot' | 'directional' | 'area' | 'dome';
	/** Linear red, green, blue of 0 to 1. */
	readonly color: readonly [number, number, number];
	/** Candela; lux for directional lights. */
	readonly intensity: number;
	/** Half angles of the cone of a spot [rad]: full light inside of the first, none outside of the second. */
	readonly cone?: { readonly inner: number; readonly outer: number };
	/** How far it reaches [m]; undefined when it has no end. */
	readonly range?: number;
	readonly castsShadows?: boolean;
	/** Where it was written. */
	readonly from: DiagnosticDetails;
}

/** A camera. It looks along -z of its pose with y up. @public */
export interface ConversionCamera {
	readonly name: string;
	/** -1 for the world. */
	readonly body: number;
	readonly pose: Float64Array;
	readonly projection: 'perspective' | 'orthographic';
	/** What it sees from bottom to top: an angle [rad], or a length [m] of an orthographic one. */
	readonly vertical: number;
	/** Width by height. */
	readonly aspect: number;
	/** Nearest and farthest distance that it sees [m]. */
	readonly near: number;
	readonly far: number;
	/** Width and height of its image in pixels. */
	readonly resolution?: readonly [number, number];
	/** Images each second. */
	readonly rate?: number;
	/** What it measures, where that is more than colours. */
	readonly measures?: 'color' | 'depth' | 'color-depth' | 'thermal' | 'segmentation';
	/** Name of the optical frame that images are stamped with. */
	readonly opticalFrame?: string;
	/** Whether parts of it are said in a way that this model does not have, such as an image off its axis. */
	readonly isOffCentre?: boolean;
	/** Where it was written. */
	readonly from: DiagnosticDetails;
}

/** What a sensor measures. @public */
export type SensorKind =
	| 'imu'
	| 'accelerometer'
	| 'gyro'
	| 'lidar'
	| 'contact'
	| 'wrench'
	| 'altimeter'
	| 'magnetometer'
	| 'navsat';

/** What measures something at a place of a body. @public */
export interface ConversionSensor {
	readonly name: string;
	readonly kind: SensorKind;
	/** -1 for the world. */
	readonly body: number;
	readonly pose: Float64Array;
	/** Index of the joint that a wrench is measured at. */
	readonly joint?: number;
	/** Index of the shape whose contacts are measured; undefined for all of the body. */
	readonly shape?: number;
	/** Measurements each second. */
	readonly rate?: number;
	readonly beams?: SensorBeams;
	/** Standard deviations of its noise. */
	readonly noise?: SdfNoise;
	/** Names of the topic that it publishes to, and of the frame of its messages, where the source gives them. */
	readonly topic?: string;
	readonly frame?: string;
	/** Where it was written. */
	readonly from: DiagnosticDetails;
}

/** Directions and reach of a lidar, about x of its pose: angles in radians, lengths in metres. @public */
export interface SensorBeams {
	readonly horizontal: BeamFan;
	readonly vertical?: BeamFan;
	readonly near: number;
	readonly far: number;
	readonly resolution?: number;
}

/** Beams side by side. @public */
export interface BeamFan {
	readonly samples: number;
	readonly lower: number;
	readonly upper: number;
}

/** What can be commanded and read of a joint, as `ros2_control` has it. @public */
export interface ConversionHardware {
	/** Name of the joint. */
	readonly joint: string;
	/** Names such as `position`, `velocity` and `effort`. */
	readonly commands: readonly string[];
	readonly states: readonly string[];
	/** Where it was written. */
	readonly from: DiagnosticDetails;
}

/** A topic, service, action or controller of a robot. @public */
export interface ConversionInterface {
	readonly kind: 'topic' | 'service' | 'action' | 'controller';
	/** The name that ROS sees, with all namespaces. */
	readonly name: string;
	/** Type, such as `sensor_msgs/msg/Imu`; the schema for controllers. */
	readonly type: string;
	/** `publisher`, `subscription`, `server`, `client`; '' when the source says nothing. */
	readonly role: string;
	/** Messages each second. */
	readonly rate?: number;
	readonly qos?: InterfaceQos;
	/** Name of the frame that messages are stamped with. */
	readonly frame?: string;
	/** Index of the body that it belongs to, -1 for the robot as a whole. */
	readonly body: number;
	readonly startsEnabled: boolean;
	/** Domain of ROS; undefined for that of the simulator. */
	readonly domain?: number;
	/** What else a controller says, by name. */
	readonly values?: Readonly<Record<string, string>>;
	/** Where it was written. */
	readonly from: DiagnosticDetails;
}

/** Quality of service of a topic, in the words of REP 0158 section 2.4. @public */
export interface InterfaceQos {
	readonly reliability: string;
	readonly durability: string;
	readonly history: string;
	readonly depth: number;
	readonly matchPublisher: boolean;
}

/** An item of a source that no part of the model stands for. @public */
export interface ConversionOther {
	readonly kind: ItemKind;
	readonly name: string;
	/** Why it is lost where it is lost. */
	readonly code: LossCode;
	/** What it is, in a few words. */
	readonly what: string;
	/** What of it is in every target; undefined for what is lost as a whole. */
	readonly kept?: string;
	/** Where it was written. */
	readonly from: DiagnosticDetails;
}
