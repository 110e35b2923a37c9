export { chooseRules, type RuleChoice } from './asset/choose-rules.ts';
export { ENTRY_FILES_DEFAULTS, type EntryFilesOptions, entryFiles } from './asset/entry-files.ts';
export {
	type Selection,
	type ShownSelection,
	VARIANT_SELECTIONS_DEFAULTS,
	type VariantChoice,
	VariantSelections,
	type VariantSelectionsOptions,
} from './asset/variant-selections.ts';
export { type AssetCheck, checkAsset } from './check-asset.ts';
export {
	applyPaths,
	type CheckConfig,
	type ConfigRules,
	configOptions,
	EMPTY_CONFIG,
} from './check-config.ts';
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
export { AssetState } from './context/asset-state.ts';
export { CheckContext, type PrimLists } from './context/check-context.ts';
export { applied, placeInLayer, placeOf, placeOfField, placeOfSchema } from './context/find-place.ts';
export { isTreeJoint, type JointEnd, JointGraph, type JointInfo } from './context/joint-graph.ts';
export {
	ArrayEntry,
	type CensusEntry,
	type CensusGroup,
	isPhysicsSchema,
	isRosSchema,
	type LayerCensus,
	takeCensus,
	type VendorEntry,
} from './context/layer-census.ts';
export { type ClassifiedLayer, classifyLayer, type LayerRole, layerStem } from './context/layer-role.ts';
export type { Place } from './context/place.ts';
export { VENDORS, type Vendor, VendorRegistry } from './context/vendors.ts';
export { createDiagnostic as createRep158Diagnostic, REP_CODES, type RepCode } from './diagnostics.ts';
export { FindingCollector } from './finding-collector.ts';
export type { Fixer, FixParameters, PhysicsPart } from './fix/engine/fixer.ts';
export { compareSnapshots, type PhysicsSnapshot, takeSnapshot } from './fix/engine/physics-snapshot.ts';
export { countByFamily, type FixPlan, formatPlan, type PlanItem, type PlanNote } from './fix/engine/plan.ts';
export { DIFF_DEFAULTS, type DiffOptions, unifiedDiff } from './fix/engine/unified-diff.ts';
export {
	FIX_DEFAULTS,
	type FixedFile,
	type FixOptions,
	type FixResult,
	fixAsset,
} from './fix/fix-asset.ts';
export { FIXERS } from './fix/fixers.ts';
export type { AssetResult } from './report/asset-result.ts';
export { isInternal, isUnusable } from './report/asset-result.ts';
export { applyBaseline, type Baseline, type BaselineEntry, makeBaseline, parseBaseline } from './report/baseline.ts';
export { type CheckSummary, type SectionCounts, summarizeChecks } from './report/check-summary.ts';
export { CHECK_TEXT_DEFAULTS, type CheckTextOptions, formatCheck } from './report/format-check.ts';
export { formatJunit, JUNIT_DEFAULTS, type JunitOptions } from './report/format-junit.ts';
export { formatRep, type RepReport, type RepViolation, toRepReport } from './report/format-rep.ts';
export { PUBLIC_CHECKS, type PublicCheck, publicCheck } from './report/public-ids.ts';
export { type Finding, type FindingDetails, Reporter } from './reporter.ts';
export { type InterfaceDefinition, InterfaceRegistry, type InterfaceType } from './ros/interface-registry.ts';
export { jointName } from './ros/joint-name.ts';
export { ContextResolver } from './ros/ros-contexts.ts';
export { buildFrames, type FrameInputs, type RosFrame, RosFrames, transformTopics } from './ros/ros-frames.ts';
export {
	type InterfaceSchema,
	type ResolvedInterface,
	type RosInterface,
	readInterfaces,
	resolveInterfaces,
} from './ros/ros-interfaces.ts';
export type { InterfaceKind } from './ros/ros-names.ts';
export { QOS_DEFAULTS, type RosQos, readQos } from './ros/ros-qos.ts';
export type { FixFamily, Rule, RuleCheck, RuleFix, RuleLevel } from './rule.ts';
export { compareSections, findRule, SECTION_TITLES } from './rule-index.ts';
export { AVAILABLE_FIXES } from './rules/available-fixes.ts';
export { RULES } from './rules/index.ts';
