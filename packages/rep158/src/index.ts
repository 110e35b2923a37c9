export { type AssetCheck, checkAsset } from './check-asset.ts';
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
export type { CheckSource } from './context/check-source.ts';
export { applied, placeInLayer, placeOf, placeOfField, placeOfSchema } from './context/find-place.ts';
export { isTreeJoint, type JointEnd, JointGraph, type JointInfo } from './context/joint-graph.ts';
export {
	type ArrayEntry,
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
export { FindingCollector } from './finding-collector.ts';
export { type Finding, type FindingDetails, Reporter } from './reporter.ts';
export type { FixFamily, Rule, RuleCheck, RuleFix, RuleLevel } from './rule.ts';
export { RULES } from './rules/index.ts';
export { type Selection, selectionLayer, VariantSelections } from './variant-selections.ts';
