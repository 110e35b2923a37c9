export {
	type AssetFailure,
	type AssetIdentity,
	type AssetStore,
	isAssetFailure,
	whenLoaded,
} from './ar/asset-store.ts';
export { DefaultStore, STORE_DEFAULTS, type StoreOptions } from './ar/default-store.ts';
export { type Fetch, FetchStore, type FetchStoreOptions } from './ar/fetch-store.ts';
export { type MemoryFiles, MemoryStore, type MemoryStoreOptions } from './ar/memory-store.ts';
export { PACKAGE_MAP_DEFAULTS, PackageMap, type PackageMapOptions } from './ar/package-map.ts';
export { type ConvertOptions, convertFile, type LayerFormat } from './convert/convert-file.ts';
export { FLATTEN_FILE_DEFAULTS, type FlattenFileOptions, flattenFile } from './convert/flatten-file.ts';
export { type FormattedUsda, type FormatUsdaOptions, formatUsda } from './convert/format-usda.ts';
export type { Explanation } from './inspect/explain.ts';
export { type ExplainPathOptions, explainPath, type NothingToExplain } from './inspect/explain-path.ts';
export { type Inspection, type InspectOptions, inspectFile } from './inspect/inspect-file.ts';
export { inspectStage, type StageInspection, type StageInspectOptions } from './inspect/stage-summary.ts';
export { type OpenLayerOptions, openLayer } from './open-layer.ts';
export type { AssetRequest } from './pcp/asset-request.ts';
export { Node } from './pcp/node.ts';
export type { CycleStep, ErrorSite, PcpError } from './pcp/pcp-error.ts';
export { SchemaRegistry, type SchemaSet } from './schemas/schema-registry.ts';
export type { ArrayEdit, ArrayEditInstruction, ArrayEditSource } from './sdf/array-edit.ts';
export { compareLayers, type LayerDifference } from './sdf/compare-layers.ts';
export {
	Layer,
	type LayerListener,
	PRIM_SPEC_DEFAULTS,
	PROPERTY_SPEC_DEFAULTS,
	type PrimSpecOptions,
	type PropertySpecOptions,
} from './sdf/layer.ts';
export type { FieldSource, LayerData, SourceRange, SpecSource } from './sdf/layer-data.ts';
export { type ItemKey, ListOp, type ListOpItems } from './sdf/list-op.ts';
export { Path, PathKind } from './sdf/path.ts';
export {
	type ExpressionReference,
	PathExpression,
	type PathExpressionFault,
	type PathPattern,
	type PatternComponent,
} from './sdf/path-expression.ts';
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
	type Dictionary,
	type LayerOffset,
	makeValue,
	type Payload,
	type RawCrateValue,
	type Reference,
	type TimeSamples,
	type Unregistered,
	type Value,
} from './sdf/value.ts';
export {
	type ArrayableType,
	type Component,
	type Permission,
	type Shape,
	type Specifier,
	T,
	ValueType,
	type ValueTypeTable,
	type Variability,
} from './sdf/value-type.ts';
export { Attribute } from './usd/attribute.ts';
export type { StageChanges, StageListener } from './usd/change-processor.ts';
export type { ListEditor, ListField } from './usd/edit/arc-editor.ts';
export { copyPrimSpec } from './usd/edit/copy-prim-spec.ts';
export type { ListPosition } from './usd/edit/list-edits.ts';
export {
	MOVE_PRIMS_DEFAULTS,
	type MovedPrims,
	type MovePrimsOptions,
	movePrims,
	type PrimMove,
} from './usd/edit/move-prims.ts';
export type { RelocationPlan } from './usd/edit/relocate-opinions.ts';
export type { StageEditor } from './usd/edit/stage-editor.ts';
export { selectVariant } from './usd/edit/variant-specs.ts';
export { EditTarget } from './usd/edit-target.ts';
export { FLATTEN_DEFAULTS, type FlattenOptions, flattenStage } from './usd/flatten.ts';
export { flattenLayerStack } from './usd/flatten-layer-stack.ts';
export type { Interpolation } from './usd/interpolation.ts';
export { type LoadRule, LoadRules } from './usd/load-rules.ts';
export { PopulationMask } from './usd/population-mask.ts';
export { Prim } from './usd/prim.ts';
export { Property } from './usd/property.ts';
export type { ResolveInfo, ValueSource } from './usd/property-value.ts';
export { Relationship } from './usd/relationship.ts';
export type { ValueContext } from './usd/resolve-value.ts';
export { Stage, type StageOptions } from './usd/stage.ts';
export type { TraverseOptions } from './usd/traverse.ts';
export { formatValue } from './usda/format-value.ts';
export type { SpecMove } from './usda/patch/moved-text.ts';
export { PATCH_USDA_DEFAULTS, type PatchedText, type PatchUsdaOptions, patchUsda } from './usda/patch/patch-usda.ts';
export { READ_USDA_DEFAULTS, type ReadUsdaOptions, readUsda, type TextLayerData } from './usda/read-usda.ts';
export { WRITE_USDA_DEFAULTS, type WriteUsdaOptions, writeUsda } from './usda/write-usda.ts';
export type { CrateData } from './usdc/crate-data.ts';
export { READ_USDC_DEFAULTS, type ReadUsdcOptions, readUsdc } from './usdc/crate-reader.ts';
export { WRITE_USDC_DEFAULTS, type WriteUsdcOptions, writeUsdc } from './usdc/crate-writer.ts';
export { type ReadUsdzOptions, readUsdz, type UsdzEntry, type UsdzLimits, type UsdzPackage } from './usdz/read-usdz.ts';
export { type UsdzInput, type WriteUsdzOptions, writeUsdz } from './usdz/write-usdz.ts';
export { BBOX_DEFAULTS, BBoxCache, type BBoxOptions } from './views/bbox-cache.ts';
export type { AlignedBox } from './views/bounding-box.ts';
export {
	type Camera,
	type CameraWindow,
	cameraWindow,
	fieldOfView,
	projectionMatrix,
	viewMatrix,
} from './views/camera.ts';
export { type CollectionMembership, type CollectionRule, collectionMembership } from './views/collection.ts';
export { authoredExtent, computeExtent, computeShapeExtent, isBoundable } from './views/extent.ts';
export { isSubsetFamilyValid, subsetFamilyNames } from './views/geom-subset.ts';
export { computeEffectiveVisibility, type PurposeInfo } from './views/imageable.ts';
export type { Light, LightShaping } from './views/light.ts';
export {
	PARSE_PHYSICS_DEFAULTS,
	type ParsePhysicsOptions,
	type PhysicsDescription,
	parsePhysics,
} from './views/parse-physics.ts';
export type * from './views/physics-descriptors.ts';
export { type PointInstances, pointInstanceMask } from './views/point-instancer.ts';
export { inheritablePrimvars, Primvar, primvars } from './views/primvars.ts';
export { isConnectable, isNodeGraph, upstreamShaders } from './views/shading.ts';
export type { ViewOptions } from './views/view-report.ts';
export {
	type SetXformOptions,
	setOrient,
	setScale,
	setTransformMatrix,
	setTranslate,
	setXformOpOrder,
} from './views/xform-authoring.ts';
export { XformCache } from './views/xform-cache.ts';
export { XformOp, type XformOpKind } from './views/xform-op.ts';
export { type LocalTransform, transformTimeSamples } from './views/xformable.ts';
