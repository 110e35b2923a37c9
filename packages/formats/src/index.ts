export type { FormatsCode } from './diagnostics.ts';
export type { MjcfInput } from './mjcf/mjcf-attribute-text.ts';
export { MJCF_COMPILER_DEFAULTS, type MjcfCompiler } from './mjcf/mjcf-compiler.ts';
export type { MjcfDefaults, MjcfValue } from './mjcf/mjcf-defaults.ts';
export { createMjcf, type MjcfDocument } from './mjcf/mjcf-document.ts';
export { type MjcfAttribute, MjcfElement, type MjcfRemark } from './mjcf/mjcf-element.ts';
export type { AssetFolders, AssetPlace, MjcfFile } from './mjcf/mjcf-file.ts';
export { type MjcfFileContent, READ_MJCF_DEFAULTS, type ReadMjcfOptions, readMjcf } from './mjcf/read-mjcf.ts';
export { writeMjcf } from './mjcf/write-mjcf.ts';
export { READ_SDF_DEFAULTS, type ReadSdfOptions, readSdf, type SdfFileContent } from './sdf/read-sdf.ts';
export {
	SDF_JOINT_TYPES,
	type SdfAxis,
	type SdfCamera,
	type SdfDocument,
	type SdfFrame,
	type SdfGeometry,
	type SdfInertial,
	type SdfJoint,
	type SdfJointType,
	type SdfLidar,
	type SdfLight,
	type SdfLink,
	type SdfMaterial,
	type SdfMimic,
	type SdfModel,
	type SdfNoise,
	type SdfPose,
	type SdfScan,
	type SdfSensor,
	type SdfShape,
	type SdfSurface,
	type SdfWorld,
} from './sdf/sdf-document.ts';
export { type SdfFrameOwner, SdfFrames } from './sdf/sdf-frames.ts';
export { type ReadUrdfOptions, readUrdf } from './urdf/read-urdf.ts';
export type {
	UrdfDocument,
	UrdfDynamics,
	UrdfGeometry,
	UrdfGeometryGroup,
	UrdfInertial,
	UrdfJoint,
	UrdfJointType,
	UrdfLimit,
	UrdfLink,
	UrdfMaterial,
	UrdfMimic,
	UrdfPose,
	UrdfRobot,
} from './urdf/urdf-document.ts';
