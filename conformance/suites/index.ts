import type { Suite } from '../src/suite.ts';
import { convertGltf } from './convert/gltf.ts';
import { convertMjcf, convertSdf, convertUrdf, convertUsd } from './convert/index.ts';
import { envsGymnasium } from './envs-gymnasium/index.ts';
import { importAssets, importNewton } from './import/index.ts';
import { importMujoco } from './import-mujoco/index.ts';
import { lspCodeServer } from './lsp/code-server.ts';
import { lspConformanceLayers } from './lsp/conformance-layers.ts';
import { lspDefinitions } from './lsp/definitions.ts';
import { lspFixAll } from './lsp/fix-all.ts';
import { lspNeovim } from './lsp/neovim.ts';
import { lspPytest } from './lsp/pytest.ts';
import { lspRename } from './lsp/rename.ts';
import { modelBuilders } from './model-builders/index.ts';
import { modelDynamics } from './model-dynamics/index.ts';
import { mujocoFormats } from './mujoco/formats.ts';
import { mujocoNewton } from './mujoco/index.ts';
import { mujocoRobots } from './mujoco/robots.ts';
import { pythonWheel } from './python-wheel/index.ts';
import { rep158 } from './rep158/index.ts';
import { rep158Assets } from './rep158-fix/asset-suite.ts';
import { rep158Fix, rep158FixRules } from './rep158-fix/index.ts';
import { rep158Offers } from './rep158-fix/offers.ts';
import { rosPeers, rosSoak } from './ros/index.ts';
import { runRobots } from './run-robots/index.ts';
import { runWorlds } from './run-worlds/index.ts';
import { sceneBad } from './scene-bad/index.ts';
import { sceneLoad } from './scene-load/index.ts';
import { sceneRun } from './scene-run/index.ts';
import { simDrakeScenes } from './sim-drake-scenes/index.ts';
import { simMujocoDynamics } from './sim-mujoco-dynamics/index.ts';
import { simPairs } from './sim-pairs/index.ts';
import { simSapProblems } from './sim-sap-problems/index.ts';
import { simSapSteps } from './sim-sap-steps/index.ts';
import { simSapTrajectories } from './sim-sap-trajectories/index.ts';
import { sweepNats } from './sweep/nats.ts';
import { sweepS3 } from './sweep/s3.ts';
import { sweepWays } from './sweep/ways.ts';
import { usdAssets } from './usd-assets.ts';
import { usdComposition } from './usd-composition/index.ts';
import { usdCrate } from './usd-crate.ts';
import { usdEndless, usdFuzz, usdFuzzExtra } from './usd-fuzz.ts';
import { usdLayerDumps } from './usd-layer-dumps.ts';
import { usdLayers } from './usd-layers/index.ts';
import { usdSchemas } from './usd-schemas.ts';
import { usdValueResolution } from './usd-value-resolution.ts';
import { usdViews } from './usd-views.ts';
import { viewerGoldens } from './viewer-goldens/index.ts';
import { viewerRobots } from './viewer-robots.ts';

/** Every suite, in the order in which a run without a name goes through them. */
export const SUITES: readonly Suite[] = [
	usdLayers,
	usdCrate,
	usdLayerDumps,
	usdAssets,
	usdFuzz,
	usdFuzzExtra,
	usdEndless,
	usdValueResolution,
	usdSchemas,
	usdViews,
	usdComposition,
	rep158,
	rep158Fix,
	rep158FixRules,
	rep158Offers,
	rep158Assets,
	modelBuilders,
	modelDynamics,
	importNewton,
	importAssets,
	importMujoco,
	mujocoNewton,
	mujocoRobots,
	simMujocoDynamics,
	mujocoFormats,
	simPairs,
	simSapProblems,
	simSapSteps,
	simSapTrajectories,
	simDrakeScenes,
	sceneLoad,
	sceneBad,
	sceneRun,
	runRobots,
	runWorlds,
	convertUrdf,
	convertSdf,
	convertMjcf,
	convertUsd,
	convertGltf,
	viewerRobots,
	viewerGoldens,
	pythonWheel,
	envsGymnasium,
	sweepWays,
	sweepNats,
	sweepS3,
	lspDefinitions,
	lspRename,
	lspConformanceLayers,
	lspFixAll,
	lspNeovim,
	lspCodeServer,
	lspPytest,
	rosPeers,
	rosSoak,
];
