import type { DiagnosticDetails } from '@manyworlds/core';
import type { MeshMaterial, TriangleMesh } from '@manyworlds/mesh';

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
	/** Where it was written. */
	readonly from: DiagnosticDetails;
}

/** A named frame on a body, -1 for the world. @public */
export interface ConversionFrame {
	readonly name: string;
	readonly body: number;
	readonly pose: Float64Array;
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
	/** Where it was written. */
	readonly from: DiagnosticDetails;
}

/** How a surface rubs and bounces. @public */
export interface ContactMaterial {
	readonly staticFriction: number;
	readonly dynamicFriction: number;
	readonly restitution: number;
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
