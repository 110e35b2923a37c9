export { type LocatorOptions, outsideRefusal } from './ar/asset-locator.ts';
export { withBytes, withIdentify } from './ar/asset-store.ts';
export type { ByteSource } from './ar/byte-source.ts';
export { detectFormat } from './ar/detect-format.ts';
export { hasContent, type OpenedFile, type OpenedLayer, openFile, openOne } from './ar/open-file.ts';
export { relativeAssetPath } from './ar/relative-asset-path.ts';
export { SourcePlaces } from './ar/source-places.ts';
export { type AssetPathUse, listAssetPaths, mapAssetPaths } from './dependencies/asset-paths.ts';
export { collectPackage } from './dependencies/collect-package.ts';
export { diagnoseComposition } from './inspect/composition-diagnostics.ts';
export type { Opinion } from './inspect/explain.ts';
export { explanationMask } from './inspect/explain-path.ts';
export { formatExplanation } from './inspect/format-explanation.ts';
export { formatBytes, formatInspection, INSPECTION_TEXT_DEFAULTS } from './inspect/format-inspection.ts';
export { formatStageInspection } from './inspect/format-stage.ts';
export { jsonPieces } from './inspect/json-text.ts';
export { type Json, valueToJson } from './inspect/value-json.ts';
export { ARC_NAMES, ArcType } from './pcp/arc-type.ts';
export { CompositionCache, type CompositionOptions } from './pcp/composition-cache.ts';
export type { LayerStack } from './pcp/layer-stack.ts';
export { MapFunction, type PathPair } from './pcp/map-function.ts';
export { PrimIndex, type SpecSite } from './pcp/prim-index.ts';
export { composePropertyIndex, type PropertyIndex } from './pcp/property-index.ts';
export { composeTargets, translateToNode, translateToRoot } from './pcp/target-index.ts';
export { PrimDefinition } from './schemas/prim-definition.ts';
export { PropertyDefinition } from './schemas/property-definition.ts';
export type { SchemaClass, SchemaKind } from './schemas/schema-class.ts';
export {
	instantiateName,
	isNameTemplate,
	makeSchemaIdentifier,
	parseAppliedSchema,
	parseSchemaIdentifier,
	templateBaseName,
} from './schemas/schema-identifier.ts';
export { OPENUSD_LIBRARIES, ROBOT_LIBRARIES } from './schemas/standard-libraries.ts';
export { type AttributeType, attributeTypeNames, findAttributeType } from './sdf/attribute-type.ts';
export { childPaths, isChildrenField, subtreePaths } from './sdf/children.ts';
export { compareUtf8 } from './sdf/dictionary-order.ts';
export type { ChangeList, LayerChange } from './sdf/layer-changes.ts';
export { MemoryData } from './sdf/memory-data.ts';
export { type FieldDefinition, MetadataRegistry, type MetadataSite } from './sdf/metadata-registry.ts';
export { comparePaths, isIdentifier, isNamespacedIdentifier } from './sdf/path.ts';
export {
	dataOf,
	EMPTY_DICTIONARY,
	IDENTITY_OFFSET,
	isIdentityOffset,
	makePayload,
	makeReference,
	makeTimeSamples,
	valueIs,
} from './sdf/value.ts';
export { valuesEqual } from './sdf/value-equality.ts';
export { findValueType } from './sdf/value-type.ts';
export { resolveAsset } from './usd/asset-context.ts';
export { applyItem } from './usd/edit/list-edits.ts';
export { freeChild, isByOwnArc } from './usd/edit/move-prims.ts';
export { relocateOpinions } from './usd/edit/relocate-opinions.ts';
export { listVariantSet } from './usd/edit/variant-specs.ts';
export { isAnyPrim, isUsualPrim, traverse } from './usd/traverse.ts';
export { formatField } from './usda/format-value.ts';
export { CrateData } from './usdc/crate-data.ts';
export { writeUsdcPieces } from './usdc/crate-writer.ts';
export { isPackageRelativePath, joinPackageRelativePath, splitPackageRelativePathOuter } from './usdz/package-path.ts';
export {
	authoredBool,
	authoredNumber,
	authoredText,
	authoredValue,
	declaredAttribute,
} from './views/authored-values.ts';
export { BoundingBox, isEmptyBox } from './views/bounding-box.ts';
export { readCamera } from './views/camera.ts';
export { collectionNames } from './views/collection.ts';
export { CollisionFilter } from './views/collision-filter.ts';
export { factorMatrix } from './views/factor-matrix.ts';
export { followStage } from './views/follow-stage.ts';
export { type GeomSubset, geomSubsets, subsetFamilyType, unassignedIndices } from './views/geom-subset.ts';
export {
	computePurpose,
	computePurposeInfo,
	computeVisibility,
	inheritPurpose,
	isImageable,
	PURPOSES,
} from './views/imageable.ts';
export { isLight, readLight } from './views/light.ts';
export { boundMaterial, MaterialBindings } from './views/material-binding.ts';
export { pointInstanceIds, pointInstances } from './views/point-instancer.ts';
export {
	findPrimvar,
	findPrimvarWithInheritance,
	primvarsWithAuthoredValues,
	primvarsWithInheritance,
} from './views/primvars.ts';
export { ContextResolver, isContext } from './views/ros-contexts.ts';
export {
	INTERFACE_SCHEMAS,
	type InterfaceKind,
	interfaceSchemas,
	type RosInterface,
	readInterfaces,
	resolveName,
} from './views/ros-interfaces.ts';
export { QOS_DEFAULTS, readQos } from './views/ros-qos.ts';
export {
	connectedSources,
	inputValue,
	shaderId,
	shadingAttributes,
	surfaceShader,
	terminalSource,
	valueProducers,
} from './views/shading.ts';
export { RESET_XFORM_STACK, XFORM_OP_KINDS, xformOpKind, xformOpMatrix } from './views/xform-op.ts';
export { isTransformAnimated, isXformable, localTransform, xformOps } from './views/xformable.ts';
