export type { InterfaceKind } from '@manyworlds/usd/internal';
export { chooseRules, type RuleChoice } from './asset/choose-rules.ts';
export { type EntryFilesOptions, entryFiles } from './asset/entry-files.ts';
export { VariantSelections } from './asset/variant-selections.ts';
export { type AssetCheck, checkAsset } from './check-asset.ts';
export type { CheckConfig, ConfigRules } from './check-config.ts';
export {
	CHECK_DEFAULTS,
	type CheckOptions,
	type CheckSettings,
	type PayloadPolicy,
	type Profile,
	THRESHOLDS,
	type Thresholds,
} from './check-options.ts';
export type { RepCode } from './diagnostics.ts';
export { FIX_DEFAULTS, type FixedFile, type FixOptions, type FixResult, fixAsset } from './fix/fix-asset.ts';
export { CheckMemory } from './geometry/check-memory.ts';
export type { AssetResult } from './report/asset-result.ts';
export { type Baseline, makeBaseline } from './report/baseline.ts';
export { CHECK_TEXT_DEFAULTS, type CheckTextOptions, formatCheck } from './report/format-check.ts';
export { formatJunit, JUNIT_DEFAULTS, type JunitOptions } from './report/format-junit.ts';
export { formatRep } from './report/format-rep.ts';
export type { Finding, FindingDetails, Reporter } from './reporter.ts';
export { type InterfaceDefinition, InterfaceRegistry, type InterfaceType } from './ros/interface-registry.ts';
export { buildFrames, type FrameInputs, type RosFrame, RosFrames } from './ros/ros-frames.ts';
export type { FixFamily, Rule, RuleCheck, RuleFix, RuleLevel } from './rule.ts';
export { findRule } from './rule-index.ts';
export { RULES } from './rules/index.ts';
