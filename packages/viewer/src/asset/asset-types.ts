import type { Diagnostic } from '@manyworlds/core';
import type { MissingFile } from '../files/folder-files.ts';

/** A variant that is chosen on a stage. */
export interface ChosenVariant {
	readonly prim: string;
	readonly set: string;
	readonly variant: string;
}

/** Purposes that geometry of a stage can have beside the usual one. */
export type PurposeName = 'render' | 'proxy' | 'guide';

/** How a stage is looked at. */
export interface StageChoices {
	readonly variants: readonly ChosenVariant[];
	/** Prims whose payloads are not loaded. */
	readonly unloaded: readonly string[];
	/** Purposes that are drawn. */
	readonly purposes: readonly PurposeName[];
}

/** A stage as its author selects it. */
export const STAGE_CHOICES_DEFAULTS: StageChoices = { variants: [], unloaded: [], purposes: ['render'] };

/** An asset as threads tell each other of it: plain data. */
export interface OpenedAsset {
	readonly name: string;
	/** Path of the file that was opened. */
	readonly entry: string;
	readonly format: string;
	/** What it looks like, as GLB; absent for scenes, whose shapes are drawn. */
	readonly glb?: Uint8Array<ArrayBuffer>;
	/** For each node of the GLB the link that it stands for, -1 for none. */
	readonly linkOfNode?: Int32Array;
	readonly robot?: RobotParts;
	/** Why nothing of it can be simulated. */
	readonly refusal?: string;
	/** Prims of a stage, parents before children. */
	readonly prims: readonly PrimRow[];
	readonly variants: readonly VariantSet[];
	readonly payloads: readonly PayloadRow[];
	/** Purposes that geometry of a stage has. */
	readonly purposes: readonly PurposeName[];
	/** Poses that files name: keyframes, states of SRDF. */
	readonly poses: readonly string[];
	/** What was found while opening. */
	readonly findings: readonly Diagnostic[];
	/** Files that it refers to and that are not there. */
	readonly missing: readonly MissingFile[];
}

/** A first look at an asset: boxes where its parts are, as GLB. */
export interface Outline {
	readonly glb: Uint8Array<ArrayBuffer>;
}

/** Links, joints and shapes of one world, as the simulation has them. */
export interface RobotParts {
	readonly links: readonly LinkRow[];
	readonly joints: readonly JointRow[];
	readonly shapes: readonly ShapeRow[];
	readonly meshes: readonly MeshArrays[];
	/** Where links start: position [m] and rotation x y z w of each. */
	readonly poses: Float32Array;
	/** Joint coordinates at the start [m, rad, quaternion]. */
	readonly coordinates: Float64Array;
	readonly sensors: readonly SensorRow[];
	/** Where drives aim at the start, as the coordinates [m, rad]. */
	readonly targets: Float64Array;
	/** Pairs of links that have colliders and never touch each other, the smaller index first. */
	readonly filtered: readonly (readonly [number, number])[];
	/** States that the file names. */
	readonly keyframes: readonly string[];
	/** Time step of the file [s]. */
	readonly dt: number;
	/** [m/s²]. */
	readonly gravity: readonly number[];
}

export interface LinkRow {
	/** Whole label: the path of a prim, or names joined by `/`. */
	readonly label: string;
	readonly name: string;
	/** [kg]. */
	readonly mass: number;
	/** Centre of mass in the frame of the link [m]. */
	readonly center: readonly [number, number, number];
	/** Box of the same mass and inertia: half extents [m], rotation x y z w against the link; undefined without mass. */
	readonly inertiaBox?: { readonly half: readonly number[]; readonly rotation: readonly number[] };
	/** Index of the joint that holds it, -1 for none. */
	readonly joint: number;
}

/** Something that senses. */
export interface SensorRow {
	readonly name: string;
	readonly kind: 'camera' | 'lidar' | 'other';
	/** -1 for the world. */
	readonly link: number;
	/** In the frame of the link: position [m], rotation x y z w. */
	readonly pose: readonly number[];
	/** Half of what a camera sees at a distance of one. */
	readonly halfWidth?: number;
	readonly halfHeight?: number;
	/** Where beams of a lidar begin and end, about z and up from its plane [rad]; a whole turn and flat unless given. */
	readonly fan?: readonly [number, number];
	readonly tilt?: readonly [number, number];
}

/** What a joint is called in sentences. */
export type JointKind = 'slide' | 'hinge' | 'ball' | 'fixed' | 'free' | 'distance' | 'several';

