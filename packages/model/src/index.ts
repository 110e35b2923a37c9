export type { ArticulationOptions } from './builder/add-articulation.ts';
export type { JointOptions } from './builder/add-joint.ts';
export type { ShapeOptions } from './builder/add-shape.ts';
export type { AttributeAssignments, IndexedValues } from './builder/attribute-set.ts';
export type { BuilderEdits, ShapeReplacement } from './builder/builder-edits.ts';
export {
	type AddBuilderOptions,
	type AddWorldOptions,
	type AxisJointOptions,
	type BallJointOptions,
	type BodyOptions,
	type D6JointOptions,
	type DistanceJointOptions,
	type EdgeOptions,
	type EqualityOptions,
	type MeshShapeOptions,
	type MimicOptions,
	MODEL_BUILDER_DEFAULTS,
	type ModelBuilderOptions,
	type ParticleOptions,
	type PlaneOptions,
	type ReplicateOptions,
	type RoundOptions,
	type SiteCapableOptions,
	type SpringOptions,
	type TetrahedronOptions,
	type TriangleOptions,
	type WorldOptions,
} from './builder/builder-options.ts';
export type { CollapseResult } from './builder/collapse-fixed-joints.ts';
export { CONTACT_DEFAULTS, type ContactDefaults, type ContactDefaultsName } from './contact-defaults.ts';
export {
	BodyFlags,
	EqualityType,
	GeoType,
	JointTargetMode,
	JointType,
	ModelFlags,
	ParticleFlags,
	ShapeFlags,
	UNLIMITED,
	WORLD,
} from './enums.ts';
export { type Heightfield, isHeightfield, type ShapeMesh, type ShapeSource, type Texture } from './geometry.ts';
export type { AxisInput, TransformInput, UpAxis } from './geometry-inputs.ts';
export { JOINT_AXIS_DEFAULTS, type JointAxisConfig } from './joint-axis-config.ts';
export {
	ArticulatedDynamics,
	type InverseDynamicsOptions,
	type JointState,
} from './kinematics/articulated-dynamics.ts';
export type { ArticulationChoice } from './kinematics/choose-articulations.ts';
export type { ForwardKinematicsOptions, KinematicState } from './kinematics/forward-kinematics.ts';
export { type PlacedBodies, TreePlacement, type TreePlacementOptions } from './kinematics/tree-placement.ts';
export { CONTACTS_PER_WORLD, Contacts, type ContactsOptions } from './model/contacts.ts';
export { Control, type ControlOptions } from './model/control.ts';
export { Model, type ModelSettings } from './model/model.ts';
export type { ModelArrayData, ModelArrayName, ModelArrays } from './model/model-arrays.ts';
export { type OptionalStateArray, State, type StateArrayName, type StateOptions } from './model/state.ts';
export { ModelBuilder } from './model-builder.ts';
export { type ErrorSubject, ModelError } from './model-error.ts';
export { type MujocoAttribute, registerMujocoAttributes } from './namespaces/mujoco-attributes.ts';
export {
	type ArticulationSelection,
	type PartFilter,
	SELECTION_DEFAULTS,
	type SelectedInstance,
	type SelectedValues,
	type SelectionOptions,
	type SelectionWriteOptions,
	selectArticulations,
} from './selection/articulation-selection.ts';
export type { LabelPattern } from './selection/match-labels.ts';
export { SHAPE_CONFIG_DEFAULTS, type ShapeConfig } from './shape-config.ts';
export {
	type ModelSnapshotResult,
	modelToBytes,
	modelToJson,
	type ReadModelSnapshotOptions,
	readModelSnapshot,
} from './snapshot/model-snapshot.ts';
export type { SnapshotJson } from './snapshot/sections.ts';
export {
	hashState,
	readStateSnapshot,
	type StateSnapshotResult,
	stateToBytes,
	stateToJson,
} from './snapshot/state-snapshot.ts';
