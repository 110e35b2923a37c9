import { describe, expect, it } from 'vitest';
import {
	IMPORT_MJCF_DEFAULTS,
	IMPORT_URDF_DEFAULTS,
	IMPORT_USD_DEFAULTS,
	MESH_COLLIDERS,
	SCHEMA_RESOLVER_NEWTON,
} from '../src/index.ts';

describe('options that nobody gives', () => {
	it('of USD are those of the guide', () => {
		expect(IMPORT_USD_DEFAULTS).toStrictEqual({
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
		});
	});

	it('of URDF are those of the guide', () => {
		expect(IMPORT_URDF_DEFAULTS).toStrictEqual({
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
		});
	});

	it('of MJCF are those of the guide', () => {
		expect(IMPORT_MJCF_DEFAULTS).toStrictEqual({
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
		});
	});

	it('name the two ways in which meshes collide', () => {
		expect(MESH_COLLIDERS).toEqual(['hull', 'triangles']);
	});
});