export interface JointRow {
	readonly label: string;
	readonly name: string;
	readonly kind: JointKind;
	/** Index of a link, -1 for the world. */
	readonly parent: number;
	readonly child: number;
	/** Frame of the joint on the parent: position [m], rotation x y z w. */
	readonly frame: readonly number[];
	readonly freedoms: readonly FreedomRow[];
	/** Whether it closes a loop. */
	readonly isLoop: boolean;
}

/** One way in which a joint moves. */
export interface FreedomRow {
	readonly motion: 'turn' | 'slide';
	readonly axis: readonly [number, number, number];
	/** Place among the coordinates. */
	readonly coordinate: number;
	/** Place among the velocities. */
	readonly dof: number;
	/** [rad, m]; infinite for none. */
	readonly lower: number;
	readonly upper: number;
	/** Whether another joint leads it. */
	readonly isFollower: boolean;
	/** Whether a drive holds it. */
	readonly isDriven: boolean;
}

export type ShapeKind = 'plane' | 'sphere' | 'capsule' | 'ellipsoid' | 'cylinder' | 'box' | 'cone' | 'mesh';

export interface ShapeRow {
	readonly label: string;
	/** -1 for the world. */
	readonly link: number;
	/** Position [m] and rotation x y z w in the frame of the link. */
	readonly pose: readonly number[];
	readonly kind: ShapeKind;
	/** As `shapeScale` of a model: radius, half length; half extents; radii. */
	readonly scale: readonly [number, number, number];
	/** Index of the triangles, scale included, as the solver sees them: the hull of a convex mesh. */
	readonly mesh?: number;
	/** As displayed, 0 to 1. */
	readonly color: readonly [number, number, number];
	readonly opacity: number;
	readonly isVisible: boolean;
	readonly collides: boolean;
}

export interface MeshArrays {
	readonly positions: Float32Array;
	readonly indices: Uint32Array;
}

export interface PrimRow {
	readonly path: string;
	readonly name: string;
	readonly typeName: string;
	readonly depth: number;
	readonly schemas: readonly string[];
	readonly hasChildren: boolean;
}

export interface VariantSet {
	readonly prim: string;
	readonly set: string;
	readonly variants: readonly string[];
	readonly selected: string;
}

/** A prim that brings a payload. */
export interface PayloadRow {
	readonly prim: string;
	readonly isLoaded: boolean;
}

/** Links and joints at a moment that was recorded or comes from a robot. */
export interface RecordedPose {
	readonly poses: Float32Array<ArrayBuffer>;
	readonly coordinates: Float64Array<ArrayBuffer>;
}

export interface RecordedFrame extends RecordedPose {
	/** [s]. */
	readonly time: number;
	/** What lidars see [m]; three numbers each. */
	readonly points: Float32Array<ArrayBuffer>;
}

/** A file that a fix changes or makes. */
export interface ChangedFile {
	readonly path: string;
	readonly before?: Uint8Array;
	readonly after: Uint8Array;
	readonly isText: boolean;
}

/** What a fix would do. */
export interface FixPreview {
	readonly files: readonly ChangedFile[];
	/** Unified differences of the text files. */
	readonly diff: string;
	readonly findings: readonly Diagnostic[];
}

/** A property of a prim with all opinions about it, strongest first. */
export interface PropertyRow {
	readonly name: string;
	readonly typeName: string;
	readonly value: string;
	readonly source: string;
	readonly opinions: readonly OpinionRow[];
	/** Values over time, where they change. */
	readonly samples?: SampledValues;
	/** The value in the text of OpenUSD, where a person may change it, and where the change may be written. */
	readonly edited?: string;
	readonly targets?: readonly EditTarget[];
}

/** Numbers over time codes: one line for each number of the value. */
export interface SampledValues {
	readonly times: readonly number[];
	readonly lines: readonly (readonly number[])[];
}

/** What would be seen after a fix, and where links would be. */
export interface FixedLook {
	readonly glb: Uint8Array<ArrayBuffer>;
	readonly linkOfNode: Int32Array;
	readonly poses: Float32Array;
	readonly links: readonly string[];
}

/** A place for an opinion about a property. */
export interface EditTarget {
	readonly file: string;
	/** Path of the prim in that layer. */
	readonly prim: string;
	/** Whether there is no opinion yet. */
	readonly isNew: boolean;
}

export interface OpinionRow {
	readonly role: string;
	readonly file: string;
	readonly line?: number;
	readonly path: string;
	readonly arc: string;
	readonly value: string;
}
