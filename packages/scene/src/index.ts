export { ControlPlayback, type ControlPlaybackOptions } from './control/control-playback.ts';
export { type ControlSequence, type ReadControlOptions, readControl } from './control/read-control.ts';
export type { GitSource } from './git-source.ts';
export type { LoadedAsset } from './load/add-assets.ts';
export type { GitCheckout } from './load/asset-source.ts';
export {
	type LoadSceneOptions,
	type LoadSceneResult,
	loadScene,
	loadSceneText,
	type SceneLoadStep,
} from './load-scene.ts';
export { LoadedScene, SCENE_DEFAULTS, type SceneSettings } from './loaded-scene.ts';
export { type ReadSceneOptions, type ReadSceneResult, readScene } from './read-scene.ts';
export type { SceneLimits } from './scene-document.ts';
export { sceneJsonSchema } from './scene-json-schema.ts';
export type { Scene } from './schema/scene.ts';
