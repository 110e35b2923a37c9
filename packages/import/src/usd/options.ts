import type { Report } from '@manyworlds/core';
import type { TransformInput } from '@manyworlds/model';
import type { SourcePlaces } from '@manyworlds/usd/internal';
import type { BaseJoint } from '../attach-root.ts';
import { SCHEMA_RESOLVER_NEWTON } from './resolvers/newton-resolver.ts';
import type { SchemaResolver } from './resolvers/schema-resolver.ts';

/**
 * Faults of Newton 1.6.1 that an import can repeat, so that results can be compared number by number. Never of use
 * otherwise.
 *
 * | name | what Newton does |
 * | --- | --- |
 * | collision-groups | numbers authored groups, so that they do not collide with each other |
 * | joint-velocity | keeps initial angular velocities in degrees per second |
 * | drive-scaling | divides gains of angular D6 axes by the scaling that multiplies all others |
 * | d6-lock | locks D6 axes without a limit |
 * | d6-unlimited | turns the missing limits of angular D6 axes from degrees to radians |
 * | d6-linear-state | does not read the initial state of linear D6 axes |
 * | orphan-frame | puts the import transform on a frame in a body, outside of articulations |
 * | mimic-offset | takes PhysX offsets of angular mimic joints as radians |
 * | visual-plane | gives visual planes without a size none, where UsdGeomPlane says 2 |
 * | visual-mirror | drops the mirroring of visual meshes |
 * | hidden-body-frame | leaves colliders of a body that is not imported at their pose in that body |
 * | ball-offset | moves the inertia of a body of unknown shape to its origin |
 * | world-label | names the last body where merge data mean the world |
 * | disabled-filter | filters disabled colliders against every shape, although they cannot collide |
 * @public
 */
export type NewtonFault =
	| 'collision-groups'
	| 'joint-velocity'
	| 'drive-scaling'
	| 'd6-lock'
	| 'd6-unlimited'
	| 'd6-linear-state'
	| 'orphan-frame'
	| 'mimic-offset'
	| 'visual-plane'
	| 'visual-mirror'
	| 'hidden-body-frame'
	| 'ball-offset'
	| 'world-label'
	| 'disabled-filter';

/** Settings of {@link importUsd}. Newton's names are the same in snake_case. @public */
export interface ImportUsdOptions {
	/** Placed before the whole scene: position [m] and quaternion x y z w. */
	readonly xform?: TransformInput;
	/** Joint of root bodies: true free, false fixed; left out, free to the world or fixed to `parentBody`. */
	readonly floating?: boolean;
	/** Joint of root bodies in full; excludes `floating`. */
	readonly baseJoint?: BaseJoint;
	/** Body of the builder that the import hangs on; -1 is the world. It must belong to the articulation made last. */
	readonly parentBody?: number;
	/** Whether bodies with `physics:rigidBodyEnabled = false` are left out. */
	readonly onlyLoadEnabledRigidBodies?: boolean;
	readonly onlyLoadEnabledJoints?: boolean;
	/** Multiplies drive gains of angular axes; `newton:joint_drive_gains_scaling` of the scene wins. */
	readonly jointDriveGainsScaling?: number;
	/** Regular expressions for the beginning of prim paths that are left out with everything below. */
	readonly ignorePaths?: readonly (string | RegExp)[];
	/** Whether bodies that fixed joints hold together are merged; `newton:collapse_fixed_joints` of the scene wins. */
	readonly collapseFixedJoints?: boolean;
	/** Whether links of an articulation collide when its root says nothing. */
	readonly enableSelfCollisions?: boolean;
	/** Whether the builder takes the up axis of the stage, or the stage is turned to that of the builder. */
	readonly applyUpAxisFromStage?: boolean;
	/** The subtree that is imported. */
	readonly rootPath?: string;
	/**
	 * Order of joints in articulations: depth first, breadth first, or as the stage lists them. Where the stage lists a joint
	 * before the one that its parent hangs on, call `builder.sortJoints()` before `finalize`.
	 */
	readonly jointOrdering?: 'dfs' | 'bfs' | 'stage';
	readonly bodiesFollowJointOrdering?: boolean;
	readonly skipMeshApproximation?: boolean;
	readonly loadSites?: boolean;
	readonly loadVisualShapes?: boolean;
	/** Whether visuals outside of bodies are loaded too. */
	readonly loadStaticVisualShapes?: boolean;
	/** Whether colliders are hidden on bodies that have visuals. */
	readonly hideCollisionShapes?: boolean;
	/**
	 * Whether meshes of colliders are read; without them, where the body says what it weighs, a small solid stands for each. For those who
	 * only look at what moves.
	 */
	readonly loadColliderMeshes?: boolean;
	/** Whether the ledger is filled; without it attributes have no entries, which takes a tenth less time. */
	readonly keepLedger?: boolean;
	/** Whether colliders are shown whatever their purpose. */
	readonly forceShowColliders?: boolean;
	/** Whether `mujoco` options are read from the scene. */
	readonly parseMujocoOptions?: boolean;
	/** Most vertices of hulls where no schema says it. */
	readonly meshMaxhullvert?: number;
	/** In order of priority; none turns resolution and collection off. */
	readonly schemaResolvers?: readonly SchemaResolver[];
	/** Whether drives with both gains follow position and velocity. */
	readonly forcePositionVelocityActuation?: boolean;
	/** Whether MuJoCo equality constraints also become loop joints and mimic constraints. */
	readonly convertMjcEqualityConstraints?: boolean;
	/** Whether articulation roots are placed at `xform` exactly, without their own pose. */
	readonly overrideRootXform?: boolean;
	/** margin = mjc:margin - mjc:gap, as MuJoCo before 3.9 had it. Left out: yes, except with `newtonCompat`. */
	readonly legacyMarginGap?: boolean;
	/**
	 * Whether bodies that fixed joints hold together with the two of a joint cannot touch each other either, as in MuJoCo (not
	 * in Newton). Left out: yes, except with `newtonCompat`.
	 */
	readonly filterJoinedParts?: boolean;
	/** Whether lengths and masses are converted to metres and kilograms. Left out: yes, except with `newtonCompat`. */
	readonly convertUnits?: boolean;
	/**
	 * Metres per unit of stages that do not say it. OpenUSD has 0.01 for those; robots that say nothing are in metres, as
	 * Newton takes them.
	 */
	readonly assumedMetersPerUnit?: number;
	/** Newton 1.6.1 where it differs from the specification by choice. */
	readonly newtonCompat?: boolean;
	/** For comparisons with Newton only. */
	readonly reproduceFaults?: readonly NewtonFault[];
	/** Told about everything that could not be imported; the result has one of its own without it. */
	readonly report?: Report;
	/** Finds lines of layers for diagnostics and the ledger. */
	readonly places?: SourcePlaces;
}

