export { LOCATOR_DEFAULTS, type LocatorOptions, outsideRefusal } from './ar/asset-locator.ts';
export {
	type AssetFailure,
	type AssetIdentity,
	type AssetStore,
	isAssetFailure,
	whenLoaded,
	withIdentify,
} from './ar/asset-store.ts';
export type { ByteSource } from './ar/byte-source.ts';
export { DefaultStore, STORE_DEFAULTS, type StoreOptions } from './ar/default-store.ts';
export { type DetectedFormat, detectFormat } from './ar/detect-format.ts';
export { type Fetch, FetchStore, type FetchStoreOptions } from './ar/fetch-store.ts';
export { type MemoryFiles, MemoryStore, type MemoryStoreOptions } from './ar/memory-store.ts';
export {
	hasContent,
	type OpenedFile,
	type OpenedLayer,
	type OpenFileOptions,
	openFile,
	openOne,
} from './ar/open-file.ts';
export { PACKAGE_MAP_DEFAULTS, PackageMap, type PackageMapOptions } from './ar/package-map.ts';
export { relativeAssetPath } from './ar/relative-asset-path.ts';
export {
	type LocatedPlace,
	SOURCE_PLACES_DEFAULTS,
	SourcePlaces,
	type SourcePlacesOptions,
} from './ar/source-places.ts';
export { type ConvertOptions, convertFile, type LayerFormat } from './convert/convert-file.ts';
export { FLATTEN_FILE_DEFAULTS, type FlattenFileOptions, flattenFile } from './convert/flatten-file.ts';
export { type FormattedUsda, type FormatUsdaOptions, formatUsda } from './convert/format-usda.ts';
export { type AssetPathUse, listAssetPaths, mapAssetPaths } from './dependencies/asset-paths.ts';
export {
	type CollectOptions,
	collectPackage,
	type PackageFile,
	type ReadFile,
} from './dependencies/collect-package.ts';
export type { ArcSummary, PlaceSummary } from './inspect/arc-steps.ts';
export { diagnoseComposition } from './inspect/composition-diagnostics.ts';
export {
	type ExplainOptions,
	type Explanation,
	explainMetadata,
	explainPrim,
	explainProperty,
	type FallbackOpinion,
	type Opinion,
	type OpinionRole,
	type VariantExplanation,
} from './inspect/explain.ts';
export {
	type ExplainPathOptions,
	explainPath,
	explanationMask,
	type NothingToExplain,
} from './inspect/explain-path.ts';
export { EXPLANATION_TEXT_DEFAULTS, formatExplanation } from './inspect/format-explanation.ts';
export {
	formatBytes,
	formatInspection,
	INSPECTION_TEXT_DEFAULTS,
	type InspectionTextOptions,
} from './inspect/format-inspection.ts';
export { formatStageInspection } from './inspect/format-stage.ts';
export { type Inspection, type InspectOptions, inspectFile } from './inspect/inspect-file.ts';
export { jsonPieces } from './inspect/json-text.ts';
export { type CountTable, countLayer, type LayerCounts } from './inspect/layer-counts.ts';
export {
	type LayerSummary,
	type SpecSummary,
	SUMMARY_DEFAULTS,
	type SummaryOptions,
	summarizeLayer,
} from './inspect/layer-summary.ts';
export {
	inspectStage,
	type PrimSummary,
	type PropertySummary,
	STAGE_INSPECT_DEFAULTS,
	type StageCounts,
	type StageInspection,
	type StageInspectOptions,
	type VariantSetSummary,
} from './inspect/stage-summary.ts';
export type { TextStyleOptions } from './inspect/text-style.ts';
export { type Json, valueToJson } from './inspect/value-json.ts';
export { type OpenLayerOptions, openLayer } from './open-layer.ts';
export { ARC_NAMES, ArcType, isClassArc } from './pcp/arc-type.ts';
export type { AssetRequest } from './pcp/asset-request.ts';
export type { ChildNames } from './pcp/child-names.ts';
export {
	CompositionCache,
	type CompositionChanges,
	type CompositionCounts,
	type CompositionOptions,
} from './pcp/composition-cache.ts';
export { composeOffsets, invertOffset } from './pcp/layer-offset.ts';
export { LayerStack, type LayerStackInputs } from './pcp/layer-stack.ts';
export { MapFunction, type PathPair } from './pcp/map-function.ts';
export { Node } from './pcp/node.ts';
export type { CycleStep, ErrorSite, PcpError, PcpErrorKind } from './pcp/pcp-error.ts';
export { composePrimIndex, type IndexInputs, PrimIndex, type SpecSite } from './pcp/prim-index.ts';
export { composePropertyIndex, type PropertyIndex } from './pcp/property-index.ts';
export { composeTargets, type TargetIndex, translateToNode, translateToRoot } from './pcp/target-index.ts';
export { PrimDefinition, type SchemaProblem } from './schemas/prim-definition.ts';
export { PropertyDefinition, type PropertyParts } from './schemas/property-definition.ts';
export {
	isAppliedKind,
	isTypedKind,
	type SchemaClass,
	type SchemaContent,
	type SchemaKind,
} from './schemas/schema-class.ts';
export {
	type AppliedSchemaName,
	type FamilyAndVersion,
	INSTANCE_NAME_PLACEHOLDER,
	instantiateName,
	isNameTemplate,
	makeSchemaIdentifier,
	parseAppliedSchema,
	parseSchemaIdentifier,
	templateBaseName,
} from './schemas/schema-identifier.ts';
export { type LayerSchemas, readSchemaLayer, type SchemaLayerOptions } from './schemas/schema-layer.ts';
export type { SchemaLibrary } from './schemas/schema-library.ts';
export type { SchemaFile } from './schemas/schema-locations.ts';
export { SchemaRegistry, type SchemaSet } from './schemas/schema-registry.ts';
export { OPENUSD_LIBRARIES, ROBOT_LIBRARIES } from './schemas/standard-libraries.ts';
export type { ArrayEdit, ArrayEditInstruction, ArrayEditSource } from './sdf/array-edit.ts';
export { type AttributeType, attributeTypeNames, findAttributeType, type Role } from './sdf/attribute-type.ts';
export { CHILDREN_FIELDS, type ChildrenField, childPaths, isChildrenField, subtreePaths } from './sdf/children.ts';
export { compareLayers, type LayerDifference } from './sdf/compare-layers.ts';
export { compareDictionary, compareUtf8 } from './sdf/dictionary-order.ts';
export {
	Layer,
	type LayerListener,
	PRIM_SPEC_DEFAULTS,
	PROPERTY_SPEC_DEFAULTS,
	type PrimSpecOptions,
	type PropertySpecOptions,
} from './sdf/layer.ts';
export { type ChangeList, type FieldEntry, invertChanges, type LayerChange } from './sdf/layer-changes.ts';
export type { FieldSource, LayerData, SourceRange, SpecSource } from './sdf/layer-data.ts';
export { type ItemKey, ListOp, type ListOpItems } from './sdf/list-op.ts';
export { MemoryData, Spec } from './sdf/memory-data.ts';
export { type FieldDefinition, MetadataRegistry, type MetadataSite } from './sdf/metadata-registry.ts';
export {
	comparePaths,
	isIdentifier,
	isNamespacedIdentifier,
	isVariantIdentifier,
	Path,
	PathKind,
} from './sdf/path.ts';
export {
	type ExpressionReference,
	PathExpression,
	type PathExpressionFault,
	type PathPattern,
	type PatternComponent,
} from './sdf/path-expression.ts';
export { SourceRanges } from './sdf/source-ranges.ts';
export { SpecType } from './sdf/spec-type.ts';
export type {
	Extrapolation,
	ExtrapolationMode,
	Spline,
	SplineInterpolation,
	SplineKnot,
	SplineLoop,
	SplineTangent,
	TangentAlgorithm,
} from './sdf/spline.ts';
export {
	arcKey,
	type Dictionary,
	dataOf,
	EMPTY_DICTIONARY,
	IDENTITY_OFFSET,
	isIdentityOffset,
	type LayerOffset,
	makePayload,
	makeReference,
	makeTimeSamples,
	makeValue,
	type Payload,
	type RawCrateValue,
	type Reference,
	type TimeSamples,
	type Unregistered,
	type Value,
	valueIs,
} from './sdf/value.ts';
export { valuesEqual } from './sdf/value-equality.ts';
export {
	type ArrayableType,
	type Component,
	findValueType,
	type Permission,
	type Shape,
	type Specifier,
	T,
	ValueType,
	type ValueTypeTable,
	type Variability,
} from './sdf/value-type.ts';
export { quoteString } from './text/quote-string.ts';
export { type ResolvedAsset, resolveAsset } from './usd/asset-context.ts';
export { Attribute } from './usd/attribute.ts';
export type { StageChanges, StageListener } from './usd/change-processor.ts';
export { ListEditor, type ListField } from './usd/edit/arc-editor.ts';
export { copyPrimSpec } from './usd/edit/copy-prim-spec.ts';
export { applyItem, insertItem, type ListPosition, removeItem } from './usd/edit/list-edits.ts';
export {
	freeChild,
	isByOwnArc,
	MOVE_PRIMS_DEFAULTS,
	type MovedPrims,
	type MovePrimsOptions,
	movePrims,
	type PrimMove,
} from './usd/edit/move-prims.ts';
export {
	type Relocation,
	type RelocationHost,
	type RelocationPlan,
	relocateOpinions,
} from './usd/edit/relocate-opinions.ts';
export { StageEditor } from './usd/edit/stage-editor.ts';
export { listVariantSet, selectVariant } from './usd/edit/variant-specs.ts';
export { EditTarget } from './usd/edit-target.ts';
export { FLATTEN_DEFAULTS, type FlattenOptions, flattenStage } from './usd/flatten.ts';
export { flattenLayerStack } from './usd/flatten-layer-stack.ts';
export { type Interpolation, interpolate, isInterpolated } from './usd/interpolation.ts';
export { type LoadRule, LoadRules } from './usd/load-rules.ts';
export { PopulationMask } from './usd/population-mask.ts';
export { Prim } from './usd/prim.ts';
export { Property } from './usd/property.ts';
export type { ResolveInfo, ValueSource } from './usd/property-value.ts';
export { Relationship } from './usd/relationship.ts';
export type { ValueContext } from './usd/resolve-value.ts';
export { Stage, type StageOptions } from './usd/stage.ts';
export { isAnyPrim, isUsualPrim, type TraverseOptions, traverse } from './usd/traverse.ts';
export { formatField, formatValue } from './usda/format-value.ts';
export type { SpecMove } from './usda/patch/moved-text.ts';
export { PATCH_USDA_DEFAULTS, type PatchedText, type PatchUsdaOptions, patchUsda } from './usda/patch/patch-usda.ts';
export { READ_USDA_DEFAULTS, type ReadUsdaOptions, readUsda, type TextLayerData } from './usda/read-usda.ts';
export { WRITE_USDA_DEFAULTS, type WriteUsdaOptions, writeUsda, writeUsdaPrim } from './usda/write-usda.ts';
export { CrateData } from './usdc/crate-data.ts';
export { READ_USDC_DEFAULTS, type ReadUsdcOptions, readUsdc } from './usdc/crate-reader.ts';
export { WRITE_USDC_DEFAULTS, type WriteUsdcOptions, writeUsdc } from './usdc/crate-writer.ts';
export { openPackaged } from './usdz/open-packaged.ts';
export {
	isPackageRelativePath,
	joinPackageRelativePath,
	splitPackageRelativePathInner,
	splitPackageRelativePathOuter,
} from './usdz/package-path.ts';
export {
	type ReadUsdzOptions,
	readUsdz,
	USDZ_LIMITS,
	type UsdzEntry,
	type UsdzLimits,
	type UsdzPackage,
} from './usdz/read-usdz.ts';
export { type UsdzInput, type WriteUsdzOptions, writeUsdz } from './usdz/write-usdz.ts';
export { BBOX_DEFAULTS, BBoxCache, type BBoxOptions } from './views/bbox-cache.ts';
export { type AlignedBox, BoundingBox, isEmptyBox, unionBoxes } from './views/bounding-box.ts';
export {
	type Camera,
	type CameraWindow,
	cameraWindow,
	fieldOfView,
	projectionMatrix,
	readCamera,
	viewMatrix,
} from './views/camera.ts';
export {
	CollectionMembership,
	type CollectionRule,
	collectionMembership,
	collectionNames,
} from './views/collection.ts';
export { CollisionFilter } from './views/collision-filter.ts';
export { authoredExtent, computeExtent, computeShapeExtent, isBoundable } from './views/extent.ts';
export { type FactoredMatrix, factorMatrix, removeScaleAndShear } from './views/factor-matrix.ts';
export { followStage, type StageCache } from './views/follow-stage.ts';
export {
	elementCount,
	type GeomSubset,
	type GeomSubsetOptions,
	geomSubsets,
	isSubsetFamilyValid,
	type SubsetFamilyType,
	subsetFamilyNames,
	subsetFamilyType,
	unassignedIndices,
} from './views/geom-subset.ts';
export {
	computeEffectiveVisibility,
	computePurpose,
	computePurposeInfo,
	computeVisibility,
	inheritPurpose,
	isImageable,
	PURPOSES,
	type Purpose,
	type PurposeInfo,
} from './views/imageable.ts';
export { isLight, type Light, type LightShaping, readLight } from './views/light.ts';
export {
	ALL_PURPOSE,
	type BoundMaterial,
	type BoundSubset,
	boundMaterial,
	MaterialBindings,
} from './views/material-binding.ts';
export {
	PARSE_PHYSICS_DEFAULTS,
	type ParsePhysicsOptions,
	type PhysicsDescription,
	parsePhysics,
} from './views/parse-physics.ts';
export type * from './views/physics-descriptors.ts';
export {
	POINT_INSTANCE_DEFAULTS,
	type PointInstanceOptions,
	type PointInstances,
	pointInstanceIds,
	pointInstanceMask,
	pointInstances,
} from './views/point-instancer.ts';
export {
	findPrimvar,
	findPrimvarWithInheritance,
	inheritablePrimvars,
	Primvar,
	type PrimvarInterpolation,
	primvars,
	primvarsWithAuthoredValues,
	primvarsWithInheritance,
} from './views/primvars.ts';
export {
	type ConnectionSource,
	connectedSources,
	inputValue,
	isConnectable,
	isNodeGraph,
	shaderId,
	shadingAttributes,
	surfaceShader,
	type TerminalSource,
	terminalSource,
	upstreamShaders,
	valueProducers,
} from './views/shading.ts';
export type { ViewOptions } from './views/view-report.ts';
export {
	replaceXformOps,
	type SetXformOptions,
	setOrient,
	setScale,
	setTransformMatrix,
	setTranslate,
	setXformOpOrder,
	type XformParts,
} from './views/xform-authoring.ts';
export { XformCache } from './views/xform-cache.ts';
export {
	areInverseOps,
	RESET_XFORM_STACK,
	XFORM_OP_KINDS,
	XformOp,
	type XformOpKind,
	xformOpKind,
	xformOpMatrix,
	xformOpName,
} from './views/xform-op.ts';
export {
	isTransformAnimated,
	isXformable,
	type LocalTransform,
	localTransform,
	transformTimeSamples,
	type XformOpList,
	xformOps,
} from './views/xformable.ts';
