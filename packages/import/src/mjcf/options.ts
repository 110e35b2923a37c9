import type { Report } from '@manyworlds/core';
import type { TransformInput, UpAxis } from '@manyworlds/model';
import type { AssetStore } from '@manyworlds/usd';
import type { BaseJoint } from '../attach-root.ts';
import type { MeshColliders } from '../mesh/mesh-colliders.ts';

/** Settings of {@link importMjcf}. Newton's names are the same in snake_case, unless stated. @public */
export interface ImportMjcfOptions {
	/** Placed before the whole model: position [m] and quaternion x y z w. */
	readonly xform?: TransformInput;
	/** Joint of root bodies: true free, false fixed; left out, as the model says, fixed where it says nothing. */
	readonly floating?: boolean;
	/** Joint of root bodies in full; excludes `floating`. */
	readonly baseJoint?: BaseJoint;
	/** Body of the builder that the import hangs on; -1 is the world. It must belong to the articulation made last. */
	readonly parentBody?: number;
	readonly armatureScale?: number;
	/** Multiplies lengths. */
	readonly scale?: number;
	readonly hideVisuals?: boolean;
	/** Whether visual geoms collide, and the colliders are left out. */
	readonly parseVisualsAsColliders?: boolean;
	readonly parseMeshes?: boolean;
	readonly parseSites?: boolean;
	/** Whether visual geoms are loaded; their mass counts either way. */
	readonly parseVisuals?: boolean;
	/** Whether the `option` and `compiler` elements set attributes of the `mujoco` namespace. */
	readonly parseMujocoOptions?: boolean;
	/** Axis that points up in the model; it is turned to that of the builder. */
	readonly upAxis?: UpAxis;
	/** Regular expressions for the beginning of names of geoms and sites that are left out. */
	readonly ignoreNames?: readonly (string | RegExp)[];
	/** The same for classes of bodies, geoms and sites. */
	readonly ignoreClasses?: readonly (string | RegExp)[];
	/** Regular expressions for the beginning of classes of visual geoms. */
	readonly visualClasses?: readonly (string | RegExp)[];
	readonly colliderClasses?: readonly (string | RegExp)[];
	/** Whether geoms of other classes, or none, collide. */
	readonly noClassAsColliders?: boolean;
	readonly forceShowColliders?: boolean;
	readonly enableSelfCollisions?: boolean;
	/** Whether masses come from geoms even where the model has `inertial` elements. */
	readonly ignoreInertialDefinitions?: boolean;
	readonly collapseFixedJoints?: boolean;
	/** Whether fixed joints below a free root without mass are collapsed. */
	readonly collapseMasslessFixedRoot?: boolean;
	readonly skipEqualityConstraints?: boolean;
	/** Whether equality constraints also become loop joints and mimic constraints. */
	readonly convertMjcEqualityConstraints?: boolean;
	readonly convert3dHingeToBallJoints?: boolean;
	/** Most vertices of hulls where a mesh does not say it. */
	readonly meshMaxhullvert?: number;
	/** Whether position and velocity actuators are driven by `mujoco:ctrl` instead of joint targets. */
	readonly ctrlDirect?: boolean;
	/** Whether root bodies are placed at `xform` exactly, without their own pose. */
	readonly overrideRootXform?: boolean;
	/** margin = margin - gap, as MuJoCo before 3.9 had it. */
	readonly legacyMarginGap?: boolean;
	/** Name or index of the keyframe that gives the initial state (not in Newton). */
	readonly keyframe?: string | number;
	/** Whether `gravity` of the `option` element becomes the builder's (not in Newton). Left out: yes, except with `newtonCompat`. */
	readonly importGravity?: boolean;
	/**
	 * Whether bodies that fixed joints hold together with the two of a joint cannot touch each other either, as in MuJoCo (not
	 * in Newton). Left out: yes, except with `newtonCompat`.
	 */
	readonly filterJoinedParts?: boolean;
	/**
	 * What meshes collide as: their convex hull, as in MuJoCo and Drake, or their triangles (not in Newton). Left out: the
	 * hull, except with `newtonCompat`.
	 */
	readonly meshColliders?: MeshColliders;
	/** Newton 1.6.1 where it differs from the specification or from MuJoCo by choice; see the guide for the list. */
	readonly newtonCompat?: boolean;
	/** Finds included files, meshes and heightfields. Without it only what the text itself holds is imported. */
	readonly store?: Pick<AssetStore, 'identify' | 'bytes'>;
	/** Name of the file that the text comes from; includes and assets are relative to it. */
	readonly file?: string;
	/** Told about everything that could not be imported; the result has one of its own without it. */
	readonly report?: Report;
}

/** Options with defaults filled in. */
export type ImportMjcfSettings = ImportMjcfOptions & {
	readonly [K in keyof typeof IMPORT_MJCF_DEFAULTS]-?: (typeof IMPORT_MJCF_DEFAULTS)[K];
};

/** Values of {@link ImportMjcfOptions} that are used when absent. @public */
export const IMPORT_MJCF_DEFAULTS: {
	readonly parentBody: number;
	readonly armatureScale: number;
	readonly scale: number;
	readonly hideVisuals: boolean;
	readonly parseVisualsAsColliders: boolean;
	readonly parseMeshes: boolean;
	readonly parseSites: boolean;
	readonly parseVisuals: boolean;
	readonly parseMujocoOptions: boolean;
	readonly upAxis: UpAxis;
	readonly ignoreNames: readonly (string | RegExp)[];
	readonly ignoreClasses: readonly (string | RegExp)[];
	readonly visualClasses: readonly (string | RegExp)[];
	readonly colliderClasses: readonly (string | RegExp)[];
	readonly noClassAsColliders: boolean;
	readonly forceShowColliders: boolean;
	readonly enableSelfCollisions: boolean;
	readonly ignoreInertialDefinitions: boolean;
	readonly collapseFixedJoints: boolean;
	readonly collapseMasslessFixedRoot: boolean;
	readonly skipEqualityConstraints: boolean;
	readonly convertMjcEqualityConstraints: boolean;
	readonly convert3dHingeToBallJoints: boolean;
	readonly meshMaxhullvert: number;
	readonly ctrlDirect: boolean;
	readonly overrideRootXform: boolean;
	readonly legacyMarginGap: boolean;
	readonly newtonCompat: boolean;
} = {
	parentBody: -1,
	armatureScale: 1,
	scale: 1,
	hideVisuals: false,
	parseVisualsAsColliders: false,
	parseMeshes: true,
	parseSites: true,
	parseVisuals: true,
	parseMujocoOptions: true,
	upAxis: 'z',
	ignoreNames: [],
	ignoreClasses: [],
	visualClasses: ['visual'],
	colliderClasses: ['collision'],
	noClassAsColliders: true,
	forceShowColliders: false,
	enableSelfCollisions: true,
	ignoreInertialDefinitions: false,
	collapseFixedJoints: false,
	collapseMasslessFixedRoot: false,
	skipEqualityConstraints: false,
	convertMjcEqualityConstraints: true,
	convert3dHingeToBallJoints: false,
	meshMaxhullvert: 64,
	ctrlDirect: false,
	overrideRootXform: false,
	legacyMarginGap: false,
	newtonCompat: false,
};
