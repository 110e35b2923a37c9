import type { Report } from '@manyworlds/core';
import type { TransformInput, UpAxis } from '@manyworlds/model';
import type { AssetStore } from '@manyworlds/usd';
import type { RootOptions } from '../attach-root.ts';
import type { Ledger } from '../ledger.ts';
import type { MeshColliders } from '../mesh/mesh-colliders.ts';

/**
 * Options of `importUrdf`. Newton's names are the same in snake_case; `jointOrdering: 'file'` is its None. @public
 */
export interface ImportUrdfOptions extends RootOptions {
	/** Pose of the root in the world, or in the body that the robot hangs on. */
	readonly xform?: TransformInput;
	/** Whether `xform` is the pose of the root joint in full, instead of leaving the axes of `baseJoint` unturned. */
	readonly overrideRootXform?: boolean;
	/** Factor for lengths; inertias change by its square, masses stay. */
	readonly scale?: number;
	readonly hideVisuals?: boolean;
	/** Whether `visual` elements become shapes. */
	readonly parseVisuals?: boolean;
	/** Factors for vertices of meshes beside `scale` and those of the file. */
	readonly meshScale?: readonly [number, number, number];
	/** Takes `visual` instead of `collision` for contacts. */
	readonly parseVisualsAsColliders?: boolean;
	/** The axis that points up in the file; the robot is turned to the up axis of the builder. */
	readonly upAxis?: UpAxis;
	/** Shows colliders although there are visuals. */
	readonly forceShowColliders?: boolean;
	/** Whether shapes of the robot may collide with each other. */
	readonly enableSelfCollisions?: boolean;
	/** Takes mass and inertia from the colliders. */
	readonly ignoreInertialDefinitions?: boolean;
	/** Order of joints: depth first, breadth first, or that of the file. */
	readonly jointOrdering?: 'dfs' | 'bfs' | 'file';
	/** Whether bodies have the order of joints; else that of the file. */
	readonly bodiesFollowJointOrdering?: boolean;
	readonly collapseFixedJoints?: boolean;
	/** Merges only the massless chain below a free root. */
	readonly collapseMasslessFixedRoot?: boolean;
	/** Most vertices of convex hulls that solvers make of meshes. */
	readonly meshMaxhullvert?: number;
	/** Gives joints the target mode POSITION_VELOCITY. */
	readonly forcePositionVelocityActuation?: boolean;
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
	/**
	 * Whether folders above the robot that have another name than a ROS package are tried for it. Left out: yes, except with
	 * `newtonCompat`.
	 */
	readonly renamedPackages?: boolean;
	/** Newton 1.6.1 where it differs by choice; `docs/guide/import.md` says where. */
	readonly newtonCompat?: boolean;
	/** Finds meshes and textures; without it there are none. */
	readonly store?: Pick<AssetStore, 'identify' | 'bytes'>;
	/** Name of the file: paths are relative to its folder, diagnostics name it. */
	readonly file?: string;
	/** Collects diagnostics; left out, a new one. */
	readonly report?: Report;
	/** Collects what becomes of attributes; left out, a new one. */
	readonly ledger?: Ledger;
}

/** Values of {@link ImportUrdfOptions} that are used when absent. @public */
export const IMPORT_URDF_DEFAULTS: {
	readonly overrideRootXform: boolean;
	readonly scale: number;
	readonly hideVisuals: boolean;
	readonly parseVisuals: boolean;
	readonly meshScale: readonly [number, number, number];
	readonly parseVisualsAsColliders: boolean;
	readonly upAxis: UpAxis;
	readonly forceShowColliders: boolean;
	readonly enableSelfCollisions: boolean;
	readonly ignoreInertialDefinitions: boolean;
	readonly jointOrdering: 'dfs' | 'bfs' | 'file';
	readonly bodiesFollowJointOrdering: boolean;
	readonly collapseFixedJoints: boolean;
	readonly collapseMasslessFixedRoot: boolean;
	readonly meshMaxhullvert: number;
	readonly forcePositionVelocityActuation: boolean;
	readonly newtonCompat: boolean;
} = {
	overrideRootXform: false,
	scale: 1,
	hideVisuals: false,
	parseVisuals: true,
	meshScale: [1, 1, 1],
	parseVisualsAsColliders: false,
	upAxis: 'z',
	forceShowColliders: false,
	enableSelfCollisions: true,
	ignoreInertialDefinitions: false,
	jointOrdering: 'dfs',
	bodiesFollowJointOrdering: true,
	collapseFixedJoints: false,
	collapseMasslessFixedRoot: false,
	meshMaxhullvert: 64,
	forcePositionVelocityActuation: false,
	newtonCompat: false,
};

/** Options with every default filled in. */
export type ImportUrdfSettings = typeof IMPORT_URDF_DEFAULTS & ImportUrdfOptions;
