export type { BaseJoint, RootOptions } from './attach-root.ts';
export { type AssetFormat, detectAssetFormat } from './detect-asset-format.ts';
export {
	type ExplainedSource,
	explainModelValue,
	formatModelExplanation,
	type ModelExplanation,
	type UnknownModelValue,
} from './explain-model.ts';
export { FORMAT_MODEL_DEFAULTS, type FormatModelOptions, formatModel } from './format-model.ts';
export {
	type AssetTranslator,
	type ImportAssetOptions,
	type ImportAssetResult,
	importAsset,
	type TranslatedAsset,
} from './import-asset.ts';
export {
	type InspectedAxis,
	type InspectedBody,
	type InspectedConstraint,
	type InspectedJoint,
	type InspectedShape,
	inspectModel,
	type ModelInspection,
} from './inspect-model.ts';
export {
	Ledger,
	type LedgerClass,
	type LedgerConversion,
	type LedgerEntry,
	type LedgerOutcome,
	type LedgerSite,
	type LedgerTotals,
	type Provenance,
} from './ledger.ts';
export { MESH_COLLIDERS, type MeshColliders } from './mesh/mesh-colliders.ts';
export type { MjcfContainer } from './mjcf/context.ts';
export { type ImportMjcfResult, importMjcf, type MjcfElements, type MjcfJointPlace } from './mjcf/import-mjcf.ts';
export type { MjcfKeyframe } from './mjcf/keyframes.ts';
export { IMPORT_MJCF_DEFAULTS, type ImportMjcfOptions } from './mjcf/options.ts';
export type { RunSettings } from './run-settings.ts';
export { type ImportUrdfResult, importUrdf } from './urdf/import-urdf.ts';
export { IMPORT_URDF_DEFAULTS, type ImportUrdfOptions } from './urdf/options.ts';
export type { ActuatorClamping, ActuatorControl, UsdActuator } from './usd/actuators.ts';
export { importUsd } from './usd/import-usd.ts';
export { IMPORT_USD_DEFAULTS, type ImportUsdOptions, type NewtonFault } from './usd/options.ts';
export type { PlainValue } from './usd/plain-value.ts';
export { SCHEMA_RESOLVER_EXTENDED } from './usd/resolvers/extended-resolver.ts';
export { SCHEMA_RESOLVER_MJC } from './usd/resolvers/mjc-resolver.ts';
export { SCHEMA_RESOLVER_NEWTON } from './usd/resolvers/newton-resolver.ts';
export { SCHEMA_RESOLVER_PHYSX } from './usd/resolvers/physx-resolver.ts';
export type { CollectedAttributes } from './usd/resolvers/resolver-set.ts';
export type { SchemaAttribute, SchemaCategory, SchemaResolver } from './usd/resolvers/schema-resolver.ts';
export type { CollapseResults, ImportUsdResult, MergedBody } from './usd/result.ts';
