export { type Asset, type AssetFiles, type AssetInput, type OpenAssetOptions, openAsset } from './front/asset.ts';
export { AssetError } from './front/asset-error.ts';
export { type CheckedAsset, check } from './front/check.ts';
export { type ConvertedAsset, type ConvertFormat, type ConvertOptions, convert } from './front/convert.ts';
export { createEnv, type EnvOptions } from './front/create-env.ts';
export { type FixedAsset, fix } from './front/fix.ts';
export { modelOf, type OpenedModel, type RobotOptions } from './front/model-of.ts';
export type { RunnerSettings } from './front/runner-options.ts';
export {
	type JointGains,
	type JointTargets,
	SIMULATION_DEFAULTS,
	Simulation,
	type SimulationOptions,
} from './front/simulation.ts';
export type { RobotStartOptions } from './front/start-robot.ts';
