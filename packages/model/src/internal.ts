export {
	ATTRIBUTE_WIDTH,
	type AttributeArray,
	type AttributeDeclaration,
	type AttributeFrequency,
	type AttributeOwner,
	type AttributeType,
	type AttributeValue,
	attributeKey,
} from './attribute-types.ts';
export { worldOffsets } from './builder/merge.ts';
export { COLUMN_NAMES, COLUMNS, type ColumnName, type ColumnSpec, type Entity } from './columns.ts';
export { CONTACT_DEFAULTS_NAMES } from './contact-defaults.ts';
export { enumName } from './enums.ts';
export { groupsCollide, worldsAndGroupsCollide } from './finalize/contact-pairs.ts';
export { CONSTANTS as PLACING_CONSTANTS, isFloating, PlacingKind, TreePlan } from './kinematics/tree-plan.ts';
export type { ArrayAllocator, NumberArray } from './model/array-allocator.ts';
export { arrayOfNewtonName, MODEL_ARRAY_NAMES, MODEL_ARRAYS } from './model/array-table.ts';
export { type AttributeEntry, AttributeValues } from './model/attribute-values.ts';
export { MODEL_SETTINGS_DEFAULTS } from './model/model.ts';
export type { IndexRange, WorldEntity } from './model/world-layout.ts';
export { dofReferences } from './namespaces/dof-references.ts';
export { defineMujocoActivation } from './namespaces/mujoco-activation.ts';
export { MUJOCO_MASK_UNSET, type MujocoTokenRule } from './namespaces/mujoco-attribute-rows.ts';
export { MUJOCO_ATTRIBUTES, MUJOCO_TOKENS, mujocoAttribute, parseMujocoToken } from './namespaces/mujoco-attributes.ts';
export { defineEqualitySites, defineTendonEqualities } from './namespaces/mujoco-equality-parts.ts';
export { resolveMujocoOwners } from './namespaces/mujoco-owners.ts';
export {
	keepMujocoWritten,
	MUJOCO_WRITTEN_ATTRIBUTES,
	type MujocoWrittenKind,
	mujocoWrittenKey,
	readMujocoWritten,
} from './namespaces/mujoco-written.ts';
export { siteConfig } from './shape-config.ts';
export { ContentHash } from './snapshot/content-hash.ts';
export { hashModel } from './snapshot/model-snapshot.ts';
