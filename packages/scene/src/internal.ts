export type { SceneAsset, SceneAssetOptions } from './schema/asset.ts';
export type {
	SceneArticulation,
	SceneBodyRef,
	SceneJoint,
	SceneJointAxis,
	SceneJointPosition,
	SceneJointRef,
} from './schema/joint.ts';
export type { SceneEntries, SceneJointSelector, SceneOperation, SceneRange } from './schema/post-build.ts';
export type {
	SceneBody,
	SceneBuilder,
	SceneControl,
	SceneGround,
	SceneReplication,
	SceneSimulation,
} from './schema/scene.ts';
export type { SceneGeometry, SceneMaterial, SceneMeshGeometry, SceneShape, SceneShapeConfig } from './schema/shape.ts';
export type { SceneSolver } from './schema/solver.ts';
export type { SceneTransform } from './schema/transform.ts';
