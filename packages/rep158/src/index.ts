export {
	ContextResolver,
	type InterfaceKind,
	type InterfaceSchema,
	QOS_DEFAULTS,
	type RosInterface,
	type RosQos,
	readInterfaces,
	readQos,
} from '@manyworlds/usd/internal';
export { chooseRules } from './asset/choose-rules.ts';
export { entryFiles } from './asset/entry-files.ts';
export { VariantSelections } from './asset/variant-selections.ts';
export { type AssetCheck, checkAsset, checkAssetSteps } from './check-asset.ts';
export { applyPaths, type CheckConfig, type ConfigRules, configOptions, EMPTY_CONFIG } from './check-config.ts';
export {
	CHECK_DEFAULTS,
	type CheckOptions,
	type CheckSettings,
	checkSettings,
	type PayloadPolicy,
	type Profile,
	THRESHOLDS,
	type Thresholds,
} from './check-options.ts';
export { applied } from './context/find-place.ts';
export { createDiagnostic as createRep158Diagnostic, type RepCode } from './diagnostics.ts';
export { FindingCollector } from './finding-collector.ts';
export { FIX_DEFAULTS, type FixedFile, type FixOptions, type FixResult, fixAsset } from './fix/fix-asset.ts';
export { FIXERS } from './fix/fixers.ts';
export {
	type FixOffer,
	fixCommand,
	fixEdits,
	type OfferOptions,
	type OpenPatched,
	offerFixes,
} from './fix/offer-fixes.ts';
export { CheckMemory } from './geometry/check-memory.ts';
export { makeBaseline } from './report/baseline.ts';
export { CHECK_TEXT_DEFAULTS, type CheckTextOptions, formatCheck } from './report/format-check.ts';
export { formatJunit, JUNIT_DEFAULTS, type JunitOptions } from './report/format-junit.ts';
export { formatRep, type RepReport, type RepViolation, toRepReport } from './report/format-rep.ts';
export { type Finding, type FindingDetails, Reporter } from './reporter.ts';
export { type InterfaceDefinition, InterfaceRegistry, type InterfaceType } from './ros/interface-registry.ts';
export { jointName } from './ros/joint-name.ts';
export { type ResolvedInterface, resolveInterfaces } from './ros/resolve-interfaces.ts';
export { buildFrames, type FrameInputs, type RosFrame, RosFrames, transformTopics } from './ros/ros-frames.ts';
export type { FixFamily, Rule, RuleCheck, RuleFix, RuleLevel } from './rule.ts';
export { findRule } from './rule-index.ts';
export { AVAILABLE_FIXES } from './rules/available-fixes.ts';
export { RULES } from './rules/index.ts';
