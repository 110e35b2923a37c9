export { createDiagnostic as createSceneDiagnostic } from './diagnostics.ts';
export { displayRepo, refuseGitSource } from './git-source.ts';
export { nearestName } from './nearest-name.ts';
export { readDocument } from './read-scene.ts';
export { type DocumentKind, SceneDocument, type ScenePath } from './scene-document.ts';
export { SharedParts } from './scene-json-schema.ts';
export type { SceneJoint } from './schema/joint.ts';
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
export type { SceneOperation, SceneRange } from './schema/post-build.ts';
export type { SceneBody } from './schema/scene.ts';
export type { SceneGeometry, SceneShape } from './schema/shape.ts';
export { solver as sceneSolver } from './schema/solver.ts';
