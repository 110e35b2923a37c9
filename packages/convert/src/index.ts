export {
	type ConvertedRobot,
	type ConvertRobotOptions,
	convertRobot,
	TARGET_EXTENSIONS,
	type TargetFormat,
} from './convert-robot.ts';
export type { VariantChoice } from './from/open-usd.ts';
export { loadMeshCodec, type MeshCodec } from './gltf/mesh-codec.ts';
export { WRITE_GLTF_DEFAULTS, type WriteGltfOptions } from './gltf/write-gltf.ts';
export type { ItemKind, LedgerItem, Loss } from './model/conversion-ledger.ts';
export type * from './model/conversion-model.ts';
export { LOSSES, type LossCode } from './model/loss-codes.ts';
export type { Vendor } from './rep-usd/vendor-layers.ts';
export { WRITE_REP_USD_DEFAULTS, type WriteRepUsdOptions } from './rep-usd/write-rep-usd.ts';
export { translateSdf } from './translate-sdf.ts';
export type { TargetFile } from './write/target-files.ts';
export { WRITE_MJCF_DEFAULTS, type WriteMjcfOptions } from './write/write-mjcf.ts';
export { WRITE_URDF_DEFAULTS, type WriteUrdfOptions } from './write/write-urdf.ts';