/** Values of {@link ImportUsdOptions} that are used when absent. @public */
export const IMPORT_USD_DEFAULTS: {
	readonly parentBody: number;
	readonly onlyLoadEnabledRigidBodies: boolean;
	readonly onlyLoadEnabledJoints: boolean;
	readonly jointDriveGainsScaling: number;
	readonly ignorePaths: readonly (string | RegExp)[];
	readonly collapseFixedJoints: boolean;
	readonly enableSelfCollisions: boolean;
	readonly applyUpAxisFromStage: boolean;
	readonly rootPath: string;
	readonly jointOrdering: 'dfs' | 'bfs' | 'stage';
	readonly bodiesFollowJointOrdering: boolean;
	readonly skipMeshApproximation: boolean;
	readonly loadSites: boolean;
	readonly loadVisualShapes: boolean;
	readonly loadStaticVisualShapes: boolean;
	readonly hideCollisionShapes: boolean;
	readonly loadColliderMeshes: boolean;
	readonly keepLedger: boolean;
	readonly forceShowColliders: boolean;
	readonly parseMujocoOptions: boolean;
	readonly meshMaxhullvert: number;
	readonly schemaResolvers: readonly SchemaResolver[];
	readonly forcePositionVelocityActuation: boolean;
	readonly convertMjcEqualityConstraints: boolean;
	readonly overrideRootXform: boolean;
	readonly assumedMetersPerUnit: number;
	readonly newtonCompat: boolean;
	readonly reproduceFaults: readonly NewtonFault[];
} = {
	parentBody: -1,
	onlyLoadEnabledRigidBodies: false,
	onlyLoadEnabledJoints: true,
	jointDriveGainsScaling: 1,
	ignorePaths: [],
	collapseFixedJoints: false,
	enableSelfCollisions: true,
	applyUpAxisFromStage: false,
	rootPath: '/',
	jointOrdering: 'dfs',
	bodiesFollowJointOrdering: true,
	skipMeshApproximation: false,
	loadSites: true,
	loadVisualShapes: true,
	loadStaticVisualShapes: true,
	hideCollisionShapes: false,
	loadColliderMeshes: true,
	keepLedger: true,
	forceShowColliders: false,
	parseMujocoOptions: true,
	meshMaxhullvert: 64,
	schemaResolvers: [SCHEMA_RESOLVER_NEWTON],
	forcePositionVelocityActuation: false,
	convertMjcEqualityConstraints: true,
	overrideRootXform: false,
	assumedMetersPerUnit: 1,
	newtonCompat: false,
	reproduceFaults: [],
};

/** Options with the defaults filled in. */
export interface ImportUsdSettings extends Omit<ImportUsdOptions, 'legacyMarginGap' | 'convertUnits'> {
	readonly legacyMarginGap: boolean;
	readonly convertUnits: boolean;
}

/** Options with defaults filled in. */
export function resolveUsdOptions(options: ImportUsdOptions): ImportUsdSettings & typeof IMPORT_USD_DEFAULTS {
	const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
	const settings = { ...IMPORT_USD_DEFAULTS, ...given } as ImportUsdSettings & typeof IMPORT_USD_DEFAULTS;
	return {
		...settings,
		legacyMarginGap: options.legacyMarginGap ?? !settings.newtonCompat,
		convertUnits: options.convertUnits ?? !settings.newtonCompat,
	};
}
