export { nearestName } from './nearest-name.ts';
export { readDocument } from './read-scene.ts';
export { type DocumentKind, SceneDocument, type ScenePath } from './scene-document.ts';
export { SharedParts } from './scene-json-schema.ts';
export type { SceneAsset, SceneAssetOptions } from './schema/asset.ts';
export type {
	SceneArticulation,
	SceneBodyRef,
	SceneJoint,
	SceneJointAxis,
	SceneJointPosition,
	SceneJointRef,
} from './schema/joint.ts';
export {
	choice,
	dispatch,
	type Fail,
	flag,
	found,
	isMapping,
	leaf,
	type Mapping,
	mapping,
	maybe,
	numberFrom,
	optional,
	orList,
	positive,
	text,
	toNumber,
	toWhole,
	whole,
} from './schema/leaf.ts';
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
export { solver as sceneSolver } from './schema/solver.ts';
export type { SceneTransform } from './schema/transform.ts';
