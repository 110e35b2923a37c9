export { type LocatorOptions, outsideRefusal } from './ar/asset-locator.ts';
export { withBytes } from './ar/asset-store.ts';
export type { ByteSource } from './ar/byte-source.ts';
export { type DetectedFormat, detectFormat } from './ar/detect-format.ts';
export {
	hasContent,
	type OpenedFile,
	type OpenedLayer,
	type OpenFileOptions,
	openFile,
	openOne,
} from './ar/open-file.ts';
export { type LocatedPlace, SourcePlaces, type SourcePlacesOptions } from './ar/source-places.ts';
export { type AssetPathUse, listAssetPaths, mapAssetPaths } from './dependencies/asset-paths.ts';
export {
	type CollectOptions,
	collectPackage,
	type PackageFile,
	type ReadFile,
} from './dependencies/collect-package.ts';
export type { ArcSummary, PlaceSummary } from './inspect/arc-steps.ts';
export { diagnoseComposition } from './inspect/composition-diagnostics.ts';
export type {
	ExplainOptions,
	Explanation,
	FallbackOpinion,
	Opinion,
	OpinionRole,
	VariantExplanation,
} from './inspect/explain.ts';
export { type ExplainPathOptions, explanationMask, type NothingToExplain } from './inspect/explain-path.ts';
export { formatExplanation } from './inspect/format-explanation.ts';
export {
	formatBytes,
	formatInspection,
	INSPECTION_TEXT_DEFAULTS,
	type InspectionTextOptions,
} from './inspect/format-inspection.ts';
export { formatStageInspection } from './inspect/format-stage.ts';
export type { Inspection, InspectOptions } from './inspect/inspect-file.ts';
export { jsonPieces } from './inspect/json-text.ts';
export type { CountTable, LayerCounts } from './inspect/layer-counts.ts';
export type { LayerSummary, SpecSummary, SummaryOptions } from './inspect/layer-summary.ts';
export type {
	PrimSummary,
	PropertySummary,
	StageCounts,
	StageInspection,
	StageInspectOptions,
	VariantSetSummary,
} from './inspect/stage-summary.ts';
export type { TextStyleOptions } from './inspect/text-style.ts';
export { type Json, valueToJson } from './inspect/value-json.ts';
export { ARC_NAMES, ArcType } from './pcp/arc-type.ts';
export type { ChildNames } from './pcp/child-names.ts';
export {
	CompositionCache,
	type CompositionChanges,
	type CompositionCounts,
	type CompositionOptions,
} from './pcp/composition-cache.ts';
export type { LayerStack, LayerStackInputs } from './pcp/layer-stack.ts';
export { MapFunction, type PathPair } from './pcp/map-function.ts';
export { type IndexInputs, PrimIndex, type SpecSite } from './pcp/prim-index.ts';
export { composePropertyIndex, type PropertyIndex } from './pcp/property-index.ts';
export { composeTargets, type TargetIndex, translateToNode, translateToRoot } from './pcp/target-index.ts';
export { PrimDefinition, type SchemaProblem } from './schemas/prim-definition.ts';
export { PropertyDefinition, type PropertyParts } from './schemas/property-definition.ts';
export type { SchemaClass, SchemaContent, SchemaKind } from './schemas/schema-class.ts';
export {
	type AppliedSchemaName,
	type FamilyAndVersion,
	instantiateName,
	isNameTemplate,
	makeSchemaIdentifier,
	parseAppliedSchema,
	parseSchemaIdentifier,
	templateBaseName,
} from './schemas/schema-identifier.ts';
export type { LayerSchemas, SchemaLayerOptions } from './schemas/schema-layer.ts';
export type { SchemaLibrary } from './schemas/schema-library.ts';
export type { SchemaFile } from './schemas/schema-locations.ts';
export { OPENUSD_LIBRARIES, ROBOT_LIBRARIES } from './schemas/standard-libraries.ts';
export { type AttributeType, attributeTypeNames, findAttributeType, type Role } from './sdf/attribute-type.ts';
export { type ChildrenField, childPaths, isChildrenField, subtreePaths } from './sdf/children.ts';
export type { LayerDifference } from './sdf/compare-layers.ts';
export { compareUtf8 } from './sdf/dictionary-order.ts';
export type { ChangeList, FieldEntry, LayerChange } from './sdf/layer-changes.ts';
export { MemoryData } from './sdf/memory-data.ts';
export { type FieldDefinition, MetadataRegistry, type MetadataSite } from './sdf/metadata-registry.ts';
export { comparePaths } from './sdf/path.ts';
export { valuesEqual } from './sdf/value-equality.ts';
export { findValueType } from './sdf/value-type.ts';
export { formatField } from './usda/format-value.ts';
export { CrateData } from './usdc/crate-data.ts';
export { isPackageRelativePath, joinPackageRelativePath, splitPackageRelativePathOuter } from './usdz/package-path.ts';
export {
	authoredBool,
	authoredNumber,
	authoredText,
	authoredValue,
	type DeclaredAttribute,
	declaredAttribute,
} from './views/authored-values.ts';
export { BoundingBox } from './views/bounding-box.ts';
export { type FactoredMatrix, factorMatrix } from './views/factor-matrix.ts';
export { followStage, type StageCache } from './views/follow-stage.ts';
export { computeVisibility, PURPOSES } from './views/imageable.ts';
export { primvarsWithInheritance } from './views/primvars.ts';
export { ContextResolver, isContext } from './views/ros-contexts.ts';
export {
	INTERFACE_SCHEMAS,
	type InterfaceKind,
	type InterfaceSchema,
	interfaceSchemas,
	type RosInterface,
	readInterfaces,
	resolveName,
} from './views/ros-interfaces.ts';
export { QOS_DEFAULTS, type RosQos, readQos } from './views/ros-qos.ts';
export { surfaceShader } from './views/shading.ts';
export type { ViewOptions } from './views/view-report.ts';
