import type { ImportAssetOptions } from '@manyworlds/import';
import type { SceneAsset, SceneAssetOptions } from '../schema/asset.ts';
import { defined } from '../schema/shape.ts';

/** Options of the importers by their names. */
export function importOptions(asset: SceneAsset): {
	readonly shared: Pick<ImportAssetOptions, 'xform' | 'enableSelfCollisions' | 'floating'>;
	readonly urdf: NonNullable<ImportAssetOptions['urdf']>;
	readonly usd: NonNullable<ImportAssetOptions['usd']>;
	readonly mjcf: NonNullable<ImportAssetOptions['mjcf']>;
} {
	const { options: given, xform } = asset;
	const pick = <T>(names: Readonly<Record<string, keyof SceneAssetOptions>>): T =>
		defined(Object.fromEntries(Object.entries(names).map(([name, key]) => [name, given[key]]))) as T;
	const ordering = given.joint_ordering;
	return {
		shared: {
			...(xform === undefined ? {} : { xform }),
			...pick({ enableSelfCollisions: 'enable_self_collisions', floating: 'floating' }),
		},
		urdf: {
			...pick({
				scale: 'scale',
				meshScale: 'mesh_scale',
				meshMaxhullvert: 'mesh_maxhullvert',
				parseVisuals: 'load_visual_shapes',
				parseVisualsAsColliders: 'parse_visuals_as_colliders',
				forceShowColliders: 'force_show_colliders',
				ignoreInertialDefinitions: 'ignore_inertial_definitions',
				bodiesFollowJointOrdering: 'bodies_follow_joint_ordering',
			}),
			...(ordering === undefined ? {} : { jointOrdering: ordering === null ? 'file' : (ordering as 'dfs' | 'bfs') }),
		},
		usd: {
			...pick({
				collapseFixedJoints: 'collapse_fixed_joints',
				meshMaxhullvert: 'mesh_maxhullvert',
				loadVisualShapes: 'load_visual_shapes',
				hideCollisionShapes: 'hide_collision_shapes',
				forceShowColliders: 'force_show_colliders',
				onlyLoadEnabledRigidBodies: 'only_load_enabled_rigid_bodies',
				onlyLoadEnabledJoints: 'only_load_enabled_joints',
				ignorePaths: 'ignore_paths',
				applyUpAxisFromStage: 'apply_up_axis_from_stage',
				rootPath: 'root_path',
				skipMeshApproximation: 'skip_mesh_approximation',
				loadSites: 'load_sites',
				forcePositionVelocityActuation: 'force_position_velocity_actuation',
				jointDriveGainsScaling: 'joint_drive_gains_scaling',
				bodiesFollowJointOrdering: 'bodies_follow_joint_ordering',
			}),
			...(ordering === undefined ? {} : { jointOrdering: ordering === null ? 'stage' : (ordering as 'dfs' | 'bfs') }),
		},
		mjcf: {
			...pick({
				scale: 'scale',
				armatureScale: 'armature_scale',
				collapseFixedJoints: 'collapse_fixed_joints',
				meshMaxhullvert: 'mesh_maxhullvert',
				parseVisualsAsColliders: 'parse_visuals_as_colliders',
				forceShowColliders: 'force_show_colliders',
				ignoreInertialDefinitions: 'ignore_inertial_definitions',
				parseMeshes: 'parse_meshes',
				parseSites: 'parse_sites',
				noClassAsColliders: 'no_class_as_colliders',
				visualClasses: 'visual_classes',
				colliderClasses: 'collider_classes',
				ignoreNames: 'ignore_names',
				ignoreClasses: 'ignore_classes',
			}),
			...pick({ parseVisuals: given.parse_visuals === undefined ? 'load_visual_shapes' : 'parse_visuals' }),
		},
	};
}
