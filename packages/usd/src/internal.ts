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
export { comparePaths } from './sdf/path.ts';
export { EMPTY_DICTIONARY, IDENTITY_OFFSET, isIdentityOffset } from './sdf/value.ts';
export { valuesEqual } from './sdf/value-equality.ts';
export { findValueType } from './sdf/value-type.ts';
export { applyItem } from './usd/edit/list-edits.ts';
export { freeChild, isByOwnArc } from './usd/edit/move-prims.ts';
export { relocateOpinions } from './usd/edit/relocate-opinions.ts';
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
export { BoundingBox } from './views/bounding-box.ts';
export { factorMatrix } from './views/factor-matrix.ts';
export { followStage } from './views/follow-stage.ts';
export { computePurposeInfo, computeVisibility, inheritPurpose, PURPOSES } from './views/imageable.ts';
export { pointInstanceIds } from './views/point-instancer.ts';
export { primvarsWithInheritance } from './views/primvars.ts';
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
export { surfaceShader } from './views/shading.ts';
export { RESET_XFORM_STACK, XFORM_OP_KINDS, xformOpKind } from './views/xform-op.ts';
